"""Reading the registry of threads, with their blockers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.thread import Thread
from engramforge.model.scope import Scope
from engramforge.registries.entry_reading import EntryReading
from engramforge.registries.threads.thread_view import blockers_of, thread_of


class ThreadReading(EntryReading[Thread]):
    """Finds and shows threads."""

    kind = Kind.THREAD

    def _view(self, scope: Scope, memories: Sequence[Memory]) -> Callable[[Memory, float | None], Thread]:
        return partial(thread_of, blockers=blockers_of(self.door, scope, memories))
