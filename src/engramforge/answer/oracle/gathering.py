"""What one store has to say to a question: the nearest memories, those that resonate, what is against and missing.

Pluck, echo and resonance of the oracle (spec chapter 9); silk writes the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engramforge.answer.conflicts.conflict_registry import dismissed_among
from engramforge.answer.oracle.cited import Cited, citation
from engramforge.answer.oracle.opposed import Opposed
from engramforge.answer.oracle.same_matter import SameMatter
from engramforge.answer.oracle.whose import Whose
from engramforge.core.oracle.plain_question import (
    in_plain_words,
    is_of_asked_kind,
    on_asked_succession,
)
from engramforge.core.oracle.resonance import MOST, allowance, gaps, is_answered, strength
from engramforge.core.ranking.answering import size_of
from engramforge.model.link import Relation
from engramforge.model.memory import Kind
from engramforge.model.oracle import PRIMARY, Citation, Contradiction, Depth, Succession
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.search.selection import Selection
from engramforge.recall.request import AskedTimes, Moment, in_time, recall_request
from engramforge.recall.retrieval import Retriever
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
    successions : what of the resonant ones took the place of another.
    of_several : whether several projects were asked.
    dismissed : pairs of logical ids, of those that were looked at, whose contradiction somebody dismissed.
    """

    resonant: tuple[Hit, ...]
    citations: tuple[Citation, ...]
    echo: tuple[Hit, ...]
    contradictions: tuple[Contradiction, ...]
    gaps: tuple[str, ...]
    store: str
    successions: tuple[Succession, ...] = ()
    of_several: bool = False
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
        asked = replace(asked, query=in_plain_words(asked.query))
        wide = _AROUND if asked.depth is Depth.DEEP else ECHO
        near, size = self._nearest(asked, asked.query, _KINDS, wide)
        echo = _by_strength(near[:ECHO])
        if asked.depth is Depth.DEEP:
            entries, _ = self._nearest(asked, asked.query, _REGISTRIES)
            echo = _by_strength(_together(echo, entries))
        with self.door.asking(asked.scope) as view:
            whose = Whose.asked(asked.query, view.ground().profile.speakers)
        chosen = _resonant(asked.query, whose.among(echo), size, is_of_named=bool(whose.names))
        if asked.depth is Depth.DEEP and chosen:
            chosen = self._deeper(asked, chosen, near, size)
        meets = on_asked_succession(asked.query, [_whole(each) for each in chosen])
        chosen = [each for each, is_met in zip(chosen, meets, strict=True) if is_met]
        # Pieces of files overlap, and what two of them say may be the same.
        said = [Cited(each).said() for each in chosen]
        found = list({each.hit.excerpt: each for each in reversed(said)}.values())[::-1]
        selection = in_time(Selection(), asked.times, self.clock())
        with self.door.asking(asked.scope) as view:
            projects = view.project_names()
            like = self.retriever.table.like
            opposed = Opposed(view, selection, asked.query, like, self.name)
            found = SameMatter(asked.query, like).beside(opposed.with_other_sides(found), echo)
            dismissed = dismissed_among(view, [*echo, *(each.hit for each in found)])
            contradictions, successions = opposed.judged(found, dismissed)
        hits = tuple(each.hit for each in found)
        return Evidence(
            resonant=hits,
            citations=tuple(citation(each.hit, self.name, each.because) for each in found),
            echo=tuple(echo),
            contradictions=contradictions,
            gaps=gaps(asked.query, [_whole(each) for each in hits or echo], projects),
            store=self.name,
            successions=successions,
            of_several=len(projects) > 1,
            dismissed=dismissed,
        )

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


def _resonant(query: str, echo: Sequence[Hit], size: float, *, is_of_named: bool = False) -> list[Hit]:
    """The hits that an answer rests on; none where nothing answers. `echo`: strongest first."""
    echo = [each for each in echo if is_of_asked_kind(query, each.memory.content)]
    similarities = [each.parts.similarity for each in echo]
    if not is_answered(similarities, [each.answer_odds for each in echo], is_of_named=is_of_named):
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
    return f"{hit.memory.content} {hit.memory.name or ''} {hit.memory.speaker or ''} {hit.but_now}"
