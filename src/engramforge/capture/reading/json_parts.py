"""The records of a JSON document whose records lie in arrays, one after another, whatever its size.

Either the document is an array of records, or an object some of whose values are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engramforge.capture.reading.json_stream import stream_objects
from engramforge.capture.reading.records import Item, Place
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import list_of, text_of


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
