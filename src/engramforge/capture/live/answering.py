"""What the session's transcript knows of an answer that a hook told: which model gave it, and its text where the hook
does not tell that."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from engramforge.capture.reading.records import parse_json
from engramforge.capture.reading.transcript_text import model_of, plain_text
from engramforge.capture.reading.values import object_of, objects_in, text_of, time_of

_LATE: Final = timedelta(seconds=1)
"""How late the hook of a prompt may come, so that the answer to it has begun."""
_TAIL_BYTES: Final = 262_144
"""How much of a transcript's end is read: an answer that was just given stands there."""


def model_in(transcript: str, answer: str) -> str:
    """The model that a transcript names for an answer; of one that is not written down yet the only one that the
    transcript's end names. "" where it tells none."""
    named: list[str] = []
    for record in _last_records(transcript):
        if not (model := model_of(record)):
            continue
        said = plain_text(object_of(record.get("message")).get("content"))
        if said and said.strip() == answer.strip():
            return model
        named.append(model)
    return named[0] if len(set(named)) == 1 else ""


def answer_in(transcript: str, asked_at: datetime | None, told_at: datetime | None) -> str:
    """The last answer that a transcript has to the prompt before it; "" where it has none yet.

    `asked_at`: when the prompt was told, `told_at`: when the answer was; a line is written before its hook
    comes, so what the transcript has of the time before the one or after the other belongs to other turns.
    """
    is_agent = Path(transcript).name.startswith("agent-")
    for record in _last_records(transcript):
        at = time_of(text_of(record.get("timestamp")))
        is_later = at is not None and told_at is not None and at > told_at
        if is_later or record.get("isMeta") or (record.get("isSidechain") and not is_agent):
            continue
        if at is not None and asked_at is not None and at < asked_at - _LATE:
            return ""
        content = object_of(record.get("message")).get("content")
        if record.get("type") == "user" and not _is_outcome(content):
            return ""
        is_said = record.get("type") == "assistant" and not record.get("isApiErrorMessage")
        if is_said and (said := plain_text(content).strip()):
            return said
    return ""


def _is_outcome(content: Any) -> bool:
    """Whether a user's record only gives back what a tool brought."""
    return any(block.get("type") == "tool_result" for block in objects_in(content))


def _last_records(transcript: str) -> Iterator[dict[str, Any]]:
    """The records at the end of a transcript, the last one first."""
    for line in reversed(_tail(transcript)):
        record, _ = parse_json(line)
        if isinstance(record, dict):
            yield record


def _tail(transcript: str) -> list[bytes]:
    """The whole lines at the end of a regular file; none where it cannot be read."""
    with suppress(OSError, ValueError):
        # A name of something else could be read without end.
        if transcript and (place := Path(transcript)).is_file():
            with place.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                begin = file.seek(max(0, size - _TAIL_BYTES))
                lines = file.read(_TAIL_BYTES).splitlines()
            return lines[1:] if begin else lines
    return []
