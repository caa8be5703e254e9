"""mem0: what `get_all` and exports give, as a list or under `results` or `memories`.

| mem0 | here |
|---|---|
| memory (or data, text) | a note's content |
| id | origin |
| run_id | session |
| app_id | project, where the caller names none |
| categories | tags |
| created_at; updated_at | valid since; recorded, since the text is that of its last change |
| expiration_date | valid until |
| metadata, user_id, agent_id, actor_id, role, app_id | metadata; who is meant by actor_id or role also as the speaker |
| relations of its graph: source, relationship, target | memories of kind entity and links |
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.json_stream import WHOLE
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
from engramforge.model.memory import Draft, Kind, Source

_RECORDS: Final = {**dict.fromkeys((WHOLE, "results", "memories"), "memory"), "relations": "relation"}
_MARKS: Final = frozenset({"user_id", "agent_id", "run_id", "app_id", "hash", "categories", "actor_id"})
_TEXTS: Final = ("memory", "data", "text")
_KEPT: Final = ("user_id", "agent_id", "actor_id", "role", "app_id", "immutable", "structured_attributes")


def read(source: ImportSource, context: Context) -> Iterator[Item]:
    """The memories, then the entities and links of its graph, one item a record."""
    known: set[str] = set()

    def item(record: str, value: dict[str, Any], place: Place) -> Item:
        if record == "relation":
            return _relation(context, value, known, place)
        return _memory(context, value, place)

    return read_parts(source, _RECORDS, item)


def _memory(context: Context, value: dict[str, Any], place: Place) -> Item:
    whole = {**object_of(value.get("payload")), **value}
    text, identity = text_at(whole, *_TEXTS), whole.get("id")
    if not text:
        return place.fault("memory", "the memory has no text", is_message=True)
    if not isinstance(identity, str | int) or isinstance(identity, bool) or identity == "":
        return place.fault("memory", "the memory has no id", is_message=True)
    if fault := fault_in_times(whole, "created_at", "updated_at", "expiration_date"):
        return place.fault("memory", fault, is_message=True)
    since = context.dated(past(context.now, whole.get("created_at"), whole.get("updated_at")))
    until = moment(whole.get("expiration_date"))
    if until is not None and until <= since:
        return place.fault("memory", "expiration_date is not after created_at", is_message=True)
    project = cut(text_at(whole, "app_id"), NAME_CHARACTERS) or context.own_project
    draft = Draft(
        content=text,
        kind=Kind.NOTE,
        source=Source.IMPORT,
        project=context.asked_project or project,
        session_id=cut(text_at(whole, "run_id"), NAME_CHARACTERS) or None,
        speaker=cut(text_at(whole, "actor_id", "role"), NAME_CHARACTERS) or None,
        tags=tags_of(texts_at(whole, "categories")),
        metadata={**nonempty({name: whole.get(name) for name in _KEPT}), **object_of(whole.get("metadata"))},
        valid_at=since,
        invalid_at=until,
        recorded_at=past(context.now, whole.get("updated_at")) or since,
        origin=f"mem0:{identity}",
    )
    return place.item("memory", with_digest(draft))


def _relation(context: Context, value: dict[str, Any], known: set[str], place: Place) -> Item:
    """An edge of mem0's graph; its ends become entities where they are named first."""
    ends = (text_at(value, "source"), text_at(value, "target", "destination"))
    if not all(ends):
        return place.fault("relation", "the relation lacks an end", is_message=True)
    at = context.dated(None)
    drafts = tuple(
        Draft(
            content=name,
            name=cut(name, NAME_CHARACTERS),
            kind=Kind.ENTITY,
            source=Source.IMPORT,
            project=context.own_project,
            valid_at=at,
            recorded_at=at,
            origin=f"mem0:entity:{name}",
        )
        for name in dict.fromkeys(ends)
        if name not in known
    )
    known.update(ends)
    link = ItemLink(
        source=f"mem0:entity:{ends[0]}",
        target=f"mem0:entity:{ends[1]}",
        relation=relation_of(value.get("relationship") or value.get("relation")),
        project=context.asked_project or context.project,
    )
    # An edge between known entities gives no memory of its own, so it is no record that memories are expected of.
    if not drafts:
        return replace(place.skipped("relation", "a link"), links=(link,))
    return place.item("relation", *drafts, links=(link,))


def _recognises(sample: Sample) -> bool:
    document = sample.document
    if isinstance(document, dict):
        lists = (document.get(name) for name in ("results", "memories"))
        found = next((value for value in lists if isinstance(value, list)), None)
        if found == [] and isinstance(document.get("relations"), list):
            return True
        document = found
    if not isinstance(document, list) or not document or not isinstance(document[0], dict):
        return False
    return any(
        isinstance(each, dict) and text_at(each, *_TEXTS) and "id" in each and bool(_MARKS & set(each))
        for each in document[:50]
    )


FORMAT: Final = Format(name="mem0", title="mem0 exports", read=read, recognises=_recognises, is_in_zip=True)
