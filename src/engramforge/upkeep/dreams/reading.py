"""Reads a project for a dream, in portions; keeps of each memory only what is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final, TypeVar

import numpy as np

from engramforge.core.dreams.duplicates import MERGED, Said, alike, said_of
from engramforge.core.dreams.recurring import READ, RECURRING, Once, once_of, whose
from engramforge.core.dreams.wording import wording_of
from engramforge.model.memory import ENERGY, Kind, Memory
from engramforge.model.search.selection import Felt, Selection
from engramforge.model.time import AsOf, TemporalMode
from engramforge.store.door import View

T = TypeVar("T")
PORTION: Final = 500
"""How many memories are read, or written, at once."""
_EVERY: Final = 2**31 - 1
_MOST_PATTERNS: Final = 10_000
_LEAST_ABOVE: Final = 1e-9


def duplicates(view: View, now: datetime) -> list[list[Said]]:
    """Groups of current memories that may be one."""
    return alike(_read(view, Selection(kinds=MERGED, as_of=AsOf(now, now)), said_of))


def linked(view: View, groups: Sequence[Sequence[Said]]) -> set[str]:
    """The logical ids of those that have links to other memories."""
    ids = [each.logical_id for group in groups for each in group]
    found: set[str] = set()
    for begin in range(0, len(ids), PORTION):
        for link in view.links(ids[begin : begin + PORTION], to_others=True):
            found |= {link.source_id, link.target_id}
    return found


def times_said(view: View, now: datetime) -> Iterator[Once]:
    """Each time that something was said that counts."""
    return _read(view, Selection(kinds=READ, as_of=AsOf(now, now)), once_of)


def known_patterns(view: View) -> set[tuple[str, tuple[str, str]]]:
    """Of what there is a pattern, or was one that a dream made: keys of its words, and whose it is."""
    chosen = Selection(kinds=(Kind.PATTERN,), mode=TemporalMode.FULL_HISTORY)
    return set(_read(view, chosen, _pattern, _MOST_PATTERNS))


def _pattern(memory: Memory) -> tuple[str, tuple[str, str]] | None:
    wording = wording_of(memory.content)
    key = memory.metadata.get(RECURRING) if RECURRING in memory.metadata else wording and wording.key.hex()
    return (str(key), whose(memory)) if key else None


def energetic(view: View, after: int, now: datetime) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Positions of current memories with more energy than nobody gave them, ascending, above one."""
    chosen = Selection(felt=Felt(energy=(ENERGY + _LEAST_ABOVE, None)), as_of=AsOf(now, now))
    found = np.sort(view.positions(chosen, _EVERY))
    return found[found > after]


def _read(
    view: View, selection: Selection, take: Callable[[Memory], T | None], most: int = _EVERY
) -> Iterator[T]:
    positions = np.sort(view.positions(selection, most))
    for begin in range(0, len(positions), PORTION):
        for memory in view.fetch_at(positions[begin : begin + PORTION]).values():
            if (taken := take(memory)) is not None:
                yield taken
