"""What the registries keep of a version of a memory beside its own fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
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
    last_validated : when it was last made, revised, validated, or carried without being listed for revalidation.
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
