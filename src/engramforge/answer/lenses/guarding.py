"""The guardian: what a lens suggests and another stands against is marked, and shown all the same.

Another lens stands against an item where a decision of it rejected that, a text of it says so, a decision for the same
ended, or a constraint or a surer item of it contradicts it. What was rejected for one thing is not rejected for
another, unless the question asks whether it may be; nor is what the same project decided again. What does not hold any
more stands against nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.lenses.agreeing import ends_of, statement
from engramforge.answer.lenses.by_question import ByQuestion
from engramforge.answer.lenses.divergences import Conflicts
from engramforge.answer.lenses.on_record import Pair
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.signals import Signal
from engramforge.core.lenses.agreement import ALIKE
from engramforge.core.lenses.field import TIERS_APART
from engramforge.core.lenses.rejections import is_constraint, rejections_in, suggested_in
from engramforge.core.lenses.sameness import says_the_same, share_a_subject
from engramforge.core.text.portions import excerpt_within
from engramforge.model.lenses.orchestration import GuardianMark, LensItem, MarkType
from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit
from engramforge.registries.decisions.decision_view import RATIONALE, rejected_of
from engramforge.registries.registered import registration_of

_SHOWN: Final = 200
_TITLE: Final = 80


@dataclass(frozen=True, slots=True)
class EndedDecision:
    """A decision that a lens does not hold any more. `why`: what took its place, in words. `successor`: that one's
    logical id; None without one."""

    lens: str
    hit: Hit
    why: str
    successor: str | None = None


def guardian_marks(
    items: Sequence[LensItem],
    ended: Sequence[EndedDecision],
    alike: NDArray[np.float64],
    contradicting: Conflicts,
    asked: ByQuestion,
    dismissed: Collection[Pair] = (),
    outdated: Collection[str] = (),
    beside: Sequence[LensItem] = (),
) -> tuple[GuardianMark, ...]:
    """All marks: clashes of constraints first, then what was rejected, then what a surer item contradicts.

    `items`, `ended`: what answers the question. `alike`: calibrated similarities of the items, then of the ended
    decisions, shape (n + m, n + m). `dismissed`: pairs of which nobody wants to hear that they
    contradict each other. `outdated`: logical ids of what does not hold any more where another lens looks.
    `beside`: what was found too and does not answer; it may tell what was rejected.
    """
    found = [
        *_clashes(items, contradicting, outdated),
        *_rejected(items, beside, dismissed, outdated, asked),
        *_given_up(items, ended, alike, asked.like),
    ]
    order = [MarkType.CONSTRAINT, MarkType.REJECTED, MarkType.TIER]
    distinct = {
        (each.type, each.lens, each.item.source_id, each.by.source_id): each for each in reversed(found)
    }
    return tuple(sorted(distinct.values(), key=lambda each: (order.index(each.type), -each.severity)))


def opposed(
    items: Sequence[LensItem], ended: Sequence[EndedDecision], marks: Sequence[GuardianMark]
) -> set[tuple[int, int]]:
    """Places of items that do not agree, since one lens stands against what the other says; for a decision that ended
    stands what took its place."""
    successors = {each.hit.memory.logical_id: each.successor for each in ended}
    places = {(each.lens, each.hit.memory.logical_id): at for at, each in enumerate(items)}
    found = set()
    for mark in marks:
        by = mark.by.memory.logical_id
        other = places.get((mark.by_lens, successors.get(by) or by))
        if other is not None:
            found.add((places[mark.lens, mark.item.memory.logical_id], other))
    return found


def _rejected(
    items: Sequence[LensItem],
    beside: Sequence[LensItem],
    dismissed: Collection[Pair],
    outdated: Collection[str],
    asked: ByQuestion,
) -> Iterator[GuardianMark]:
    """What an item of a lens is for, and one of another rejected for the same."""
    every = [*items, *beside]
    told = [_rejections(each.hit) for each in every]
    for (at, one), (to, other) in product(enumerate(items), enumerate(every)):
        ends = ends_of(one, other)
        if one.lens == other.lens or len(ends) == 1 or ends in dismissed:
            continue
        if not told[to] or other.hit.memory.logical_id in outdated:
            continue
        for what, why in told[to].items():
            suggests = suggested_in(statement(one.hit), what)
            if not suggests or what.casefold() in map(str.casefold, told[at]):
                continue
            is_one = asked.asks_for(what) or asked.is_within(one.hit, other.hit)
            is_one = is_one or share_a_subject(statement(one.hit), statement(other.hit), what)
            if is_one and not any(
                suggested_in(statement(each.hit), what)
                and share_a_subject(statement(each.hit), statement(other.hit), what)
                for each in _renewing(other.hit, every)
            ):
                yield _mark(MarkType.REJECTED, one, other.lens, other.hit, what, why)


def _renewing(hit: Hit, items: Sequence[LensItem]) -> Iterator[LensItem]:
    """The decisions of the same project that hold and are newer than one, and so go before it."""
    for each in items:
        memory = each.hit.memory
        if memory.kind is not Kind.DECISION or memory.logical_id == hit.memory.logical_id:
            continue
        is_held = memory.invalid_at is None and memory.project == hit.memory.project
        if is_held and memory.valid_at > hit.memory.valid_at:
            yield each


def _rejections(hit: Hit) -> Mapping[str, str]:
    """What an item says was rejected -> why."""
    content = hit.memory.content
    found = {each.what: _short(each.said) for each in rejections_in(content)}
    if hit.memory.kind is Kind.DECISION:
        registration = registration_of(hit.memory)
        why = (
            _short(str(registration.details.get(RATIONALE, "")))
            or f"decided instead: {_short(statement(hit))}"
        )
        found = dict.fromkeys(rejected_of(registration), why) | {
            what: how for what, how in found.items() if what not in rejected_of(registration)
        }
    return found


def _given_up(
    items: Sequence[LensItem], ended: Sequence[EndedDecision], alike: NDArray[np.float64], like: Likeness
) -> Iterator[GuardianMark]:
    """Items that say what a decision of another lens said that ended, where nothing newer there says it again."""
    for (at, one), (to, other) in product(enumerate(items), enumerate(ended, len(items))):
        if one.lens == other.lens or one.hit.memory.logical_id == other.hit.memory.logical_id:
            continue
        said = statement(other.hit)
        if alike[at, to] <= ALIKE or not says_the_same(statement(one.hit), said, like):
            continue
        if not any(_renews(each, other, like) for each in _renewing(other.hit, items)):
            yield _mark(MarkType.REJECTED, one, other.lens, other.hit, _short(said).rstrip("."), other.why)


def _renews(item: LensItem, ended: EndedDecision, like: Likeness) -> bool:
    """Whether a newer decision says what one said that ended, in its words or under its title."""
    mine, theirs = statement(item.hit), statement(ended.hit)
    titles = [_title(each) for each in (mine, theirs)]
    is_titled_alike = titles[0] == titles[1] != ""
    return is_titled_alike or says_the_same(mine, theirs, like)


def _title(text: str) -> str:
    """What stands before the colon in a text that begins with a title; empty without one."""
    title, colon, _ = text[:_TITLE].partition(":")
    return title.strip().casefold() if colon else ""


def _clashes(
    items: Sequence[LensItem], contradicting: Conflicts, outdated: Collection[str]
) -> Iterator[GuardianMark]:
    """Items that contradict each other where one is a constraint, or much surer than the other."""
    for (at, to), how in contradicting.items():
        if how.signal is Signal.REJECTED or items[at].lens == items[to].lens:
            continue  # marked as such, or told where lenses pull apart
        weaker, surer = sorted((items[at], items[to]), key=lambda each: each.hit.memory.epistemic_tier)
        ends = ends_of(weaker, surer)
        if len(ends) == 1 or not ends.isdisjoint(outdated):
            continue  # the newer one has settled it
        tiers = [each.hit.memory.epistemic_tier for each in (weaker, surer)]
        if any(is_constraint(statement(each.hit)) for each in (weaker, surer)):
            kind = MarkType.CONSTRAINT
        elif tiers[1] - tiers[0] >= TIERS_APART:
            kind = MarkType.TIER
        else:
            continue
        what = " / ".join(_short(statement(each.hit)).rstrip(".") for each in (weaker, surer))
        why = f"{how.why}; tier {tiers[0]:g} against {tiers[1]:g}"
        yield _mark(kind, weaker, surer.lens, surer.hit, what, why)


def _mark(kind: MarkType, item: LensItem, by_lens: str, by: Hit, what: str, why: str) -> GuardianMark:
    return GuardianMark(
        type=kind,
        lens=item.lens,
        item=item.hit,
        by_lens=by_lens,
        by=by,
        what=what,
        why=why,
        severity=by.memory.epistemic_tier,
    )


def _short(text: str) -> str:
    return excerpt_within(" ".join(text.split()), _SHOWN, least=1) or ""
