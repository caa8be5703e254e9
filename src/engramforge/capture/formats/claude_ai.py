"""Claude.ai exports: conversations, projects with their documents, and what Claude keeps in its own memory.

Read from the zip of the account's export, from its parts, or from single files: conversations.json, projects.json or
projects/<id>.json, memories.json or memories/<account>.json, one conversation as an object.

**What is found.** Every object of `chat_messages` counts as one message found, exactly once.

| part | memory |
|---|---|
| human: text | prompt |
| assistant: text | response |
| tool_use; tool_result | tool_use: the tool and what it was asked; what came out, shortened |
| an artifact that Claude made, as it last was | artifact; a longer one as chunks |
| attachments with extracted_content | artifact; longer ones as chunks |
| attachments and files without | named as attachments of their message's memory |
| summary of a conversation | session_summary |
| what Claude remembers | artifact or chunks, which a later text supersedes (claude_memory) |
| a project's documents, instructions and description | artifact or chunks; note |
| thinking, parts of unknown types | none; the unknown are counted |

The longer of the texts in `content` and of `text` counts, since either may be cut; of equal ones, that in `content`.
Conversations do not say their project: the caller's rules do, else it is `claude.ai`. A conversation saved by other
tools may name it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final

from engramforge.capture.formats.claude_memory import memory_items
from engramforge.capture.reading.chats import Chat, Document, Said, document_items, items_of
from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Context, Conversation, Format
from engramforge.capture.reading.json_stream import holds, layout_of, read_stream, stream_objects
from engramforge.capture.reading.records import Item, Place
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.reading.transcript_text import Piece, describe_tool, outcome_piece
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
from engramforge.core.checks.identities import holds_secret
from engramforge.model.memory import Attachment, Draft, Kind, Source

PROJECT: Final = "claude.ai"
"""The project of conversations without one."""
_LISTS: Final = ("conversations", "projects", "memories")
_THINKING: Final = re.compile(r"<antThinking>.*?(?:</antThinking>|\Z)", re.DOTALL | re.IGNORECASE)
_NOT_SHOWN: Final = re.compile(
    r"(?>(?:```\s*+)?)This block is not supported on your current device yet\.(?>(?:\s*+```)?)"
)
"""What `text` has in the place of a tool's part."""
_NO_MEMORY: Final = frozenset({"thinking", "redacted_thinking", "token_budget", "flag"})
"""Parts that are not speech."""
_ARTIFACTS: Final = "artifacts"
"""The tool by which Claude makes and changes artifacts."""
_MOST_COPIED: Final = 50_000_000
"""Characters of artifacts of a conversation that are copied for changes; later changes are left out."""
_FILE_PARTS: Final = frozenset({"image", "document", "file", "voice_note", "local_resource"})


def _is_ours(value: Any) -> bool:
    held = object_of(value)
    is_project = isinstance(held.get("docs"), list) and isinstance(held.get("name"), str) and "uuid" in held
    return isinstance(held.get("chat_messages"), list) or is_project or _is_memories(held)


def _is_memories(value: Mapping[str, Any]) -> bool:
    names = ("conversations_memory", "project_memories", "memory_files")
    return any(name in value for name in names) and not isinstance(value.get("memories"), list)


def _read(source: ImportSource, context: Context) -> Iterator[Item]:
    names = cache(partial(_named_projects, context))

    def items(value: dict[str, Any], place: Place) -> Iterator[Item]:
        if isinstance(value.get("chat_messages"), list):
            return _conversation_items(source, context, value, place)
        if isinstance(value.get("docs"), list):
            return _project_items(context, value, place)
        if _is_memories(value):
            return memory_items(context, value, names(), context.asked_project or PROJECT, place)
        return iter([place.skipped("object", "neither conversation nor project")])

    def is_named(value: Any) -> bool:
        """Whether the beginning of an object identifies its conversation."""
        return "chat_messages" in object_of(value) and bool(_identity(value.get("uuid")))

    return read_stream(source, _LISTS, items, is_named)


def _conversation_items(
    source: ImportSource, context: Context, value: dict[str, Any], place: Place
) -> Iterator[Item]:
    messages = _messages(value)
    identity = _identity(value.get("uuid")) or digest_of(repr([each.identity for each in messages]))
    title = printable(value.get("name"))
    first_text = next((piece.text for each in messages for piece in each.pieces), "")
    own = printable(object_of(value.get("project")).get("name")) or PROJECT
    asked = Conversation(title=title, first_text=first_text[:10_000], source=source.place, session=identity)
    project = context.project_of(asked, own)
    began = context.dated(chat_time_of(value.get("created_at")))
    chat = Chat(
        origin=f"claude.ai:{identity}",
        session=identity,
        title=title,
        project=project,
        messages=messages,
        current=text_of(value.get("current_leaf_message_uuid")) or None,
        began=began,
    )
    yield from items_of(chat, place, context.now, context.clean)
    if summary := cleaned(text_of(value.get("summary"))):
        ended = min(chat_time_of(value.get("updated_at")) or began, context.now)
        draft = Draft(
            content=f"{title}\n\n{summary}" if title else summary,
            kind=Kind.SESSION_SUMMARY,
            name=title or None,
            source=Source.IMPORT,
            project=project,
            session_id=identity,
            valid_at=ended,
            recorded_at=ended,
            origin=f"claude.ai:{identity}:summary:{digest_of(summary)}",
        )
        yield place.item("summary", draft, is_message=False)


def _messages(value: Mapping[str, Any]) -> list[Said]:
    """The messages of a conversation; without parents, each follows the one before it."""
    raw = value["chat_messages"]
    linked = any(isinstance(item, dict) and item.get("parent_message_uuid") for item in raw)
    messages: list[Said] = []
    seen: set[str] = set()
    for index, each in enumerate(raw):
        if not isinstance(each, dict):
            messages.append(Said(f"place:{index}", None, None, fault="the message is not an object"))
            continue
        identity = _identity(each.get("uuid")) or f"place:{index}"
        if identity in seen:
            identity = f"{identity}:{index}"
        seen.add(identity)
        parent = each.get("parent_message_uuid")
        # A parent that is not a message of the conversation is its root.
        parent = parent if isinstance(parent, str) else None
        if parent is None and messages and (not linked or "parent_message_uuid" not in each):
            parent = messages[-1].identity
        messages.append(_said(each, identity, parent))
    _add_artifacts(raw, messages, text_of(value.get("current_leaf_message_uuid")))
    return messages


_Made = dict[str, tuple[str, str, int]]
"""Of each artifact on a path: title, text, and the place of the message that changed it last."""


def _add_artifacts(raw: Sequence[Any], messages: Sequence[Said], current: str) -> None:
    """Give each artifact, as each branch left it, to the message that changed it last; those of the current branch
    keep their identity from export to export."""
    at: dict[str, _Made] = {}
    copied = 0
    for index, (each, message) in enumerate(zip(raw, messages, strict=True)):
        made = at.get(message.parent or "", {})
        for place, block in enumerate(objects_in(object_of(each).get("content"))):
            is_made = (block.get("type"), block.get("name")) == ("tool_use", _ARTIFACTS)
            if is_made and copied < _MOST_COPIED:
                key, title, text = _changed(object_of(block.get("input")), made, f"{index}:{place}")
                made = {**made, key: (title, text, index)}
                copied += len(text)
        at[message.identity] = made
    above = {message.parent for message in messages}
    leaves = [message.identity for message in reversed(messages) if message.identity not in above]
    given: set[tuple[str, str]] = set()
    for leaf in sorted(leaves, key=lambda leaf: leaf != current):
        for key, (title, text, index) in at[leaf].items():
            branch = f":{leaf}" if any(known == key for known, _ in given) else ""
            if text.strip() and (key, text) not in given:
                document = Document(f"artifact:{key}{branch}", title or key, text, changes=True)
                messages[index].documents = [*messages[index].documents, document]
                given.add((key, text))


def _changed(told: Mapping[str, Any], made: _Made, place: str) -> tuple[str, str, str]:
    """The key, title and text of an artifact after a call of the tool; one without an id is known by its place."""
    said = printable(told.get("id"), 200)
    key = (digest_of(said) if holds_secret(said) else said) or f"place {place}"
    title, text, _ = made.get(key, ("", "", 0))
    if isinstance(told.get("content"), str):
        text = told["content"]
    elif old := text_of(told.get("old_str")):
        text = text.replace(old, text_of(told.get("new_str")), 1)
    return key, printable(told.get("title")) or title, text


def _said(value: Mapping[str, Any], identity: str, parent: str | None) -> Said:
    sender = printable(value.get("sender"))
    record = sender if sender in ("human", "assistant") else "message"
    content = value.get("content")
    blocks = objects_in(content)
    text = _text_of(blocks)
    said = (text or _without_thinking(text_of(content)), _without_thinking(text_of(value.get("text"))))
    text = max(said, key=lambda each: len("".join(each.split())))
    attachments, documents = _files(value)
    attachments += [
        attachment_of(block.get("file_name") or block.get("name"), _media(block), block.get("file_size"))
        for block in blocks
        if printable(block.get("type")) in _FILE_PARTS
    ]
    if not text and (attachments or documents):
        text = "Attached: " + ", ".join(
            [*(each.name for each in attachments), *(each.name for each in documents)][:64]
        )
    kind, speaker = (Kind.RESPONSE, "assistant") if sender == "assistant" else (Kind.PROMPT, "user")
    if record == "message":
        kind, speaker = Kind.MESSAGE, sender or "unknown"
    pieces = [Piece(text, kind, speaker, attachments=tuple(attachments))] if text else []
    tools, passed = _tools(blocks)
    return Said(
        identity,
        parent,
        chat_time_of(value.get("created_at")),
        (*pieces, *tools),
        record=record,
        passed=passed,
        documents=documents,
    )


def _text_of(blocks: Sequence[Mapping[str, Any]]) -> str:
    texts = (block.get("text") for block in blocks if block.get("type") == "text")
    said = (_without_thinking(text) for text in texts if isinstance(text, str))
    return "\n\n".join(filter(None, said))


def _without_thinking(text: str) -> str:
    return cleaned(_NOT_SHOWN.sub("", _THINKING.sub("", text) if "<ant" in text else text))


def _tools(blocks: Sequence[Mapping[str, Any]]) -> tuple[list[Piece], tuple[str, ...]]:
    """Requests to tools and their outcomes, and the names of parts of unknown types."""
    pieces: list[Piece] = []
    passed: list[str] = []
    asked: dict[str, str] = {}
    for place, block in enumerate(blocks):
        kind = printable(block.get("type"))
        identity = _identity(block.get("id")) or _identity(block.get("tool_use_id")) or str(place)
        if _ARTIFACTS in (block.get("name"), asked.get(identity)):
            # What Claude makes so is a document, and that it was made is no news.
            asked[identity] = _ARTIFACTS
        elif kind in ("tool_use", "server_tool_use"):
            described = cleaned(describe_tool(block.get("name"), block.get("input")))
            asked[identity] = described
            name = printable(block.get("name"), 100) or "tool"
            part = f":use:{place}:{identity}"
            if described:
                pieces.append(Piece(described, Kind.TOOL_USE, "assistant", part, {"tool": name}))
        elif kind in ("tool_result", "web_search_tool_result"):
            outcome = cleaned("\n\n".join(_outcome_texts(block.get("content"))))
            failed = block.get("is_error") is True
            if outcome:
                tool = asked.get(identity) or printable(block.get("name"), 100) or "a tool"
                pieces.append(outcome_piece(tool, outcome, failed, f":result:{place}:{identity}"))
        elif kind != "text" and kind not in _NO_MEMORY and kind not in _FILE_PARTS:
            passed.append(kind or "without a type")
    return pieces, tuple(passed)


def _outcome_texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in list_of(content):
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            title, text = printable(part.get("title")), text_of(part.get("text"))
            if said := "\n".join(each for each in (title, text) if each.strip()):
                yield said


def _files(value: Mapping[str, Any]) -> tuple[list[Attachment], list[Document]]:
    """Files that are only named, and those whose text is in the message."""
    named: list[Attachment] = []
    documents: list[Document] = []
    for place, each in enumerate(objects_in(value.get("attachments"))):
        text = each.get("extracted_content")
        if isinstance(text, str) and text.strip():
            identity = f"{_identity(value.get('uuid'))}:attachment:{_identity(each.get('id')) or place}"
            documents.append(Document(identity, printable(each.get("file_name")) or "attachment", text))
        else:
            named.append(attachment_of(each.get("file_name"), each.get("file_type"), each.get("file_size")))
    files = objects_in(value.get("files")) or objects_in(value.get("files_v2"))
    named += [attachment_of(file.get("file_name"), _media(file), file.get("file_size")) for file in files]
    return named, documents


def _media(value: Mapping[str, Any]) -> str:
    if value.get("file_kind") == "image" or value.get("type") == "image":
        return "image/*"
    kind = value.get("file_type") or value.get("media_type")
    return kind if isinstance(kind, str) else ""


def _project_items(context: Context, value: Mapping[str, Any], place: Place) -> Iterator[Item]:
    """A project: its instructions and description as notes, its documents."""
    identity = _identity(value.get("uuid")) or digest_of(repr(value.get("name")))
    project = context.asked_project or printable(value.get("name")) or PROJECT
    created = context.dated(chat_time_of(value.get("created_at")))
    drafts = []
    for name, title in (("description", "Description"), ("prompt_template", "Instructions")):
        if text := cleaned(text_of(value.get(name))):
            drafts.append(
                Draft(
                    content=text,
                    name=cut(f"{title} of {project}", 200),
                    source=Source.IMPORT,
                    project=project,
                    valid_at=created,
                    recorded_at=created,
                    origin=f"claude.ai:project:{identity}:{name}:{digest_of(text)}",
                )
            )
    if drafts:
        yield place.item("project", *drafts, is_message=False)
    else:
        yield place.skipped("project", "no description, no instructions")
    for index, each in enumerate(value["docs"]):
        if not isinstance(each, dict) or not isinstance(each.get("content"), str):
            yield place.skipped("document", "no text")
            continue
        at = min(chat_time_of(each.get("created_at")) or created, context.now)
        name = printable(each.get("filename")) or f"document {index + 1}"
        key = _identity(each.get("uuid")) or f"place:{index}:{digest_of(each['content'])}"
        document = Document(key, name, each["content"])
        where = {"project": project, "valid_at": at, "recorded_at": at}
        yield from document_items(
            document, f"claude.ai:project:{identity}:{key}", where, place, context.clean
        )


def _named_projects(context: Context) -> dict[str, str]:
    """The names of projects by their ids, in the files that are imported together."""
    names: dict[str, str] = {}
    for other in context.sources:
        if other.format == FORMAT.name and "project" in other.place[len(str(context.root)) :].lower():
            for streamed in stream_objects(other, layout_of(other, _LISTS)):
                value = streamed.value
                if isinstance(value, dict) and isinstance(value.get("docs"), list):
                    names[_identity(value.get("uuid"))] = printable(value.get("name"))
    return {key: name for key, name in names.items() if key and name}


def _identity(value: Any) -> str:
    return printable(value, 200)


FORMAT: Final = Format(
    name="claude_ai",
    title="Claude.ai exports",
    read=_read,
    recognises=lambda sample: holds(sample.document, _LISTS, _is_ours),
    is_conversation=True,
    is_in_zip=True,
)
