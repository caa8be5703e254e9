"""What an archive calls its entries (D001): the name that an entry already has, unless another one took it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

NUMBER: Final = r"(?>\d+)"
"""The number of a name, of any length: after D or T with or without a hyphen, after A in archives."""
LOCAL_ID: Final = re.compile(rf"[A-Za-z]{{1,4}}-?{NUMBER}")
"""A name of an entry as people write it."""
_SPELLED: Final = re.compile(r"([A-Za-z]{1,4})-?(\d{1,6})", re.ASCII)
_SIZES: Final = (1, 3, 4)
"""How many digits a number is filled up to: 7, 007 or 0007."""
_NUMBERED: Final = re.compile(r"[A-Za-z]+0*(\d{1,6})")


def other_spellings(name: str) -> tuple[str, ...]:
    """The same name with or without its hyphen and with as many zeros as people write; none if it is no such name.

    >>> other_spellings("adr33")[:3], other_spellings("ferry")
    (('ADR33', 'ADR033', 'ADR0033'), ())
    """
    if (match := _SPELLED.fullmatch(name)) is None:
        return ()
    letters, number = match[1].upper(), match[2].lstrip("0") or "0"
    return tuple(f"{letters}{joint}{number.zfill(size)}" for joint in ("", "-") for size in _SIZES)


def assign_local_ids(wanted: Sequence[str | None], letter: str) -> list[str]:
    """Distinct names, in the order of the entries.

    `wanted`: the name that each has, or None. If two have the same, the first keeps it: D003 of two conversations are
    two decisions. `letter`: how a new name begins; its number has never been used.
    """
    given: list[str | None] = []
    taken: set[str] = set()
    for name in wanted:
        folded = name.strip().upper() if name else ""
        is_free = bool(folded) and folded not in taken
        taken.add(folded)
        given.append(name.strip() if is_free and name else None)
    numbers = [int(found[1]) for found in map(_NUMBERED.fullmatch, taken) if found]
    following = max(numbers, default=0) if len(numbers) < 1_000 and max(numbers, default=0) < 10_000 else 0
    names = []
    for name in given:
        if name is None:
            following += 1
            while f"{letter}{following:03d}" in taken:
                following += 1
            name = f"{letter}{following:03d}"
        names.append(name)
    return names
