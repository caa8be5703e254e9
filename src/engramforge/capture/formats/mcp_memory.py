"""The MCP memory server's file: one entity or relation a line; or its `read_graph` as one JSON document.

An entity becomes a memory of kind entity whose content is its name, its type and its observations; a relation becomes a
link between two of them. The file has no times, so they hold since it was last written, unless a fork of the server
wrote `createdAt` or `lastModified`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.other_memories import (
    fault_in,
    fault_in_times,
    nonempty,
    past,
    read_parts,
    relation_of,
    tags_of,
    text_at,
    texts_at,
    with_digest,
)
from engramforge.capture.reading.records import Item, ItemLink, Place, json_lines, parse_json
from engramforge.capture.reading.sources import SAMPLE_BYTES, SAMPLE_LINES, ImportSource, Sample
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Draft, Kind, Source

_RECORDS: Final = {"entities": "entity", "relations": "relation"}


def read(source: ImportSource, context: Context) -> Iterator[Item]:
    """The entities and relations, one item a record."""
    item = partial(_item, context)
    return read_parts(source, _RECORDS, item) if _is_document(source) else _read_lines(source, item)


def _read_lines(source: ImportSource, item: Callable[[str, dict[str, Any], Place], Item]) -> Iterator[Item]:
    with source.open() as stream:
        for line in json_lines(stream):
            place = Place(source.place, line.number, line.end)
            kind = line.value.get("type") if isinstance(line.value, dict) else None
            if line.fault:
                yield place.fault("?", line.fault, is_message=True)
            elif isinstance(kind, str) and kind in _RECORDS.values():
                yield item(kind, line.value, place)
            else:
                yield fault_in(place, line.value) or place.skipped(str(kind), "no entity")


def _item(context: Context, record: str, value: dict[str, Any], place: Place) -> Item:
    if fault := fault_in_times(value, "createdAt", "created_at", "lastModified", "updated_at"):
        return place.fault(record, fault, is_message=record == "entity")
    if record == "relation":
        return _relation(context, value, place)
    name = text_at(value, "name")
    if not name:
        return place.fault(record, "the entity has no name", is_message=True)
    kind, said = text_at(value, "entityType", "entity_type"), texts_at(value, "observations")
    at = context.dated(past(context.now, value.get("createdAt"), value.get("created_at")))
    draft = Draft(
        content="\n".join((f"{name} ({kind})" if kind else name, *(f"- {each}" for each in said))),
        name=cut(name, NAME_CHARACTERS),
        kind=Kind.ENTITY,
        source=Source.IMPORT,
        project=context.own_project,
        tags=tags_of((kind, *texts_at(value, "tags"))),
        metadata=nonempty({"entity_type": kind, "importance": value.get("importance")}),
        valid_at=at,
        recorded_at=past(context.now, value.get("lastModified"), value.get("updated_at")) or at,
        origin=_origin(name),
    )
    return place.item(record, with_digest(draft))


def _relation(context: Context, value: dict[str, Any], place: Place) -> Item:
    ends = (text_at(value, "from", "source"), text_at(value, "to", "target"))
    if not all(ends):
        return place.fault("relation", "the relation lacks an end")
    link = ItemLink(
        source=_origin(ends[0]),
        target=_origin(ends[1]),
        relation=relation_of(value.get("relationType") or value.get("relation_type")),
        project=context.own_project,
        valid_at=past(context.now, value.get("createdAt")),
    )
    return replace(place.skipped("relation", "a link"), links=(link,))


def _origin(name: str) -> str:
    return f"mcp-memory:{name}"


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
    name="mcp_memory", title="MCP memory server files", read=read, recognises=_recognises, is_in_zip=True
)
