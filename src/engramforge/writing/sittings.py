"""Implied sessions: the turns that an agent writes to a project without saying which conversation they are of.

A turn joins the one before it that came at most some minutes earlier, if they read as talk, whether they come one by
one or in bulk. Notes have nothing to do with their neighbours: they stand alone in the ranking. Processes that write at
the same time for one agent are in conversations of their own, so each continues what it wrote itself; a new process
what the store has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from engramforge.core.text.talk import READ, goes_on, is_talk
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry
from engramforge.model.time import TemporalMode
from engramforge.store.door import Door
from engramforge.writing.preparing import new_id

TURNS: Final = (Kind.PROMPT, Kind.RESPONSE, Kind.MESSAGE)
"""No set: of a draft the kind is not checked yet, and may be anything."""
_KINDS: Final = (*TURNS, Kind.NOTE, Kind.TOOL_USE, Kind.ACTION, Kind.LEARNING)
_KEPT: Final = 20
"""How many memories of a sitting are looked back at."""
_NEWEST: Final = Selection(mode=TemporalMode.FULL_HISTORY)
_MOST_SITTINGS: Final = 1_000


class _Came(NamedTuple):
    """A memory that came: when, in which implied session, and the beginning of what it says."""

    at: datetime
    session: str | None
    said: str


@dataclass(frozen=True, slots=True)
class Sittings:
    """Puts memories without a session into implied ones.

    `door`: knows what came before. `within`: how far apart two memories of a session may come.
    """

    door: Door
    within: timedelta
    _last: dict[tuple[str, str, str], list[_Came]] = field(default_factory=dict)

    def seated(self, scope: Scope, entries: Sequence[Entry]) -> list[Entry]:
        """The entries about to be written, in order, each with its implied session, if it has one."""
        groups: dict[tuple[str, str, str], list[int]] = {}
        for place, entry in enumerate(entries):
            if _is_seated(memory := entry.memory):
                groups.setdefault((memory.tenant, memory.project, memory.agent), []).append(place)
        seated = list(entries)
        for sitting, places in groups.items():
            some = [entries[place] for place in places]
            before = self._before(scope, sitting, some[0].memory.created_at)
            joins = _is_conversation(some, before)
            for place, each in zip(places, some, strict=True):
                session = self._session(before, each.memory.created_at) if joins else None
                seated[place] = replace(each, memory=replace(each.memory, implied_session=session))
                before.append(_came(seated[place].memory))
            if sitting not in self._last and len(self._last) >= _MOST_SITTINGS:
                self._last.pop(next(iter(self._last)), None)
            self._last[sitting] = before[-_KEPT:]
        return seated

    def _before(self, scope: Scope, sitting: tuple[str, str, str], now: datetime) -> list[_Came]:
        """What came last in a sitting, the oldest first."""
        last = self._last.get(sitting)
        if last is None:
            view = self.door.asking(scope)
            with view:
                newest = view.fetch_at(view.positions(_NEWEST, 2 * _KEPT))
            last = [
                _came(memory)
                for _, memory in sorted(newest.items())
                if (memory.tenant, memory.project, memory.agent) == sitting and _is_seated(memory)
            ][-_KEPT:]
        return [each for each in last if abs(now - each.at) <= self.within]

    def _session(self, before: Sequence[_Came], now: datetime) -> str:
        """The session of the one before, if that has one and came not too long ago; else a new one."""
        last = before[-1] if before else None
        near = last is not None and abs(now - last.at) <= self.within
        return last.session if last and near and last.session else new_id()


def _is_seated(memory: Memory) -> bool:
    """Whether a memory may be of an implied session: as it first came, and without a place that somebody told."""
    told = memory.session_id is not None or memory.sequence is not None
    return memory.kind in _KINDS and memory.version == 1 and not told


def _came(memory: Memory) -> _Came:
    return _Came(memory.created_at, memory.implied_session, memory.content[:READ])


def _is_conversation(entries: Sequence[Entry], before: Sequence[_Came]) -> bool:
    """Whether memories go on a conversation or begin one: their kinds say so, or their texts with those before."""
    if all(entry.memory.kind in TURNS for entry in entries):
        return True
    said = [*(each.said for each in before), *(entry.memory.content for entry in entries)]
    return is_talk(said) and goes_on([entry.embedding.vector for entry in entries])
