"""Planned changes of versions: which record is closed, which take its place. Pure until they are written.

Nothing is overwritten: a revision (we were wrong) and a supersession (the world changed at a time) bring a new version,
a closing says until when a version held. What reads and encodes for a plan is in writing/changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Final

from engramforge.core.history.beliefs import check_apart
from engramforge.core.registries.registration import ended_registration, next_registration
from engramforge.errors import Conflict
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.link import Link, Relation
from engramforge.model.memory import SAID_SINCE, Draft, Memory
from engramforge.model.registration import Registration
from engramforge.model.storing.record import Entry
from engramforge.model.time import InvalidationReason, just_after
from engramforge.store.door import Transaction
from engramforge.writing.expected_state import hold, hold_open
from engramforge.writing.preparing import Prepared, new_id

_IMPORTED: Final = ("origin", "also_origins", "same_as", "live_as")
_FIXED: Final = (
    "content",
    "project",
    "level",
    "agent",
    "recorded_at",
    "registration",
    "implied_session",
    "also_in",
    *_IMPORTED,
)
"""Fields of a draft that no change may name: content has its own argument, the others say whose memory it is."""
CHANGEABLE: Final = tuple(field.name for field in fields(Draft) if field.name not in _FIXED)


@dataclass(frozen=True, slots=True)
class Successor:
    """The next version's fields and signals, made before the transaction begins.

    `discovery_energy`: how strongly the correction was felt, 0..1; None when nobody said.
    """

    prepared: Prepared
    embedding: Embedding
    discovery_energy: float | None = None

    def entry(self, new: Memory) -> Entry:
        """What is stored of the new version."""
        # A key of its own: the new words are recognised from now on, and forgotten with the memory.
        return Entry(new, self.embedding, self.prepared.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionChange:
    """One planned change of one memory.

    Parameters
    ----------
    memory : what stands of it afterwards: its new version, or the closing record.
    at : when it is recorded; so are the links between memories that belong to the change.
    entries : records to insert.
    replaced : the open record that leaves the record; None for a new memory and for one that returns.
    reason, follower : why it leaves, and the id of what takes its place.
    is_head : whether the replaced record must be the memory's current one, and not merely open.
    ended : the closing record that a returning memory follows on; it stays on record.
    others : open records that the change was checked against: they must still be open.
    expected_version : the version before the change.
    links : between versions.
    check : raises inside the transaction if something else has changed since.
    """

    memory: Memory
    at: datetime
    entries: tuple[Entry, ...]
    replaced: Memory | None = None
    reason: InvalidationReason = InvalidationReason.DISCOVERED_FALSE
    follower: str | None = None
    is_head: bool = True
    ended: Memory | None = None
    others: tuple[Memory, ...] = ()
    expected_version: int | None = None
    links: tuple[Link, ...] = ()
    check: Callable[[Transaction], None] | None = None

    @property
    def told(self) -> str:
        """What the audit log says of a new version."""
        assert self.replaced is not None or self.ended is not None
        before = self.replaced or self.ended
        is_correction = self.reason is InvalidationReason.DISCOVERED_FALSE and self.ended is None
        verb = "replaces" if is_correction else "follows"
        return f"version {self.memory.version} {verb} {before.version if before else 0}"

    def write(self, writes: Transaction) -> None:
        """Write it, unless what it builds on has changed meanwhile: then raises Conflict or NotFound."""
        if self.check is not None:
            self.check(writes)
        if self.ended is not None:
            _hold_ended(writes, self.ended, self.others)
        elif self.replaced is not None and self.is_head:
            hold(writes, self.replaced, self.expected_version, self.others)
        elif self.replaced is not None:
            hold_open(writes, [self.replaced, *self.others])
        self.put(writes)

    def put(self, writes: Transaction) -> None:
        """Write it unchecked."""
        if self.replaced is not None:
            writes.expire(self.replaced.id, self.at, self.reason, self.follower)
        writes.insert(self.entries)
        writes.link(self.links)


def plan_new(entry: Entry) -> VersionChange:
    """A new memory."""
    return VersionChange(memory=entry.memory, at=entry.memory.created_at, entries=(entry,))


def plan_supersession(
    old: Memory,
    closing: Embedding,
    successor: Successor,
    changed_at: datetime,
    at: datetime,
    others: Sequence[Memory] = (),
) -> VersionChange:
    """The world changed: a closing record says that the old version held until then, a new one holds since.

    Raises InvalidTime where the new one would hold together with another.
    """
    new = version_after(old, successor, at, changed_at)
    check_apart(new, others)
    closed = plan_closing(old, closing, changed_at, at, correction_id=new.id)
    return replace(
        closed,
        memory=new,
        entries=(*closed.entries, successor.entry(new)),
        others=tuple(others),
        links=(version_link(Relation.SUPERSEDES, old, new),),
    )


def plan_closing(
    old: Memory,
    embedding: Embedding,
    ended_at: datetime,
    at: datetime,
    *,
    correction_id: str | None = None,
    registration: Registration | None = None,
) -> VersionChange:
    """It stopped being true at a time: a closing record with the same content and version, true until then.

    `registration` says how a registry entry ended; by default this depends on whether a version follows it.
    """
    closing = replace(
        old,
        id=new_id(),
        created_at=at,
        invalid_at=ended_at,
        invalidation_reason=InvalidationReason.REALITY_CHANGED,
        correction_id=correction_id,
        registration=registration or ended_registration(old, correction_id is not None),
    )
    return VersionChange(
        memory=closing,
        at=at,
        entries=(Entry(closing, embedding),),
        replaced=old,
        reason=InvalidationReason.REALITY_CHANGED,
        follower=correction_id or closing.id,
    )


def version_after(old: Memory, successor: Successor, recorded: datetime, valid_at: datetime) -> Memory:
    """The version after one, with what changed; its registration is the draft's, else follows from the old one."""
    draft = successor.prepared.draft
    changed = {
        name: getattr(draft, name) for name in CHANGEABLE if name not in ("valid_at", "emotion_vector")
    }
    return replace(
        old,
        **changed,
        implied_session=draft.implied_session,
        also_in=draft.also_in,
        id=new_id(),
        version=old.version + 1,
        content=draft.content,
        emotion_vector=draft.emotion_vector or {},
        valid_at=valid_at,
        created_at=recorded,
        expired_at=None,
        invalidation_reason=None,
        correction_id=None,
        discovery_energy=successor.discovery_energy,
        access_count=0,
        last_accessed_at=None,
        exposure_count=0,
        registration=draft.registration or next_registration(old, recorded),
        redacted=successor.prepared.redacted,
    )


def saying_the_same(old: Memory, draft: Draft) -> Draft:
    """A draft of the version after one, with since when it says what it says: where the words are the same ones, since
    that one did."""
    kept = {name: value for name, value in draft.metadata.items() if name != SAID_SINCE}
    since = {SAID_SINCE: old.told_at.isoformat()} if draft.content == old.content else {}
    return replace(draft, metadata=kept | since)


def record_time(old: Memory, now: datetime) -> datetime:
    """When the change is recorded: now, but after the old record even when the clock jumped back."""
    return just_after(old.created_at, now)


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


def _hold_ended(writes: Transaction, last: Memory, others: Sequence[Memory]) -> None:
    """Raise Conflict where a memory that ended no longer has this last record."""
    there = writes.fetch([last.logical_id]).get(last.logical_id)
    if there is None or there.id != last.id:
        raise Conflict(
            f"The memory {last.logical_id} changed meanwhile",
            "Read it again, then repeat the change on what it says now",
        )
    hold_open(writes, [last, *others])
