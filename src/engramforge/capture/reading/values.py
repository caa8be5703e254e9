"""Reading values in other tools' records: texts, times, names, files that are only named."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.core.text.injection_marks import strip_injected
from engramforge.errors import InvalidTime
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Attachment
from engramforge.model.time import from_micros, parse_time

_MILLISECONDS_FROM: Final = 100_000_000_000
"""Numbers from here on are milliseconds: as seconds they would lie after the year 5138."""
_NO_ZONE: Final = re.compile(r"[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\Z")


def text_of(value: Any) -> str:
    """A value if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def list_of(value: Any) -> list[Any]:
    """A value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def object_of(value: Any) -> dict[str, Any]:
    """A value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def objects_in(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; none where it is no list."""
    return [item for item in list_of(value) if isinstance(item, dict)]


def time_of(value: Any) -> datetime | None:
    """The time that a record names, as text or as a number of seconds or milliseconds since 1970; None without."""
    if isinstance(value, str):
        try:
            return parse_time(value, "timestamp")
        except InvalidTime:
            return None
    scale = 1_000 if _is_number(value) and value >= _MILLISECONDS_FROM else 1_000_000
    return _since_1970(value, scale)


def chat_time_of(value: Any) -> datetime | None:
    """The same for exports of chats, which omit the zone UTC and count in seconds only."""
    if isinstance(value, str):
        said = value.strip()
        return time_of(f"{said}+00:00" if _NO_ZONE.search(said) else said)
    return _since_1970(value, 1_000_000)


def _since_1970(value: Any, scale: int) -> datetime | None:
    # NaN and times before 1970 come from nowhere.
    if not _is_number(value) or not value > 0:
        return None
    try:
        return from_micros(int(value * scale)).astimezone(UTC)
    except (OverflowError, ValueError, OSError, InvalidTime):
        return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def digest_of(text: str, size: int = 8) -> str:
    """A hash of a text of this many bytes, as hexadecimal digits."""
    return blake2b(text.encode("utf-8", "replace"), digest_size=size).hexdigest()


def visible(text: str, stand_in: str = " ") -> str:
    """A text with unprintable characters replaced."""
    return "".join(letter if letter.isprintable() else stand_in for letter in text)


def printable(text: Any, most: int = NAME_CHARACTERS) -> str:
    """A text on a single line, for a name; empty if there is none."""
    return cut(" ".join(visible(text_of(text)).split()), most).strip()


def cleaned(text: str) -> str:
    """A text without injected context, NUL and lone surrogates."""
    said = strip_injected(text)[0].replace("\0", "")
    if not said.isascii():
        said = said.encode("utf-8", "replace").decode()
    return said.strip()


def attachment_of(name: Any, media_type: Any, size: Any) -> Attachment:
    """A file that an export only names, so that it cannot be read."""
    media = printable(media_type) or "application/octet-stream"
    known = size if isinstance(size, int) and not isinstance(size, bool) and 0 <= size < 1 << 53 else 0
    return Attachment(printable(name) or "file", media, known)
