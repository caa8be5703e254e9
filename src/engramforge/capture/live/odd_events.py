"""Reads the body of a hook's event, however odd: a field that is too much to be taken only says so, and why.

In one pass, and no longer than for so many values: a body of many megabytes with more of them is not read to its end,
and what stands behind the field is found from there. The hook client, which may import nothing of ours, reads alike.
Pure.
"""

from __future__ import annotations

import json.decoder
import re
from collections.abc import Callable
from typing import Any, Final

PIECES: Final = 20_000
"""The most values of a field."""
DEEPEST: Final = 100
"""The most levels of an event."""
CUT_OUT: Final = "[engramforge cut it: {}]"
TOO_MANY: Final = CUT_OUT.format("too many pieces")
_DIGITS: Final = 600
_GAP: Final[Any] = re.compile(r"[\s,:]*")
_CALL: Final = "tool_use_id"
"""What names a tool's event stands behind what the tool gave."""
_BEHIND: Final = re.compile(rf',\s*"{_CALL}"\s*:')
_TAIL: Final = 65_536
_DECODER: Final[Any] = json.decoder


class _TooMuch(Exception):
    """Why a field is not read to its end."""


def event_in(body: bytes) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The event of a body, and which of its fields were cut, each with the reason. What is no UTF-8 becomes U+FFFD.

    Raises ValueError: it is no JSON object.
    """
    reading = _Reading(body.decode("utf-8-sig", "replace"))
    try:
        event, end = reading.value(_GAP.match(reading.text).end(), 0)
    except (IndexError, StopIteration):
        raise ValueError("it breaks off") from None
    if not isinstance(event, dict) or reading.text[end:].strip():
        raise ValueError("it is no JSON object")
    return event, tuple(reading.cut)


class _Reading:
    """The reading of a text. `cut`: the fields that were not read, and why."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.cut: list[str] = []
        self._left = PIECES
        self._once: Callable[[str, int], tuple[Any, int]] = _DECODER.JSONDecoder(parse_int=_number).scan_once

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        """The value that begins there, and where it ends."""
        self._left -= 1
        if self._left < 0 or depth > DEEPEST:
            raise _TooMuch("too many pieces" if self._left < 0 else "nested too deep")
        text = self.text
        if text[at] not in "[{":
            return self._once(text, at)
        end = "}" if text[at] == "{" else "]"
        at = _GAP.match(text, at + 1).end()
        found: dict[Any, Any] = {}
        while text[at] != end:
            name: Any = len(found)
            if end == "}":
                name, at = _DECODER.scanstring(text, at + 1)
                at = _GAP.match(text, at).end()
            try:
                found[name], at = self.value(at, depth + 1)
            except _TooMuch as why:
                if depth:
                    raise
                self.cut.append(f"{str(name)[:100]}: {why}")
                found[name], self._left = CUT_OUT.format(why), PIECES
                calls = _BEHIND.finditer(text, max(at, len(text) - _TAIL)) if _CALL not in found else ()
                at = max((each.start() for each in calls), default=text.rindex("}"))
            at = _GAP.match(text, at).end()
        return (found if end == "}" else list(found.values())), at + 1


def _number(digits: str) -> int | str:
    return int(digits) if len(digits) < _DIGITS else CUT_OUT.format("a long number")
