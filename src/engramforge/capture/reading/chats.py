"""What the readers of chat exports share: the tree of a conversation, its branches and their order, and drafts.

**Branches.** A conversation forks where a message was edited or answered again. All branches are read. They are
numbered by when they began, so that a later export, in which there are more, gives the earlier ones the same numbers;
the first is 1. The sequence of a message is its place on its own path, and in a higher branch a million more for each
branch below: reading by sequence gives the first branch, then each other from its fork on. In a forked conversation
every memory has its `branch`, and whether it was on the current path when it was imported (`on_current_path`); the
first of a branch names the message that it follows (`follows`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from engramforge.capture.reading.cutting import cut
from engramforge.capture.reading.format import Clean, unchanged
from engramforge.capture.reading.other_memories import DIGEST
from engramforge.capture.reading.records import Item, Place
from engramforge.capture.reading.sessions import CHAIN_LENGTH
from engramforge.capture.reading.transcript_text import Piece
from engramforge.capture.reading.values import cleaned, digest_of, printable
from engramforge.core.text.chunking import chunk_markdown
from engramforge.model.limits import NAME_CHARACTERS
from engramforge.model.memory import Chunk, Draft, Kind, Source

WHOLE_CHARACTERS: Final = 2_000
"""A document up to this length is one memory; a longer one becomes chunks."""
ATTACHMENTS: Final = 64
"""The most files named per message."""
_DRAFTS_AT_ONCE: Final = 400
"""The most drafts of an item: a batch holds at most 500."""


@dataclass(slots=True)
class Said:
    """A message of a conversation.

    `identity`: unique in the conversation. `parent`: the identity of the message that it follows; None for the first,
    or if unknown. `at`: when it was said; None if unknown. `pieces`: its memories: text, requests to tools, outcomes.
    `skipped`: why it has no memory. `fault`: what is wrong with it. `record`: its type in the export's own words.
    `is_turn`: whether it has a place in the conversation; False for records that are not messages. `passed`: names of
    parts skipped because their type is unknown.
    """

    identity: str
    parent: str | None
    at: datetime | None
    pieces: Sequence[Piece] = ()
    skipped: str = ""
    fault: str = ""
    record: str = "message"
    is_turn: bool = True
    passed: tuple[str, ...] = ()
    documents: Sequence[Document] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A text attached to a message or a project; `changes`: whether a later export may have it otherwise."""

    identity: str
    name: str
    text: str
    changes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A conversation from its export.

    `origin`: the beginning of all origins in it, unique to the conversation. `messages`: in the order of the export.
    `current`: the identity of the last message of the current path; None if the export does not say. `began`: when it
    began; used for messages without a time.
    """

    origin: str
    session: str
    title: str
    project: str
    messages: Sequence[Said]
    current: str | None
    began: datetime


@dataclass(slots=True)
class _Node:
    said: Said
    index: int
    parent: _Node | None = None
    at: datetime | None = None
    branch: int = 1
    place: int = 0
    is_current: bool = False
    begins_branch: bool = False


def items_of(chat: Chat, place: Place, now: datetime, clean: Clean = unchanged) -> Iterator[Item]:
    """The items of a conversation, one per message, in the order of the export, followed by its documents and unknown
    parts.

    `place`: of the conversation. `now`: the latest time of any memory. `clean`: as in `Context`.
    """
    nodes = _tree(chat, now)
    forks = any(node.branch > 1 for node in nodes)
    for node in nodes:
        said = node.said
        if said.fault:
            yield place.fault(said.record, said.fault, is_message=True)
        elif not (said.pieces or said.documents):
            yield place.skipped(said.record, said.skipped or "no text", is_message=True)
        else:
            drafts = [_draft(chat, node, piece, number, forks) for number, piece in enumerate(said.pieces)]
            first, *more = list(_parted(drafts)) or [()]
            item = place.item(said.record, *first)
            yield item if first else replace(item, skipped="only documents")
            yield from (place.item(said.record, *some, is_message=False) for some in more)
        for document in said.documents:
            where = _where(chat, node, len(said.pieces), forks)
            yield from document_items(document, f"{chat.origin}:{document.identity}", where, place, clean)
        for name in said.passed:
            yield place.skipped(f"part:{name}", "unknown kind of part")


def _parted(drafts: Sequence[Draft]) -> Iterator[Sequence[Draft]]:
    """Drafts in portions that an item may have."""
    for begin in range(0, len(drafts), _DRAFTS_AT_ONCE):
        yield drafts[begin : begin + _DRAFTS_AT_ONCE]


def document_items(
    document: Document, origin: str, where: Mapping[str, Any], place: Place, clean: Clean = unchanged
) -> Iterator[Item]:
    """A document as a memory, or as chunks; `where` are the other fields of the drafts."""
    text = cleaned(document.text)
    name = printable(document.name) or "document"
    if not text:
        yield place.skipped("document", "no text")
        return
    if document.changes and len(kept := changing_drafts(text, name, origin, where, clean)) <= _DRAFTS_AT_ONCE:
        yield place.item("document", *kept, is_message=False)
        return
    shared = {**where, "name": name, "source": Source.IMPORT}
    shared["metadata"] = {**where.get("metadata", {}), "file_name": name}
    drafts = [Draft(content=text, kind=Kind.ARTIFACT, origin=origin[:2_000], **shared)]
    if len(text) > WHOLE_CHARACTERS:
        # A rule at the beginning of a chat's document is not front matter.
        shared |= {"kind": Kind.CHUNK}
        drafts = [
            Draft(content=chunk.text, chunk=chunk.place, origin=f"{origin[:2_000]}:{index}", **shared)
            for index, chunk in enumerate(chunk_markdown(f"\n{clean(text)}", name).chunks)
        ]
    yield from (place.item("document", *some, is_message=False) for some in _parted(drafts))


def changing_drafts(
    text: str, name: str, place: str, where: Mapping[str, Any], clean: Clean
) -> tuple[Draft, ...]:
    """A text that may change as memories, each with its text, place and the digest of the whole."""
    path = cut(place, 1_900)
    parts = [(text, Chunk(path, 0, 1, 0))]
    kind = Kind.ARTIFACT
    if len(text) > WHOLE_CHARACTERS:
        # A rule at the beginning of such a text is not front matter.
        parts = [(chunk.text, chunk.place) for chunk in chunk_markdown(f"\n{clean(text)}", path).chunks]
        kind = Kind.CHUNK
    fields = {
        **where,
        "metadata": {**where.get("metadata", {}), "file_name": name, DIGEST: digest_of(text)},
    }
    return tuple(
        Draft(
            content=said,
            kind=kind,
            name=name,
            source=Source.IMPORT,
            chunk=chunk,
            # Identified by its text, so that a forgotten chunk does not come back when the text around it changes.
            origin=f"{path}:{digest_of(said)}",
            **fields,
        )
        for said, chunk in parts
    )


def _tree(chat: Chat, now: datetime) -> list[_Node]:
    """The messages with their branches and places, in the order of the export."""
    nodes = [_Node(said, index) for index, said in enumerate(chat.messages)]
    by_identity: dict[str, _Node] = {}
    for node in nodes:
        by_identity.setdefault(node.said.identity, node)
    for node in nodes:
        parent = by_identity.get(node.said.parent) if node.said.parent is not None else None
        node.parent = None if parent is node else parent
    turns = [node for node in nodes if node.said.is_turn]
    order = _from_the_roots(turns)
    for node in order:
        # Its own time, else that of the message before.
        before = node.parent.at if node.parent is not None and node.parent.at is not None else chat.began
        node.at = min(node.said.at or before, now)
    _number(order)
    current = by_identity.get(chat.current) if chat.current is not None else None
    above = {node.parent.index for node in turns if node.parent is not None}
    leaves = [node for node in turns if node.index not in above]
    if current is None and leaves:
        current = max(leaves, key=lambda node: (node.at or now, node.index))
    while current is not None and not current.is_current:
        current.is_current = True
        current = current.parent
    return nodes


def _from_the_roots(nodes: Sequence[_Node]) -> list[_Node]:
    """Every node after its parent; circles are cut at their first node."""
    children: dict[int, list[_Node]] = {}
    for node in nodes:
        if node.parent is not None:
            children.setdefault(node.parent.index, []).append(node)
    order: list[_Node] = []
    seen: set[int] = set()
    for begin in [*(node for node in nodes if node.parent is None), *nodes]:
        if begin.index in seen:
            continue
        begin.parent = begin.parent if begin.parent is not None and begin.parent.index in seen else None
        waiting = [begin]
        while waiting:
            node = waiting.pop()
            if node.index in seen:
                continue
            seen.add(node.index)
            order.append(node)
            waiting += reversed(children.get(node.index, []))
    return order


def _number(order: Sequence[_Node]) -> None:
    """Number branches by when they began, and places along each path."""
    first: set[int] = set()
    begins: list[_Node] = []
    roots = 0
    by_time = sorted(order, key=lambda node: (node.at or datetime.max.replace(tzinfo=UTC), node.index))
    for node in by_time:
        if node.parent is None:
            roots += 1
            node.begins_branch = roots > 1
        elif node.parent.index in first:
            node.begins_branch = True
        else:
            first.add(node.parent.index)
        if node.begins_branch:
            begins.append(node)
    numbers = {node.index: number for number, node in enumerate(begins, 2)}
    for node in order:
        before = node.parent
        node.branch = numbers.get(node.index, before.branch if before is not None else 1)
        if before is not None:
            # A message takes at least one place, so that places do not depend on what is remembered.
            node.place = before.place + max(len(before.said.pieces), 1) + bool(before.said.documents)


def _where(chat: Chat, node: _Node, place: int, forks: bool) -> dict[str, Any]:
    """The fields common to all memories of a message."""
    metadata: dict[str, Any] = {}
    if chat.title:
        metadata["conversation"] = chat.title
    if forks:
        metadata |= {"branch": node.branch, "on_current_path": node.is_current}
        if node.begins_branch and node.parent is not None:
            metadata["follows"] = cut(node.parent.said.identity, 500)
    return {
        "project": chat.project,
        "session_id": cut(chat.session, NAME_CHARACTERS),
        "sequence": (node.branch - 1) * CHAIN_LENGTH + node.place + place,
        "metadata": metadata,
        "valid_at": node.at,
        "recorded_at": node.at,
    }


def _draft(chat: Chat, node: _Node, piece: Piece, place: int, forks: bool) -> Draft:
    where = _where(chat, node, place, forks)
    where["metadata"] = {**where["metadata"], **piece.metadata}
    return Draft(
        content=piece.text,
        kind=piece.kind,
        source=Source.IMPORT,
        speaker=piece.speaker,
        attachments=piece.attachments[:ATTACHMENTS],
        origin=f"{chat.origin}:{node.said.identity}"[:2_000] + piece.part[:300],
        **where,
    )
