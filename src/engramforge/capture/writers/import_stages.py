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
from engramforge.store.door import Door
from engramforge.writing.changes import VersionChanges
from engramforge.writing.intake import Intake
from engramforge.writing.preparing import Preparation
from engramforge.writing.revision import Revision


@dataclass(frozen=True, slots=True)
class ImportStages:
    """The wired stages of writers.

    `changes`: plans new versions of memories and entries, and commits them. `intake`: writes new memories. `revision`:
    writes new versions of plain memories. `excluded`: projects of which nothing is imported.
    """

    changes: VersionChanges
    intake: Intake
    revision: Revision
    excluded: frozenset[str] = frozenset()

    @property
    def door(self) -> Door:
        """The store."""
        return self.changes.door

    @property
    def preparation(self) -> Preparation:
        """Checks, redacts and encodes drafts."""
        return self.changes.preparation

    @property
    def clock(self) -> Callable[[], datetime]:
        """The time of a write, timezone-aware."""
        return self.changes.clock

    def known_origins(self, scope: Scope, project: str, keys: Sequence[bytes]) -> Mapping[bytes, str | None]:
        """Origin keys that the store has -> logical ids; None for forgotten ones."""
        return self.door.asking(scope).known_origins(project, keys) if keys else {}

    def origin_key(self, scope: Scope, draft: Draft) -> bytes:
        """The key of a draft that has an origin."""
        key = self.preparation.origin_key(scope, draft)
        assert key is not None
        return key


Writer = Callable[[ImportStages, Scope, ImportSource, Context, FileCount], Iterator[Item]]
"""Writes a source, accounts for all of it, its `changes` included, and yields an item for each record, for progress and
faults."""
Screen = Callable[[Item], Item]
"""Removes from an item what the store already has, or what it changed there itself."""
MakeScreen = Callable[[ImportStages, Scope, ImportSource, Context], Screen]
