"""engramforge's own export read back: a header, then a line for each row (upkeep/exporting writes them).

Only reading; writers/own_exports/restoring writes the rows. A line that is broken, truncated or edited into something
an export cannot say is a fault with its number; the header's counts reveal what is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

from engramforge.capture.reading.format import Format
from engramforge.capture.reading.records import LINE_BYTES, JsonLine, json_lines, parse_json
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import text_of
from engramforge.core.checks.identities import quoted
from engramforge.core.rows.row_reading import ExportedRow, row_of
from engramforge.errors import CallerError, InvalidSource
from engramforge.model.storing.section import EXPORT_FORMAT, Section

_READ: Final = {str(section): section for section in Section if section is not Section.ENTITIES}


@dataclass(frozen=True, slots=True)
class Header:
    """The first line.

    `store_id`: of the store that was exported. `counts`: section -> how many lines follow. `digest`: of the line and
    the file's size: the same for the same export.
    """

    store_id: str
    counts: Mapping[str, int]
    digest: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line after the header.

    `number`, `end`: counted from 1; bytes read when it ended. `section`: None where the line does not say it. `row`:
    None where there is a fault. `write`: of a memory, which write of the store touched it last.
    """

    number: int
    end: int
    section: Section | None
    row: ExportedRow | None = None
    write: int = 0
    fault: str = ""


def read_header(source: ImportSource) -> Header:
    """The header. Raises InvalidSource where there is none, or its format is unknown."""
    with source.open() as stream:
        first = stream.readline(LINE_BYTES).removeprefix(b"\xef\xbb\xbf")
    value, _ = parse_json(first)
    if not _is_header(value):
        raise InvalidSource(
            f"{source.place} does not begin with an export's header",
            "Take the whole file; its first line says what follows",
        )
    version = value["format"]
    if version != EXPORT_FORMAT or isinstance(version, bool):
        raise InvalidSource(
            f"{source.place} is an export of format {quoted(version, 20)}; known is format {EXPORT_FORMAT}",
            "Import it with the version of engramforge that wrote it, or a later one",
        )
    counts = value.get("counts")
    sound = isinstance(counts, dict) and all(isinstance(count, int) for count in counts.values())
    try:
        store_id = str(UUID(str(value.get("store_id"))))
    except ValueError:
        store_id = ""
    if not sound or store_id != value.get("store_id"):
        raise InvalidSource(f"The header of {source.place} lacks counts or store_id", "Export again")
    digest = blake2b(first + b"%d" % source.size, digest_size=16).hexdigest()
    return Header(store_id, counts, digest)


def read_lines(source: ImportSource, tenant: str) -> Iterator[Line]:
    """The lines after the header, in order."""
    with source.open() as stream:
        for line in json_lines(stream, exact=True):
            if line.number is not None and line.number > 1:
                yield _line(line, line.number, tenant, source.size)


def _line(read: JsonLine, number: int, tenant: str, size: int) -> Line:
    line, value = partial(Line, number, read.end), read.value
    if read.fault:
        return line(
            None, fault=f"{read.fault}; the file was cut off here" if read.end >= size else read.fault
        )
    if not isinstance(value, dict):
        return line(None, fault="not an object")
    section = _READ.get(text_of(value.get("section")))
    if section is None:
        return line(None, fault=f"there is no section {quoted(value.get('section'))}")
    left = {key: item for key, item in value.items() if key not in ("section", "write")}
    write = value.get("write", number)
    if not isinstance(write, int) or isinstance(write, bool) or not 0 < write < 2**48:
        return line(section, fault="write is no number of a write")
    try:
        return line(section, row_of(section, left, tenant), write)
    except CallerError as error:
        return line(section, fault=error.fault)


def _is_header(value: Any) -> bool:
    return isinstance(value, dict) and value.get("section") == "header" and "format" in value


FORMAT: Final = Format(
    name="engramforge",
    title="engramforge's own exports",
    recognises=lambda sample: any(map(_is_header, sample.lines[:1])),
    is_in_zip=True,
    # The store is checked each time, so no mark says that a file was imported.
    digest=lambda _: None,
)
