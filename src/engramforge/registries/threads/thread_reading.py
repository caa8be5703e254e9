"""Reading the registry of threads, with their blockers."""

from __future__ import annotations

from collections.abc import Sequence

from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.thread import Thread
from engramforge.model.scope import Scope
from engramforge.registries.entry_reading import EntryReading
from engramforge.registries.threads.thread_view import blockers_of, thread_of


class ThreadReading(EntryReading[Thread]):
    """Finds and shows threads."""

    kind = Kind.THREAD

    def shown(
        self, scope: Scope, memories: Sequence[Memory], scores: Sequence[float] | None = None
    ) -> list[Thread]:
        """Records of threads with their blockers as these are now."""
        blockers = blockers_of(self.door, scope, memories)
        each = scores if scores is not None else [None] * len(memories)
        return [thread_of(memory, blockers, score) for memory, score in zip(memories, each, strict=True)]
