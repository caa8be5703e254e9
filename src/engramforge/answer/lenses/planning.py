"""The field as a router or planner reads it: the ways to go, who stands against which and why, and what to do first.

What clashes is settled before anything is followed; then what the lenses agree on comes before what one of them says,
and its direction before its explorations; what nobody knows comes last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engramforge.core.text.portions import excerpt_within
from engramforge.model.lenses.orchestration import (
    Act,
    Against,
    Convergence,
    Direction,
    Divergence,
    DivergenceType,
    Field,
    FieldSummary,
    GuardianMark,
    LensResult,
    MarkType,
    Stance,
    Step,
)
from engramforge.model.lenses.role import Role
from engramforge.model.search.hit import Hit

_SAYS: Final = 200
_ACTS: Final[Mapping[Role, Act]] = {
    Role.NAVIGATOR: Act.FOLLOW,
    Role.BUILDER: Act.FOLLOW,
    Role.COMPILER: Act.FOLLOW,
    Role.CRITIC: Act.VALIDATE,
    Role.EVALUATOR: Act.VALIDATE,
    Role.CONNECTOR: Act.EXPLORE,
}
"""What to do with what one lens alone says, in the order in which to do it."""


Place = tuple[str, str]
"""A lens, and the id of an item of it."""


def field_of(
    per_lens: Mapping[str, LensResult],
    agreed: Sequence[Convergence],
    apart: Sequence[Divergence],
    marks: Sequence[GuardianMark],
    summary: FieldSummary,
) -> Field:
    """The field of an orchestration. Items that do not answer the question are no way to go."""
    rejected = {(each.lens, each.item.source_id) for each in marks if each.type is MarkType.REJECTED}
    against = _against(apart, marks, rejected)
    directions = sorted(
        (_direction(lenses, hit, mass, against, rejected) for lenses, hit, mass in _ways(per_lens, agreed)),
        key=lambda each: -each.mass,
    )
    return Field(
        coherence=summary.coherence,
        dominant_lens=summary.dominant_lens,
        directions=tuple(directions),
        steps=tuple(_steps(per_lens, directions, apart, marks)),
        needs_a_person=any(each.type is MarkType.CONSTRAINT for each in marks),
    )


def _ways(
    per_lens: Mapping[str, LensResult], agreed: Sequence[Convergence]
) -> Iterator[tuple[tuple[str, ...], Hit, float]]:
    """Each matter, then each item that is in none: the lenses for it, the first of which has the item, and its mass."""
    taken: set[Place] = set()
    for each in agreed:
        taken.update((item.lens, item.hit.source_id) for item in each.items)
        first = each.items[0]
        yield (first.lens, *(x for x in each.lenses if x != first.lens)), first.hit, each.combined_mass
    for lens, found in per_lens.items():
        for hit in found.results:
            if hit.relevant and (lens, hit.source_id) not in taken:
                yield (lens,), hit, hit.mass


def _against(
    apart: Sequence[Divergence], marks: Sequence[GuardianMark], rejected: set[Place]
) -> dict[Place, list[Against]]:
    """Who stands against which item. What is rejected itself stands against nothing."""
    found: dict[Place, list[Against]] = {}
    for mark in marks:
        told = Against(
            mark.by_lens, mark.by.source_id, f"{mark.type}: {mark.what}. {mark.why}", mark.severity
        )
        found.setdefault((mark.lens, mark.item.source_id), []).append(told)
    for each in apart:
        if each.type is not DivergenceType.CONFLICTING_DIRECTION or not each.item_a or not each.item_b:
            continue
        sides = (each.lens_a, each.item_a), (each.lens_b, each.item_b)
        for (lens, hit), (other, its) in (sides, sides[::-1]):
            if (other, its.source_id) in rejected:
                continue
            told = Against(other, its.source_id, each.description, each.tension)
            others = found.setdefault((lens, hit.source_id), [])
            if not any((x.lens, x.id) == (told.lens, told.id) for x in others):
                others.append(told)
    return found


def _direction(
    lenses: tuple[str, ...],
    hit: Hit,
    mass: float,
    against: Mapping[Place, Sequence[Against]],
    rejected: set[Place],
) -> Direction:
    place = lenses[0], hit.source_id
    opposed = tuple(against.get(place, ()))
    stance = Stance.AGREED if len(lenses) > 1 else Stance.OPEN
    if place in rejected:
        stance = Stance.REJECTED
    elif opposed:
        stance = Stance.CONTESTED
    return Direction(
        id=hit.source_id,
        says=excerpt_within(" ".join(hit.excerpt.split()), _SAYS, least=1) or "",
        kind=str(hit.memory.kind),
        lenses=lenses,
        mass=mass,
        epistemic_tier=hit.memory.epistemic_tier,
        stance=stance,
        against=opposed,
    )


def _steps(
    per_lens: Mapping[str, LensResult],
    directions: Sequence[Direction],
    apart: Sequence[Divergence],
    marks: Sequence[GuardianMark],
) -> Iterator[Step]:
    settled = set()
    for mark in marks:
        if mark.type is MarkType.CONSTRAINT:
            settled.add(frozenset((mark.item.source_id, mark.by.source_id)))
            yield _step_of(Act.SETTLE, mark)
    for each in apart:
        ids = _ids(each)
        if each.type is DivergenceType.CONFLICTING_DIRECTION and frozenset(ids) not in settled:
            yield Step(Act.DECIDE, (each.lens_a, each.lens_b), ids, each.description)
    for mark in marks:
        if mark.type is MarkType.REJECTED:
            yield _step_of(Act.AVOID, mark)
    for way in directions:
        if way.stance is Stance.AGREED:
            yield Step(Act.FOLLOW, way.lenses, (way.id,), f"{' and '.join(way.lenses)} agree: {way.says}")
    order = list(_ACTS)
    for lens, found in sorted(per_lens.items(), key=lambda each: order.index(each[1].role)):
        best = next((x for x in directions if x.lenses == (lens,) and x.stance is Stance.OPEN), None)
        if best is not None:
            yield Step(_ACTS[found.role], (lens,), (best.id,), best.says)
    for kind, act in ((DivergenceType.TIER_MISMATCH, Act.VALIDATE), (DivergenceType.GAP, Act.FILL)):
        for each in apart:
            if each.type is kind:
                yield Step(act, (each.lens_a, each.lens_b), _ids(each), each.description)


def _step_of(act: Act, mark: GuardianMark) -> Step:
    ids = (mark.item.source_id, mark.by.source_id)
    return Step(act, (mark.lens, mark.by_lens), ids, f"{mark.what}. {mark.why}")


def _ids(each: Divergence) -> tuple[str, ...]:
    return tuple(item.source_id for item in (each.item_a, each.item_b) if item is not None)
