"""Which items of several lenses agree: they say the same, and nobody knows of a contradiction between them.

Likeness finds what may be one matter (spec chapter 6), by embeddings alone. It cannot tell two that say the same from
two that contradict each other; so what they say is compared, and what is on record of a contradiction between them
counts, dismissed or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.lenses.on_record import Pair, Recorded
from engramforge.answer.oracle.cited import statement_of
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.lenses.agreement import ALIKE, NO_CLUSTER
from engramforge.core.lenses.sameness import named_otherwise, says_the_same
from engramforge.model.lenses.orchestration import LensItem
from engramforge.model.search.hit import Hit


def statement(hit: Hit) -> str:
    """What an item says: of a decision what was decided, without reasons and alternatives."""
    return statement_of(hit.memory)


def ends_of(one: LensItem, other: LensItem) -> Pair:
    """The logical ids of two items."""
    return frozenset((one.hit.memory.logical_id, other.hit.memory.logical_id))


def not_agreeing(
    items: Sequence[LensItem],
    clusters: Sequence[int],
    alike: NDArray[np.float64],
    like: Likeness,
    recorded: Recorded,
) -> set[tuple[int, int]]:
    """Places of items of different lenses that likeness or a cluster joins, and that do not say the same."""
    found = set()
    for (at, one), (to, other) in combinations(enumerate(items), 2):
        may_join = alike[at, to] > ALIKE or clusters[at] == clusters[to] != NO_CLUSTER
        if one.lens == other.lens or not may_join:
            continue
        ends = ends_of(one, other)
        is_recorded = ends in recorded.open or ends in recorded.dismissed
        if is_recorded or not _agree(one.hit, other.hit, like):
            found.add((at, to))
    return found


def _agree(one: Hit, other: Hit, like: Likeness) -> bool:
    """Whether two items say the same, and are no documents of other numbers. Numbers of entries count within a project:
    each project gives its own."""
    texts = statement(one), statement(other)
    is_of_series = one.memory.project != other.memory.project and any(
        hit.memory.registration and hit.memory.registration.local_id for hit in (one, other)
    )
    return says_the_same(*texts, like) and (is_of_series or not named_otherwise(*texts))
