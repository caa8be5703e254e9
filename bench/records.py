"""Reading benchmark files: JSON lines, plain or gzipped, with faults that name file, line and field.

Which file holds what is recognised by content, so that files may be given in any order.
"""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

V = TypeVar("V")

_GZIP_MAGIC: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Record:
    """One object of a file and where it stands."""

    path: Path
    line: int
    fields: dict[str, Any]

    @property
    def where(self) -> str:
        """`file:line`, for faults."""
        return f"{self.path}:{self.line}"

    def has(self, *names: str) -> bool:
        """Whether all of these fields are there."""
        return all(name in self.fields for name in names)

    def text(self, name: str) -> str:
        """A field that has to be text."""
        return take(self.fields, name, str, self.where)

    def items(self, name: str) -> list[Any]:
        """A field that has to be a list."""
        return take(self.fields, name, list, self.where)


def take(source: Any, name: str, wanted: type[V], where: str) -> V:
    """A field of an object, of the wanted type; anything else is a fault that says where."""
    if not isinstance(source, dict) or name not in source:
        raise InvalidSource(
            f"{where}: the field {name!r} is missing", "Give a file of this benchmark's format"
        )
    value = source[name]
    if not isinstance(value, wanted):
        raise InvalidSource(
            f"{where}: the field {name!r} is {type(value).__name__}, not {wanted.__name__}",
            "Give a file of this benchmark's format",
        )
    return value


def read_records(paths: Sequence[Path]) -> list[Record]:
    """All objects of all files in order; empty lines are passed over.

    Raises
    ------
    InvalidSource : a file that is missing, unreadable, cut short, not UTF-8, not JSON lines, or empty.
    """
    return [record for path in paths for record in _records_of(path)]


def objects_of(path: Path) -> list[dict[str, Any]]:
    """All objects of one file, as `read_records`."""
    return [record.fields for record in _records_of(path)]


def _records_of(path: Path) -> Iterator[Record]:
    found = False
    for number, line in enumerate(_text_of(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InvalidSource(
                f"{path}:{number}: this line is not JSON ({error})", "Check that the file is whole"
            ) from error
        if not isinstance(value, dict):
            raise InvalidSource(
                f"{path}:{number}: this line is {type(value).__name__}, not an object",
                "Give a file with one JSON object a line",
            )
        found = True
        yield Record(path, number, value)
    if not found:
        raise InvalidSource(f"{path} holds no record", "Give a file with one JSON object a line")


def _text_of(path: Path) -> str:
    try:
        raw = path.read_bytes()
        return (gzip.decompress(raw) if raw.startswith(_GZIP_MAGIC) else raw).decode("utf-8")
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidSource(f"{path} is cut short or damaged ({error})", "Fetch the file again") from error
    except UnicodeDecodeError as error:
        raise InvalidSource(
            f"{path} is not UTF-8 text (byte {error.start})", "Give JSON lines, plain or gzipped"
        ) from error
    except OSError as error:
        raise InvalidSource(
            f"{path} cannot be read ({error.strerror or error})", "Check the path and its permissions"
        ) from error
