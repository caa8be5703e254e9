"""Which memories a dream merges, and which one of them stays.

Merged is what says the same in the same words (`wording`), of one kind, project, level and agent, with the same
fields, true since within a day of the first and until the same time. What somebody revised or linked, what is a turn of
a conversation, a piece of a file or an entry of a registry, stays by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from engramforge.core.dreams.wording import wording_of
from engramforge.model.memory import LEARNED_OF, Kind, Memory

MERGED: Final = (Kind.NOTE, Kind.LEARNING)
"""What stands by itself. A turn belongs to its conversation, which is read as a whole; the others have registries."""
DAY: Final = timedelta(days=1)
"""What is said again later is an event of its own, or recurs."""


@dataclass(frozen=True, slots=True)
class Said:
    """A memory, as far as a dream compares it.

    `key`: equal for two that may be merged, whenever they are true. `energy`, `uses`: of those that say the same, the
    one with the most stays.
    """

    id: str
    logical_id: str
    key: Hashable
    valid_at: datetime
    created_at: datetime
    energy: float
    uses: int


@dataclass(frozen=True, slots=True)
class Merge:
    """`kept` stands for `gone` from now on."""

    kept: Said
    gone: tuple[Said, ...]


def said_of(memory: Memory) -> Said | None:
    """A memory as it is compared; None for one that is never merged."""
    is_alone = memory.chunk is None and memory.registration is None and memory.sequence is None
    if memory.kind not in MERGED or not is_alone or memory.is_superseded or memory.attachments:
        return None
    # A revision may be an undo that brought it back: it is not merged a second time.
    if memory.version > 1 or LEARNED_OF in memory.metadata or (wording := wording_of(memory.content)) is None:
        return None
    return Said(
        memory.id,
        memory.logical_id,
        (wording.key, _fields(memory)),
        memory.valid_at,
        memory.created_at,
        memory.energy,
        memory.access_count,
    )


def _fields(memory: Memory) -> Hashable:
    """What has to be equal."""
    felt = (memory.goal, memory.mindstate, memory.felt_quality, memory.body_sensation)
    trusted = (memory.confidence, memory.epistemic_tier, memory.resolution_state)
    whose = (memory.kind, memory.project, memory.level, memory.agent, memory.speaker, memory.name)
    more = sorted((name, repr(value)) for name, value in memory.metadata.items())
    return (whose, felt, trusted, tuple(sorted(memory.tags)), memory.invalid_at, tuple(more))


def alike(memories: Iterable[Said]) -> list[list[Said]]:
    """Groups of those that may be one, each of one day, the first of which is the earliest."""
    by_key: defaultdict[Hashable, list[Said]] = defaultdict(list)
    for each in memories:
        by_key[each.key].append(each)
    return [group for its in by_key.values() if len(its) > 1 for group in _days(its) if len(group) > 1]


def _days(memories: Sequence[Said]) -> Iterator[list[Said]]:
    group: list[Said] = []
    for each in sorted(memories, key=_order):
        if group and each.valid_at - group[0].valid_at >= DAY:
            yield group
            group = []
        group.append(each)
    yield group


def _order(each: Said) -> tuple[datetime, datetime, str]:
    return each.valid_at, each.created_at, each.id


def merged(group: Sequence[Said], linked: Collection[str]) -> Merge | None:
    """Which of a group stays; None where nothing is left to merge.

    `linked`: logical ids of those that have links to others, which are never merged away. Of the others, what has the
    most energy stays, then what was used most, then the earliest.
    """
    order = sorted(group, key=_order)
    kept = max(order, key=lambda each: (each.logical_id in linked, each.energy, each.uses))
    gone = [each for each in order if each is not kept and each.logical_id not in linked]
    return Merge(kept, tuple(gone)) if gone else None
