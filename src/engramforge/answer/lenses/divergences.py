"""Where lenses pull apart: one goes another way, one has nothing, one is much surer than the other.

Each is told, none suppressed: that two projects disagree is what one asks several for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.lenses.agreement import ALIKE
from engramforge.core.lenses.field import TIERS_APART, gaps
from engramforge.model.lenses.orchestration import Divergence, DivergenceType, LensItem, LensResult
from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit
from engramforge.registries.decisions.decision_view import decision_text, rejected_of
from engramforge.registries.registered import registration_of

_STATEMENT: Final = 400
"""Characters of a text that says one thing."""
NEAR: Final = 0.35
"""Calibrated similarity of two statements that may be about the same thing."""


Conflicts = Mapping[tuple[int, int], Disagreement]
"""The places of two items, the first before the second -> how they contradict each other."""


def conflicts(
    items: Sequence[LensItem],
    alike: NDArray[np.float64],
    like: Likeness,
    dismissed: Collection[frozenset[str]] = (),
) -> Conflicts:
    """Which items of different lenses contradict each other.

    `alike`: their calibrated similarities. `like`: of words. `dismissed`: logical ids of pairs that do not.
    """
    found = {}
    for (at, one), (to, other) in combinations(enumerate(items), 2):
        ends = frozenset((one.hit.memory.logical_id, other.hit.memory.logical_id))
        if one.lens == other.lens or ends in dismissed:
            continue
        against = _disagreement(one.hit, other.hit, float(alike[at, to]), like)
        if against is not None:
            found[at, to] = against
    return found


def divergences(
    per_lens: Mapping[str, LensResult],
    items: Sequence[LensItem],
    alike: NDArray[np.float64],
    contradicting: Conflicts,
) -> tuple[Divergence, ...]:
    """All divergences of these lenses, of each kind the strongest first."""
    found = [
        *(
            _divergence(DivergenceType.CONFLICTING_DIRECTION, items[at], items[to], each.strength, each.why)
            for (at, to), each in contradicting.items()
        ),
        *_gaps(per_lens),
        *_of_tiers(items, alike),
    ]
    order = list(DivergenceType)
    return tuple(sorted(found, key=lambda each: (order.index(each.type), -each.tension)))


def _of_tiers(items: Sequence[LensItem], alike: NDArray[np.float64]) -> Iterator[Divergence]:
    """Items of different lenses about one matter of which one is much surer than the other."""
    for (at, one), (to, other) in combinations(enumerate(items), 2):
        tiers = one.hit.memory.epistemic_tier, other.hit.memory.epistemic_tier
        difference = abs(tiers[0] - tiers[1])
        if one.lens != other.lens and alike[at, to] > ALIKE and difference >= TIERS_APART:
            said = f"tier {tiers[0]:g} and tier {tiers[1]:g} about one matter"
            yield _divergence(DivergenceType.TIER_MISMATCH, one, other, difference, said)


def _disagreement(one: Hit, other: Hit, near: float, like: Likeness) -> Disagreement | None:
    """How two items disagree, if both say one thing and may be about the same.

    Two versions of one memory, which lenses of several dates see, disagree where they say something else.
    """
    if one.memory.logical_id == other.memory.logical_id:
        if one.memory.content == other.memory.content:
            return None
        first, last = sorted((one.memory.version, other.memory.version))
        return Disagreement(Signal.CHOICE, f"version {first} gave way to version {last}", 1.0)
    rejected = [_rejected(one), _rejected(other)]
    if near < NEAR and not any(rejected):
        return None
    texts = [statement(one), statement(other)]
    if max(map(len, texts)) > _STATEMENT:
        return None
    return disagreement(texts[0], texts[1], rejected[0], rejected[1], like)


def statement(hit: Hit) -> str:
    """What an item says: of a decision what was decided, without reasons and alternatives."""
    return decision_text(hit.memory) if hit.memory.kind is Kind.DECISION else hit.memory.content


def _rejected(hit: Hit) -> tuple[str, ...]:
    if hit.memory.kind is not Kind.DECISION:
        return ()
    return rejected_of(registration_of(hit.memory))


def _divergence(
    kind: DivergenceType, one: LensItem, other: LensItem, tension: float, said: str
) -> Divergence:
    return Divergence(
        type=kind,
        lens_a=one.lens,
        lens_b=other.lens,
        item_a=one.hit,
        item_b=other.hit,
        tension=tension,
        description=said,
    )


def _gaps(per_lens: Mapping[str, LensResult]) -> Iterator[Divergence]:
    """What one lens knows well and another not at all; what does not answer counts as nothing."""
    answering = {name: [x for x in each.results if x.relevant] for name, each in per_lens.items()}
    tops = {name: max((x.mass for x in hits), default=None) for name, hits in answering.items()}
    for strong, empty, top in gaps(tops):
        best = max(answering[strong], key=lambda each: each.mass)
        said = f"{strong} has an answer, {empty} ({per_lens[empty].project}) has none"
        yield Divergence(
            type=DivergenceType.GAP,
            lens_a=strong,
            lens_b=empty,
            item_a=best,
            item_b=None,
            tension=top,
            description=said,
        )
