"""The items that every importer yields, and the reading of files line by line within limits.

An importer is a generator of `Item`, one for each record of its source, in order, so that each record is accounted for
exactly once: as drafts, as skipped with a reason, or as a fault with its place.
"""

from __future__ import annotations

import json
import math
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from io import IncrementalNewlineDecoder
from pathlib import Path
from typing import Any, BinaryIO, Final

from engramforge.capture.reading.packed import bare, open_file
from engramforge.capture.reading.values import visible
from engramforge.core.checks.identities import holds_secret
from engramforge.errors import InvalidSource
from engramforge.model.memory import Draft
from engramforge.model.scope import Level

LINE_BYTES: Final = 32 * 1024 * 1024
"""The longest line that is read; a longer one is a fault, and never held in memory."""
FILE_BYTES: Final = 256 * 1024 * 1024
"""The largest file that has to be read whole (a JSON document or a Markdown text)."""
JSON_DEPTH: Final = 100
"""How deep an imported record may nest; its metadata may nest less (model/limits)."""
_PIECE_BYTES: Final = 1024 * 1024
_LOOKED_FOR_UTF16: Final = 1_000
_MOSTLY: Final = 0.8
_RECORD_CHARACTERS: Final = 100
"""The longest name of a type of records that is kept."""
_LOOKED_AT: Final = 2_000
"""How much of one is looked through for secrets, so that none is kept by half."""
TOO_DEEP: Final = f"JSON nests deeper than {JSON_DEPTH} levels"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemLink:
    """A link between two memories named by their origins; written once both are in the store.

    `source`, `target`: origins (`Draft.origin`) within the project; they may come later in the source, or be in another
    one. A link whose ends never come is counted and left out. `relation`: upper-case words joined by underscores.
    `project`, `level`: of both ends; project None means that of the item's first draft, else the import's. `valid_at`,
    `invalid_at`: when it holds; by default since its source memory. `fields`: metadata of the link (model/link) that
    the source gives; the rest comes from the source memory.
    """

    source: str
    target: str
    relation: str
    project: str | None = None
    level: Level = Level.PERSONAL
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Item:
    """A record of a source and what became of it.

    `path`, `line`: where it is; the line counts from 1, None if records are not lines. `record`: its type in the
    source's own words. `is_message`: whether it is one of the records that the import is for (counted in `found`).
    `drafts`: its memories, none if skipped or faulty. `skipped`: why it has none; empty otherwise. `fault`: what is
    wrong with it; empty otherwise. `end`: bytes of the file read at the end of this record. `remarks`: faults beside
    the record, such as an unreadable image. `links`: links that the record says, between its own and other memories.
    `unseen`: whether it has images that cannot be looked at, beside those of its drafts.
    """

    path: str
    line: int | None
    record: str
    is_message: bool = False
    drafts: Sequence[Draft] = field(default=())
    skipped: str = ""
    fault: str = ""
    end: int = 0
    remarks: tuple[str, ...] = ()
    links: tuple[ItemLink, ...] = ()
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record is: its file, its line, and the bytes of the file read at its end.

    What a record is called may be the source's own word: it is cut, and kept on a line that can be stored.
    """

    path: str
    line: int | None
    end: int

    def item(
        self, record: str, *drafts: Draft, is_message: bool = True, links: tuple[ItemLink, ...] = ()
    ) -> Item:
        """The item of a record with drafts."""
        return Item(self.path, self.line, _called(record), is_message, drafts, end=self.end, links=links)

    def skipped(self, record: str, reason: str, is_message: bool = False) -> Item:
        """The item of a skipped record."""
        return Item(self.path, self.line, _called(record), is_message, skipped=reason, end=self.end)

    def fault(self, record: str, fault: str, is_message: bool = False) -> Item:
        """The item of a broken record."""
        return Item(self.path, self.line, _called(record), is_message, fault=fault, end=self.end)


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One line of a JSONL file: its number, its parsed value or what is wrong with it."""

    number: int | None
    end: int
    value: Any = None
    fault: str = ""


def read_objects(
    path: Path, lines: Iterable[JsonLine], read: Callable[[dict[str, Any], Place], Item]
) -> Iterator[Item]:
    """The items of lines; a line that is not an object is a fault."""
    for line in lines:
        place = Place(str(path), line.number, line.end)
        if line.fault or not isinstance(line.value, dict):
            yield place.fault("?", line.fault or "the record is not an object")
        else:
            yield read(line.value, place)


def read_document(path: Path) -> tuple[Any, int | None, str]:
    """The JSON value of a whole file, or None with the line and kind of its fault.

    A number that cannot be read is infinite, since it is a part of one record only.
    """
    text, line, fault = read_text(path)
    value, fault = (None, fault) if fault else parse_json(text.encode(), read_integer=_integer)
    return value, line, fault


def read_records(
    path: Path, name: str, head: Callable[[dict[str, Any]], dict[str, Any]] | None = None
) -> Iterator[JsonLine]:
    """The lines of a JSONL file, or the elements of the list of this name in a `.json` document, as if they were lines;
    `head` makes a record of what else the document says."""
    document = read_document(path)[0] if bare(path).suffix == ".json" else None
    if not isinstance(document, dict) or not isinstance(document.get(name), list):
        yield from read_json_lines(path)
        return
    if head is not None:
        yield JsonLine(0, 0, head(document))
    yield from listed(document[name], path.stat().st_size)


def listed(values: Sequence[Any], size: int) -> Iterator[JsonLine]:
    """The elements of a list as if they were lines of a file of this size."""
    for index, value in enumerate(values, 1):
        yield JsonLine(index, size * index // len(values), value)


def read_json_lines(path: Path) -> Iterator[JsonLine]:
    """The lines of a JSONL file, blank ones left out; a broken line is a fault, and reading goes on."""
    with open_file(path) as file:
        yield from json_lines(file)


def json_lines(file: BinaryIO, *, exact: bool = False) -> Iterator[JsonLine]:
    """As `read_json_lines`, of a stream, such as a zip's member; `exact` as in `parse_json`."""
    number = end = 0
    while chunk := file.readline(LINE_BYTES + 1):
        number += 1
        end += len(chunk)
        if len(chunk) > LINE_BYTES:
            while chunk and not chunk.endswith(b"\n"):
                chunk = file.readline(LINE_BYTES)
                end += len(chunk)
            yield JsonLine(number, end, fault=f"the line is longer than {LINE_BYTES:,} bytes")
            continue
        if number == 1:
            chunk = chunk.removeprefix(b"\xef\xbb\xbf")
        if not chunk.strip():
            continue
        value, fault = parse_json(chunk, exact=exact)
        yield JsonLine(number, end, value, fault)


def parse_json(
    raw: bytes, *, exact: bool = False, read_integer: Callable[[str], float] = int
) -> tuple[Any, str]:
    """A JSON value and an empty text, or None and what is wrong.

    Half a surrogate pair, which no store can keep, becomes a question mark, unless the value has to be `exact`.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, f"not UTF-8 (byte {error.start} of the line): save it as UTF-8"
    try:
        value = json.loads(text, parse_int=read_integer, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        return None, f"not JSON ({error.msg.removesuffix(' at')} at character {error.pos})"
    except RecursionError:
        return None, TOO_DEEP
    except ValueError as error:
        return None, f"JSON holds a number that cannot be read ({str(error).partition(':')[0]})"
    if raw.count(b"[") + raw.count(b"{") > JSON_DEPTH and depth_of(value) > JSON_DEPTH:
        return None, TOO_DEEP
    if not exact and (b"\\ud" in raw or b"\\uD" in raw):
        value = _writable(value)
    return value, ""


def depth_of(value: Any) -> int:
    """How deep a JSON value nests: 0 for a plain one; found without recursion."""
    deepest = 0
    wave = [value] if _nests(value) else []
    while wave:
        deepest += 1
        parts = (part.values() if isinstance(part, dict) else part for part in wave)
        wave = [item for part in parts for item in part if _nests(item)]
    return deepest


class BrokenText(Exception):
    """A file that is no text: the line and kind of its fault."""

    def __init__(self, line: int | None, fault: str) -> None:
        super().__init__(fault)
        self.line = line
        self.fault = fault


def read_pieces(path: Path) -> Iterator[str]:
    """The text of a file in pieces of about a megabyte; raises BrokenText: too large, not UTF-8, binary, a bomb."""
    try:
        yield from _pieces(path)
    except InvalidSource as error:
        raise BrokenText(None, error.fault) from error


def _pieces(path: Path) -> Iterator[str]:
    size = path.stat().st_size
    # Line ends of Windows are read as others are.
    decoder = IncrementalNewlineDecoder(getincrementaldecoder("utf-8-sig")(), translate=True)
    lines = 1
    with open_file(path) as file:
        for raw in iter(partial(file.read, _PIECE_BYTES), b""):
            if max(size, file.tell()) > FILE_BYTES:
                raise BrokenText(None, f"the file is larger than {FILE_BYTES:,} bytes")
            if file.tell() == len(raw) and is_utf16(raw):
                raise BrokenText(1, "UTF-16, not UTF-8: save it as UTF-8")
            if (nul := raw.find(b"\0")) >= 0:
                said = "a NUL, which no text has: leave the file out if it is binary, else take the NUL out"
                raise BrokenText(lines + raw.count(b"\n", 0, nul), said)
            yield _decoded(decoder, raw, lines)
            lines += raw.count(b"\n")
        yield _decoded(decoder, b"", lines)


def is_utf16(head: bytes) -> bool:
    """Whether a file begins as UTF-16 does: by its mark, or since every other byte of ASCII is a NUL."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    begin = head[:_LOOKED_FOR_UTF16]
    halves = begin[::2], begin[1::2]
    empty = [half.count(0) / max(len(half), 1) for half in halves]
    return len(begin) > 1 and max(empty) > _MOSTLY and min(empty) == 0


def read_text(path: Path) -> tuple[str, int | None, str]:
    """The text of a file, or the line and kind of its fault, as for `read_pieces`."""
    try:
        return "".join(read_pieces(path)), None, ""
    except BrokenText as error:
        return "", error.line, error.fault


def _decoded(decoder: IncrementalNewlineDecoder, raw: bytes, lines: int) -> str:
    """The text of a piece, of the file's end if it is empty; `lines`: the number of the line in which it begins."""
    try:
        return decoder.decode(raw, final=not raw)
    except UnicodeDecodeError as error:
        raise BrokenText(
            lines + error.object.count(b"\n", 0, error.start), "not UTF-8: save it as UTF-8"
        ) from None


def _called(record: str) -> str:
    """What kinds of records are counted by: a source's own word may hold anything."""
    if holds_secret(record := record[:_LOOKED_AT]):
        return "other"
    if len(record) <= _RECORD_CHARACTERS and record.isascii() and record.isprintable():
        return record
    shown = record[:_RECORD_CHARACTERS].encode("utf-8", "replace").decode()
    return visible(shown, "?")


def _writable(value: Any) -> Any:
    """A JSON value, of few levels, without halves of surrogate pairs."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_writable(name): _writable(item) for name, item in value.items()}
    return [_writable(item) for item in value] if isinstance(value, list) else value


def _integer(digits: str) -> float:
    try:
        return int(digits)
    except ValueError:
        return math.inf


def _nests(value: Any) -> bool:
    return isinstance(value, dict | list)


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)
