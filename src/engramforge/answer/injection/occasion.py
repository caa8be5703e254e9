"""The occasion of an injection, read from what a host says of an event; whatever is not sound counts as not said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from engramforge.model.injection import ACTS, ASKS, CAUSES, EVENTS, STARTS
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf

_PROMPT_CHARACTERS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Occasion:
    """An event for which something may be injected.

    `session`, `project`: of the event; None where it names none. `cause`: why a session starts. `prompt`: what was
    asked. `tool`, `given`: the tool and its input. `emptied_at`: when the session's context was compacted or
    cleared last, so that what was said before is not in it; None if never. `fresh_from`: since when what the session
    said is fresh, None where all of it is; `fresh`: logical ids that were told of late or before a tool: a warning for
    good that is neither is told once more at the deed. `unwanted`: logical ids that somebody called of no use where a
    session begins.
    """

    event: str
    session: str | None
    project: str | None
    cause: str = ""
    prompt: str = ""
    tool: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    emptied_at: datetime | None = None
    fresh_from: datetime | None = None
    fresh: frozenset[str] = frozenset()
    unwanted: frozenset[str] = frozenset()

    def not_in_context(self, kinds: tuple[Kind, ...], as_of: AsOf | None = None) -> Selection:
        """Memories of these kinds that the session has not said since its context was emptied."""
        return Selection(
            kinds=kinds, exclude_session=self.session, excluded_from=self.emptied_at, as_of=as_of
        )

    def not_fresh(self, kinds: tuple[Kind, ...], as_of: AsOf | None = None) -> Selection:
        """The same, with what the session said so long ago that a warning in it may be told again."""
        since = max(filter(None, (self.emptied_at, self.fresh_from)), default=None)
        return replace(self.not_in_context(kinds, as_of), excluded_from=since)

    def is_in_context(self, memory: Memory) -> bool:
        """Whether a memory is of what the session said since its context was emptied."""
        if self.session is None or memory.session_id != self.session:
            return False
        return self.emptied_at is None or memory.valid_at >= self.emptied_at


def occasion_of(event: Mapping[str, Any], project: str | None) -> Occasion | None:
    """What an event says; None where nothing is injected for events of its name."""
    name = event.get("hook_event_name")
    if name not in EVENTS:
        return None
    session = _name(event.get("session_id"))
    if name == STARTS:
        cause = event.get("source")
        return Occasion(name, session, project, cause=cause if cause in CAUSES else CAUSES[0])
    if name == ASKS:
        prompt = event.get("prompt")
        said = prompt[:_PROMPT_CHARACTERS] if isinstance(prompt, str) else ""
        return Occasion(name, session, project, prompt=said.encode("utf-8", "ignore").decode())
    assert name == ACTS
    tool, given = event.get("tool_name"), event.get("tool_input")
    return Occasion(
        name,
        session,
        project,
        tool=tool if isinstance(tool, str) else "",
        given=given if isinstance(given, Mapping) else {},
    )


def _name(value: object) -> str | None:
    """A name as memories have it, or None."""
    if not isinstance(value, str):
        return None
    plain = "".join(letter for letter in value if letter.isprintable()).strip()
    return plain[:NAME_CHARACTERS] or None
