"""What changed between two linked conversations, from the registries as they are.

The source knew the entries that mention it and those that its compression carried or dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus, EntryQuery, ThreadStatus
from engramforge.model.registries.lineage import Bridge, LineageEdge
from engramforge.model.registries.thread import Thread
from engramforge.model.scope import Scope
from engramforge.registries.decisions.decision_view import around, decision_of
from engramforge.registries.lineage.lineage_reading import LineageReading
from engramforge.registries.registered import entries_named, registration_of
from engramforge.registries.threads.thread_view import blockers_of, thread_of
from engramforge.store.door import Door

_AT_ONCE: Final = 500
_MOST: Final = 10_000
"""The most entries read for a portion of conversations."""
_NAMED: Final = 5
_NAME_CHARACTERS: Final = 80
_ENDED: Final = (DecisionStatus.SUPERSEDED, DecisionStatus.INVALIDATED)
_T = TypeVar("_T")


def bridge(door: Door, reading: LineageReading, scope: Scope, source: str, target: str) -> Bridge:
    """What changed from a conversation to a later one that continues it, over any number of edges.

    Raises NotFound if no lineage leads from one to the other.
    """
    edges = reading.way(scope, source, target)
    passed = tuple(dict.fromkeys(str(edge.target_conversation_id) for edge in edges))
    carried = [decision for edge in edges for decision in (*edge.decisions_carried, *edge.decisions_dropped)]
    found = _entries(door, scope, Kind.DECISION, (source, *passed), carried)
    near = around(door, scope, found)
    decisions = [decision_of(memory, near=near) for memory in found]
    followed = [thread for edge in edges for thread in (*edge.threads_carried, *edge.threads_resolved)]
    seen = _entries(door, scope, Kind.THREAD, (source, *passed), followed)
    blockers = blockers_of(door, scope, seen)
    threads = [thread_of(memory, blockers=blockers) for memory in seen]
    made = _threads_changed(_decisions_changed(edges, decisions), threads, passed)
    return replace(made, summary=_summary(made))


def _entries(
    door: Door, scope: Scope, kind: Kind, conversations: Sequence[str], ids: Iterable[str]
) -> list[Memory]:
    """The last records of entries that one of these conversations mentions, or of these ids; oldest first."""
    found: dict[str, Memory] = {}
    for begin in range(0, len(conversations), _AT_ONCE):
        portion = tuple(conversations[begin : begin + _AT_ONCE])
        query = EntryQuery(kind=kind, conversations=portion, ended=True, limit=_MOST)
        found |= {registration_of(entry).entry_id: entry for entry in door.asking(scope).entries(query)}
    found |= entries_named(door, scope, kind, [each for each in ids if each not in found])
    return sorted(found.values(), key=lambda memory: (memory.valid_at, memory.logical_id))


def _decisions_changed(edges: list[LineageEdge], decisions: list[Decision]) -> Bridge:
    first, last = edges[0], edges[-1]
    told = {*first.decisions_carried, *first.decisions_dropped}
    left = {dropped for edge in edges for dropped in edge.decisions_dropped} - set(last.decisions_carried)
    active = [decision for decision in decisions if decision.status is DecisionStatus.ACTIVE]

    def was_known(decision: Decision) -> bool:
        return first.source_conversation_id in decision.conversation_ids or decision.id in told

    def has_changed(decision: Decision) -> bool:
        return decision.created_at > first.compressed_at

    return Bridge(
        source_conversation_id=first.source_conversation_id,
        target_conversation_id=str(last.target_conversation_id),
        edges=tuple(edges),
        decisions_added=tuple(each for each in decisions if not was_known(each)),
        decisions_revised=tuple(
            each for each in active if was_known(each) and each.version > 1 and has_changed(each)
        ),
        decisions_ended=tuple(each for each in decisions if each.status in _ENDED and has_changed(each)),
        decisions_dropped=tuple(each for each in active if each.id in left),
    )


def _threads_changed(made: Bridge, threads: list[Thread], passed: tuple[str, ...]) -> Bridge:
    first, last = made.edges[0], made.edges[-1]
    told = {*first.threads_carried, *first.threads_resolved}
    resolved = {thread for edge in made.edges for thread in edge.threads_resolved}
    still_open = [thread for thread in threads if thread.status is ThreadStatus.OPEN]
    closed = [thread for thread in threads if thread.status is not ThreadStatus.OPEN]

    def was_known(thread: Thread) -> bool:
        return first.source_conversation_id in thread.conversation_ids or thread.id in told

    def goes_on(thread: Thread) -> bool:
        return thread.id in last.threads_carried or bool(set(passed) & set(thread.conversation_ids))

    return replace(
        made,
        threads_added=tuple(each for each in threads if not was_known(each)),
        threads_resolved=tuple(
            each for each in closed if each.created_at > first.compressed_at or each.id in resolved
        ),
        threads_dropped=tuple(each for each in still_open if was_known(each) and not goes_on(each)),
    )


def _summary(made: Bridge) -> str:
    steps = len(made.edges)
    over = "directly" if steps == 1 else f"over {steps - 1} other{'s' if steps > 2 else ''}"
    said = [
        *(_part(name, getattr(made, f"decisions_{name}"), _decided, "decision") for name in _OF_DECISIONS),
        *(_part(name, getattr(made, f"threads_{name}"), _followed, "thread") for name in _OF_THREADS),
    ]
    told = [part for part in said if part] or ["Nothing changed in the registries."]
    way = f"{made.target_conversation_id} goes on from {made.source_conversation_id} {over}."
    return "\n".join((way, *told))


_OF_DECISIONS: Final = ("added", "revised", "ended", "dropped")
_OF_THREADS: Final = ("added", "resolved", "dropped")


def _part(name: str, entries: Sequence[_T], tell: Callable[[_T], str], spoken: str) -> str:
    if not entries:
        return ""
    named = [tell(entry) for entry in entries[:_NAMED]]
    more = [] if len(entries) <= _NAMED else [f"and {len(entries) - _NAMED} more"]
    plural = "" if len(entries) == 1 else "s"
    return f"{len(entries)} {spoken}{plural} {_SAID.get((spoken, name), name)}: {'; '.join((*named, *more))}."


_SAID: Final = {
    ("thread", "resolved"): "closed",
    ("thread", "added"): "opened",
    ("decision", "added"): "made",
}


def _decided(decision: Decision) -> str:
    said = f"{decision.id} {_short(decision.decision)}"
    if decision.superseded_by is not None:
        return f"{said} (superseded by {decision.superseded_by})"
    return said if decision.status is DecisionStatus.ACTIVE else f"{said} ({decision.status})"


def _followed(thread: Thread) -> str:
    said = f"{thread.id} {_short(thread.title)}"
    if thread.status is ThreadStatus.OPEN:
        return said
    how = f"{thread.status}: {_short(thread.resolution)}" if thread.resolution else str(thread.status)
    return f"{said} ({how}{f', in {thread.resolved_in}' if thread.resolved_in else ''})"


def _short(text: str) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _NAME_CHARACTERS else line[: _NAME_CHARACTERS - 1].rstrip() + "…"
