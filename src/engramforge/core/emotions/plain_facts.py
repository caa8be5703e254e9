"""Whether a word of a feeling says none: it speaks of a machine, is a device, or only says which thing is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.core.emotions.machine_words import (
    DEVICES,
    FELT_BEFORE,
    MACHINE_WORDS,
    NAMING,
    PEOPLE,
    THINGS,
)

_PEOPLE: Final = frozenset(PEOPLE.split())
_DEVICES: Final = frozenset(DEVICES.split())
_FELT_BEFORE: Final = frozenset(FELT_BEFORE.split())
_NAMING: Final = frozenset(NAMING.split())
_THINGS: Final = frozenset(THINGS.split())


def is_of_machines(text: str, words: Sequence[str]) -> bool:
    """Whether a text speaks of machines alone: it is no short one, names no people, and does not call or ask."""
    return (
        len(words) >= MACHINE_WORDS
        and _PEOPLE.isdisjoint(words)
        and not any(each.endswith(("!", "?")) for each in text.split())
    )


def is_a_device(words: Sequence[str], place: int) -> bool:
    """Whether a word is a device that is called like a feeling."""
    return words[place] in _DEVICES and (place == 0 or words[place - 1] not in _FELT_BEFORE)


def names_a_thing(words: Sequence[str], place: int) -> bool:
    """Whether the noun of a feeling only says which thing the next word is."""
    return words[place] in _NAMING and not _THINGS.isdisjoint(words[place + 1 : place + 2])
