"""The differences between the stored chunks of a text and its present ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from engramforge.model.memory import Memory


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
    changed: list[tuple[Memory, int]] = []
    inserted: list[int] = []
    vanished: list[Memory] = []
    matcher = SequenceMatcher(None, [memory.content for memory in stored], contents, autojunk=False)
    for step, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if step != "equal":
            _pair(stored[old_from:old_to], range(new_from, new_to), changed, inserted, vanished)
    # A text that left one place and appeared at another has moved; it is still the same chunk.
    gone = [*(memory for memory, _ in changed), *vanished]
    come = sorted([*(place for _, place in changed), *inserted])
    moved = Counter(memory.content for memory in gone) & Counter(contents[place] for place in come)
    if moved:
        leaving, coming = Counter(moved), Counter(moved)
        gone = [memory for memory in gone if not _take(leaving, memory.content)]
        come = [place for place in come if not _take(coming, contents[place])]
        changed, inserted, vanished = [], [], []
        _pair(gone, come, changed, inserted, vanished)
    return Changes(len(stored) - len(changed) - len(vanished), changed, sorted(inserted), vanished)


def _pair(
    gone: Sequence[Memory],
    come: Sequence[int],
    changed: list[tuple[Memory, int]],
    inserted: list[int],
    vanished: list[Memory],
) -> None:
    paired = min(len(gone), len(come))
    changed += zip(gone, come, strict=False)
    vanished += gone[paired:]
    inserted += come[paired:]


def _take(left: Counter[str], text: str) -> bool:
    """Take such a text if any is left; returns whether there was one."""
    left[text] -= 1
    return left[text] >= 0
