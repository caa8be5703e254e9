"""Walks along links from where a question's names lead, two links away at most, in time on nodes and links.

That a memory mentions a name is how a walk comes to it, and none of the two. Of each memory the strongest path counts:
by the sum of its links' energies, then of their confidences, then the shorter; told is the one by which it comes
soonest, so that what a question names is not lost to a detour. A hub never makes it explode: at each memory the
strongest links that lead somewhere are followed, beside those that are asked for, and each step begins from few
memories: in turns from those of each name, so that what everybody mentions leaves room for the rest, and in turns from
the strongest paths and from those that are nearest to the question. Source: spec chapter 5, "Retrieval by intention"
and "The stream".
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Final, NamedTuple, TypeVar

from engramforge.core.streams.activation import asked_for
from engramforge.core.streams.asked_relations import (
    Asked,
    Said,
    Ways,
    either_way,
    nothing_asked,
    nothing_said,
)
from engramforge.model.link import Step
from engramforge.model.search.selection import Selection
from engramforge.model.streams.stream import Path
from engramforge.store.door import View

WALKED_FROM: Final = (16, 16)
"""From how many memories each step is made: two links at most."""
FAN_OUT: Final = 20
"""Links that are followed at a memory, the strongest."""
LOOKED_AT: Final = 40
"""Of how many links at a memory, in each direction, the ends are looked at: some lead to what does not hold."""
_EXACT: Final = 9
"""Digits of a sum that count: sums of the same links in another order are equal."""
T = TypeVar("T", bound=Hashable)


class Told(NamedTuple):
    """A path by which a memory is told, with the relevance that this gives it, 0..1. `asked`: how much sooner it comes
    since the question says its relations."""

    path: Path
    relevance: float
    asked: float = 0.0

    @property
    def soon(self) -> tuple[float, ...]:
        """More for a path by which something comes sooner."""
        energy, confidence, depth = order_of(self.path)
        return round(self.relevance + self.asked, _EXACT), -depth, -energy, -confidence


class Reached(NamedTuple):
    """A memory that a walk came to.

    `place`: the position of the version that holds. `path`: the strongest to it. `near`: how near to the question the
    path began, 0..1. `said`: the energy of the link by which it began, which rows say and nobody made. `other`: the
    path by which it comes sooner than by the strongest: being linked to more takes nothing away. `links`: how many were
    walked, without what rows say. `by`: the memories before this one on the path, which comes twice to none.
    """

    place: int
    path: Path
    near: float = 0.0
    said: float = 0.0
    other: Told | None = None
    links: int = 0
    by: tuple[str, ...] = ()

    @property
    def told(self) -> Told:
        """The path by which it is told."""
        return Told(self.path, self.by_path(self.path)) if self.other is None else self.other

    def by_path(self, path: Path) -> float:
        """How relevant a path is that goes on from this one."""
        return relevance_of(path, self.said * (1 - self.near))

    def onward(self, place: int, path: Path, here: str, other: Told) -> Reached:
        """A memory that lies behind this one, which is `here`."""
        return Reached(place, path, self.near, self.said, other, self.links + 1, (*self.by, here))

    def asked_by(self, asked: Asked) -> int:
        """How much a question says of the relation that it was reached by: of any link that was walked."""
        return max(map(asked, self.told.path.made), default=0)


Paths = dict[str, Reached]
"""Logical id -> where a walk came to; at depth 0 the names' own memories."""


def walk(
    view: View,
    selection: Selection,
    paths: Paths,
    asked: Asked = nothing_asked,
    said: Said = nothing_said,
    ways: Ways = either_way,
) -> dict[str, Step]:
    """Add to some paths what links lead to; the links that were walked, by id. Links whose relation is `asked` for are
    followed beside the strongest. `said`: which share of a relation the question says; `ways`: in which direction."""
    links: dict[str, Step] = {}
    for links_so_far, most in enumerate(WALKED_FROM):
        here = _likeliest(paths, links_so_far)[:most]
        if not here:
            continue
        met = view.steps(selection, here, LOOKED_AT)
        if not links_so_far and asked is not nothing_asked:
            met += _asked_at(view, selection, here, met, said)
        if any(asked(each) for each in {step.relation for step in met}):
            met = sorted(met, key=lambda step: (-step.energy, -asked(step.relation)))
        far = {end for each in met for end in (each.source_id, each.target_id)} - paths.keys()
        held = view.held(selection, sorted(far)) | {one: reached.place for one, reached in paths.items()}
        before = {one: paths[one] for one in here}
        for step in _followed(met, before, held, asked):
            links.setdefault(step.id, step)
            _extend(paths, before, held, step, said, ways)
    return links


def _asked_at(
    view: View, selection: Selection, here: Sequence[str], met: Sequence[Step], said: Said
) -> list[Step]:
    """Further links that are asked for, where a memory has more links than were read: what is asked for may be weaker
    than these, or older."""
    counts = Counter((end, at) for each in met for at, end in enumerate((each.source_id, each.target_id)))
    crowded = [one for one in here if max(counts[one, 0], counts[one, 1]) >= LOOKED_AT]
    if not crowded:
        return []
    known = {each.id for each in met}
    return [each for each in steps_asked(view, selection, crowded, said) if each.id not in known]


def steps_asked(view: View, selection: Selection, here: Sequence[str], said: Said) -> list[Step]:
    """The links at some memories whose relations a question says, without those of which it says far less than of
    another."""
    shares = {each: said(each) for each in view.relations_at(selection, here)}
    wanted = [each for each, share in shares.items() if share > 0 and share >= max(shares.values()) / 2]
    return view.steps_by(selection, here, wanted, LOOKED_AT * len(here)) if wanted else []


def _likeliest(paths: Paths, links: int) -> list[str]:
    """The memories so many links away, those of each name in turns."""
    of_name: dict[str, list[str]] = defaultdict(list)
    for one, reached in paths.items():
        if reached.links == links:
            of_name[reached.path.start].append(one)

    def ordered(those: list[str]) -> list[str]:
        strongest = sorted(those, key=lambda one: (order_of(paths[one].path), -paths[one].near, one))
        return in_turns([strongest, sorted(strongest, key=lambda one: -paths[one].near)])

    return in_turns(map(ordered, of_name.values()))


def in_turns(groups: Iterable[Iterable[T]]) -> list[T]:
    """The first of each group, the second of each, and so on; each thing once.

    >>> in_turns(["abc", "x", "ad"])
    ['a', 'x', 'b', 'd', 'c']
    """
    rows = zip_longest(*([(each,) for each in group] for group in groups), fillvalue=())
    return list(dict.fromkeys(chain.from_iterable(chain.from_iterable(rows))))


def pulls_of(paths: Paths, links: Iterable[Step]) -> dict[str, float]:
    """How strongly the links that were walked lead to memories: the sum of the energies of those that come from a
    memory nearer to the names, of each such memory the strongest. The strongest path says nothing of how many there
    are."""
    strongest: dict[tuple[str, str], float] = {}
    for step in links:
        for here, there in ((step.source_id, step.target_id), (step.target_id, step.source_id)):
            if here in paths and there in paths and paths[here].links < paths[there].links:
                strongest[here, there] = max(step.energy, strongest.get((here, there), 0.0))
    pulls: dict[str, float] = defaultdict(float)
    for (_, there), energy in strongest.items():
        pulls[there] += energy
    return pulls


def likelier(near: float, pull: float) -> float:
    """By what memories with equal paths are ordered: near x (1 + ln(1 + pull)).

    At 0.3 with links of 1.5 in all 0.3 x 1.916 = 0.575, before one at 0.5 with a single link of 0.1:

    >>> round(likelier(0.3, 1.5), 3), round(likelier(0.5, 0.1), 3)
    (0.575, 0.548)
    """
    return near * (1 + math.log1p(pull))


def _followed(
    met: Sequence[Step], here: Mapping[str, Reached], held: Mapping[str, int], asked: Asked
) -> Iterator[Step]:
    """Of the links that lead from one memory that holds to another the strongest at each of those where a walk is, as
    many of those that are asked for, and what else joins the same two: parallel links are one way."""
    followed: Counter[tuple[str, bool]] = Counter()
    ways: dict[tuple[frozenset[str], bool], bool] = {}
    for step in met:
        if step.source_id not in held or step.target_id not in held:
            continue
        is_asked = asked(step.relation) > 0
        both = frozenset((step.source_id, step.target_id)), is_asked
        if both not in ways:
            ends = [(end, is_asked) for end in both[0] if end in here]
            ways[both] = any(followed[end] < FAN_OUT for end in ends)
            followed.update(ends)
        if ways[both]:
            yield step


def _extend(
    paths: Paths, before: Mapping[str, Reached], held: Mapping[str, int], step: Step, said: Said, ways: Ways
) -> None:
    """Go along a link from each end where a path has come to."""
    for here, there in ((step.source_id, step.target_id), (step.target_id, step.source_id)):
        if here not in before or there in before[here].by:
            continue
        known = paths.get(there)
        if known is not None and not known.path.depth:
            continue  # A name's own memory is where the walk begins, whatever else leads there.
        begun = before[here]
        is_forward = here == step.source_id
        path = begun.path.onward(step.energy, step.confidence, step.relation, forward=is_forward, here=here)
        told = Told(path, begun.by_path(path), asked_for(path, said, ways))
        if known is not None:
            told = max(known.told, told, key=lambda each: each.soon)
        if known is None or (*order_of(path), -begun.near) < (*order_of(known.path), -known.near):
            paths[there] = begun.onward(held[there], path, here, told)
        else:
            paths[there] = known._replace(other=told)


def order_of(path: Path) -> tuple[float, float, int]:
    """Less for a stronger path."""
    return -round(path.energy, _EXACT), -round(path.confidence, _EXACT), path.depth


def relevance_of(path: Path, far: float = 0.0) -> float:
    """Mean link energy of a path over its depth, 0..1. `far`: what of its energy does not count, since it begins at
    something that mentions a name and is not near to the question.

    Two links of 0.8 and 0.6: 0.7 / 2 = 0.35; where the first is a mention of nearness 0.5, 0.5 / 2 = 0.25:

    >>> path = Path(energy=1.4, confidence=1.5, depth=2, start="x", relations=("MENTIONS", "FOLLOWS"))
    >>> round(relevance_of(path), 3), round(relevance_of(path, far=0.8 * (1 - 0.5)), 3)
    (0.35, 0.25)
    """
    return min(1.0, (path.energy - far) / path.depth / path.depth)
