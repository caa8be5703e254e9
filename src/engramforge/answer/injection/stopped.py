"""How the last session of a project ended: what was asked last and answered, which files it touched, what was left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.answer.injection.offers import Offer
from engramforge.core.injection.last_session import asks_for_something, left_to_do, touched
from engramforge.model.injection import Reason, Section
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.selection import Selection
from engramforge.recall.request import PRESENT, in_time
from engramforge.store.door import View

_SPOKEN: Final = (Kind.SESSION_SUMMARY, Kind.RESPONSE, Kind.PROMPT, Kind.MESSAGE)
_TURNS: Final = 60
_TOOLS: Final = 120
"""How far back turns and requests to tools are looked at."""
_PROMPTS: Final = 2


@dataclass(frozen=True, slots=True)
class Stopped:
    """Gathers how a project's last session but one that starts ended; nothing of sub-agents."""

    view: View
    clock: Callable[[], datetime]

    def offers(self, session: str | None) -> list[Offer]:
        """What was left to do first, then what was asked last, what was answered, and files; else the last turns."""
        turns = self._newest(Selection(kinds=_SPOKEN, exclude_session=session), _TURNS)
        last = next((each.session_id for each in turns if each.session_id), None)
        if last is None:
            return []
        its = [each for each in turns if each.session_id == last]
        tools = self._newest(Selection(kinds=(Kind.TOOL_USE,), session_id=last), _TOOLS)
        found = [*_left(tools), *_said(its), *_files(tools)]
        return [
            Offer(memory, Section.LAST_SESSION, Reason.STOPPED_AT, 1.0 / place, said)
            for place, (memory, said) in enumerate(found, 1)
        ]

    def _newest(self, selection: Selection, most: int) -> list[Memory]:
        found = self.view.browse(in_time(selection, PRESENT, self.clock()), most)
        return [each for each in found if "agent_id" not in each.metadata]


def _left(tools: Sequence[Memory]) -> list[tuple[Memory, str]]:
    """The tasks that the last list of tasks has open."""
    for each in tools:
        if (left := left_to_do(each.content)) is not None:
            return [(each, f"Left to do: {'; '.join(left)}")] if left else []
    return []


def _said(turns: Sequence[Memory]) -> list[tuple[Memory, str]]:
    """A summary, else the last prompts that asked for something and the last response, else the last turns."""
    summaries = [each for each in turns if each.kind is Kind.SESSION_SUMMARY]
    if summaries:
        return [(summaries[0], summaries[0].content)]
    asked = [each for each in turns if each.kind is Kind.PROMPT and asks_for_something(each.content)]
    answered = [each for each in turns if each.kind is Kind.RESPONSE]
    ends = [*asked[:1], *answered[:1], *asked[1:_PROMPTS]] or turns[:_PROMPTS]
    return [(each, each.content) for each in ends]


def _files(tools: Sequence[Memory]) -> list[tuple[Memory, str]]:
    names = touched(each.content for each in tools)
    last = next((each for each in tools if touched([each.content])), None)
    return [(last, f"Files written last: {', '.join(names)}")] if last is not None else []
