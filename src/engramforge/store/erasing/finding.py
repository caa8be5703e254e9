"""Finds many parts in bytes at once, in a time that depends on the bytes and hardly on how many parts there are.

A few are looked for one by one. Of many, a table says of the first bytes of a part, hashed, whether any part begins so;
all places of a block are looked up in it together, and what is left is compared.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import accumulate
from typing import Any, Final, TypeVar

import numpy as np

V = TypeVar("V")

BLOCK: Final = 2**18
"""How many bytes are looked up at once; larger tables of numbers do not stay near the processor."""
_FEW: Final = 16
_BITS: Final = 22
_SHIFT: Final = np.uint64(64 - _BITS)
_FACTORS: Final = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64)
_BESIDE: Final = 16
"""Of long parts eight bytes behind these count, too: many texts begin alike."""
_LOOKED_AT: Final = _BESIDE + 8
_LEVELS: Final = ((0, 0), (8, 0), (_LOOKED_AT, 1))
"""From so many bytes on a part is found by its first six, its first eight, or by eight more behind them."""


class Finder:
    """Which of some parts are in bytes, of UTF-8; each part has at least six."""

    def __init__(self, parts: Collection[str]) -> None:
        self._parts = {part.encode("utf-8", "surrogatepass"): part for part in parts}
        self.longest = max(map(len, self._parts), default=0)
        levels: list[list[bytes]] = [[] for _ in _LEVELS]
        for raw in self._parts:
            levels[sum(len(raw) >= least for least, _ in _LEVELS) - 1].append(raw)
        self._singly = [raw for its in levels if len(its) <= _FEW for raw in its]
        self._together = [_Level(number, its) for number, its in enumerate(levels) if len(its) > _FEW]

    def __bool__(self) -> bool:
        return bool(self._parts)

    def places(self, raw: bytes, *, every: bool = True) -> Iterator[tuple[int, str]]:
        """Where parts begin, in no order; without `every`, at least the first place of each."""
        for part in self._singly:
            place = raw.find(part)
            while place >= 0:
                yield place, self._parts[part]
                place = raw.find(part, place + 1) if every else -1
        for level in self._together:
            for place, part in level.places(raw):
                yield place, self._parts[part]

    def among(self, rows: Iterable[V], text_of: Callable[[V], str]) -> Iterator[list[tuple[V, set[str]]]]:
        """The rows whose text has parts, each with these, in batches."""
        batch: list[V] = []
        texts: list[bytes] = []
        size = 0
        for row in rows:
            text = text_of(row).encode("utf-8", "surrogatepass")
            batch.append(row)
            texts.append(text)
            size += len(text)
            if size >= BLOCK:
                yield self._found(batch, texts)
                batch, texts, size = [], [], 0
        yield self._found(batch, texts)

    def _found(self, batch: list[V], texts: list[bytes]) -> list[tuple[V, set[str]]]:
        begins = [0, *accumulate(len(text) + 1 for text in texts)]
        found: dict[int, set[str]] = {}
        # No part has a line's end in it.
        for place, part in self.places(b"\n".join(texts)):
            found.setdefault(bisect_right(begins, place) - 1, set()).add(part)
        return [(batch[number], found[number]) for number in sorted(found)]


class _Level:
    """Parts that are told apart by as many of their first bytes."""

    def __init__(self, number: int, parts: list[bytes]) -> None:
        self._number = number
        self._by_length: dict[int, set[bytes]] = {}
        for part in parts:
            self._by_length.setdefault(len(part), set()).add(part)
        self._table = np.zeros(1 << _BITS, bool)
        beginnings = b"".join(part[:_LOOKED_AT].ljust(_LOOKED_AT, b"\0") for part in parts)
        self._table[self._hashed(beginnings, len(parts), _LOOKED_AT)] = True

    def places(self, raw: bytes) -> Iterator[tuple[int, bytes]]:
        padded = raw + bytes(_LOOKED_AT)
        for begin in range(0, len(raw), BLOCK):
            size = min(BLOCK, len(raw) - begin)
            hashed = self._hashed(memoryview(padded)[begin:], size)
            for place in (np.flatnonzero(self._table.take(hashed)) + begin).tolist():
                for length, parts in self._by_length.items():
                    if (part := raw[place : place + length]) in parts:
                        yield place, part

    def _hashed(self, raw: Any, size: int, step: int = 1) -> Any:
        """The places in the table for that many places in bytes, each a step behind the one before."""
        first: Any = np.ndarray(size, "<u8", raw, 0, (step,))
        if not self._number:
            first = first << np.uint64(16)
        hashed = first * _FACTORS[0]
        if _LEVELS[self._number][1]:
            hashed ^= np.ndarray(size, "<u8", raw, _BESIDE, (step,)) * _FACTORS[1]
        hashed >>= _SHIFT
        return hashed.view(np.int64)
