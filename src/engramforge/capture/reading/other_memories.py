"""What readers of other memories' exports share: tags, relations and times in our words, parts and broken records."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.json_stream import stream_objects
from engramforge.capture.reading.records import Item, Place
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import chat_time_of, digest_of, list_of, text_of, time_of
from engramforge.core.checks.identities import quoted
from engramforge.model.limits import NAME_CHARACTERS, TAGS_PER_MEMORY
from engramforge.model.link import Relation
from engramforge.model.memory import Draft

_NO_WORD: Final = re.compile(r"[^A-Z0-9]+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
RELATION_CHARACTERS: Final = 64
DIGEST: Final = "source_digest"
"""Key of a memory's metadata: the digest of its record when it was imported."""


def relation_of(name: Any) -> str:
    """A relation's name as an upper-case word: `works at` and `worksAt` become WORKS_AT; RELATES_TO without a name."""
    said = _CAMEL.sub("_", name) if isinstance(name, str) else ""
    word = (
        _NO_WORD.sub("_", cut(said, RELATION_CHARACTERS).upper()).strip("_")[:RELATION_CHARACTERS].strip("_")
    )
    return word if word and not word[0].isdigit() else str(Relation.RELATES_TO)


def tags_of(names: Iterable[Any]) -> tuple[str, ...]:
    """Texts as tags: distinct, in order, within a memory's limit."""
    texts = (cut(" ".join(name.split()), NAME_CHARACTERS) for name in names if isinstance(name, str))
    return tuple(dict.fromkeys(text for text in texts if text))[:TAGS_PER_MEMORY]


def moment(value: Any) -> datetime | None:
    """The time that a record names, in UTC where it names no zone; None without."""
    return chat_time_of(value) if isinstance(value, str) else time_of(value)


def fault_in_times(record: Mapping[str, Any], *names: str) -> str:
    """Which of these fields is there and is no time; empty if none."""
    for name in names:
        if (said := record.get(name)) and moment(said) is None:
            return f"{name} is {quoted(str(said))}; give a time such as 2026-01-31T10:00:00Z"
    return ""


def past(now: datetime, *values: Any) -> datetime | None:
    """The first of these values that is a time, at most now; None without."""
    for value in values:
        found = value if isinstance(value, datetime) else moment(value)
        if found is not None:
            return min(found, now)
    return None


def nonempty(values: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata without empty values."""
    return {name: value for name, value in values.items() if value not in (None, "", [], {})}


def with_digest(draft: Draft) -> Draft:
    """The draft with a digest of its record in its metadata, by which a later import sees that it changed."""
    until = None if draft.invalid_at is None else draft.invalid_at.isoformat()
    said = repr((draft.content, draft.name, draft.tags, sorted(map(repr, draft.metadata.items())), until))
    return replace(draft, metadata={**draft.metadata, DIGEST: digest_of(said)})


def read_parts(
    source: ImportSource, records: Mapping[str, str], read: Callable[[str, dict[str, Any], Place], Item]
) -> Iterator[Item]:
    """The items of a document's arrays; an element that is no object, or cannot be read, is a fault.

    `records`: the arrays' names, `json_stream.WHOLE` if the document itself may be an array -> what one of their
    elements is called, as `read` is told. The line of an item is its number in its array, from 1.
    """
    for streamed in stream_objects(source, records):
        if streamed.is_partial:
            continue
        place = Place(source.place, streamed.number or None, streamed.end)
        record = records[streamed.name] if streamed.number else "document"
        if streamed.fault:
            yield place.fault(record, streamed.fault, is_message=bool(streamed.number))
        else:
            yield fault_in(place, streamed.value) or read(record, streamed.value, place)


def fault_in(place: Place, value: Any) -> Item | None:
    """The fault item of an element that is not an object; None if it is one."""
    return None if isinstance(value, dict) else place.fault(type(value).__name__, "not an object")


def text_at(record: dict[str, Any], *names: str) -> str:
    """The first of these fields that is a non-empty text; else an empty one."""
    return next(filter(None, (text_of(record.get(name)).strip() for name in names)), "")


def texts_at(record: dict[str, Any], name: str) -> list[str]:
    """The non-empty texts of a field that is a list."""
    return [each.strip() for each in list_of(record.get(name)) if isinstance(each, str) and each.strip()]
