"""What was written where, kept in the home, so that a connection can be taken back byte for byte.

<home>/connections/claude-code.json names, for each connection, its files: what they were (a copy beside it), the digest
of what was written, and the folders that had to be made.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from engramforge.errors import InvalidSource, StoreUnavailable
from engramforge.faces.connections.edits import Edit, parse, read, same

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
            found = parse(self._file, read(self._file), to_write=False).get("connections", [])
            if not isinstance(found, list):
                raise TypeError("connections are no list")
            return list(map(_connection, found))
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
        _make(self.folder, 0o700)
        files = {path: file for path, file in earlier.items() if not any(str(e.path) == path for e in edits)}
        elsewhere = {file.path: file for each in others for file in each.files}
        for edit in edits:
            place = str(edit.path)
            its, theirs = earlier.get(place), elsewhere.get(place)
            files[place] = self._keep(edit, its, theirs, strip, connection.project or "")
        self._save([*others, replace(connection, files=tuple(files.values()))])
        for edit in edits:
            if edit.changes:
                _make(edit.path.parent, 0o755)
                edit.write()

    def _keep(
        self, edit: Edit, earlier: KeptFile | None, other: KeptFile | None, strip: Strip, project: str
    ) -> KeptFile:
        """`earlier`: what this connection kept of the file; `other`: what another one did that stands."""
        after = _digest(edit.after)
        if earlier is not None and edit.before is not None and earlier.after == _digest(edit.before):
            return replace(earlier, after=after)  # nobody else wrote it since: what it was before us stands
        if earlier is None and other is not None and other.after == _digest(edit.before):
            was = self.backup(other)
        else:
            known = None if earlier is None else self.backup(earlier)
            was = strip(edit.path, edit.before, edit.before if known is None else known)
        made = tuple(str(folder) for folder in edit.path.parents if not folder.exists())
        if was is None:
            return KeptFile(str(edit.path), None, after, made)
        # The state of Claude Code is one file of all connections, each of which has its own copy.
        name = f"{sha256(f'{edit.path}{project}'.encode()).hexdigest()[:8]}-{edit.path.name}"
        Edit(self.folder / name, read(self.folder / name), was).write()
        return KeptFile(str(edit.path), name, after, made)

    def take_back(self, connection: Connection, strip: Strip, seen: Mapping[str, bytes | None]) -> list[Edit]:
        """The edits that take a connection back: to the byte, or where others wrote since without our entries.

        `seen`: what files are then where another connection is taken back before.
        """
        edits = []
        for file in connection.files:
            path = Path(file.path)
            now = seen[file.path] if file.path in seen else read(path)
            if now is None:
                continue
            was = self.backup(file)
            if _digest(now) != file.after or (was is None and file.backup is not None):
                left = strip(path, now, was)
                is_lost = was is None and file.backup is not None
                # What others wrote stays. Where nothing but the layout differs, it is as it was.
                if left is not None and (is_lost or not same(parse(path, left), parse(path, was))):
                    was = left
            edits.append(Edit(path, now, was))
        return edits

    def backup(self, file: KeptFile) -> bytes | None:
        """What a file was before us; None for no file, and where the copy is gone."""
        return None if file.backup is None else read(self.folder / file.backup)

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


def _make(folder: Path, mode: int) -> None:
    """Raises StoreUnavailable: it cannot be made."""
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
    except OSError as error:
        fault = f"The folder {folder} cannot be made ({error.strerror or error})"
        raise StoreUnavailable(fault, f"Check what is there and its permissions: ls -ld {folder}") from error


def _connection(told: Any) -> Connection:
    """Raises KeyError, TypeError: it is none."""
    found = Connection(**{**told, "files": tuple(map(_kept_file, told["files"]))})
    _check(found.way in ("settings", "plugin"), "way", found.way)
    _check(found.hooks in ("command", "http"), "hooks", found.hooks)
    _check(found.project is None or _is_place(found.project), "project", found.project)
    return found


def _kept_file(told: Any) -> KeptFile:
    found = KeptFile(**{**told, "made_folders": tuple(told["made_folders"])})
    _check(isinstance(told["made_folders"], list), "made_folders", found.made_folders)
    _check(_is_place(found.path), "path", found.path)
    named = (
        isinstance(found.backup, str) and Path(found.backup).name == found.backup and "\0" not in found.backup
    )
    _check(found.backup is None or named, "backup", found.backup)
    _check(isinstance(found.after, str), "after", found.after)
    _check(all(map(_is_place, found.made_folders)), "made_folders", found.made_folders)
    return found


def _is_place(told: object) -> bool:
    return isinstance(told, str) and told.startswith("/") and "\0" not in told


def _check(holds: bool, name: str, told: object) -> None:
    if not holds:
        raise TypeError(f"{name} is {repr(told)[:100]}")


def _digest(content: bytes | None) -> str:
    return "" if content is None else sha256(content).hexdigest()
