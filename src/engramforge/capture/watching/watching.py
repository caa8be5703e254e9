"""Watched folders of an agent: remembered, compared with the store, and watched until somebody says stop.

One process watches for a store and agent, by a lock that goes with it. Everything that is written is found again by a
comparison, which each start begins with; so what a process had not written when it ended, however it ended, is written
by the next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from engramforge.capture.sync.alone import alone
from engramforge.capture.watching.following import Followed, Following, Stop
from engramforge.capture.watching.pending import Pace
from engramforge.capture.watching.remembered import Remembered
from engramforge.capture.watching.taking import Taking
from engramforge.errors import Conflict, NotFound
from engramforge.model.scope import Scope
from engramforge.model.storing.import_survey import ImportProgress
from engramforge.model.storing.watching import Watch, WatchedFolder, WatchNews
from engramforge.store.door import Door
from engramforge.writing.redact import Redactor

if TYPE_CHECKING:
    from engramforge.capture.imports.importing import Importing

Progress = Callable[[ImportProgress], None] | None


@dataclass(frozen=True, slots=True)
class Watching:
    """The watched folders of an agent.

    `make_importing`: builds what writes them, at the first use. `folder`: the folder of the lock; created if missing.
    `redactor`: takes secrets out of what is told. `excluded`: projects of which nothing is captured.
    """

    door: Door
    clock: Callable[[], datetime]
    make_importing: Callable[[], Importing]
    scope: Scope
    folder: Path
    redactor: Redactor
    excluded: Collection[str] = ()
    pace: Pace = field(default_factory=Pace)

    @property
    def remembered(self) -> Remembered:
        """Which folders those are."""
        return Remembered(self.door, self.clock, self.scope, self.excluded)

    def scan(self, path: Path | None, progress: Progress = None) -> tuple[WatchNews, ...]:
        """Compare watched folders, or one of them, with the store, and write what changed while nobody watched.

        Raises NotFound: it is not watched, or is not there; Conflict: another process watches.
        """
        folders = self.remembered.folders()
        asked = folders if path is None else (self.remembered.named(path),)
        with self._alone():
            return tuple(self._scanned(each, folders, progress) for each in asked)

    def _scanned(
        self, folder: WatchedFolder, folders: tuple[WatchedFolder, ...], progress: Progress
    ) -> WatchNews:
        began = monotonic()
        if self.remembered.is_there(folder) is None:
            raise NotFound(f"The folder {folder.path} is not there", "Bring it back, or remove it")
        taking = Taking(self.make_importing(), self.scope, folders)
        taken = taking.take(folder, [folder.path], progress=progress)
        files = list(taken.files)
        for whole, format_ in taken.wholes.items():
            files += taking.take_whole(folder, whole, format_, progress).files
        return WatchNews(
            folder=folder.path, about=Watch.SCANNED, files=tuple(files), seconds=monotonic() - began
        )

    def watch(
        self,
        stop: Stop,
        report: Callable[[WatchNews], None],
        progress: Progress = None,
        learn: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Compare all folders with the store, then follow what happens in them, until `stop` is set.

        Folders that are added or removed meanwhile, by any process, are followed or left within seconds.
        `learn`: called when it is quiet, with how many memories were written or ended since the last time.

        Raises Conflict: another process watches.
        """
        with self._alone():
            followed = Followed(self.scope, self.redactor, self.make_importing, self.pace, self.remembered)
            Following(followed, stop, report, progress, learn).run()

    def _alone(self) -> AbstractContextManager[None]:
        taken = Conflict(
            "Another process watches the folders of this store",
            "It takes in what is added within seconds; stop it to watch from here",
        )
        return alone(self.door, self.scope, self.folder, "watch", taken)
