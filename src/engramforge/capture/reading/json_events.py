"""The events of a streaming JSON parser (ijson), of a document whose numbers and escapes may be anything.

ijson's parser in C hands each number to Python's `int` or `Decimal`. Both refuse some, and then the whole document ends
there, or even the process; its other parsers end at the same numbers. So what they refuse is never shown to the parser:
within a number, more digits than Python reads are replaced by fewer, of a number that is as infinite. Half of an
escaped surrogate pair, at which it ends too, becomes a question mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from math import inf
from typing import Any, Final, Protocol

_BLOCK_BYTES: Final = 1 << 16
_MOST_DIGITS: Final = 4_300
"""The longest whole number that Python reads."""
_MOST_BITS: Final = 1024
"""A whole number of more is larger than any float."""
_SUSPICIOUS: Final = 18
"""Fewer digits in a row do no harm, not even as an exponent."""
_STEP: Final = 4
_AS_ZEROS: Final = bytes.maketrans(b"123456789", b"0" * 9)
_MARKS: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\.|(?P<quote>\")|(?P<digits>\d{%d,})" % _SUSPICIOUS,
    re.DOTALL,
)
_HIGH_HALF: Final = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}")
_PAIR_BYTES: Final = 12
"""The length of an escaped surrogate pair."""
_ESCAPED: Final = re.compile(rb"\\[\\\"]")
_OF_NUMBERS: Final = b"0123456789.eE+-"


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most `size`; none at the end."""


def json_events(stream: Readable) -> Iterator[tuple[str, Any]]:
    """The events of a document and their values; a number that no float holds is infinite.

    Raises ijson.JSONError, UnicodeDecodeError: it breaks off, or is no JSON.
    """
    import ijson

    readable = _Readable(stream)
    for event, value in ijson.basic_parse(readable, buf_size=_BLOCK_BYTES):
        readable.since_event = 0
        yield event, _plain(value) if event == "number" else value


def _plain(value: int | Decimal) -> int | float:
    """A parser's number. It is parsed exactly, so that none is too large; nobody needs that many digits."""
    if isinstance(value, Decimal):
        return float(value)
    return value if value.bit_length() <= _MOST_BITS else inf


class _Readable:
    """A stream of JSON with the same texts but for halves of surrogate pairs, and with numbers that Python reads."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._kept = b""
        self._in_text = False
        self.since_event = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes; those of an unfinished number or escape come with the rest of it."""
        while True:
            # The parser reads an unfinished text from its beginning again each time, so it gets more and more of it.
            block = self._stream.read(max(size, self.since_event))
            self.since_event += len(block)
            text = self._kept + block
            cut = _unfinished_escape(text) if block else len(text)
            if block and not self._ends_in_text(text[:cut]):
                cut = len(text[:cut].rstrip(_OF_NUMBERS))
            made, self._kept = self._readable(text[:cut]), text[cut:]
            if made or not block:
                return made
            # A number that does not end is infinite after these digits, too.
            self._kept = self._kept[: _MOST_DIGITS * 2]

    def _readable(self, text: bytes) -> bytes:
        if b"\\ud" in text or b"\\uD" in text or _has_long_number(text):
            return _MARKS.sub(self._replaced, text)
        self._in_text = self._ends_in_text(text)
        return text

    def _ends_in_text(self, text: bytes) -> bool:
        plain = _ESCAPED.sub(b"", text) if b"\\" in text else text
        return self._in_text ^ (plain.count(b'"') % 2 == 1)

    def _replaced(self, found: re.Match[bytes]) -> bytes:
        mark = found[0]
        if found.lastgroup == "quote":
            self._in_text = not self._in_text
        elif found.lastgroup == "half":
            return b"?"
        elif found.lastgroup == "digits" and not self._in_text:
            before = found.string[max(found.start() - 2, 0) : found.start()].lower()
            if before.endswith((b"e", b"e+", b"e-")):
                return b"99999"
            if len(mark) > _MOST_DIGITS and not before.endswith(b"."):
                return b"9" * 400
        return mark


def _has_long_number(text: bytes) -> bool:
    """Whether there are suspiciously many digits in a row, be it as a number or within a text."""
    # A sample, which takes a tenth of the time, has some of them.
    sample = text[::_STEP].translate(_AS_ZEROS)
    few, many = b"0" * (_SUSPICIOUS // _STEP), b"0" * _SUSPICIOUS
    return few in sample and many in text.translate(_AS_ZEROS)


def _unfinished_escape(text: bytes) -> int:
    """Where the last escape or surrogate pair begins that may go on after this text; its end if none may."""
    escape = text.find(b"\\", max(len(text) - _PAIR_BYTES + 1, 0))
    if escape < 0:
        return len(text)
    if _HIGH_HALF.fullmatch(text[max(escape - _PAIR_BYTES // 2, 0) : escape]):
        escape -= _PAIR_BYTES // 2
    # The second of two backslashes begins nothing.
    before = escape - len(text[:escape].rstrip(b"\\"))
    return escape - before % 2
