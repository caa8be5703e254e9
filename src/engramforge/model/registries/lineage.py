"""Lineage: which conversation continues which, and what was carried over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from engramforge.model.memory import DEFAULT_PROJECT
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.thread import Thread


class CompressionMode(StrEnum):
    """How much of a conversation an archive keeps."""

    LOSSLESS = "lossless"
    LOSSY = "lossy"
    PARTIAL = "partial"


class Direction(StrEnum):
    """Which way a lineage is traced."""

    ANCESTORS = "ancestors"
    DESCENDANTS = "descendants"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class StoredEdge:
    """The parts of a lineage edge's memory that a trace reads; kept small, since long chains are read whole.

    `entry_id`, `continuation`, `details`: as its `Registration` has them. `source`: the conversation that was
    compressed; None if not recorded.
    """

    logical_id: str
    project: str
    content: str
    valid_at: datetime
    entry_id: str
    source: str | None
    continuation: str | None
    details: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageEdge:
    """A compression and what continued from it.

    Parameters
    ----------
    id : global id, lin_ and 12 hexadecimal digits.
    memory_id : logical id of its memory.
    target_conversation_id : None until a conversation continues from it.
    turn_range : first and last turn that were compressed, counted from 1, both included; None is all.
    decisions_carried, decisions_dropped, threads_carried, threads_resolved : global ids.
    local_ids : global id -> what the archive calls it.
    archive_id : global id of the archive's text, where the store keeps it.
    score : of a search, 0..1.
    redacted : of a write, how many secrets it replaced; 0 when read later.
    """

    id: str
    memory_id: str
    source_conversation_id: str
    target_conversation_id: str | None = None
    compression_tag: str = ""
    compression_mode: CompressionMode = CompressionMode.LOSSLESS
    compressed_at: datetime
    turn_range: tuple[int, int] | None = None
    decisions_carried: tuple[str, ...] = ()
    decisions_dropped: tuple[str, ...] = ()
    threads_carried: tuple[str, ...] = ()
    threads_resolved: tuple[str, ...] = ()
    local_ids: Mapping[str, str] = field(default_factory=dict)
    project: str = DEFAULT_PROJECT
    bridge_summary: str = ""
    archive_id: str | None = None
    score: float | None = None
    redacted: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """What changed between two linked conversations, from the registries as they are.

    `edges`: the way from source to target. `summary`: the same in words.
    """

    source_conversation_id: str
    target_conversation_id: str
    edges: tuple[LineageEdge, ...]
    decisions_added: tuple[Decision, ...] = ()
    decisions_revised: tuple[Decision, ...] = ()
    decisions_ended: tuple[Decision, ...] = ()
    decisions_dropped: tuple[Decision, ...] = ()
    threads_added: tuple[Thread, ...] = ()
    threads_resolved: tuple[Thread, ...] = ()
    threads_dropped: tuple[Thread, ...] = ()
    summary: str = ""
