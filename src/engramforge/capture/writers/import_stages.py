"""The stages that a writer works with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engramforge.capture.reading.format import Context
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount
from engramforge.model.memory import Draft
from engramforge.model.scope import Scope
from engramforge.registries.entry_changes import EntryChanges
from engramforge.store.door import Door
from engramforge.writing.intake import Intake
from engramforge.writing.revision import Revision


@dataclass(frozen=True, slots=True)
class ImportStages:
    """The wired stages of writers.

    Parameters
    ----------
    door : the store.
    intake : writes new memories.
    revision : writes new versions.
    changes : writes changes of registries' entries.
    clock : the time of a write, timezone-aware.
    excluded : projects of which nothing is imported.
    """

    door: Door
    intake: Intake
    revision: Revision
    changes: EntryChanges
    clock: Callable[[], datetime]
    excluded: frozenset[str] = frozenset()

    def known_origins(self, scope: Scope, project: str, keys: Sequence[bytes]) -> Mapping[bytes, str | None]:
        """Origin keys that the store has -> logical ids; None for forgotten ones."""
        return self.door.asking(scope).known_origins(project, keys) if keys else {}

    def origin_key(self, scope: Scope, draft: Draft) -> bytes:
        """The key of a draft that has an origin."""
        key = self.intake.origin_key(scope, draft)
        assert key is not None
        return key


Writer = Callable[[ImportStages, Scope, ImportSource, Context, FileCount], Iterator[Item]]
"""Writes a source, accounts for all of it, its `changes` included, and yields an item for each record, for progress and
faults."""
Screen = Callable[[Item], Item]
"""Removes from an item what the store already has, or what it changed there itself."""
MakeScreen = Callable[[ImportStages, Scope, ImportSource, Context], Screen]
