"""Verbs of sync, as `forge.sync`: which sources are remembered, and a run over them; and of watched folders, as
`forge.watching`, whose files are remembered as they change."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from engramforge.errors import Stopped, WorldError
from engramforge.forge.scoped import ScopedVerbs

if TYPE_CHECKING:
    from engramforge.capture.sync.syncing import Syncing
    from engramforge.capture.watching.following import Stop
    from engramforge.capture.watching.watching import Watching
    from engramforge.model.storing.import_survey import ImportProgress
    from engramforge.model.storing.sync import SyncReport, SyncSource
    from engramforge.model.storing.watching import WatchedFolder, WatchNews

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


class WatchingVerbs(ScopedVerbs):
    """Folders of texts that are watched: what is saved, moved or deleted there is remembered at once."""

    def add(self, path: Place, *, project: str | None = None) -> WatchedFolder:
        """Remember a folder to watch; nothing is read yet. Repeating it changes its project.

        `project`: whose memories its files become; by default the one that it has, else the folder's name. Who watches
        already follows it within seconds.

        Raises NotFound: there is no such path; InvalidSource: it is no folder; InvalidValue: the project is excluded.
        """
        return self._watching.remembered.add(Path(path), project)

    def remove(self, path: Place) -> WatchedFolder:
        """Watch a folder no longer; what came from it stays. Raises NotFound."""
        return self._watching.remembered.remove(Path(path))

    def folders(self) -> tuple[WatchedFolder, ...]:
        """The agent's watched folders, by path."""
        return self._watching.remembered.folders()

    def scan(
        self, path: Place | None = None, *, progress: Callable[[ImportProgress], None] | None = None
    ) -> tuple[WatchNews, ...]:
        """Compare all watched folders, or one, with the store once, and write what changed meanwhile.

        Raises NotFound: it is not watched, or not there; Conflict: another process watches, which does that itself.
        """
        told = self._watching.scan(None if path is None else Path(path), progress)
        self._learn(sum(each.written + each.superseded + each.ended for news in told for each in news.files))
        return told

    def watch(
        self,
        stop: Stop,
        report: Callable[[WatchNews], None],
        *,
        progress: Callable[[ImportProgress], None] | None = None,
    ) -> None:
        """Compare all folders with the store, then follow what happens in them until `stop` is set.

        `stop`: such as a `threading.Event`. `report`: called with whatever there is to tell, in the thread that
        watches. Folders that are added or removed meanwhile, by any process, are followed or left within seconds; while
        there are none it waits for some.

        Raises Conflict: another process watches.
        """
        self._watching.watch(stop, report, progress, self._learn)

    def _learn(self, written: int) -> None:
        """Bring up to date what depends on memories, as an import does."""
        if not written:
            return
        with suppress(WorldError, Stopped):
            self._stages.calibrating.fit_when_due(self._scope, written)
            self._stages.relations.learn_when_due(self._scope)
        self._place()

    @cached_property
    def _watching(self) -> Watching:
        return self._stages.watching(self._scope)
