"""What one store has to say to a question: the nearest memories, those that resonate, what is against and missing.

Pluck, echo and resonance of the oracle (spec chapter 9); silk writes the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations
from typing import Final

from engramforge.answer.conflicts.conflict_registry import dismissed_among
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.oracle.other_numbers import other_numbers
from engramforge.core.oracle.resonance import MOST, allowance, gaps, is_answered, strength
from engramforge.core.ranking.answering import size_of
from engramforge.core.text.portions import excerpt_within
from engramforge.core.text.summarising import sentences_of
from engramforge.model.link import Relation
from engramforge.model.memory import Kind
from engramforge.model.oracle import PRIMARY, Citation, Contradiction, Depth
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.search.selection import Selection
from engramforge.recall.request import AskedTimes, Moment, in_time, recall_request
from engramforge.recall.retrieval import Retriever
from engramforge.registries.decisions.decision_view import decision_text, rejected_of
from engramforge.registries.registered import registration_of
from engramforge.store.door import Door

ECHO: Final = 20
"""How many of the nearest are looked at."""
_AROUND: Final = 100
"""Among how many of the nearest the linked ones are looked for."""
_FAN_OUT: Final = 8
"""How many links of a memory are followed, the strongest first."""
_RECORDED: Final = frozenset(
    {Relation.MENTIONS, Relation.DERIVED_FROM, Relation.FOLLOWS, Relation.CARRIES, Relation.CONTINUES}
)
"""Links that say where something comes from, not what it has to do with another."""
_SAID: Final = 300
"""Characters of a statement."""
_STATEMENT: Final = 400
"""Characters of a text that says one thing: a decision, or a sentence alone."""
_NUMBER: Final = "other_number"
_MOST_NUMBERS: Final = 3
"""Pairs with other numbers, as three values of one thing make; more are about several things."""
_READ: Final = 4_000
"""Characters of a text in which a sentence with a number is looked for."""
_KINDS: Final = tuple(kind for kind in Kind if kind not in (Kind.ARCHIVE, Kind.LINEAGE, Kind.FLAG))
_REGISTRIES: Final = (Kind.DECISION, Kind.THREAD)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a store has to say to a question: everything that an answer may be written from.

    Parameters
    ----------
    resonant : the hits that an answer rests on, best first; their excerpts are what they say to the question.
    citations : of each of them.
    echo : the nearest that were looked at, resonant or not, best first.
    contradictions : among the resonant ones.
    gaps : words of the question that none of them says; where there are none, that nothing near says.
    store : primary or fallback.
    dismissed : pairs of logical ids, of those that were looked at, whose contradiction somebody dismissed.
    """

    resonant: tuple[Hit, ...]
    citations: tuple[Citation, ...]
    echo: tuple[Hit, ...]
    contradictions: tuple[Contradiction, ...]
    gaps: tuple[str, ...]
    store: str
    dismissed: Collection[frozenset[str]] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to one store. `now`: what relative dates count from."""

    scope: Scope
    query: str
    depth: Depth
    times: AskedTimes
    now: Moment = None


@dataclass(frozen=True, slots=True)
class Gathering:
    """Gathers evidence in one store; `name`: primary or fallback."""

    retriever: Retriever
    door: Door
    clock: Callable[[], datetime]
    name: str = PRIMARY

    def gather(self, asked: Asked) -> Evidence:
        """The evidence for a question; without resonant hits where nothing answers."""
        wide = _AROUND if asked.depth is Depth.DEEP else ECHO
        near, size = self._nearest(asked, asked.query, _KINDS, wide)
        echo = _by_strength(near[:ECHO])
        if asked.depth is Depth.DEEP:
            entries, _ = self._nearest(asked, asked.query, _REGISTRIES)
            echo = _by_strength(_together(echo, entries))
        chosen = _resonant(asked.query, echo, size)
        if asked.depth is Depth.DEEP and chosen:
            chosen = self._deeper(asked, chosen, near, size)
        # Pieces of files overlap, and what two of them say may be the same.
        found = tuple({each.excerpt: each for each in reversed(list(map(_saying, chosen)))}.values())[::-1]
        dismissed = dismissed_among(self.door.asking(asked.scope), [*echo, *found])
        against = self._contradictions(asked, found, dismissed)
        missing = gaps(asked.query, [_whole(each) for each in found or echo])
        citations = tuple(citation(each, self.name) for each in found)
        return Evidence(found, citations, tuple(echo), against, missing, self.name, dismissed)

    def _nearest(
        self, asked: Asked, query: str, kinds: Sequence[Kind], most: int = ECHO
    ) -> tuple[list[Hit], float]:
        """The nearest memories, best first, and how large the scope is (core/ranking/answering)."""
        request = recall_request(
            query,
            Selection(kinds=tuple(kinds)),
            asked.times,
            clock=self.clock,
            limit=most,
            now=asked.now,
        )
        found = self.retriever.recall(asked.scope, request)
        return list(found.hits), size_of(found.searched)

    def _deeper(self, asked: Asked, chosen: list[Hit], near: Sequence[Hit], size: float) -> list[Hit]:
        """What resonates with what links join to it, and with what a second round finds on its gaps."""
        ids = [each.memory.logical_id for each in chosen]
        selection = in_time(Selection(), asked.times, self.clock())
        walked = self.door.asking(asked.scope).neighbours(ids, 1, _FAN_OUT, selection)
        told = [each for each in walked if each.relation not in _RECORDED]
        linked = {end for each in told for end in (each.source_id, each.target_id)}
        chosen = _together(chosen, _by_strength([each for each in near if each.memory.logical_id in linked]))
        if missing := gaps(asked.query, [_whole(each) for each in chosen]):
            query = " ".join(missing)
            further, _ = self._nearest(asked, query, _KINDS)
            # What says the missing words alone is about something else.
            known = {each.memory.logical_id for each in near if each.relevant}
            found = _resonant(query, _by_strength(further), size)
            chosen = _together(chosen, [each for each in found if each.memory.logical_id in known])
        return chosen[:MOST]

    def _contradictions(
        self, asked: Asked, chosen: Sequence[Hit], dismissed: Collection[frozenset[str]]
    ) -> tuple[Contradiction, ...]:
        """What of it contradicts each other: by a link that says so, or by what is said."""
        ids = [each.memory.logical_id for each in chosen]
        selection = in_time(Selection(), asked.times, self.clock())
        links = self.door.asking(asked.scope).links(ids, selection, to_others=True) if len(ids) > 1 else []
        bound = {
            frozenset((each.source_id, each.target_id))
            for each in links
            if each.relation == Relation.CONTRADICTS
        }
        found = []
        for one, other in combinations(chosen, 2):
            ends = frozenset((one.memory.logical_id, other.memory.logical_id))
            told = None if ends in dismissed else _against(asked.query, one, other, self.retriever.table.like)
            if ends in bound:
                told = told or ("link", "a link says that one contradicts the other")
            if told is not None:
                newer, older = sorted((one, other), key=lambda each: each.memory.valid_at, reverse=True)
                found.append(Contradiction(citation(newer, self.name), citation(older, self.name), *told))
        numbers = [each for each in found if each.signal == _NUMBER]
        return tuple(each for each in found if each.signal != _NUMBER or len(numbers) <= _MOST_NUMBERS)


def citation(hit: Hit, store: str) -> Citation:
    """What a statement that rests on this hit names. `store`: primary or fallback."""
    memory = hit.memory
    entry = memory.registration
    return Citation(
        id=entry.entry_id if entry else memory.logical_id,
        version_id=memory.id,
        kind=memory.kind,
        project=memory.project,
        at=memory.valid_at,
        epistemic_tier=memory.epistemic_tier,
        where=hit.where,
        store=store,
    )


def _resonant(query: str, echo: Sequence[Hit], size: float) -> list[Hit]:
    """The hits that an answer rests on; none where nothing answers. `echo`: strongest first."""
    similarities = [each.parts.similarity for each in echo]
    if not is_answered(similarities, [each.answer_odds for each in echo]):
        return []
    least = _strength(echo[0]) - allowance(query, size)
    return [each for each in echo if _strength(each) >= least][:MOST]


def _strength(hit: Hit) -> float:
    return strength(hit.parts.similarity, hit.answer_odds)


def _by_strength(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=_strength, reverse=True)


def _together(first: Sequence[Hit], more: Sequence[Hit]) -> list[Hit]:
    known = {each.memory.logical_id for each in first}
    known |= {each.logical_id for hit in first for each in hit.joined}
    return [*first, *(each for each in more if each.memory.logical_id not in known)]


def _whole(hit: Hit) -> str:
    return f"{hit.memory.content} {hit.memory.name or ''} {hit.but_now}"


def _saying(hit: Hit) -> Hit:
    """The hit with what it says to the question, and what became of it, as its excerpt."""
    line = " ".join((hit.gist or hit.excerpt).split())
    said = excerpt_within(line, _SAID, least=1) or ""
    return replace(hit, excerpt=f"{said} (but now: {hit.but_now})" if hit.but_now else said)


def _against(query: str, one: Hit, other: Hit, like: Likeness) -> tuple[str, str] | None:
    """By which signal two hits seem to contradict each other, and why."""
    texts = [_statement(one), _statement(other)]
    if all(texts) and max(map(len, texts)) <= _STATEMENT:
        told = disagreement(texts[0], texts[1], _rejected(one), _rejected(other), like)
        if told is not None:
            return str(told.signal), told.why
    differ = other_numbers(query, one.memory.content[:_READ], other.memory.content[:_READ])
    return None if differ is None else (_NUMBER, "they give different numbers")


def _statement(hit: Hit) -> str:
    """The one thing that a memory says; empty where it says several."""
    if hit.memory.kind is Kind.DECISION:
        return decision_text(hit.memory)
    return hit.memory.content if len(sentences_of(hit.memory.content)) == 1 else ""


def _rejected(hit: Hit) -> tuple[str, ...]:
    return rejected_of(registration_of(hit.memory)) if hit.memory.kind is Kind.DECISION else ()
