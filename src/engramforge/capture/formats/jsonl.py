"""Plain JSONL: one object a line, or one JSON array of objects.

An object has the field names of `Draft`; `content` may also be called `text` or `memory`, and `origin` may be called
`id` or `uuid`. A name that is nearly a field's is a fault, since it is most likely a typing error; any other
unknown name goes into the metadata. A line without an origin that is no note, and has no session and sequence, is
recognised by its text and how often that text came before in its file: so a second import adds nothing, and two
equal lines stay two memories.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.json_stream import WHOLE, stream_objects
from engramforge.capture.reading.records import Item, JsonLine, Place, json_lines
from engramforge.capture.reading.sources import SAMPLE_LINES, ImportSource, Sample
from engramforge.capture.reading.values import digest_of
from engramforge.core.checks.draft_from_mapping import DRAFT_FIELDS, draft_from
from engramforge.core.checks.identities import quoted
from engramforge.core.checks.validation import check_draft
from engramforge.errors import CallerError, InvalidValue
from engramforge.model.memory import Draft, Source

ALIASES: Final[Mapping[str, str]] = {"text": "content", "memory": "content", "id": "origin", "uuid": "origin"}
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
            yield place.fault(type(line.value).__name__, "not an object", is_message=True)
        else:
            try:
                # Checked here already, since nothing else gives drafts whose fields may hold anything.
                draft = check_draft(draft_of(line.value, context.asked_project, seen), context.now)
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
    if extra:
        given = fields.get("metadata") or {}
        if not isinstance(given, Mapping):
            raise InvalidValue(f"metadata is a {type(given).__name__}", "Write it as an object")
        fields["metadata"] = {**extra, **given}
    draft = draft_from(fields)
    has_place = draft.session_id is not None and draft.sequence is not None
    if draft.origin is None and draft.kind not in ("note", "chunk") and not has_place:
        digest = digest_of(repr(sorted(value.items())), 16)
        draft = replace(draft, origin=f"jsonl:{digest}:{seen[digest]}")
        seen[digest] += 1
    return draft


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
    with path.open("rb") as file:
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
