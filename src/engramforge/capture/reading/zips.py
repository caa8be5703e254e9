"""Untrusted zips: members are read as streams within limits, never unpacked to disk.

A zip may claim anything about itself, so nothing is trusted: names cannot lead outside, because nothing is written;
sizes are enforced while reading; and encrypted members, links, nested zips, and members packed tighter than any text
are faults.
"""

from __future__ import annotations

import gzip
import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from engramforge.capture.reading.values import visible
from engramforge.errors import InvalidSource

MEMBERS: Final = 100_000
"""The most members of a zip."""
MEMBER_BYTES: Final = 64 * 1024**3
"""The largest member, unpacked (64 GB)."""
TOTAL_BYTES: Final = 256 * 1024**3
"""The most that all members of a zip may be, unpacked (256 GB)."""
RATIO: Final = 250
"""The largest ratio of unpacked to packed size; texts stay below 100, a bomb is beyond 1,000."""
RATIO_FROM_BYTES: Final = 10 * 1024 * 1024
"""Members up to this size are small whatever their ratio (10 MB)."""
_ENCRYPTED: Final = 0x1
_MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
BROKEN: Final = (
    zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError,
)  # fmt: skip
"""The exceptions of reading a damaged archive."""


@dataclass(frozen=True, slots=True)
class Member:
    """A readable member: its name and unpacked size in bytes."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class ZipListing:
    """The contents of a zip: readable members by name, and the faults of others."""

    members: tuple[Member, ...]
    faults: tuple[tuple[str, str], ...]


def looks_like_zip(path: Path) -> bool:
    """Whether a file begins as zips do."""
    with path.open("rb") as file:
        return file.read(4) in _MAGIC


def list_zip(path: Path) -> ZipListing:
    """The members of a zip. Raises InvalidSource if it is damaged, truncated, or over a limit as a whole."""
    try:
        with zipfile.ZipFile(path) as opened:
            entries = opened.infolist()
    except BROKEN as error:
        raise InvalidSource(
            f"{path} is a damaged or truncated zip ({str(error)[:200]})", "Download or copy it again"
        ) from error
    if len(entries) > MEMBERS:
        raise InvalidSource(
            f"{path} has {len(entries):,} members",
            f"At most {MEMBERS:,} are read; unpack it and import the folder",
        )
    members: list[Member] = []
    faults: list[tuple[str, str]] = []
    names: set[str] = set()
    for entry in sorted(entries, key=lambda each: each.filename):
        if entry.is_dir():
            continue
        fault = _fault_of(entry) or ("a second member of the same name" if entry.filename in names else "")
        names.add(entry.filename)
        if fault:
            shown = visible(entry.filename[:500], "?").encode("utf-8", "replace").decode()
            faults.append((shown, fault))
        else:
            members.append(Member(entry.filename, entry.file_size))
    if (total := sum(each.size for each in members)) > TOTAL_BYTES:
        raise InvalidSource(
            f"{path} would be {total:,} bytes unpacked",
            f"At most {TOTAL_BYTES:,} are read; it may be a zip bomb",
        )
    return ZipListing(tuple(members), tuple(faults))


def _fault_of(entry: zipfile.ZipInfo) -> str:
    """Why a member must not be read; empty if it may be."""
    name = entry.filename
    parts = name.replace("\\", "/").split("/")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if name.startswith(("/", "\\")) or ".." in parts or (len(name) > 1 and name[1] == ":"):
        return "a member whose name leads out of the zip; it was not read"
    if not name.isprintable() or any("\ud800" <= letter <= "\udfff" for letter in name):
        return "a member whose name is no printable text; it was not read"
    if kind and not stat.S_ISREG(kind):
        return "a symbolic link or special file in a zip; it was not read"
    if entry.flag_bits & _ENCRYPTED:
        return "an encrypted member; unpack the zip with its password and import the folder"
    if entry.file_size > MEMBER_BYTES:
        return f"a member of {entry.file_size:,} bytes unpacked; at most {MEMBER_BYTES:,} are read"
    if entry.file_size > RATIO_FROM_BYTES and entry.file_size > RATIO * max(entry.compress_size, 1):
        return (
            f"a member packed more than {RATIO} times smaller than its {entry.file_size:,} bytes: a zip bomb; "
            "it was not read"
        )
    return ""


@contextmanager
def open_member(path: Path, name: str) -> Iterator[BinaryIO]:
    """A member as a stream of its bytes, unpacked while it is read.

    Raises InvalidSource, also while reading, if the member is damaged or not what the zip's directory says.
    """
    place = f"{path}/{name}"
    with holding_zips(), ExitStack() as held:
        try:
            opened = _opened(path)
            raw = held.enter_context(opened.open(name))
        except (*BROKEN, KeyError) as error:
            raise InvalidSource(_damaged(place, error), "Download or copy it again") from error
        yield held.enter_context(io.BufferedReader(Unpacked(raw, place, lambda: MEMBER_BYTES), 1 << 16))


@contextmanager
def holding_zips() -> Iterator[None]:
    """A context in which an opened zip stays open, so that its directory is not read again for each member."""
    if _HELD.get() is not None:
        yield
        return
    held: dict[Path, zipfile.ZipFile] = {}
    token = _HELD.set(held)
    try:
        yield
    finally:
        _HELD.reset(token)
        for opened in held.values():
            opened.close()


_HELD: Final[ContextVar[dict[Path, zipfile.ZipFile] | None]] = ContextVar("held zips", default=None)


def _opened(path: Path) -> zipfile.ZipFile:
    """A zip held open; only the last one is, since members of a zip are read in a row."""
    held = _HELD.get()
    assert held is not None
    if path not in held:
        while held:
            held.popitem()[1].close()
        held[path] = zipfile.ZipFile(path)
    return held[path]


def _damaged(place: str, error: Exception) -> str:
    return f"{place} is damaged or truncated ({str(error)[:200]})"


class Unpacked(io.RawIOBase):
    """The bytes of a packed stream; faults while unpacking are translated.

    `most`: how many they may be by now. A zip's member has no more than the directory says, which was checked.
    """

    def __init__(self, raw: Any, place: str, most: Callable[[], int]) -> None:
        super().__init__()
        self._raw = raw
        self._place = place
        self._most = most
        self._read = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer. Raises InvalidSource: it is damaged, or there is more than it may have."""
        try:
            read = self._raw.read(len(buffer))
        except BROKEN as error:
            raise InvalidSource(_damaged(self._place, error), "Download or copy it again") from error
        buffer[: len(read)] = read
        self._read += len(read)
        if self._read > self._most():
            fault = f"{self._place} is packed more than {RATIO} times smaller than what is in it: a bomb"
            raise InvalidSource(f"{fault}; it was not read", "Unpack it if you know what it is")
        return len(read)

    def tell(self) -> int:
        """How many bytes were unpacked."""
        return self._read

    def close(self) -> None:
        """Close the packed stream too."""
        self._raw.close()
        super().close()
