"""Reads decisions and threads from messages as they come in (spec chapter 7): the follower of the intake.

Planned before the transaction and written inside it, so that an undo takes back a message and what was detected in it
together. What must not enter: the rules (core/detection), what becomes of a detection (registries/detected).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from engramforge.core.detection.reading import Extractor
from engramforge.model.detection import Detection
from engramforge.model.memory import Kind, Memory
from engramforge.model.record import Entry
from engramforge.model.scope import Scope
from engramforge.registries.detected import Detected
from engramforge.writing.intake import Follow

READ_KINDS: Final = frozenset({Kind.PROMPT, Kind.RESPONSE, Kind.MESSAGE, Kind.SESSION_SUMMARY, Kind.NOTE})
"""Kinds of memories in which somebody says something; others are machines' or are entries themselves."""


class Detecting:
    """Detects in what comes in; a `Follower` of the intake.

    Parameters
    ----------
    extractor : finds decisions and threads in a text.
    detected : plans what follows from them.
    """

    def __init__(self, extractor: Extractor, detected: Detected) -> None:
        self._extractor = extractor
        self._detected = detected

    def plan(self, scope: Scope, entries: Sequence[Entry], now: datetime) -> Sequence[Follow]:
        """What follows from messages that are about to be written, in their order."""
        said: list[tuple[Memory, Sequence[Detection]]] = []
        for entry in entries:
            memory = entry.memory
            if memory.kind in READ_KINDS and memory.chunk is None and memory.registration is None:
                found = self._extractor.extract(said_text(memory))
                if found:
                    said.append((memory, found))
        return self._detected.plan(scope, said, now) if said else ()


def said_text(memory: Memory) -> str:
    """What somebody said: the content without a leading "speaker:"."""
    content, prefix = memory.content, f"{memory.speaker}:"
    if memory.speaker and content[: len(prefix)].casefold() == prefix.casefold():
        return content[len(prefix) :].lstrip() or content
    return content
