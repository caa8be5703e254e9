"""Changes of plain memories; nothing is overwritten.

`revise` (we were wrong), `supersede` (the world changed at a time) and `invalidate` (it no longer holds), each in one
transaction with its link and its line in the audit log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from engramforge.core.checks.draft_from_mapping import draft_from, refuse_unknown
from engramforge.core.checks.validation import check_unit, check_word
from engramforge.core.emotions.emotion import given_emotions
from engramforge.core.history.beliefs import check_apart, next_version
from engramforge.core.registries.registration import next_registration
from engramforge.errors import InvalidValue, NotFound
from engramforge.model.link import Relation
from engramforge.model.memory import SAID_SINCE, Draft, Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import Step
from engramforge.model.storing.record import Entry
from engramforge.model.time import utc
from engramforge.store.door import Transaction
from engramforge.writing.changes import VersionChanges
from engramforge.writing.expected_state import check_among, check_change_time, check_recorded, check_standing
from engramforge.writing.intake import Follower
from engramforge.writing.preparing import SHARED, new_id
from engramforge.writing.repeating import embedding_again
from engramforge.writing.version_change import (
    CHANGEABLE,
    VersionChange,
    record_time,
    saying_the_same,
    version_link,
)

_TIMES: Final = frozenset({"valid_at", "invalid_at"})


@dataclass(frozen=True, slots=True)
class Revision:
    """Writes new versions of plain memories; `follower`: plans what follows from them."""

    changes: VersionChanges
    follower: Follower | None = None

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

        Raises NotFound: the memory or version does not exist, or was forgotten; Conflict: it is not at the expected
        version, it ended, or was changed concurrently; InvalidContent, InvalidTime, InvalidValue: the change is
        invalid, or changes nothing.
        """
        now = self.changes.clock()
        asked = changes or {}
        head = self._last(scope, memory_id)
        has_ended = head.expired_at is None and head.invalidation_reason is not None
        if (version is not None and version != head.version) or (has_ended and _TIMES & set(asked)):
            wanted = head.version if version is None else version
            records = self.changes.open_records(scope, head)
            check_among(head, records)
            old = _ended_version(records, head, wanted)
            return self._correct_times(scope, old, records, content, asked, recorded_at, now)
        check_standing(head, expected_version)
        check_recorded(head, recorded_at, now)
        change = self.changes.revised(
            scope,
            head,
            _next_draft(head, self._still_known(scope, content), asked),
            now,
            recorded_at=recorded_at,
            expected_version=expected_version,
            discovery_energy=_felt(discovery_energy),
        )
        _refuse_nothing(head, change.memory, content, asked)
        return self._committed(scope, change, "revise", change.told, now)

    def _still_known(self, scope: Scope, content: str | None) -> str | None:
        """A content without what archives in it show of what was forgotten."""
        return self.follower.still_known(scope, content) if self.follower and content else content

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
        at = check_recorded(old, recorded_at, now) or record_time(old, now)
        successor = self.changes.successor(scope, old, _next_draft(old, None, changes), now)
        draft = successor.prepared.draft
        assert draft.valid_at is not None
        new = replace(old, id=new_id(), valid_at=draft.valid_at, invalid_at=draft.invalid_at, created_at=at)
        _refuse_nothing(old, new, None, changes)
        others = tuple(record for record in records if record.id != old.id)
        check_apart(new, others)
        if draft.invalid_at is None:
            new = replace(
                new,
                version=next_version(self.changes.door.asking(scope).versions(old.logical_id)),
                invalidation_reason=None,
                correction_id=None,
                registration=next_registration(old, at),
            )
        change = VersionChange(
            memory=new,
            at=at,
            entries=(Entry(new, successor.embedding),),
            replaced=old,
            follower=new.id,
            is_head=False,
            others=others,
            links=(version_link(Relation.REVISES, old, new),),
        )
        self.changes.commit(scope, [change], "revise", f"when version {old.version} held")
        return new

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
        step: Step = Step.CHANGE,
    ) -> Memory:
        """The world changed at `at` (default now): the old version held until then, the new one holds since.

        `recorded_at` as in `revise`; it is the default of `at`, too. `step`: whether it is a change of
        the agent's own, which an undo takes back.
        Raises as `revise`; InvalidTime also when `at` is not after the old version became true.
        """
        now = self.changes.clock()
        old = self._last(scope, memory_id)
        check_standing(old, expected_version)
        recorded = check_recorded(old, recorded_at, now)
        changed_at = utc(at, "the time of change") or recorded or now
        check_change_time(old, changed_at)
        asked = changes or {}
        if "valid_at" in asked:
            raise InvalidValue("valid_at is given beside the time of change", "Give the time of change alone")
        if content is None and not asked:
            raise InvalidValue("The change changes nothing", "Give new content, or a field to change")
        change = self.changes.succeeded(
            scope,
            old,
            _said_since(old, _next_draft(old, self._still_known(scope, content), asked)),
            now,
            at=changed_at,
            recorded_at=recorded_at,
            expected_version=expected_version,
            discovery_energy=_felt(discovery_energy),
        )
        return self._committed(scope, change, "supersede", change.told, now, step)

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
        now = self.changes.clock()
        old = self._last(scope, memory_id)
        ended_at = utc(at, "the time of the end") or now
        change = self.changes.closed(old, now, at=ended_at, expected_version=expected_version)
        return self._committed(scope, change, "invalidate", reason, now)

    def _committed(
        self,
        scope: Scope,
        change: VersionChange,
        action: str,
        said: str,
        now: datetime,
        step: Step = Step.CHANGE,
    ) -> Memory:
        """Commit a change with what follows from it; returns the new record, with that."""
        follows = self.follower.plan_change(scope, change.memory, now) if self.follower else ()

        def write(writes: Transaction) -> None:
            for follow in follows:
                follow.write(writes)

        self.changes.commit(scope, [change], action, said, beside=write, step=step)
        did = tuple(each for follow in follows for each in follow.consequences)
        return replace(change.memory, consequences=did)

    def _last(self, scope: Scope, memory_id: str) -> Memory:
        """The current version of a memory, else its last record."""
        found = self.changes.door.asking(scope).fetch([memory_id]).get(memory_id)
        if found is not None and memory_id != found.logical_id:
            found = self.changes.door.asking(scope).fetch([found.logical_id]).get(found.logical_id)
        if found is None:
            raise NotFound(
                f"There is no memory {memory_id[:100]!r}",
                "It may have been forgotten; find others with recall or list",
            )
        return found


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
    """Raise InvalidValue if a change would put a memory into a registry, or take it out of one, or there is no such
    kind."""
    kind = check_word(Kind, draft.kind, "kind")
    kept = (Kind.DECISION, Kind.THREAD, Kind.LINEAGE, Kind.ARCHIVE)
    if kind != old.kind and (old.registration is not None or kind in kept):
        raise InvalidValue(
            f"The {old.kind} cannot become a {kind}: entries of a registry keep their kind",
            f"End this memory, and remember a new one as a {kind}",
        )


def _next_draft(old: Memory, content: str | None, changes: Mapping[str, Any]) -> Draft:
    """What the next version says. Raises InvalidValue for a field that is not there to change."""
    refuse_unknown(changes, CHANGEABLE, "field to change")
    values = {name: getattr(old, name) for name in SHARED} | dict(changes)
    if SAID_SINCE in old.metadata and isinstance(values["metadata"], Mapping):
        # Other metadata make it no younger.
        values["metadata"] = {SAID_SINCE: old.metadata[SAID_SINCE], **values["metadata"]}
    if content is not None:
        values["content"] = content
        if "emotion_vector" not in changes:
            values["emotion_vector"] = given_emotions(old.content, old.emotion_vector)
    if "valid_at" in changes and changes["valid_at"] is None:
        values["valid_at"] = old.valid_at
    implied = values.pop("implied_session")
    also_in = values.pop("also_in")
    draft = replace(draft_from(values), also_in=also_in)
    _check_kind(old, draft)
    is_told = draft.session_id is not None or draft.sequence is not None
    return draft if is_told else replace(draft, implied_session=implied)


def _said_since(old: Memory, draft: Draft) -> Draft:
    """The draft of what follows in the world, of a plain memory with since when its words are so: other words are so
    since the change, and the same ones of which only the state changed as before."""
    same = draft.content == old.content and draft.resolution_state == old.resolution_state
    return draft if same or old.registration is not None else saying_the_same(old, draft)


def _refuse_nothing(old: Memory, new: Memory, content: str | None, changes: Mapping[str, Any]) -> None:
    """Raise InvalidValue where a change says what was there already."""
    same_times = (new.valid_at, new.invalid_at) == (old.valid_at, old.invalid_at)
    same_words = content is None or new.content == old.content
    if same_words and same_times and not set(changes) - _TIMES:
        raise InvalidValue("The change changes nothing", "Give new content, or a field to change")


def _felt(discovery_energy: float | None) -> float | None:
    return None if discovery_energy is None else check_unit(discovery_energy, "discovery_energy")
