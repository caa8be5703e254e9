"""Reads large JSON documents an object at a time, in bounded memory.

The events of a streaming parser (ijson) are assembled into the objects of the document's list, one after another. An
object over the limit is reported and skipped; where the document ends early or stops being JSON, everything complete
before that place has been yielded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO, Final

from engramforge.capture.reading.beginnings import beginning_of, has_long_number, parser, plain
from engramforge.capture.reading.records import Item, Place
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.values import list_of

OBJECT_BYTES: Final = 64 * 1024 * 1024
"""The largest object that is assembled, in bytes of text and 64 for each of its parts."""
_PART_BYTES: Final = 64
_TOKEN_BYTES: Final = 128 * 1024 * 1024
"""The longest text whose end the parser may be looking for."""
_BLOCK_BYTES: Final = 1 << 16
_DIGITS: Final = b"0123456789"


@dataclass(frozen=True, slots=True)
class Streamed:
    """An object of a document's list.

    `end`: bytes of the document read so far. `value`: the object; None if there is a fault. `fault`: what is wrong with
    it, or with the document as a whole; empty otherwise. `is_partial`: whether the document ended within it: `value`
    then has what was complete, without the last, incomplete item.
    """

    end: int
    value: Any = None
    fault: str = ""
    is_partial: bool = False


class _Counted:
    """A stream that counts the bytes read, and refuses an endless text and, unless it may have them, long numbers."""

    def __init__(self, stream: BinaryIO, long_numbers: bool) -> None:
        self._stream = stream
        self._long_numbers = long_numbers
        self._begun = False
        self._last_digits = b""
        self.read_bytes = 0
        self.since_event = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes, without a byte order mark at the beginning."""
        block = self._stream.read(size)
        self.read_bytes += len(block)
        self.since_event += len(block)
        if self.since_event > _TOKEN_BYTES:
            raise _TooLongError
        if not self._long_numbers:
            text = self._last_digits + block
            if has_long_number(text):
                raise _LongNumberError
            self._last_digits = text[len(text.rstrip(_DIGITS)) :]
        if not self._begun and block:
            self._begun = True
            if block.startswith(b"\xef\xbb\xbf"):
                return block[3:] or self.read(size)
        return block


class _TooLongError(Exception):
    """A text longer than what is read."""


class _LongNumberError(Exception):
    """Digits in a row that the fast parser must not meet."""


def stream_objects(source: ImportSource, under: str | None) -> Iterator[Streamed]:
    """The objects of a document.

    `under`: "" for the items of the document's array, a name for the items of the array of that name in its object
    (nothing else is read), None for the document as a single object.
    """
    yielded = 0
    try:
        with source.open() as stream:
            for streamed in _objects(stream, under, long_numbers=False):
                yielded += 1
                yield streamed
    except _LongNumberError:
        # From the beginning, since most often they are within a text and nothing is wrong.
        with source.open() as stream:
            yield from islice(_objects(stream, under, long_numbers=True), yielded, None)


def _objects(stream: BinaryIO, under: str | None, *, long_numbers: bool) -> Iterator[Streamed]:
    import ijson

    counted = _Counted(stream, long_numbers)
    # How many containers are around an object.
    base = 0 if under is None else 2 if under else 1
    depth = number = held = 0
    key, is_within = "", False
    builder: ijson.ObjectBuilder | None = None
    try:
        for event, value in parser(long_numbers)(counted, buf_size=_BLOCK_BYTES):
            counted.since_event = 0
            if event == "map_key":
                key = value if depth == 1 else key
            elif event.startswith("end_"):
                depth -= 1
            elif depth == base and (base < 2 or key == under):
                is_within, builder, held = True, ijson.ObjectBuilder(), 0
            if builder is not None:
                held += _PART_BYTES + (len(value) if isinstance(value, str) else 0)
                if held > OBJECT_BYTES:
                    builder = None
                else:
                    builder.event(event, plain(value))
            if event.startswith("start_"):
                depth += 1
            if is_within and depth == base and event != "map_key":
                number += 1
                if builder is not None:
                    yield Streamed(counted.read_bytes, builder.value)
                else:
                    said = f"object {number:,} is larger than {OBJECT_BYTES:,} bytes; it was passed over"
                    yield Streamed(counted.read_bytes, fault=said)
                is_within, builder = False, None
    except (_TooLongError, ijson.JSONError, UnicodeDecodeError, ValueError, OverflowError) as error:
        if builder is not None:
            if depth - base > 2:
                _drop_open_item(builder.value)
            yield Streamed(counted.read_bytes, builder.value, is_partial=True)
        yield Streamed(counted.read_bytes, fault=_broken(error, number, counted.read_bytes))


def _drop_open_item(value: Any) -> None:
    """Take the still open item out of the last list or object of a value in which the document ended."""
    last = list(value.values())[-1] if isinstance(value, dict) else value[-1]
    if isinstance(last, list):
        del last[-1:]
    elif isinstance(last, dict) and last:
        last.popitem()


def _broken(error: Exception, number: int, read_bytes: int) -> str:
    after = f"after object {number:,}" if number else "before its first object was complete"
    if isinstance(error, _TooLongError):
        return f"{after}: a text longer than {_TOKEN_BYTES:,} bytes; what follows was not read"
    place = f"{after}, within the 64 KB before byte {read_bytes:,}"
    return f"the JSON breaks off or is damaged {place} ({' '.join(str(error).split())[:120]})"


def layout_of(source: ImportSource, lists: Sequence[str]) -> str | None:
    """Where a document's objects are, for `stream_objects`; `lists` are the names that may hold them."""
    head = beginning_of(source.head().removeprefix(b"\xef\xbb\xbf"))
    if isinstance(head, list):
        return ""
    held = head if isinstance(head, dict) else {}
    return next((name for name in lists if isinstance(held.get(name), list)), None)


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
