"""Verbs of sync, as `forge.sync`: which sources are remembered, and a run over them."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from engramforge.forge.scoped import ScopedVerbs

if TYPE_CHECKING:
    from engramforge.capture.sync.syncing import Syncing
    from engramforge.model.storing.import_survey import ImportProgress
    from engramforge.model.storing.sync import SyncReport, SyncSource

Place = str | os.PathLike[str]


class SyncVerbs(ScopedVerbs, relating=("run",)):
    """Sources that are imported repeatedly: folders of exports, transcripts, vaults."""

    def add(self, path: Place, *, project: str | None = None, format: str | None = None) -> SyncSource:  # noqa: A002
        """Remember a file or folder as a source; nothing is read yet. Repeating it changes how it is imported.

        `project`, `format`: as of `import_path`.

        Raises NotFound: there is no such path; InvalidValue: there is no such format.
        """
        return self._syncing.add(Path(path), project, format)

    def remove(self, path: Place) -> SyncSource:
        """Forget a source; what came from it stays. Raises NotFound."""
        return self._syncing.remove(Path(path))

    def sources(self) -> tuple[SyncSource, ...]:
        """The agent's sources by path, with the time and error of their last run."""
        return self._syncing.sources()

    def run(self, *, progress: Callable[[ImportProgress], None] | None = None) -> SyncReport:
        """Import what is new in all sources. An unreadable one is reported, and the others continue.

        Raises Conflict: another run over this store's sources is going on; StoreUnavailable: the lock in the home
        folder cannot be created.
        """
        return self._syncing.run(progress)

    @cached_property
    def _syncing(self) -> Syncing:
        return self._stages.syncing(self._scope)
