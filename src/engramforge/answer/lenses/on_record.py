"""What is on record between what lenses found, and of it with what else is in their projects: open conflicts,
dismissed ones, and what took whose place.

A conflict that somebody has on record is told though one side of it alone answers: an answer that a planner follows
hides the other side else. It costs one statement, and that only where another side was not found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, NamedTuple

from engramforge.answer.conflicts.conflict_links import SIGNALS, WHY, is_open
from engramforge.answer.conflicts.conflict_registry import dismissed_among, still_opposing
from engramforge.answer.conflicts.opposing import Opposing
from engramforge.answer.oracle.cited import beside as beside_them
from engramforge.answer.oracle.cited import stands_at, statement_of
from engramforge.answer.oracle.opposed import SIDES, head_of
from engramforge.core.conflicts.asked_matter import most_asked
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.ranking.succession import takes_the_place_of
from engramforge.model.lenses.orchestration import LensItem
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Memory
from engramforge.model.search.selection import Selection
from engramforge.store.door import View

_LINKED: Final = "somebody linked them as contradicting"
_STEPS: Final = 8
"""How many replacements are followed from one item to another."""

Pair = frozenset[str]
"""The logical ids of two memories."""


class Sighted(NamedTuple):
    """Where a lens looks: its projects, none for all, and what it selects."""

    lens: str
    projects: Collection[str]
    selection: Selection


class OtherSide(NamedTuple):
    """What does not answer and is in open conflict with an answering item. `at`: the place of that one."""

    at: int
    side: LensItem
    how: Disagreement


class Recorded(NamedTuple):
    """What is on record of contradictions between memories: open ones, how, pairs that somebody dismissed, and other
    sides. `changed`: of pairs of which one took the other's place, the logical id of the one that did."""

    open: Mapping[Pair, Disagreement]
    dismissed: Collection[Pair]
    sides: Sequence[OtherSide] = ()
    changed: Mapping[Pair, str] = {}


@dataclass(frozen=True, slots=True)
class OnRecord:
    """Reads what is on record. `opposing`: judges again what was revised since a conflict was found."""

    view: View
    query: str
    sights: Sequence[Sighted]
    opposing: Opposing

    def among(self, items: Sequence[LensItem], beside: Sequence[LensItem]) -> Recorded:
        """What is on record of these: `items` answer the question, `beside` was found too."""
        every = [*items, *beside]
        hits = [each.hit for each in every]
        heads: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for hit in hits:
            for one in hit.logical_ids:
                heads[one][hit.memory.logical_id] = None
        links = self.view.links(sorted(heads), to_others=True) if heads else []
        dismissed = dismissed_among(links, hits)
        memories = {each.logical_id: each for hit in hits for each in (hit.memory, *hit.joined)}
        answering = {one for each in items for one in each.hit.logical_ids}
        contradicting = [each for each in links if each.relation == Relation.CONTRADICTS and is_open(each)]
        missing = {
            end
            for link in contradicting
            for end, other in (_ends(link), _ends(link)[::-1])
            if other in answering and end not in memories
        }
        memories |= self.view.fetch(missing) if missing else {}
        told = [each for each in contradicting if memories.keys() >= set(_ends(each))]
        standing = still_opposing(told, memories, lambda: self.opposing)
        found = {
            frozenset((one, other)): _disagreement(link)
            for link in standing
            for one, other in product(heads.get(link.source_id, ()), heads.get(link.target_id, ()))
            if one != other
        }
        return Recorded(
            {pair: how for pair, how in found.items() if pair not in dismissed},
            dismissed,
            tuple(self._sides(items, beside, standing, memories, dismissed)),
            _changed(links, items),
        )

    def _sides(
        self,
        items: Sequence[LensItem],
        beside: Sequence[LensItem],
        links: Sequence[Link],
        memories: Mapping[str, Memory],
        dismissed: Collection[Pair],
    ) -> Iterator[OtherSide]:
        """The other sides that do not answer, each pair once: of one item those that say most of what is asked."""
        answering = {one for each in items for one in each.hit.logical_ids}
        of: defaultdict[str, list[tuple[str, Link]]] = defaultdict(list)
        for link in sorted(links, key=lambda each: (-each.confidence, each.id)):
            for mine, other in (_ends(link), _ends(link)[::-1]):
                if mine in answering and other not in answering:
                    of[mine].append((other, link))
        told: set[Pair] = set()
        for at, item in enumerate(items):
            sight = next(each for each in self.sights if each.lens == item.lens)
            others = [
                (memories[other], link)
                for mine in item.hit.logical_ids
                for other, link in of.get(mine, ())
                if stands_at(memories[other], sight.selection)
                and not takes_the_place_of(head_of(item.hit.memory), head_of(memories[other]))
            ]
            for place in most_asked(self.query, [statement_of(each) for each, _ in others])[:SIDES]:
                memory, link = others[place]
                side = self._seen(memory, sight, beside)
                pair = frozenset((item.hit.memory.logical_id, side.hit.memory.logical_id))
                if len(pair) > 1 and pair not in dismissed and pair not in told:
                    told.add(pair)
                    yield OtherSide(at, side, _disagreement(link))

    def _seen(self, memory: Memory, sight: Sighted, beside: Sequence[LensItem]) -> LensItem:
        """A memory as an item of the lens that found it, else of one that looks at its project."""
        found = [each for each in beside if memory.logical_id in each.hit.logical_ids]
        if found:
            return min(found, key=lambda each: each.lens != sight.lens)
        looking = [
            each.lens
            for each in (sight, *self.sights)
            if not each.projects or memory.project in each.projects
        ]
        hit = replace(beside_them(memory, "").hit, relevant=False)
        return LensItem(looking[0] if looking else sight.lens, hit, 0.0)


def _ends(link: Link) -> tuple[str, str]:
    return link.source_id, link.target_id


def _disagreement(link: Link) -> Disagreement:
    signals = tuple(link.extra.get(SIGNALS, ()))
    signal = next((each for each in Signal if each in signals[:1]), Signal.STATED)
    why = str(link.extra.get(WHY) or _LINKED)
    if Signal.TIER in signals[1:]:  # tiers are told with the dates
        why = why.rpartition("; ")[0] or why
    return Disagreement(signal, why, link.confidence)


def _changed(links: Sequence[Link], items: Sequence[LensItem]) -> dict[Pair, str]:
    """Of pairs of items of which one took the other's place, at once or in steps, the later one."""
    replacing: defaultdict[str, set[str]] = defaultdict(set)
    for link in links:
        if link.relation == Relation.SUPERSEDES and link.expired_at is None:
            replacing[link.target_id].add(link.source_id)
    found: dict[Pair, str] = {}
    for item in items if replacing else ():
        reached, edge = set(item.hit.logical_ids), set(item.hit.logical_ids)
        for _ in range(_STEPS):
            edge = {later for each in edge for later in replacing.get(each, ())} - reached
            reached |= edge
        for other in items:
            one, later = item.hit.memory.logical_id, other.hit.memory.logical_id
            if one != later and not reached.isdisjoint(other.hit.logical_ids):
                found.setdefault(frozenset((one, later)), later)
    return found
