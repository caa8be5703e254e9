"""Intake: drafts become memories. Validate, redact, feel, recognise duplicates, embed, write.

Everything that may fail or take long happens before the transaction; the transaction itself only asks which origins
are known and inserts. So a batch is written whole or not at all, and a writer never waits for another's embedding.
What must not enter: file formats, statements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b

from engramforge.capture.redact import Redactor
from engramforge.core.emotion import emotions_of
from engramforge.core.validation import check_content, check_draft
from engramforge.errors import InvalidContent
from engramforge.indexing.encode import TextEncoder
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.record import Entry
from engramforge.model.scope import Scope
from engramforge.store.door import Door, Transaction

_KNOWN_BY_CONTENT = (Kind.NOTE, Kind.CHUNK)


@dataclass(frozen=True, slots=True)
class Intaken:
    """What became of drafts.

    Parameters
    ----------
    memories : per draft, in order, the memory that now holds it; left out for skipped drafts.
    written, duplicates : how many are new, how many were there already.
    skipped : how many left nothing to store, or were forgotten before.
    redacted : how many secrets were replaced.
    """

    memories: list[Memory]
    written: int = 0
    duplicates: int = 0
    skipped: int = 0
    redacted: int = 0
    secrets: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A clean draft and the key that recognises it."""

    draft: Draft
    key: bytes | None


class Intake:
    """Writes drafts into a store.

    Parameters
    ----------
    door, encoder, redactor : the stages on the way.
    clock : the time of recording, where a draft brings none.
    """

    def __init__(
        self, door: Door, encoder: TextEncoder, redactor: Redactor, clock: Callable[[], datetime]
    ) -> None:
        self._door = door
        self._encoder = encoder
        self._redactor = redactor
        self._clock = clock

    def write(
        self,
        scope: Scope,
        drafts: Sequence[Draft],
        *,
        revive_forgotten: bool,
        before_commit: Callable[[Transaction], None] | None = None,
    ) -> Intaken:
        """Write drafts in one transaction.

        Parameters
        ----------
        revive_forgotten : whether a draft whose memory was forgotten is written again. An explicit remember says
            yes; an importer says no and skips drafts that redaction leaves empty, instead of refusing the batch.
        before_commit : more writes for the same transaction, such as an import's progress.

        Raises
        ------
        InvalidContent, InvalidValue, InvalidTime : a draft is at fault; none is written.
        """
        now = self._clock()
        secrets: Counter[str] = Counter()
        prepared = [self._prepare(scope, draft, now, secrets, revive_forgotten) for draft in drafts]
        present = [one for one in prepared if one is not None]
        entries = self.entries_of(scope, [one.draft for one in present], [one.key for one in present], now)
        memories: list[Memory] = []
        fresh: list[Entry] = []
        with self._door.transaction(scope) as writes:
            places = _Places(writes, present, revive_forgotten)
            for one, entry in zip(present, entries, strict=True):
                if places.is_forgotten(one):
                    continue
                earlier = places.holder_of(one)
                if earlier is None:
                    fresh.append(entry)
                    places.take(one, entry.memory)
                memories.append(earlier or entry.memory)
            writes.insert(fresh)
            if before_commit is not None:
                before_commit(writes)
        return Intaken(
            memories,
            written=len(fresh),
            duplicates=len(memories) - len(fresh),
            skipped=len(drafts) - len(memories),
            redacted=sum(secrets.values()),
            secrets=dict(secrets),
        )

    def clean(self, draft: Draft, now: datetime) -> tuple[Draft, Mapping[str, int]]:
        """A checked and redacted draft, with the secrets that were replaced.

        Raises
        ------
        InvalidContent : the draft is at fault, or nothing of it may be stored.
        """
        checked, redaction = self._redactor.redact_draft(check_draft(draft, now))
        if redaction.is_empty:
            raise InvalidContent(
                "Nothing of the content may be stored: it is private or was injected",
                "Remember the part that is neither",
            )
        if checked.content != draft.content:
            check_content(checked.content)
        return checked, redaction.secrets

    def entries_of(
        self, scope: Scope, drafts: Sequence[Draft], keys: Sequence[bytes | None], now: datetime
    ) -> list[Entry]:
        """Entries of clean drafts: ids, times, emotions and embeddings filled in."""
        embeddings = self._encoder.encode([spoken(draft) for draft in drafts])
        return [
            Entry(_memory(draft, scope, now), embedding, key)
            for draft, embedding, key in zip(drafts, embeddings, keys, strict=True)
        ]

    def _prepare(
        self, scope: Scope, draft: Draft, now: datetime, secrets: Counter[str], revive: bool
    ) -> _Prepared | None:
        """A clean draft with its key; None for an importer's draft of which nothing may be stored."""
        try:
            clean, found = self.clean(draft, now)
        except InvalidContent:
            if revive or self._redactor.redact(check_content(draft.content)).text.strip():
                raise
            return None
        secrets.update(found)
        return _Prepared(clean, origin_key(self._door.identity.store_id, scope, clean))


def origin_key(store_id: str, scope: Scope, draft: Draft) -> bytes | None:
    """16 bytes that recognise the source of a draft within its project, or None when nothing can.

    A draft's origin is its source record's identity. Notes and chunks without one are known by their content; turns
    never are, because two turns may both say "ok". The hash is keyed with the store's id, so that a tombstone tells
    nothing about what was forgotten to anybody who lacks the store.
    """
    if draft.origin is not None:
        text = f"origin\x00{draft.origin}"
    elif draft.kind in _KNOWN_BY_CONTENT:
        place = "" if draft.chunk is None else f"{draft.chunk.file_path}\x00{draft.chunk.chunk_index}"
        text = f"content\x00{place}\x00{draft.content}"
    else:
        return None
    owner = f"{draft.level}\x00{draft.agent or scope.agent}\x00"
    return blake2b((owner + text).encode(), digest_size=16, key=store_id.encode()[:64]).digest()


def spoken(draft: Draft | Memory) -> str:
    """The content without a leading "speaker:" that only repeats who speaks."""
    prefix = f"{draft.speaker}:"
    if draft.speaker and draft.content[: len(prefix)].casefold() == prefix.casefold():
        return draft.content[len(prefix) :].lstrip() or draft.content
    return draft.content


class _Places:
    """Who holds which origin key, in the store and in this batch."""

    def __init__(self, writes: Transaction, prepared: Sequence[_Prepared], revive_forgotten: bool) -> None:
        self._revive = revive_forgotten
        by_project: dict[str, list[bytes]] = {}
        for one in prepared:
            if one.key is not None:
                by_project.setdefault(one.draft.project, []).append(one.key)
        self._known = {
            (project, key): logical_id
            for project, keys in by_project.items()
            for key, logical_id in writes.known_origins(project, keys).items()
        }
        found = writes.fetch(logical_id for logical_id in self._known.values() if logical_id is not None)
        self._holders = {
            place: found[logical_id]
            for place, logical_id in self._known.items()
            if logical_id is not None and logical_id in found
        }

    def is_forgotten(self, one: _Prepared) -> bool:
        """Whether its memory was forgotten and must not come back by itself."""
        place = _place(one)
        return not self._revive and place in self._known and self._known[place] is None

    def holder_of(self, one: _Prepared) -> Memory | None:
        """The memory that holds it already.

        What is known by its content is no duplicate once that memory says something else, or has ended.
        """
        holder = self._holders.get(_place(one))
        if holder is None or one.draft.origin is not None:
            return holder
        holds = holder.content == one.draft.content and holder.invalidation_reason is None
        return holder if holds else None

    def take(self, one: _Prepared, memory: Memory) -> None:
        """From now on this memory holds it."""
        if one.key is not None:
            self._holders[_place(one)] = memory


def _place(one: _Prepared) -> tuple[str, bytes]:
    return one.draft.project, one.key or b""


def _memory(draft: Draft, scope: Scope, now: datetime) -> Memory:
    """The first version of a clean draft."""
    import uuid_utils

    identifier = str(uuid_utils.uuid7())
    recorded = draft.recorded_at or now
    emotions = draft.emotion_vector if draft.emotion_vector is not None else emotions_of(draft.content)
    shared = {name: getattr(draft, name) for name in _SHARED_FIELDS}
    return Memory(
        **{
            **shared,
            "id": identifier,
            "logical_id": identifier,
            "version": 1,
            "tenant": scope.tenant,
            "agent": draft.agent or scope.agent,
            "valid_at": draft.valid_at or recorded,
            "created_at": recorded,
            "emotion_vector": dict(emotions),
        }
    )


_SHARED_FIELDS = tuple(
    name
    for name in Draft.__dataclass_fields__
    if name in Memory.__dataclass_fields__ and name not in ("agent", "valid_at", "emotion_vector")
)
"""Fields that a draft and its memory have in common, unchanged."""


def draft_of(memory: Memory) -> Draft:
    """A memory as a draft of its next version: everything but identity and time."""
    shared = {name: getattr(memory, name) for name in _SHARED_FIELDS}
    return Draft(**{**shared, "agent": memory.agent, "emotion_vector": dict(memory.emotion_vector)})
