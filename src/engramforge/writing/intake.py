"""The one way in for new memories: validate -> redact -> emotions -> recognise duplicates -> encode -> write.

A batch of drafts becomes one short transaction; everything slow (checking, redacting, encoding) happens before it
begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any, Protocol

from engramforge.core.checks.validation import check_draft
from engramforge.core.emotions.emotion import emotions_of
from engramforge.core.registries.registration import first_registration
from engramforge.errors import InvalidContent, InvalidValue, OutOfScope
from engramforge.indexing.encoders import Encoders
from engramforge.indexing.items import item_of
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.limits import BATCH_MEMORIES
from engramforge.model.memory import Draft, Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.storing.record import Entry
from engramforge.store.door import Door, Transaction
from engramforge.writing.pictures import pictures_of
from engramforge.writing.recognising import (
    KNOWN_BY_CONTENT,
    Outcome,
    Prepared,
    Recognition,
    is_unknown,
    known_keys,
)
from engramforge.writing.redact import Redactor
from engramforge.writing.repeating import embedding_again

Book = Callable[[Sequence[Outcome]], Mapping[str, Mapping[str, Any] | None]]
"""Outcomes of a batch's drafts -> small named values to keep in the same transaction."""


@dataclass(frozen=True, slots=True)
class Intaken:
    """The outcome of a batch of drafts.

    Parameters
    ----------
    memories : for an explicit write a memory per draft, in order, for a duplicate the existing one; for an import the
        memories that were written.
    written, duplicates : how many.
    skipped : drafts of which nothing was left to store, or whose origin was forgotten (imports only).
    redacted : how many secrets were replaced.
    """

    memories: tuple[Memory, ...]
    written: int
    duplicates: int
    skipped: int
    redacted: int


class Follow(Protocol):
    """What is written together with some memories, because of their content."""

    @property
    def needs(self) -> frozenset[str]:
        """Version ids that the same transaction must have written; otherwise it is left out."""
        ...

    def write(self, writes: Transaction) -> int:
        """Write it; how many records it made and closed. Raises PlanOutdated where the plan is."""
        ...


class Follower(Protocol):
    """Reads new memories and plans what follows from them (capture/detecting)."""

    def plan(self, scope: Scope, entries: Sequence[Entry], now: datetime) -> Sequence[Follow]:
        """The consequences of memories that are about to be written, in order; only planned."""
        ...


class Intake:
    """Writes drafts.

    Parameters
    ----------
    door : where to.
    encoder : makes the signals.
    redactor : removes what may not be stored.
    clock : the time of the write, timezone-aware.

    Attributes
    ----------
    follower : plans what follows from new memories; None for nothing.
    """

    def __init__(
        self, door: Door, encoder: Encoders, redactor: Redactor, clock: Callable[[], datetime]
    ) -> None:
        self.follower: Follower | None = None
        self._door = door
        self._encoder = encoder
        self._redactor = redactor
        self._clock = clock
        self._everything = Scope(door.identity.tenant)

    @property
    def redactor(self) -> Redactor:
        """Removes what may not be stored, for writes other than memories."""
        return self._redactor

    @embedding_again
    def write(
        self, scope: Scope, drafts: Sequence[Draft], *, revive_forgotten: bool, marks: Book | None = None
    ) -> Intaken:
        """Write a batch of up to 1,000 drafts, all or nothing.

        Parameters
        ----------
        revive_forgotten : an explicit write, which brings back what was forgotten and refuses a draft of which
            nothing is left after redaction; otherwise an import, which skips both.
        marks : called inside the transaction for values to keep with it; called again if it is repeated.

        Raises
        ------
        InvalidContent, InvalidTime, InvalidValue : a draft is not sound. Nothing was changed.
        OutOfScope : the caller may not write a draft.
        """
        if len(drafts) > BATCH_MEMORIES:
            raise InvalidValue(
                f"A batch has {len(drafts):,} drafts", f"Write at most {BATCH_MEMORIES:,} at once"
            )
        now = self._clock()
        every = [self.prepare(scope, draft, now) for draft in drafts]
        prepared = [prepared for prepared in every if prepared is not None]
        if revive_forgotten and len(prepared) < len(every):
            raise _nothing_left()
        fresh = prepared if revive_forgotten else self._unknown(scope, prepared)
        entries = dict(zip(map(id, fresh), self._entries(scope, fresh), strict=True))
        follows = self.follower.plan(scope, list(entries.values()), now) if self.follower else ()

        def written(writes: Transaction) -> tuple[Recognition, list[Outcome]]:
            batch = Recognition(writes, revive_forgotten)
            for each in batch.recognised(prepared):
                # A memory that another writer forgot since `_unknown` looked has no signals yet.
                batch.write(entries.get(id(each)) or self._entries(scope, [each])[0])
            writes.insert(batch.entries)
            done = {entry.memory.id for entry in batch.entries}
            followed = sum(follow.write(writes) for follow in follows if follow.needs <= done)
            batch.log(now, records_line(len(done) + followed))
            became = iter(batch.outcomes)
            outcomes = [Outcome.EMPTY if prepared is None else next(became) for prepared in every]
            for name, value in (marks(outcomes) if marks else {}).items():
                writes.save_mark(name, value)
            return batch, outcomes

        batch, outcomes = self._door.write(scope, written)
        return Intaken(
            memories=tuple(batch.memories),
            written=len(batch.entries),
            duplicates=outcomes.count(Outcome.DUPLICATE),
            skipped=outcomes.count(Outcome.EMPTY) + outcomes.count(Outcome.FORGOTTEN),
            redacted=sum(each.redacted for each in prepared),
        )

    def prepare(self, scope: Scope, draft: Draft, now: datetime) -> Prepared | None:
        """The draft checked, redacted and completed; None when nothing is left of its content."""
        checked = check_draft(draft, now)
        _check_scope(scope, checked)
        cleaned, redaction = self._redactor.redact_draft(checked)
        if redaction.is_empty:
            return None
        if cleaned.emotion_vector is None:
            cleaned = replace(cleaned, emotion_vector=emotions_of(cleaned.content))
        by_content = cleaned.origin is None and cleaned.kind in KNOWN_BY_CONTENT
        return Prepared(
            cleaned,
            self.origin_key(scope, cleaned),
            by_content,
            sum(redaction.secrets.values()),
            more_keys=self._keys_anywhere(scope, cleaned, cleaned.also_origins),
            same_keys=self._keys_anywhere(scope, cleaned, cleaned.same_as),
        )

    def encode(self, drafts: Sequence[Draft]) -> list[Embedding]:
        """The signals of drafts, said at their valid time."""
        now = self._clock()
        moments = [draft.valid_at or draft.recorded_at or now for draft in drafts]
        active = self._door.asking(self._everything).encoders()
        items = [item_of(draft, pictures_of(draft) if draft.attachments else ()) for draft in drafts]
        return self._encoder.encode(items, moments, active)

    def origin_key(self, scope: Scope, draft: Draft) -> bytes | None:
        """16 bytes that recognise the source record in this store, or None when it can never be a duplicate.

        A keyed hash: keys of forgotten memories stay in the store without revealing what they were. Personal memories
        of two agents are never duplicates of each other.
        """
        if draft.origin is not None:
            kind, identity = "origin", draft.origin
        elif draft.kind in KNOWN_BY_CONTENT:
            kind, identity = "content", draft.content
        elif draft.session_id is not None and draft.sequence is not None:
            # Conversation and position; with the content, because some callers number loosely.
            kind, identity = "position", f"{draft.session_id}\0{draft.sequence}\0{draft.content}"
        else:
            return None
        # Read each time, since restoring an export changes the store's identity.
        store_id = self._door.identity.store_id
        return keyed(store_id, draft.project, draft.level, _owner(scope, draft), kind, identity)

    def _keys_anywhere(self, scope: Scope, draft: Draft, identities: Sequence[str]) -> tuple[bytes, ...]:
        """The keys of identities that apply to all projects; no project has an empty name."""
        store_id, owner = self._door.identity.store_id, _owner(scope, draft)
        return tuple(keyed(store_id, "", draft.level, owner, "origin", each) for each in identities)

    def _entries(self, scope: Scope, prepared: Sequence[Prepared]) -> list[Entry]:
        embeddings = self.encode([each.draft for each in prepared])
        return [entry_of(scope, each, signals) for each, signals in zip(prepared, embeddings, strict=True)]

    def _unknown(self, scope: Scope, prepared: Sequence[Prepared]) -> list[Prepared]:
        """Those that the store does not have yet; only they are worth encoding."""
        if not any(each.key for each in prepared):
            return list(prepared)
        known = self._door.write(scope, lambda writes: known_keys(writes, prepared))
        return [each for each in prepared if is_unknown(each, known)]


def entry_of(scope: Scope, prepared: Prepared, embedding: Embedding) -> Entry:
    """The first version of a memory made of a prepared draft."""
    draft = prepared.draft
    assert draft.recorded_at is not None and draft.valid_at is not None
    logical_id = new_id()
    memory = Memory(
        id=new_id(),
        logical_id=logical_id,
        version=1,
        kind=draft.kind,
        content=draft.content,
        source=draft.source,
        project=draft.project,
        valid_at=draft.valid_at,
        created_at=draft.recorded_at,
        name=draft.name,
        tenant=scope.tenant,
        level=draft.level,
        agent=draft.agent or scope.agent,
        session_id=draft.session_id,
        sequence=draft.sequence,
        speaker=draft.speaker,
        tags=draft.tags,
        chunk=draft.chunk,
        attachments=draft.attachments,
        metadata=draft.metadata,
        invalid_at=draft.invalid_at,
        energy=draft.energy,
        confidence=draft.confidence,
        epistemic_tier=draft.epistemic_tier,
        emotion_vector=draft.emotion_vector or {},
        felt_quality=draft.felt_quality,
        body_sensation=draft.body_sensation,
        goal=draft.goal,
        mindstate=draft.mindstate,
        resolution_state=draft.resolution_state,
        registration=first_registration(draft, logical_id, draft.recorded_at),
    )
    return Entry(memory, embedding, prepared.key, prepared.more_keys)


def _nothing_left() -> InvalidContent:
    return InvalidContent(
        "Nothing of the content is left to store: it is private, or was injected by engramforge itself",
        "Remember something outside <private> and <engramforge-context>",
    )


def _owner(scope: Scope, draft: Draft) -> str:
    """The owner of a personal memory; empty for shared ones."""
    return (draft.agent or scope.agent) if draft.level is Level.PERSONAL else ""


def keyed(store_id: str, *record: str) -> bytes:
    """The 16 bytes by which a store knows a record: its project, level, owner, kind of identity and identity."""
    return blake2b("\0".join(record).encode(), digest_size=16, key=store_id.encode()[:64]).digest()


def new_id() -> str:
    """A UUIDv7: unique, and ordered by creation time."""
    from uuid_utils import uuid7

    return str(uuid7())


def records_line(number: int) -> str:
    """How the audit log says how many records a change made and closed; undo reads it again."""
    return f"{number} record" + ("" if number == 1 else "s")


def _check_scope(scope: Scope, draft: Draft) -> None:
    agent = draft.agent or scope.agent
    if not scope.admits(draft.level, agent):
        raise OutOfScope(
            f"Agent {scope.agent!r} may not write {draft.level.value} memories of {agent!r}",
            "Write as that agent, or at a level of your own",
        )
    if scope.projects is not None and draft.project not in scope.projects:
        raise OutOfScope(
            f"The project {draft.project!r} is outside the scope {', '.join(scope.projects)}",
            "Write to one of these, or widen the scope",
        )
