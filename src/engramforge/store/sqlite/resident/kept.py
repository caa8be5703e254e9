"""Kept columns: a shard as a file beside the store, mapped and not parsed (docs/decisions/0020).

    the columns, each with room behind it | the built postings | a description as JSON | its end, `_END`

Derived data, made anew where it is missing or does not fit. A file is mapped privately: what is appended or marked in
memory stays there. It is never changed in place, only replaced as a whole, or removed. What of the store goes in here
beside numbers: the names of speakers, agents and statuses.
"""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.store.sqlite.resident.columns import Column
from engramforge.store.sqlite.resident.reading import Names
from engramforge.store.sqlite.resident.shard import Shard

_END: Final = struct.Struct("<QI12s")
"""Length and CRC of the description, and of which version the file is."""
_VERSION: Final = b"columns   01"
_PART: Final = ".part"
"""With what the name of a file ends that is not whole yet."""
_NEW: Final = os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
_PAGE: Final = 4_096
_ROOM: Final = 4
"""This fraction of a column is left free behind it: holes of the file, which take no space on disk."""
_POSTINGS: Final = "postings "
_NAMED: Final = ("speaker", "agent", "status")
"""Columns of numbers that stand for names."""
BESIDE: Final = "-columns"
"""With what the names of these files go on after the store's."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A shard as it was kept.

    `change`: up to which it is. `said`: by what it was made, as `ColumnFiles.write` was told.
    """

    shard: Shard
    change: int
    said: Mapping[str, Any]


class ColumnFiles:
    """The files of a store's columns.

    `store`: the store's own file.
    """

    def __init__(self, store: Path) -> None:
        self._store = store
        self._lock = store.with_name(store.name + BESIDE)

    def at(self, name: str) -> Path:
        """The file of a shard."""
        return self._store.with_name(f"{self._store.name}{BESIDE}-{name}")

    @contextmanager
    def alone(self, *, make: bool) -> Iterator[bool]:
        """Nobody else writes or removes files during the block; whether that is so.

        With `make` somebody else is not waited for; without it they are, unless nothing was ever kept.
        """
        try:
            lock = os.open(self._lock, os.O_RDWR | os.O_CLOEXEC | (os.O_CREAT if make else 0), 0o600)
        except FileNotFoundError:
            yield False
            return
        try:
            is_alone = _locked(lock, waits=not make)
            try:
                yield is_alone
            finally:
                for part in (
                    self._store.parent.glob(f"{self._store.name}{BESIDE}-*{_PART}") if is_alone else ()
                ):
                    part.unlink(missing_ok=True)
        finally:
            os.close(lock)

    def remove(self) -> None:
        """Remove all of them; who has one mapped goes on with it."""
        with self.alone(make=False):
            for file in self._store.parent.glob(f"{self._store.name}{BESIDE}-*"):
                file.unlink(missing_ok=True)

    def remove_damaged(self) -> list[str]:
        """Remove those that are not as they were written; their names."""
        found = []
        with self.alone(make=False):
            for path in sorted(self._store.parent.glob(f"{self._store.name}{BESIDE}-*")):
                with path.open("rb") as file:
                    if not _is_sound(file):
                        path.unlink()
                        found.append(path.name)
        return found

    def write(self, name: str, shard: Shard, names: Names, change: int, said: Mapping[str, Any]) -> Path:
        """Write a shard, alone, to a file that is to take the place of `at(name)` before anybody else may; synced.

        Raises OSError.
        """
        path = self.at(name + _PART)
        with os.fdopen(os.open(path, _NEW, 0o600), "w+b") as file:
            columns = _put_all(file, shard)
            kept = _names_in(shard, names)
            told = {"change": change, "said": said, "names": kept, "columns": columns}
            description = json.dumps(told).encode()
            file.write(description + _END.pack(len(description), zlib.crc32(description), _VERSION))
            file.flush()
            os.fsync(file.fileno())
        return path

    def read(self, name: str, dimension: int, names: Names) -> Kept | None:
        """A shard as it was kept; None where there is none, or none that is whole."""
        try:
            with self.at(name).open("rb") as file:
                told = _description(file)
                if told is None:
                    return None
                columns = _mapped(file, told["columns"])
            built = [columns.pop(each).values for each in list(columns) if each.startswith(_POSTINGS)]
            _renumber(columns, told["names"], names)
            shard = Shard(dimension, columns)
            shard.postings.over(*built)
            return Kept(shard, told["change"], told["said"])
        except (OSError, ValueError, KeyError, TypeError):
            return None


def _locked(lock: int, waits: bool) -> bool:
    """Take a lock; whether it was had."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def _put_all(file: BinaryIO, shard: Shard) -> dict[str, list[Any]]:
    """Write the columns and postings of a shard; what the description says of them."""
    columns: dict[str, list[Any]] = {}
    for name, portions in shard.portions():
        _put(file, columns, name, portions, _ROOM)
    file.truncate()
    # Built over what was written, so that the terms are not in memory a second time.
    copied = Shard(shard.dimension, _mapped(file, columns))
    for number, array in enumerate(copied.postings.built):
        _put(file, columns, f"{_POSTINGS}{number}", [array])
    return columns


def _put(
    file: BinaryIO, columns: dict[str, list[Any]], name: str, portions: Iterable[NDArray[Any]], room: int = 0
) -> None:
    """Write a column, and note its type, width, place, rows, how many there is room for, and CRC."""
    begin = -(-file.tell() // _PAGE) * _PAGE
    file.seek(begin)
    length, crc, dtype, width = 0, 0, np.dtype(np.int64), 0
    for portion in portions:
        dtype, width = portion.dtype, portion.shape[1] if portion.ndim > 1 else 0
        values = np.ascontiguousarray(portion).data.cast("B") if len(portion) else b""
        file.write(values)
        crc = zlib.crc32(values, crc)
        length += len(portion)
    capacity = length + (length // room if room else 0)
    columns[name] = [dtype.str, width, begin, length, capacity, crc]
    file.seek(begin + capacity * max(width, 1) * dtype.itemsize)


def _names_in(shard: Shard, names: Names) -> dict[str, list[str | None]]:
    """The names by their numbers, without those that no living row has."""
    found: dict[str, list[str | None]] = {}
    for each in _NAMED:
        used = set(np.flatnonzero(np.bincount(shard.column(each)[shard.alive])).tolist())
        found[each] = [name if number in used else None for name, number in getattr(names, each).items()]
    return found


def _is_sound(file: BinaryIO) -> bool:
    """Whether a file is as it was written."""
    with suppress(ValueError):
        told = _description(file)
        return told is not None and all(
            zlib.crc32(column.values.reshape(-1).view(np.uint8).data) == told["columns"][name][-1]
            for name, column in _mapped(file, told["columns"]).items()
        )
    return False


def _mapped(file: BinaryIO, columns: Mapping[str, list[Any]]) -> dict[str, Column]:
    """The columns of a file, mapped privately."""
    file.flush()
    whole = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    found = {}
    for name, (dtype, width, begin, length, capacity, _) in columns.items():
        flat = np.frombuffer(whole, dtype, capacity * max(width, 1), begin)
        found[name] = Column.over(flat.reshape(-1, width) if width else flat, length)
    return found


def _description(file: BinaryIO) -> Any:
    """What a file says of itself; None where it is not whole, or of another version."""
    end = file.seek(0, os.SEEK_END)
    if end < _END.size:
        return None
    file.seek(end - _END.size)
    length, crc, version = _END.unpack(file.read(_END.size))
    if version != _VERSION or length > end - _END.size:
        return None
    file.seek(end - _END.size - length)
    description = file.read(length)
    return json.loads(description) if zlib.crc32(description) == crc else None


def _renumber(columns: Mapping[str, Column], kept: Mapping[str, list[str | None]], names: Names) -> None:
    """Let the columns have this process's numbers of names."""
    for each in _NAMED:
        numbers = getattr(names, each)
        own = [
            number if name is None else numbers.setdefault(name, len(numbers))
            for number, name in enumerate(kept[each])
        ]
        if own != list(range(len(own))):
            values = columns[each].values
            values[:] = np.array(own, values.dtype)[values]
