"""What a person has said of a project that answers a question, whether or not a registry has it.

"Thumbnails are 400 pixels wide" answers "how big are the previews?" though nobody called it a decision. Statements are
compared with the question by meaning, by the words that are near to each of its own, and by the kind of value that it
asks for; a short answer is read together with the assistant's question before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import SAID, Offer, answering, sources_of
from engramforge.core.detection.passages import sentences
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.gate import (
    asked_in,
    asks,
    only_asks,
    proposes,
    replies,
    sets_value,
    states,
)
from engramforge.core.injection.inputs.beside import is_beside
from engramforge.core.injection.inputs.matters import distinctive, is_of_a_case, measures_of, shares_little
from engramforge.core.injection.inputs.overtaking import left_standing, overtakes
from engramforge.core.injection.inputs.slots import changes_it, sets_it
from engramforge.core.injection.inputs.worth import (
    Compared,
    fitness,
    is_of_price,
    matter_weights,
    tells_price,
)
from engramforge.core.injection.last_session import says_something
from engramforge.core.injection.warnings import standing_warning
from engramforge.core.kinds.asked_kind import asked_kind, keeps_all, names_one, store_asked
from engramforge.core.pointing.anchored import given_in
from engramforge.core.pointing.reported import factor_in, is_told_by
from engramforge.core.text.late_pattern import late
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Voice
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf, TimeRange
from engramforge.recall.candidate_words import cover_of
from engramforge.recall.nearby import nearest_to
from engramforge.recall.outcomes import outcomes
from engramforge.recall.request import PRESENT, in_time
from engramforge.recall.retrieval import Retriever
from engramforge.registries.decisions.decision_view import decision_text
from engramforge.spaces.words.word_table import WordTable
from engramforge.store.door import Door, View

_COMPARED: Final = 12
_NEAR: Final = 0.1
"""The least cosine of what is compared word by word."""
_ASKED_NEAR: Final = 0.25
"""The same of an assistant's question whose answer is looked for."""
_NAMED: Final = 0.7
"""How well one word of a question has to be covered for a statement to name what it is about."""
_SHORT: Final = 120
"""Characters of an answer that is read with its question."""
_TURNS: Final = 80
_MOST_SET: Final = 4
"""How many turns of a session are read for what it set, and how much of that is told."""
_FAR: Final = 6
"""How many turns back is what a turn changes that does not name it."""
_A_DEED: Final = late(
    r"(?i)\W*(?:(?:ok(?:ay)?|so|now|then|and|please|pls|let['\u2019]?s|we)\b\W*){0,3}(?:ship(?:ped)?|releas(?:ed?|ing)|tag(?:ged)?"
    r"|publish(?:ed)?|deploy(?:ed)?|merged?|push(?:ed)?|roll(?:ed)? out)\s(?:version\s)?v?\d"
)
"""Has one thing done by its number: "ship 0.3"."""
_IS_NEWS: Final = late(
    r"(?i)\b(?:leak(?:s|ed|ing)|crash\w*|fail(?:s|ed|ing)|hangs|hung|broke|broken|died|dies|did it|might|maybe"
    r"|some ?day|at some point|not now|this (?:morning|afternoon)|last (?:night|week)|yesterday|just now"
    r"|(?:is|are|was|were) (?:done|fixed|renewed|replaced|gone|there|here|ready|installed|delivered)"
    r"|(?:is|are) (?:in|out|up|down|back)(?=\s(?:at|since|again|now|by)\b|\W*\Z|\s?[,;.]))\b"
)
"""Tells what happened or was done, or may be some day: the measure in it sets nothing."""
_COMES_FIRST: Final = late(r"(?i)\b(?:first|only|always|instead|before|from now on)\b")


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
        chosen = in_time(asked.not_in_context((*SAID, Kind.RESPONSE, Kind.DECISION)), PRESENT, self.clock())
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
        if not told:
            cases = [at for at, text in enumerate(texts) if is_of_a_case(question.text, text)]
            told = [said[max(cases, key=lambda at: said[at].memory.valid_at)]] if cases else []
        told = told or _of_the_kind(question.text, said)
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


def _of_the_kind(question: str, said: Sequence[_Statement]) -> list[_Statement]:
    """The one decision that holds and names a thing of the kind that a question asks for: "which database?"."""
    asked = asked_kind(question) or store_asked(question)
    if asked is None or not asked.kind:
        return []
    found = [each for each in said if each.memory.kind is Kind.DECISION and names_one(asked, each.text)]
    is_of_all = asked_kind(question) is None
    if len(found) != 1 or (is_of_all and not (keeps_all(found[0].text) or _shares(question, found[0].text))):
        return []
    return found


def _shares(question: str, text: str) -> bool:
    return bool(distinctive(question) & distinctive(text))


def told_of(memory: Memory) -> str:
    """What a memory says of its matter: a decision's reasons, and what it rejected, speak of others."""
    return decision_text(memory) if memory.kind is Kind.DECISION else memory.content


def compared_with(
    question: QueryEmbedding, table: WordTable, texts: Sequence[str], cosines: Sequence[float]
) -> Compared:
    """Texts compared with a question, whose cosines with it are known; at least one."""
    weights = matter_weights(question.words, question.weights)
    covered = cover_of(question, table, texts)
    # "Cost" is covered by any price, but only of what the rest of the question names.
    prices = [at for at, word in enumerate(question.words) if is_of_price(question.text, word)]
    if prices and len(prices) < len(question.words):
        named = np.delete(covered, prices, axis=0).max(axis=0) >= _NAMED
        told = [at for at, text in enumerate(texts) if named[at] and tells_price(text)]
        covered[np.ix_(prices, told)] = 1.0
    covers = weights @ covered
    fits = [fitness(question.text, each) for each in texts]
    return Compared(question.text, cosines, covers.tolist(), fits)


def _statements(view: View, chosen: Selection, near: Mapping[int, float]) -> Iterator[_Statement]:
    """What persons state at these places, or in answer to what an assistant asks or proposes there, and the decisions
    that hold."""
    fetched = view.fetch_at(np.array(list(near), np.int64))
    registered: dict[str, list[str]] = {}
    for each in fetched.values():
        for source in sources_of(each):
            registered.setdefault(source, []).append(told_of(each))
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
        if memory is None or memory.logical_id in answers:
            continue
        if memory.logical_id in registered:
            # What was read from it says the same, but for a value behind it.
            is_own = memory.kind in SAID and voice_of(memory) is Voice.OWN
            if is_own and (rest := value_beside(memory.content, registered[memory.logical_id])):
                yield _Statement(memory, rest, cosine, memory.content)
        elif _is_statement(memory):
            yield _Statement(memory, told_of(memory), cosine, memory.content)


def value_beside(content: str, read: Sequence[str]) -> str:
    """The sentences of a turn that state a value, and of which nothing was read."""
    said = (each.strip() for each in sentences(content))
    left = [each for each in said if not any(each.strip(" .!") in text for text in read)]
    return " ".join(each for each in left if any(map(str.isdecimal, each)) and states(each))


def _is_statement(memory: Memory) -> bool:
    if memory.kind is Kind.DECISION:
        entry = memory.registration
        return entry is not None and entry.status == DecisionStatus.ACTIVE
    if memory.kind not in SAID or voice_of(memory) is not Voice.OWN or replies(memory.content):
        return False
    return states(memory.content) or sets_value(memory.content)


def reply_to(view: View, chosen: Selection, response: Memory) -> tuple[Memory, str] | None:
    """What a person replies to a response that asks or proposes something, and that question or proposal."""
    if response.session_id is None or not proposes(response.content):
        return None
    after = replace(
        chosen, kinds=SAID, session_id=response.session_id, valid_range=TimeRange(start=response.valid_at)
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


def said_in(view: View, session: str, as_of: AsOf, told: Set[str]) -> list[tuple[Memory, str]]:
    """What a person set in a session, the newest first, at most four: values and orders of things that no later turn of
    it is of. `told`: logical ids of what is told beside. For a session whose context was emptied."""
    turns = view.browse(Selection(kinds=(*SAID, Kind.RESPONSE), session_id=session, as_of=as_of), _TURNS)
    of, changed = _changed_unnamed(turns)
    # What was read from a turn and has ended is told by what holds in its place.
    _, entries = view.fetch_with_entries(places_of(view, turns))
    told = {*told, *outcomes(view, entries)}
    found: list[tuple[Memory, str]] = []
    later: list[str] = []
    for place, turn in enumerate(turns):
        is_unnamed = turn.logical_id in of
        after = turns[place - 1] if place and turns[place - 1].kind is Kind.RESPONSE else None
        is_reported = after is not None and _is_own(turn) and _is_reported(turn.content, after.content)
        if not (is_unnamed or is_reported) and not (_is_own(turn) and _sets(turn.content)):
            continue
        before = next((each for each in turns[place + 1 :]), None)
        is_reply = replies(turn.content) and before is not None and before.kind is Kind.RESPONSE
        is_reply = is_reply and not sets_it(turn.content)
        said = turn.content
        if is_unnamed:
            said = with_question(turn, of[turn.logical_id])
        elif is_reported and after:
            said = with_answer(turn, after.content)
        elif is_reply and before:
            said = with_question(turn, asked_in(before.content))
        is_overtaken = turn.logical_id in changed or any(_may_overtake(each, said) for each in later)
        if is_overtaken and (rest := left_standing(later, said)):
            said, is_overtaken = rest, any(_may_overtake(each, rest) for each in later)
        later.append(said)
        is_told = turn.logical_id in told or standing_warning(turn.content) is not None
        if not (
            is_overtaken or is_told or (replies(turn.content) and not (is_reply or is_unnamed or is_reported))
        ):
            found.append((turn, said))
    return found[:_MOST_SET]


def places_of(view: View, turns: Sequence[Memory]) -> NDArray[np.int64]:
    """Where turns are in the index."""
    return np.array(list(view.places_of([each.id for each in turns]).values()), np.int64)


def _is_own(turn: Memory) -> bool:
    return turn.kind is not Kind.RESPONSE and voice_of(turn) is Voice.OWN


def _changed_unnamed(turns: Sequence[Memory]) -> tuple[dict[str, str], set[str]]:
    """By logical id, the turns of a session, newest first, that give something another value without naming it, each
    with what was said of that; and what they changed."""
    of: dict[str, str] = {}
    changed: set[str] = set()
    answers = {
        turn.logical_id: after.content if after.kind is Kind.RESPONSE else ""
        for after, turn in pairwise(turns)
        if turn.kind is not Kind.RESPONSE
    }
    said: list[Memory] = []
    for turn in filter(_is_own, reversed(turns)):
        for back, earlier in enumerate(said[: -_FAR - 1 : -1] if sets_it(turn.content) else ()):
            first, answered = of.get(earlier.logical_id, ""), answers.get(earlier.logical_id, "")
            its = f"{first} {earlier.content}".strip() if first else earlier.content
            answer = answers.get(turn.logical_id, "")
            if changes_it(turn.content, its, answer, is_next=not back):
                of[turn.logical_id] = first or earlier.content
                changed.add(earlier.logical_id)
                break
            if not back and changes_it(turn.content, answered, answer, is_next=True):
                of[turn.logical_id] = answered[:_SHORT]
                break
        said.append(turn)
    return of, changed


def _is_reported(turn: str, answer: str) -> bool:
    """Whether a turn gives something a value without naming it, and the answer says of what."""
    is_unnamed = bool(sets_it(turn)) or given_in(turn) is not None or factor_in(turn) is not None
    return is_unnamed and len(answer) <= _SHORT and is_told_by(turn, answer)


def _sets(text: str) -> bool:
    """Whether a turn sets a value or an order of things, or alters so what was proposed."""
    if not 0 < len(text) <= _SHORT or only_asks(text) or not says_something(text) or _A_DEED.match(text):
        return False
    if _IS_NEWS.search(text) is not None:
        return False
    if replies(text):
        return bool(measures_of(text))
    return (
        states(text) and (bool(measures_of(text)) or _COMES_FIRST.search(text) is not None)
    ) or sets_value(text)


def _may_overtake(later: str, earlier: str) -> bool:
    shared = distinctive(later) & distinctive(earlier)
    is_of_it = len(shared) > 1 or (bool(shared) and bool(measures_of(later) & measures_of(earlier)))
    return is_of_it or overtakes(later, earlier)


def with_question(reply: Memory, asked: str) -> str:
    """A reply as it is told: behind it what it replies to."""
    return f'{reply.content} (to: "{asked}")'


def with_answer(turn: Memory, answer: str) -> str:
    """A turn as it is told that names nothing: behind it what was answered, which does."""
    return f'{turn.content} (answered: "{" ".join(answer.split())}")'
