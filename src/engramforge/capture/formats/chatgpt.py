"""ChatGPT exports: conversations.json, its shards conversations-NNN.json, or one conversation as an object.

**What is found.** Every node of a `mapping` counts as one message found, exactly once; the root, and any other that
holds none, as one that carries nothing.

| message | memory |
|---|---|
| user: text, multimodal_text | prompt; images and files are named as its attachments |
| assistant: text, multimodal_text, code to everybody | response |
| assistant: to a tool | tool_use: the tool and what it was asked |
| tool: execution_output, quotes, pages, errors and so on | tool_use: what came out, shortened |
| thoughts, reasoning_recap; system; the user's or the model's own context | none |

A kind of content that is unknown counts by its texts in `parts`, else it is passed over and counted. Conversations do
not say their project: the caller's rules do, else it is `chatgpt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from engramforge.capture.reading.chats import Chat, Said, items_of
from engramforge.capture.reading.format import Context, Conversation, Format
from engramforge.capture.reading.json_stream import holds, read_stream
from engramforge.capture.reading.records import Item, Place
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.transcript_text import DESCRIPTION_CHARACTERS, Piece, shortened
from engramforge.capture.reading.values import (
    attachment_of,
    chat_time_of,
    cleaned,
    digest_of,
    list_of,
    object_of,
    objects_in,
    printable,
    text_of,
)
from engramforge.model.memory import Attachment, Kind

PROJECT: Final = "chatgpt"
"""The project of conversations without one."""
_LISTS: Final = ("conversations", "items")
_NOT_SAID: Final = {
    "thoughts": "thinking",
    "reasoning_recap": "thinking",
    "user_editable_context": "injected",
    "model_editable_context": "injected",
}
"""Kinds of content that are not speech."""
_CITATION: Final = re.compile("\ue200[^\ue200\ue201]{0,2000}+\ue201")
"""The marks of citations, in characters of Unicode's private use."""
_MEDIA: Final = {
    "image_asset_pointer": "image/*",
    "audio_asset_pointer": "audio/*",
    "video_container_asset_pointer": "video/*",
}


def _is_ours(value: Any) -> bool:
    mapping = object_of(value).get("mapping")
    if not isinstance(mapping, dict):
        return False
    nodes = [node for node in list(mapping.values())[:20] if isinstance(node, dict)]
    return any({"message", "children", "parent"} & node.keys() for node in nodes) or (
        not mapping and ("current_node" in value or "conversation_id" in value)
    )


def _items(source: ImportSource, context: Context, value: dict[str, Any], place: Place) -> Iterator[Item]:
    if not isinstance(value.get("mapping"), dict):
        yield place.skipped("object", "no conversation")
        return
    messages = _messages(value["mapping"])
    identity = printable(value.get("conversation_id")) or printable(value.get("id"))
    identity = identity or digest_of(repr([each.identity for each in messages]))
    title = printable(value.get("title"))
    said = (piece.text for each in messages for piece in each.pieces if piece.kind is Kind.PROMPT)
    asked = Conversation(
        title=title, first_text=next(said, "")[:10_000], source=source.place, session=identity
    )
    chat = Chat(
        origin=f"chatgpt:{identity}",
        session=identity,
        title=title,
        project=context.project_of(asked, PROJECT),
        messages=messages,
        current=_nearest(value["mapping"], value.get("current_node"), dict),
        began=context.dated(chat_time_of(value.get("create_time"))),
    )
    yield from items_of(chat, place, context.now, context.clean)


def _nearest(mapping: Mapping[str, Any], name: Any, kind: type = object) -> str | None:
    """A node that holds a message of this type: the one of this name, or the nearest above it."""
    for _ in range(len(mapping)):
        node = mapping.get(name) if isinstance(name, str) else None
        if not isinstance(node, dict):
            return None
        message = node.get("message")
        if message is not None and isinstance(message, kind):
            return str(name)
        name = node.get("parent")
    return None


def _messages(mapping: Mapping[str, Any]) -> list[Said]:
    """The messages in the order of the file; nodes without a message are bridged."""
    messages: list[Said] = []
    for name, node in mapping.items():
        held = object_of(node)
        parent, message = _nearest(mapping, held.get("parent")), held.get("message")
        if message is None:
            # It takes no place between two messages, which follow each other directly.
            messages.append(Said(name, parent, None, skipped="no message", record="node", is_turn=False))
        elif isinstance(message, dict):
            messages.append(_said(message, name, parent))
        else:
            messages.append(Said(name, parent, None, fault="the message is not an object"))
    return messages


def _said(message: Mapping[str, Any], name: str, parent: str | None) -> Said:
    author = object_of(message.get("author"))
    role = author.get("role")
    role = role if isinstance(role, str) else "unknown"
    content = message.get("content")
    content = content if isinstance(content, dict) else {"content_type": "text", "parts": [content]}
    kind = content.get("content_type")
    said = Said(name, parent, chat_time_of(message.get("create_time")))
    said.record = role if role in ("user", "assistant", "tool", "system") else "message"
    said.skipped = _NOT_SAID.get(text_of(kind), "system" if role == "system" else "")
    if said.skipped:
        return said
    text, attachments, unknown = _content(content)
    said.passed = tuple(unknown)
    attachments += [
        attachment_of(file.get("name"), file.get("mime_type") or file.get("mimeType"), file.get("size"))
        for file in objects_in(object_of(message.get("metadata")).get("attachments"))
    ]
    recipient = text_of(message.get("recipient"))
    to_tool = role == "assistant" and recipient not in ("all", "")
    if to_tool or role == "tool":
        tool = printable(recipient if to_tool else author.get("name"), 100) or "tool"
        said.pieces = _tool_pieces(tool, text, attachments, to_tool)
    else:
        if not text and attachments:
            text = "Attached: " + ", ".join(each.name for each in attachments[:64])
        memory = {"user": Kind.PROMPT, "assistant": Kind.RESPONSE}.get(role, Kind.MESSAGE)
        if text:
            said.pieces = (Piece(text, memory, printable(role) or None, attachments=tuple(attachments)),)
    if not said.pieces and unknown:
        said.skipped = "unknown kind of content"
    return said


def _tool_pieces(tool: str, text: str, attachments: list[Attachment], to_tool: bool) -> tuple[Piece, ...]:
    """A tool's request, or its outcome."""
    if not text and attachments:
        text = ", ".join(each.name for each in attachments[:64])
    if not text:
        return ()
    speaker, said = None, f"Outcome of {tool}\n{shortened(text)}"
    if to_tool:
        speaker, said = "assistant", shortened(f"{tool}: {text}", DESCRIPTION_CHARACTERS)
    return (Piece(said, Kind.TOOL_USE, speaker, "", {"tool": tool}, tuple(attachments)),)


def _content(content: Mapping[str, Any]) -> tuple[str, list[Attachment], list[str]]:
    """The text of a content, the files it shows, and the names of unknown parts."""
    texts: list[str] = []
    attachments: list[Attachment] = []
    unknown: list[str] = []
    parts = list_of(content.get("parts"))
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            kind = printable(part.get("content_type"), 60)
            if isinstance(part.get("text"), str):
                texts.append(part["text"])
            elif (pointer := _pointer(part)) is not None:
                attachments.append(pointer)
            else:
                unknown.append(kind or "without a type")
    if not any(map(str.strip, texts)):
        texts += [content[name] for name in ("title", "text", "result") if isinstance(content.get(name), str)]
    language = content.get("language")
    if content.get("content_type") == "code" and texts and isinstance(language, str) and language.isalnum():
        texts = [f"```{'' if language == 'unknown' else language}\n" + "\n".join(texts) + "\n```"]
    text = cleaned(_CITATION.sub("", "\n\n".join(filter(str.strip, texts))))
    if not (text or attachments or unknown or parts):
        kind = printable(content.get("content_type"), 60)
        unknown += [kind] if kind not in ("text", "multimodal_text", "code", "") else []
    return text, attachments, unknown


def _pointer(part: Mapping[str, Any]) -> Attachment | None:
    # In a turn of voice and picture together the voice represents it.
    inner = part.get("audio_asset_pointer")
    part = inner if isinstance(inner, dict) else part
    kind, place = part.get("content_type"), part.get("asset_pointer")
    if not isinstance(place, str):
        return None
    media = _MEDIA.get(str(kind), "application/octet-stream")
    return attachment_of(place.rpartition("//")[2] or place, media, part.get("size_bytes"))


FORMAT: Final = Format(
    name="chatgpt",
    title="ChatGPT exports",
    # A conversation's identity comes after its messages, so in a truncated one it is unknown.
    read=lambda source, context: read_stream(source, _LISTS, partial(_items, source, context)),
    recognises=lambda sample: holds(sample.document, _LISTS, _is_ours),
    is_conversation=True,
    is_in_zip=True,
)
