"""The versions of one belief in the order of time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from engramforge.model.streams.stream import StreamItem


def in_order_of_time(items: Iterable[StreamItem]) -> tuple[StreamItem, ...]:
    """Each belief where the first of its versions stands, and these by when they began to hold."""
    versions: Mapping[str, list[StreamItem]] = defaultdict(list)
    for each in items:
        versions[each.memory.logical_id].append(each)
    return tuple(each for held in versions.values() for each in sorted(held, key=_began))


def _began(item: StreamItem) -> tuple[object, ...]:
    memory = item.memory
    return memory.valid_at, memory.created_at, memory.version
