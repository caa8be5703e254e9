"""Answers about time: changes on both axes, versions, dissonances; and the report of an undo or a redo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from engramforge.model.memory import Memory
from engramforge.model.registration import Consequence
from engramforge.model.time import AsOf, InvalidationReason


class Turn(StrEnum):
    """What happened to a version, on which axis."""

    RECORDED = "recorded"
    """It came on record (recorded axis)."""
    END_RECORDED = "end_recorded"
    """Its closing record came: until when it held became known (recorded axis)."""
    EXPIRED = "expired"
    """It left the record: replaced, closed or taken back (recorded axis)."""
    BECAME_TRUE = "became_true"
    """It began to hold in the world, as is known now (valid axis)."""
    CEASED = "ceased"
    """It ceased to hold in the world, as is known now (valid axis)."""


class Ending(StrEnum):
    """How a version ended for which nothing stands on record any more, or none after the time that was asked."""

    WRONG = "was_wrong"
    """It was found wrong, and another took its place."""
    UNDONE = "undone"
    """An undo took it back: it is as if it had never been said."""
    LATER = "ended_later"
    """It was on record throughout the time that was asked, and ended after it."""


@dataclass(frozen=True, slots=True)
class Change:
    """One turn of one version at a time."""

    at: datetime
    turn: Turn
    memory: Memory


@dataclass(frozen=True, slots=True)
class Timeline:
    """What changed, seen from now.

    Parameters
    ----------
    memory_id : the logical id of the memory that was asked for, or None for a range of a project or of everything.
    changes : newest first; of a memory all, of a range those within it, within limit and offset.
    versions : every record of the memory, oldest first; empty for a range.
    dissonances : of the memory, or among what changed in the range; oldest correction first.
    as_of : the point that was asked, both axes filled in; None without one.
    believed : the record of the memory that held at that point as known then, if any.
    """

    memory_id: str | None
    changes: tuple[Change, ...]
    versions: tuple[Memory, ...]
    dissonances: tuple[Dissonance, ...]
    as_of: AsOf | None = None
    believed: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo or a redo did.

    Parameters
    ----------
    action : the change that was taken back or brought again: remember, import, learn, revise, supersede, invalidate,
        reinstate, validate, mention, review, compress, restore, link, unlink, conflict, settle or dismiss.
    taken_back : the records that left the record, as they were.
    restored : the new records of what came back.
    links : how many links were taken back or came back.
    uses : how many entries have their previous use counters and conversations again.
    consequences : what became of each memory and entry: it is gone, or stands again as its `status` says.
    passed_over : of a captured change the last turn of its project, if that came later and nothing was registered of
        it: its prompt, or the answer where nothing of the prompt was kept.
    """

    action: str
    at: datetime
    taken_back: tuple[Memory, ...] = ()
    restored: tuple[Memory, ...] = ()
    links: int = 0
    uses: int = 0
    consequences: tuple[Consequence, ...] = ()
    passed_over: Memory | None = None


@dataclass(frozen=True, slots=True)
class LastChange:
    """The change that an undo would take back: what it was, when, and of which projects."""

    action: str
    at: datetime
    projects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dissonance:
    """One superseded version and its successor.

    Parameters
    ----------
    belief_id : what the two are versions of: their logical id, or for records imported apart the identity of their
        source less its version suffix.
    original_id, corrected_id : ids of the two versions.
    original_version, corrected_version : their numbers; of records imported apart those of their suffixes.
    name : of the superseded version.
    original, corrected : the contents.
    reason : why the first ended: discovered_false (we were wrong) or reality_changed; None where nobody said.
    trigger : what corrected it, in words.
    correction_id : id of what corrected it, where it is known.
    discovery_energy : how strongly it was felt when it was found, 0..1; 0.5 when nobody said.
    emotions : emotion -> 0..1, of the successor.
    held_from, held_until : when the first was on record, [held_from, held_until).
    corrected_at : when the successor was recorded.
    """

    belief_id: str
    original_id: str
    corrected_id: str
    original_version: int
    corrected_version: int
    name: str | None
    original: str
    corrected: str
    reason: InvalidationReason | None
    trigger: str
    correction_id: str | None
    held_from: datetime
    held_until: datetime
    corrected_at: datetime
    discovery_energy: float = 0.5
    emotions: Mapping[str, float] = field(default_factory=dict)
