"""What the readers of agents' sessions share: the state of reading a session, and drafts of what was said in it.

A session's turns are numbered in the order of reading; a record without a time takes the previous one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.transcript_text import Call, Piece
from engramforge.capture.reading.values import time_of
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Draft, Source
from engramforge.writing.pictures import with_encoded

CHAIN_LENGTH: Final = 1_000_000
"""Sequence numbers of a side chain, as a sub-agent or a later branch, begin at a multiple of this."""


SIDE_CHAIN: Final = "sidechain"
"""The chain of a sub-agent without a name."""
_WORKTREE: Final = re.compile(r"/\.(?:claude/)?worktrees/.*\Z")


def first_in(chain: str) -> int:
    """The first sequence number of a chain; 0 of the main thread, which is called ""."""
    return (1 + crc32(chain.encode("utf-8", "replace"))) * CHAIN_LENGTH if chain else 0


def repository_of(folder: str) -> str:
    """The folder that names the project of a session in this working folder: a worktree counts as its repository."""
    return _WORKTREE.sub("", folder.replace("\\", "/")) or folder


class Said:
    """What was said in sessions, by session, text and occurrence of that text, from 1.

    By this a transcript, a prompt history and the transcript of a compaction recognise each other's records
    (`Draft.also_origins`, `Draft.same_as`): the second "ok" of a history is the second of the transcript.
    """

    def __init__(self) -> None:
        self._times: Counter[tuple[str, bytes]] = Counter()

    def count(self, session: str, text: str) -> int:
        """Which occurrence of this text in the session this is, from 1."""
        key = session, text_digest(text)
        self._times[key] += 1
        return self._times[key]


def in_transcript(session: str, text: str, number: int) -> tuple[str]:
    """The further origin of a text in a session's transcript."""
    return (f"transcript said:{session[:500]}:{text_digest(text).hex()}:{number}",)


def in_history(session: str, text: str, number: int) -> tuple[str]:
    """The further origin of a prompt that a history assigns to a session."""
    return (f"history said:{session[:500]}:{text_digest(text).hex()}:{number}",)


LIVE: Final = "live"
"""Key of the metadata of what a hook told: which occurrence of its text in its chain it is, from 1; 0 of a tool's."""
LIVE_STEP: Final = 10
"""The sequence numbers of what hooks tell are multiples of this: between them is room for what only the transcript
has."""
SAME_TIME: Final = timedelta(minutes=10)
"""How far a hook's time and its transcript's may be apart."""
COMPACTION: Final = "\0compaction"
"""Stands for the text of a compaction, which a hook and a transcript give in other words."""


def in_chain(session: str, chain: str) -> str:
    """What is counted as a session of its own: the main thread, or a sub-agent's."""
    return f"{session[:400]}\0{chain[:90]}" if chain else session


def said_live(session: str, chain: str, text: str, number: int) -> tuple[str]:
    """The further origin of a text that a hook told, by which its transcript recognises it."""
    return (f"live said:{in_chain(session, chain)[:500]}:{text_digest(text).hex()}:{number}",)


def tool_live(session: str, part: str) -> tuple[str]:
    """The further origin of a tool's request or outcome that a hook told. `part`: as of its `Piece`."""
    return (f"live tool:{session[:500]}{part}",)


def tool_in_transcript(session: str, part: str) -> tuple[str]:
    """The further origin of a tool's request or outcome in a session's transcript."""
    return (f"transcript tool:{session[:500]}{part}",)


def text_digest(text: str) -> bytes:
    """A digest that two records of a text share, however they are broken into lines."""
    return blake2b(" ".join(text.split()).encode("utf-8", "replace"), digest_size=12).digest()


@dataclass(slots=True)
class SessionReading:
    """The state of reading a session.

    `last_at`: the time of the newest record so far, used for the next one without a time. `session`: the id of the
    conversation. `tools`: call id -> what was asked, for the outcomes that follow. `counted`: the prompts so far.
    """

    path: Path
    project: str
    now: datetime
    last_at: datetime
    session: str
    next_sequence: int = 0
    tools: dict[str, Call] = field(default_factory=dict)
    counted: Said = field(default_factory=Said)

    def note_time(self, value: Any) -> None:
        """Take a record's time, if it has one; never later than now."""
        self.last_at = min(time_of(value) or self.last_at, self.now)

    def draft(self, piece: Piece, origin: str, metadata: Mapping[str, Any]) -> Draft:
        """The next memory of the session."""
        draft = Draft(
            content=piece.text,
            kind=piece.kind,
            source=Source.IMPORT,
            project=self.project,
            session_id=cut(self.session, NAME_CHARACTERS),
            sequence=self.next_sequence,
            speaker=piece.speaker,
            metadata={**piece.metadata, **metadata},
            attachments=piece.attachments,
            valid_at=self.last_at,
            recorded_at=self.last_at,
            origin=origin,
        )
        self.next_sequence += 1
        return with_encoded(draft, piece.images) if any(piece.images) else draft
