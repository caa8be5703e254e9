"""What all registries share: finding an entry by any of its names, its links, mentions and evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from engramforge.core.checks.validation import check_name
from engramforge.core.registries.local_ids import LOCAL_ID, other_spellings
from engramforge.errors import Conflict, InvalidValue, NotFound
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.entry import ENTRY_PREFIXES, EntryQuery, ThreadStatus
from engramforge.model.scope import Scope
from engramforge.store.door import Door

ENTRY_ID: Final = re.compile(r"(?:dec|thr|lin|arc|flg)_[0-9a-f]{12}", re.IGNORECASE)
"""A global id."""
MEMORY_ID: Final = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)
"""The id of a memory or of one of its versions."""
SPOKEN: Final = {
    Kind.DECISION: "decision",
    Kind.THREAD: "thread",
    Kind.LINEAGE: "lineage edge",
    Kind.ARCHIVE: "archive",
    Kind.FLAG: "detection",
}
"""Kind -> what errors call an entry."""
_AT_ONCE: Final = 500
_SHORTEST_TITLE: Final = 4
"""Characters of words by which a thread may be called instead of by its id."""
_NAMED: Final = 5
"""How many entries an error names that have the same local id."""
_SAID: Final = 60
"""Characters of an entry that an error tells it by."""


def find_entry(
    door: Door, scope: Scope, kind: Kind, named: object, conversation: str | None = None
) -> Memory:
    """The last record of an entry: the current version, or the closing record if it has ended.

    `named`: its global id, the logical id or a version id of its memory, each also shortened; or its local id (D001),
    with a conversation where several entries have it; or words of the title of one open thread.
    `conversation`: a conversation that mentions it; used for a local id only.

    Raises InvalidValue: it is not an id; or a local id that several entries have. Raises NotFound: the entry does not
    exist in scope. Raises Conflict: the memory exists, but is not such an entry.
    """
    spoken = SPOKEN[kind]
    if not isinstance(named, str) or not named.strip():
        raise InvalidValue(
            f"The {spoken} is {named!r}"[:200], f"Give its id, as {ENTRY_PREFIXES[kind]}0123456789ab"
        )
    asked = named.strip()
    # In a conversation `D0000012` is what the conversation calls an entry.
    if conversation is None or asked[3:4] == "_":
        asked = door.asking(scope).whole_id(asked)
    if ENTRY_ID.fullmatch(asked):
        return _by_entry_id(door, scope, kind, asked.lower())
    if MEMORY_ID.fullmatch(asked):
        return _by_memory_id(door, scope, kind, asked)
    its = None if conversation is None else check_name(conversation, "conversation")
    found: list[Memory] = []
    for local_ids in ((asked, asked.upper()), other_spellings(asked)):
        conversations = () if its is None else (its,)
        query = EntryQuery(kind=kind, local_ids=local_ids, conversations=conversations, ended=True, limit=10)
        if local_ids and (found := door.asking(scope).entries(query)):
            break
    if its is not None:
        return _only(found, f"{asked[:100]!r} in the conversation {its!r}", spoken)
    is_named = kind in (Kind.DECISION, Kind.THREAD)
    if not found and kind is Kind.THREAD and (titled := _titled(door, scope, asked)):
        return titled[0] if len(titled) == 1 else _only(titled, f"{asked[:100]!r} in its title", spoken)
    if not found and not (is_named and LOCAL_ID.fullmatch(asked)):
        local = f", or its local id as {spoken[0].upper()}001" if is_named else ""
        raise InvalidValue(
            f"{asked[:100]!r} is no id of {_with_article(spoken)}",
            f"Give its global id ({ENTRY_PREFIXES[kind]}...){local}",
        )
    return _only(found, repr(asked[:100]), spoken)


def _titled(door: Door, scope: Scope, words: str) -> list[Memory]:
    """The open threads that have this title, else those that have these words in theirs."""
    asked = " ".join(re.findall(r"\w+", words.casefold()))
    if len(asked) < _SHORTEST_TITLE:
        return []
    query = EntryQuery(kind=Kind.THREAD, statuses=(ThreadStatus.OPEN,), limit=_AT_ONCE)
    found = door.asking(scope).entries(query)
    said = [(each.name or each.content.partition("\n")[0]).casefold() for each in found]
    titles = [" ".join(re.findall(r"\w+", each)) for each in said]
    same = [each for each, title in zip(found, titles, strict=True) if title == asked]
    return same or [each for each, title in zip(found, titles, strict=True) if f" {asked} " in f" {title} "]


def entries_named(door: Door, scope: Scope, kind: Kind, entry_ids: Iterable[str]) -> dict[str, Memory]:
    """Global id -> the last record of the entry; unknown ones are absent."""
    wanted = list(dict.fromkeys(entry_ids))
    found: dict[str, Memory] = {}
    for begin in range(0, len(wanted), _AT_ONCE):
        portion = tuple(wanted[begin : begin + _AT_ONCE])
        query = EntryQuery(kind=kind, entry_ids=portion, ended=True, limit=2 * _AT_ONCE)
        found |= {registration_of(entry).entry_id: entry for entry in door.asking(scope).entries(query)}
    return found


def _by_entry_id(door: Door, scope: Scope, kind: Kind, entry_id: str) -> Memory:
    if not entry_id.startswith(ENTRY_PREFIXES[kind]):
        raise InvalidValue(
            f"{entry_id} is no id of {_with_article(SPOKEN[kind])}",
            f"Give one that begins with {ENTRY_PREFIXES[kind]}",
        )
    query = EntryQuery(kind=kind, entry_ids=(entry_id,), ended=True, limit=10)
    return _only(door.asking(scope).entries(query), entry_id, SPOKEN[kind])


def _by_memory_id(door: Door, scope: Scope, kind: Kind, memory_id: str) -> Memory:
    found = door.asking(scope).fetch([memory_id]).get(memory_id)
    wanted = _with_article(SPOKEN[kind])
    if found is not None and (found.kind is not kind or found.registration is None):
        its = found.kind if found.kind is not kind else f"{found.kind} that no registry has"
        raise Conflict(
            f"The memory {memory_id} is {_with_article(str(its))}, not {wanted}", f"Give the id of {wanted}"
        )
    if found is not None:
        found = door.asking(scope).fetch([found.logical_id]).get(found.logical_id)
    if found is None or found.expired_at is not None:
        raise _unknown(memory_id, SPOKEN[kind])
    return found


def _only(found: list[Memory], named: str, spoken: str) -> Memory:
    if not found:
        raise _unknown(named, spoken)
    if len({memory.logical_id for memory in found}) > 1:
        known = "; ".join(map(_told_apart, found[:_NAMED]))
        more = " and more" if len(found) > _NAMED else ""
        origins = {registration_of(memory).origin for memory in found}
        mend = "Give the global id of the one you mean"
        if None not in origins and len(origins) == len(found):
            mend += ", or its conversation"
        if len({memory.project for memory in found}) > 1:
            mend += ", or its project"
        raise InvalidValue(f"{named} names several {spoken}s: {known}{more}", mend)
    return found[0]


def _told_apart(entry: Memory) -> str:
    """An entry by what tells it from others of its local id."""
    registration = registration_of(entry)
    said = f" in the conversation {registration.origin!r}" if registration.origin else ""
    text = " ".join(entry.content.split())[:_SAID]
    return f"{registration.entry_id} of the project {entry.project!r}{said}: {text!r}"


def _unknown(named: str, spoken: str) -> NotFound:
    return NotFound(
        f"There is no {spoken} {named}",
        f"Search or list the {spoken}s for its id; it may have been forgotten, or taken back by undo",
    )


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def registration_of(memory: Memory) -> Registration:
    """The registration of an entry's version."""
    assert memory.registration is not None
    return memory.registration


def entry_link(
    relation: Relation | str,
    source: Memory,
    target: Memory | str,
    at: datetime,
    *,
    valid_at: datetime | None = None,
    trigger: str,
    extra: Mapping[str, Any] | None = None,
) -> Link:
    """A link that a registry writes between two entries; its feelings are taken from the source.

    `target`: the other entry, or a logical id. `at`: when it is recorded: the `at` of the change that it belongs to.
    `valid_at`: since when it holds; defaults to the source's. `trigger`: its `formation_trigger`: why it was made,
    without content.
    """
    # Listing a registry imports this file too, and must not load the stages of writing.
    from engramforge.writing.preparing import new_id

    return Link(
        id=new_id(),
        source_id=source.logical_id,
        target_id=target if isinstance(target, str) else target.logical_id,
        relation=str(relation),
        valid_at=valid_at or source.valid_at,
        created_at=at,
        energy=source.energy,
        confidence=source.confidence,
        emotion_vector=source.emotion_vector,
        goal=source.goal or "unstated",
        mindstate=source.mindstate or "captured",
        formation_trigger=trigger,
        extra=dict(extra or {}),
    )


def succession(taking: Memory, old: Memory, at: datetime, since: datetime | None) -> Link:
    """The link of a decision to the version whose place it took, `since` a time."""
    return entry_link(
        Relation.SUPERSEDES,
        taking,
        old,
        at,
        valid_at=since,
        trigger="another decision took its place",
        extra={"source_version": taking.version, "target_version": old.version},
    )


def mentioned_in(registration: Registration, conversation: str | None) -> tuple[str, ...]:
    """The conversations that mention an entry, with a new one added."""
    if conversation is None or conversation in registration.conversations:
        return registration.conversations
    return (*registration.conversations, conversation)
