"""What a change of a memory writes: the new version, the closing record, the link between versions.

All inside a transaction that the caller began and checked.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Final

from engramforge.core.registries.registration import ended_registration, next_registration
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Draft, Memory
from engramforge.model.registration import Registration
from engramforge.model.storing.record import Entry
from engramforge.model.time import InvalidationReason
from engramforge.store.door import Transaction
from engramforge.writing.intake import new_id
from engramforge.writing.recognising import Prepared

_IMPORTED: Final = ("origin", "also_origins", "same_as")
_FIXED: Final = ("content", "project", "level", "agent", "recorded_at", "registration", *_IMPORTED)
"""Fields of a draft that no change may name: content has its own argument, the others say whose memory it is."""
CHANGEABLE: Final = tuple(field.name for field in fields(Draft) if field.name not in _FIXED)
_ONE_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Successor:
    """The next version's fields and signals, made before the transaction begins.

    `discovery_energy`: how strongly the correction was felt, 0..1; None when nobody said.
    """

    prepared: Prepared
    embedding: Embedding
    discovery_energy: float | None = None


def write_supersession(
    writes: Transaction,
    old: Memory,
    closing: Embedding,
    next_one: Successor,
    at: datetime,
    now: datetime,
    recorded_at: datetime | None = None,
) -> Memory:
    """Expire the old version, write its closing record and the new version, link them; returns the new version.

    `recorded_at` is the checked time of an imported change.
    """
    recorded = recorded_at or record_time(old, now)
    new = version_after(old, next_one, recorded, at)
    write_closing(writes, old, closing, at, recorded, new.id)
    writes.insert([Entry(new, next_one.embedding, next_one.prepared.key)])
    writes.link([version_link(Relation.SUPERSEDES, old, new)])
    writes.audit(
        "supersede", old.logical_id, f"version {new.version} follows {old.version}", max(recorded, now)
    )
    return new


def write_closing(
    writes: Transaction,
    old: Memory,
    embedding: Embedding,
    at: datetime,
    now: datetime,
    correction_id: str | None,
    registration: Registration | None = None,
) -> Memory:
    """Expire a version and write its closing record: the same content and version, true until `at`.

    `registration` says how a registry entry ended; by default this depends on whether a version follows it.
    """
    recorded = record_time(old, now)
    closing = replace(
        old,
        id=new_id(),
        created_at=recorded,
        invalid_at=at,
        invalidation_reason=InvalidationReason.REALITY_CHANGED,
        correction_id=correction_id,
        registration=registration or ended_registration(old, correction_id is not None),
    )
    writes.expire(old.id, recorded, InvalidationReason.REALITY_CHANGED, correction_id or closing.id)
    writes.insert([Entry(closing, embedding)])
    return closing


def version_after(old: Memory, next_one: Successor, recorded: datetime, valid_at: datetime) -> Memory:
    """The version after one, with what changed; nothing is written yet."""
    draft = next_one.prepared.draft
    changed = {
        name: getattr(draft, name) for name in CHANGEABLE if name not in ("valid_at", "emotion_vector")
    }
    return replace(
        old,
        **changed,
        id=new_id(),
        version=old.version + 1,
        content=draft.content,
        emotion_vector=draft.emotion_vector or {},
        valid_at=valid_at,
        created_at=recorded,
        expired_at=None,
        invalidation_reason=None,
        correction_id=None,
        discovery_energy=next_one.discovery_energy,
        access_count=0,
        last_accessed_at=None,
        exposure_count=0,
        registration=next_registration(old, recorded),
    )


def record_time(old: Memory, now: datetime) -> datetime:
    """When the change is recorded: now, but after the old record even when the clock jumped back."""
    return max(now, old.created_at + _ONE_MICROSECOND)


def version_link(relation: Relation, old: Memory, new: Memory) -> Link:
    """The link of a version to the one before it; its feelings are taken from the old version."""
    return Link(
        id=new_id(),
        source_id=new.logical_id,
        target_id=old.logical_id,
        relation=relation,
        valid_at=new.valid_at,
        created_at=new.created_at,
        energy=old.energy,
        confidence=1.0,
        emotion_vector=old.emotion_vector,
        goal=old.goal or "unstated",
        mindstate=old.mindstate or "captured",
        formation_trigger="a new version was written",
        extra={"source_version": new.version, "target_version": old.version},
    )
