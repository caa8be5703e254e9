"""The records of a JSON document whose records lie in arrays, one after another, whatever its size.

Either the document is an array of records, or an object some of whose values are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Final

from engramforge.capture.reading.records import JSON_DEPTH, Item, Place, depth_of
from engramforge.capture.reading.sources import ImportSource

WHOLE: Final = ""
"""The name of the array that is the document itself."""


def parts_of(stream: BinaryIO, names: Sequence[str]) -> Iterator[tuple[str, int, Any]]:
    """The elements of the arrays of these names: the array's name, the element's number from 1, its value.

    `names`: the object's names that hold records; `WHOLE` if the document itself may be an array.

    Raises ValueError if the document is broken; elements yielded before are complete.
    """
    import ijson
    from ijson.common import ObjectBuilder

    prefixes = {f"{name}.item" if name else "item": name for name in names}
    counts = dict.fromkeys(names, 0)
    building: ObjectBuilder | None = None
    at = ""
    depth = 0
    try:
        for prefix, event, value in ijson.parse(stream, use_float=True):
            if building is None:
                if prefix not in prefixes or event in ("end_map", "end_array", "map_key"):
                    continue
                at, depth, building = prefix, 0, ObjectBuilder()
            building.event(event, value)
            depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
            if depth == 0 and event != "map_key":
                name = prefixes[at]
                counts[name] += 1
                yield name, counts[name], building.value
                building = None
    except (ijson.JSONError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"the document is broken off or no JSON ({str(error).strip()[:120]})") from error


def read_parts(
    source: ImportSource, records: Mapping[str, str], read: Callable[[str, dict[str, Any], Place], Item]
) -> Iterator[Item]:
    """The items of a document's arrays; an element that is not an object, or nests too deeply, is a fault.

    `records`: the arrays' names -> what one of their elements is called, as `read` is told.
    """
    with source.open() as stream:
        try:
            for name, number, value in parts_of(stream, tuple(records)):
                place = Place(source.place, number, stream.tell())
                yield fault_in(place, records[name], value) or read(records[name], value, place)
        except ValueError as error:
            yield Place(source.place, None, source.size).fault("document", str(error))


def fault_in(place: Place, record: str, value: Any) -> Item | None:
    """The fault item of an element that is not an object or nests too deeply; None if it is sound."""
    if not isinstance(value, dict):
        return place.fault(type(value).__name__, "not an object")
    if depth_of(value) > JSON_DEPTH:
        return place.fault(record, f"JSON nests deeper than {JSON_DEPTH} levels", is_message=True)
    return None


def text_at(record: dict[str, Any], *names: str) -> str:
    """The first of these fields that is a non-empty text; else an empty one."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def texts_at(record: dict[str, Any], *names: str) -> list[str]:
    """The texts of the first of these fields that is a list."""
    for name in names:
        value = record.get(name)
        if isinstance(value, list):
            return [each.strip() for each in value if isinstance(each, str) and each.strip()]
    return []
