"""What can be imported: sources, the contents of a folder, and the beginning of a file.

A recogniser sees a `Sample` (a file's name, its first lines, the beginning of the JSON document that it may be) or a
`Listing` (what a folder holds); each part is read at first use, and never more than a megabyte of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, BinaryIO, Final

from engramforge.capture.reading.beginnings import beginning_of
from engramforge.capture.reading.packed import bare, is_packed, open_file
from engramforge.capture.reading.records import parse_json
from engramforge.capture.reading.zips import open_member
from engramforge.model.time import from_micros

_LEFT_OUT: Final = frozenset({"node_modules", "venv", "__pycache__", "site-packages"})
SAMPLE_BYTES: Final = 1 << 20
"""How much of a file is read to recognise it."""
SAMPLE_LINES: Final = 50
"""How many of its lines."""
LINES: Final = (".jsonl", ".ndjson")
"""The suffixes of files with a JSON value a line."""


@dataclass(frozen=True, slots=True)
class ImportSource:
    """A source to import: a file, a member of a zip, or a folder as a whole.

    `path`: resolved; for a zip's member, the zip. `format`: the name of one of table.FORMATS. `size`: bytes to read;
    for a zip's member or a `.gz`, unpacked. `mtime_ns`: when it was last written, nanoseconds since 1970; tools may set
    it back. `ctime_ns`: when it last changed in any way; cannot be set. `member`: its name in the zip; empty outside of
    zips. `is_folder`: whether it is a folder as a whole.
    """

    path: Path
    format: str
    size: int
    mtime_ns: int
    ctime_ns: int
    member: str = ""
    is_folder: bool = False

    @classmethod
    def of(cls, path: Path, format: str = "") -> ImportSource:  # noqa: A002 - the field's name
        """A file as it is now. Raises OSError."""
        stat = path.stat()
        return cls(path, format, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)

    @property
    def place(self) -> str:
        """Its name in reports, marks and faults: a zip's member as if the zip were a folder."""
        return f"{self.path}/{self.member}" if self.member else str(self.path)

    @property
    def mtime(self) -> datetime:
        """When it was last written, in UTC."""
        return from_micros(self.mtime_ns // 1_000).astimezone(UTC)

    @property
    def name(self) -> str:
        """Its file's name, without `.gz`."""
        return PurePath(self.member).name if self.member else bare(self.path).name

    @property
    def is_packed(self) -> bool:
        """Whether it is unpacked while it is read, from its beginning on."""
        return bool(self.member) or is_packed(self.path)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Its bytes as a stream; what is packed is unpacked on the fly, never to disk.

        Raises InvalidSource if it is damaged or larger than it may be.
        """
        if self.member:
            with open_member(self.path, self.member) as stream:
                yield stream
        else:
            with open_file(self.path) as stream:
                yield stream

    def head(self) -> bytes:
        """Its first `SAMPLE_BYTES`. Raises as `open`."""
        with self.open() as stream:
            return stream.read(SAMPLE_BYTES)


def is_there(path: Path) -> bool:
    """Whether there is such a file or folder that we may look at."""
    try:
        return path.exists()
    except OSError:  # a folder that may not be entered
        return False


def is_left_out(folder: Path, name: str) -> bool:
    """Whether a folder of this name is never walked: hidden, third-party packages, a virtual environment."""
    return is_left_out_by_name(name) or is_there(folder / name / "pyvenv.cfg")


def is_left_out_by_name(name: str) -> bool:
    """Whether a folder of this name is left out wherever it lies; of files those that are hidden are."""
    return name.startswith(".") or name in _LEFT_OUT


def is_utf8(name: str) -> bool:
    """Whether a file's name is UTF-8; undecodable bytes show as lone surrogates."""
    return name.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in name)


@dataclass(eq=False)
class Sample:
    """The name and the beginning of a file.

    `name`: relative to the imported folder or zip; for a single file, its name; without `.gz`. `source`: gives its
    bytes. `is_alone`: whether the file itself was named for import, so that its suffix need not match.
    `is_markdown`: whether its name counts as Markdown.
    """

    name: PurePath
    source: ImportSource
    is_alone: bool = False
    is_markdown: bool = False

    @property
    def suffix(self) -> str:
        """The suffix in lower case, such as `.json`."""
        return self.name.suffix.lower()

    @property
    def may_be_json(self) -> bool:
        """Whether its name, or being named for import, is reason to look for JSON in it."""
        return self.suffix in (*LINES, ".json") or (self.is_alone and not self.is_markdown)

    @cached_property
    def head(self) -> bytes:
        """The first bytes, without a byte order mark."""
        return self.source.head().removeprefix(b"\xef\xbb\xbf")

    @cached_property
    def lines(self) -> tuple[Any, ...]:
        """The JSON values of the first lines, None for a line that is not JSON; empty if none can be."""
        if not self.may_be_json:
            return ()
        is_long = self.suffix in LINES and b"\n" not in self.head
        lines = (self._beyond() if is_long else self.head).split(b"\n", SAMPLE_LINES)[:SAMPLE_LINES]
        return tuple(parse_json(line)[0] for line in lines)

    def _beyond(self) -> bytes:
        """What follows the first lines where each is longer than `SAMPLE_BYTES`."""
        with self.source.open() as stream:
            head = stream.read(SAMPLE_BYTES)
            while len(head) >= SAMPLE_BYTES and b"\n" not in head:
                while (block := stream.read(SAMPLE_BYTES)) and b"\n" not in block:
                    pass
                head = block.partition(b"\n")[2] + stream.read(SAMPLE_BYTES)
        return head.removeprefix(b"\xef\xbb\xbf")

    @cached_property
    def document(self) -> Any:
        """The beginning of the file's JSON document; None if it is not JSON.

        Objects and arrays that continue beyond it are incomplete.
        """
        return beginning_of(self.head) if self.may_be_json else None


@dataclass(frozen=True, slots=True)
class Listing:
    """The direct contents of a folder, hidden names included.

    `path`: the folder. `is_root`: whether it is the imported folder itself. `files`, `folders`: names, in alphabetical
    order.
    """

    path: Path
    is_root: bool
    files: tuple[str, ...]
    folders: tuple[str, ...]
