"""Transcripts as turns in order, for replays: consoles of Claude Code, its own files, and talks of two persons."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.harness import moment
from engramforge.errors import InvalidSource

PROMPT, RESPONSE, TOOL = "prompt", "response", "tool"
_BEGIN: Final = datetime(2025, 4, 1, 9, tzinfo=UTC)
_TOOL: Final = re.compile(r"(?s)([A-Z][A-Za-z]+)\((.*?)\)(?:…|\s*\n|\s*\Z)")
_TOOLS: Final = {"Update": "Edit", "Edit": "Edit", "MultiEdit": "Edit", "Write": "Write", "Bash": "Bash"}
_OTHERS: Final = frozenset(
    {"Read", "Search", "List", "Call", "Task", "Fetch", "Glob", "Grep", "LS", "WebFetch"}
)
_BORDER: Final = re.compile(r"^[╭╰│✻※✔⧉].*$")


@dataclass(frozen=True, slots=True)
class Turn:
    """A prompt, a response or the use of a tool. `tool`, `given`: which one, and what it was asked."""

    kind: str
    text: str
    at: datetime
    speaker: str | None = None
    tool: str = ""
    given: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Session:
    """The turns of a session, in order."""

    project: str
    name: str
    turns: tuple[Turn, ...]


def read_sessions(path: Path) -> Iterator[Session]:
    """The sessions of a file. Raises InvalidSource where it has none."""
    name = path.name.removesuffix(".gz")
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    if name.endswith(".md"):
        yield _console(name.removesuffix(".md"), text)
        return
    try:
        records = [json.loads(line) for line in text.splitlines() if line.strip().startswith("{")]
    except ValueError as error:
        raise InvalidSource(f"{path.name} is not JSON lines ({error})", "Check the file") from None
    if any("sessions" in each for each in records):
        for each in records:
            yield from _talk(each)
        return
    yield from _transcript(name, records)


def _console(name: str, text: str) -> Session:
    """What a terminal showed: prompts after `> `, what Claude said and did after `⏺ `."""
    day = int(re.sub(r"\D", "", name) or 0)
    turns: list[Turn] = []
    lines: list[str] = []
    mark = ""

    def finish() -> None:
        said = "\n".join(line for line in lines if not _BORDER.match(line)).strip()
        at = _BEGIN + timedelta(days=day, seconds=30 * len(turns))
        if said and mark:
            turns.append(_shown(mark, said, at))

    for line in text.splitlines():
        if line[:2] in ("> ", "⏺ "):
            finish()
            mark, lines = line[0], [line[2:]]
        else:
            lines.append(line)
    finish()
    return Session("console", name, tuple(turns))


def _shown(mark: str, said: str, at: datetime) -> Turn:
    if mark == ">":
        return Turn(PROMPT, " ".join(said.split()), at)
    found = _TOOL.match(said)
    if found is None or found[1] not in _TOOLS.keys() | _OTHERS:
        return Turn(RESPONSE, said, at)
    tool, asked = _TOOLS.get(found[1], found[1]), " ".join(found[2].split())
    path = re.sub(r"\A(?:file_path|path): *", "", asked).split(",")[0].strip('" ')
    given = {"command": asked} if tool == "Bash" else {"file_path": path}
    return Turn(TOOL, said[:600], at, tool=tool, given=given)


def _talk(record: dict[str, Any]) -> Iterator[Session]:
    """A talk of two: what one says is a prompt to the other."""
    for session in record["sessions"]:
        begin = moment(session.get("date"), record["sample_id"]) or _BEGIN
        turns = tuple(
            Turn(PROMPT, turn["text"], begin + timedelta(minutes=place), turn["speaker"])
            for place, turn in enumerate(session["turns"])
            if turn["text"].strip()
        )
        yield Session(str(record["sample_id"]), f"{record['sample_id']}/{session['n']}", turns)


def _transcript(name: str, records: list[dict[str, Any]]) -> Iterator[Session]:
    """Claude Code's own records."""
    sessions: dict[str, list[Turn]] = {}
    last = _BEGIN
    for record in records:
        message = record.get("message")
        if record.get("type") not in ("user", "assistant") or not isinstance(message, dict):
            continue
        last = moment(record.get("timestamp"), name) or last
        content = message.get("content")
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        for part in parts:
            turn = _part(part, str(record["type"]), last)
            if turn is not None:
                sessions.setdefault(str(record.get("sessionId") or name), []).append(turn)
    for session, turns in sessions.items():
        yield Session("claude_code", session, tuple(turns))


def _part(part: Any, of: str, at: datetime) -> Turn | None:
    if not isinstance(part, dict):
        return None
    if part.get("type") == "text" and str(part.get("text", "")).strip():
        return Turn(PROMPT if of == "user" else RESPONSE, str(part["text"]), at)
    if part.get("type") == "tool_use" and isinstance(part.get("input"), dict):
        said = f"{part.get('name')}: {json.dumps(part['input'])}"[:600]
        return Turn(TOOL, said, at, tool=str(part.get("name")), given=part["input"])
    return None
