"""Gemini CLI sessions: `~/.gemini/tmp/<project>/chats/session-*.json`, and the newer `.jsonl` that grows.

**What is found.** Every message of the user or the model, once, whatever lines write it again: a message of a later
line with the same id takes the place of the earlier one. What a `$rewindTo` took back was said all the same: it comes
in, marked `rewound` in its metadata.

| record | memory |
|---|---|
| user | prompt |
| gemini (also model, assistant) | response |
| its toolCalls | tool_use: the tool and what it was asked; what came out, shortened |
| summary of the session | session_summary |
| thoughts; info, warning, error; session context that the program put in | none |

**Whose.** Sessions name a hash of their folder alone, so the folder is looked for in `.project_root` beside `chats`, in
the session's directories and in the context that the program gave the model; else the folder's short name in
`~/.gemini/tmp` counts. **Identity.** The message's id within its session.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Format, Naming
from engramforge.capture.reading.packed import bare
from engramforge.capture.reading.records import Item, Place, listed, read_document, read_json_lines
from engramforge.capture.reading.sessions import SessionReading
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.transcript_text import (
    Piece,
    describe_tool,
    outcome_piece,
    plain_text,
    prompt_piece,
)
from engramforge.capture.reading.values import digest_of, list_of, object_of, text_of, time_of
from engramforge.model.memory import Attachment, Kind

MODEL_TYPES: Final = frozenset({"gemini", "model", "assistant"})
MESSAGE_TYPES: Final = frozenset({"user", *MODEL_TYPES})
_TYPES: Final = MESSAGE_TYPES | {"info", "warning", "error", "system"}
_HEADER_MARKS: Final = ("sessionId", "projectHash", "startTime")
_PUT_IN = re.compile(
    r"<(session_context|hook_context|state_snapshot|extension_context|loaded_context)>.*?(?:</\1>|\Z)",
    re.DOTALL,
)
_FIRST_CONTEXT: Final = "This is the Gemini CLI. We are setting up the context for our chat."
_REFERENCED = re.compile(r"\n?--- Content from referenced files ---.*\Z", re.DOTALL)
_WORKING_IN = re.compile(
    r"(?:working in the following director(?:y|ies):|working in the directory:|Workspace Directories:\*{0,2})"
    r"\s*(?:-\s*)?(/[^\n]+|[A-Za-z]:[\\/][^\n]+)"
)
_HASH = re.compile(r"[0-9a-f]{64}\Z")
_ROOT_BYTES: Final = 8_192


@dataclass(slots=True)
class _Overview:
    """What the whole file is about, and where each message was written last.

    `last`: message key -> (record number, place in the record) of its last writing. `rewound`: keys of the messages
    that were taken back and not said again.
    """

    session: str = ""
    folder: str | None = None
    project_hash: str = ""
    first_at: datetime | None = None
    order: dict[str, None] = field(default_factory=dict)
    last: dict[str, tuple[int, int]] = field(default_factory=dict)
    rewound: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Record:
    """One line of a file, or one message of a document: the messages that it writes."""

    place: Place
    name: str
    value: Mapping[str, Any] = field(default_factory=dict)
    messages: Sequence[Any] = ()
    fault: str = ""


def read_gemini(source: ImportSource, context: Context) -> Iterator[Item]:
    """The messages of one session as items; the project is that of where it ran (`gemini_folder_of`)."""
    path = source.path
    overview = _overview_of(path)
    began = context.dated(overview.first_at)
    reading = SessionReading(path, context.own_project, context.now, began, overview.session)
    summary = ""
    for at, record in enumerate(_records(path)):
        if record.fault:
            yield record.place.fault("?", record.fault)
            continue
        summary = text_of(record.value.get("summary")).strip() or summary
        if not record.messages:
            yield record.place.skipped(record.name, "no message")
        for index, message in enumerate(record.messages):
            if not isinstance(message, dict):
                yield record.place.fault("?", "the message is not an object")
                continue
            key = _key_of(message, at, index)
            if overview.last[key] != (at, index):
                yield record.place.skipped(_type_of(message), "written again later")
                continue
            yield _item(reading, message, key, record.place, key in overview.rewound)
    if summary:
        origin = f"gemini:{reading.session[:500]}:summary:{digest_of(summary, 12)}"
        draft = reading.draft(Piece(summary, Kind.SESSION_SUMMARY), origin, {})
        yield Place(str(path), None, path.stat().st_size).item("summary", draft, is_message=False)


def gemini_folder_of(path: Path) -> str | None:
    """The working folder of a session, or a name for it; None where nothing tells it."""
    for folder in path.parents[1:4]:
        root = folder / ".project_root"
        if root.is_file() and not root.is_symlink() and root.stat().st_size <= _ROOT_BYTES:
            found = root.read_text("utf-8", "replace").strip()
            if found:
                return found.replace("\\", "/")
    overview = _overview_of(path)
    if overview.folder is not None:
        return overview.folder.replace("\\", "/")
    chats = next((folder for folder in path.parents if folder.name == "chats"), None)
    if chats is not None and chats.parent.name and not _HASH.match(chats.parent.name):
        return chats.parent.name
    return f"gemini-{overview.project_hash[:8]}" if overview.project_hash else None


def is_gemini_record(value: Any) -> bool:
    """Whether a JSON value looks like a Gemini session, or like the line that begins one."""
    held = object_of(value)
    is_header = sum(mark in held for mark in _HEADER_MARKS) >= 2 and "sessionId" in held
    return is_header or held.get("type") == "session_metadata"


def _overview_of(path: Path) -> _Overview:
    found = _Overview()
    for at, record in enumerate(_records(path)):
        value = record.value
        found.session = found.session or text_of(value.get("sessionId")).strip()
        found.project_hash = found.project_hash or text_of(value.get("projectHash")).strip()
        found.first_at = found.first_at or time_of(value.get("startTime")) or time_of(value.get("timestamp"))
        if found.folder is None and (directories := list_of(value.get("directories"))):
            found.folder = text_of(directories[0]).strip() or None
        if rewound_to := value.get("$rewindTo"):
            keys = list(found.order)
            if isinstance(rewound_to, str) and rewound_to in found.order:
                found.rewound.update(keys[keys.index(rewound_to) :])
        for index, message in enumerate(record.messages):
            if not isinstance(message, dict):
                continue
            key = _key_of(message, at, index)
            found.order[key] = None
            found.last[key] = (at, index)
            found.rewound.discard(key)
            if found.folder is None and message.get("type") == "user":
                match = _WORKING_IN.search(_joined(message.get("content")))
                found.folder = match[1].strip() if match else None
    found.session = found.session or bare(path).stem
    return found


def _records(path: Path) -> Iterator[_Record]:
    """The messages of a document with `messages`, or the lines of a JSONL file."""
    if bare(path).suffix == ".json":
        document, number, fault = read_document(path)
        size = path.stat().st_size
        if not isinstance(document, dict):
            fault = fault or "the document is not an object"
            yield _Record(Place(str(path), number, size), "?", fault=fault)
            return
        head = {name: value for name, value in document.items() if name != "messages"}
        yield _Record(Place(str(path), None, 0), "session", head)
        for line in listed(list_of(document.get("messages")), size):
            yield _Record(Place(str(path), line.number, line.end), "message", {}, (line.value,))
        return
    for line in read_json_lines(path):
        value, place = line.value, Place(str(path), line.number, line.end)
        if line.fault or not isinstance(value, dict):
            yield _Record(place, "?", fault=line.fault or "the record is not an object")
        elif isinstance(changes := value.get("$set"), dict):
            yield _Record(place, "$set", changes, list_of(changes.get("messages")))
        elif text_of(value.get("type")) in _TYPES:
            yield _Record(place, "message", {}, (value,))
        else:
            yield _Record(place, text_of(value.get("type")) or next(iter(value), "None"), value)


def _item(
    reading: SessionReading, message: Mapping[str, Any], key: str, place: Place, is_rewound: bool
) -> Item:
    name = _type_of(message)
    reading.note_time(message.get("timestamp"))
    if name not in MESSAGE_TYPES:
        return place.skipped(name, "no message")
    pieces = _user_pieces(message) if name == "user" else _model_pieces(message)
    if not pieces:
        reason = "injected" if _joined(message.get("content")).strip() else "no text"
        return place.skipped(name, reason, is_message=True)
    more: dict[str, Any] = {"rewound": True} if is_rewound else {}
    if model := text_of(message.get("model")):
        more["model"] = cut(model, 100)
    origin = f"gemini:{reading.session[:500]}:{key}"
    return place.item(name, *(reading.draft(piece, origin + piece.part, more) for piece in pieces))


def _user_pieces(message: Mapping[str, Any]) -> list[Piece]:
    content = message.get("content")
    text = _said(_joined(message.get("displayContent"))) or _said(_joined(content))
    return [prompt_piece(text, _images(content))] if text else []


def _model_pieces(message: Mapping[str, Any]) -> list[Piece]:
    text = _said(_joined(message.get("content")))
    pieces = [Piece(text, Kind.RESPONSE, "assistant")] if text else []
    for place, call in enumerate(list_of(message.get("toolCalls"))):
        if not isinstance(call, dict):
            continue
        name = text_of(call.get("name")) or text_of(call.get("displayName")) or "tool"
        description = describe_tool(name, call.get("args"))
        identity = text_of(call.get("id"))[:200] or str(place)
        pieces.append(
            Piece(description, Kind.TOOL_USE, "assistant", f":{identity}", {"tool": cut(name, 100)})
        )
        if outcome := _outcome(call):
            failed = call.get("status") in ("error", "cancelled")
            pieces.append(outcome_piece(description, outcome, failed, f":result:{identity}"))
    return pieces


def _outcome(call: Mapping[str, Any]) -> str:
    """A tool's outcome: the answer to the model, else what was shown."""
    result = call.get("result")
    texts: list[str] = []
    for part in result if isinstance(result, list) else [result]:
        response = object_of(object_of(part).get("functionResponse")).get("response")
        if isinstance(response, dict):
            texts += [text_of(response.get(name)) for name in ("output", "error", "result", "content")]
        else:
            texts.append(_joined(part))
    shown = "\n".join(filter(None, texts)).strip() or text_of(call.get("resultDisplay")).strip()
    return shown.replace("\0", "")


def _said(text: str) -> str:
    if text.lstrip().startswith(_FIRST_CONTEXT):
        return ""
    return plain_text(_REFERENCED.sub("", _PUT_IN.sub("", text)))


def _joined(content: Any) -> str:
    """The texts of a content: a text, a part with a text, or a list of these."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return "" if content.get("thought") is True else text_of(content.get("text"))
    return "\n".join(filter(None, map(_joined, content))) if isinstance(content, list) else ""


def _images(content: Any) -> Iterator[tuple[Attachment, str]]:
    for place, part in enumerate(list_of(content), 1):
        inline = object_of(object_of(part).get("inlineData"))
        if text_of(inline.get("mimeType")).startswith("image/"):
            encoded = text_of(inline.get("data"))
            yield Attachment(f"image {place}", cut(inline["mimeType"], 100), len(encoded) * 3 // 4), encoded


def _key_of(message: Mapping[str, Any], at: int, index: int) -> str:
    identity = message.get("id")
    return str(identity)[:500] if isinstance(identity, str | int) and identity != "" else f"{at}:{index}"


def _type_of(message: Mapping[str, Any]) -> str:
    return text_of(message.get("type")) or text_of(message.get("role")) or "None"


FORMAT: Final = Format(
    name="gemini",
    title="Gemini CLI sessions",
    read=read_gemini,
    recognises=lambda sample: any(map(is_gemini_record, (sample.document, *sample.lines[:1]))),
    naming=Naming.WORKING_FOLDER,
    is_conversation=True,
    working_folder=lambda source: gemini_folder_of(source.path),
)
