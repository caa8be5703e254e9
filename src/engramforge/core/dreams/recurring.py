"""What keeps recurring: the same said on several days, in several sessions, in words that say something by themselves.

Three of each, as three memories make a topic; four words that mean something, as for a shift of activity. A question
that comes again asks for an answer, and is no way of doing something. What assistants say recurs by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from engramforge.core.dreams.wording import wording_of
from engramforge.model.memory import LEARNED_OF, SUMMARISES, Kind, Memory, Source
from engramforge.model.scope import Level

RECURRING: Final = "recurring"
"""Key of the metadata of a pattern that a dream made: by which key its words are known."""
LEAST: Final = 3
LEAST_WORDS: Final = 4
READ: Final = (Kind.PROMPT, Kind.MESSAGE, Kind.NOTE, Kind.LEARNING)
_ANSWERING: Final = frozenset({"assistant", "model", "ai", "system", "tool"})


@dataclass(frozen=True, slots=True)
class Once:
    """One time that something was said. `key`: of its words, in hexadecimal; `whose`: level and agent."""

    logical_id: str
    key: str
    whose: tuple[str, str]
    session: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The times that something was said, the earliest first."""

    key: str
    times: tuple[Once, ...]


def whose(memory: Memory) -> tuple[str, str]:
    """Level and agent of a memory, the agent where it is nobody else's: words recur for each by themselves."""
    return str(memory.level), memory.agent if memory.level is Level.PERSONAL else ""


def once_of(memory: Memory) -> Once | None:
    """A memory as one time that something was said; None for one that does not count."""
    if memory.kind not in READ or memory.source is Source.ASSISTANT_RESPONSE or memory.is_superseded:
        return None
    if (memory.speaker or "").casefold() in _ANSWERING or {LEARNED_OF, SUMMARISES} & memory.metadata.keys():
        return None
    wording = wording_of(memory.content)
    if wording is None or wording.asks or wording.content < LEAST_WORDS:
        return None
    session = memory.session_id or memory.implied_session
    return Once(memory.logical_id, wording.key.hex(), whose(memory), session, memory.valid_at)


def recurring(said: Iterable[Once], known: Collection[tuple[str, tuple[str, str]]]) -> list[Recurrence]:
    """What keeps recurring, the most frequent first. `known`: keys, and whose, of which there is a pattern already, or
    was one that somebody took back."""
    by_key: defaultdict[Hashable, list[Once]] = defaultdict(list)
    for each in said:
        by_key[each.key, each.whose].append(each)
    found = [
        Recurrence(its[0].key, tuple(sorted(its, key=lambda each: (each.at, each.logical_id))))
        for its in by_key.values()
        if len(its) >= LEAST and (its[0].key, its[0].whose) not in known and _keeps_recurring(its)
    ]
    return sorted(found, key=lambda each: (-len(each.times), each.times[0].at, each.key))


def _keeps_recurring(its: Collection[Once]) -> bool:
    days = {each.at.date() for each in its}
    # What is of no session counts by its day.
    sessions = {each.session or each.at.date() for each in its}
    return len(days) >= LEAST and len(sessions) >= LEAST
