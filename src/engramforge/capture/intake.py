"""The one way in for new memories: validate -> redact -> emotions -> recognise duplicates -> encode -> write.

A batch of drafts becomes one short transaction; everything slow (checking, redacting, encoding) happens before it
begins. What must not enter: file formats (importers), changes of existing memories (revision), SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final

from engramforge.capture.redact import Redactor
from engramforge.core.emotion import emotions_of
from engramforge.core.validation import check_draft
from engramforge.errors import InvalidContent, InvalidValue, OutOfScope
from engramforge.indexing.encode import TextEncoder
from engramforge.model.embedding import Embedding
from engramforge.model.limits import BATCH_MEMORIES
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.record import Entry
from engramforge.model.scope import Level, Scope
from engramforge.store.door import Door, Transaction

KNOWN_BY_CONTENT: Final = frozenset({Kind.NOTE, Kind.CHUNK})
"""Kinds that are recognised by their content when they name no origin; two turns may both say "ok"."""


@dataclass(frozen=True, slots=True)
class Intaken:
    """What became of a batch of drafts.

    Parameters
    ----------
    memories : for an explicit write one memory per draft, in order, a duplicate's being the memory that was there;
        for an import the memories that were written.
    written, duplicates : how many.
    skipped : drafts of which nothing was left to store, or whose origin was forgotten (imports only).
    redacted : how many secrets were replaced.
    """

    memories: tuple[Memory, ...]
    written: int
    duplicates: int
    skipped: int
    redacted: int


@dataclass(frozen=True, slots=True)
class Prepared:
    """A draft ready to be written: checked, redacted, with emotions and the key of its origin."""

    draft: Draft
    key: bytes | None
    by_content: bool
    redacted: int


class Intake:
    """Writes drafts.

    Parameters
    ----------
    door : where to.
    encoder : makes the signals.
    redactor : takes out what may not be stored.
    clock : the time of the write, timezone-aware.
    """

    def __init__(
        self, door: Door, encoder: TextEncoder, redactor: Redactor, clock: Callable[[], datetime]
    ) -> None:
        self._door = door
        self._encoder = encoder
        self._redactor = redactor
        self._clock = clock
        self._store_key = door.identity.store_id.encode()[:64]

    def write(
        self,
        scope: Scope,
        drafts: Sequence[Draft],
        *,
        revive_forgotten: bool,
        marks: Mapping[str, Mapping[str, Any] | None] | None = None,
    ) -> Intaken:
        """Write a batch of up to 1,000 drafts, all or nothing.

        Parameters
        ----------
        revive_forgotten : an explicit write, which brings back what was forgotten and refuses a draft of which
            nothing is left after redaction; otherwise an import, which skips both.
        marks : small named values to keep in the same transaction.

        Raises
        ------
        InvalidContent, InvalidTime, InvalidValue : a draft is not sound. Nothing was changed.
        OutOfScope : a draft is not the caller's to write.
        """
        if len(drafts) > BATCH_MEMORIES:
            raise InvalidValue(
                f"A batch has {len(drafts):,} drafts", f"Write at most {BATCH_MEMORIES:,} at once"
            )
        now = self._clock()
        prepared: list[Prepared] = []
        skipped = 0
        for draft in drafts:
            ready = self.prepare(scope, draft, now)
            if ready is not None:
                prepared.append(ready)
            elif revive_forgotten:
                raise InvalidContent(
                    "Nothing of the content is left to store: it is private, or was injected by engramforge itself",
                    "Remember something outside <private> and <engramforge-context>",
                )
            else:
                skipped += 1
        fresh = prepared if revive_forgotten else self._unknown(scope, prepared)
        embeddings = self.encode([one.draft for one in fresh])
        entries = {
            id(one): entry_of(scope, one, embedding) for one, embedding in zip(fresh, embeddings, strict=True)
        }
        redacted = sum(one.redacted for one in prepared)
        with self._door.transaction(scope) as writes:
            for name, value in (marks or {}).items():
                writes.save_mark(name, value)
            outcome = _Batch(writes, revive_forgotten)
            for one in outcome.recognised(prepared):
                # A memory that another writer forgot since `_unknown` looked has no signals yet.
                outcome.write(entries.get(id(one)) or entry_of(scope, one, self.encode([one.draft])[0]))
            writes.insert(outcome.entries)
        memories = tuple(outcome.memories)
        return Intaken(
            memories, len(outcome.entries), outcome.duplicates, skipped + outcome.forgotten, redacted
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
        key = self.origin_key(scope, cleaned)
        return Prepared(cleaned, key, by_content, sum(redaction.secrets.values()))

    def encode(self, drafts: Sequence[Draft]) -> list[Embedding]:
        """The signals of drafts; a name counts as part of the text, since people ask by it."""
        return self._encoder.encode(
            [draft.content if draft.name is None else f"{draft.name}\n{draft.content}" for draft in drafts]
        )

    def origin_key(self, scope: Scope, draft: Draft) -> bytes | None:
        """16 bytes that recognise the source record in this store, or None when it can never be a duplicate.

        A keyed hash: keys of forgotten memories stay in the store, and tell nobody what they were. Personal memories
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
        owner = (draft.agent or scope.agent) if draft.level is Level.PERSONAL else ""
        record = "\0".join((draft.project, draft.level, owner, kind, identity))
        return blake2b(record.encode(), digest_size=16, key=self._store_key).digest()

    def _unknown(self, scope: Scope, prepared: Sequence[Prepared]) -> list[Prepared]:
        """Those that the store does not know yet: only they are worth encoding."""
        if not any(one.key for one in prepared):
            return list(prepared)
        with self._door.transaction(scope) as writes:
            known = _known(writes, prepared)
        return [one for one in prepared if one.key is None or one.key not in known or one.by_content]


class _Batch:
    """The part of a write that happens inside the transaction."""

    def __init__(self, writes: Transaction, is_explicit: bool) -> None:
        self._writes = writes
        self._is_explicit = is_explicit
        self._slots: list[Memory | None] = []
        self._by_key: dict[bytes, int] = {}
        self.entries: list[Entry] = []
        self.duplicates = 0
        self.forgotten = 0

    @property
    def memories(self) -> Iterable[Memory]:
        return (memory for memory in self._slots if memory is not None)

    def recognised(self, prepared: Sequence[Prepared]) -> Iterable[Prepared]:
        """Those to write, one by one, after each of which `write` must be called."""
        known = _known(self._writes, prepared)
        asked = {known.get(one.key) for one in prepared if one.key and (one.by_content or self._is_explicit)}
        standing = self._writes.fetch([logical_id for logical_id in asked if logical_id is not None])
        for one in prepared:
            if one.key is not None and one.key in self._by_key:
                self._duplicate(self._slots[self._by_key[one.key]])
                continue
            if one.key is None or one.key not in known:
                yield from self._claim(one)
                continue
            logical_id = known[one.key]
            if logical_id is None:
                if self._is_explicit:
                    yield from self._claim(one)
                else:
                    self.forgotten += 1
                continue
            there = standing.get(logical_id)
            if (one.by_content or self._is_explicit) and not _still_says(there, one):
                yield from self._claim(one)
            else:
                self._duplicate(there)

    def write(self, entry: Entry) -> None:
        """Write the one that `recognised` gave last."""
        self.entries.append(entry)
        self._slots.append(entry.memory)

    def _claim(self, one: Prepared) -> Iterable[Prepared]:
        if one.key is not None:
            self._by_key[one.key] = len(self._slots)
        yield one

    def _duplicate(self, there: Memory | None) -> None:
        self.duplicates += 1
        if self._is_explicit:
            self._slots.append(there)


def entry_of(scope: Scope, prepared: Prepared, embedding: Embedding) -> Entry:
    """The first version of a memory made of a prepared draft."""
    draft = prepared.draft
    assert draft.recorded_at is not None and draft.valid_at is not None
    memory = Memory(
        id=new_id(),
        logical_id=new_id(),
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
    )
    return Entry(memory, embedding, prepared.key)


def new_id() -> str:
    """A UUIDv7: unique for ever, and ordered by the time of its making."""
    from uuid_utils import uuid7

    return str(uuid7())


def _known(writes: Transaction, prepared: Sequence[Prepared]) -> dict[bytes, str | None]:
    by_project: dict[str, list[bytes]] = {}
    for one in prepared:
        if one.key is not None:
            by_project.setdefault(one.draft.project, []).append(one.key)
    known: dict[bytes, str | None] = {}
    for project, keys in by_project.items():
        known.update(writes.known_origins(project, keys))
    return known


def _still_says(there: Memory | None, one: Prepared) -> bool:
    """Whether the memory of this origin still stands: what ended or changed since is no duplicate of a new note."""
    if there is None:
        return False
    if not one.by_content:
        return True
    return there.content == one.draft.content and there.invalidation_reason is None


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
