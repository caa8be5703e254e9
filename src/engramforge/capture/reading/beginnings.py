"""The beginning of a JSON document as values: what a recogniser needs of a file of gigabytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice
from typing import Any, Final

MOST_EVENTS: Final = 50_000
"""How many of a document's parts are examined."""
_MOST_DIGITS: Final = 4_300
"""The longest whole number that Python reads."""
_LONGER: Final = re.compile(rb"(?<!\d)\d{%d}" % (_MOST_DIGITS + 1))
_SAMPLES: Final = 10
_DIGITS_IN_SAMPLE: Final = re.compile(rb"\d{%d}" % _SAMPLES)

Parse = Callable[..., Iterator[tuple[str, Any]]]
"""A parser of JSON: bytes or a stream of them -> events and their values."""


def beginning_of(head: bytes) -> Any:
    """The value at the beginning of a document, as far as `head` holds it; None if it is not JSON.

    What follows the first value is ignored, so the first of several lines may be the document.
    """
    import ijson

    if head.lstrip()[:1] not in (b"{", b"["):
        return None
    builder = ijson.ObjectBuilder()
    try:
        for event, value in islice(parser(has_long_number(head))(head), MOST_EVENTS):
            builder.event(event, plain(value))
    except (ijson.JSONError, UnicodeDecodeError, ValueError):
        # The head ends within the document, or the document is broken further on; what came before counts.
        pass
    return builder.value


def parser(long_numbers: bool) -> Parse:
    """The parser for a document in which `has_long_number` found something, or nothing.

    The fast one, in C, ends the process at a whole number that Python does not read; the other refuses the document.
    """
    import ijson

    backend = ijson.get_backend("python") if long_numbers else ijson
    parse: Parse = backend.basic_parse
    return parse


def has_long_number(text: bytes) -> bool:
    """Whether there are more than 4,300 digits in a row, be it as a number or within a text."""
    # So many digits are `_SAMPLES` neighbours in this sample, which takes no time to look at.
    sample = text[:: _MOST_DIGITS // _SAMPLES]
    return _DIGITS_IN_SAMPLE.search(sample) is not None and _LONGER.search(text) is not None


def plain(value: Any) -> Any:
    """A parser's value. Numbers are parsed exactly, so that none is too large; nobody needs that many digits."""
    return float(value) if isinstance(value, Decimal) else value
