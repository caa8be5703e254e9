"""Which hits are one: copies, overlapping pieces of a file, an entry and the sentence that it was read from, what was
learned of a belief and the belief.

Texts are compared by their runs of five words. One says what another does if all of its runs stand there too: notes
of the same make that differ in a number do not. Of pieces of one file most of the runs are enough. Two entries of a
registry are always two, as are two versions of a memory.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from engramforge.core.registries.registration import evidence_of
from engramforge.model.memory import LEARNED_OF, Chunk, Kind, Memory

_RUN: Final = 5
_MOST_WORDS: Final = 1_000
_SHARE_OF_PIECE: Final = 0.6
"""Of the runs of the shorter of two pieces of a file, the share that makes them one."""
_SHARE_OF_NEXT: Final = 0.33
"""The same of a piece and the next one: they overlap, and what both show answers."""
_CUT: Final = "\u2026"

Runs = frozenset[tuple[str, ...]]


class Twins:
    """Hits that were kept, by number, best first; each new one is compared with them."""

    def __init__(self) -> None:
        self._kept: list[tuple[Memory, Runs]] = []
        self._by_run: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        self._by_source: defaultdict[str, list[int]] = defaultdict(list)

    def of(self, memory: Memory, shown: str) -> int | None:
        """The number of the first kept hit that is the same one as this; None if it is a new one, which is kept.

        A kept hit that gives way to this one is no longer compared with what comes: of several beliefs that something
        was learned of, and of the versions of one, only the first takes its place.

        `shown`: what is shown of the memory.
        """
        runs = _runs(shown)
        places = {place for run in self._by_run.keys() & runs for place in self._by_run[run]}
        places.update(place for each in sources(memory) for place in self._by_source.get(each, ()))
        for place in sorted(places):
            if self._are_one(memory, runs, place):
                if gives_way(self._kept[place][0], memory):
                    self._kept[place] = (memory, runs)
                    self._index(memory, runs, place)
                return place
        self._kept.append((memory, runs))
        self._index(memory, runs, len(self._kept) - 1)
        return None

    def _index(self, memory: Memory, runs: Runs, place: int) -> None:
        for each in sources(memory):
            self._by_source[each].append(place)
        for run in runs:
            self._by_run[run].append(place)

    def _are_one(self, memory: Memory, runs: Runs, place: int) -> bool:
        other, its = self._kept[place]
        if memory.logical_id == other.logical_id or (memory.registration and other.registration):
            return False
        if not set(sources(memory)).isdisjoint(sources(other)):
            return True
        return len(runs & its) >= _share(memory.chunk, other.chunk) * min(len(runs), len(its))


def gives_way(memory: Memory, other: Memory) -> bool:
    """Whether of two that are one the other is shown: a detected entry gives way to the message that it was read from,
    which says more, what was learned of a belief to the belief."""
    return other.logical_id in sources(memory)[1:]


def _share(one: Chunk | None, other: Chunk | None) -> float:
    """The share of the shorter text's runs that makes two one."""
    if one is None or other is None or one.file_path != other.file_path:
        return 1.0
    return _SHARE_OF_NEXT if abs(one.chunk_index - other.chunk_index) == 1 else _SHARE_OF_PIECE


def sources(memory: Memory) -> tuple[str, ...]:
    """The logical ids of a memory, of the message that it was read from, and of the beliefs that it was learned of."""
    evidence = evidence_of(memory.registration) if memory.registration else None
    said = (evidence.message_id,) if evidence else ()
    learned = memory.metadata.get(LEARNED_OF) if memory.kind is Kind.LEARNING else None
    # Metadata may be of any kind that somebody gave it.
    beliefs = (each for each in learned if isinstance(each, str)) if isinstance(learned, list) else ()
    return (memory.logical_id, *said, *beliefs)


def _runs(text: str) -> Runs:
    words = text.replace(_CUT, " ").casefold().split()[:_MOST_WORDS]
    if len(words) < _RUN:
        return frozenset([tuple(words)])
    return frozenset(zip(*(words[place:] for place in range(_RUN)), strict=False))
