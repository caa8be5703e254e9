"""Which turns among what was found are worth telling, and in what order: what was refused or overtaken is no answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from typing import Final

from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer
from engramforge.core.detection.whose.own_words import is_pasted
from engramforge.core.injection.gate import (
    asked_by,
    is_of_project,
    only_asks,
    proposes,
    replies,
    sets_value,
    states,
    steers,
)
from engramforge.core.injection.inputs.echoes import (
    announces,
    asks_for_all_rules,
    is_echo,
    looks_for_a_rule,
    stems_of,
)
from engramforge.core.injection.inputs.matters import distinctive, measures_of, shares_little, without_files
from engramforge.core.injection.inputs.nods import approves
from engramforge.core.injection.last_session import says_something
from engramforge.core.text.late_pattern import late
from engramforge.model.injection import Section
from engramforge.model.memory import DEFAULT_PROJECT, Kind, Memory
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.search.selection import Selection
from engramforge.model.time import TimeRange
from engramforge.registries.threads.thread_view import RESOLVED_IN
from engramforge.store.door import View

_TURNS: Final = frozenset({Kind.PROMPT, Kind.RESPONSE, Kind.MESSAGE})
_SAID: Final = frozenset({Kind.PROMPT, Kind.MESSAGE})
_SESSIONS: Final = _TURNS | {Kind.TOOL_USE}
_REQUEST: Final = late(r"[A-Z]\w{1,60}: ")
_TOLD_APART: Final = 80
"""Characters of a request by which its outcome names it."""
_SOON: Final = 12
"""Among how many uses of tools an outcome follows its request."""
_FAINT: Final = 0.7
"""The least share of the best offer's priority that another has, where the best is of a topic."""
_SHARED: Final = 2


def telling(offers: Iterable[Offer], query: str, *, is_of_own: bool = False) -> list[Offer]:
    """The offers without turns that ask the same as the prompt, or only ask, propose, announce, steer or take leave;
    where it looks for a rule, without what tools did. `is_of_own`: whether the prompt asks about its own project: then
    no turn of another one is told.
    """
    left_out = {Kind.TOOL_USE} if looks_for_a_rule(query) else set()
    left_out |= _SESSIONS if is_of_own else set()
    return [each for each in offers if each.memory.kind not in left_out and _tells(each.memory, query)]


def without_nods(offers: Iterable[Offer]) -> list[Offer]:
    """The offers without a person's bare nods, of which nobody knows to what; one that is told with what it replies to
    says that."""
    return [each for each in offers if each.memory.kind not in _SAID or not approves(each.said)]


def _tells(memory: Memory, query: str) -> bool:
    if memory.kind not in _TURNS:
        return True
    text = memory.content
    is_answer = memory.kind is Kind.RESPONSE
    if (is_answer and announces(text)) or (not is_answer and is_echo(query, text)):
        return False
    if is_question(memory) or is_proposal(memory) or steers(text) or shares_little(query, text):
        return False
    return says_something(text) and (memory.kind is not Kind.PROMPT or bool(asked_by(text)))


def crosses(offer: Offer, query: str) -> bool:
    """Whether what another project has may be told: only where the prompt names that project or speaks of others; no
    decision that ended, nothing that a tool was asked or brought or that was pasted, and nothing that has no more in
    common with the prompt than what every project has, or files. What is of no project is told unless it or the prompt
    says how something is."""
    entry = offer.memory.registration
    if offer.memory.kind is Kind.DECISION and (entry is None or entry.status != DecisionStatus.ACTIVE):
        return False
    if offer.memory.kind is Kind.TOOL_USE or (
        offer.memory.kind in _TURNS and is_pasted(offer.memory.content)
    ):
        return False
    if not is_of_project(query, offer.memory.project):
        is_of_none = offer.memory.project == DEFAULT_PROJECT
        if not is_of_none or _is_set(query) or _is_of_its_own(offer.memory):
            return False
    said, asked = (distinctive(without_files(text)) for text in (offer.said, query))
    return len(said & asked) >= _SHARED


def _is_of_its_own(memory: Memory) -> bool:
    """Whether a turn tells how something is in its project: what a person states, or a value that an answer repeats."""
    if memory.kind is Kind.RESPONSE:
        return _is_set(memory.content) and bool(measures_of(memory.content))
    return memory.kind in _SAID and _is_set(memory.content)


def _is_set(text: str) -> bool:
    return states(text) or sets_value(text)


def is_own_doing(memory: Memory, asked: Occasion) -> bool:
    """Whether a matter was settled by what the session itself said: that is before its eyes."""
    entry = memory.registration
    if asked.session is None or asked.emptied_at is not None or entry is None:
        return False
    return entry.details.get(RESOLVED_IN) == asked.session


def ruled(offers: Sequence[Offer], warned: Sequence[Offer], query: str) -> list[Offer]:
    """The offers beside rules that answer a prompt which looks for one: no turn that only has its words, and nothing
    where it asks for all of them."""
    if warned and asks_for_all_rules(query):
        return []
    return [each for each in offers if not warned or each.memory.kind not in _TURNS]


def is_question(memory: Memory) -> bool:
    """Whether a turn only asks."""
    return memory.kind in _TURNS and only_asks(memory.content)


def is_request_of_a_tool(memory: Memory) -> bool:
    """Whether it is what a tool was asked, and not what came of it."""
    return memory.kind is Kind.TOOL_USE and _REQUEST.match(memory.content) is not None


def was_done(view: View, chosen: Selection, request: Memory) -> bool:
    """Whether what a tool was asked came to something: a person may have refused it, and then it states nothing."""
    if request.session_id is None:
        return True
    since = TimeRange(start=request.valid_at)
    later = replace(chosen, kinds=(Kind.TOOL_USE,), session_id=request.session_id, valid_range=since)
    outcome = f"Outcome of {request.content[:_TOLD_APART]}"
    return any(each.content.startswith(outcome) for each in view.browse(later, _SOON, newest_first=False))


def is_proposal(memory: Memory) -> bool:
    """Whether it is an assistant's turn that asks or proposes something."""
    return memory.kind is Kind.RESPONSE and proposes(memory.content)


def without_faint(offers: Sequence[Offer]) -> list[Offer]:
    """The offers without those that are far behind one that is clearly meant."""
    best = max((each.priority for each in offers if each.section is Section.RECENT), default=0.0)
    return [each for each in offers if each.section is Section.RECENT or each.priority >= _FAINT * best]


def as_it_stands(query: str, answers: Sequence[Offer], found: Sequence[Offer]) -> list[Offer]:
    """What answers a prompt before what was found beside it, without turns that a decision has overtaken."""
    offers = [*answers, *found]
    decided = [each for each in offers if _holds(each.memory)]
    if not decided:
        return offers
    asked = stems_of(query)
    newest = [(each, stems_of(each.said)) for each in decided]
    top = max(each.priority for each in offers)
    first = {each.memory.logical_id for each in answers}
    kept = [
        each
        for each in offers
        if each.memory.kind not in _TURNS
        or not any(
            each.memory.valid_at < decision.memory.valid_at and _is_of(each.said, asked, stems)
            for decision, stems in newest
        )
    ]
    return [
        replace(each, section=Section.RECENT, priority=top + each.priority)
        if each.memory.logical_id in first and _holds(each.memory)
        else each
        for each in kept
    ]


def _holds(memory: Memory) -> bool:
    entry = memory.registration
    return memory.kind is Kind.DECISION and entry is not None and entry.status == DecisionStatus.ACTIVE


def _is_of(said: str, asked: Set[str], decided: Set[str]) -> bool:
    """Whether a turn is of a decision's matter: it has its word that was asked for, or two, or is only a reply."""
    shared = stems_of(said) & decided
    return bool(shared & asked) or len(shared) >= _SHARED or replies(said)
