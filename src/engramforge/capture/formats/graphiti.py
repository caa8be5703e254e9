"""Graphiti and Zep: episodes, entities (or nodes) and facts (or edges), each an array of one JSON document.

| there | here |
|---|---|
| episode: content, name, valid_at, created_at | a message, true since valid_at, recorded at created_at |
| entity: name, summary, labels, attributes | a memory of kind entity; labels are tags |
| fact of an edge | a note, true in [valid_at, invalid_at), recorded at created_at; it MENTIONS both entities and is \
DERIVED_FROM its episodes |
| edge: name between two entities | a link between their memories, true as long as the fact |
| expired_at | kept in the metadata; it is also when the fact ends, where no invalid_at says that |
| group_id (or graph_id) | project, where the caller names none |

The end of a fact's record (expired_at) cannot be taken over as such: what we record, we know from the import on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.other_memories import (
    fault_in_times,
    moment,
    nonempty,
    past,
    read_parts,
    relation_of,
    tags_of,
    text_at,
    texts_at,
    with_digest,
)
from engramforge.capture.reading.records import Item, ItemLink, Place
from engramforge.capture.reading.sources import ImportSource, Sample
from engramforge.capture.reading.values import object_of
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.link import Relation
from engramforge.model.memory import Draft, Kind, Source

_ARRAYS: Final[Mapping[str, str]] = {
    "episodes": "episode",
    "episodic_nodes": "episode",
    "entities": "entity",
    "nodes": "entity",
    "entity_nodes": "entity",
    "facts": "fact",
    "edges": "fact",
    "entity_edges": "fact",
    "communities": "community",
    "community_nodes": "community",
    "episodic_edges": "mention",
}
_Linked = dict[tuple[str, str, str], list[tuple[datetime, datetime | None]]]
"""Two entities and a relation -> the spans of valid time for which they are linked already."""
_TIMES: Final = ("created_at", "createdAt", "valid_at", "validAt", "invalid_at", "expired_at")
_NO_LABELS: Final = frozenset({"Entity", "EntityNode", "Node"})


def read(source: ImportSource, context: Context) -> Iterator[Item]:
    """The episodes, entities and facts in the document's order, one item a record."""
    return read_parts(source, _ARRAYS, partial(_item, context, {}))


def _item(context: Context, linked: _Linked, record: str, value: dict[str, Any], place: Place) -> Item:
    if record in ("community", "mention"):
        return place.skipped(record, "made from the others")
    identity = text_at(value, "uuid", "id")
    if not identity:
        return place.fault(record, f"the {record} has no uuid", is_message=True)
    if fault := fault_in_times(value, *_TIMES):
        return place.fault(record, fault, is_message=True)
    if record == "fact":
        return _fact(value, context, identity, place, linked)
    return {"episode": _episode, "entity": _entity}[record](value, context, identity, place)


def _episode(value: dict[str, Any], context: Context, identity: str, place: Place) -> Item:
    text = text_at(value, "content", "episode_body", "body")
    if not text:
        return place.fault("episode", "the episode has no content", is_message=True)
    kept = {name: value.get(name) for name in ("source", "source_description", "role_type")}
    draft = _draft(
        value,
        context,
        f"graphiti:episode:{identity}",
        content=text,
        kind=Kind.MESSAGE,
        name=cut(text_at(value, "name"), NAME_CHARACTERS) or None,
        session_id=cut(text_at(value, "session_id", "thread_id"), NAME_CHARACTERS) or None,
        speaker=cut(text_at(value, "role"), NAME_CHARACTERS) or None,
        metadata=nonempty(kept),
        **_times(value, context),
    )
    return place.item("episode", draft)


def _entity(value: dict[str, Any], context: Context, identity: str, place: Place) -> Item:
    name = text_at(value, "name")
    if not name:
        return place.fault("entity", "the entity has no name", is_message=True)
    known = nonempty(object_of(value.get("attributes")))
    lines = [f"- {key}: {item}" for key, item in known.items() if isinstance(item, str | int | float | bool)]
    draft = _draft(
        value,
        context,
        _entity_origin(identity),
        content="\n".join((text_at(value, "summary") or name, *lines)),
        kind=Kind.ENTITY,
        name=cut(name, NAME_CHARACTERS),
        tags=tags_of(label for label in texts_at(value, "labels") if label not in _NO_LABELS),
        metadata=nonempty({"attributes": known}),
        **_times(value, context),
    )
    return place.item("entity", draft)


def _fact(value: dict[str, Any], context: Context, identity: str, place: Place, linked: _Linked) -> Item:
    text = text_at(value, "fact")
    ends = [text_at(value, f"{end}_node_uuid", f"{end}NodeUuid") for end in ("source", "target")]
    if not text:
        return place.fault("fact", "the edge has no fact", is_message=True)
    times = _times(value, context)
    since = times["valid_at"]
    expired = moment(value.get("expired_at"))
    ended = moment(value.get("invalid_at"))
    if ended is not None and ended <= since:
        return place.fault("fact", "invalid_at is not after valid_at", is_message=True)
    until = ended or expired
    until = until if until is not None and until > since else None
    origin = f"graphiti:fact:{identity}"
    kept = {"relation": text_at(value, "name"), "expired_at": expired and expired.isoformat()}
    draft = _draft(
        value,
        context,
        origin,
        content=text,
        kind=Kind.NOTE,
        metadata=nonempty(kept),
        invalid_at=until,
        **times,
    )
    pairs = [(_entity_origin(end), Relation.MENTIONS) for end in dict.fromkeys(ends) if end]
    pairs += [(f"graphiti:episode:{text}", Relation.DERIVED_FROM) for text in texts_at(value, "episodes")]
    links = [ItemLink(source=origin, target=target, relation=str(name)) for target, name in pairs]
    if all(ends) and ends[0] != ends[1]:
        links += _between(ends[0], ends[1], relation_of(value.get("name")), since, until, linked)
    return place.item("fact", draft, links=tuple(links))


def _between(
    first: str, second: str, relation: str, since: datetime, until: datetime | None, linked: _Linked
) -> list[ItemLink]:
    """The link between two entities, unless another fact says the same of the same time."""
    spans = linked.setdefault((first, second, relation), [])
    if any((end is None or since < end) and (until is None or begin < until) for begin, end in spans):
        return []
    spans.append((since, until))
    source, target = _entity_origin(first), _entity_origin(second)
    return [ItemLink(source=source, target=target, relation=relation, valid_at=since, invalid_at=until)]


def _draft(value: dict[str, Any], context: Context, origin: str, **fields: Any) -> Draft:
    group = cut(text_at(value, "group_id", "graph_id", "groupId"), NAME_CHARACTERS)
    project = context.asked_project or group or context.own_project
    return with_digest(Draft(source=Source.IMPORT, project=project, origin=origin, **fields))


def _times(value: dict[str, Any], context: Context) -> dict[str, datetime]:
    """When it became true and when it was recorded; each stands in for the other, the file's time for both."""
    recorded = past(context.now, value.get("created_at"), value.get("createdAt"))
    since = moment(value.get("valid_at")) or moment(value.get("validAt"))
    recorded = recorded or context.dated(since)
    return {"valid_at": since or recorded, "recorded_at": recorded}


def _entity_origin(identity: str) -> str:
    return f"graphiti:entity:{identity}"


def _recognises(sample: Sample) -> bool:
    document = sample.document
    if not isinstance(document, dict):
        return False
    marks = {
        "fact": ("source_node_uuid", "sourceNodeUuid", "fact"),
        "episode": ("source_description", "valid_at", "episode_body"),
        "entity": ("summary", "labels", "group_id"),
    }
    return any(
        isinstance(each, dict)
        and bool({"uuid", "id"} & set(each))
        and any(mark in each for mark in marks[record])
        for name, record in _ARRAYS.items()
        if record in marks and isinstance(document.get(name), list)
        for each in document[name][:20]
    )


FORMAT: Final = Format(
    name="graphiti", title="Graphiti or Zep exports", read=read, recognises=_recognises, is_in_zip=True
)
