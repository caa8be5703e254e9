"""The scratchpad: notes for a while, which are no memories. Nothing recalls, exports or undoes them.

Each is a mark of the store under a key that only its agent's name gives, so that no other agent reads it, and two
sessions never write over each other. What has expired is read by nobody. A write removes the agent's own that have, and
upkeep everybody's; a read removes nothing, for a clock may be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, Final

from engramforge.errors import InvalidValue, NotFound
from engramforge.model.registries.learned import ScratchEntry
from engramforge.model.scope import Scope
from engramforge.model.storing.section import SCRATCH_MARKS
from engramforge.model.time import from_micros, to_micros
from engramforge.store.door import Door, Transaction

MOST_ENTRIES: Final = 100
"""How many entries an agent has at once."""


@dataclass(frozen=True, slots=True)
class Scratchpad:
    """Keeps the scratch entries of agents; of each scope only its own agent's are seen."""

    door: Door
    clock: Callable[[], datetime]

    def put(self, scope: Scope, key: str, text: str, session: str | None, lives: timedelta) -> ScratchEntry:
        """Keep a text in place of the session's one of that key. Raises InvalidValue: too many are kept."""
        now = self.clock()
        self._remove(scope, _expired(self._kept(scope), now))
        place = _place(scope, session, key)
        there = self._kept(scope)
        if place not in there and len(there) >= MOST_ENTRIES:
            raise InvalidValue(
                f"{MOST_ENTRIES} scratch entries are kept already", "Remove one, or remember it"
            )
        entry = ScratchEntry(key=key, text=text, session=session, written_at=now, expires_at=now + lives)
        self.door.write(scope, lambda writes: writes.save_mark(place, _value_of(entry)))
        return entry

    def entry(self, scope: Scope, key: str, session: str | None) -> ScratchEntry:
        """The session's entry of a key. Raises NotFound: there is none, or it has expired."""
        found = next(
            (each for each in self.entries(scope) if (each.key, each.session) == (key, session)), None
        )
        if found is None:
            of_it = "" if session is None else f" of the session {session!r}"
            raise NotFound(f"There is no scratch entry {key!r}{of_it}", "List them: it may have expired")
        return found

    def entries(self, scope: Scope) -> list[ScratchEntry]:
        """The agent's entries that have not expired, the newest first."""
        now = self.clock()
        found = [_entry_of(value) for value in self._kept(scope).values()]
        living = (each for each in found if each.expires_at > now)
        return sorted(living, key=lambda each: each.written_at, reverse=True)

    def remove(self, scope: Scope, key: str, session: str | None) -> ScratchEntry:
        """Take an entry away. Raises NotFound."""
        found = self.entry(scope, key, session)
        self.door.write(scope, lambda writes: writes.save_mark(_place(scope, session, key), None))
        return found

    def clear(self, scope: Scope, writes: Transaction, session: str) -> None:
        """Take the agent's entries of a session away, inside a transaction."""
        for place, value in self._kept(scope).items():
            if value["session"] == session:
                writes.save_mark(place, None)

    def is_due(self, scope: Scope) -> bool:
        """Whether something has expired, whoever's it is."""
        return bool(self._all_expired(scope))

    def prune(self, scope: Scope) -> None:
        """Remove what has expired, whoever's it is."""
        self._remove(scope, self._all_expired(scope))

    def _all_expired(self, scope: Scope) -> list[str]:
        return _expired(self.door.asking(scope).marks(SCRATCH_MARKS), self.clock())

    def _remove(self, scope: Scope, expired: Sequence[str]) -> None:
        def remove(writes: Transaction) -> None:
            for place in expired:
                writes.save_mark(place, None)

        if expired:
            self.door.write(scope, remove)

    def _kept(self, scope: Scope) -> Mapping[str, Mapping[str, Any]]:
        return self.door.asking(scope).marks(_agents(scope))


def _expired(marks: Mapping[str, Mapping[str, Any]], now: datetime) -> list[str]:
    return [place for place, value in marks.items() if value["expires_at"] <= to_micros(now)]


def _agents(scope: Scope) -> str:
    """How the keys of an agent's entries begin."""
    return f"{SCRATCH_MARKS}{blake2b(scope.agent.encode(), digest_size=16).hexdigest()}/"


def _place(scope: Scope, session: str | None, key: str) -> str:
    """The mark of an entry; a session may have any name, so the two are told apart by where the first ends."""
    named = f"{-1 if session is None else len(session)}:{session or ''}{key}"
    return _agents(scope) + blake2b(named.encode(), digest_size=16).hexdigest()


def _value_of(entry: ScratchEntry) -> dict[str, Any]:
    return {
        "key": entry.key,
        "text": entry.text,
        "session": entry.session,
        "written_at": to_micros(entry.written_at),
        "expires_at": to_micros(entry.expires_at),
    }


def _entry_of(value: Mapping[str, Any]) -> ScratchEntry:
    return ScratchEntry(
        key=value["key"],
        text=value["text"],
        session=value["session"],
        written_at=from_micros(value["written_at"]),
        expires_at=from_micros(value["expires_at"]),
    )
