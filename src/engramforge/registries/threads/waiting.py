"""Threads that wait for others: no thread may wait for itself, directly or through others."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engramforge.errors import InvalidValue
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Memory
from engramforge.registries.registered import entry_link, registration_of
from engramforge.registries.threads.thread_view import blocking_of, title_of
from engramforge.writing.version_change import VersionChange


def waiting_link(change: VersionChange, blocker: Memory) -> Link:
    """The link of a changed thread to one that it waits for."""
    trigger = "a thread was said to wait for another"
    return entry_link(Relation.BLOCKED_BY, change.memory, blocker, change.at, trigger=trigger)


def check_waiting(
    fetch: Callable[[Iterable[str]], dict[str, Memory]],
    thread: Memory,
    waits_for: tuple[str, ...] | None = None,
) -> None:
    """Raise InvalidValue if a thread would wait for itself, directly or through others.

    `fetch`: gives threads as they stand, by logical ids. `waits_for`: logical ids of its blockers; defaults to the
    recorded ones.
    """
    own = thread.logical_id
    ahead = waits_for if waits_for is not None else blocking_of(thread)
    came_by: dict[str, str] = {}
    wave = list(ahead)
    seen: dict[str, Memory] = {own: thread}
    for each in wave:
        came_by.setdefault(each, own)
    while wave:
        if own in wave:
            raise _waits_for_itself(own, came_by, seen)
        found = {key: memory for key, memory in fetch(wave).items() if memory.registration is not None}
        seen |= found
        further = [(there, key) for key, memory in found.items() for there in blocking_of(memory)]
        wave = list(dict.fromkeys(there for there, _ in further if there not in came_by))
        for there, key in further:
            came_by.setdefault(there, key)


def _waits_for_itself(own: str, came_by: dict[str, str], seen: dict[str, Memory]) -> InvalidValue:
    chain = [own]
    while (before := came_by[chain[-1]]) != own:
        chain.append(before)
    said = [
        f"{registration_of(seen[each]).entry_id} ({title_of(seen[each])})"
        for each in (own, *chain[:0:-1], own)
    ]
    shown = said if len(said) <= 6 else [*said[:3], "...", *said[-2:]]
    return InvalidValue(
        f"The thread would wait for itself: {', which waits for '.join(shown)}"[:1_000],
        "Leave out one of these of blocked_by, or close the one that is done",
    )
