"""Reads large JSON documents an object at a time, in bounded memory.

The events of a streaming parser (ijson) are assembled into the objects of the document's list, one after another. An
object over the limit is reported and skipped; where the document ends early or stops being JSON, everything complete
before that place has been yielded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from math import isinf
from typing import Any, BinaryIO, Final

from engramforge.capture.reading.beginnings import beginning_of
from engramforge.capture.reading.json_events import json_events
from engramforge.capture.reading.records import JSON_DEPTH, TOO_DEEP, Item, Place
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import list_of

OBJECT_BYTES: Final = 64 * 1024 * 1024
"""The largest object that is assembled, in bytes of text and 64 for each of its parts."""
_PART_BYTES: Final = 64
_TOKEN_BYTES: Final = 128 * 1024 * 1024
"""The longest text whose end the parser may be looking for."""
WHOLE: Final = ""
"""The name of the array that is the document itself."""


@dataclass(frozen=True, slots=True)
class Streamed:
    """An object of a document's list.

    `end`: bytes of the document read so far. `value`: the object; None if there is a fault. `fault`: what is wrong with
    it, or with the document as a whole; empty otherwise. `is_partial`: whether the document ended within it: `value`
    then has what was complete, without the last, incomplete item. `name`, `number`: of its list, and its place there,
    from 1; 0 for the document as a whole.
    """

    end: int
    value: Any = None
    fault: str = ""
    is_partial: bool = False
    name: str = WHOLE
    number: int = 0


class _Counted:
    """A stream that counts the bytes read, and refuses an endless text."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._begun = False
        self.read_bytes = 0
        self.since_event = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes, without a byte order mark at the beginning."""
        block = self._stream.read(size)
        self.read_bytes += len(block)
        self.since_event += len(block)
        if self.since_event > _TOKEN_BYTES:
            raise _TooLongError
        if not self._begun and block:
            self._begun = True
            if block.startswith(b"\xef\xbb\xbf"):
                return block[3:] or self.read(size)
        return block


class _TooLongError(Exception):
    """A text longer than what is read."""


class _Assembly:
    """An object on its way; dropped at the first fault."""

    def __init__(self, name: str, number: int) -> None:
        import ijson

        self.name = name
        self.number = number
        self.fault = ""
        self.depth = 0
        self.builder: ijson.ObjectBuilder = ijson.ObjectBuilder()
        self._held = 0

    def take(self, event: str, value: Any) -> bool:
        """Take an event; returns whether the object is complete."""
        self.depth += event.startswith("start_") - event.startswith("end_")
        if not self.fault:
            self._held += _PART_BYTES + (len(value) if isinstance(value, str) else 0)
            self.fault = self._fault(event, value)
            if self.fault:
                del self.builder
            else:
                self.builder.event(event, value)
        return self.depth == 0 and event != "map_key"

    def _fault(self, event: str, value: Any) -> str:
        if self._held > OBJECT_BYTES:
            return f"object {self.number:,} is larger than {OBJECT_BYTES:,} bytes; it was passed over"
        if self.depth > JSON_DEPTH:
            return f"object {self.number:,}: {TOO_DEEP}; it was passed over"
        if event == "number" and isinstance(value, float) and isinf(value):
            return f"object {self.number:,} holds a number that cannot be read; it was passed over"
        return ""

    def done(self, end: int) -> Streamed:
        """The object, or its fault."""
        value = None if self.fault else self.builder.value
        return Streamed(end, value, self.fault, name=self.name, number=self.number)

    def broken_off(self, end: int) -> Streamed:
        """What is complete of an object in which the document ended."""
        if self.depth > 2:
            _drop_open_item(self.builder.value)
        return Streamed(end, self.builder.value, is_partial=True, name=self.name, number=self.number)


def stream_objects(source: ImportSource, lists: Collection[str] | None) -> Iterator[Streamed]:
    """The elements of a document's lists, in order; nothing else is read.

    `lists`: the names of the lists in the document's object, `WHOLE` if the document itself may be one; None for the
    document as a single object.
    """
    with source.open() as stream:
        yield from _objects(_Counted(stream), lists)


def _objects(counted: _Counted, lists: Collection[str] | None) -> Iterator[Streamed]:
    import ijson

    counts: Counter[str] = Counter()
    current: _Assembly | None = None
    # The list in which the parser is; outside of all, the last name in the document's object.
    name: str | None = None if lists is not None else WHOLE
    key, depth = WHOLE, 0
    try:
        for event, value in json_events(counted):
            counted.since_event = 0
            if current is None and name is None:
                if event == "map_key":
                    key = value if depth == 1 else key
                depth += event.startswith("start_") - event.startswith("end_")
                if event == "start_array" and _begins(lists or (), key, depth):
                    name = key if depth == 2 else WHOLE
                continue
            if current is None and event == "end_array":
                name, depth = None, depth - 1
                continue
            if current is None:
                assert name is not None
                counts[name] += 1
                current = _Assembly(name, counts[name])
            if current.take(event, value):
                yield current.done(counted.read_bytes)
                current = None
    except (_TooLongError, ijson.JSONError, ValueError) as error:
        complete = counts.total() - (current is not None)
        if current is not None and not current.fault:
            yield current.broken_off(counted.read_bytes)
        place = f"{'before' if current is None else 'within'} its first object"
        place = f"after object {complete:,}" if complete else place
        yield Streamed(counted.read_bytes, fault=_broken(error, place, counted.read_bytes))


def _begins(lists: Collection[str], key: str, depth: int) -> bool:
    """Whether the array that began at this depth is one of these lists."""
    return WHOLE in lists if depth == 1 else depth == 2 and key != WHOLE and key in lists


def _drop_open_item(value: Any) -> None:
    """Take the still open item out of the last list or object of a value in which the document ended."""
    last = list(value.values())[-1] if isinstance(value, dict) else value[-1]
    if isinstance(last, list):
        del last[-1:]
    elif isinstance(last, dict) and last:
        last.popitem()


def _broken(error: Exception, after: str, read_bytes: int) -> str:
    if isinstance(error, _TooLongError):
        return f"{after}: a text longer than {_TOKEN_BYTES:,} bytes; what follows was not read"
    place = f"{after}, within the 64 KB before byte {read_bytes:,}"
    return f"the JSON breaks off or is damaged {place} ({str(error).partition(chr(10))[0][:200].strip()})"


def fault_of(source: ImportSource) -> str:
    """What is wrong with a document as JSON; empty if nothing is."""
    faults = (each.fault for each in stream_objects(source, None) if each.fault)
    return next(faults, "")


def layout_of(source: ImportSource, lists: Sequence[str]) -> tuple[str] | None:
    """Where a document's objects are, for `stream_objects`; `lists` are the names that may hold them."""
    head = beginning_of(source.head().removeprefix(b"\xef\xbb\xbf"))
    if isinstance(head, list):
        return (WHOLE,)
    held = head if isinstance(head, dict) else {}
    return next(((name,) for name in lists if isinstance(held.get(name), list)), None)


def read_stream(
    source: ImportSource,
    lists: Sequence[str],
    read: Callable[[dict[str, Any], Place], Iterator[Item]],
    is_whole: Callable[[Any], bool] = lambda _: False,
) -> Iterator[Item]:
    """The items of a document's objects; anything else is a fault.

    `lists`: as in `layout_of`. `is_whole`: whether enough of an object is there in which the document ended.
    """
    for streamed in stream_objects(source, layout_of(source, lists)):
        value, place = streamed.value, Place(source.place, None, streamed.end)
        if streamed.is_partial and not is_whole(value):
            continue
        if streamed.fault or not isinstance(value, dict):
            yield place.fault("object", streamed.fault or "not an object")
        else:
            yield from read(value, place)


def holds(document: Any, lists: Sequence[str], is_ours: Callable[[Any], bool]) -> bool:
    """Whether the beginning of a document is such an object, or has some in a list."""
    if isinstance(document, dict):
        held = [objects for name in lists for objects in list_of(document.get(name))[:20]]
        return is_ours(document) or any(map(is_ours, held))
    return any(map(is_ours, list_of(document)[:20]))
