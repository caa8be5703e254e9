"""What a person has said of a project that answers a question, whether or not a registry has it.

"Thumbnails are 400 pixels wide" answers "how big are the previews?" though nobody called it a decision. Statements are
compared with the question by meaning, by the words that are near to each of its own, and by the kind of value that it
asks for; a short answer is read together with the assistant's question before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer, answering, sources_of
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.gate import (
    asked_in,
    asks,
    only_asks,
    proposes,
    replies,
    states,
)
from engramforge.core.injection.inputs.beside import is_beside
from engramforge.core.injection.inputs.matters import distinctive, shares_little
from engramforge.core.injection.inputs.worth import Compared, fitness, matter_weights
from engramforge.core.injection.last_session import says_something
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Voice
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TimeRange
from engramforge.recall.candidate_words import cover_of
from engramforge.recall.nearby import nearest_to
from engramforge.recall.outcomes import outcomes
from engramforge.recall.request import PRESENT, in_time
from engramforge.recall.retrieval import Retriever
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.spaces.words.word_table import WordTable
from engramforge.store.door import Door, View

_SAID: Final = (Kind.PROMPT, Kind.MESSAGE, Kind.NOTE)
_COMPARED: Final = 12
_NEAR: Final = 0.1
"""The least cosine of what is compared word by word."""
_ASKED_NEAR: Final = 0.25
"""The same of an assistant's question whose answer is looked for."""
_SHORT: Final = 120
"""Characters of an answer that is read with its question."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """`text`: what it says, with the question before it. `cosine`: of the question with it. `said`: what is told."""

    memory: Memory
    text: str
    cosine: float
    said: str


@dataclass(frozen=True, slots=True)
class Stated:
    """Compares a question with what persons have stated."""

    door: Door
    retriever: Retriever
    clock: Callable[[], datetime]

    def offers(self, scope: Scope, question: QueryEmbedding, asked: Occasion, now: datetime) -> list[Offer]:
        """The statements that answer, at most two; `scope`: narrowed to the project."""
        if question.vector is None or not question.words:
            return []
        chosen = in_time(asked.not_in_context((*_SAID, Kind.RESPONSE, Kind.DECISION)), PRESENT, self.clock())
        with self.door.asking(scope) as view:
            near = nearest_to(
                view,
                chosen,
                question.vector,
                question.vector_encoder,
                _COMPARED,
                self.retriever.calibrations,
            )
            near = {place: cosine for place, cosine in near.items() if cosine >= _NEAR}
            said = list(_statements(view, chosen, near)) if near else []
        if not said:
            return []
        texts = [each.text for each in said]
        compared = compared_with(question, self.retriever.table, texts, [each.cosine for each in said])
        fit = compared.fits
        told = [
            said[place]
            for place in compared.best(are_all=True)
            if said[place].memory.kind is Kind.DECISION
            or not (
                shares_little(question.text, texts[place])
                or is_beside(question.text, texts[place], said[place].cosine + fit[place])
            )
        ]
        told = self._that_hold(scope, told)
        return [answering(each.memory, now, each.said) for each in told]

    def _that_hold(self, scope: Scope, told: Sequence[_Statement]) -> list[_Statement]:
        """Without those of whose decisions none stands any more."""
        if not told:
            return []
        with self.door.asking(scope) as view:
            places = list(view.places_of([each.memory.id for each in told]).values())
            _, entries = view.fetch_with_entries(np.array(places, np.int64))
            ended = outcomes(view, entries)
        return [each for each in told if each.memory.logical_id not in ended]


def told_of(memory: Memory) -> str:
    """What a memory says of its matter: a decision's reasons, and what it rejected, speak of others."""
    return decision_text(memory) if memory.kind is Kind.DECISION else memory.content


def compared_with(
    question: QueryEmbedding, table: WordTable, texts: Sequence[str], cosines: Sequence[float]
) -> Compared:
    """Texts compared with a question, whose cosines with it are known; at least one."""
    weights = matter_weights(question.words, question.weights)
    covers = weights @ cover_of(question, table, texts)
    fits = [fitness(question.text, each) for each in texts]
    return Compared(question.text, cosines, covers.tolist(), fits)


def _statements(view: View, chosen: Selection, near: Mapping[int, float]) -> Iterator[_Statement]:
    """What persons state at these places, or in answer to what an assistant asks or proposes there, and the decisions
    that hold."""
    fetched = view.fetch_at(np.array(list(near), np.int64))
    registered = {source for each in fetched.values() for source in sources_of(each)}
    answers: dict[str, _Statement] = {}
    for place, cosine in near.items():
        memory = fetched.get(place)
        if memory is None or memory.kind is not Kind.RESPONSE or cosine < _ASKED_NEAR:
            continue
        found = reply_to(view, chosen, memory)
        if found is not None:
            reply, asked = found
            told = _Statement(reply, f"{asked} {reply.content}", cosine, with_question(reply, asked))
            answers.setdefault(reply.logical_id, told)
    yield from answers.values()
    for place, cosine in near.items():
        memory = fetched.get(place)
        if memory is None or memory.logical_id in answers or memory.logical_id in registered:
            continue  # what was read from it says the same
        if _is_statement(memory):
            yield _Statement(memory, told_of(memory), cosine, memory.content)


def _is_statement(memory: Memory) -> bool:
    if memory.kind is Kind.DECISION:
        entry = memory.registration
        return entry is not None and entry.status == DecisionStatus.ACTIVE
    is_persons = memory.kind in _SAID and voice_of(memory) is Voice.OWN
    return is_persons and states(memory.content) and not replies(memory.content)


def reply_to(view: View, chosen: Selection, response: Memory) -> tuple[Memory, str] | None:
    """What a person replies to a response that asks or proposes something, and that question or proposal."""
    if response.session_id is None or not proposes(response.content):
        return None
    after = replace(
        chosen, kinds=_SAID, session_id=response.session_id, valid_range=TimeRange(start=response.valid_at)
    )
    later = view.browse(after, 1, newest_first=False)
    if not later or len(later[0].content) > _SHORT:
        return None
    reply, asked = later[0].content, asked_in(response.content)
    if only_asks(reply) or not says_something(reply) or not (replies(reply) or states(reply)):
        return None
    # What follows a remark, and neither leans on it nor speaks of it, is of something else.
    if not (asks(asked) or replies(reply) or distinctive(reply) & distinctive(asked)):
        return None
    return later[0], asked


def with_question(reply: Memory, asked: str) -> str:
    """A reply as it is told: behind it what it replies to."""
    return f'{reply.content} (to: "{asked}")'
