"""The field as a router or planner reads it: the ways to go, who stands against which and why, and what to do first.

What clashes is settled before anything is followed; then what the lenses agree on comes before what one of them says,
and its direction before its explorations; what nobody knows comes last. Each two items come up in one step: what is to
be decided is not to be avoided or followed before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from engramforge.answer.lenses.divergences import both_sides
from engramforge.answer.lenses.forbidding import FORBIDDEN, Forbidden, forbidden
from engramforge.core.lenses.agreement import BOOST
from engramforge.core.lenses.field import coherence, dominant
from engramforge.core.lenses.leave import asks_leave
from engramforge.core.lenses.rejections import is_constraint
from engramforge.core.oracle.in_reasons import says_all
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
from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit

_SAYS: Final = 200
_AS_STRONG: Final = 0.75
"""The part of the best answer's mass that what lenses agree on has on the mean, to be followed before it."""
_ACTS: Final[Mapping[Role, Act]] = {
    Role.NAVIGATOR: Act.FOLLOW,
    Role.BUILDER: Act.FOLLOW,
    Role.COMPILER: Act.FOLLOW,
    Role.CRITIC: Act.VALIDATE,
    Role.EVALUATOR: Act.VALIDATE,
    Role.CONNECTOR: Act.EXPLORE,
}
"""What to do with what one lens alone says, in the order in which to do it."""
_DONE: Final = (Act.FOLLOW, Act.EXPLORE)


Place = tuple[str, str]
"""A lens, and the id of an item of it."""


def field_of(
    query: str,
    per_lens: Mapping[str, LensResult],
    agreed: Sequence[Convergence],
    apart: Sequence[Divergence],
    marks: Sequence[GuardianMark],
    summary: FieldSummary,
    outdated: Collection[str] = (),
) -> Field:
    """The field of an orchestration. Items that do not answer the question are no way to go.

    `outdated`: logical ids of items that do not hold any more where another lens looks.
    """
    avoided = [each for each in marks if each.type is MarkType.REJECTED and not _is_contest(each)]
    rejected = {(each.lens, each.item.source_id) for each in avoided}
    against = _against(apart, marks, rejected, outdated)
    ruled_out = [*forbidden(query, per_lens, outdated)]
    for each in ruled_out:
        told = Against(each.by_lens, each.rule.source_id, FORBIDDEN, each.rule.memory.epistemic_tier)
        others = against.setdefault((each.lens, each.item.source_id), [])
        if not any((x.lens, x.id) == (told.lens, told.id) for x in others):
            others.append(told)
    directions = sorted(
        (_direction(places, hit, mass, against, rejected) for places, hit, mass in _ways(per_lens, agreed)),
        key=lambda each: -each.mass,
    )
    clashing = [*_clashing(apart, marks, avoided, outdated)]
    first = sorted([*_settling(ruled_out, clashing), *clashing], key=lambda each: each.act is not Act.SETTLE)
    rules = [*_bearing(per_lens)]
    open_ones = [
        each for each in _on_all_that_is_asked(query, directions) if _is_followed(each, per_lens, outdated)
    ]
    after = [*_newer(per_lens, apart, first), *_following(per_lens, open_ones, apart)]
    # Whether a rule in other words forbids what would be followed is not for a program to say.
    may_forbid = bool(rules) and asks_leave(query) and any(each.act in _DONE for each in after)
    return Field(
        coherence=summary.coherence,
        dominant_lens=summary.dominant_lens,
        directions=tuple(directions),
        steps=(*first, *rules, *after, *_missing(apart, first, outdated)),
        needs_a_person=may_forbid or any(each.act in (Act.SETTLE, Act.DECIDE) for each in first),
    )


def summary_of(
    per_lens: Mapping[str, LensResult], agreed: Sequence[Convergence], apart: Sequence[Divergence]
) -> FieldSummary:
    """The field in numbers; only what answers the question counts."""
    masses = {name: [hit.mass for hit in each.answering] for name, each in per_lens.items()}
    tensions: dict[tuple[str, str, str], list[float]] = {}
    for each in apart:
        one, other = sorted((each.lens_a, each.lens_b))
        if one == other:
            continue  # how far lenses agree is between them
        tensions.setdefault((one, other, str(each.type)), []).append(each.tension)
    convergent = sum(item.mass / BOOST for each in agreed for item in each.items)
    total = sum(map(sum, masses.values()))
    return FieldSummary(
        total_candidates=sum(map(len, masses.values())),
        convergence_points=len(agreed),
        divergence_points=len(apart),
        dominant_lens=dominant(masses),
        coherence=coherence(convergent, total, tensions, len(per_lens)),
    )


def _is_contest(mark: GuardianMark) -> bool:
    """Whether a decision that holds chose what another that holds rejected: neither goes before the other."""
    sides = mark.item.memory, mark.by.memory
    return all(each.kind is Kind.DECISION and each.invalid_at is None for each in sides)


def _is_decided(mark: GuardianMark) -> bool:
    """Whether a mark is no more against one side than against the other."""
    return mark.type is MarkType.REJECTED and _is_contest(mark)


def _is_followed(
    way: Direction,
    per_lens: Mapping[str, LensResult],
    outdated: Collection[str],
) -> bool:
    """Whether nothing stands against a direction, it holds, and it is not far behind the best of its lens."""
    if way.stance not in (Stance.AGREED, Stance.OPEN):
        return False
    lens = per_lens[way.lenses[0]]
    hits = lens.answering
    is_behind = way.mass < _AS_STRONG * max(each.mass for each in hits)
    if is_behind and way.stance is Stance.OPEN and _ACTS[lens.role] is not Act.VALIDATE:
        return False
    return not any(x.source_id == way.id and x.memory.logical_id in outdated for x in hits)


def _on_all_that_is_asked(query: str, directions: Sequence[Direction]) -> list[Direction]:
    """Directions without those that say a part of what is asked far behind one that says all of it: who asks what to do
    before a harvest feast is not told when the harvest shop opens."""
    best = max((each.mass for each in directions if says_all(query, each.says)), default=0.0)
    return [
        each
        for each in directions
        if each.mass >= _AS_STRONG * best or each.kind == Kind.DECISION or says_all(query, each.says)
    ]


def _ways(
    per_lens: Mapping[str, LensResult], agreed: Sequence[Convergence]
) -> Iterator[tuple[list[Place], Hit, float]]:
    """Each matter, then each item that is in none: its items, the heaviest first, what that says, and its mass."""
    taken: set[Place] = set()
    for each in agreed:
        places = [(item.lens, item.hit.source_id) for item in each.items]
        taken.update(places)
        yield places, each.items[0].hit, each.combined_mass
    for lens, found in per_lens.items():
        for hit in found.answering:
            if (lens, hit.source_id) not in taken:
                yield [(lens, hit.source_id)], hit, hit.mass


def _against(
    apart: Sequence[Divergence],
    marks: Sequence[GuardianMark],
    rejected: set[Place],
    outdated: Collection[str],
) -> dict[Place, list[Against]]:
    """Who stands against which item. What is rejected itself, or holds no more, stands against nothing."""
    found: dict[Place, list[Against]] = {}
    for mark in marks:
        why = f"{mark.type}: {mark.what} ({mark.why})"
        sides = (mark.lens, mark.item), (mark.by_lens, mark.by)
        for (lens, hit), (other, its) in (sides, sides[::-1]) if _is_decided(mark) else (sides,):
            against = Against(other, its.source_id, why, its.memory.epistemic_tier)
            found.setdefault((lens, hit.source_id), []).append(against)
    for each in apart:
        if each.type is not DivergenceType.CONFLICTING_DIRECTION or not each.item_a or not each.item_b:
            continue
        if not each.on_matter:
            continue
        sides = (each.lens_a, each.item_a), (each.lens_b, each.item_b)
        # What was replaced stands against nothing any more.
        for (lens, hit), (other, its) in (sides[::-1],) if each.changed else (sides, sides[::-1]):
            if (other, its.source_id) in rejected or its.memory.logical_id in outdated:
                continue
            told = Against(other, its.source_id, each.description, each.tension)
            others = found.setdefault((lens, hit.source_id), [])
            if not any((x.lens, x.id) == (told.lens, told.id) for x in others):
                others.append(told)
    return found


def _direction(
    places: Sequence[Place],
    hit: Hit,
    mass: float,
    against: Mapping[Place, Sequence[Against]],
    rejected: set[Place],
) -> Direction:
    """`places`: of all items of a matter: what stands against one stands against the matter."""
    lenses = tuple(dict.fromkeys(lens for lens, _ in places))
    opposed = tuple(dict.fromkeys(each for place in places for each in against.get(place, ())))
    stance = Stance.AGREED if len(lenses) > 1 else Stance.OPEN
    if not rejected.isdisjoint(places):
        stance = Stance.REJECTED
    elif opposed:
        stance = Stance.CONTESTED
    return Direction(
        id=hit.source_id,
        says=_says(hit),
        kind=str(hit.memory.kind),
        lenses=lenses,
        mass=mass,
        epistemic_tier=hit.memory.epistemic_tier,
        stance=stance,
        against=opposed,
    )


def _clashing(
    apart: Sequence[Divergence],
    marks: Sequence[GuardianMark],
    avoided: Sequence[GuardianMark],
    outdated: Collection[str],
) -> Iterator[Step]:
    """What is to be settled, then decided, then avoided; each two items once."""
    settled = set()
    for mark in marks:
        ends = frozenset(_ends(mark))
        if mark.type is MarkType.CONSTRAINT and ends not in settled:
            settled.add(ends)
            yield Step(Act.SETTLE, (mark.lens, mark.by_lens), _ends(mark), f"{mark.why}: {mark.what}")
    told = settled | {frozenset(_ends(each)) for each in avoided}
    for each in apart:
        sides = each.item_a, each.item_b
        if each.type is not DivergenceType.CONFLICTING_DIRECTION or None in sides or each.changed:
            continue
        if not each.on_matter:
            continue  # told where lenses pull apart; what it is about is not asked
        ids, found = _ids(each), [side for side in sides if side is not None]
        is_over = not {side.memory.logical_id for side in found}.isdisjoint(outdated)
        if len(set(ids)) == len(ids) and frozenset(ids) not in told and not is_over:
            told.add(frozenset(ids))
            yield Step(Act.DECIDE, each.lenses, ids, f"{each.description}: {both_sides(*found)}")
    for mark in marks:
        if _is_decided(mark) and frozenset(_ends(mark)) not in told:
            told.add(frozenset(_ends(mark)))
            because = f"{_turned_down(mark)}: {both_sides(mark.item, mark.by)}"
            yield Step(Act.DECIDE, (mark.lens, mark.by_lens), _ends(mark), because)
    reasons: set[tuple[str, str]] = set()
    for mark in avoided:
        because = _turned_down(mark)
        if frozenset(_ends(mark)) not in settled and (mark.item.source_id, because) not in reasons:
            reasons.add((mark.item.source_id, because))
            yield Step(Act.AVOID, (mark.lens, mark.by_lens), _ends(mark), because)


def _settling(found: Sequence[Forbidden], before: Sequence[Step]) -> Iterator[Step]:
    """What a rule forbids that a lens says is done, where nothing else says so of the two."""
    told = {frozenset(each.ids) for each in before}
    for each in found:
        ids = each.item.source_id, each.rule.source_id
        if frozenset(ids) not in told:
            told.add(frozenset(ids))
            yield Step(
                Act.SETTLE, (each.lens, each.by_lens), ids, f"{FORBIDDEN}: {both_sides(each.item, each.rule)}"
            )


def _turned_down(mark: GuardianMark) -> str:
    """What a lens rejected or gave up, and why."""
    if mark.by.memory.invalid_at is not None:
        return f"{mark.what}: {mark.why}"
    return f"{mark.by_lens} rejected {mark.what} ({mark.why})"


def _bearing(per_lens: Mapping[str, LensResult]) -> Iterator[Step]:
    """Rules to look at before anything is followed: they may bear on the question though they do not answer it."""
    for lens, found in per_lens.items():
        for hit in found.rules:
            yield Step(Act.VALIDATE, (lens,), (hit.source_id,), f"a rule that may bear on it: {_says(hit)}")


def _says(hit: Hit) -> str:
    return excerpt_within(" ".join(hit.excerpt.split()), _SAYS, least=1) or ""


def _following(
    per_lens: Mapping[str, LensResult], directions: Sequence[Direction], apart: Sequence[Divergence]
) -> Iterator[Step]:
    """What the lenses agree on, where that is about as strong as the best answer, then the best of what each alone
    says: of those that are about as strong first."""
    best_of_all = max((hit.mass for each in per_lens.values() for hit in each.answering), default=0.0)
    least = BOOST * _AS_STRONG * best_of_all
    agreed = [each for each in directions if each.stance is Stance.AGREED and each.mass >= least]
    for way in agreed:
        said = f"{' and '.join(way.lenses)} agree: {way.says}{_older(way, apart)}"
        yield Step(Act.FOLLOW, way.lenses, (way.id,), said)
    order = list(_ACTS)
    firsts: list[tuple[bool, int, Step]] = []
    for lens, found in per_lens.items():
        own = [x for x in directions if x not in agreed and x.lenses[0] == lens]
        if own:
            act = _ACTS[found.role]
            best = _first_of(own) if act is Act.VALIDATE else own[0]
            step = Step(act, (lens,), (best.id,), best.says + _older(best, apart))
            firsts.append((best.mass < _AS_STRONG * best_of_all, order.index(found.role), step))
    yield from (step for *_, step in sorted(firsts, key=lambda each: each[:2]))


def _newer(
    per_lens: Mapping[str, LensResult], apart: Sequence[Divergence], before: Sequence[Step]
) -> Iterator[Step]:
    """What a lens said last on the matter, where the question's words found only what it said before."""
    told = {end for each in before for end in each.ids}
    for each in apart:
        if not each.changed or not each.on_matter or each.item_a is None or each.item_b is None:
            continue
        newer, older = each.item_a, each.item_b
        if each.lens_a == each.lens_b and not newer.relevant and newer.source_id not in told:
            told.add(newer.source_id)
            said = f'{_says(newer)} (older: {older.memory.told_at:%Y-%m-%d} "{_says(older)}")'
            yield Step(_ACTS[per_lens[each.lens_a].role], (each.lens_a,), (newer.source_id,), said)


def _first_of(ways: Sequence[Direction]) -> Direction:
    """What to validate by: the first rule that is about as strong as the best."""
    least = _AS_STRONG * ways[0].mass
    return next((x for x in ways if x.mass >= least and is_constraint(x.says)), ways[0])


def _older(way: Direction, apart: Sequence[Divergence]) -> str:
    """What the same lens said before, in brackets."""
    before = [
        each.item_b
        for each in apart
        if each.changed and each.lens_a == each.lens_b and each.item_a and each.item_a.source_id == way.id
    ]
    said = "; ".join(f'{each.memory.told_at:%Y-%m-%d} "{_says(each)}"' for each in before if each)
    return f" (older: {said})" if said else ""


def _missing(
    apart: Sequence[Divergence],
    before: Sequence[Step],
    outdated: Collection[str],
) -> Iterator[Step]:
    """Tiers that lie apart where nothing else is to be done about the two, then gaps, each lens's once.

    What a lens lacks that has nothing near is no matter of it.
    """
    told = {frozenset(each.ids) for each in before}
    empty: set[str] = set()
    for each in apart:
        if each.type is not DivergenceType.TIER_MISMATCH or each.item_a is None or each.item_b is None:
            continue
        ends = {each.item_a.memory.logical_id, each.item_b.memory.logical_id}
        if frozenset(_ids(each)) not in told and len(ends) > 1 and ends.isdisjoint(outdated):
            told.add(frozenset(_ids(each)))
            because = f"{each.description}: {both_sides(each.item_a, each.item_b)}"
            yield Step(Act.VALIDATE, (each.lens_a, each.lens_b), _ids(each), because)
    for each in apart:
        if each.type is DivergenceType.GAP and each.on_matter and each.lens_b not in empty:
            empty.add(each.lens_b)
            yield Step(Act.FILL, (each.lens_a, each.lens_b), _ids(each), each.description)


def _ends(mark: GuardianMark) -> tuple[str, str]:
    return mark.item.source_id, mark.by.source_id


def _ids(each: Divergence) -> tuple[str, ...]:
    return tuple(item.source_id for item in (each.item_a, each.item_b) if item is not None)
