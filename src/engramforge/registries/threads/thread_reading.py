"""Reading the registry of threads: by id, by filters, with their history and blockers."""

from __future__ import annotations

from collections.abc import Sequence

from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.registries.thread import Thread
from engramforge.model.scope import Scope
from engramforge.registries.registered import find_entry
from engramforge.registries.threads.thread_view import blockers_of, thread_of
from engramforge.store.door import Door


class ThreadReading:
    """Finds and shows threads.

    `door`: the store.
    """

    def __init__(self, door: Door) -> None:
        self._door = door

    def find(self, scope: Scope, named: object, conversation: str | None = None) -> Memory:
        """The last record of a thread; see `find_entry`."""
        return find_entry(self._door, scope, Kind.THREAD, named, conversation)

    def get(self, scope: Scope, named: object, conversation: str | None = None) -> Thread:
        """A thread as it stands. Raises InvalidValue, NotFound or Conflict, as `find_entry`."""
        return self.shown(scope, [self.find(scope, named, conversation)])[0]

    def shown(
        self, scope: Scope, memories: Sequence[Memory], scores: Sequence[float] | None = None
    ) -> list[Thread]:
        """Records of threads as the registry shows them, in their order."""
        blockers = blockers_of(self._door, scope, memories)
        each = scores if scores is not None else [None] * len(memories)
        return [thread_of(memory, blockers, score) for memory, score in zip(memories, each, strict=True)]

    def browse(self, scope: Scope, query: EntryQuery) -> list[Thread]:
        """The threads that a query of the registry asks for, in its order."""
        return self.shown(scope, self._door.asking(scope).entries(query))

    def history(self, scope: Scope, named: object, conversation: str | None = None) -> list[Thread]:
        """All versions of a thread, oldest first."""
        head = self.find(scope, named, conversation)
        versions: dict[int, Memory] = {}
        for record in self._door.asking(scope).versions(head.logical_id):
            # A closing record represents its version, unless it was undone.
            if record.version not in versions or record.expired_at is None:
                versions[record.version] = record
        return self.shown(scope, [versions[number] for number in sorted(versions)])
