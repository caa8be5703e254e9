"""Which memories repeat what tells most in forgotten ones: a number to call, an address, a rare name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from engramforge.core.names.telling import telling_parts, tells
from engramforge.model.memory import Memory

_AT_ONCE: Final = 500
_MOST_READ: Final = 20_000
"""Of so many of the newest memories it is looked who repeats something."""
_RARE: Final = 5
"""What more memories have is no sign of what was forgotten."""


class Repeat(NamedTuple):
    """A memory, and what it repeats of a forgotten one."""

    id: str
    content: str
    parts: tuple[str, ...]


def parts_of(contents: Iterable[str]) -> tuple[str, ...]:
    """What tells most in memories that are about to be forgotten."""
    return tuple(dict.fromkeys(part for each in contents for part in telling_parts(each)))


def repeats(memories: Callable[..., Sequence[Memory]], parts: Sequence[str]) -> list[Repeat]:
    """The memories that have any of these parts, but those that many have, the newest first. `memories`: reads those
    in scope, as `Forge.memories`."""
    found: dict[str, list[str]] = {}
    contents: dict[str, str] = {}
    for offset in range(0, _MOST_READ if parts else 0, _AT_ONCE):
        read = memories(limit=_AT_ONCE, offset=offset)
        for each in read:
            if its := [part for part in parts if tells(each.content, part)]:
                found[each.logical_id], contents[each.logical_id] = its, each.content
        if len(read) < _AT_ONCE:
            break
    is_rare = {
        part: sum(part in its for its in found.values()) <= _RARE or _is_number(part) for part in parts
    }
    kept = {name: tuple(part for part in its if is_rare[part]) for name, its in found.items()}
    return [Repeat(name, contents[name], its) for name, its in kept.items() if its]


def _is_number(part: str) -> bool:
    return not any(map(str.isalpha, part))
