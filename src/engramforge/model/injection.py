"""What was put before a model unasked: with what, why, and whether it was of use."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final


class Section(StrEnum):
    """Where in an injection a memory stands; the order is that of the text."""

    DECIDED = "decided"
    OPEN = "open"
    LAST_SESSION = "last_session"
    RECENT = "recent"
    POSSIBLE = "possible"
    SHIFT = "shift"


class Reason(StrEnum):
    """Why a memory is in an injection."""

    HOLDS = "holds"
    IS_OPEN = "is_open"
    STOPPED_AT = "stopped_at"
    ANSWERS = "answers"
    NAMES = "names"
    OTHER_PROJECT = "other_project"


COMPACT: Final = "compact"
RESUME: Final = "resume"
CAUSES: Final = ("startup", RESUME, "clear", COMPACT, "fork")
"""Why a session starts, as its host says it."""
STARTS: Final = "SessionStart"
ASKS: Final = "UserPromptSubmit"
ACTS: Final = "PreToolUse"
LENSES: Final = "Orchestrate"
"""What a lens showed because it was asked: recorded once somebody says whether it was of use."""
EVENTS: Final = (STARTS, ASKS, ACTS)
"""The events for which something may be injected."""
IMPORTANCE: Final = "importance"
DIVERSITY: Final = "diversity"
EXPLORATION: Final = "exploration"
"""What orders injections beside priority."""
ORDERED_BY: Final = (IMPORTANCE, EXPLORATION)
"""Those that help, or hurt nothing, where the truth is known (docs/measurements/topics.md)."""


@dataclass(frozen=True, slots=True)
class Injected:
    """A memory in an injection.

    `memory_id`: its logical id. `version_id`: of the version that was shown. `used`: whether a response took it up
    since; None while there was none. `useful`: what somebody said of it; None where nobody did. `source_id`: the
    message that an entry was read from, which says the same. `text`: what was shown of it; the process alone knows it.
    """

    memory_id: str
    version_id: str
    section: Section
    reason: Reason
    priority: float
    used: bool | None = None
    useful: bool | None = None
    source_id: str | None = None
    text: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """What was put before a model at one event.

    Parameters
    ----------
    event : the host's name of it. cause : why a session started; empty for other events.
    session, project : of the event; None where it names none.
    tokens : of the text, estimated. latency_ms : how long it took to find.
    memories : what went in, in the order of the text.
    note : what somebody said of its use.
    text : fenced and marked as data; empty where the record was read from a store, which keeps no copy of texts.
    """

    id: str
    event: str
    session: str | None
    project: str | None
    at: datetime
    tokens: int
    latency_ms: float
    memories: tuple[Injected, ...]
    cause: str = ""
    note: str = ""
    text: str = ""

    @property
    def used(self) -> bool | None:
        """Whether the response took anything of it up; None while there was none."""
        told = [each.used for each in self.memories if each.used is not None]
        return any(told) if told else None


@dataclass(frozen=True, slots=True)
class InjectionQuery:
    """Which records of injections are asked for.

    `begins`: an id, or its beginning. `memory_id`: with this memory in them, by logical id.
    """

    begins: str | None = None
    session: str | None = None
    project: str | None = None
    memory_id: str | None = None
    limit: int = 20
    offset: int = 0
