"""What stands beside a memory in a stream: the versions of one belief in the order of time, what was learned of it
behind, and nothing that says the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engramforge.core.ranking.twins import sources
from engramforge.core.streams.activation import TIER_SIZES
from engramforge.core.text.words import words_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.streams.stream import StreamItem
from engramforge.model.streams.ways import Tier

_READ_FROM_NOTES: Final = frozenset({Kind.FLAG, Kind.DECISION, Kind.THREAD})


def in_order_of_time(items: Iterable[StreamItem]) -> tuple[StreamItem, ...]:
    """Each belief where the first of its versions stands, and these by when they began to hold."""
    return tuple(each for held in _by_belief(items).values() for each in sorted(held, key=_began))


def beliefs_in_tiers(
    ordered: Sequence[StreamItem], far: Sequence[StreamItem] = ()
) -> dict[Tier, tuple[StreamItem, ...]]:
    """What is ordered by activation in its tiers, as `in_tiers` has it, but the versions of a belief together: a tier
    takes whole beliefs until it is full, and of a belief with more versions than the tier has room for those that are
    nearest and the one that holds; the others are the next tier's first."""
    waiting = list(_by_belief(ordered).values())
    held: dict[Tier, tuple[StreamItem, ...]] = {}
    for tier, size in TIER_SIZES.items():
        told: list[StreamItem] = []
        left: list[list[StreamItem]] = []
        while waiting and len(told) < size:
            nearest, *others = waiting.pop(0)
            versions = [nearest, *sorted(others, key=lambda each: not _holds(each.memory))]
            told += sorted(versions[:size], key=_began)
            left += [versions[size:]] if versions[size:] else []
        waiting = [*left, *waiting]
        held[tier] = tuple(told)
    room = max(0, TIER_SIZES[Tier.BACKGROUND] - len(held[Tier.BACKGROUND]))
    held[Tier.BACKGROUND] += in_order_of_time(far)[:room]
    return held


def learned_last(items: Iterable[StreamItem]) -> list[StreamItem]:
    """The same with what was learned of a belief behind everything else, where the belief itself is among them: it says
    no more than that this changed."""
    held = list(items)
    known = {each.memory.logical_id for each in held}

    def is_of_known(item: StreamItem) -> bool:
        return item.memory.kind is Kind.LEARNING and not known.isdisjoint(sources(item.memory)[1:])

    return sorted(held, key=is_of_known)


def said_twice(memories: Iterable[Memory]) -> dict[str, str]:
    """Version ids of the flags, decisions and threads that were read from one of these memories and say no more than it
    does -> the logical id of that one."""
    held = list(memories)
    notes = {each.logical_id: each for each in held}
    return {
        each.id: one
        for each in held
        if each.kind in _READ_FROM_NOTES
        for one in sources(each)[1:]
        if one in notes and _words_of(each) <= _words_of(notes[one])
    }


def read_as(memory: Memory) -> str:
    """What somebody read a memory as, in words: "open thread"."""
    status = memory.registration.status if memory.registration else ""
    return f"{status} {memory.kind}".strip()


def _by_belief(items: Iterable[StreamItem]) -> Mapping[str, list[StreamItem]]:
    versions: Mapping[str, list[StreamItem]] = defaultdict(list)
    for each in items:
        versions[each.memory.logical_id].append(each)
    return versions


def _holds(memory: Memory) -> bool:
    return memory.expired_at is None and memory.invalid_at is None


def _words_of(memory: Memory) -> frozenset[str]:
    return frozenset(words_of(memory.content))


def _began(item: StreamItem) -> tuple[object, ...]:
    memory = item.memory
    return memory.valid_at, memory.created_at, memory.version
