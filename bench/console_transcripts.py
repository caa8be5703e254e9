"""Console transcripts, copied from a terminal, as the records of Claude Code's own transcripts.

A line with `>` begins a prompt, one with a dot a response or a call of a tool, one with a corner what came out; a
banner begins a session. What the console does not say is made up so that it is the same each time: ids, and a second
for each record.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from uuid import NAMESPACE_URL, uuid5

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BANNER: Final = re.compile(r"Welcome to Claude Code")
_FOLDER: Final = re.compile(r"cwd:\s+(/\S+)")
_CALL: Final = re.compile(r"([A-Z]\w*)\((.*?)\)?(?:\u2026)?\Z", re.DOTALL)
_MARKS: Final = {"> ": "prompt", "\u23fa": "said", "\u23bf": "came"}
_START: Final = datetime(2025, 4, 1, 9, tzinfo=UTC)


def is_console(path: Path) -> bool:
    """Whether a file is named like one."""
    return path.name.endswith((".md.gz", ".txt.gz", ".console"))


def sessions_of(path: Path, day: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The sessions of a file, each with its id and records. `day`: tells files apart in time."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8", "replace")
    begun = [match.start() for match in _BANNER.finditer(text)] or [0]
    for number, (begin, end) in enumerate(zip(begun, [*begun[1:], len(text)], strict=True)):
        session = str(uuid5(NAMESPACE_URL, f"{path.name}/{number}"))
        folder = _FOLDER.search(text, begin, end)
        made = _Session(
            session, folder[1] if folder else "/console", _START + timedelta(days=day, hours=number)
        )
        for kind, block in _blocks(text[begin:end]):
            made.add(kind, block)
        if made.records:
            yield session, made.records


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """The marked blocks of a session: kind and text."""
    kind, lines = "", list[str]()
    for line in text.splitlines():
        bare = line.strip() if line.lstrip().startswith(("\u23fa", "\u23bf")) else line
        mark = next((mark for mark in _MARKS if bare.startswith(mark)), None)
        if mark is not None:
            yield kind, "\n".join(lines).strip()
            kind, lines = _MARKS[mark], [bare.removeprefix(mark).strip()]
        else:
            lines.append(line.removeprefix("  ").rstrip())
    yield kind, "\n".join(lines).strip()


@dataclass(slots=True)
class _Session:
    """The records of a session as they are made."""

    session: str
    folder: str
    at: datetime
    records: list[dict[str, Any]] = field(default_factory=list)
    call: str = ""

    def add(self, kind: str, text: str) -> None:
        """Add what a block says."""
        if not text or not kind:
            return
        if kind == "prompt":
            self._record("user", text)
        elif kind == "came":
            if self.call:
                self._record("user", [{"type": "tool_result", "tool_use_id": self.call, "content": text}])
            self.call = ""
        elif (call := _CALL.match(text)) and "\n\n" not in text:
            self.call = f"toolu_{uuid5(NAMESPACE_URL, f'{self.session}/{len(self.records)}').hex}"
            asked = {"type": "tool_use", "id": self.call, "name": call[1], "input": {"command": call[2]}}
            self._record("assistant", [asked])
        else:
            self._record("assistant", [{"type": "text", "text": text}])

    def _record(self, role: str, content: Any) -> None:
        self.at += timedelta(seconds=1)
        number = len(self.records)
        self.records.append(
            {
                "type": role,
                "uuid": str(uuid5(NAMESPACE_URL, f"{self.session}/record/{number}")),
                "sessionId": self.session,
                "timestamp": self.at.isoformat(),
                "cwd": self.folder,
                "message": {"role": role, "content": content},
            }
        )
