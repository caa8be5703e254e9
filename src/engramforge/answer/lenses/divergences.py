"""Where lenses pull apart: one goes another way, one has nothing, one is much surer than the other.

Each is told, none suppressed: that two projects disagree is what one asks several for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.lenses.agreeing import Recorded, ends_of, statement
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.lenses.agreement import ALIKE
from engramforge.core.lenses.field import TIERS_APART, gaps
from engramforge.core.lenses.sameness import NEARLY_ALL, are_one_matter, doubtful_negation, share_a_subject
from engramforge.core.text.portions import excerpt_within
from engramforge.model.lenses.orchestration import Divergence, DivergenceType, LensItem, LensResult
from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit
from engramforge.registries.decisions.decision_view import rejected_of
from engramforge.registries.registered import registration_of

_SAID: Final = 100
_STATEMENT: Final = 400
"""Characters of a text that says one thing."""
NEAR: Final = 0.35
"""Calibrated similarity of two statements that may be about the same thing."""


Conflicts = Mapping[tuple[int, int], Disagreement]
"""The places of two items, the first before the second -> how they contradict each other."""


def conflicts(
    items: Sequence[LensItem], alike: NDArray[np.float64], like: Likeness, recorded: Recorded
) -> Conflicts:
    """Which items of different lenses contradict each other: by their wording, or on record.

    `items`: what answers the question. `alike`: their calibrated similarities. `like`: of words.
    """
    found = {}
    for (at, one), (to, other) in combinations(enumerate(items), 2):
        ends = ends_of(one, other)
        if one.lens == other.lens or ends in recorded.dismissed:
            continue
        against = _disagreement(one.hit, other.hit, float(alike[at, to]), like) or recorded.open.get(ends)
        if against is not None:
            found[at, to] = against
    return found


def divergences(
    per_lens: Mapping[str, LensResult],
    items: Sequence[LensItem],
    alike: NDArray[np.float64],
    contradicting: Conflicts,
    like: Likeness,
) -> tuple[Divergence, ...]:
    """All divergences of these lenses, of each kind the strongest first."""
    found = [
        *(
            _divergence(DivergenceType.CONFLICTING_DIRECTION, items[at], items[to], each.strength, each.why)
            for (at, to), each in contradicting.items()
        ),
        *_gaps(per_lens),
        *_of_tiers(items, alike, contradicting, like),
    ]
    order = list(DivergenceType)
    return tuple(sorted(found, key=lambda each: (order.index(each.type), -each.tension)))


def _of_tiers(
    items: Sequence[LensItem], alike: NDArray[np.float64], contradicting: Conflicts, like: Likeness
) -> Iterator[Divergence]:
    """Items of different lenses about one matter of which one is much surer than the other."""
    for (at, one), (to, other) in combinations(enumerate(items), 2):
        tiers = one.hit.memory.epistemic_tier, other.hit.memory.epistemic_tier
        difference = abs(tiers[0] - tiers[1])
        if one.lens == other.lens or alike[at, to] <= ALIKE or difference < TIERS_APART:
            continue
        if (at, to) in contradicting or are_one_matter(statement(one.hit), statement(other.hit), like):
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
    found = disagreement(texts[0], texts[1], rejected[0], rejected[1], like)
    if found is not None and found.signal is Signal.REJECTED:
        # What was rejected for one thing may be right for another.
        what = " ".join(rejected[0] + rejected[1])
        if not share_a_subject(texts[0], texts[1], what):
            found = disagreement(texts[0], texts[1], like=like)
    if found is None and are_one_matter(texts[0], texts[1], like, NEARLY_ALL):
        # Both answer one question and speak of the same, so a negation need not repeat all of the other's words.
        found = disagreement(texts[0], texts[1], like=like, is_one_matter=True)
        if found is None or found.signal is not Signal.NEGATION:
            return doubtful_negation(texts[0], texts[1], like)
    return found


def both_sides(one: Hit, other: Hit) -> str:
    """What two items say, in a few words each."""
    return " / ".join(f'"{_short(statement(each))}"' for each in (one, other))


def _short(text: str) -> str:
    return excerpt_within(" ".join(text.split()), _SAID, least=1) or ""


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
    answering = {name: each.answering for name, each in per_lens.items()}
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
