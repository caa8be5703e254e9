"""Which folders are watched: a mark of the store, so that they move with it; each agent has its own."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from engramforge.capture.imports.describing import named_after
from engramforge.capture.reading.sources import is_utf8
from engramforge.core.checks.identities import path_holds_secret
from engramforge.core.checks.validation import check_name
from engramforge.errors import InvalidSource, InvalidValue, NotFound
from engramforge.model.scope import Scope
from engramforge.model.storing.watching import WatchedFolder
from engramforge.model.time import parse_time
from engramforge.store.door import Door

_MARK: Final = "watch:folders:{}"
MOST_FOLDERS: Final = 100


@dataclass(frozen=True, slots=True)
class Remembered:
    """The watched folders of an agent. `excluded`: projects of which nothing is captured."""

    door: Door
    clock: Callable[[], datetime]
    scope: Scope
    excluded: Collection[str] = ()

    def folders(self) -> tuple[WatchedFolder, ...]:
        """All of them, by path."""
        mark = self.door.asking(self.scope).mark(_MARK.format(self.scope.agent)) or {}
        return tuple(_folder_of(path, mark[path]) for path in sorted(mark))

    def add(self, path: Path, project: str | None = None) -> WatchedFolder:
        """Remember a folder, or whose memories its files become from now on; nothing is read yet.

        `project`: by default the one that it has, else the folder's name.

        Raises NotFound: there is no such path; InvalidSource: it is no folder; InvalidValue: the project is excluded
        or its name not sound, the path holds a secret, or there are too many.
        """
        try:
            place = path.expanduser().resolve(strict=True)
            device = place.stat().st_dev
        except (OSError, RuntimeError, ValueError) as error:
            raise NotFound(f"There is no folder {str(path)[:500]!r}", "Check the path") from error
        if not place.is_dir():
            raise InvalidSource(f"{place} is no folder", "Watch the folder that it is in")
        if not is_utf8(str(place)):
            raise InvalidSource("The path is not UTF-8", "Rename the folder")
        if path_holds_secret(str(place)):
            raise InvalidValue("The path holds a secret, and is kept as it is", "Rename the folder")
        there = {folder.path: folder for folder in self.folders()}
        before = there.get(str(place))
        if before is None and len(there) >= MOST_FOLDERS:
            raise InvalidValue(f"{len(there):,} folders are watched already", "Remove some")
        if project is None:
            project = before.project if before is not None else named_after(place)
        project = check_name(project, "project")
        if project in self.excluded:
            raise InvalidValue(
                f"The project {project!r} is excluded, so nothing of it is remembered",
                "Name another project, or take it out of excluded_projects",
            )
        added_at = before.added_at if before is not None else self.clock()
        folder = WatchedFolder(path=str(place), project=project, added_at=added_at, device=device)
        self._save({**there, folder.path: folder})
        return folder

    def remove(self, path: Path) -> WatchedFolder:
        """Watch a folder no longer; what came from it stays. Raises NotFound."""
        gone = self.named(path)
        self._save({each.path: each for each in self.folders() if each != gone})
        return gone

    def named(self, path: Path) -> WatchedFolder:
        """The watched folder at a path, whether or not it is there. Raises NotFound."""
        there = {folder.path: folder for folder in self.folders()}
        with suppress(RuntimeError):  # the folder of a user that there is not
            path = path.expanduser()
        for name in (str(path.absolute()), os.path.realpath(path)):
            if name in there:
                return there[name]
        raise NotFound(
            f"{str(path)[:500]!r} is no watched folder", "See them with `engramforge watch --list`"
        )

    def _keep_device(self, folder: WatchedFolder, device: int) -> None:
        """Remember the file system that a folder is on now, if it is still watched."""
        there = {each.path: each for each in self.folders()}
        if folder.path in there:
            self._save({**there, folder.path: replace(folder, device=device)})

    def is_there(self, folder: WatchedFolder) -> tuple[int, int] | None:
        """The file system and number of a folder, by which one that came again is known; None if it is missing.

        A place on another file system in which nothing lies is what an unmounted one leaves.
        """
        try:
            found = os.stat(folder.path)
            if not stat.S_ISDIR(found.st_mode):
                return None
            if found.st_dev != folder.device:
                with os.scandir(folder.path) as entries:
                    if next(entries, None) is None:
                        return None
                self._keep_device(folder, found.st_dev)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _save(self, folders: dict[str, WatchedFolder]) -> None:
        value = {path: _as_mark(folder) for path, folder in sorted(folders.items())}
        key = _MARK.format(self.scope.agent)
        self.door.write(self.scope, lambda writes: writes.save_mark(key, value or None))


def _as_mark(folder: WatchedFolder) -> dict[str, Any]:
    return {"project": folder.project, "added_at": folder.added_at.isoformat(), "device": folder.device}


def _folder_of(path: str, kept: Any) -> WatchedFolder:
    return WatchedFolder(
        path=path,
        project=str(kept["project"]),
        added_at=parse_time(kept["added_at"]),
        device=int(kept.get("device", 0)),
    )
