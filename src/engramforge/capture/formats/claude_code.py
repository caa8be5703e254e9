"""Claude Code transcripts: `<slug>/<session>.jsonl` and `<session>/subagents/agent-*.jsonl`.

**What is found.** Every `user` and `assistant` record counts as one message found, exactly once: it gives one or
more memories, or is skipped for a reason, or is a fault with its line. An import expects as many as the file has
records of these two types; `summary` records give a memory too, but are no messages. Everything else is skipped and
counted by its type.

| record | memory |
|---|---|
| user: text | prompt of the user; a slash command as it was typed |
| user: tool_result, or output of a local command | tool_use: what came out, shortened |
| user with isCompactSummary; summary | session_summary |
| assistant: text | response of the assistant |
| assistant: tool_use | tool_use: the tool and what it was asked |
| thinking; isMeta; attachment (hook_success, hook_additional_context); marked or host-made context | none |

**Whose.** The project is the last part of the working folder (`cwd`; a worktree counts as its repository), chosen by
the caller for all records of a file, because a session may change its folder. Session and order are the record's
own; sub-agents count on in a range of their own, so that they never stand between the turns of the main thread.

**Identity.** A record's `uuid` is its origin; one that is no UUID is taken to be unique in its session only; without
one, file and line are. Of two records with one identity the first counts. Times are the records' own; one without
takes the time before it. A record without a session belongs to the first that its file names, else to the file.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from engramforge.capture.reading.format import Context, Format, Naming
from engramforge.capture.reading.records import Item, parse_json, read_json_lines, read_text
from engramforge.capture.reading.sessions import CHAIN_LENGTH, Said, in_history, in_transcript
from engramforge.capture.reading.sources import SAMPLE_LINES, ImportSource, Sample
from engramforge.capture.reading.transcript_text import (
    Piece,
    assistant_pieces,
    has_text,
    pieces_of_user,
    plain_text,
)
from engramforge.errors import InvalidTime
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Kind, Source
from engramforge.model.time import parse_time
from engramforge.writing.pictures import with_encoded

MESSAGE_TYPES: Final = ("user", "assistant")
_TYPES: Final = frozenset(
    {"user", "assistant", "summary", "system", "attachment", "progress", "queue-operation"}
    | {"file-history-snapshot", "last-prompt", "custom-title", "agent-name", "permission-mode"}
)
_MARKS: Final = ("sessionId", "leafUuid", "parentUuid", "isSidechain")
_INJECTED_ATTACHMENTS: Final = frozenset({"hook_success", "hook_additional_context"})
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\Z", re.IGNORECASE)
_COMPACTION = re.compile(r"(?:\A|-)acompact(?:-|\Z)")
"""The file of the agent that makes a compaction: it repeats its session, then says the summary."""
_WORKTREE = re.compile(r"/\.(?:claude/)?worktrees/.*\Z")
_FIELD: Final = {
    name: re.compile(rb'"%s"\s*:\s*("(?:[^"\\]|\\.){1,4096}")' % name.encode())
    for name in ("cwd", "sessionId", "timestamp")
}


@dataclass(slots=True)
class _Reading:
    """Where we are in one file."""

    path: Path
    project: str
    now: datetime
    last_at: datetime
    session: str
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    tools: dict[str, str] = field(default_factory=dict)
    counted: Said = field(default_factory=Said)
    branch: str | None = None


def read_transcript(path: Path, project: str, now: datetime, mtime: datetime) -> Iterator[Item]:
    """The records of one transcript as items.

    Parameters
    ----------
    project : whose memories these become; see `folder_of` for where they ran.
    now : no memory is later than this; a record with a later time has it from a wrong clock.
    mtime : stands in where no record has a time.
    """
    first_at = _time_of(_first_of(path, "timestamp")) or mtime
    session = _first_of(path, "sessionId") or path.stem
    reading = _Reading(path, project, now, min(first_at, now), session)
    for number, end, value, fault in _records(path):
        if fault:
            yield Item(str(path), number, "?", fault=fault, end=end)
        elif not isinstance(value, dict):
            yield Item(str(path), number, "?", fault="the record is not an object", end=end)
        else:
            yield _item(reading, value, number, end)


def folder_of(path: Path) -> str | None:
    """The working folder that a transcript names first; for a sub-agent's, that of its session. None without one."""
    if path.parent.name == "subagents":
        parent = path.parent.parent.with_suffix(".jsonl")
        if parent.is_file() and (found := folder_of(parent)) is not None:
            return found
    folder = _first_of(path, "cwd")
    return None if folder is None else _WORKTREE.sub("", folder.replace("\\", "/")) or folder


def _first_of(path: Path, name: str) -> str | None:
    """The first text under a name anywhere in a file, found without parsing it."""
    carried = b""
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            for match in _FIELD[name].finditer(carried + block):
                value, _ = parse_json(match[1])
                if isinstance(value, str) and value.strip():
                    return value.strip()
            carried = (carried + block)[-8_192:]
    return None


def _records(path: Path) -> Iterator[tuple[int | None, int, Any, str]]:
    """The records of a JSONL file, or of a JSON document with `loglines`."""
    if path.suffix == ".json":
        text, _, fault = read_text(path)
        document = None if fault else parse_json(text.encode())[0]
        if isinstance(document, dict) and isinstance(document.get("loglines"), list):
            size, records = path.stat().st_size, document["loglines"]
            for index, record in enumerate(records, 1):
                yield index, size * index // len(records), record, ""
            return
    for line in read_json_lines(path):
        yield line.number, line.end, line.value, line.fault


def _item(reading: _Reading, record: dict[str, Any], number: int | None, end: int) -> Item:
    kind = record.get("type")
    name = kind if isinstance(kind, str) else "None"
    subtype = record.get("subtype")
    is_message = name in MESSAGE_TYPES
    if name == "system" and isinstance(subtype, str):
        name = f"system:{subtype[:60]}"
    if name == "attachment":
        inner = record.get("attachment")
        inner_type = inner.get("type") if isinstance(inner, dict) else None
        reason = "injected" if inner_type in _INJECTED_ATTACHMENTS else "attachment"
        return Item(str(reading.path), number, name, skipped=reason, end=end)
    if not is_message and name != "summary":
        return Item(str(reading.path), number, name, skipped="no message", end=end)
    at = _time_of(record.get("timestamp"))
    reading.last_at = min(at or reading.last_at, reading.now)
    branch = record.get("gitBranch")
    reading.branch = branch if isinstance(branch, str) and branch.strip() else reading.branch
    message = record.get("message")
    if is_message and not isinstance(message, dict):
        return Item(str(reading.path), number, name, True, fault="the record has no message object", end=end)
    if record.get("isMeta") is True:
        return Item(str(reading.path), number, name, is_message, skipped="injected", end=end)
    pieces = _pieces(reading, name, record)
    if not pieces:
        has_words = isinstance(message, dict) and has_text(message.get("content"))
        reason = "injected" if has_words else "no text"
        return Item(str(reading.path), number, name, is_message, skipped=reason, end=end)
    drafts = tuple(_draft(reading, record, piece, number) for piece in pieces)
    return Item(str(reading.path), number, name, is_message, drafts, end=end)


def _pieces(reading: _Reading, name: str, record: dict[str, Any]) -> list[Piece]:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if name == "summary":
        text = record.get("summary")
        text = text if isinstance(text, str) else plain_text(content)
        return [Piece(text, Kind.SESSION_SUMMARY)] if text.strip() else []
    if name == "assistant":
        return assistant_pieces(content, reading.tools)
    if record.get("isCompactSummary") is True:
        text = plain_text(content)
        return [Piece(text, Kind.SESSION_SUMMARY)] if text.strip() else []
    return pieces_of_user(content, reading.tools)


def _draft(reading: _Reading, record: dict[str, Any], piece: Piece, number: int | None) -> Draft:
    session = record.get("sessionId")
    session = session.strip() if isinstance(session, str) and session.strip() else reading.session
    agent = record.get("agentId")
    chain = agent if isinstance(agent, str) and agent else ""
    if not chain and reading.path.parent.name == "subagents":
        chain = reading.path.stem
    if not chain and record.get("isSidechain") is True:
        chain = "sidechain"
    first = (1 + crc32(chain.encode("utf-8", "replace"))) * CHAIN_LENGTH if chain else 0
    sequence = first + reading.counts[session, chain]
    reading.counts[session, chain] += 1
    metadata: dict[str, Any] = dict(piece.metadata)
    if chain:
        metadata["agent_id"] = chain
    if reading.branch is not None:
        metadata["git_branch"] = reading.branch
    draft = Draft(
        content=piece.text,
        kind=piece.kind,
        source=Source.IMPORT,
        project=reading.project,
        session_id=session[:NAME_CHARACTERS],
        sequence=sequence,
        speaker=piece.speaker,
        metadata=metadata,
        attachments=piece.attachments,
        valid_at=reading.last_at,
        recorded_at=reading.last_at,
        origin=_identity(reading, record, session, number) + piece.part,
    )
    draft = _known_also(reading, draft, session, chain)
    return with_encoded(draft, piece.images) if any(piece.images) else draft


def _known_also(reading: _Reading, draft: Draft, session: str, chain: str) -> Draft:
    """What the main thread said, with what it is known by to a history of prompts and to a compaction; what a
    compaction says, with what it may repeat."""
    if draft.kind not in (Kind.PROMPT, Kind.RESPONSE):
        return draft
    text, is_prompt = draft.content, draft.kind is Kind.PROMPT
    if _COMPACTION.search(reading.path.stem):
        return replace(draft, same_as=in_transcript(session, text, 1) + in_history(session, text, 1))
    if chain:
        return draft
    number = reading.counted.count(session, text)
    same = in_history(session, text, number) if is_prompt else ()
    return replace(draft, also_origins=in_transcript(session, text, number), same_as=same)


def _identity(reading: _Reading, record: dict[str, Any], session: str, number: int | None) -> str:
    identity = record.get("uuid")
    if isinstance(identity, str) and identity:
        return identity.lower() if _UUID.match(identity) else f"{session}:{identity[:500]}"
    leaf = record.get("leafUuid")
    if isinstance(leaf, str) and leaf:
        digest = crc32(json.dumps(record.get("summary")).encode())
        return f"summary:{leaf[:500]}:{digest:08x}"
    return f"{session}:{reading.path.stem}:line:{number}"


def _time_of(value: Any) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        return parse_time(value, "timestamp")
    except InvalidTime:
        return None


def is_transcript_record(value: Any) -> bool:
    """Whether a JSON value looks like a record of a Claude Code transcript."""
    if not isinstance(value, dict) or value.get("type") not in _TYPES:
        return False
    if isinstance(value.get("message"), dict) and value["type"] in MESSAGE_TYPES:
        return True
    return any(mark in value for mark in _MARKS)


def _recognises(sample: Sample) -> bool:
    document = sample.document
    if isinstance(document, dict) and isinstance(document.get("loglines"), list):
        return any(map(is_transcript_record, document["loglines"][:SAMPLE_LINES]))
    return any(map(is_transcript_record, sample.lines))


def _read(source: ImportSource, context: Context) -> Iterator[Item]:
    return read_transcript(source.path, context.project or DEFAULT_PROJECT, context.now, context.mtime)


def _project_without(source: ImportSource) -> str:
    """The project of a transcript that names no working folder: its slug's words, if it lies under one."""
    for folder in source.path.parents:
        if folder.name.startswith("-"):
            return folder.name.strip("-")[:NAME_CHARACTERS] or DEFAULT_PROJECT
    return DEFAULT_PROJECT


FORMAT: Final = Format(
    name="claude_code",
    title="Claude Code transcripts",
    read=_read,
    recognises=_recognises,
    naming=Naming.WORKING_FOLDER,
    is_conversation=True,
    working_folder=lambda source: folder_of(source.path),
    project_without=_project_without,
)
