"""Threads that wait for others: no thread may wait for itself, at once or by others (spec chapter 7).

What must not enter: writing, how a thread is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engramforge.errors import InvalidValue
from engramforge.model.memory import Memory
from engramforge.registries.registered import registration_of
from engramforge.registries.threads.thread_view import blocking_of, title_of


def check_waiting(
    fetch: Callable[[Iterable[str]], dict[str, Memory]],
    thread: Memory,
    waits_for: tuple[str, ...] | None = None,
) -> None:
    """Raise InvalidValue where a thread would wait for itself, at once or by others.

    Parameters
    ----------
    fetch : gives threads as they stand, by logical ids.
    waits_for : logical ids of those that it is to wait for; default those that it says.
    """
    own = thread.logical_id
    ahead = waits_for if waits_for is not None else blocking_of(thread)
    came_by: dict[str, str] = {}
    wave = list(ahead)
    seen: dict[str, Memory] = {own: thread}
    for one in wave:
        came_by.setdefault(one, own)
    while wave:
        if own in wave:
            raise _waits_for_itself(own, came_by, seen)
        found = {key: one for key, one in fetch(wave).items() if one.registration is not None}
        seen |= found
        further = [(there, key) for key, one in found.items() for there in blocking_of(one)]
        wave = list(dict.fromkeys(there for there, _ in further if there not in came_by))
        for there, key in further:
            came_by.setdefault(there, key)


def _waits_for_itself(own: str, came_by: dict[str, str], seen: dict[str, Memory]) -> InvalidValue:
    chain = [own]
    while (before := came_by[chain[-1]]) != own:
        chain.append(before)
    said = [
        f"{registration_of(seen[one]).entry_id} ({title_of(seen[one])})" for one in (own, *chain[:0:-1], own)
    ]
    shown = said if len(said) <= 6 else [*said[:3], "...", *said[-2:]]
    return InvalidValue(
        f"The thread would wait for itself: {', which waits for '.join(shown)}"[:1_000],
        "Leave out one of these of blocked_by, or close the one that is done",
    )
