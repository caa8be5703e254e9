"""Changes of memories; nothing is overwritten.

`revise` (we were wrong), `supersede` (the world changed at a time) and `invalidate` (it no longer holds), each in one
transaction with its link and its line in the audit log.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, Final

import numpy as np

from engramforge.core.checks.drafting import draft_from, refuse_unknown
from engramforge.core.checks.validation import check_unit
from engramforge.core.history.beliefs import check_apart, next_version
from engramforge.core.registries.registration import next_registration
from engramforge.errors import InvalidContent, InvalidValue, NotFound
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.link import Relation
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry
from engramforge.model.time import InvalidationReason, utc
from engramforge.store.door import Door, Transaction
from engramforge.writing.intake import Intake, new_id
from engramforge.writing.pictures import is_image
from engramforge.writing.repeating import embedding_again
from engramforge.writing.standing import (
    check_among,
    check_change_time,
    check_recorded,
    check_standing,
    hold,
    hold_open,
)
from engramforge.writing.succession import (
    CHANGEABLE,
    Successor,
    record_time,
    version_after,
    version_link,
    write_closing,
    write_supersession,
)

_OWN: Final = ("recorded_at", "origin", "registration", "also_origins", "same_as")
_KEPT: Final = tuple(field.name for field in fields(Draft) if field.name not in _OWN)
_TIMES: Final = frozenset({"valid_at", "invalid_at"})


class Revision:
    """Writes new versions.

    `door`, `clock`: as in `Intake`. `intake`: checks, redacts and encodes the new content.
    """

    def __init__(self, door: Door, intake: Intake, clock: Callable[[], datetime]) -> None:
        self._door = door
        self._intake = intake
        self._clock = clock

    @embedding_again
    def revise(
        self,
        scope: Scope,
        memory_id: str,
        content: str | None = None,
        changes: Mapping[str, Any] | None = None,
        expected_version: int | None = None,
        recorded_at: datetime | None = None,
        *,
        version: int | None = None,
        discovery_energy: float | None = None,
    ) -> Memory:
        """We were wrong: the old version's record ends now (discovered_false), a new version takes its place.

        The new version keeps the old `valid_at` and every field that is not changed. `recorded_at` is for imported
        history: when the change was recorded, after the record that it replaces and not in the future; default now.
        `version` names an older version that ended: only its times can be corrected, by a new closing record; the same
        goes for a memory that ended.

        Raises
        ------
        NotFound : the memory or version does not exist, or was forgotten.
        Conflict : it is not at the expected version, it ended, or was changed concurrently.
        InvalidContent, InvalidTime, InvalidValue : the change is invalid, or changes nothing.
        """
        now = self._clock()
        asked = changes or {}
        head = self._last(scope, memory_id)
        records = self._open_records(scope, head)
        has_ended = head.expired_at is None and head.invalidation_reason is not None
        if (version is not None and version != head.version) or (has_ended and _TIMES & set(asked)):
            wanted = head.version if version is None else version
            old = _ended_version(records, head, wanted)
            return self._correct_times(scope, old, records, content, asked, recorded_at, now)
        check_standing(head, expected_version)
        recorded = check_recorded(head, recorded_at, now)
        next_one = self._successor(scope, head, content, asked, now)
        if discovery_energy is not None:
            next_one = replace(next_one, discovery_energy=check_unit(discovery_energy, "discovery_energy"))
        valid_at = next_one.prepared.draft.valid_at or head.valid_at
        others = [record for record in records if record.id != head.id]
        at = recorded or record_time(head, now)
        new = version_after(head, next_one, at, valid_at)
        check_apart(new, others)

        def replaced(writes: Transaction) -> Memory:
            hold(writes, head, expected_version, others)
            writes.expire(head.id, at, InvalidationReason.DISCOVERED_FALSE, new.id)
            # A key of its own: the new words are recognised from now on, and forgotten with the memory.
            writes.insert([Entry(new, next_one.embedding, next_one.prepared.key)])
            writes.link([version_link(Relation.REVISES, head, new)])
            said = f"version {new.version} replaces {head.version}"
            writes.audit("revise", head.logical_id, said, max(at, now))
            return new

        return self._door.write(scope, replaced)

    def _correct_times(
        self,
        scope: Scope,
        old: Memory,
        records: Sequence[Memory],
        content: str | None,
        changes: Mapping[str, Any],
        recorded_at: datetime | None,
        now: datetime,
    ) -> Memory:
        """We were wrong about when an ended version held: a new closing record replaces its old one.

        Without an end it has not ended, so a new version takes its place.
        """
        if content is not None or not changes or set(changes) - _TIMES:
            raise InvalidValue(
                f"Version {old.version} of the memory {old.logical_id} ended: only its times can be corrected",
                "Give valid_at or invalid_at alone, or leave the version out",
            )
        recorded = check_recorded(old, recorded_at, now)
        next_one = self._successor(scope, old, None, changes, now)
        draft = next_one.prepared.draft
        assert draft.valid_at is not None
        at = recorded or record_time(old, now)
        new = replace(old, id=new_id(), valid_at=draft.valid_at, invalid_at=draft.invalid_at, created_at=at)
        others = [record for record in records if record.id != old.id]
        check_apart(new, others)
        if draft.invalid_at is None:
            version = next_version(self._door.asking(scope).versions(old.logical_id))
            again = next_registration(old, at)
            new = replace(
                new, version=version, invalidation_reason=None, correction_id=None, registration=again
            )

        def corrected(writes: Transaction) -> Memory:
            hold_open(writes, [old, *others])
            writes.expire(old.id, at, InvalidationReason.DISCOVERED_FALSE, new.id)
            writes.insert([Entry(new, next_one.embedding)])
            writes.link([version_link(Relation.REVISES, old, new)])
            writes.audit("revise", old.logical_id, f"when version {old.version} held", max(at, now))
            return new

        return self._door.write(scope, corrected)

    @embedding_again
    def supersede(
        self,
        scope: Scope,
        memory_id: str,
        content: str | None = None,
        changes: Mapping[str, Any] | None = None,
        at: datetime | None = None,
        expected_version: int | None = None,
        recorded_at: datetime | None = None,
        *,
        discovery_energy: float | None = None,
    ) -> Memory:
        """The world changed at `at` (default now): the old version held until then, the new one holds since.

        `recorded_at` as in `revise`; it is the default of `at`, too.
        Raises as `revise`; InvalidTime also when `at` is not after the old version became true.
        """
        now = self._clock()
        old = self._last(scope, memory_id)
        check_standing(old, expected_version)
        recorded = check_recorded(old, recorded_at, now)
        changed_at = utc(at, "the time of change") or recorded or now
        check_change_time(old, changed_at)
        if "valid_at" in (changes or {}):
            raise InvalidValue("valid_at is given beside the time of change", "Give the time of change alone")
        if content is None and not changes:
            raise InvalidValue("The change changes nothing", "Give new content, or a field to change")
        next_one = self._successor(scope, old, content, {**(changes or {}), "valid_at": changed_at}, now)
        if discovery_energy is not None:
            next_one = replace(next_one, discovery_energy=check_unit(discovery_energy, "discovery_energy"))
        others = [record for record in self._open_records(scope, old) if record.id != old.id]
        check_apart(version_after(old, next_one, now, changed_at), others)
        closing = self.encode_again(old)

        def followed(writes: Transaction) -> Memory:
            hold(writes, old, expected_version, others)
            return write_supersession(writes, old, closing, next_one, changed_at, now, recorded)

        return self._door.write(scope, followed)

    @embedding_again
    def invalidate(
        self,
        scope: Scope,
        memory_id: str,
        at: datetime | None = None,
        reason: str = "",
        expected_version: int | None = None,
    ) -> Memory:
        """It no longer holds from `at` on (default now), without a successor; returns the closing record.

        Raises NotFound, Conflict and InvalidTime as `supersede`.
        """
        now = self._clock()
        old = self._last(scope, memory_id)
        check_standing(old, expected_version)
        ended_at = utc(at, "the time of the end") or now
        check_change_time(old, ended_at)
        closing = self.encode_again(old)

        def ended(writes: Transaction) -> Memory:
            hold(writes, old, expected_version)
            record = write_closing(writes, old, closing, ended_at, now, None)
            writes.audit("invalidate", old.logical_id, reason, max(record.created_at, now))
            return record

        return self._door.write(scope, ended)

    def encode_again(self, memory: Memory) -> Embedding:
        """The signals of a record whose content does not change."""
        return self.encode_all_again([memory])[0]

    def encode_all_again(
        self, memories: Sequence[Memory], stored: Sequence[str] | None = None
    ) -> list[Embedding]:
        """The signals of records whose content does not change; `stored`: ids of versions with it."""
        if not memories:
            return []
        made = self._intake.encode([draft_of(memory) for memory in memories])
        ids = [memory.id for memory in memories] if stored is None else stored
        return [self._seen_before(*each) for each in zip(made, memories, ids, strict=True)]

    def _seen_before(self, embedding: Embedding, record: Memory | Draft, stored_id: str) -> Embedding:
        """Keeps E10 of a stored version, since the image file may be gone."""
        if not any(map(is_image, record.attachments)):
            return embedding
        view = self._door.asking(Scope(self._door.identity.tenant, every_agent=True))
        places = np.array(list(view.places_of([stored_id]).values()), np.int64)
        for held in view.signals(places).embeddings.values():
            if Space.MULTIMODAL in held.parts:
                kept = {Space.MULTIMODAL: held.parts[Space.MULTIMODAL]}
                return replace(embedding, parts={**embedding.parts, **kept})
        return embedding

    def _last(self, scope: Scope, memory_id: str) -> Memory:
        """The current version of a memory, else its last record."""
        found = self._door.asking(scope).fetch([memory_id]).get(memory_id)
        if found is not None and memory_id != found.logical_id:
            found = self._door.asking(scope).fetch([found.logical_id]).get(found.logical_id)
        if found is None:
            raise NotFound(
                f"There is no memory {memory_id[:100]!r}",
                "It may have been forgotten; find others with recall or list",
            )
        return found

    def _open_records(self, scope: Scope, head: Memory) -> list[Memory]:
        """The open records of a memory: its closing records and the current version."""
        if head.version == 1 and head.expired_at is None:
            return [head]
        records = [
            version
            for version in self._door.asking(scope).versions(head.logical_id)
            if version.expired_at is None
        ]
        check_among(head, records)
        return records

    def _successor(
        self, scope: Scope, old: Memory, content: str | None, changes: Mapping[str, Any], now: datetime
    ) -> Successor:
        refuse_unknown(changes, CHANGEABLE, "field to change")
        values = {name: getattr(draft_of(old), name) for name in _KEPT} | dict(changes)
        if content is not None:
            values["content"] = content
            # Feelings derived from the old words do not apply to the new ones.
            if "emotion_vector" not in changes:
                values["emotion_vector"] = None
        if "valid_at" in changes and changes["valid_at"] is None:
            values["valid_at"] = old.valid_at
        draft = draft_from(values)
        _check_kind(old, draft)
        ready = self._intake.prepare(scope, draft, now)
        if ready is None:
            raise InvalidContent(
                "Nothing of the new content is left to store: it is private or was injected",
                "Write something outside <private>, or forget the memory",
            )
        same_times = (ready.draft.valid_at, ready.draft.invalid_at) == (old.valid_at, old.invalid_at)
        if content is None and same_times and not set(changes) - _TIMES:
            raise InvalidValue("The change changes nothing", "Give new content, or a field to change")
        embedding = self._intake.encode([ready.draft])[0]
        if ready.draft.attachments == old.attachments:
            embedding = self._seen_before(embedding, ready.draft, old.id)
        return Successor(ready, embedding)


def _ended_version(records: Sequence[Memory], head: Memory, version: int) -> Memory:
    """The open closing record of a version. Raises NotFound."""
    for record in records:
        if record.version == version and record.invalidation_reason is not None:
            return record
    known = ", ".join(str(record.version) for record in records) or "none"
    raise NotFound(
        f"Version {version} of the memory {head.logical_id} is not on record now",
        f"On record now: {known}. Its history has the others, which were found false",
    )


def _check_kind(old: Memory, draft: Draft) -> None:
    """Raise InvalidValue if a change would put a memory into a registry, or take it out of one."""
    kept = (Kind.DECISION, Kind.THREAD, Kind.LINEAGE, Kind.ARCHIVE)
    if draft.kind != old.kind and (old.registration is not None or draft.kind in kept):
        raise InvalidValue(
            f"The {old.kind} cannot become a {draft.kind}: entries of a registry keep their kind",
            f"End this memory, and remember a new one as a {draft.kind}",
        )


def draft_of(memory: Memory) -> Draft:
    """A version's fields as a draft, from which a change makes the next version."""
    return Draft(**{name: getattr(memory, name) for name in _KEPT}, registration=memory.registration)
