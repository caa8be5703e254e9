"""Plain JSONL: one object a line, or one JSON array of objects.

An object has the field names of `Draft`; `content` may also be called `text` or `memory`, and `origin` may be called
`id` or `uuid`. A name that is nearly a field's is a fault, since it is most likely a typing error; any other
unknown name goes into the metadata. A line without an origin that is no note, and has no session and sequence, is
recognised by its text and how often that text came before in its file: so a second import adds nothing, and two
equal lines stay two memories.

The caller may map the fields of a stranger's file (`Context.fields`): those are read, all others go into the metadata,
and a record with a speaker or a session is a message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any, Final

from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.json_stream import WHOLE, stream_objects
from engramforge.capture.reading.packed import open_file
from engramforge.capture.reading.records import Item, JsonLine, Place, json_lines
from engramforge.capture.reading.sources import SAMPLE_LINES, ImportSource, Sample
from engramforge.capture.reading.values import chat_time_of, digest_of, time_of
from engramforge.core.checks.draft_from_mapping import DRAFT_FIELDS, draft_from, refuse_unknown
from engramforge.core.checks.identities import holds_secret, quoted
from engramforge.core.checks.validation import check_draft
from engramforge.errors import CallerError, InvalidValue
from engramforge.model.memory import Draft, Kind, Source

ALIASES: Final[Mapping[str, str]] = {"text": "content", "memory": "content", "id": "origin", "uuid": "origin"}
_SHORT: Final[Mapping[str, str]] = {"id": "origin", "time": "valid_at", "session": "session_id"}
"""Short names of fields, for who maps them."""
_TEXTS: Final = ("origin", "session_id", "speaker", "project")
"""Fields that a stranger may number."""
_EXAMINED: Final = 1_000
"""How many records of a file are asked which fields there are."""
_NAMED: Final = 30
"""How many of a file's fields are named where one is missing."""
_AN_OBJECT: Final = ((dict,), "Give an object")
_SHAPES: Final[Mapping[str, tuple[tuple[type, ...], str]]] = {
    **dict.fromkeys(
        ("valid_at", "invalid_at", "recorded_at"),
        ((str, datetime), "Give a time such as 2026-01-31T10:00:00Z"),
    ),
    **dict.fromkeys(("energy", "confidence", "epistemic_tier"), ((int, float), "Give a number from 0 to 1")),
    "sequence": ((int,), "Give a whole number from 0"),
    "tags": ((list,), "Give a list of texts"),
    "attachments": ((list,), "Give a list of objects"),
    **dict.fromkeys(("metadata", "emotion_vector", "chunk"), _AN_OBJECT),
}
"""What a field has to be in a file; a text where nothing is said."""
_TERMS: Final = {
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
}
_OF_REGISTRIES: Final = (Kind.FLAG, Kind.LINEAGE, Kind.ARCHIVE)
_NEARLY = 0.8
"""Similarity (difflib ratio) from which an unknown name counts as a misspelt field."""


def read_jsonl(source: ImportSource, context: Context) -> Iterator[Item]:
    """The drafts of a JSONL file or JSON array, one item a record; a project that the caller named overrides theirs."""
    seen: Counter[str] = Counter()
    for line in _records(source):
        place = Place(str(source.path), line.number, line.end)
        if line.fault:
            yield place.fault("object", line.fault, is_message=True)
        elif not isinstance(line.value, dict):
            yield place.fault(_TERMS.get(type(line.value), "null"), "not an object", is_message=True)
        else:
            try:
                # Checked here already, since nothing else gives drafts whose fields may hold anything.
                value = _told(line.value, context.fields) if context.fields else line.value
                draft = check_draft(draft_of(value, context.asked_project, seen), context.now)
                if context.fields and draft.session_id is not None and draft.sequence is None:
                    draft = replace(draft, sequence=seen[place_in := f"session\0{draft.session_id}"])
                    seen[place_in] += 1
                yield place.item("object", draft)
            except CallerError as error:
                yield place.fault("object", str(error), is_message=True)


def draft_of(value: Mapping[str, Any], project: str | None, seen: Counter[str]) -> Draft:
    """The draft of one object. `seen` counts the texts that came before in the same file.

    Raises InvalidContent, InvalidValue.
    """
    fields: dict[str, Any] = {"source": Source.IMPORT}
    extra: dict[str, Any] = {}
    for name, item in value.items():
        known = name if name in DRAFT_FIELDS else ALIASES.get(name)
        if known is not None:
            if known == "origin" and isinstance(item, int) and not isinstance(item, bool):
                item = str(item)
            if name == known or known not in value:
                fields[known] = item
        elif near := get_close_matches(name[:100], DRAFT_FIELDS, 1, _NEARLY):
            raise InvalidValue(f"There is no field {quoted(name, 100)}", f"Did you mean {near[0]}?")
        else:
            extra[name] = item
    if project is not None:
        fields["project"] = project
    _check_shapes(fields)
    if extra:
        given = fields.get("metadata") or {}
        fields["metadata"] = {**extra, **given}
    draft = draft_from(fields)
    has_place = draft.session_id is not None and draft.sequence is not None
    if draft.origin is None and draft.kind not in ("note", "chunk") and not has_place:
        digest = digest_of(repr(sorted(value.items())), 16)
        draft = replace(draft, origin=f"jsonl:{digest}:{seen[digest]}")
        seen[digest] += 1
    return draft


def _check_shapes(fields: Mapping[str, Any]) -> None:
    """Raise InvalidValue, in the words of the file, for a field of another type, or a kind that only a registry has."""
    for name, value in fields.items():
        types, mend = _SHAPES.get(name, ((str,), "Give a text"))
        if value is None or (isinstance(value, types) and not isinstance(value, bool)):
            continue
        raise InvalidValue(f"{name} is {_TERMS.get(type(value), 'of another type')}", mend)
    if not all(isinstance(each, dict) for each in fields.get("attachments") or ()):
        raise InvalidValue("attachments holds what is no object", "Give a list of objects")
    if (kind := fields.get("kind")) in _OF_REGISTRIES:
        raise InvalidValue(
            f"The kind {kind} is a registry's own", "Leave it out, or import an export of engramforge"
        )


def checked_fields(given: Mapping[str, str]) -> dict[str, str]:
    """A caller's map: a field of ours, or its short name, -> the name in the file. Raises InvalidValue."""
    refuse_unknown(given, (*_SHORT, *DRAFT_FIELDS), "field")
    if any(not name.strip() or holds_secret(name) for name in given.values()):
        raise InvalidValue("A field is mapped to what is no name", "Name the file's own field")
    return {_SHORT.get(ours, ours): theirs for ours, theirs in given.items()}


def check_there(fields: Mapping[str, str], sources: Iterable[ImportSource]) -> None:
    """Raise InvalidValue if no record at the beginning of the sources has a field that is mapped."""
    values = (line.value for source in sources for line in islice(_records(source), _EXAMINED))
    there = {name: None for value in values if isinstance(value, dict) for name in value}
    missing = [name for name in fields.values() if name not in there]
    if there and missing:
        near = get_close_matches(missing[0][:100], [name[:100] for name in there], 1)
        meant = f"Did you mean {quoted(near[0])}? " if near else ""
        named = ", ".join(quoted(name) for name in islice(there, _NAMED))
        raise InvalidValue(f"No record has a field {quoted(missing[0])}", f"{meant}There are {named}")


def _told(value: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """A stranger's object under our names: what the map names, and `content` by its usual names; the rest as metadata.

    Raises InvalidValue: its time cannot be read.
    """
    contents = [name for name in ("content", *ALIASES) if ALIASES.get(name, name) == "content"]
    usual = next((name for name in contents if name in value), "content")
    fields = {"content": usual, **fields}
    told = {ours: value[name] for ours, name in fields.items() if value.get(name) not in (None, "")}
    rest = {name: item for name, item in value.items() if name not in fields.values()}
    for name in _TEXTS:
        if isinstance(told.get(name), int) and not isinstance(told[name], bool):
            told[name] = str(told[name])
    if (said := told.get("valid_at")) is not None:
        told["valid_at"] = chat_time_of(said) if isinstance(said, str) else time_of(said)
        if told["valid_at"] is None:
            raise InvalidValue(
                f"The time {quoted(said)} cannot be read", "Write ISO 8601, or seconds since 1970"
            )
    if "kind" not in fields and not told.keys().isdisjoint(("speaker", "session_id")):
        told["kind"] = Kind.MESSAGE
    own = told.get("metadata", {})
    told["metadata"] = {**rest, **own} if isinstance(own, Mapping) else {**rest, fields["metadata"]: own}
    return told


def _records(source: ImportSource) -> Iterator[JsonLine]:
    """The lines as they are, half surrogate pairs included; or the elements of an array as if they were lines."""
    if starts_with_array(source.path):
        for streamed in stream_objects(source, (WHOLE,)):
            if not streamed.is_partial:
                yield JsonLine(streamed.number or None, streamed.end, streamed.value, streamed.fault)
        return
    with source.open() as stream:
        yield from json_lines(stream, exact=True)


def starts_with_array(path: Path) -> bool:
    """Whether a file is one JSON array of objects, rather than lines of which the first may be an array."""
    with open_file(path) as file:
        head = file.read(4_096).removeprefix(b"\xef\xbb\xbf").lstrip()
    return head.startswith(b"[") and head[1:].lstrip()[:1] in (b"{", b"]", b"")


def _has_content(value: Any) -> bool:
    names = ("content", *(alias for alias, field in ALIASES.items() if field == "content"))
    return isinstance(value, dict) and any(isinstance(value.get(name), str) for name in names)


def _recognises(sample: Sample) -> bool:
    document, lines = sample.document, sample.lines
    if isinstance(document, list) and (
        sample.suffix == ".json" or (document and isinstance(document[0], dict))
    ):
        return any(map(_has_content, document[:SAMPLE_LINES]))
    if sample.suffix == ".json" and sum(value is not None for value in lines) < 2:
        # A single document that is not an array; JSON lines would be several.
        return False
    return any(map(_has_content, lines))


FORMAT: Final = Format(name="jsonl", title="JSONL with a `content`", read=read_jsonl, recognises=_recognises)
