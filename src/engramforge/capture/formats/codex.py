"""Codex sessions: `sessions/YYYY/MM/DD/rollout-*.jsonl`, and the older forms without an envelope.

**What is found.** Every `response_item` counts as one message found: it gives a memory, or is skipped for a reason, or
is a fault. An `event_msg` that says what was said is the same message as a response item with that text of the same
speaker, which has come or will come: it is skipped as "said already"; without one it gives the memory and counts.

| record | memory |
|---|---|
| response_item message of the user; user_message | prompt |
| response_item message of the assistant; agent_message | response |
| function_call, custom_tool_call, local_shell_call, web_search_call | tool_use: the tool and what it was asked |
| function_call_output, custom_tool_call_output | tool_use: what came out, shortened |
| compacted | session_summary |
| reasoning, developer and system messages, context that the program put in, other events | none |

**Whose.** The working folder (`cwd`) of session_meta, or of the first turn_context. **Identity.** A call's own id; of
a message its text, and how often its speaker said that before in the session: a session that has grown adds what is
new. The newest known form is an envelope of {timestamp, type, payload}; unknown types are counted and skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Format, Naming
from engramforge.capture.reading.packed import bare
from engramforge.capture.reading.records import Item, JsonLine, Place, parse_json, read_objects, read_records
from engramforge.capture.reading.sessions import SessionReading, in_history, in_transcript, text_digest
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.transcript_text import (
    A_TOOL,
    Call,
    Piece,
    describe_tool,
    outcome_piece,
    plain_text,
    prompt_piece,
)
from engramforge.capture.reading.values import digest_of, object_of, objects_in, text_of, time_of
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Attachment, Draft, Kind

ENVELOPES: Final = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_CALLS: Final = (
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "web_search_call",
    "tool_search_call",
)
_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output", "tool_search_output")
ITEMS: Final = frozenset({"message", "reasoning", *_CALLS, *_OUTPUTS})
_SPOKEN: Final = {"user_message": "user", "agent_message": "assistant"}
_PUT_IN = re.compile(
    r"<(user_instructions|environment_context|permissions instructions|INSTRUCTIONS|skill|turn_aborted"
    r"|apps_instructions|skills_instructions|plugins_instructions|collaboration_mode|subagent_notification|model_switch|user_action)>"
    r".*?(?:</\1>|\Z)",
    re.DOTALL,
)
_INSTRUCTIONS_HEADING = re.compile(r"\A\s*# AGENTS\.md instructions for [^\n]*\n?")
_EDITOR_CONTEXT = re.compile(
    r"\A\s*# Context from my IDE setup:.*?^## My request for Codex:[ \t]*\n", re.DOTALL | re.MULTILINE
)
_SHELL_COMMAND = re.compile(
    r"<user_shell_command>\s*<command>(.*?)</command>.*?(?:</user_shell_command>|\Z)", re.DOTALL
)
_EXIT_CODE = re.compile(r"(?:^Exit code:|\bexited with code)\s*(-?\d+)", re.MULTILINE)
_OUTPUT_BEGIN = re.compile(r"\A(?:Chunk ID:|Exit code:|Wall time:).*?^Output:\n", re.DOTALL | re.MULTILINE)


@dataclass(slots=True)
class _Session(SessionReading):
    """A session and its state so far. `said`: (speaker, digest of a text) -> how often a response item will say it."""

    said: Counter[tuple[str, bytes]] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)
    model: str = ""


def read_codex(source: ImportSource, context: Context) -> Iterator[Item]:
    """The records of one session as items; the project is that of where it ran (`codex_folder_of`)."""
    reading = _begun(source.path, context)
    return read_objects(source.path, _records(source.path), partial(_item, reading))


def codex_folder_of(path: Path) -> str | None:
    """The working folder that a session names; None without one."""
    for line in _records(path):
        if isinstance(line.value, dict):
            kind, payload = _opened(line.value)
            if kind in ("session_meta", "turn_context") and (folder := text_of(payload.get("cwd")).strip()):
                return folder.replace("\\", "/")
    return None


def is_codex_record(value: Any) -> bool:
    """Whether a JSON value looks like a record of a Codex session, or like one as a whole document."""
    if not isinstance(value, dict):
        return False
    kind = text_of(value.get("type"))
    if kind in ENVELOPES and isinstance(value.get("payload"), dict):
        return True
    if isinstance(value.get("session"), dict) and isinstance(value.get("items"), list):
        return any(text_of(item.get("type")) in ITEMS for item in objects_in(value["items"]))
    is_bare = kind in ITEMS and ("role" in value or "call_id" in value or "summary" in value)
    return is_bare or value.get("record_type") == "state"


def _begun(path: Path, context: Context) -> _Session:
    """A session before its first record, with what has to be known of the whole file."""
    session, first_at = "", None
    said: Counter[tuple[str, bytes]] = Counter()
    for line in _records(path):
        if not isinstance(line.value, dict):
            continue
        kind, payload = _opened(line.value)
        first_at = first_at or time_of(line.value.get("timestamp"))
        if kind == "session_meta" and not session:
            session = text_of(payload.get("id")).strip()
        elif kind == "response_item" and payload.get("type", "message") == "message":
            text = _message_text(payload.get("content"))
            said[text_of(payload.get("role")), text_digest(text)] += 1
    began = context.dated(first_at)
    return _Session(path, context.own_project, context.now, began, session or bare(path).stem, said=said)


def _records(path: Path) -> Iterator[JsonLine]:
    """The records of a JSONL file, or of a JSON document {session, items}."""
    return read_records(
        path, "items", lambda whole: {"type": "session_meta", "payload": whole.get("session") or {}}
    )


def _opened(record: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The type of a record and its payload, whether it is in an envelope or bare."""
    kind, payload = text_of(record.get("type")), record.get("payload")
    if isinstance(payload, dict):
        inner = payload.get("meta")
        return kind, {**payload, **inner} if kind == "session_meta" and isinstance(inner, dict) else payload
    if kind in ITEMS:
        return "response_item", record
    is_bare = not kind and "record_type" not in record
    if is_bare and isinstance(record.get("id"), str) and "timestamp" in record:
        return "session_meta", record
    return kind or text_of(record.get("record_type")) or "None", {}


def _item(reading: _Session, record: dict[str, Any], place: Place) -> Item:
    kind, payload = _opened(record)
    reading.note_time(record.get("timestamp"))
    if kind == "turn_context":
        reading.model = cut(text_of(payload.get("model")), 100) or reading.model
    if kind == "response_item":
        given = _item_piece(reading, payload)
        if isinstance(given, str):
            return place.skipped(kind, given, is_message=True)
        return place.item(kind, _draft(reading, payload, given))
    if kind == "event_msg" and (speaker := _SPOKEN.get(text_of(payload.get("type")), "")):
        text = _without_put_in(text_of(payload.get("message")))
        key = speaker, text_digest(text)
        if reading.said[key] > 0:
            reading.said[key] -= 1
            return place.skipped(kind, "said already")
        if text:
            piece = Piece(text, Kind.PROMPT if speaker == "user" else Kind.RESPONSE, speaker)
            return place.item(kind, _draft(reading, {}, piece))
        return place.skipped(kind, "no text")
    if kind == "compacted" and (summary := text_of(payload.get("message")).strip()):
        draft = _draft(reading, {}, Piece(summary, Kind.SESSION_SUMMARY))
        return place.item(kind, draft, is_message=False)
    return place.skipped(kind, "no message")


def _item_piece(reading: _Session, item: Mapping[str, Any]) -> Piece | str:
    """What a response item gives, or why nothing."""
    kind = text_of(item.get("type")) or "message"
    if kind == "message":
        return _message_piece(item)
    if kind in _CALLS:
        name, asked = _asked(kind, item)
        description = describe_tool(name, asked)
        if identity := _call_id(item):
            reading.tools[identity] = Call(description)
        return Piece(description, Kind.TOOL_USE, "assistant", ":call", {"tool": cut(name, 100)})
    if kind in _OUTPUTS:
        text, failed = _outcome(item.get("output"))
        tool = reading.tools.get(_call_id(item), A_TOOL).description
        return outcome_piece(tool, text, failed, ":result") if text else "no text"
    return "thinking" if kind == "reasoning" else "no message"


def _message_piece(item: Mapping[str, Any]) -> Piece | str:
    role, content = item.get("role"), item.get("content")
    if role not in ("user", "assistant"):
        return "injected"
    text = _message_text(content)
    if role == "assistant":
        return Piece(text, Kind.RESPONSE, "assistant") if text else "no text"
    if not text:
        return "injected" if _joined(content).strip() else "no text"
    shown = [block.get("image_url") for block in objects_in(content) if block.get("type") == "input_image"]
    images = (image for place, url in enumerate(shown, 1) if (image := _image_of(url, place)))
    return prompt_piece(text, images)


def _image_of(url: Any, place: int) -> tuple[Attachment, str] | None:
    """An image in a data URL as an attachment and its base64 text; only the name of an image elsewhere."""
    if not isinstance(url, str) or not url:
        return None
    if not url.startswith("data:"):
        name = cut(PurePosixPath(url.partition("?")[0]).name, NAME_CHARACTERS) or f"image {place}"
        # No location: files that a transcript names are not read from this machine.
        return Attachment(name, "image/*"), ""
    head, _, encoded = url.removeprefix("data:").partition(",")
    media = head.partition(";")[0] or "image/*"
    return Attachment(f"image {place}", cut(media, 100), len(encoded) * 3 // 4), encoded


def _draft(reading: _Session, item: Mapping[str, Any], piece: Piece) -> Draft:
    identity = _call_id(item) if piece.part else ""
    identity = identity or f"{piece.speaker or piece.kind}:{digest_of(piece.text, 12)}"
    identity += piece.part
    reading.times[identity] += 1
    # Texts are repeated, and some programs give two calls the same id.
    origin = f"codex:{reading.session[:500]}:{identity}:{reading.times[identity]}"
    metadata = {"model": reading.model} if reading.model and piece.speaker == "assistant" else {}
    draft = reading.draft(piece, origin, metadata)
    if piece.kind is not Kind.PROMPT:
        return draft
    typed = reading.session, piece.text, reading.counted.count(reading.session, piece.text)
    return replace(draft, also_origins=in_transcript(*typed), same_as=in_history(*typed))


def _call_id(item: Mapping[str, Any]) -> str:
    return (text_of(item.get("call_id")) or text_of(item.get("id")))[:500]


def _message_text(content: Any) -> str:
    return _without_put_in(_joined(content))


def _joined(content: Any) -> str:
    """The texts of a message: a text, or blocks of input_text, output_text or text."""
    if isinstance(content, str):
        return content
    texts = (text_of(block.get("text")) for block in objects_in(content))
    return "\n\n".join(text for text in texts if text.strip())


def _without_put_in(text: str) -> str:
    """The spoken text, without what the program or an editor added."""
    text = _SHELL_COMMAND.sub(lambda match: f"! {match[1].strip()}", text)
    text = _INSTRUCTIONS_HEADING.sub("", _EDITOR_CONTEXT.sub("", text))
    return plain_text(_PUT_IN.sub("", text))


def _asked(kind: str, item: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The name of the tool that a call uses, and the request in the words of `describe_tool`."""
    if kind in ("local_shell_call", "web_search_call"):
        asked = dict(object_of(item.get("action")))
        name = "shell" if kind == "local_shell_call" else "web_search"
    else:
        name = text_of(item.get("name")).strip() or "tool"
        given = item.get("arguments", item.get("input"))
        parsed = parse_json(given.encode("utf-8", "replace"))[0] if isinstance(given, str) else given
        asked = (
            dict(parsed) if isinstance(parsed, dict) else {"input": given} if isinstance(given, str) else {}
        )
    if summary := text_of(item.get("summary")):
        asked.setdefault("description", summary)
    command = asked.get("command", asked.get("cmd"))
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        command = words[2] if len(words) == 3 and words[1] in ("-c", "-lc") else " ".join(words)
    if isinstance(command, str):
        asked["command"] = command
    if isinstance(plan := asked.get("plan"), list):
        steps = objects_in(plan)
        asked["todos"] = [{"content": step.get("step"), "status": step.get("status")} for step in steps]
    return name, asked


def _outcome(output: Any) -> tuple[str, bool]:
    """The outcome of a call, and whether it failed, from a text, JSON in a text, an object or a list of blocks."""
    failed = False
    if isinstance(output, str) and output.lstrip().startswith("{"):
        parsed = object_of(parse_json(output.encode("utf-8", "replace"))[0])
        output = parsed if "output" in parsed else output
    if isinstance(output, dict):
        code = object_of(output.get("metadata")).get("exit_code")
        failed = output.get("success") is False or (isinstance(code, int) and code != 0)
        output = output.get("output", output.get("content", output.get("body")))
    text = _joined(output).replace("\0", "").strip()
    if (code_said := _EXIT_CODE.search(text[:300])) is not None:
        failed = failed or code_said[1] != "0"
    return _OUTPUT_BEGIN.sub("", text).strip(), failed


FORMAT: Final = Format(
    name="codex",
    title="Codex sessions",
    read=read_codex,
    recognises=lambda sample: any(map(is_codex_record, (sample.document, *sample.lines))),
    naming=Naming.WORKING_FOLDER,
    is_conversation=True,
    working_folder=lambda source: codex_folder_of(source.path),
)
