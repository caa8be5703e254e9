"""What is learned beside decisions and threads: patterns with outcomes, priming blocks, flags; and the scratchpad.

Patterns, priming blocks and flags are memories of these kinds, with no row of a registry beside them: whatever a memory
of the kind says shows itself so (docs/decisions/0021-patterns-priming-and-flags-are-plain-memories.md).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of trying a pattern: a memory of kind learning that is made from it.

    `id`: its logical id. `note`: what was said of it. `at`: when it was so.
    """

    id: str
    success: bool
    note: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A way of doing something that keeps coming back.

    Parameters
    ----------
    id : logical id of its memory.
    successes, tries : how many of its outcomes were good, and how many there are.
    success_score : how often it works at least, 0..1 (core/registries/success); None without an outcome.
    outcomes : the newest first; empty in lists and searches.
    score : mass in a search, 0..1.
    redacted : how many secrets the write replaced.
    """

    id: str
    version: int
    name: str | None
    content: str
    project: str
    tags: tuple[str, ...] = ()
    successes: int = 0
    tries: int = 0
    success_score: float | None = None
    outcomes: tuple[Outcome, ...] = ()
    valid_at: datetime
    score: float | None = None
    redacted: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrimingBlock:
    """A text that prepares for a territory, an area that somebody has explored.

    Parameters
    ----------
    id, version, score, redacted : as a pattern's.
    territory : its name; "" where nobody named one.
    made_from : logical ids of the flags that it was compiled from.
    expires_at : from when on it primes no more; None for never.
    """

    id: str
    version: int
    territory: str
    content: str
    project: str
    tags: tuple[str, ...] = ()
    made_from: tuple[str, ...] = ()
    valid_at: datetime
    expires_at: datetime | None = None
    score: float | None = None
    redacted: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Territory:
    """An area of a project that priming blocks are about. `newest_at`: since when the newest of them is there."""

    name: str
    project: str
    blocks: int
    newest_at: datetime


class FlagStatus(StrEnum):
    """How a flag stands: pending until an expedition has compiled it."""

    PENDING = "pending"
    COMPILED = "compiled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Something that was noticed and waits for an expedition.

    Parameters
    ----------
    id, version, score, redacted : as a pattern's.
    type : what it is: isomorphism, or any other word.
    compiled_in : logical ids of the priming blocks that were made from it.
    """

    id: str
    version: int
    type: str
    status: FlagStatus
    content: str
    project: str
    tags: tuple[str, ...] = ()
    compiled_in: tuple[str, ...] = ()
    valid_at: datetime
    score: float | None = None
    redacted: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScratchEntry:
    """A note for a while, which is no memory: nothing finds it but its agent, by its key.

    `session`: of which it is; None for none. `redacted`: how many secrets the write replaced.
    """

    key: str
    text: str
    session: str | None
    written_at: datetime
    expires_at: datetime
    redacted: int = field(default=0, compare=False)
