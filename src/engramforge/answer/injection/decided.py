"""What the project has decided about the matter that a prompt asks about, in whatever words.

A recall finds what shares words with a question; "which language are the buttons in" and "UI texts are German" share
none. The decisions that hold are few, so each is compared with the question by meaning and by the words of its matter,
and those are told that stand out among them. What an order to do some work is about is found by a word of its matter
instead: "write the backup script" is about what was decided of backups.

Beside a decision stands what a person said that perhaps takes its place, and waits for review.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from engramforge.answer.injection.answered import rare_words
from engramforge.answer.injection.naming import Asked, with_names
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import SAID, Offer, answering, sources_of
from engramforge.answer.injection.stated import compared_with, told_of, value_beside
from engramforge.answer.injection.weighing import weights_of
from engramforge.core.detection.endings.turned import POINTED, turns
from engramforge.core.detection.proposal import detection_of
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.gate import begins_work, states, verb_of
from engramforge.core.injection.inputs.matters import distinctive, is_of_it, names_the_matter, without_files
from engramforge.core.injection.inputs.worth import NEAR, SURE, fitness
from engramforge.core.injection.warnings import standing_warning
from engramforge.core.text.words import content_words, stem_of, words_of
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Detection, Voice
from engramforge.model.registries.entry import DecisionStatus, EntryQuery, ReviewStatus
from engramforge.model.scope import Scope
from engramforge.recall.nearby import nearest_to
from engramforge.recall.outcomes import outcomes
from engramforge.recall.request import PRESENT, in_time
from engramforge.recall.retrieval import Retriever
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.registries.registered import registration_of
from engramforge.store.door import Door, View

_FLAGS: Final = 200
"""What waits for review that is read where a hook waits; the newest of it."""
_QUOTED: Final = 120
_COMPARED: Final = 12
_WITH_A_WORD: Final = 16
_MOST: Final = 2
_COMMON: Final = 3
"""A word that more of the decisions found have names none of them."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Compares a question with the decisions that hold."""

    door: Door
    retriever: Retriever
    clock: Callable[[], datetime]

    def offers(
        self, scope: Scope, question: QueryEmbedding, asked: Occasion, now: datetime
    ) -> tuple[list[Offer], bool]:
        """The decisions that stand out, at most two, and whether that is sure; `scope`: narrowed to the project."""
        if question.vector is None or not question.words:
            return [], False
        chosen = replace(asked.not_in_context((Kind.DECISION,)), statuses=(str(DecisionStatus.ACTIVE),))
        with self.door.asking(scope) as view:
            near = nearest_to(
                view,
                in_time(chosen, PRESENT, self.clock()),
                question.vector,
                question.vector_encoder,
                _COMPARED,
                self.retriever.calibrations,
            )
            near = {place: cosine for place, cosine in near.items() if cosine >= NEAR}
            told, is_sure = self._best(view, question, near) if near else ([], False)
        return [answering(each, now) for each in told], is_sure

    def _best(
        self, view: View, question: QueryEmbedding, near: Mapping[int, float]
    ) -> tuple[list[Memory], bool]:
        """Of the decisions at these places, with the cosine of each, those that answer, and whether the first is sure
        to."""
        fetched = view.fetch_at(np.array(list(near), np.int64))
        found = [fetched[place] for place in near if place in fetched]
        if not found:
            return [], False
        cosines = [cosine for place, cosine in near.items() if place in fetched]
        compared = compared_with(question, self.retriever.table, [told_of(each) for each in found], cosines)
        best = compared.best()
        weights = weights_of(view, [found[place] for place in best])
        told = [
            found[place] if compared.fits[place] >= 0 else _with_value(view, found[place], question.text)
            for place in best
            if weights[found[place].logical_id]
        ]
        # What has no number where one is asked for may be beside what has.
        is_sure = bool(best) and compared.worth()[best[0]] >= SURE and compared.fits[best[0]] >= 0
        return told, is_sure


def _with_value(view: View, decision: Memory, question: str) -> Memory:
    """The turn from which a decision was read, where that states beside it the value that a question asks for."""
    for turn in view.fetch(sources_of(decision)).values():
        beside = value_beside(turn.content, [told_of(decision)])
        if fitness(question, beside) > 0 and voice_of(turn) is Voice.OWN:
            return turn
    return decision


def decided_of(
    view: View, asked: Occasion, query: str, clock: Callable[[], datetime], now: datetime
) -> list[Offer]:
    """What was decided or stated of a matter that a prompt names, at most two: by the words' postings alone."""
    wanted = distinctive(query) - {stem_of(verb_of(query))}
    words = [word for word in content_words(words_of(query.casefold())) if stem_of(word) in wanted]
    if not words:
        return []
    selection = in_time(asked.not_in_context((Kind.DECISION, *SAID)), PRESENT, clock())
    found, entries = with_names(view, selection, Asked(words, _WITH_A_WORD, rarest_first=True))
    ended = outcomes(view, entries)
    rare = rare_words(view, words)
    weights = weights_of(view, [each for each in found if each.kind is Kind.DECISION])
    told = [
        (each, distinctive(each.content) & wanted)
        for each in found
        if each.logical_id not in ended and (_holds(each, weights) or _is_stated(each))
    ]
    return [answering(each, now) for each in _meant(query, told, {stem_of(word) for word in rare})]


def _meant(query: str, told: Sequence[tuple[Memory, frozenset[str]]], rare: Set[str]) -> list[Memory]:
    """Of decisions and statements, with what each shares with a prompt, those that it means, at most two."""
    counts = Counter(stem for _, shared in told for stem in shared)
    common = {stem for stem, count in counts.items() if count > _COMMON}
    is_order, in_words = begins_work(query), distinctive(without_files(query))
    found = []
    for each, shared in told:
        is_decision = each.kind is Kind.DECISION
        its = shared - common if is_decision else (shared & rare) - common
        # A question is answered by what was decided, if nothing that somebody said since is of the same.
        since = any(other.valid_at > each.valid_at and shared & more for other, more in told)
        is_of_one = len(its) == 1 and not is_decision
        if is_of_one and not (its <= in_words and is_of_it(each.content, next(iter(its)))):
            continue
        if names_the_matter(query, its) and (is_order or (is_decision and not since)):
            found.append((each, its))
    best = sorted(found, key=lambda each: (-len(each[1]), each[0].kind is not Kind.DECISION))[:_MOST]
    return [each for each, its in best if len(its) == len(best[0][1])]


def _holds(memory: Memory, weights: Mapping[str, float]) -> bool:
    entry = memory.registration
    is_active = memory.kind is Kind.DECISION and entry is not None and entry.status == DecisionStatus.ACTIVE
    return is_active and weights.get(memory.logical_id, 0.0) > 0


def _is_stated(memory: Memory) -> bool:
    if memory.kind is Kind.DECISION or voice_of(memory) is not Voice.OWN:
        return False
    return states(memory.content) and standing_warning(memory.content) is None


def with_what_waits(view: View, offers: Sequence[Offer]) -> list[Offer]:
    """The offers, each decision with what a person said that perhaps takes its place and waits for review."""
    is_told = any(each.memory.kind is Kind.DECISION for each in offers)
    return beside_decisions(offers, perhaps_turned(view) if is_told else ())


def beside_decisions(offers: Iterable[Offer], perhaps: Iterable[Detection]) -> list[Offer]:
    """The offers, each decision with the last of these turns, the oldest first, that puts something in its place."""
    left = {turn.entry: turn for turn in perhaps}
    return [
        replace(each, said=beside(each.memory, _perhaps_new(turn)))
        if (turn := left.get(each.memory.logical_id))
        else each
        for each in offers
    ]


def _perhaps_new(turn: Detection) -> str:
    """What may take the place of a decision; of a pronoun what was said, which nobody put so."""
    return turn.sentence if turn.rule == POINTED else turn.superseded_by or turn.sentence


def perhaps_turned(view: View) -> list[Detection]:
    """The turns from a decision in a person's own words that wait for review, the oldest first."""
    query = EntryQuery(kind=Kind.FLAG, statuses=(str(ReviewStatus.PENDING),), limit=_FLAGS)
    details = (registration_of(flag).details for flag in reversed(view.entries(query)))
    found = (detection_of(each["proposal"]) for each in details if "proposal" in each)
    return [each for each in found if each.entry and turns(each) and each.voice is Voice.OWN]


def beside(decision: Memory, new: str) -> str:
    """A decision without its reasons, and what may take its place, or the words that leave it."""
    return f'{decision_text(decision)} (may be replaced: "{cut(new)}" waits for review)'


def cut(text: str) -> str:
    """What is told of a text behind another."""
    text = " ".join(text.split())
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED].rpartition(' ')[0]} \u2026"
