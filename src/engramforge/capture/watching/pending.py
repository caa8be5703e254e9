"""A burst of reported paths, until it is over: pure, so that every interleaving can be tried.

A report is a hint and nothing more: it says that something may have changed at a path or beneath it. What happened is
found by comparing what is there with what the store knows once the burst is over, so that a file that was written
through another one, or deleted and created again, is one change however many events that made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Final

MOST_PATHS: Final = 5_000
"""So many paths wait by themselves; of more, the folders above them are looked at as wholes."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to wait, in seconds.

    `settle`: without events, until a burst is over. `longest`: from its first event, until what is there is taken
    although it goes on. `gone`: until a missing file is taken for deleted, since some editors delete and create again.
    `look`: between looks at which folders there are. `away`: until a missing folder is taken for deleted. `whole`:
    without events, until a folder that is read as a whole is read. `poll`: between comparisons where there are no
    events. `longest_retry`: the longest wait for a store that cannot be written.
    """

    settle: float = 0.15
    longest: float = 1.0
    gone: float = 0.6
    look: float = 2.0
    away: float = 60.0
    whole: float = 1.0
    poll: float = 30.0
    longest_retry: float = 30.0


@dataclass(slots=True)
class Pending:
    """Paths that were reported and not yet looked at. Times are seconds of one steady clock."""

    pace: Pace = field(default_factory=Pace)
    _paths: dict[str, float] = field(default_factory=dict)
    """Path -> since when it may be looked at."""
    _first: float = 0.0
    _last: float = 0.0

    def __bool__(self) -> bool:
        return bool(self._paths)

    def add(self, paths: Iterable[str], now: float) -> None:
        """Take reported paths."""
        for path in paths:
            if not self._paths:
                self._first = now
            self._paths[path] = now
            self._last = now
        self._bound(now)

    def put_back(self, paths: Iterable[str], at: float) -> None:
        """Take paths that are to be looked at again, not before a time; a report may come before it."""
        for path in paths:
            if not self._paths:
                self._first = at
            self._paths.setdefault(path, at)
        self._bound(at)

    def is_quiet(self, now: float) -> bool:
        """Whether the last burst is over."""
        return now - self._last >= self.pace.settle

    def due(self, now: float) -> tuple[str, ...]:
        """The paths to look at now, which are then no longer pending; none while a burst goes on, unless for long."""
        if not self._paths or not (self.is_quiet(now) or now - self._first >= self.pace.longest):
            return ()
        due = tuple(sorted(path for path, at in self._paths.items() if at <= now))
        for path in due:
            del self._paths[path]
        self._first = now
        return due

    def _bound(self, now: float) -> None:
        """Let the folders above stand for very many paths, one level at a time."""
        while len(self._paths) > MOST_PATHS:
            deepest = max(path.count("/") for path in self._paths)
            lifted = {path if path.count("/") < deepest else _above(path) for path in self._paths}
            self._paths = dict.fromkeys(lifted, now)


def _above(path: str) -> str:
    return str(PurePosixPath(path).parent)


def home_of(path: str, folders: Iterable[str]) -> str | None:
    """The innermost of the folders in which a path lies, or which it is; None if it lies in none."""
    return max((each for each in folders if is_in(path, each)), key=len, default=None)


def is_in(path: str, folder: str) -> bool:
    """Whether a path is a folder or lies in it."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")


def outermost(folders: Iterable[str]) -> list[str]:
    """The folders that lie in no other of them."""
    found: list[str] = []
    for folder in sorted(folders):
        if not found or not is_in(folder, found[-1]):
            found.append(folder)
    return found


def is_asked(path: str, asked: Collection[str]) -> bool:
    """Whether a path or a folder above it was reported; `asked` is looked up, not gone through."""
    while path not in asked:
        above = _above(path)
        if above == path:
            return False
        path = above
    return True


def moves(come: Mapping[str, str], gone: Mapping[str, str]) -> dict[str, str]:
    """New path -> old path of files that moved: what came says what another, which is gone, said.

    `come`, `gone`: path -> digest of the content. Of several equal ones those of the same name go together, then in
    order; each is paired once.
    """
    by_digest: dict[str, list[str]] = {}
    for path, digest in sorted(gone.items()):
        by_digest.setdefault(digest, []).append(path)
    found: dict[str, str] = {}
    for is_named in (True, False):
        for path, digest in sorted(come.items()):
            waiting = by_digest.get(digest, [])
            name = path.rpartition("/")[2]
            fitting = (each for each in waiting if not is_named or each.rpartition("/")[2] == name)
            if path not in found and (before := next(fitting, None)) is not None:
                waiting.remove(before)
                found[path] = before
    return found
