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
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from engramforge.capture.reading.format import Context, Format
from engramforge.capture.reading.records import Item, parse_json, read_json_lines, read_text
from engramforge.capture.reading.sources import SAMPLE_LINES, ImportSource, Sample
from engramforge.core.checks.drafting import DRAFT_FIELDS, draft_from
from engramforge.errors import CallerError, InvalidValue
from engramforge.model.memory import Draft, Source

ALIASES: Final[Mapping[str, str]] = {"text": "content", "memory": "content", "id": "origin", "uuid": "origin"}
_NEARLY = 0.8
"""Likeness (difflib ratio) from which an unknown name counts as a misspelt field."""


def read_jsonl(path: Path, project: str | None) -> Iterator[Item]:
    """The drafts of a JSONL file or JSON array, one item a record; `project` overrides theirs."""
    seen: Counter[bytes] = Counter()
    place = str(path)
    for number, end, value, fault in _records(path):
        if fault:
            yield Item(place, number, "object", fault=fault, end=end)
            continue
        if not isinstance(value, dict):
            yield Item(place, number, type(value).__name__, fault="not an object", end=end)
            continue
        try:
            draft = draft_of(value, project, seen)
        except CallerError as error:
            yield Item(place, number, "object", is_message=True, fault=str(error), end=end)
            continue
        yield Item(place, number, "object", is_message=True, drafts=(draft,), end=end)


def draft_of(value: Mapping[str, Any], project: str | None, seen: Counter[bytes]) -> Draft:
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
            raise InvalidValue(f"There is no field {name[:100]!r}", f"Did you mean {near[0]}?")
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
        digest = blake2b(repr(sorted(value.items())).encode("utf-8", "replace"), digest_size=16).digest()
        draft = replace(draft, origin=f"jsonl:{digest.hex()}:{seen[digest]}")
        seen[digest] += 1
    return draft


def _records(path: Path) -> Iterator[tuple[int | None, int, Any, str]]:
    if not starts_with_array(path):
        for line in read_json_lines(path):
            yield line.number, line.end, line.value, line.fault
        return
    text, line_number, fault = read_text(path)
    size = path.stat().st_size
    if not fault:
        values, fault = parse_json(text.encode())
    if fault:
        yield line_number, size, None, fault
        return
    for index, value in enumerate(values, 1):
        yield index, size * index // max(len(values), 1), value, ""


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
        # One document that is no array; of lines there are more than one.
        return False
    return any(map(_has_content, lines))


def _read(source: ImportSource, context: Context) -> Iterator[Item]:
    return read_jsonl(source.path, context.asked_project)


FORMAT: Final = Format(name="jsonl", title="JSONL with a `content`", read=_read, recognises=_recognises)
