"""The records of a JSON document whose records lie in arrays, one after another, whatever its size.

Either the document is an array of records, or an object some of whose values are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from engramforge.capture.reading.records import JSON_DEPTH, Item, Place, depth_of
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import list_of, text_of

WHOLE: Final = ""
"""The name of the array that is the document itself."""


def read_parts(
    source: ImportSource, records: Mapping[str, str], read: Callable[[str, dict[str, Any], Place], Item]
) -> Iterator[Item]:
    """The items of a document's arrays; an element that is not an object, or nests too deeply, is a fault.

    `records`: the arrays' names, `WHOLE` if the document itself may be an array -> what one of their elements is
    called, as `read` is told. The line of an item is its number in its array, from 1.
    """
    import ijson

    names = {f"{name}.item" if name else "item": name for name in records}
    counts: Counter[str] = Counter()
    builder: ijson.ObjectBuilder | None = None
    name, depth = "", 0
    with source.open() as stream:
        try:
            for prefix, event, value in ijson.parse(stream, use_float=True):
                if builder is None:
                    if prefix not in names or event in ("end_map", "end_array", "map_key"):
                        continue
                    name, depth, builder = names[prefix], 0, ijson.ObjectBuilder()
                builder.event(event, value)
                depth += event.startswith("start_") - event.startswith("end_")
                if depth == 0 and event != "map_key":
                    counts[name] += 1
                    place = Place(source.place, counts[name], stream.tell())
                    made, builder = builder.value, None
                    yield fault_in(place, records[name], made) or read(records[name], made, place)
        except (ijson.JSONError, UnicodeDecodeError, RecursionError) as error:
            said = f"the document is broken off or no JSON ({str(error).strip()[:120]})"
            yield Place(source.place, None, source.size).fault("document", said)


def fault_in(place: Place, record: str, value: Any) -> Item | None:
    """The fault item of an element that is not an object or nests too deeply; None if it is sound."""
    if not isinstance(value, dict):
        return place.fault(type(value).__name__, "not an object")
    if depth_of(value) > JSON_DEPTH:
        return place.fault(record, f"JSON nests deeper than {JSON_DEPTH} levels", is_message=True)
    return None


def text_at(record: dict[str, Any], *names: str) -> str:
    """The first of these fields that is a non-empty text; else an empty one."""
    return next(filter(None, (text_of(record.get(name)).strip() for name in names)), "")


def texts_at(record: dict[str, Any], name: str) -> list[str]:
    """The non-empty texts of a field that is a list."""
    return [each.strip() for each in list_of(record.get(name)) if isinstance(each, str) and each.strip()]
