"""Hook events of Claude Code as records: what is said in each, and by what it is known. Pure; nothing raises.

| event | record |
|---|---|
| UserPromptSubmit | the prompt |
| PreToolUse | what the tool is asked |
| PostToolUse, PostToolUseFailure | what the tool was asked, and what came out, shortened; of questions the answers |
| Stop | the response |
| SubagentStop | the response of the sub-agent; of one without a type, which comes with a compaction, nothing |
| PreCompact, SessionEnd | none: the session so far is summarised |
| PostCompact | the summary of the compaction, which is nobody's statement |
| SessionStart | none: it only says where the session runs |

The texts are made by what reads transcripts (reading/transcript_text), so that both give the same. A record is known by
the id of its event, a text also by its prompt's id where the event has one, a tool's by its call.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from engramforge.capture.live.outcomes import has_failed, outcome_of
from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.sessions import COMPACTION, SIDE_CHAIN, text_digest
from engramforge.capture.reading.transcript_text import (
    Call,
    Piece,
    assistant_pieces,
    pieces_of_user,
    result_piece,
    shortened,
)
from engramforge.capture.reading.values import object_of, text_of, time_of
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Kind, Source

TEXT_CHARACTERS: Final = 240_000
"""The most characters of a prompt or response: also of four bytes each they are a memory's content."""
SUMMARISED: Final = frozenset({"SessionEnd", "PreCompact"})
"""Events at which the session so far is summarised."""
_TOOLS: Final = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
SOURCES: Final = {
    Kind.PROMPT: Source.USER_PROMPT,
    Kind.RESPONSE: Source.ASSISTANT_RESPONSE,
    Kind.TOOL_USE: Source.HOOK_DESCRIPTION,
    Kind.SESSION_SUMMARY: Source.HOOK_DESCRIPTION,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One thing that a hook told, to be one memory.

    `text`: what the transcript counts it by; empty for a tool's. `is_named`: whether its `piece.part` or its prompt has
    an id of its own; if not, the same soon after counts as the same.
    """

    piece: Piece
    text: str = ""
    identity: str = ""
    is_named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HookRecord:
    """What an event says.

    `event`: its name; `event_id`: 32 hexadecimal digits. `at`: when it was received, None where nobody says. `folder`:
    the working folder. `chain`: the sub-agent whose it is, "" for the session itself. `transcript`: the file
    to which the program writes what it says, "" where the event does not tell. `lacks_answer`: whether it is the end of
    a turn that does not tell the answer.
    """

    event: str
    event_id: str
    at: datetime | None
    session: str
    folder: str
    chain: str = ""
    transcript: str = ""
    told: tuple[Told, ...] = ()
    is_summarised: bool = False
    lacks_answer: bool = False


def event_id_of(event: Mapping[str, Any], received_at: str) -> str:
    """The id of an event: the same for one that reaches us twice in a second; 32 hexadecimal digits.

    `received_at`: ISO 8601 in UTC. The hook client, which may import nothing of ours, makes it alike.
    """
    named = next((event[name] for name in ("tool_use_id", "prompt_id") if event.get(name)), None)
    is_named = isinstance(named, str)
    which = named if is_named else json.dumps(event, sort_keys=True, separators=(",", ":"), default=str)
    of = (event.get(name) for name in ("hook_event_name", "session_id", "agent_id"))
    parts = (*of, which, received_at[:19])
    return hashlib.sha256("\n".join(map(str, parts)).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def read_event(value: Any, now: datetime) -> HookRecord | None:
    """The record of an event, as Claude Code gives it or as a line of the spool wraps it; None if it is neither.

    `now`: for an event that does not say when it was received.
    """
    outer = object_of(value)
    is_wrapped = isinstance(outer.get("event"), dict) and "hook_event_name" not in outer
    event = object_of(outer.get("event")) if is_wrapped else outer
    name = text_of(event.get("hook_event_name"))
    if not name:
        return None
    received = text_of(outer.get("received_at")) if is_wrapped else ""
    given = text_of(outer.get("id"))[:64] if is_wrapped else ""
    session = cut(_plain(text_of(event.get("session_id"))).strip(), NAME_CHARACTERS)
    record = HookRecord(
        event=name[:100],
        event_id=given or event_id_of(event, received or now.isoformat()),
        at=time_of(received),
        session=session,
        folder=_plain(text_of(event.get("cwd"))[:4_096]).strip(),
        chain=_chain_of(event),
        transcript=_transcript_of(event),
        is_summarised=name in SUMMARISED,
    )
    lacks = name in ("Stop", "SubagentStop") and "last_assistant_message" not in event
    return replace(record, told=_told(event, record), lacks_answer=lacks)


def with_answer(value: Any, answer: str, now: datetime) -> HookRecord | None:
    """The record of an event as if it told its turn's answer."""
    outer = object_of(value)
    inner = {**object_of(outer.get("event", outer)), "last_assistant_message": answer}
    return read_event({**outer, "event": inner} if "event" in outer else inner, now)


def _chain_of(event: Mapping[str, Any]) -> str:
    """The sub-agent that an event is of, as its transcript names it."""
    agent = cut(_plain(text_of(event.get("agent_id"))).strip(), NAME_CHARACTERS)
    if agent or event.get("hook_event_name") != "SubagentStop":
        return agent
    place = text_of(event.get("agent_transcript_path")).replace("\\", "/").rpartition("/")[2]
    return cut(_plain(place).removesuffix(".jsonl").removeprefix("agent-"), NAME_CHARACTERS) or SIDE_CHAIN


def _transcript_of(event: Mapping[str, Any]) -> str:
    is_agent = event.get("hook_event_name") == "SubagentStop"
    return _plain(text_of(event.get("agent_transcript_path" if is_agent else "transcript_path"))[:4_096])


def _told(event: Mapping[str, Any], record: HookRecord) -> tuple[Told, ...]:
    if record.event in _TOOLS:
        return _of_tool(event, record)
    pieces: list[Piece] = []
    if record.event == "UserPromptSubmit":
        said = pieces_of_user(_text(event.get("prompt")), {}, is_typed=True)
        # What a host puts beside it, such as the output of a local command, nobody typed.
        pieces = [piece for piece in said if piece.kind is not Kind.TOOL_USE]
    elif record.event == "Stop" or (record.event == "SubagentStop" and text_of(event.get("agent_type"))):
        pieces = assistant_pieces(_text(event.get("last_assistant_message")), {})
    elif record.event == "PostCompact" and (summary := _text(event.get("compact_summary")).strip()):
        pieces = [Piece(summary, Kind.SESSION_SUMMARY, metadata={"compaction": True})]
    prompt = text_of(event.get("prompt_id")).strip()[:200]
    return tuple(_of_text(piece, prompt, record) for piece in pieces if piece.text.strip())


def _of_text(piece: Piece, prompt: str, record: HookRecord) -> Told:
    text = COMPACTION if piece.kind is Kind.SESSION_SUMMARY else piece.text
    of = f"{prompt}:{text_digest(piece.text).hex()}" if prompt else record.event_id
    turn = f"hook:{record.session}:{record.chain}:{record.event}:{of}{piece.part}"
    return Told(piece=piece, text=text, identity=turn, is_named=bool(prompt))


def _of_tool(event: Mapping[str, Any], record: HookRecord) -> tuple[Told, ...]:
    call = _plain(text_of(event.get("tool_use_id"))).strip()[:200]
    name = _plain(text_of(event.get("tool_name")))
    asked = {"type": "tool_use", "id": call, "name": name, "input": _cut_fields(event.get("tool_input"))}
    known: dict[str, Call] = {}
    (request,) = assistant_pieces([asked], known)
    told = [request]
    if record.event != "PreToolUse":
        response = event.get("tool_response")
        failed = record.event == "PostToolUseFailure" or has_failed(response)
        said = outcome_of(response) or outcome_of(event.get("error"))
        if outcome := _plain(said).strip():
            (call_made,) = known.values()
            told.append(
                result_piece(
                    call_made,
                    outcome,
                    response if isinstance(response, dict) else outcome,
                    failed,
                    f":result:{call}",
                )
            )
    return tuple(
        Told(
            piece=replace(piece, text=_plain(piece.text)),
            identity="" if call else f"hook:{record.session}:{record.event_id}{piece.part}",
            is_named=True,
        )
        for piece in told
    )


def _cut_fields(asked: Any) -> dict[str, Any]:
    """What a tool was asked, with no field longer than what is ever shown of it."""
    fields = list(object_of(asked).items())[:200]
    return {str(name): shortened(value, 4_000) if isinstance(value, str) else value for name, value in fields}


def _text(value: Any) -> str:
    """A text without what no store keeps, and cut where it is longer than a memory."""
    return shortened(_plain(text_of(value)), TEXT_CHARACTERS)


def _plain(text: str) -> str:
    """A text without NUL and lone surrogates."""
    plain = text.replace("\0", "")
    return plain if plain.isascii() else plain.encode("utf-8", "replace").decode()
