"""What stands against what an answer cites: the other sides of open conflicts, contradictions, and what took the place
of what.

A conflict that somebody has on record is told though the question's words find one side alone: an answer that cites one
of two decisions which both stand hides the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from engramforge.answer.conflicts.conflict_links import SIGNALS, WHY
from engramforge.answer.oracle.cited import Cited, beside, citation, standing_versions, statement_of
from engramforge.answer.oracle.differing import NUMBER, differ
from engramforge.answer.oracle.kind_named import NAMES_IT
from engramforge.answer.oracle.same_matter import SAME_MATTER
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.asked_matter import most_asked
from engramforge.core.ranking.succession import name_of, takes_the_place_of
from engramforge.core.text.words import words_of
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.oracle import Citation, Contradiction, Succession
from engramforge.model.search.hit import Hit
from engramforge.model.search.selection import Selection
from engramforge.store.door import View

OTHER_SIDE: Final = "other side of an open conflict"
TOOK_ITS_PLACE: Final = "took the place of another cited"
SIDES: Final = 3
"""Other sides of one memory that are told; where it stands against more, those that say most of what is asked."""
_LINKED: Final = 12
"""How many of them are looked at, the surest first."""
_MOST_NUMBERS: Final = 3
"""Pairs with other numbers, as three values of one thing make; more are about several things."""
_NAMED: Final = 600
_ASKED: Final = ("", NAMES_IT, SAME_MATTER)
"""Why something is cited that answers the question by itself."""

Ends = frozenset[str]


@dataclass(frozen=True, slots=True)
class Opposed:
    """Tells what stands against each other. `name`: of the store; `like`: how like words are."""

    view: View
    selection: Selection
    query: str
    like: Likeness
    name: str

    def with_other_sides(self, found: Sequence[Cited]) -> list[Cited]:
        """What is cited, each followed by the other sides of its open conflicts, and behind what took its place."""
        sides = self._other_sides(found)
        told, known = [], {each for cited in found for each in cited.hit.logical_ids}
        for each in found:
            told.append(each)
            for other in sides.get(each.hit.memory.logical_id, ()):
                if other.hit.memory.logical_id not in known:
                    known.add(other.hit.memory.logical_id)
                    told.append(other)
        return _successors_first(told)

    def judged(
        self, found: Sequence[Cited], dismissed: Collection[Ends] = ()
    ) -> tuple[tuple[Contradiction, ...], tuple[Succession, ...]]:
        """What of it contradicts each other, by a link that says so or by what is said, and what took whose place."""
        contradictions: list[Contradiction] = []
        successions: dict[tuple[str, str], Succession] = {}
        # A document says what it replaces; records of its changes repeat it.
        found = sorted(found, key=lambda each: each.hit.memory.kind is Kind.ACTION)
        recorded = self._recorded(found)
        for pair in combinations(found, 2):
            # The newer one first, as its value is told first.
            one, other = sorted(pair, key=lambda each: each.hit.memory.told_at, reverse=True)
            pairs = {
                frozenset((mine, theirs)) for mine in one.hit.logical_ids for theirs in other.hit.logical_ids
            }
            links = [link for ends in pairs for link in recorded.get(ends, ())]
            if (taken := _taken(one, other, links)) is not None:
                newer, older, why = taken
                key = (_called(newer), _called(older))
                successions.setdefault(key, Succession(self._cites(newer), self._cites(older), why))
                continue
            told = None if any(ends in dismissed for ends in pairs) else self._against(one, other)
            told = next(filter(None, map(_recorded_why, links)), None) or told
            if told is None and any(link.relation == Relation.CONTRADICTS for link in links):
                told = ("link", "a link says that one contradicts the other")
            if told is not None:
                contradictions.append(Contradiction(self._cites(one), self._cites(other), *told))
        numbers = [each for each in contradictions if each.signal == NUMBER]
        kept = [each for each in contradictions if each.signal != NUMBER or len(numbers) <= _MOST_NUMBERS]
        return tuple(kept), tuple(successions.values())

    def _other_sides(self, found: Sequence[Cited]) -> Mapping[str, list[Cited]]:
        """By logical id of what is cited, the standing memories with which it is in open conflict."""
        cited = {each: one for one in found for each in one.hit.logical_ids}
        documents = [_document(each.hit) for each in found]
        links = defaultdict(list)
        for link in self._links(sorted(cited)):
            for mine, theirs in ((link.source_id, link.target_id), (link.target_id, link.source_id)):
                if link.relation == Relation.CONTRADICTS and mine in cited and theirs not in cited:
                    links[cited[mine].hit.memory.logical_id].append((link.confidence, theirs))
        told = {}
        for mine, others in links.items():
            ids = list(dict.fromkeys(other for _, other in sorted(others, reverse=True)))[:_LINKED]
            standing = standing_versions(self.view, ids, self.selection)
            sides = [
                standing[each] for each in ids if each in standing and standing[each].kind is not Kind.PRIMING
            ]
            told[mine] = self._asked_sides(cited[mine], sides, documents)
        return told

    def _asked_sides(
        self, one: Cited, others: Sequence[Memory], documents: Sequence[Sequence[str]]
    ) -> list[Cited]:
        """Of the other sides of one memory, the surest first, those that say most of what is asked.

        What it took the place of is no other side, nor is what took its place where that is cited, among `documents`.
        """
        mine = _document(one.hit)
        is_replaced = any(takes_the_place_of(each, mine) for each in documents)
        sides = []
        for each in others:
            theirs = head_of(each)
            follows = takes_the_place_of(theirs, mine)
            if not takes_the_place_of(mine, theirs) and not (follows and is_replaced):
                sides.append(beside(each, TOOK_ITS_PLACE if follows else OTHER_SIDE))
        said = [statement_of(each.hit.memory) for each in sides]
        return [sides[at].said() for at in most_asked(self.query, said)[:SIDES]]

    def _links(self, logical_ids: Sequence[str]) -> list[Link]:
        return self.view.links(logical_ids, self.selection, to_others=True) if logical_ids else []

    def _recorded(self, found: Sequence[Cited]) -> Mapping[Ends, list[Link]]:
        """The links of contradiction and succession by their ends."""
        recorded: defaultdict[Ends, list[Link]] = defaultdict(list)
        if len(found) < 2:
            return recorded
        for link in self._links(sorted({each for cited in found for each in cited.hit.logical_ids})):
            if link.relation in (Relation.CONTRADICTS, Relation.SUPERSEDES):
                recorded[frozenset((link.source_id, link.target_id))].append(link)
        return recorded

    def _cites(self, each: Cited) -> Citation:
        return citation(each.hit, self.name, each.because)

    def _against(self, one: Cited, other: Cited) -> tuple[str, str] | None:
        """By which signal two hits seem to contradict each other, and why."""
        is_one = SAME_MATTER in (one.because, other.because)
        return differ(self.query, one.hit, other.hit, self.like, is_one_matter=is_one)


def newer_first(found: Sequence[Cited], contradictions: Sequence[Contradiction]) -> list[Cited]:
    """What is cited, what the question found and contradicts an older statement in front of that."""
    told = list(found)
    for each in contradictions:
        place = {cited.hit.memory.id: at for at, cited in enumerate(told)}
        newer, older = place.get(each.one.version_id), place.get(each.other.version_id)
        if newer is not None and older is not None and newer > older and told[newer].because in _ASKED:
            told.insert(older, told.pop(newer))
    return told


def _successors_first(found: Sequence[Cited]) -> list[Cited]:
    """The same, each behind what took its place."""
    told: list[Cited] = []
    for each in found:
        document = _document(each.hit)
        places = (
            place for place, older in enumerate(told) if takes_the_place_of(document, _document(older.hit))
        )
        told.insert(next(places, len(told)), each)
    return told


def _taken(one: Cited, other: Cited, links: Sequence[Link]) -> tuple[Cited, Cited, str] | None:
    """The successor, the predecessor and by what that is known, where one of two took the place of the other."""
    for newer, older in ((one, other), (other, one)):
        if takes_the_place_of(_document(newer.hit), _document(older.hit)):
            return newer, older, "one of them says so"
        for link in links:
            if link.relation == Relation.SUPERSEDES and link.source_id in newer.hit.logical_ids:
                return newer, older, "it is on record"
    return None


def head_of(memory: Memory) -> list[str]:
    """The words in which a document says what it replaces."""
    return words_of(memory.content[:_NAMED])


def _document(hit: Hit) -> list[str]:
    return head_of(hit.memory)


def _called(each: Cited) -> str:
    """What tells a document from another: its name, else its memory."""
    return " ".join(name_of(_document(each.hit))) or each.hit.memory.logical_id


def _recorded_why(link: Link) -> tuple[str, str] | None:
    """The signal and the reason that a detection kept with a link."""
    signals = link.extra.get(SIGNALS)
    if link.relation != Relation.CONTRADICTS or not isinstance(signals, Sequence) or not signals:
        return None
    return str(signals[0]), str(link.extra.get(WHY, ""))
