"""The differences between the stored chunks of a text and its present ones."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from engramforge.model.storing.record import StoredChunk


@dataclass(frozen=True, slots=True)
class Changes:
    """How a text's stored chunks become its present ones.

    `unchanged`: how many stay untouched. `changed`: (stored chunk, place in the new list) to be superseded. `inserted`:
    places in the new list that are new. `vanished`: stored chunks that are gone.
    """

    unchanged: int
    changed: Sequence[tuple[StoredChunk, int]]
    inserted: Sequence[int]
    vanished: Sequence[StoredChunk]


def compare_chunks(stored: Sequence[StoredChunk], present: Sequence[bytes]) -> Changes:
    """The differences between the stored chunks of a file and the digests of its present ones, both in order.

    Equal texts stay, wherever they moved. Others are paired in order with those that came between the same neighbours;
    what has no partner is new or gone. Takes little more than time in proportion.
    """
    before = [chunk.digest for chunk in stored]
    staying = Counter(before) & Counter(present)
    gone, come = _left_over(before, staying), _left_over(present, staying)
    anchors = _anchors(before, present)
    old_anchors, new_anchors = [old for old, _ in anchors], [new for _, new in anchors]
    arrivals: defaultdict[int, list[int]] = defaultdict(list)
    for place in reversed(come):
        arrivals[bisect_left(new_anchors, place)].append(place)
    changed: list[tuple[StoredChunk, int]] = []
    vanished: list[StoredChunk] = []
    for place in gone:
        waiting = arrivals[bisect_left(old_anchors, place)]
        if waiting:
            changed.append((stored[place], waiting.pop()))
        else:
            vanished.append(stored[place])
    inserted = sorted(place for waiting in arrivals.values() for place in waiting)
    return Changes(staying.total(), changed, inserted, vanished)


def _left_over(digests: Sequence[bytes], staying: Counter[bytes]) -> list[int]:
    """The places of those that do not stay; of equal ones the first stay."""
    left = Counter(staying)
    places = []
    for place, digest in enumerate(digests):
        left[digest] -= 1
        if left[digest] < 0:
            places.append(place)
    return places


def _anchors(before: Sequence[bytes], present: Sequence[bytes]) -> list[tuple[int, int]]:
    """The longest run of (old place, new place) of texts that occur once in both and kept their order (the longest
    increasing subsequence, by patience sorting)."""
    once = Counter(before), Counter(present)
    places = {digest: place for place, digest in enumerate(before) if once[0][digest] == 1}
    ends: list[int] = []
    last: list[int] = []
    pairs: list[tuple[int, int]] = []
    earlier: list[int] = []
    for new, digest in enumerate(present):
        old = places.get(digest)
        if old is None or once[1][digest] > 1:
            continue
        length = bisect_left(ends, old)
        earlier.append(last[length - 1] if length else -1)
        # A slice of one place: it replaces, or it adds at the end.
        ends[length : length + 1] = [old]
        last[length : length + 1] = [len(pairs)]
        pairs.append((old, new))
    at = last[-1] if last else -1
    found = []
    while at >= 0:
        found.append(pairs[at])
        at = earlier[at]
    return found[::-1]
