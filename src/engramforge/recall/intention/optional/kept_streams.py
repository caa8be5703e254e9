"""Streams kept for five minutes, for those who ask the same thing again.

A kept stream is given only while the store's stamp is the one that was read before it was made: any write of content to
the tenant ends it, by whatever process and engine. What a clock alone changes (a memory that ends at a set hour) is
noticed after five minutes at the latest. Source: document 003, "Performance" (a cache with a life of five minutes).
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from engramforge.model.scope import Scope
from engramforge.model.streams.stream import Stream
from engramforge.recall.intention.time_limit import WAY_S, tried
from engramforge.store.door import Door

LIFE_S: Final = 300.0
KEPT: Final = 32
"""Streams at most; the one asked for longest ago goes first."""


class _Kept(NamedTuple):
    until: float
    stream: Stream


class KeptStreams:
    """Streams by who asked for what. Shared between threads.

    `clock`: seconds that never go back. `way_s`: how long may be asked whether one still holds.
    """

    def __init__(self, door: Door, clock: Callable[[], float] = time.monotonic, way_s: float = WAY_S) -> None:
        self._door = door
        self._clock = clock
        self._way_s = way_s
        self._cleared = 0
        self._lock = threading.Lock()
        self._stamp = ""
        self._kept: OrderedDict[tuple[Scope, str], _Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def clear(self) -> None:
        """Let go of all: one may hold what is forgotten now. Those of another process go when it is asked next."""
        with self._lock:
            self._kept.clear()
            self._cleared += 1

    def get(self, scope: Scope, asked: Mapping[str, Any], make: Callable[[], Stream]) -> Stream:
        """The stream of what is asked: a kept one, else as it is made. One with a failed way is not kept, nor one that
        was begun before all were let go, nor where it takes too long to ask whether a kept one still holds."""
        key = scope, repr(sorted(asked.items()))
        cleared = self._cleared
        stamp = tried(self._way_s, self._door.asking(scope).stamp, "").answer
        if not stamp:
            return make()
        with self._lock:
            if stamp != self._stamp:
                # None of them will be given again, and one may hold what was forgotten.
                self._kept.clear()
                self._stamp = stamp
            known = self._kept.get(key)
            if known is not None and self._clock() < known.until:
                self._kept.move_to_end(key)
                return known.stream
        stream = make()
        with self._lock:
            is_new = (stamp, cleared) == (self._stamp, self._cleared)
            if is_new and all(each.fault is None for each in stream.ways):
                self._kept[key] = _Kept(self._clock() + LIFE_S, stream)
                self._kept.move_to_end(key)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        return stream
