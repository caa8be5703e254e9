"""Follows what happens in watched folders; what cannot be written yet waits."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final

from engramforge.capture.imports.survey import is_markdown
from engramforge.capture.reading.sources import is_left_out_by_name
from engramforge.capture.watching.pending import Pace, Pending, home_of, is_asked, is_in, outermost
from engramforge.capture.watching.taking import Taken, Taking
from engramforge.errors import CallerError, Conflict, EngramforgeError, WorldError
from engramforge.model.scope import Scope
from engramforge.model.storing.import_survey import ImportProgress
from engramforge.model.storing.watching import FileNews, Watch, WatchedFolder, WatchNews
from engramforge.writing.redact import Redactor

if TYPE_CHECKING:
    from engramforge.capture.imports.importing import Importing
    from engramforge.capture.watching.remembered import Remembered

Stop = Event
"""Says when to end."""
_STEP_MS: Final = 50
_GROUPED_MS: Final = 200
_AGAIN_S: Final = 0.3
_STORM: Final = 5_000
"""After so many events in a burst the system may have dropped some, so the folders are compared."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What is followed, and for whom; as in `Watching`."""

    scope: Scope
    redactor: Redactor
    make_importing: Callable[[], Importing]
    pace: Pace
    remembered: Remembered


class Following:
    """One run of watching; see `Watching.watch`."""

    def __init__(
        self,
        watched: Followed,
        stop: Stop,
        report: Callable[[WatchNews], None],
        progress: Callable[[ImportProgress], None] | None,
        learn: Callable[[int], None],
    ) -> None:
        self._watched = watched
        self._pace = watched.pace
        self._stop = stop
        self._report = report
        self._progress = progress
        self._learn = learn
        self._pending = Pending(watched.pace)
        self._folders: tuple[WatchedFolder, ...] = ()
        self._there: dict[str, tuple[int, int]] = {}
        self._unscanned: set[str] = set()
        self._away: dict[str, float] = {}
        self._ended: set[str] = set()
        self._missing: dict[str, float] = {}
        self._wholes: dict[str, str] = {}
        self._taking = self._made_taking()
        self._events = 0
        self._written = 0
        self._not_before = 0.0
        self._retry_s = 0.0

    def run(self) -> None:
        """Follow all folders until it is stopped."""
        while not self._stop.is_set():
            self._look_for_folders()
            if self._there:
                self._follow(outermost(self._there))
            else:
                self._stop.wait(self._pace.look)

    def _follow(self, roots: list[str]) -> None:
        """Follow these folders until others are to be followed, or it is stopped."""
        from watchfiles import watch

        events = watch(
            *roots,
            watch_filter=None,
            debounce=_GROUPED_MS,
            step=_STEP_MS,
            stop_event=self._stop,
            rust_timeout=2 * _STEP_MS,
            yield_on_timeout=True,
            ignore_permission_denied=True,
        )
        looked_at = monotonic()
        while True:
            try:
                reported = next(events, None)
            except FileNotFoundError:  # one of them went just now
                self._stop.wait(self._pace.settle)
                return
            except (OSError, RuntimeError) as error:
                self._poll(roots, str(error))
                return
            if reported is None:
                return
            now = monotonic()
            self._events += len(reported)
            self._pending.add(self._relevant(path for _, path in reported), now)
            self._work(now)
            if now - looked_at >= self._pace.look:
                looked_at = now
                if self._look_for_folders():
                    return

    def _poll(self, roots: Collection[str], fault: str) -> None:
        """Compare folders now and then where the system sends no events, as where its limit of watches is reached."""
        for root in roots:
            self._tell(root, Watch.POLLING, fault=fault)
        at = monotonic()
        while not self._stop.wait(self._pace.settle):
            now = monotonic()
            if now >= at:
                if self._look_for_folders():
                    return
                self._pending.put_back(self._there, now)
                at = now + self._pace.poll
            self._work(now)

    def _relevant(self, paths: Iterable[str]) -> Iterator[str]:
        """Reported paths that may be of text files or of folders that have some."""
        globs = self._taking.importing.globs
        for path in paths:
            home = home_of(path, self._there)
            if home is None:
                # A folder above, which stands for those in it.
                yield from (root for root in self._there if is_in(root, path))
                continue
            relative = PurePath(path).relative_to(home)
            if any(map(is_left_out_by_name, relative.parts)):
                continue
            if path == home or is_markdown(relative, globs) or not os.path.isfile(path):
                yield path

    # What there is.

    def _look_for_folders(self) -> bool:
        """Look which folders are remembered and there; returns whether that changed, all are then to be compared."""
        remembered, now = self._watched.remembered, monotonic()
        there: dict[str, tuple[int, int]] = {}
        try:
            folders = remembered.folders()
            for folder in folders:
                if (place := remembered.is_there(folder)) is not None:
                    there[folder.path] = place
                else:
                    self._is_away(folder, now)
        except (WorldError, Conflict) as error:
            self._wait(error, self._there, now)
            return False
        for path in set(self._away) & set(there):
            del self._away[path]
            self._ended.discard(path)
            self._tell(path, Watch.BACK)
        if (folders, there) == (self._folders, self._there):
            return False
        before = {folder.path: folder.project for folder in self._folders if folder.path in self._there}
        self._unscanned |= {each.path for each in folders if before.get(each.path) != each.project} & set(
            there
        )
        self._folders, self._there = folders, there
        self._taking = self._made_taking()
        self._wholes.clear()
        self._pending.put_back(there, now)
        return True

    def _is_away(self, folder: WatchedFolder, now: float) -> None:
        """Note that a folder is missing; if it stays so beside a parent that is there, it was deleted."""
        if folder.path not in self._away:
            self._away[folder.path] = now
            self._tell(folder.path, Watch.AWAY)
        stays = now - self._away[folder.path] >= self._pace.away
        if stays and folder.path not in self._ended and _is_beside(folder):
            began = monotonic()
            taken = self._taking.end_all(folder)
            self._ended.add(folder.path)
            self._written += taken.written
            self._tell(folder.path, Watch.GONE, taken.files, monotonic() - began)

    def _made_taking(self) -> Taking:
        importing, scope = self._watched.make_importing(), self._watched.scope
        return Taking(importing, scope, self._folders, wanted=lambda: not self._stop.is_set())

    # What is done.

    def _work(self, now: float) -> None:
        """Do what is due."""
        if now < self._not_before:
            return
        is_quiet = self._pending.is_quiet(now)
        if is_quiet and self._events >= _STORM:
            self._pending.put_back(self._there, now)
            self._events = 0
        try:
            if due := self._pending.due(now):
                self._take_all(due, now, is_quiet)
            elif not self._pending and self._pending.is_quiet(now - self._pace.whole):
                self._events = 0
                while self._wholes and not self._stop.is_set():
                    path, format_ = next(iter(self._wholes.items()))
                    self._take_whole(path, format_)
                    del self._wholes[path]
                if self._written:
                    self._learn(self._written)
                    self._written = 0
        except (WorldError, Conflict) as error:
            self._wait(error, (), now)
        else:
            self._retry_s = 0.0

    def _take_all(self, due: Collection[str], now: float, is_quiet: bool) -> None:
        """Look at paths, folder by folder; all are looked at again if the store cannot be written."""
        by_home: dict[str, list[str]] = {}
        for path in due:
            if (home := home_of(path, self._there)) is not None:
                by_home.setdefault(home, []).append(path)
        waiting = set(due)
        # One that somebody removed just now is not taken in any more.
        remembered = {folder.path for folder in self._watched.remembered.folders()}
        try:
            for folder in self._folders:
                if folder.path in by_home and folder.path in remembered:
                    self._take(folder, by_home[folder.path], now, is_quiet)
                    waiting.difference_update(by_home[folder.path])
        except EngramforgeError:
            self._pending.put_back(waiting, now)
            raise

    def _take(self, folder: WatchedFolder, asked: list[str], now: float, is_quiet: bool) -> None:
        began, is_all = monotonic(), folder.path in asked
        if is_all:
            asked = [folder.path]
            for path in [path for path in self._taking.wholes if is_in(path, folder.path)]:
                del self._taking.wholes[path]

        def believes(path: str) -> bool:
            since = self._missing.setdefault(path, now)
            return is_all or (is_quiet and now - since >= self._pace.gone)

        taken = self._taking.take(folder, asked, believes, self._progress if is_all else None)
        wanted = set(asked)
        self._missing = {
            path: at
            for path, at in self._missing.items()
            if path in taken.again or not is_asked(path, wanted)
        }
        self._pending.put_back(taken.again, now + _AGAIN_S)
        self._written += taken.written
        files = list(taken.files)
        if is_all and folder.path in self._unscanned:
            for path, format_ in taken.wholes.items():
                files += self._whole(folder, path, format_).files
            self._unscanned.discard(folder.path)
            self._tell(folder.path, Watch.SCANNED, files, monotonic() - began)
        else:
            self._wholes |= taken.wholes
            if files:
                self._tell(folder.path, Watch.CHANGES, files, monotonic() - began)

    def _take_whole(self, path: str, format_: str) -> None:
        folder = next((each for each in self._folders if each.path == home_of(path, self._there)), None)
        if folder is None:
            return
        began = monotonic()
        if files := self._whole(folder, path, format_).files:
            self._tell(folder.path, Watch.CHANGES, files, monotonic() - began)

    def _whole(self, folder: WatchedFolder, path: str, format_: str) -> Taken:
        try:
            taken = self._taking.take_whole(folder, path, format_, self._progress)
        except Conflict:
            raise
        except (CallerError, OSError) as error:
            # It is none any more, or cannot be read; what can be is taken file by file.
            self._tell(folder.path, Watch.CHANGES, fault=str(error))
            return Taken()
        self._written += taken.written
        return taken

    def _wait(self, error: EngramforgeError, paths: Iterable[str], now: float) -> None:
        """Try again later, each time later; what waits stays pending."""
        self._pending.put_back(paths, now)
        if not self._retry_s:
            for path in outermost(self._there):
                self._tell(path, Watch.WAITING, fault=str(error))
        self._retry_s = min(max(2 * self._retry_s, 0.5), self._pace.longest_retry)
        self._not_before = now + self._retry_s

    def _tell(
        self,
        path: str,
        about: Watch,
        files: Iterable[FileNews] = (),
        seconds: float = 0.0,
        *,
        fault: str = "",
    ) -> None:
        said = self._watched.redactor.redact(fault).text if fault else ""
        self._report(WatchNews(folder=path, about=about, files=tuple(files), fault=said, seconds=seconds))


def _is_beside(folder: WatchedFolder) -> bool:
    """Whether a missing folder's parent is there, on the file system that the folder was on."""
    try:
        return os.stat(os.path.dirname(folder.path)).st_dev == folder.device
    except OSError:
        return False
