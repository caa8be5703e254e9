"""Claude Code transcripts: `<slug>/<session>.jsonl` and `<session>/subagents/agent-*.jsonl`.

**What is found.** Every `user` and `assistant` record counts as one message found, exactly once: it gives one or
more memories, or is skipped for a reason, or is a fault with its line. An import expects as many as the file has
records of these two types; `summary` records give a memory too, but are no messages. Everything else is skipped and
counted by its type.

| record | memory |
|---|---|
| user: text | prompt of the user; a slash command as it was typed |
| user: tool_result, or output of a local command | tool_use: what came out, shortened; of questions the answers |
| user with isCompactSummary or the words of a compaction; summary | session_summary |
| user: text of another role or origin, beside a tool's result, or of a skill; an error of the service | tool_use |
| assistant: text | response of the assistant, with the model that gave it |
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
from functools import partial
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Format, Naming
from engramforge.capture.reading.packed import bare, open_file
from engramforge.capture.reading.records import Item, Place, parse_json, read_objects, read_records
from engramforge.capture.reading.sessions import (
    COMPACTION,
    SIDE_CHAIN,
    SessionReading,
    first_in,
    in_chain,
    in_history,
    in_transcript,
    repository_of,
    said_live,
    tool_in_transcript,
    tool_live,
)
from engramforge.capture.reading.sources import SAMPLE_LINES, ImportSource, Sample
from engramforge.capture.reading.transcript_text import (
    Piece,
    assistant_pieces,
    has_text,
    model_of,
    pieces_of_user,
    plain_text,
)
from engramforge.capture.reading.values import object_of, text_of, time_of
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import DEFAULT_PROJECT, Draft, Kind

MESSAGE_TYPES: Final = ("user", "assistant")
_TYPES: Final = frozenset(
    {"user", "assistant", "summary", "system", "attachment", "progress", "queue-operation"}
    | {"file-history-snapshot", "last-prompt", "custom-title", "agent-name", "permission-mode"}
)
_MARKS: Final = ("sessionId", "leafUuid", "parentUuid", "isSidechain")
_INJECTED_ATTACHMENTS: Final = frozenset({"hook_success", "hook_additional_context"})
_MADE: Final = (
    *("toolUseResult", "sourceToolUseID", "sourceToolAssistantUUID", "isApiErrorMessage"),
    *("isVisibleInTranscriptOnly", "hookEvent", "hookName"),
)
"""Fields of a user's record that a person did not write."""
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\Z", re.IGNORECASE)
_COMPACTION = re.compile(r"(?:\A|-)acompact(?:-|\Z)")
"""The file of the agent that makes a compaction: it repeats its session, then says the summary."""
_NAMED_CALL = re.compile(r":(?:result:)?(?!\d{1,9}\Z|output:|text\Z).")
"""The part of a record that a call with an id of its own makes; without one it is its place."""
_FIELD: Final = {
    name: re.compile(rb'"%s"\s*:\s*("(?:[^"\\]|\\.){1,4096}")' % name.encode())
    for name in ("cwd", "sessionId", "timestamp")
}
FORKED_FROM: Final = "forked_from"
"""Key of a draft's metadata: the session in which it was said, of which this one is a copy."""


@dataclass(slots=True)
class _Reading(SessionReading):
    """The state of reading a file; `session` is the first that it names."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    branch: str | None = None


def read_transcript(source: ImportSource, context: Context) -> Iterator[Item]:
    """The records of one transcript as items; the project is that of where it ran (`folder_of`)."""
    path = source.path
    first_at = time_of(_first_of(path, "timestamp"))
    session = _first_of(path, "sessionId") or bare(path).stem
    reading = _Reading(path, context.own_project, context.now, context.dated(first_at), session)
    return read_objects(path, read_records(path, "loglines"), partial(_item, reading))


def folder_of(path: Path) -> str | None:
    """The working folder that a transcript names first; for a sub-agent's, that of its session. None without one."""
    if path.parent.name == "subagents":
        parent = path.parent.parent.with_suffix(".jsonl")
        if parent.is_file() and (found := folder_of(parent)) is not None:
            return found
    folder = _first_of(path, "cwd")
    return None if folder is None else repository_of(folder)


def _first_of(path: Path, name: str) -> str | None:
    """The first text under a name anywhere in a file, found without parsing it."""
    carried = b""
    with open_file(path) as file:
        while block := file.read(1 << 20):
            for match in _FIELD[name].finditer(carried + block):
                value, _ = parse_json(match[1])
                if isinstance(value, str) and value.strip():
                    return value.strip()
            carried = (carried + block)[-8_192:]
    return None


def _item(reading: _Reading, record: dict[str, Any], place: Place) -> Item:
    kind = record.get("type")
    name = kind if isinstance(kind, str) else "None"
    is_message = name in MESSAGE_TYPES
    if name == "attachment":
        inner_type = text_of(object_of(record.get("attachment")).get("type"))
        return place.skipped(name, "injected" if inner_type in _INJECTED_ATTACHMENTS else "attachment")
    if not is_message and name != "summary":
        subtype = record.get("subtype")
        if name == "system" and isinstance(subtype, str):
            name = f"system:{subtype}"
        return place.skipped(name, "no message")
    at = time_of(text_of(record.get("timestamp")))
    reading.last_at = min(at or reading.last_at, reading.now)
    branch = text_of(record.get("gitBranch"))
    reading.branch = branch if branch.strip() else reading.branch
    message = record.get("message")
    if is_message and not isinstance(message, dict):
        return place.fault(name, "the record has no message object", is_message=True)
    if record.get("isMeta"):
        return place.skipped(name, "injected", is_message)
    content = object_of(message).get("content")
    pieces = _pieces(reading, name, record, content)
    if not pieces:
        return place.skipped(name, "injected" if has_text(content) else "no text", is_message)
    drafts = [_draft(reading, record, piece, place.line) for piece in pieces]
    return place.item(name, *drafts, is_message=is_message)


def _pieces(reading: _Reading, name: str, record: dict[str, Any], content: Any) -> list[Piece]:
    if name == "assistant" and not record.get("isApiErrorMessage"):
        return assistant_pieces(content, reading.tools)
    if name != "summary" and not record.get("isCompactSummary"):
        return pieces_of_user(content, reading.tools, is_typed=name == "user" and _is_typed(record))
    more: dict[str, Any] = {} if name == "summary" else {"compaction": True}
    said = record.get("summary") if name == "summary" else None
    text = said if isinstance(said, str) else plain_text(content)
    return [Piece(text, Kind.SESSION_SUMMARY, metadata=more)] if text.strip() else []


def _is_typed(record: dict[str, Any]) -> bool:
    """Whether a person wrote a user's record: no tool, skill, hook, error or task stands behind it."""
    role = text_of(object_of(record.get("message")).get("role")) or "user"
    origin = text_of(object_of(record.get("origin")).get("kind")) or "human"
    is_made = any(record.get(mark) not in (None, False, "") for mark in _MADE)
    return role in ("user", "human") and origin == "human" and not is_made


def _draft(reading: _Reading, record: dict[str, Any], piece: Piece, number: int | None) -> Draft:
    session = text_of(record.get("sessionId")).strip() or reading.session
    chain = text_of(record.get("agentId"))
    if not chain and reading.path.parent.name == "subagents":
        chain = bare(reading.path).stem
    if not chain and record.get("isSidechain"):
        chain = SIDE_CHAIN
    sequence = first_in(chain) + reading.counts[session, chain]
    reading.counts[session, chain] += 1
    metadata = {}
    if chain:
        metadata["agent_id"] = chain
    if origin := text_of(object_of(record.get("forkedFrom")).get("sessionId")).strip():
        metadata[FORKED_FROM] = cut(origin, NAME_CHARACTERS)
    if reading.branch is not None:
        metadata["git_branch"] = reading.branch
    if piece.kind is Kind.RESPONSE and (model := model_of(record)):
        metadata["model"] = model
    draft = reading.draft(piece, _identity(reading, record, session, number) + piece.part, metadata)
    draft = replace(draft, session_id=cut(session, NAME_CHARACTERS), sequence=sequence)
    if record.get("type") == "summary":
        return draft
    return _known_also(reading, draft, session, chain, piece.part)


def _known_also(reading: _Reading, draft: Draft, session: str, chain: str, part: str) -> Draft:
    """What was said, with its origins in a prompt history, in a compaction and in what hooks told; what a compaction
    says, with what it may repeat; a call of a tool, with that of the hooks."""
    if draft.kind is Kind.TOOL_USE:
        if not _NAMED_CALL.match(part):
            return draft
        return replace(
            draft, also_origins=tool_in_transcript(session, part), live_as=tool_live(session, part)
        )
    if draft.kind not in (Kind.PROMPT, Kind.RESPONSE, Kind.SESSION_SUMMARY):
        return draft
    text = COMPACTION if draft.kind is Kind.SESSION_SUMMARY else draft.content
    if _COMPACTION.search(bare(reading.path).stem):
        return replace(
            draft,
            same_as=in_transcript(session, text, 1) + in_history(session, text, 1),
            live_as=said_live(session, "", text, 1),
        )
    number = reading.counted.count(in_chain(session, chain), text)
    is_prompt = draft.kind is Kind.PROMPT and not chain
    return replace(
        draft,
        also_origins=in_transcript(in_chain(session, chain), text, number),
        same_as=in_history(session, text, number) if is_prompt else (),
        live_as=said_live(session, chain, text, number),
    )


def _identity(reading: _Reading, record: dict[str, Any], session: str, number: int | None) -> str:
    if identity := text_of(record.get("uuid")):
        return identity.lower() if _UUID.match(identity) else f"{session}:{identity[:500]}"
    if leaf := text_of(record.get("leafUuid")):
        digest = crc32(json.dumps(record.get("summary")).encode())
        return f"summary:{leaf[:500]}:{digest:08x}"
    return f"{session}:{bare(reading.path).stem}:line:{number}"


def is_transcript_record(value: Any) -> bool:
    """Whether a JSON value looks like a record of a Claude Code transcript."""
    if not isinstance(value, dict) or text_of(value.get("type")) not in _TYPES:
        return False
    if isinstance(value.get("message"), dict) and value["type"] in MESSAGE_TYPES:
        return True
    return any(mark in value for mark in _MARKS)


def _recognises(sample: Sample) -> bool:
    listed = object_of(sample.document).get("loglines")
    records = listed[:SAMPLE_LINES] if isinstance(listed, list) else sample.lines
    return any(map(is_transcript_record, records))


def _project_without(source: ImportSource) -> str:
    """The project of a transcript that names no working folder: its slug's words, if it lies under one."""
    for folder in source.path.parents:
        if folder.name.startswith("-"):
            return cut(folder.name.strip("-"), NAME_CHARACTERS) or DEFAULT_PROJECT
    return DEFAULT_PROJECT


FORMAT: Final = Format(
    name="claude_code",
    title="Claude Code transcripts",
    read=read_transcript,
    recognises=_recognises,
    naming=Naming.WORKING_FOLDER,
    is_conversation=True,
    working_folder=lambda source: folder_of(source.path),
    project_without=_project_without,
)
