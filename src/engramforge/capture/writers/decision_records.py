"""Brings the registry of decisions up to date with a folder of decision records (formats/adr).

A new record becomes a decision, a changed one a new version; one that was superseded or rejected since ends, with a
link to its successor, and a decision that ended differently from what its record says now is corrected. Unchanged
records are skipped, so changes in the registry stay. A deleted file ends nothing, because a decision does not end by
losing its record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from engramforge.capture.formats.adr import RecordFile, RecordFolder, read_folder, record_draft
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.records import Item, ItemLink, Place
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.capture.writers.links import LinkBook, save_links
from engramforge.core.decision_records.decision_record import RecordStatus
from engramforge.errors import CallerError, InvalidContent
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Draft, Memory
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.model.storing.effect import records_line
from engramforge.model.storing.record import Entry
from engramforge.model.time import InvalidationReason, just_after
from engramforge.registries.decisions.decision_revision import Revised, revised_draft
from engramforge.registries.decisions.decision_view import composed, status_of
from engramforge.registries.detected.consequences import made_entry
from engramforge.registries.registered import registration_of, succession
from engramforge.writing.repeating import embedding_again
from engramforge.writing.version_change import plan_closing, record_time

_SAID_IN: Final = "said_in"
"""Key of a link's extra fields: the record that says it, so that it ends when the record no longer does."""
_SAID_OF_IT: Final = ("content", "tags", "epistemic_tier")
"""Fields that stay as they were if a record changed in its status alone."""
_TAKEN: Final = "a decision record says that another took its place"
_CIRCULAR: Final = "the record would supersede itself, directly or through others, so it did not end"
_ENDED: Final = {
    RecordStatus.SUPERSEDED: DecisionStatus.SUPERSEDED,
    RecordStatus.REJECTED: DecisionStatus.INVALIDATED,
    RecordStatus.DEPRECATED: DecisionStatus.INVALIDATED,
}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The wanted state of a record's decision.

    `status`: of the decision. `taken_by`: key of the record that took its place; empty without one.
    """

    file: RecordFile
    draft: Draft
    status: DecisionStatus
    taken_by: str = ""


def write_records(
    stages: ImportStages, scope: Scope, source: ImportSource, context: Context, count: FileCount
) -> Iterator[Item]:
    """Write a folder of records, and keep the account; yields an item for each file."""
    folder = read_folder(source, context)
    for item in folder.others:
        count.records[item.record] += 1
        count.found += item.is_message
        count.faulty += item.is_message
        if item.skipped:
            count.skipped[item.skipped] += 1
        yield item
    project = context.own_project
    count.projects.add(project)
    sync = _Sync(stages, scope, folder, project, context.now)
    for wanted in sync.wanted.values():
        yield sync.write(wanted, count)
    sync.end_all(count)
    sync.link_all(count)


class _Sync:
    """The import of a folder into the registry."""

    def __init__(
        self, stages: ImportStages, scope: Scope, folder: RecordFolder, project: str, now: datetime
    ) -> None:
        self._stages = stages
        self._scope = scope
        self._folder = folder
        self._project = project
        self._now = now
        self._changes = stages.changes
        taken, self._circular = folder.superseded_by, folder.circular
        self.wanted: dict[str, _Wanted] = {}
        for record in folder.records:
            by = taken.get(record.key, "")
            said = _ENDED.get(record.record.status, DecisionStatus.ACTIVE)
            if record.record.is_rejection or record.key in self._circular:
                said = DecisionStatus.ACTIVE  # what was decided is the rejection, and that holds
            status = DecisionStatus.SUPERSEDED if by else said
            draft = record_draft(record, folder.path, project, f"{status} {by}")
            self.wanted[record.key] = _Wanted(record, draft, status, by)
        self._standing = self._known()
        self._ending: list[_Wanted] = []

    def write(self, wanted: _Wanted, count: FileCount) -> Item:
        """Write a record's decision, except for its end, and account for it."""
        place = Place(str(wanted.file.path), None, wanted.file.size)
        count.records["record"] += 1
        count.found += 1
        try:
            became = self._written(wanted)
        except InvalidContent:
            became = "nothing left to store"
        except CallerError as error:
            count.faulty += 1
            return place.fault("record", str(error), is_message=True)
        if became == "written":
            count.remembered += 1
            count.memories += 1
            if (made := self._standing[self._key(wanted.draft)]) is not None:
                count.made.append(made_entry(made))
        elif became == "revised":
            count.remembered += 1
            count.changes["revised"] += 1
        elif became == "unchanged":
            count.duplicate += 1
            count.duplicate_memories += 1
        else:
            count.nothing += 1
            count.skipped[became] += 1
        item = place.item("record", wanted.draft)
        return replace(item, remarks=(_CIRCULAR,)) if wanted.file.key in self._circular else item

    @embedding_again
    def _written(self, wanted: _Wanted) -> str:
        """The outcome of a record's decision: written, revised, unchanged, or why nothing."""
        key = self._key(wanted.draft)
        if key not in self._standing:
            change = self._changes.new_entries(self._scope, [_begun(wanted)], self._now, composed)[0]
            sealed = self._stages.preparation.sealed_keys(change.memory)
            if self._stages.known_origins(self._scope, self._project, sealed):
                return "forgotten before"
            self._changes.commit(self._scope, [change], "import")
            self._standing[key] = change.memory
            if wanted.status is not DecisionStatus.ACTIVE:
                self._ending.append(wanted)
            return "written"
        head = self._standing[key]
        if head is None:
            return "forgotten before"
        if _digest(head.metadata) == _digest(wanted.draft.metadata):
            return "unchanged"
        is_active = status_of(head) is DecisionStatus.ACTIVE and not head.is_superseded
        if not is_active and wanted.status is not DecisionStatus.ACTIVE:
            if not self._ended_otherwise(head, wanted):
                return "unchanged"
            self._ending.append(wanted)
            return "revised"
        if wanted.status is not DecisionStatus.ACTIVE:
            self._ending.append(wanted)
            said = self._changes.prepare(self._scope, wanted.draft, self._now, composed).draft
            if all(getattr(said, name) == getattr(head, name) for name in _SAID_OF_IT):
                return "revised"
        self._revise(key, head, wanted, is_active)
        return "revised"

    def _revise(self, key: bytes, head: Memory, wanted: _Wanted, is_active: bool) -> None:
        """Write a new version: of an active decision in its place, of one that ended since now."""
        begun = _begun(wanted)
        assert begun.registration is not None
        fields = {
            "name": begun.name,
            "confidence": begun.confidence,
            "metadata": {**head.metadata, **begun.metadata},
            "emotion_vector": None,
        }
        said = Revised(decision=begun.content, tier=begun.epistemic_tier, tags=begun.tags, fields=fields)
        draft = revised_draft(head, said, self._now)
        assert draft.registration is not None
        registration = replace(
            draft.registration, local_id=begun.registration.local_id, details=begun.registration.details
        )
        plan = self._changes.revised if is_active else self._changes.returned
        change = plan(
            self._scope, head, replace(draft, registration=registration), self._now, compose=composed
        )
        told = f"version {change.memory.version} follows {head.version}"
        self._changes.commit(self._scope, [change], "revise" if is_active else "reinstate", told)
        self._standing[key] = change.memory

    def end_all(self, count: FileCount) -> None:
        """End the decisions whose records say so, the oldest first."""
        for wanted in sorted(self._ending, key=lambda each: (each.file.at, each.file.key)):
            self._end(wanted)
            name = "superseded" if wanted.status is DecisionStatus.SUPERSEDED else "invalidated"
            count.changes[name] += 1

    def _ended_otherwise(self, head: Memory, wanted: _Wanted) -> bool:
        """Whether a decision ended differently, or for another successor, than its record says now."""
        taking = self._taking(wanted)
        if taking is None:
            return str(wanted.status) != registration_of(head).status
        return self._taken_by(head) != taking.logical_id

    def _taking(self, wanted: _Wanted) -> Memory | None:
        successor = self.wanted.get(wanted.taken_by)
        return None if successor is None else self._standing.get(self._key(successor.draft))

    def _taken_by(self, head: Memory) -> str | None:
        """The logical id of an ended decision's successor."""
        if status_of(head) is not DecisionStatus.SUPERSEDED or head.correction_id is None:
            return None
        found = self._stages.door.asking(self._scope).fetch([head.correction_id]).get(head.correction_id)
        return None if found is None else found.logical_id

    @embedding_again
    def _end(self, wanted: _Wanted) -> None:
        """End a decision; of one that ended already, correct how it did, with the same time."""
        key, taking = self._key(wanted.draft), self._taking(wanted)
        head = self._standing[key]
        assert head is not None
        registration = replace(registration_of(head), status=str(wanted.status))
        correction_id = None if taking is None else taking.id
        gone: list[Link] = []
        if head.is_superseded:
            recorded = record_time(head, self._now)
            at = head.invalid_at or recorded
            (signals,) = self._changes.preparation.encode_again([head])
            closing = plan_closing(
                head, signals, at, recorded, correction_id=correction_id, registration=registration
            )
            reason = InvalidationReason.DISCOVERED_FALSE
            closing = replace(closing, reason=reason, follower=closing.memory.id, is_head=False)
            since = at if taking is None else max(at, taking.valid_at)
            gone = self._successions_of(head)
            action, said = "import", records_line(2)
        else:
            since = at = self._end_time(wanted, head)
            closing = self._changes.closed(
                head, self._now, registration=registration, at=at, correction_id=correction_id
            )
            action = "supersede" if wanted.status is DecisionStatus.SUPERSEDED else "invalidate"
            said = ""
        memory = replace(closing.memory, metadata={**head.metadata, **wanted.draft.metadata})
        closing = replace(closing, memory=memory, entries=(Entry(memory, closing.entries[0].embedding),))
        links = []
        if taking is not None:
            link = succession(taking, head, closing.at, since)
            links.append(replace(link, formation_trigger=_TAKEN))
        self._changes.commit(self._scope, [closing], action, said, links=links, ended_links=gone)
        self._standing[key] = memory

    def _successions_of(self, head: Memory) -> list[Link]:
        """The links that say which decision took the place of one."""
        return [
            link
            for link in self._stages.door.asking(self._scope).links([head.logical_id])
            if link.relation == Relation.SUPERSEDES
            and link.target_id == head.logical_id != link.source_id
            and link.expired_at is None
        ]

    def _end_time(self, wanted: _Wanted, head: Memory) -> datetime:
        """When a decision ended: when its successor began; for a rejected one, at once; else when its file was last
        written."""
        if (successor := self.wanted.get(wanted.taken_by)) is not None:
            at = successor.file.at
        elif wanted.file.record.status is RecordStatus.REJECTED:
            at = head.valid_at
        else:
            at = datetime.fromtimestamp(wanted.file.path.stat().st_mtime, tz=self._now.tzinfo)
        return just_after(head.valid_at, min(at, self._now))

    def link_all(self, count: FileCount) -> None:
        """Write the references between records other than supersession, and end those that are gone."""
        origins = {key: str(wanted.draft.origin) for key, wanted in self.wanted.items()}
        said = self._folder.links
        book = LinkBook(self._stages, self._scope, self._now, self._project)
        asked = tuple(
            ItemLink(
                source=origins[each],
                target=origins[other],
                relation=relation,
                project=self._project,
                fields={_SAID_IN: origins[each], "formation_trigger": "a decision record says it"},
            )
            for each, relation, other in said
        )
        book.add(Item(str(self._folder.path), None, "links", links=asked))
        book.finish()
        count.changes.update(book.outcome.as_dict())
        self._end_links({(origins[each], relation, origins[other]) for each, relation, other in said})

    def _end_links(self, said: set[tuple[str, str, str]]) -> None:
        ids = {memory.logical_id: key for key, memory in self._standing.items() if memory is not None}
        if not ids:
            return
        keys = {str(wanted.draft.origin): self._key(wanted.draft) for wanted in self.wanted.values()}
        wanted = {(keys[each], relation, keys[other]) for each, relation, other in said}
        gone = [
            link
            for link in self._stages.door.asking(self._scope).links(sorted(ids))
            if _SAID_IN in link.extra
            and link.source_id in ids
            and link.target_id in ids
            and (ids[link.source_id], link.relation, ids[link.target_id]) not in wanted
        ]
        why = "its record does not say it any more"
        save_links(self._stages.door, self._scope, self._now, (), gone, why)

    def _known(self) -> dict[bytes, Memory | None]:
        """Origin keys of records imported before -> their current memory; None if it was forgotten."""
        keys = [self._key(wanted.draft) for wanted in self.wanted.values()]
        known = self._stages.known_origins(self._scope, self._project, keys)
        there = self._stages.door.asking(self._scope).fetch(
            [each for each in known.values() if each is not None]
        )
        return {key: None if each is None else there.get(each) for key, each in known.items()}

    def _key(self, draft: Draft) -> bytes:
        return self._stages.origin_key(self._scope, draft)


def _begun(wanted: _Wanted) -> Draft:
    """The first draft of a decision. If it is to end, its digest is written with its end, so that an interrupted import
    continues."""
    if wanted.status is DecisionStatus.ACTIVE:
        return wanted.draft
    said = {**wanted.draft.metadata["adr"], "digest": "ending"}
    return replace(wanted.draft, metadata={**wanted.draft.metadata, "adr": said})


def _digest(metadata: Mapping[str, Any]) -> object:
    said = metadata.get("adr")
    return said.get("digest") if isinstance(said, Mapping) else None
