"""The one way to change versions: planned before the transaction, since checking, redacting and embedding are slow,
then written in it, all changes of one act with their links or none.

Plain memories (writing/revision), every registry, detection and imports plan and commit here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engramforge.core.emotions.emotion import given_emotions
from engramforge.core.history.beliefs import check_apart, next_version
from engramforge.errors import InvalidContent
from engramforge.model.link import Link, Relation
from engramforge.model.memory import LEARNED_OF, Draft, Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import Effect, Step, records_line
from engramforge.model.time import InvalidationReason, just_after
from engramforge.model.topics.dream import MERGED
from engramforge.store.door import Door, Transaction
from engramforge.writing.expected_state import (
    check_among,
    check_change_time,
    check_recorded,
    check_standing,
    forgotten,
    hold_sources,
)
from engramforge.writing.preparing import Compose, Preparation, Prepared, draft_of
from engramforge.writing.version_change import (
    Successor,
    VersionChange,
    plan_closing,
    plan_new,
    plan_supersession,
    record_time,
    version_after,
    version_link,
)


@dataclass(frozen=True, slots=True)
class VersionChanges:
    """Plans changes and commits them.

    `door`, `clock`: as in `Intake`. `preparation`: checks, redacts and encodes.
    """

    door: Door
    preparation: Preparation
    clock: Callable[[], datetime]

    def new_entries(
        self, scope: Scope, drafts: Sequence[Draft], now: datetime, compose: Compose | None = None
    ) -> list[VersionChange]:
        """New entries, one per draft; each draft's `registration` says the rest.

        Raises InvalidContent, InvalidTime, InvalidValue, OutOfScope: one is not sound; or nothing is left of its
        content.
        """
        ready = [self.prepare(scope, draft, now, compose) for draft in drafts]
        return [plan_new(entry) for entry in self.preparation.entries(scope, ready)]

    def revised(
        self,
        scope: Scope,
        old: Memory,
        draft: Draft,
        now: datetime,
        *,
        compose: Compose | None = None,
        recorded_at: datetime | None = None,
        expected_version: int | None = None,
        discovery_energy: float | None = None,
    ) -> VersionChange:
        """We were wrong: the old version leaves the record, a new one takes its place.

        `old`: what stands. `draft`: what the new version says; without a registration it has the one that follows from
        the old one's.

        Raises Conflict: it ended, or is not at the expected version; InvalidContent, InvalidTime, InvalidValue: the
        change is not sound.
        """
        check_standing(old, expected_version)
        at = check_recorded(old, recorded_at, now) or record_time(old, now)
        successor = self.successor(scope, old, draft, now, compose, discovery_energy)
        new = version_after(old, successor, at, successor.prepared.draft.valid_at or old.valid_at)
        others = self._others(scope, old)
        check_apart(new, others)
        return VersionChange(
            memory=new,
            at=at,
            entries=(successor.entry(new),),
            replaced=old,
            follower=new.id,
            others=others,
            expected_version=expected_version,
            links=(version_link(Relation.REVISES, old, new),),
        )

    def succeeded(
        self,
        scope: Scope,
        old: Memory,
        draft: Draft,
        now: datetime,
        *,
        at: datetime | None = None,
        compose: Compose | None = None,
        recorded_at: datetime | None = None,
        expected_version: int | None = None,
        discovery_energy: float | None = None,
    ) -> VersionChange:
        """The world changed at a time (default: when it is recorded): a closing record, and a new version since.

        Parameters and errors as `revised`; InvalidTime also where `at` is not after the old version became true. A
        new version of an entry has no end.
        """
        check_standing(old, expected_version)
        recorded = check_recorded(old, recorded_at, now)
        changed_at = at or recorded or just_after(old.valid_at, now)
        check_change_time(old, changed_at)
        until = None if draft.registration is not None else draft.invalid_at
        onward = replace(draft, valid_at=changed_at, invalid_at=until)
        successor = self.successor(scope, old, onward, now, compose, discovery_energy)
        (closing,) = self.preparation.encode_again([old])
        recorded = recorded or record_time(old, now)
        change = plan_supersession(old, closing, successor, changed_at, recorded, self._others(scope, old))
        return replace(change, expected_version=expected_version)

    def closed(
        self,
        old: Memory,
        now: datetime,
        *,
        registration: Registration | None = None,
        at: datetime | None = None,
        recorded_at: datetime | None = None,
        expected_version: int | None = None,
        correction_id: str | None = None,
    ) -> VersionChange:
        """It no longer holds from a time on (default now). Raises as `succeeded`.

        `registration`: how an entry ended; by default, what follows from its current one. `correction_id`: version id
        of what took its place.
        """
        check_standing(old, expected_version)
        recorded = check_recorded(old, recorded_at, now)
        ended_at = at or recorded or just_after(old.valid_at, now)
        check_change_time(old, ended_at)
        change = plan_closing(
            old,
            self.preparation.encode_again([old])[0],
            ended_at,
            recorded or record_time(old, now),
            correction_id=correction_id,
            registration=registration,
        )
        return replace(change, expected_version=expected_version)

    def returned(
        self,
        scope: Scope,
        last: Memory,
        draft: Draft,
        now: datetime,
        *,
        at: datetime | None = None,
        compose: Compose | None = None,
        recorded_at: datetime | None = None,
    ) -> VersionChange:
        """An entry that ended returns as a new version, from a time on (default now) or from an end still to come; what
        ended stays.

        `last`: its last record, which may only be planned so far. Raises as `revised`.
        """
        records = self.door.asking(scope).versions(last.logical_id)
        if not records and at is None:
            raise forgotten(last)
        begins = max(at or now, last.invalid_at or now)
        onward = replace(draft, valid_at=begins, invalid_at=None)
        successor = self.successor(scope, last, onward, now, compose)
        at = check_recorded(last, recorded_at, now) or record_time(last, now)
        new = replace(
            version_after(last, successor, at, begins),
            invalid_at=None,
            version=next_version([last, *records]),
        )
        others = tuple(each for each in records if each.expired_at is None and each.version != last.version)
        check_apart(new, [last, *others])
        return VersionChange(
            memory=new,
            at=at,
            entries=(successor.entry(new),),
            ended=last,
            others=others,
            links=(version_link(Relation.SUPERSEDES, last, new),),
        )

    def prepare(self, scope: Scope, draft: Draft, now: datetime, compose: Compose | None = None) -> Prepared:
        """The draft checked and redacted part by part, then put together. Raises as `new_entries`."""
        ready = self.preparation.prepare(scope, draft, now, compose)
        if ready is None and draft.registration is None:
            raise InvalidContent(
                "Nothing of the new content is left to store: it is private or was injected",
                "Write something outside <private>, or forget the memory",
            )
        if ready is None:
            raise InvalidContent(
                "Nothing of the content is left to store: it is private, or was injected by engramforge itself",
                "Write something outside <private> and <engramforge-context>",
            )
        return ready

    def commit(
        self,
        scope: Scope,
        changes: Sequence[VersionChange],
        action: str,
        said: str = "",
        *,
        links: Sequence[Link] = (),
        copies: Sequence[Link] = (),
        ended_links: Sequence[Link] = (),
        beside: Callable[[Transaction], object] | None = None,
        step: Step = Step.CHANGE,
        dream: str = "",
    ) -> None:
        """Write planned changes and their links in one transaction, with a line in the audit log.

        `action`, `said`: of the line, which names the last change's memory. `links`: written once every record is
        there. `copies`: links from what is written to what it repeats, whoever's that is (see `Transaction.bind`).
        `ended_links`: links that no longer hold; they leave the record at the `at` of the last change.
        `beside`: what else belongs in the transaction, such as use counters; done last, before the line. What was
        learned of a memory that now says something else ends with the change, and returns with its undo.
        `step`: whether it is a change that an undo takes back. `dream`: of which dream it is a step.

        Raises PlanOutdated, with nothing written, where something that is repeated was forgotten meanwhile.
        """
        main = changes[-1]
        outdated, parted = self._followed(scope, changes)

        def written(writes: Transaction) -> None:
            if copies:
                hold_sources(writes, (copy.target_id for copy in copies))
            for change in changes:
                change.write(writes)
            for link in ended_links:
                ended_at = just_after(link.created_at, main.at)
                writes.expire_link(link.id, ended_at, InvalidationReason.DISCOVERED_FALSE)
            for link in parted:
                # Not with the version that it replaced: the link binds no version that follows.
                parted_at = just_after(max(link.created_at, main.at), main.at)
                writes.expire_link(link.id, parted_at, InvalidationReason.DISCOVERED_FALSE)
            _end_standing(writes, outdated)
            writes.link(links)
            writes.bind(copies)
            if beside is not None:
                beside(writes)
            of_one = len(changes) == 1 and (main.replaced is not None or main.ended is not None)
            counted = "" if of_one else records_line(writes.records)
            line = ": ".join(part for part in (counted, said) if part)
            at = max(main.at, self.clock())
            writes.audit(action, main.memory.logical_id, line, at, Effect(step=step, dream=dream))

        self.door.write(scope, written)

    def _followed(
        self, scope: Scope, changes: Sequence[VersionChange]
    ) -> tuple[list[VersionChange], list[Link]]:
        """What follows where memories say something else from these changes on, or nothing that holds any more: the
        endings of what was learned of them, since it has their words; and the links by which they say what a dream
        merged into them, where they say something else."""
        befores = [(each, each.replaced or each.ended) for each in changes]
        changed = {
            each.memory.logical_id
            for each, before in befores
            if before is not None
            and (before.content != each.memory.content or _has_ended(before, each.memory))
        }
        if not changed:
            return [], []
        view = self.door.asking(scope)
        links = view.links(sorted(changed), relation=Relation.DERIVED_FROM, to_others=True)
        revised = {
            each.memory.logical_id
            for each in changes
            if each.replaced is not None and each.replaced.content != each.memory.content
        }
        parted = [each for each in links if each.source_id in revised and each.formation_trigger == MERGED]
        learned = view.fetch({each.source_id for each in links if each.target_id in changed}).values()
        now = self.clock()
        outdated = [
            self.closed(each, now)
            for each in learned
            if LEARNED_OF in each.metadata
            and each.kind is Kind.LEARNING
            and each.expired_at is None
            and each.invalidation_reason is None
        ]
        return outdated, parted

    def successor(
        self,
        scope: Scope,
        old: Memory,
        draft: Draft,
        now: datetime,
        compose: Compose | None = None,
        discovery_energy: float | None = None,
    ) -> Successor:
        """What is to follow a version, prepared and encoded. Raises as `new_entries`."""
        ready = self.prepare(scope, draft, now, compose)
        (embedding,) = self.preparation.encode([ready.draft])
        if ready.draft.attachments == old.attachments:
            embedding = self.preparation.seen_before(embedding, ready.draft, old.id)
        return Successor(ready, embedding, discovery_energy)

    def open_records(self, scope: Scope, head: Memory) -> list[Memory]:
        """The open records of a memory: its closing records and what stands.

        The head may only be planned so far, as others of its batch are: then it is not among them, and there may be
        none. Raises Conflict if it has left the record since it was read.
        """
        if head.version == 1 and head.expired_at is None:
            return [head]
        view = self.door.asking(scope)
        standing = view.versions(head.logical_id, on_record=True)
        if not any(each.id == head.id for each in standing) and view.fetch([head.id]):
            check_among(head, standing)
        return standing

    def _others(self, scope: Scope, head: Memory) -> tuple[Memory, ...]:
        return tuple(each for each in self.open_records(scope, head) if each.id != head.id)


def _end_standing(writes: Transaction, endings: Sequence[VersionChange]) -> None:
    """Write the endings of memories that nobody changed meanwhile."""
    olds = [each.replaced for each in endings if each.replaced is not None]
    there = writes.fetch([each.id for each in olds]) if olds else {}
    for each, old in zip(endings, olds, strict=True):
        if old.id in there and there[old.id].expired_at is None:
            each.put(writes)


def _has_ended(before: Memory, after: Memory) -> bool:
    return before.invalid_at is None and after.invalid_at is not None


def next_draft(old: Memory, changed: Mapping[str, Any], registration: Registration) -> Draft:
    """What the next version of an entry says: fields of `Draft` that change, `content` before it is composed."""
    draft = replace(draft_of(old), **changed, registration=registration)
    if "content" in changed and "emotion_vector" not in changed:
        draft = replace(draft, emotion_vector=given_emotions(old.content, old.emotion_vector))
    return draft
