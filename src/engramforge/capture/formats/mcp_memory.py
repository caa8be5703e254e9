"""The MCP memory server's file: one entity or relation a line; or its `read_graph` as one JSON document.

An entity becomes a memory of kind entity whose content is its name, its type and its observations; a relation becomes a
link between two of them. The file has no times, so they hold since it was last written, unless a fork of the server
wrote `createdAt` or `lastModified`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.json_parts import fault_in, parts_of, text_at, texts_at
from engramforge.capture.reading.other_memories import (
    past,
    relation_of,
    tags_of,
    with_digest,
    without_nothing,
)
from engramforge.capture.reading.records import Item, ItemLink, json_lines, parse_json
from engramforge.capture.reading.sources import SAMPLE_BYTES, SAMPLE_LINES, ImportSource, Sample
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Kind, Source

_ARRAYS: Final = {"entities": "entity", "relations": "relation"}


def read(source: ImportSource, context: Context) -> Iterator[Item]:
    """The entities and relations, one item a record."""
    if _is_document(source):
        yield from _document(source, context)
        return
    with source.open() as stream:
        for line in json_lines(stream):
            kind = line.value.get("type") if isinstance(line.value, dict) else None
            if line.fault:
                yield Item(source.place, line.number, "?", True, fault=line.fault, end=line.end)
            elif isinstance(kind, str) and kind in _ARRAYS.values():
                yield _item(source, context, kind, line.value, line.number, line.end)
            else:
                reason = fault_in(source.place, line.number, "?", line.value, line.end)
                yield reason or Item(
                    source.place, line.number, str(kind)[:60], skipped="no entity", end=line.end
                )


def _document(source: ImportSource, context: Context) -> Iterator[Item]:
    with source.open() as stream:
        try:
            for name, number, value in parts_of(stream, tuple(_ARRAYS)):
                fault = fault_in(source.place, number, _ARRAYS[name], value, stream.tell())
                yield fault or _item(source, context, _ARRAYS[name], value, number, stream.tell())
        except ValueError as error:
            yield Item(source.place, None, "document", fault=str(error), end=source.size)


def _item(
    source: ImportSource, context: Context, record: str, value: dict[str, Any], number: int, end: int
) -> Item:
    if record == "relation":
        return _relation(source, context, value, number, end)
    name = text_at(value, "name")
    if not name:
        return Item(source.place, number, record, True, fault="the entity has no name", end=end)
    kind, said = text_at(value, "entityType", "entity_type"), texts_at(value, "observations")
    at = past(context.now, value.get("createdAt"), value.get("created_at")) or min(context.mtime, context.now)
    draft = Draft(
        content="\n".join((f"{name} ({kind})" if kind else name, *(f"- {each}" for each in said))),
        name=name[:NAME_CHARACTERS],
        kind=Kind.ENTITY,
        source=Source.IMPORT,
        project=_project(context),
        tags=tags_of((kind, *texts_at(value, "tags"))),
        metadata=without_nothing({"entity_type": kind, "importance": value.get("importance")}),
        valid_at=at,
        recorded_at=past(context.now, value.get("lastModified"), value.get("updated_at")) or at,
        origin=_origin(name),
    )
    return Item(source.place, number, record, True, (with_digest(draft),), end=end)


def _relation(source: ImportSource, context: Context, value: dict[str, Any], number: int, end: int) -> Item:
    ends = (text_at(value, "from", "source"), text_at(value, "to", "target"))
    if not all(ends):
        return Item(source.place, number, "relation", fault="the relation lacks an end", end=end)
    link = ItemLink(
        source=_origin(ends[0]),
        target=_origin(ends[1]),
        relation=relation_of(value.get("relationType") or value.get("relation_type")),
        project=_project(context),
        valid_at=past(context.now, value.get("createdAt")),
    )
    return Item(source.place, number, "relation", skipped="a link", end=end, links=(link,))


def _origin(name: str) -> str:
    return f"mcp-memory:{name}"


def _project(context: Context) -> str:
    return context.asked_project or context.project or DEFAULT_PROJECT


def _is_document(source: ImportSource) -> bool:
    """Whether the file is one object with `entities`, rather than lines."""
    with source.open() as stream:
        lines = [stream.readline(SAMPLE_BYTES).removeprefix(b"\xef\xbb\xbf") for _ in range(SAMPLE_LINES)]
    return not any(isinstance(value := parse_json(line)[0], dict) and "type" in value for line in lines)


def _recognises(sample: Sample) -> bool:
    document = sample.document
    if isinstance(document, dict) and isinstance(document.get("entities"), list):
        return any(isinstance(each, dict) and "observations" in each for each in document["entities"][:50])
    return any(
        isinstance(line, dict)
        and (
            (line.get("type") == "entity" and "entityType" in line and "observations" in line)
            or (line.get("type") == "relation" and "relationType" in line)
        )
        for line in sample.lines
    )


FORMAT: Final = Format(
    name="mcp_memory",
    title="MCP memory server files",
    read=read,
    recognises=_recognises,
    is_in_zip=True,
)
