"""How the last session of a project ended: what was asked last and answered, which files it touched, what was left."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Final

from engramforge.answer.injection.offers import Offer, sources_of
from engramforge.answer.injection.stated import places_of, with_question
from engramforge.core.detection.whose.own_words import is_pasted, parted
from engramforge.core.injection.gate import asks, begins_work, steers
from engramforge.core.injection.inputs.nods import is_nod
from engramforge.core.injection.inputs.slots import sets_it
from engramforge.core.injection.last_session import (
    LEAVES,
    asks_for_something,
    is_aside,
    is_of_the_work,
    left_to_do,
    says_something,
    touched,
)
from engramforge.core.pointing.anchored import given_in
from engramforge.core.pointing.reported import is_told_by
from engramforge.model.injection import Reason, Section
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf
from engramforge.recall.outcomes import outcomes
from engramforge.store.door import View

_SPOKEN: Final = (Kind.SESSION_SUMMARY, Kind.RESPONSE, Kind.PROMPT, Kind.MESSAGE)
_TURNS: Final = 40
_TOOLS: Final = 120
"""How far back turns and requests to tools are looked at."""
_LOOKED_AT: Final = 8
"""Among how many of the last prompts those are that are told."""
_PROMPTS: Final = 2
_QUOTED: Final = 120
"""How many prompts are told, and how much of one that is told elsewhere stands behind its answer."""


def stopped_offers(view: View, session: str | None, as_of: AsOf, told: Set[str]) -> list[Offer]:
    """How a project's last session that said something ended, but the one that starts and without sub-agents: what was
    left to do first, then what was asked last, what was answered, and files; else the last turns. `told`: logical ids
    of what other sections tell: of these only the answer stands here, behind which is said to what."""
    turns = _newest(view, Selection(kinds=_SPOKEN, exclude_session=session, as_of=as_of), _TURNS)
    turns = _without_asides(turns)
    spoken = [each.session_id for each in turns if each.session_id and _says(each)]
    last = next(iter(spoken or [each.session_id for each in turns if each.session_id]), None)
    if last is None:
        return []
    its = [each for each in turns if each.session_id == last]
    tools = _newest(view, Selection(kinds=(Kind.TOOL_USE,), session_id=last, as_of=as_of), _TOOLS)
    found = [*_left(tools), *_said(view, its, told), *_files(tools)]
    return [
        Offer(memory, Section.LAST_SESSION, Reason.STOPPED_AT, 1.0 / place, said)
        for place, (memory, said) in enumerate(found, 1)
    ]


def _newest(view: View, selection: Selection, most: int) -> list[Memory]:
    return [each for each in view.browse(selection, most) if "agent_id" not in each.metadata]


def _left(tools: Sequence[Memory]) -> list[tuple[Memory, str]]:
    """The tasks that the last list of tasks has open."""
    for each in tools:
        if (left := left_to_do(each.content)) is not None:
            return [(each, f"Left to do: {'; '.join(left)}")] if left else []
    return []


def _said(view: View, turns: Sequence[Memory], told: Set[str]) -> list[tuple[Memory, str]]:
    """The last prompts that asked for something, those of the work before remarks, the newer one that was answered with
    its answer; else the last turns, else a summary: that tells how a session began. None of them is an "ok" or takes
    leave."""
    summaries = [each for each in turns if each.kind is Kind.SESSION_SUMMARY]
    answers = _answers(turns)
    turns = [each for each in turns if _says(each)] or summaries
    prompts = [each for each in turns if each.kind is Kind.PROMPT]
    if prompts and all(is_nod(each.content) for each in prompts):
        return []  # what was answered to them says as little
    turns = [each for each in turns if each.kind is not Kind.PROMPT or not is_nod(each.content)]
    _, entries = view.fetch_with_entries(places_of(view, prompts[:_LOOKED_AT]))
    # What was read from a prompt and has ended is told by what holds in its place.
    ended = outcomes(view, entries)
    turns = [each for each in turns if each.logical_id not in ended]
    asked = [
        each
        for each in turns
        if each.kind is Kind.PROMPT and (_asks(each.content) or each.logical_id in answers)
    ]
    registered = {source for each in entries for source in sources_of(each)}
    asked = _of_the_work_first(asked[:_LOOKED_AT], registered)[:_PROMPTS]
    answered = next((each for each in asked if each.logical_id in answers), None)
    ends: list[tuple[Memory, str]] = []
    for each in asked:
        ends += [] if each.logical_id in told else [(each, each.content)]
        if each is answered:
            answer = answers[each.logical_id]
            is_alone = each.logical_id in told
            said = with_question(answer, each.content[:_QUOTED]) if is_alone else answer.content
            ends.append((answer, said))
    return ends or [(each, each.content) for each in turns[:_PROMPTS]]


def _of_the_work_first(prompts: list[Memory], registered: Set[str]) -> list[Memory]:
    """Prompts, newest first: those that have something done or settle it, or from which a decision or thread was read,
    before questions of the work, and these before remarks."""
    if len(prompts) <= _PROMPTS:
        return prompts

    def place(prompt: Memory) -> int:
        if prompt.logical_id in registered:
            return 0
        return (1 if asks(prompt.content) else 0) if _is_of_the_work(prompt) else 2

    return sorted(prompts, key=place)


def _is_of_the_work(prompt: Memory) -> bool:
    """Whether a prompt is of the work by a person's own words, and is no paste or quotation for the most part."""
    said = prompt.content
    if sets_it(said) or given_in(said) is not None:
        return True
    return not is_pasted(said) and is_of_the_work(parted(said, is_person=True).own)


def _answers(turns: Sequence[Memory]) -> dict[str, Memory]:
    """The last answer to each prompt that asked for something, by the prompt's logical id. Who then says "yes" goes on
    with it; who has the tests run or takes leave does not."""
    answers: dict[str, Memory] = {}
    asked: Memory | None = None
    last: Memory | None = None
    for each in reversed(turns):
        if each.kind is Kind.RESPONSE:
            if last is not None and is_told_by(last.content, each.content):
                # "90" asks for nothing, and has the thing set.
                asked = last
            last = None
            if asked is not None and _says(each):
                answers[asked.logical_id] = each
        elif each.kind is Kind.PROMPT:
            last = each
            if _asks(each.content) and _says(each):
                asked = each
            elif LEAVES.search(each.content) or _turns_to_else(each):
                asked = None
    return answers


def _asks(said: str) -> bool:
    """Whether a prompt asks for something, be it by a pronoun alone."""
    return asks_for_something(said) or bool(sets_it(said)) or given_in(said) is not None


def _turns_to_else(prompt: Memory) -> bool:
    """Whether a prompt has something done, and does not only say to go on."""
    return _says(prompt) and begins_work(prompt.content) and not steers(prompt.content)


def _without_asides(turns: Sequence[Memory]) -> list[Memory]:
    """The turns, newest first, without questions beside the matter and what was answered to them."""
    beside: set[str | None] = set()
    kept: list[Memory] = []
    for each in reversed(turns):
        if each.kind is Kind.PROMPT:
            beside.discard(each.session_id)
            if is_aside(each.content):
                beside.add(each.session_id)
        if each.kind is Kind.SESSION_SUMMARY or each.session_id not in beside:
            kept.append(each)
    return kept[::-1]


def _says(turn: Memory) -> bool:
    return turn.kind is not Kind.SESSION_SUMMARY and says_something(turn.content)


def _files(tools: Sequence[Memory]) -> list[tuple[Memory, str]]:
    names = touched(each.content for each in tools)
    last = next((each for each in tools if touched([each.content])), None)
    return [(last, f"Files written last: {', '.join(names)}")] if last is not None else []
