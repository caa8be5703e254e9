"""What was written where, kept in the home, so that a connection can be taken back byte for byte.

<home>/connections/claude-code.json names, for each connection, its files: what they were (a copy beside it), the digest
of what was written, and the folders that had to be made.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from engramforge.errors import InvalidSource
from engramforge.faces.connections.edits import Edit, parse, read

FOLDER: Final = "connections"
_FILE: Final = "claude-code.json"

Strip = Callable[[Path, bytes | None, bytes | None], bytes | None]
"""A file without our entries, given what it is and what it was before us; None where nothing of it is left and it was
not there before us."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """One file that we wrote, or had Claude Code write: `backup` names the copy of what was there, None for nothing.

    `after`: the digest of what we wrote; empty where we wrote nothing.
    """

    path: str
    backup: str | None
    after: str
    made_folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Connection:
    """One connection: `way` is settings or plugin; `project` a folder, None for the user."""

    way: str
    project: str | None
    hooks: str = "command"
    files: tuple[KeptFile, ...] = ()


class Kept:
    """The connections of one home."""

    def __init__(self, home: Path) -> None:
        self.folder = home / FOLDER
        self._file = self.folder / _FILE

    @property
    def is_kept(self) -> bool:
        """Whether anything is connected by this record."""
        return self._file.exists()

    @property
    def connected_at(self) -> float:
        """When the record was written last, in seconds since 1970. Raises OSError: nothing is connected."""
        return self._file.stat().st_mtime

    def connections(self) -> list[Connection]:
        """All connections that stand. Raises InvalidSource: the record is damaged."""
        try:
            return [
                Connection(**{**each, "files": tuple(map(_kept_file, each["files"]))})
                for each in parse(self._file, read(self._file), to_write=False).get("connections", [])
            ]
        except (KeyError, TypeError) as error:
            raise InvalidSource(
                f"{self._file} is damaged ({error})", "Remove it, then run it again"
            ) from error

    def write(self, edits: list[Edit], connection: Connection, strip: Strip) -> None:
        """Keep what each file was, then write those that change; an earlier connection of the project is replaced."""
        others, earlier = [], {}
        for each in self.connections():
            if each.project == connection.project:
                earlier = {file.path: file for file in each.files}
            else:
                others.append(each)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        files = {path: file for path, file in earlier.items() if not any(str(e.path) == path for e in edits)}
        for edit in edits:
            files[str(edit.path)] = self._keep(edit, earlier.get(str(edit.path)), strip)
        self._save([*others, replace(connection, files=tuple(files.values()))])
        for edit in edits:
            if edit.changes:
                edit.path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
                edit.write()

    def _keep(self, edit: Edit, earlier: KeptFile | None, strip: Strip) -> KeptFile:
        after = _digest(edit.after)
        if earlier is not None and edit.before is not None and earlier.after == _digest(edit.before):
            return replace(earlier, after=after)  # nobody else wrote it since: what it was before us stands
        was = strip(edit.path, edit.before, edit.before)
        made = tuple(str(folder) for folder in edit.path.parents if not folder.exists())
        if was is None:
            return KeptFile(str(edit.path), None, after, made)
        name = f"{sha256(str(edit.path).encode()).hexdigest()[:8]}-{edit.path.name}"
        Edit(self.folder / name, read(self.folder / name), was).write()
        return KeptFile(str(edit.path), name, after, made)

    def take_back(self, connection: Connection, strip: Strip) -> list[Edit]:
        """The edits that take a connection back: to the byte, or where others wrote since without our entries."""
        edits = []
        for file in connection.files:
            path = Path(file.path)
            now = read(path)
            if now is None:
                continue
            was = None if file.backup is None else read(self.folder / file.backup)
            if _digest(now) != file.after:
                left = strip(path, now, was)
                # What others wrote stays. Where nothing but the layout differs, it is as it was.
                if left is not None and parse(path, left) != parse(path, was):
                    was = left
            edits.append(Edit(path, now, was))
        return edits

    def forget(self, connection: Connection) -> None:
        """Remove a connection from the record, its copies, and the folders it made that are empty now."""
        for file in connection.files:
            if file.backup is not None:
                (self.folder / file.backup).unlink(missing_ok=True)
            for made in file.made_folders:
                with suppress(OSError):  # others put something into it
                    Path(made).rmdir()
        left = [each for each in self.connections() if each.project != connection.project]
        if left:
            self._save(left)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
            with suppress(OSError):  # a home that holds anything else stays
                self.folder.parent.rmdir()

    def _save(self, connections: list[Connection]) -> None:
        text = json.dumps({"connections": [asdict(each) for each in connections]}, indent=2) + "\n"
        Edit(self._file, read(self._file), text.encode()).write()


def _kept_file(told: dict[str, Any]) -> KeptFile:
    return KeptFile(**{**told, "made_folders": tuple(told["made_folders"])})


def _digest(content: bytes | None) -> str:
    return "" if content is None else sha256(content).hexdigest()
