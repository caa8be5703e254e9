"""The differences between the stored chunks of a text and its present ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from engramforge.model.memory import Memory

_Run = tuple[Sequence[Memory], Sequence[int]]
"""Stored chunks that are gone, and the places of the ones that came instead."""


@dataclass(frozen=True, slots=True)
class Changes:
    """How a text's stored chunks become its present ones.

    `unchanged`: how many stay untouched. `changed`: (stored chunk, place in the new list) to be superseded. `inserted`:
    places in the new list that are new. `vanished`: stored chunks that are gone.
    """

    unchanged: int
    changed: Sequence[tuple[Memory, int]]
    inserted: Sequence[int]
    vanished: Sequence[Memory]


def compare_chunks(stored: Sequence[Memory], contents: Sequence[str]) -> Changes:
    """The differences between the stored chunks of a file and its present contents, both in order.

    Equal texts stay, wherever they moved; if a run of chunks was replaced by another, they are paired in order.
    """
    matcher = SequenceMatcher(None, [memory.content for memory in stored], contents, autojunk=False)
    runs: list[_Run] = [
        (stored[old_from:old_to], range(new_from, new_to))
        for step, old_from, old_to, new_from, new_to in matcher.get_opcodes()
        if step != "equal"
    ]
    changed, inserted, vanished = _paired(runs)
    # A text that left one place and appeared at another has moved; it is still the same chunk.
    gone = [*(memory for memory, _ in changed), *vanished]
    come = sorted([*(place for _, place in changed), *inserted])
    moved = Counter(memory.content for memory in gone) & Counter(contents[place] for place in come)
    if moved:
        leaving, coming = Counter(moved), Counter(moved)
        gone = [memory for memory in gone if not _take(leaving, memory.content)]
        come = [place for place in come if not _take(coming, contents[place])]
        changed, inserted, vanished = _paired([(gone, come)])
    return Changes(len(stored) - len(changed) - len(vanished), changed, sorted(inserted), vanished)


def _paired(runs: Sequence[_Run]) -> tuple[list[tuple[Memory, int]], list[int], list[Memory]]:
    """What takes the place of what, in order; then what is left over of the places, and of the stored chunks."""
    changed = [pair for gone, come in runs for pair in zip(gone, come, strict=False)]
    inserted = [place for gone, come in runs for place in come[len(gone) :]]
    vanished = [memory for gone, come in runs for memory in gone[len(come) :]]
    return changed, inserted, vanished


def _take(left: Counter[str], text: str) -> bool:
    """Take such a text if any is left; returns whether there was one."""
    left[text] -= 1
    return left[text] >= 0
