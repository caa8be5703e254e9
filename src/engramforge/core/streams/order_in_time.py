"""The versions of one belief in the order of time, and what was learned of it behind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from engramforge.core.ranking.twins import sources
from engramforge.model.memory import Kind
from engramforge.model.streams.stream import StreamItem


def in_order_of_time(items: Iterable[StreamItem]) -> tuple[StreamItem, ...]:
    """Each belief where the first of its versions stands, and these by when they began to hold."""
    versions: Mapping[str, list[StreamItem]] = defaultdict(list)
    for each in items:
        versions[each.memory.logical_id].append(each)
    return tuple(each for held in versions.values() for each in sorted(held, key=_began))


def learned_last(items: Iterable[StreamItem]) -> list[StreamItem]:
    """The same with what was learned of a belief behind everything else, where the belief itself is among them: it says
    no more than that this changed."""
    held = list(items)
    known = {each.memory.logical_id for each in held}
    of_known = [
        not known.isdisjoint(sources(each.memory)[1:]) and each.memory.kind is Kind.LEARNING for each in held
    ]
    return [held[at] for at in sorted(range(len(held)), key=lambda at: of_known[at])]


def _began(item: StreamItem) -> tuple[object, ...]:
    memory = item.memory
    return memory.valid_at, memory.created_at, memory.version
