"""What the registries keep of a version of a memory beside its own fields, and what a message did to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Registration:
    """The registry's row of one version of a memory.

    Parameters
    ----------
    entry_id : global id, the same for all versions: dec_, thr_, lin_, arc_ or flg_ and the last 12 hexadecimal digits
        of the logical id.
    status : of its kind's statuses; "" for kinds without one.
    local_id : what a conversation calls it (D001, T001); not unique.
    conversations : every conversation that mentions it, beginning with its origin.
    continuation : for a lineage edge, the conversation that continues; None until there is one.
    last_validated : when it was last made, revised, validated, or carried without being listed for revalidation; what
        was read or imported was made when it was said.
    validation_count : how often it was validated or carried so.
    hops : archives that carried it since it was created, revised or explicitly validated.
    details : the other fields of its kind, JSON values; see Decision, Thread, LineageEdge.

    `last_validated`, `validation_count`, `hops` and `conversations` are use counters: they change in place. Everything
    else is versioned.
    """

    entry_id: str
    status: str = ""
    local_id: str | None = None
    conversations: tuple[str, ...] = ()
    continuation: str | None = None
    last_validated: datetime | None = None
    validation_count: int = 0
    hops: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def origin(self) -> str | None:
        """The conversation where it began."""
        return self.conversations[0] if self.conversations else None


class Act(StrEnum):
    """What a message did."""

    MADE = "made"
    CHANGED = "changed"
    ENDED = "ended"
    GONE = "gone"
    BACK = "back"
    """Of an undo or a redo: it left the record, or stands as `status` says again."""
    LEFT = "left"
    """It stands as it was, although it was read from words that its message no longer has."""
    WAITS = "waits"
    """Nothing yet: it is not sure enough, or not its speaker's to do, so somebody has to review it."""
    UNKNOWN = "unknown"
    """Nothing: it names no entry, or several, or asks for what a message cannot do. The text says so; id and status are
    empty.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntry:
    """An entry of a registry, in short.

    `kind`: decision, thread or lineage. `id`: its global id, or that of a detection that waits. `local_id`: what its
    conversation calls it. `text`: the decision, the thread's title, the edge's summary, the sentence that waits, or why
    none is known.
    `status`: how it stands; of what waits, how the entry would.
    """

    kind: str
    id: str
    local_id: str | None
    text: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence(NamedEntry):
    """What a message did to an entry, or an undo to an entry or another memory, which is as it stands afterwards; of
    what waits, `why`, in a few words."""

    act: Act
    why: str = ""
