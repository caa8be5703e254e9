"""What one store has to say to a question: the nearest memories, those that resonate, what is against and missing.

Pluck, echo and resonance of the oracle (spec chapter 9); silk writes the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from engramforge.answer.conflicts.conflict_registry import dismissed_among, links_among
from engramforge.answer.oracle.attribute_said import of_the_one, that_say_it
from engramforge.answer.oracle.cited import Cited, citation, orders_last, without_asides
from engramforge.answer.oracle.follow_ups import FollowUps
from engramforge.answer.oracle.former import Former
from engramforge.answer.oracle.kind_named import KindNamed
from engramforge.answer.oracle.nearest import nearest
from engramforge.answer.oracle.opposed import Opposed, newer_first
from engramforge.answer.oracle.ruling import with_rulings
from engramforge.answer.oracle.same_matter import SameMatter
from engramforge.answer.oracle.whose import Whose
from engramforge.core.history.just_asked import is_just_asked
from engramforge.core.oracle.asked_core import of_the_named, one_of_a_kind, says_named, unsaid_of
from engramforge.core.oracle.asked_time import asks_for_former, without_date
from engramforge.core.oracle.plain_question import (
    in_plain_words,
    is_of_asked_kind,
    of_change,
    of_decision,
    of_its_end,
    on_asked_succession,
    tells_of_change,
    without_further,
)
from engramforge.core.oracle.resonance import (
    LATER_TOO,
    MOST,
    allowance,
    asked_stems,
    asks_how_it_stands,
    gaps,
    is_answered,
    strength,
)
from engramforge.core.oracle.short_forms import in_other_forms
from engramforge.core.oracle.signs import asks_by_letters, may_be_meant
from engramforge.core.ranking.answering import size_of
from engramforge.core.ranking.question import in_full
from engramforge.core.streams.asked_matter import matter_of
from engramforge.model.link import PROVENANCE, Relation
from engramforge.model.memory import Kind
from engramforge.model.oracle import PRIMARY, Citation, Contradiction, Depth, Mentioned, Succession
from engramforge.model.scope import Scope
from engramforge.model.search.hit import Hit
from engramforge.model.search.selection import Selection
from engramforge.recall.asked_dates import asked_period
from engramforge.recall.request import PRESENT, AskedTimes, Moment, in_time, moment, recall_request
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

_COVERED: Final = 2
"""Words of a question that a part of it has at least which is asked for the whole."""
_HEAD: Final = 400
"""Characters of a memory in which it says what it is called."""
_LATER: Final = 2
"""Decisions that come beside the nearest where a question asks how things stand."""
_MOMENT: Final = timedelta(microseconds=1)
ECHO: Final = 20
"""How many of the nearest are looked at."""
_AROUND: Final = 100
"""Among how many of the nearest the linked ones are looked for."""
_FAN_OUT: Final = 8
"""How many links of a memory are followed, the strongest first."""
_RECORDED: Final = PROVENANCE | {Relation.MENTIONS, Relation.FOLLOWS}
"""Links that say where something comes from, not what it has to do with another."""
_KINDS: Final = tuple(
    kind for kind in Kind if kind not in (Kind.ARCHIVE, Kind.LINEAGE, Kind.FLAG, Kind.PRIMING)
)
"""What an answer rests on: no text that prepares for a territory, which is made of others."""
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
    cautions : later statements that wait for review and may end what resonates.
    nearest : what comes nearest where nothing resonates.
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
    cautions: tuple[Mentioned, ...] = ()
    nearest: tuple[Mentioned, ...] = ()


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
        with self.door.asking(asked.scope) as view:
            speakers = view.ground().profile.speakers
        query = in_full(matter_of(in_plain_words(asked.query)), speakers)
        if matter := of_change(query):
            return _changed(self._evidence(replace(asked, query=matter), speakers))
        asked = replace(asked, query=of_its_end(query) or query)
        for narrower in self._narrower(asked):
            evidence = self._evidence(narrower, speakers, (Kind.DECISION,))
            if _covers(narrower.query, evidence):
                return evidence
        evidence = self._of_the_named(asked, self._evidence(asked, speakers), speakers)
        if evidence.resonant or not (rest := without_further(asked.query)):
            return evidence
        further = self._evidence(replace(asked, query=rest), speakers)
        if len(asked_stems(rest)) < _COVERED or not _covers(rest, further):
            return evidence
        said = [_whole(each) for each in further.resonant]
        return replace(further, gaps=gaps(asked.query, said))

    def _of_the_named(self, asked: Asked, evidence: Evidence, speakers: Sequence[str]) -> Evidence:
        """The evidence, where it does not say what a question names by its number, as without the date that it names:
        "what became of RFC 42 in 2018?" asks for RFC 42 before it asks for 2018."""
        rest, date = without_date(asked.query)
        if not date or not evidence.resonant or says_named(asked.query, map(_whole, evidence.resonant)):
            return evidence
        other = self._evidence(replace(asked, query=rest), speakers)
        said = [_whole(each) for each in other.resonant]
        return replace(other, gaps=gaps(asked.query, said)) if says_named(rest, said) else evidence

    def _narrower(self, asked: Asked) -> list[Asked]:
        """The same question where it asks for a decision by that word, or for what held at a time that it names."""
        found = []
        if matter := of_decision(asked.query):
            found.append(replace(asked, query=matter))
        rest, date = without_date(asked.query)
        if date and asked.times == PRESENT and len(asked_stems(rest)) >= _COVERED:
            period = asked_period(date, self.clock())
            if period is not None and period.end is not None and period.end <= self.clock():
                times = AskedTimes(as_of_valid=period.end - _MOMENT)
                found.append(replace(asked, query=rest, times=times))
        return found

    def _evidence(self, asked: Asked, speakers: Sequence[str], kinds: Sequence[Kind] = _KINDS) -> Evidence:
        asked, near, size = self._near(asked, kinds)
        echo = _by_strength(near[:ECHO])
        if asked.depth is Depth.DEEP:
            entries, _ = self._nearest(asked, asked.query, _REGISTRIES)
            echo = _by_strength(_together(echo, entries))
        whose = Whose.asked(asked.query, speakers)
        chosen = _resonant(asked.query, whose.among(echo), size, is_of_named=bool(whose.names))
        if asked.depth is Depth.DEEP and chosen:
            chosen = self._deeper(asked, chosen, near, size)
        of_it = of_the_named(asked.query, [_whole(each) for each in chosen])
        chosen = [each for each, is_of_it in zip(chosen, of_it, strict=True) if is_of_it]
        meets = on_asked_succession(asked.query, [_whole(each) for each in chosen])
        chosen = without_asides(
            asked.query, [each for each, is_met in zip(chosen, meets, strict=True) if is_met]
        )
        # Pieces of files overlap, and what two of them say may be the same.
        said = [Cited(each).said() for each in chosen]
        found = list({each.hit.excerpt: each for each in reversed(said)}.values())[::-1]
        named = KindNamed.by(asked.query).first(
            found, echo, lambda query: self._nearest(asked, query, kinds)[0]
        )
        return self._judged(asked, with_rulings(asked.query, named, echo), echo)

    def _judged(self, asked: Asked, found: Sequence[Cited], echo: Sequence[Hit]) -> Evidence:
        """What was found with what belongs beside it, and what of it is against what; nothing where what is asked for
        is not said."""
        selection = in_time(Selection(), asked.times, self.clock())
        with self.door.asking(asked.scope) as view:
            projects = view.project_names()
            like = self.retriever.table.like
            opposed = Opposed(view, selection, asked.query, like, self.name)
            follow_ups = FollowUps(view, selection)
            found = follow_ups.before(Former(view, selection, asked.query).first(found))
            found = SameMatter(asked.query, like).beside(opposed.with_other_sides(found), echo)
            of_it = of_the_one(asked.query, found, projects, like)
            is_of_another = bool(found) and not of_it
            found = that_say_it(asked.query, of_it, _whole, like)
            told = [*echo, *(each.hit for each in found)]
            dismissed = dismissed_among(links_among(view, told), told)
            contradictions, successions = opposed.judged(found, dismissed)
            if not asks_for_former(asked.query):
                found = newer_first(found, contradictions)
            cautions = follow_ups.waiting(found)
        found = orders_last(found)
        hits = tuple(each.hit for each in found)
        missing = gaps(asked.query, [_whole(each) for each in hits or echo], projects)
        if is_of_another and (one := one_of_a_kind(asked.query)):
            missing = (" ".join(one),)
        missing = (*missing, *unsaid_of(asked.query, [_whole(each) for each in hits], missing))
        return Evidence(
            resonant=hits,
            citations=tuple(citation(each.hit, self.name, each.because) for each in found),
            echo=tuple(echo),
            contradictions=contradictions,
            gaps=KindNamed.by(asked.query).unsaid(missing, found),
            store=self.name,
            successions=successions,
            of_several=len(projects) > 1,
            dismissed=dismissed,
            cautions=cautions if hits else (),
            nearest=() if hits else nearest(asked.query, echo, self.name),
        )

    def _near(self, asked: Asked, kinds: Sequence[Kind]) -> tuple[Asked, list[Hit], float]:
        """The question as it is asked best, the nearest memories and how large the scope is."""
        by_letters = asks_by_letters(asked.query)
        wide = _AROUND if asked.depth is Depth.DEEP or by_letters else ECHO
        near, size = self._nearest(asked, asked.query, kinds, wide)
        if by_letters:
            return asked, [each for each in near if may_be_meant(asked.query, each.memory.content)], size
        heads = [each.memory.content[:_HEAD] for each in near[:ECHO]]
        if other := in_other_forms(asked.query, heads):
            others, _ = self._nearest(asked, other, kinds, wide)
            if max(map(_strength, others), default=0) > max(map(_strength, near), default=0):
                return replace(asked, query=other), others, size
        return asked, near, size

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
        now = moment(asked.now, "now") or self.clock()
        hits = [each for each in found.hits if not is_just_asked(query, each.memory, now)]
        return hits, size_of(found.searched)

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
    found = [each for each in echo if _strength(each) >= least]
    if asks_how_it_stands(query):
        decided = [each for each in echo[len(found) :] if each.memory.kind is Kind.DECISION]
        found += [each for each in decided if _strength(each) >= least - LATER_TOO][:_LATER]
    return found[:MOST]


def _strength(hit: Hit) -> float:
    return strength(hit.parts.similarity, hit.answer_odds)


def _by_strength(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=_strength, reverse=True)


def _together(first: Sequence[Hit], more: Sequence[Hit]) -> list[Hit]:
    known = {each.memory.logical_id for each in first}
    known |= {each.logical_id for hit in first for each in hit.joined}
    return [*first, *(each for each in more if each.memory.logical_id not in known)]


def _covers(query: str, evidence: Evidence) -> bool:
    """Whether the first of what was found says all that is asked."""
    return bool(evidence.resonant) and not gaps(query, [_whole(evidence.resonant[0])])


def _changed(evidence: Evidence) -> Evidence:
    """The evidence where it tells of a change, else none."""
    texts = [each.memory.content for each in evidence.resonant]
    if evidence.successions or evidence.contradictions or any(map(tells_of_change, texts)):
        return evidence
    gaps_ = *evidence.gaps, "changed"
    return replace(evidence, resonant=(), citations=(), cautions=(), gaps=gaps_)


def _whole(hit: Hit) -> str:
    memory = hit.memory
    parts = (memory.content, memory.name, memory.speaker, hit.but_now, f"{memory.told_at:%d %B %Y}")
    return " ".join(filter(None, parts))
