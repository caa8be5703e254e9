"""What is known of the sessions that hooks tell of: their projects, how far they are, and what was said in them.

Held for the sessions of the last events and otherwise read from the store, so that a restart changes nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from engramforge.capture.reading.sessions import CHAIN_LENGTH, LIVE_STEP, first_in, repository_of, text_digest
from engramforge.capture.writers.prompts_seen import name_folders
from engramforge.model.memory import DEFAULT_PROJECT, Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode
from engramforge.store.door import Door

FIRST: Final = 100_000
"""The first sequence number of what hooks tell in a session: what was said before them is imported below it."""
_KEPT: Final = 200
_LOOKED_AT: Final = 1_000
"""How many of a session's newest memories are looked at for the numbers that are taken."""
_TEXTS: Final = 5_000
REPEATED: Final = timedelta(seconds=2)
"""Within this the same text again, with nothing in between, is the same event told twice."""


@dataclass(slots=True)
class LiveSession:
    """A session as far as it was told.

    `numbers`: chain -> the next sequence number. `counts`: chain and digest -> how often a text was said, as far as
    it is held. `last`: chain and kind -> the text that was told last, and when. `last_at`: the newest time.
    `paused`: the chains whose turn began while capture was off; `has_paused`: whether it was off at any time.
    """

    project: str
    last_at: datetime | None = None
    numbers: dict[str, int] = field(default_factory=dict)
    counts: OrderedDict[tuple[str, bytes], int] = field(default_factory=OrderedDict)
    last: dict[tuple[str, Kind], tuple[bytes, datetime]] = field(default_factory=dict)
    paused: set[str] = field(default_factory=set)
    has_paused: bool = False

    def number(self, chain: str) -> int:
        """The next sequence number of a chain."""
        first = first_in(chain) + (0 if chain else FIRST)
        taken = -(-self.numbers.get(chain, first) // LIVE_STEP) * LIVE_STEP
        self.numbers[chain] = taken + 1
        return taken

    def count(self, chain: str, text: str, number: int) -> None:
        """Say that a text was said for the `number`-th time."""
        self.counts[chain, text_digest(text)] = number
        while len(self.counts) > _TEXTS:
            self.counts.popitem(last=False)

    def is_repeated(self, chain: str, kind: Kind, text: str, at: datetime) -> bool:
        """Whether a text is the last one of its kind again, so soon that nobody said it twice; it is the last now."""
        digest = text_digest(text)
        before = self.last.get((chain, kind))
        # Two responses with a prompt between them are two, and so the other way.
        self.last = {key: value for key, value in self.last.items() if key[0] != chain}
        self.last[chain, kind] = digest, at
        return before is not None and before[0] == digest and abs(at - before[1]) <= REPEATED


class LiveSessions:
    """The sessions of the last events, by scope and id. `door`: knows the others."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._known: OrderedDict[tuple[str, str, str], LiveSession] = OrderedDict()
        self._names: dict[tuple[str, str], str] = {}

    def of(self, scope: Scope, session: str, folder: str) -> LiveSession:
        """A session, in the project where it began. `folder`: where it is now, for one that nobody knows yet."""
        key = scope.tenant, scope.agent, session
        found = self._known.pop(key, None) or self._read(scope, session, folder)
        self._known[key] = found
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return found

    def forget(self) -> None:
        """Give up what is held, after a write that failed: the store has what counts."""
        self._known.clear()

    def project_of(self, scope: Scope, folder: str) -> str:
        """The project of a working folder, as imports name it."""
        # Other processes name it, and not always in letters.
        folder = folder.encode("utf-8", "replace").decode().replace("\0", "").strip()
        if not folder:
            return DEFAULT_PROJECT
        place = repository_of(folder)
        key = scope.tenant, place
        if key not in self._names:
            # A folder named with a secret names no project.
            named = name_folders(self._door, scope, {place})
            self._names[key] = named.get(place, DEFAULT_PROJECT)
        return self._names[key]

    def _read(self, scope: Scope, session: str, folder: str) -> LiveSession:
        """A session as the store has it."""
        newest: list[Memory] = []
        if session:
            selection = Selection(session_id=session, mode=TemporalMode.FULL_HISTORY)
            found = self._door.asking(scope).browse(selection, _LOOKED_AT)
            newest = [memory for memory in found if memory.registration is None and memory.version == 1]
        project = newest[0].project if newest else self.project_of(scope, folder)
        begun = LiveSession(project)
        for memory in reversed(newest):
            chain = str(memory.metadata.get("agent_id") or "")
            number = memory.sequence
            if number is not None and 0 <= number - first_in(chain) < CHAIN_LENGTH:
                begun.numbers[chain] = max(begun.numbers.get(chain, 0), number + 1)
            if memory.kind in (Kind.PROMPT, Kind.RESPONSE):
                begun.last = {key: value for key, value in begun.last.items() if key[0] != chain}
                begun.last[chain, memory.kind] = text_digest(memory.content), memory.valid_at
            begun.last_at = max(begun.last_at or memory.valid_at, memory.valid_at)
        return begun
