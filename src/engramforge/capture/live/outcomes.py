"""What came out of a tool, in words: from the `tool_response` that a hook tells, which has a shape for each tool.

A transcript has the same as a text for the model; here it is put together from the fields of the response. Pure, and
never more than some thousand characters, however large the response is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from engramforge.capture.reading.transcript_text import plain_text, shortened
from engramforge.capture.reading.values import list_of, object_of, text_of
from engramforge.core.secrets.called import field_said, secret_values, without_values

_MOST: Final = 20_000
"""Characters of a response that are looked at: its beginning and its end."""
_LISTED: Final = 200
_TEXTS: Final = ("stdout", "stderr", "content", "result", "output", "text", "message", "error")
_NAMES: Final = ("filenames", "matches", "files")
_PLACES: Final = ("filePath", "file_path", "path", "url", "query", "type", "mode", "status")
_SAMPLE: Final = 2_000
_UNREADABLE: Final = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd\ud800-\udfff]")
_MOST_UNREADABLE: Final = 0.1


def outcome_of(response: Any) -> str:
    """The text of a response; empty where it says nothing."""
    said = _readable("\n".join(filter(None, _said(response))))
    return without_values(said, chain(secret_values(response), secret_values(_told_as_json(said))))


def _told_as_json(said: str) -> Any:
    """The data that an outcome is the text of; None of any other."""
    if said.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(said)
    except (ValueError, RecursionError):
        return None


def has_failed(response: Any) -> bool:
    """Whether a response says that the tool failed."""
    return any(object_of(response).get(name) is True for name in ("is_error", "isError", "interrupted"))


def _said(response: Any) -> Iterator[str]:
    if isinstance(response, str):
        yield shortened(response, _MOST)
    elif isinstance(response, list):
        yield shortened(plain_text(response[:_LISTED]), _MOST)
    elif isinstance(response, dict):
        yield from _fields(response)
    elif response is not None:
        yield str(response)[:_SAMPLE]


def _fields(response: dict[str, Any]) -> Iterator[str]:
    """What the fields of an object say: texts first, else names, else whatever is short; nothing of a file that was
    written, since the request has its text."""
    if "structuredPatch" in response:
        return
    file = object_of(response.get("file"))
    texts = [part for name in _TEXTS for part in _said_in(response.get(name))]
    texts += _said_in(file.get("content"))
    names = [name for key in _NAMES for name in list_of(response.get(key))[:_LISTED] if isinstance(name, str)]
    if found := [*texts, *(shortened(name, 1_000) for name in names)]:
        yield from found
        return
    for name in _PLACES:
        if place := text_of(response.get(name)) or text_of(file.get(name)):
            yield f"{name}: {shortened(place, 1_000)}"
            return
    rest = {name: value for name, value in list(response.items())[:20] if value not in ("", None, [], {})}
    if any(name in response for name in _TEXTS):
        # A command that printed nothing is not told by how it ran.
        rest = {name: value for name, value in rest.items() if not isinstance(value, bool)}
    plain = [
        field_said(str(name)[:100], value, shortened(str(value), 500))
        for name, value in rest.items()
        if isinstance(value, str | int | float)
    ]
    # Of a shape that nobody knows at least the names.
    yield from plain or (str(name)[:100] for name in rest)


def _said_in(value: Any) -> list[str]:
    """The text of a field that is a text or a list of blocks."""
    if isinstance(value, str):
        return [shortened(value, _MOST)] if value.strip() else []
    text = shortened(plain_text(value[:_LISTED]), _MOST) if isinstance(value, list) else ""
    return [text] if text else []


def _readable(text: str) -> str:
    """A text, or how much there was of what is none."""
    sample = text[:_SAMPLE]
    if len(_UNREADABLE.findall(sample)) > _MOST_UNREADABLE * len(sample):
        return f"(binary output of {len(text):,} characters)"
    return text
