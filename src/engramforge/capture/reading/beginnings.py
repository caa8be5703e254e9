"""The beginning of a JSON document as values: what a recogniser needs of a file of gigabytes."""

from __future__ import annotations

from io import BytesIO
from itertools import islice
from typing import Any, Final

from engramforge.capture.reading.json_events import json_events

MOST_EVENTS: Final = 50_000
"""How many of a document's parts are examined."""


def beginning_of(head: bytes) -> Any:
    """The value at the beginning of a document, as far as `head` holds it; None if it is not JSON.

    What follows the first value is ignored, so the first of several lines may be the document.
    """
    import ijson

    if head.lstrip()[:1] not in (b"{", b"["):
        return None
    builder = ijson.ObjectBuilder()
    try:
        for event, value in islice(json_events(BytesIO(head)), MOST_EVENTS):
            builder.event(event, value)
    except (ijson.JSONError, UnicodeDecodeError):
        # The head ends within the document, or the document is broken further on; what came before counts.
        pass
    return builder.value
