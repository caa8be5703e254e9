"""What of a watched folder is there now: the text files at and beneath some paths, and which others are surely gone.

Nothing is taken for gone that could not be looked for: a folder that may not be read hides its files. Names are
compared as the folder lists them, so that a renaming that only changes capitals is seen on file systems that ignore
them. What an import leaves out (`capture/imports/survey`) is left out: what is hidden, packages of others, and links,
so that a ring of them leads nowhere.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Final

from engramforge.capture.formats.table import FORMATS
from engramforge.capture.imports.survey import is_markdown
from engramforge.capture.reading.sources import ImportSource, Listing, is_left_out, is_utf8
from engramforge.capture.watching.pending import is_in
from engramforge.model.storing.record import Fault

WHOLES: Final = ("adr", "obsidian", "engramforge_pages")
"""Formats of folders that are read as a whole, since what a file means there depends on the others."""
_FILE, _FOLDER, _OTHER = "file", "folder", "other"


class Looking:
    """A look at a watched folder; it keeps what it saw, so it is made anew for each.

    `inner`: watched folders inside of it, which it leaves to themselves. `globs`: which files count as texts. `wholes`:
    folder -> its format of `WHOLES`, empty for none, as far as it is known; what is found out is added.
    """

    def __init__(
        self, root: Path, inner: Collection[str], globs: Sequence[str], wholes: dict[str, str]
    ) -> None:
        self.root = str(root)
        self.faults: list[Fault] = []
        self._inner = [path for path in inner if path != self.root and is_in(path, self.root)]
        self._globs = globs
        self._wholes = wholes
        self._names: dict[str, Mapping[str, str] | None] = {}

    def files_at(self, asked: Collection[str]) -> Iterator[ImportSource]:
        """The text files at or beneath paths, each once, in order."""
        seen: set[str] = set()
        for path in sorted(asked):
            if path in seen or self._is_left_out(path):
                continue
            kind = _FOLDER if path == self.root else self._kind(path)
            paths = self._beneath(path) if kind == _FOLDER else [path] if kind == _FILE else []
            for each in paths:
                if each not in seen and (source := self._text(each)) is not None:
                    seen.add(each)
                    yield source

    def is_gone(self, path: str) -> bool:
        """Whether there surely is no such file any more."""
        return not self._is_left_out(path) and self._kind(path) not in (_FILE, None)

    def whole(self, path: str) -> tuple[str, str]:
        """The outermost folder that is read as a whole and has the path, and its format; both empty for none."""
        folder = self.root
        for part in ("", *PurePath(path).relative_to(self.root).parts[:-1]):
            folder = os.path.join(folder, part) if part else folder
            if folder not in self._wholes:
                self._wholes[folder] = self._claim(folder)
            if found := self._wholes[folder]:
                return folder, found
        return "", ""

    def _claim(self, folder: str) -> str:
        names = self._listed(folder) or {}
        files = tuple(sorted(name for name, kind in names.items() if kind != _FOLDER))
        folders = tuple(sorted(name for name, kind in names.items() if kind == _FOLDER))
        listing = Listing(Path(folder), folder == self.root, files, folders)
        try:
            found = (name for name in WHOLES if (claims := FORMATS[name].claims) and claims(listing))
            return next(found, "")
        except OSError:  # one of its files went meanwhile, or may not be read
            return ""

    def _is_left_out(self, path: str) -> bool:
        """Whether a path is none that this folder looks at: of an inner one, hidden, or in a folder never walked."""
        if not is_in(path, self.root) or any(is_in(path, inner) for inner in self._inner):
            return True
        folder = Path(self.root)
        parts = PurePath(path).relative_to(self.root).parts
        for part in parts:
            if is_left_out(folder, part):
                return True
            folder /= part
        return False

    def _kind(self, path: str) -> str | None:
        """What a path is, `other` if nothing is there or a link leads to it; None if that cannot be seen."""
        folder = self.root
        *above, name = PurePath(path).relative_to(self.root).parts
        for part in above:
            names = self._listed(folder)
            if names is None:
                return None
            if names.get(part) != _FOLDER:
                return _OTHER
            folder = os.path.join(folder, part)
        names = self._listed(folder)
        return None if names is None else names.get(name, _OTHER)

    def _listed(self, folder: str) -> Mapping[str, str] | None:
        """The names in a folder and what they are; None if it cannot be read, or is the root and missing."""
        if folder not in self._names:
            try:
                with os.scandir(folder) as entries:
                    self._names[folder] = {entry.name: _kind_of(entry) for entry in entries}
            except (FileNotFoundError, NotADirectoryError):
                self._names[folder] = None if folder == self.root else {}
            except OSError as error:
                self.faults.append(Fault(folder, None, f"The folder cannot be read ({error.strerror})"))
                self._names[folder] = None
        return self._names[folder]

    def _beneath(self, folder: str) -> Iterator[str]:
        """The files of a folder and its folders; deep ones need no deep stack."""
        waiting = [folder]
        while waiting:
            here = waiting.pop()
            inner = []
            for name, kind in sorted((self._listed(here) or {}).items()):
                path = os.path.join(here, name)
                if kind == _FILE and not name.startswith("."):
                    yield path
                elif kind == _FOLDER and not is_left_out(Path(here), name) and path not in self._inner:
                    inner.append(path)
            waiting += reversed(inner)

    def _text(self, path: str) -> ImportSource | None:
        """A text file as a source of its format; None if it is none, or gone again."""
        if not is_markdown(PurePath(path).relative_to(self.root), self._globs):
            return None
        if not is_utf8(path):
            shown = path.encode("utf-8", "backslashreplace").decode()
            self.faults.append(Fault(shown, None, "The file's name is not UTF-8. Rename it."))
            return None
        try:
            return ImportSource.of(Path(path), "markdown")
        except OSError:
            return None


def _kind_of(entry: os.DirEntry[str]) -> str:
    try:
        if entry.is_symlink():
            return _OTHER
        return _FILE if entry.is_file() else _FOLDER if entry.is_dir() else _OTHER
    except OSError:
        return _OTHER
