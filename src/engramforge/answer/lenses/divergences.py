"""Where lenses pull apart: one goes another way, one has nothing, one is much surer than the other; and where one lens
says two things of which it is on record that they contradict each other, or that answer the question differently.

Each is told, none suppressed: that two projects disagree is what one asks several for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.lenses.agreeing import ends_of, statement
from engramforge.answer.lenses.by_question import NEAR, ByQuestion, goes_before
from engramforge.answer.lenses.on_record import Pair, Recorded
from engramforge.answer.oracle.differing import STATEMENT, rejected_by
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.lenses.agreement import ALIKE
from engramforge.core.lenses.field import TIERS_APART, gaps
from engramforge.core.lenses.sameness import (
    NEARLY_ALL,
    are_one_matter,
    doubtful_negation,
    says_the_same,
    share_a_subject,
)
from engramforge.core.text.portions import excerpt_within
from engramforge.model.lenses.orchestration import Divergence, DivergenceType, LensItem, LensResult
from engramforge.model.search.hit import Hit

_SAID: Final = 100


Conflicts = Mapping[tuple[int, int], Disagreement]
"""The places of two items, the first before the second -> how they contradict each other."""


def conflicts(
    items: Sequence[LensItem], alike: NDArray[np.float64], asked: ByQuestion, recorded: Recorded
) -> Conflicts:
    """Which items contradict each other, by their wording, on record, or as other answers to the question; those of one
    lens not by their wording alone; each two once.

    `items`: what answers the question. `alike`: their calibrated similarities.
    """
    compared = asked.compared(items, alike)
    best = {max(places, key=lambda at: items[at].mass) for places in _by_lens(items)}
    found: dict[tuple[int, int], Disagreement] = {}
    within: dict[Pair, tuple[int, int]] = {}
    for (at, one), (to, other) in combinations(enumerate(items), 2):
        ends, near = ends_of(one, other), float(alike[at, to])
        is_known = len(ends) == 1 or ends in recorded.changed or ends in recorded.dismissed
        may_differ = (at, to) in compared and not is_known
        if one.lens == other.lens:
            if ends in recorded.open:
                within.setdefault(ends, (at, to))
            elif may_differ and (own := asked.against(one, other, near)) is not None:
                found[at, to] = own
            continue
        may_follow = len(ends) == 1 or ends in recorded.changed
        against = _changed(one.hit, other.hit, recorded) if may_follow else None
        if against is None and ends not in recorded.dismissed:
            against = _disagreement(one.hit, other.hit, near, asked.like) or recorded.open.get(ends)
        if against is None and may_differ:
            against = asked.against(one, other, near)
        if against is None and not is_known and at in best and to in best:
            against = asked.denies(one, other)
        if against is not None:
            found[at, to] = against
    found |= _with_the_older(items, alike, found, asked.like, recorded)
    across = {ends_of(items[at], items[to]) for at, to in found}
    return found | {places: recorded.open[ends] for ends, places in within.items() if ends not in across}


def _by_lens(items: Sequence[LensItem]) -> list[list[int]]:
    """The places of the items of each lens."""
    found: dict[str, list[int]] = {}
    for at, each in enumerate(items):
        found.setdefault(each.lens, []).append(at)
    return list(found.values())


def outdone(items: Sequence[LensItem], contradicting: Conflicts, recorded: Recorded) -> dict[int, int]:
    """Places of items of which the same lens says something else later -> the place of that."""
    found: dict[int, int] = {}
    for at, to in contradicting:
        if ends_of(items[at], items[to]) not in recorded.open:
            found |= {
                older: newer
                for newer, older in ((at, to), (to, at))
                if goes_before(items[newer], items[older])
            }
    return found


def _with_the_older(
    items: Sequence[LensItem],
    alike: NDArray[np.float64],
    contradicting: Conflicts,
    like: Likeness,
    recorded: Recorded,
) -> Conflicts:
    """What another lens says as a lens did before, against what that one says now."""
    found = {}
    for older, newer in outdone(items, contradicting, recorded).items():
        how = contradicting[min(older, newer), max(older, newer)]
        for at, each in enumerate(items):
            places = min(at, newer), max(at, newer)
            if each.lens == items[newer].lens or places in contradicting or alike[at, older] <= ALIKE:
                continue
            ends = ends_of(each, items[newer])
            is_known = len(ends) == 1 or ends in recorded.changed or ends in recorded.dismissed
            if not is_known and says_the_same(statement(each.hit), statement(items[older].hit), like):
                found[places] = how
    return found


def _changed(one: Hit, other: Hit, recorded: Recorded) -> Disagreement | None:
    """That one of two items took the place of the other, by what is on record or as a version of it that says something
    else."""
    sides = one.memory, other.memory
    if sides[0].logical_id == sides[1].logical_id:
        if sides[0].content == sides[1].content:
            return None
        first, last = sorted(each.version for each in sides)
        return Disagreement(Signal.REPLACED, f"version {first} gave way to version {last}", 1.0)
    later = recorded.changed.get(frozenset(each.logical_id for each in sides))
    if later is None:
        return None
    newer, older = (one, other) if one.memory.logical_id == later else (other, one)
    end = older.memory.invalid_at
    when = f" on {end:%Y-%m-%d}" if end else ""
    return Disagreement(Signal.REPLACED, f"{newer.source_id} took the place of {older.source_id}{when}", 1.0)


def divergences(
    per_lens: Mapping[str, LensResult],
    items: Sequence[LensItem],
    alike: NDArray[np.float64],
    contradicting: Conflicts,
    asked: ByQuestion,
    recorded: Recorded,
) -> tuple[Divergence, ...]:
    """All divergences of these lenses, of each kind the strongest first."""
    told = [
        *(
            _other_ways(items[at], items[to], how, per_lens, recorded)
            for (at, to), how in contradicting.items()
        ),
        *(_other_ways(items[at], side, how, per_lens, recorded) for at, side, how in recorded.sides),
    ]
    against = [replace(each, on_matter=asked.concerns_both(each.item_a, each.item_b)) for each in told]
    found = [
        *against,
        *_gaps(per_lens, against),
        *_of_tiers(items, alike, contradicting, asked.like),
    ]
    order = list(DivergenceType)
    return tuple(sorted(found, key=lambda each: (order.index(each.type), not each.on_matter, -each.tension)))


def _other_ways(
    one: LensItem,
    other: LensItem,
    how: Disagreement,
    per_lens: Mapping[str, LensResult],
    recorded: Recorded,
) -> Divergence:
    """Two items that go different ways, the newer first, with their dates and tiers."""
    is_change = _changed(one.hit, other.hit, recorded) is not None
    later = recorded.changed.get(ends_of(one, other))
    newer, older = sorted(
        (one, other),
        key=lambda each: (
            is_change and each.hit.memory.logical_id == later,
            is_change and each.hit.memory.version,
            each.hit.memory.told_at,
        ),
        reverse=True,
    )
    if is_change:
        are_dated = per_lens[newer.lens].sight.when != per_lens[older.lens].sight.when
        dates = " between the two dates" if are_dated else ""
        said = f"changed{dates}, the later one holds: {how.why}"
    else:
        is_change = ends_of(one, other) not in recorded.open and goes_before(newer, older)
        sides = " against ".join(
            f"{each.hit.memory.told_at:%Y-%m-%d} tier {each.hit.memory.epistemic_tier:g}"
            for each in (newer, older)
        )
        later = "the later one goes before: " if is_change else ""
        said = f"{later}{how.why} ({how.signal}; {sides})"
    told = _divergence(DivergenceType.CONFLICTING_DIRECTION, newer, older, how.strength, said)
    return replace(told, changed=is_change)


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
    """How two items disagree, if both say one thing and may be about the same."""
    if one.memory.logical_id == other.memory.logical_id:
        return None
    rejected = [rejected_by(one), rejected_by(other)]
    if near < NEAR and not any(rejected):
        return None
    texts = [statement(one), statement(other)]
    if max(map(len, texts)) > STATEMENT:
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


def _gaps(per_lens: Mapping[str, LensResult], against: Sequence[Divergence]) -> Iterator[Divergence]:
    """What one lens knows well and another not at all; what does not answer counts as nothing, unless it stands against
    what the other knows."""
    heard = {frozenset((each.lens_a, each.lens_b)) for each in against}
    answering = {name: each.answering for name, each in per_lens.items()}
    tops = {name: max((x.mass for x in hits), default=None) for name, hits in answering.items()}
    for strong, empty, top in gaps(tops):
        if frozenset((strong, empty)) in heard:
            continue
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
            on_matter=_has_near(per_lens[empty]),
        )


def _has_near(lens: LensResult) -> bool:
    """Whether a lens that answers nothing has something near, and no rule that is told."""
    return not lens.rules and any(each.parts.similarity >= NEAR for each in lens.results)
