"""Which items of several lenses agree: they say the same, and nobody knows of a contradiction between them.

Likeness finds what may be one matter (spec chapter 6), by embeddings alone. It cannot tell two that say the same from
two that contradict each other; so what they say is compared, and what is on record of a contradiction between them
counts, dismissed or not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.conflicts.conflict_links import SIGNALS, WHY, is_open
from engramforge.answer.conflicts.conflict_registry import dismissed_among, links_among
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.lenses.agreement import ALIKE, NO_CLUSTER
from engramforge.core.lenses.sameness import says_the_same
from engramforge.model.lenses.orchestration import LensItem
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.store.door import View

_LINKED: Final = "somebody linked them as contradicting"

Pair = frozenset[str]
"""The logical ids of two memories."""


class Recorded(NamedTuple):
    """What is on record of contradictions between memories: open ones, how, and pairs that somebody dismissed."""

    open: Mapping[Pair, Disagreement]
    dismissed: Collection[Pair]


def recorded_among(view: View, hits: Sequence[Hit]) -> Recorded:
    """What is on record of contradictions between these."""
    ids = {hit.memory.logical_id for hit in hits}
    links = links_among(view, hits)
    dismissed = dismissed_among(links, hits)
    found = {
        frozenset((link.source_id, link.target_id)): _disagreement(link)
        for link in links
        if link.relation == Relation.CONTRADICTS and is_open(link) and {link.source_id, link.target_id} <= ids
    }
    return Recorded({pair: how for pair, how in found.items() if pair not in dismissed}, dismissed)


def _disagreement(link: Link) -> Disagreement:
    named = next(iter(link.extra.get(SIGNALS, ())), None)
    signal = next((each for each in Signal if each == named), Signal.STATED)
    return Disagreement(signal, str(link.extra.get(WHY) or _LINKED), link.confidence)


def statement(hit: Hit) -> str:
    """What an item says: of a decision what was decided, without reasons and alternatives."""
    return decision_text(hit.memory) if hit.memory.kind is Kind.DECISION else hit.memory.content


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
        if is_recorded or not says_the_same(statement(one.hit), statement(other.hit), like):
            found.add((at, to))
    return found
