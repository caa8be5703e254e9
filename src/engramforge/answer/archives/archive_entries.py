"""What an archive brings: the entries that the registries have, and new entries for the others.

An entry is known by its global id, or by its text if it has no known id. What this store wrote but no longer has was
forgotten, and stays so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from engramforge.answer.archives.conversation_contents import Gathering
from engramforge.answer.archives.describing import ArchivedEntry, entries_in
from engramforge.core.registries.local_ids import assign_local_ids
from engramforge.model.limits import NAME_CHARACTERS, TAGS_PER_MEMORY
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registries.archive import ArchiveContent, ArchivedDecision, ArchivedThread
from engramforge.model.registries.entry import DecisionStatus, EntryQuery
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Entry
from engramforge.registries.decisions.decision_view import composed as composed_decision
from engramforge.registries.decisions.decision_view import decision_draft, decision_text
from engramforge.registries.registered import entry_link, registration_of
from engramforge.registries.threads.thread_view import composed as composed_thread
from engramforge.registries.threads.thread_view import thread_draft, title_of
from engramforge.writing.changes import VersionChanges
from engramforge.writing.version_change import VersionChange

RULE: Final = "archive"
"""The rule named in the evidence of an entry that was read from an archive."""
_EVIDENCE: Final = "evidence"
_SENTENCE_CHARACTERS: Final = 1_000
_AT_ONCE: Final = 1_000

Key = tuple[str, str]
"""Kind and folded text of an entry."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an archive comes from and goes to.

    `source`, `conversation`: the archived conversation, and the one that continues. `is_ours`: whether this store wrote
    it for this agent: then entries that it names and the store lacks were forgotten.
    """

    source: str
    conversation: str
    project: str
    is_ours: bool

    @property
    def mentions(self) -> tuple[str, ...]:
        """The conversations that mention what it brings."""
        return self.source, self.conversation


@dataclass(frozen=True, slots=True)
class Brought:
    """What an archive brings.

    `known`: records of entries that the registries have. `changes`: new entries, planned. `told`: remarks for the
    reader. `content`: the archive with the global ids that its entries have here.
    """

    content: ArchiveContent
    known: tuple[Memory, ...]
    changes: tuple[VersionChange, ...]
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Registering:
    """Finds and plans the entries of archives."""

    changes: VersionChanges
    gathering: Gathering

    def plan(
        self,
        scope: Scope,
        content: ArchiveContent,
        place: Place,
        carried: Sequence[Memory],
        now: datetime,
        gone: Collection[str],
    ) -> Brought:
        """Which entries of an archive are known here, and new ones for the others.

        `carried`: what edges of this archive carried, which is known whether or not the text still has it. `gone`: ids
        that this store gave and no longer has, for whatever agent.
        """
        entries = entries_in(content)
        known = {registration_of(each).entry_id: each for each in carried}
        for memory in self.gathering.named(scope, [entry.id for entry in entries if entry.id]):
            known[registration_of(memory).entry_id] = memory
        unknown = [entry for entry in entries if entry.id not in known]
        told: list[str] = []
        forgotten = [entry for entry in unknown if entry.id and (place.is_ours or entry.id in gone)]
        unknown = [entry for entry in unknown if entry not in forgotten]
        if forgotten:
            told.append(f"{_names(forgotten)}: forgotten, or taken back, since; not registered again")
        ids: dict[Key, str] = {}
        there = self._by_text(scope, place, known.values()) if unknown else {}
        for entry in unknown:
            if (match := there.get(_key(entry))) is not None:
                ids[_key(entry)] = registration_of(match).entry_id
                known[ids[_key(entry)]] = match
        unknown = [entry for entry in unknown if _key(entry) not in ids]
        ended = [entry for entry in unknown if _has_ended(entry)]
        if ended:
            told.append(f"{_names(ended)}: ended before, and unknown here; not registered")
        fresh = list({_key(entry): entry for entry in unknown if not _has_ended(entry)}.values())
        if fresh:
            told.append(f"{_names(fresh)}: unknown here; registered with the archive as evidence")
        changes = self._new(scope, fresh, place, now)
        ids |= {
            _key(entry): registration_of(change.memory).entry_id
            for entry, change in zip(fresh, changes, strict=True)
        }
        return Brought(_identified(content, ids), tuple(known.values()), changes, tuple(told))

    def _by_text(self, scope: Scope, place: Place, known: Iterable[Memory]) -> dict[Key, Memory]:
        """Entries that the archive's edges carried or the conversation mentions, by their text."""
        found: dict[Key, Memory] = {}
        for memory in (*known, *self._mentioned(scope, place)):
            text = decision_text(memory) if memory.kind is Kind.DECISION else title_of(memory)
            found.setdefault((str(memory.kind), _folded(text)), memory)
        return found

    def _mentioned(self, scope: Scope, place: Place) -> list[Memory]:
        within = scope.within(place.project)
        return [
            entry
            for kind in (Kind.DECISION, Kind.THREAD)
            for entry in self.changes.door.asking(within).entries(
                EntryQuery(kind=kind, conversations=(place.conversation,), ended=True, limit=_AT_ONCE)
            )
        ]

    def _new(
        self, scope: Scope, entries: Sequence[ArchivedEntry], place: Place, now: datetime
    ) -> tuple[VersionChange, ...]:
        """New entries, in the order given; names that the conversation already uses for other entries are replaced."""
        if not entries:
            return ()
        there = [registration_of(memory).local_id or "" for memory in self._mentioned(scope, place)]
        taken = sorted({*there} - {""})
        made: list[VersionChange] = []
        for letter, kind, compose in (
            ("D", ArchivedDecision, composed_decision),
            ("T", ArchivedThread, composed_thread),
        ):
            own = [entry for entry in entries if isinstance(entry, kind)]
            names = assign_local_ids([*taken, *(each.local_id for each in own)], letter)[len(taken) :]
            drafts = [
                _draft(each, name[:NAME_CHARACTERS], place) for each, name in zip(own, names, strict=True)
            ]
            made += self.changes.new_entries(scope, drafts, now, compose) if drafts else []
        return tuple(made)


def witnessed(
    changes: Sequence[VersionChange], archive: Memory | None
) -> tuple[list[VersionChange], list[Link]]:
    """New entries with the memory of the archive's text as their evidence, and DERIVED_FROM from each to it."""
    if archive is None:
        return list(changes), []
    links = [
        entry_link(Relation.DERIVED_FROM, change.memory, archive, change.at, trigger="an archive was read")
        for change in changes
    ]
    return [_witnessed(change, archive) for change in changes], links


def _has_ended(entry: ArchivedEntry) -> bool:
    """Whether a decision ended; an ended decision unknown here is not worth registering."""
    return isinstance(entry, ArchivedDecision) and entry.status is not DecisionStatus.ACTIVE


def _identified(content: ArchiveContent, ids: Mapping[Key, str]) -> ArchiveContent:
    return replace(
        content,
        decisions=tuple(
            replace(decision, id=ids.get(_key(decision), decision.id)) for decision in content.decisions
        ),
        threads=tuple(replace(thread, id=ids.get(_key(thread), thread.id)) for thread in content.threads),
    )


def _draft(entry: ArchivedEntry, local_id: str, place: Place) -> Draft:
    details = {_EVIDENCE: {"sentence": _text(entry)[:_SENTENCE_CHARACTERS], "message_id": "", "rule": RULE}}
    tags = tuple(tag.strip()[:NAME_CHARACTERS] for tag in entry.tags if tag.strip())[:TAGS_PER_MEMORY]
    if isinstance(entry, ArchivedThread):
        thread = thread_draft(
            " ".join(entry.title.split())[:NAME_CHARACTERS] or entry.local_id,
            entry.content,
            status=entry.status,
            priority=entry.priority,
            resolution=entry.resolution,
            conversation=place.conversation,
            local_id=local_id,
            details=details,
            project=place.project,
            tags=tags,
        )
        assert thread.registration is not None
        return replace(thread, registration=replace(thread.registration, conversations=place.mentions))
    draft = decision_draft(
        entry.decision if entry.decision.strip() else entry.local_id,
        rationale=entry.rationale,
        alternatives_rejected=entry.alternatives_rejected,
        conversation=place.conversation,
        local_id=local_id,
        details=details,
        project=place.project,
        tags=tags,
        epistemic_tier=entry.epistemic_tier,
    )
    assert draft.registration is not None
    # Use counters continue: what is stale there is stale here.
    used = replace(
        draft.registration,
        last_validated=entry.last_validated,
        validation_count=entry.validation_count,
        hops=entry.hops,
        conversations=place.mentions,
    )
    return replace(draft, registration=used)


def _witnessed(change: VersionChange, archive: Memory) -> VersionChange:
    registration, first = registration_of(change.memory), change.entries[0]
    said = {**registration.details[_EVIDENCE], "message_id": archive.logical_id}
    details = {**registration.details, _EVIDENCE: said}
    memory = replace(change.memory, registration=replace(registration, details=details))
    return replace(change, memory=memory, entries=(Entry(memory, first.embedding, first.origin_key),))


def _key(entry: ArchivedEntry) -> Key:
    kind = Kind.DECISION if isinstance(entry, ArchivedDecision) else Kind.THREAD
    return str(kind), _folded(_text(entry))


def _text(entry: ArchivedEntry) -> str:
    return entry.decision if isinstance(entry, ArchivedDecision) else entry.title


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _names(entries: Sequence[ArchivedEntry]) -> str:
    return ", ".join(entry.local_id for entry in entries[:20]) + (", ..." if len(entries) > 20 else "")
