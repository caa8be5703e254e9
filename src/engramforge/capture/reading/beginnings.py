"""The beginning of a JSON document as values: what a recogniser needs of a file of gigabytes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

MOST_EVENTS: Final = 50_000
"""How many of a document's parts are examined."""


def beginning_of(head: bytes) -> Any:
    """The value at the beginning of a document, as far as `head` holds it; None if it is not JSON.

    What follows the first value is ignored, so the first of several lines may be the document.
    """
    import ijson

    first = head.lstrip()[:1]
    if first not in (b"{", b"["):
        return None
    building = Building()
    events = ijson.basic_parse(head)
    try:
        for _ in range(MOST_EVENTS):
            if building.is_done:
                break
            building.take(*next(events))
    except (ijson.JSONError, StopIteration, UnicodeDecodeError, ValueError):
        # The head ends within the document, or the document is broken further on; what came before counts.
        pass
    return building.value


class Building:
    """A value built from a parser's events, one by one."""

    def __init__(self) -> None:
        self.value: Any = None
        self.is_done = False
        self._open: list[Any] = []
        self._keys: list[str] = []

    def take(self, event: str, value: Any) -> None:
        """Take one event."""
        if event == "map_key":
            self._keys[-1] = value
        elif event in ("start_map", "start_array"):
            made: Any = {} if event == "start_map" else []
            self._put(made)
            self._open.append(made)
            self._keys.append("")
        elif event in ("end_map", "end_array"):
            self._open.pop()
            self._keys.pop()
            self.is_done = not self._open
        else:
            # Parsed exactly, so that no number is too large for the parser; nobody needs that many digits.
            self._put(float(value) if isinstance(value, Decimal) else value)

    def complete(self) -> Any:
        """The value, without the still open item of its last list or object."""
        if len(self._open) > 2:
            holder = self._open[1]
            if isinstance(holder, dict):
                del holder[self._keys[1]]
            else:
                holder.pop()
        return self.value

    def _put(self, value: Any) -> None:
        if not self._open:
            self.value = value
        elif isinstance(self._open[-1], dict):
            self._open[-1][self._keys[-1]] = value
        else:
            self._open[-1].append(value)
