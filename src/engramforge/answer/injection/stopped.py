"""How the last session of a project ended: what was asked last and answered, which files it touched, what was left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.answer.injection.offers import Offer
from engramforge.core.injection.last_session import (
    asks_for_something,
    is_aside,
    left_to_do,
    says_something,
    touched,
)
from engramforge.model.injection import Reason, Section
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf
from engramforge.store.door import View

_SPOKEN: Final = (Kind.SESSION_SUMMARY, Kind.RESPONSE, Kind.PROMPT, Kind.MESSAGE)
_TURNS: Final = 40
_TOOLS: Final = 120
"""How far back turns and requests to tools are looked at."""
_PROMPTS: Final = 2


def stopped_offers(view: View, session: str | None, as_of: AsOf) -> list[Offer]:
    """How a project's last session that said something ended, but the one that starts and without sub-agents: what was
    left to do first, then what was asked last, what was answered, and files; else the last turns."""
    turns = _newest(view, Selection(kinds=_SPOKEN, exclude_session=session, as_of=as_of), _TURNS)
    turns = _without_asides(turns)
    spoken = [each.session_id for each in turns if each.session_id and _says(each)]
    last = next(iter(spoken or [each.session_id for each in turns if each.session_id]), None)
    if last is None:
        return []
    its = [each for each in turns if each.session_id == last]
    tools = _newest(view, Selection(kinds=(Kind.TOOL_USE,), session_id=last, as_of=as_of), _TOOLS)
    found = [*_left(tools), *_said(its), *_files(tools)]
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


def _said(turns: Sequence[Memory]) -> list[tuple[Memory, str]]:
    """The last prompts that asked for something and the last response, else the last turns, else a summary: that tells
    how a session began. None of them is an "ok" or takes leave."""
    summaries = [each for each in turns if each.kind is Kind.SESSION_SUMMARY]
    turns = [each for each in turns if _says(each)] or summaries
    asked = [each for each in turns if each.kind is Kind.PROMPT and asks_for_something(each.content)]
    answered = [each for each in turns if each.kind is Kind.RESPONSE]
    ends = [*asked[:1], *answered[:1], *asked[1:_PROMPTS]] or turns[:_PROMPTS]
    return [(each, each.content) for each in ends]


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
