"""Which model gave an answer that a hook told: hooks name none, the session's transcript does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from engramforge.capture.reading.records import parse_json
from engramforge.capture.reading.transcript_text import model_of, plain_text
from engramforge.capture.reading.values import object_of

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
