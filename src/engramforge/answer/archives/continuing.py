"""Continue: a conversation continues from an archive, with the present state of the registries.

    read -> find the edge -> complete it, or record another -> what its entries are now -> where the archive differs

An archive from another store or tool brings entries unknown to this store's registries; they are registered with the
archive as their evidence. What was forgotten here is never registered again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from typing import Final

from engramforge.answer.archives.archive_entries import Brought, Place, Registering, witnessed
from engramforge.answer.archives.continued_state import CurrentState
from engramforge.answer.archives.conversation_contents import Gathering
from engramforge.answer.archives.describing import entries_in
from engramforge.answer.archives.stored_texts import ArchiveKeeping, PlannedText
from engramforge.core.archive_format.head import UNKNOWN_TIME
from engramforge.core.archive_format.reader import read_archive, without
from engramforge.core.archive_format.writer import write_archive
from engramforge.core.checks.validation import check_name
from engramforge.errors import InvalidSource, InvalidValue
from engramforge.model.limits import ARCHIVE_BYTES, NAME_CHARACTERS
from engramforge.model.link import Link
from engramforge.model.memory import DEFAULT_PROJECT, Kind, Memory
from engramforge.model.registries.archive import ArchiveContent, Continuation
from engramforge.model.registries.entry import EntryQuery, ThreadStatus
from engramforge.model.registries.lineage import LineageEdge
from engramforge.model.scope import Scope
from engramforge.registries.archived import Shown, copied_from, shown_in
from engramforge.registries.lineage.lineage_changes import Lineage, NewEdge
from engramforge.registries.lineage.lineage_reading import edge_of
from engramforge.registries.registered import mentioned_in, registration_of
from engramforge.store.door import Transaction
from engramforge.writing.changes import VersionChanges
from engramforge.writing.repeating import embedding_again

_UNNAMED: Final = "unnamed-archive-"


@dataclass(frozen=True, slots=True)
class Archived:
    """An archive as read, with its origin and destination; `text` is as given.

    `is_of_store`: whether this store wrote it, for whatever agent. `shown`: what the store has of it.
    """

    text: str
    content: ArchiveContent
    place: Place
    problems: tuple[str, ...]
    is_of_store: bool
    shown: Shown


@dataclass(frozen=True, slots=True)
class Continuing:
    """Lets conversations go on from archives."""

    changes: VersionChanges
    gathering: Gathering
    lineage: Lineage
    registering: Registering
    keeping: ArchiveKeeping
    state: CurrentState

    def continue_from(
        self, scope: Scope, text: str, conversation: str, project: str | None = None
    ) -> Continuation:
        """Continue from an archive; repeating the call changes nothing and reports the state at that time.

        Raises InvalidSource: the text is no archive, of an unknown version, or larger than one may be; InvalidValue:
        the conversation is the compressed one, or one of its ancestors.
        """
        its = check_name(conversation, "conversation")
        archived, edge, brought = self._recorded(scope, text, its, project)
        problems = (*archived.problems, *brought.told)
        return self.state.tell(scope, brought.content, edge, archived.place.is_ours, problems)

    def _read(self, scope: Scope, text: str, conversation: str, project: str | None) -> Archived:
        if isinstance(text, str) and len(text) > ARCHIVE_BYTES:
            raise InvalidSource(
                f"The text has {len(text):,} characters, more than the {ARCHIVE_BYTES:,} of an archive",
                "Compress the conversation lossy",
            )
        if isinstance(text, str):
            # Its texts become entries and a memory of this store, whoever wrote it and added to it.
            text = self.keeping.preparation.redactor.redact_archive(text).text
        read = read_archive(text)
        if not read.is_known:
            raise InvalidSource(
                "The archive is of a version of the format that is not known here",
                "Upgrade engramforge to read it",
            )
        content, store = read.content, read.content.external_store
        source = _name_of(content.conversation_id)
        if not source:
            # The same text gets the same name, so that continuing from it again is recognised.
            digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6)
            source = _UNNAMED + digest.hexdigest()
        if conversation == source:
            raise InvalidValue(
                f"The conversation {conversation!r} would go on from itself",
                "Name the conversation that goes on",
            )
        named = _name_of(content.project) or DEFAULT_PROJECT
        place = Place(
            source=source,
            conversation=conversation,
            project=named if project is None else check_name(project, "project"),
            is_ours=(store.get("store_id"), store.get("agent"))
            == (self.changes.door.identity.store_id, scope.agent),
        )
        is_of_store = store.get("store_id") == self.changes.door.identity.store_id
        shown = shown_in(self.changes.door, scope, content)
        return Archived(text, content, place, read.problems, is_of_store, shown)

    @embedding_again
    def _recorded(
        self, scope: Scope, text: str, conversation: str, project: str | None
    ) -> tuple[Archived, LineageEdge, Brought]:
        """The edge that leads to the conversation, with everything that the archive brings registered."""
        archived = self._read(scope, text, conversation, project)
        now = self.changes.clock()
        place = archived.place
        first = self.lineage.reading.recorded(scope, archived.content.lineage_id)
        carrying = self._earlier_edges(scope, archived) if first is None else [edge_of(first)]
        ids = [id_ for edge in carrying for id_ in (*edge.decisions_carried, *edge.threads_carried)]
        carried = self.gathering.named(scope, ids)
        gone = archived.shown.gone if archived.is_of_store else frozenset()
        brought = self.registering.plan(scope, archived.content, place, carried, now, gone)
        there = [edge for edge in carrying if edge.target_conversation_id == place.conversation]
        noting = _noting(place.conversation, brought.known)
        if first is not None:
            edge = self.lineage.complete(scope, first, place.conversation, noting)
        elif there:
            edge = there[0]
        else:
            return archived, self._new_edge(scope, archived, brought, now, noting), brought
        if brought.changes:
            self._keep(scope, archived, brought, now)
        self._mention(scope, place.conversation, brought.known, noting)
        return archived, edge, brought

    def _earlier_edges(self, scope: Scope, archived: Archived) -> list[LineageEdge]:
        """The edges that earlier calls recorded for an archive that this store did not write."""
        query = EntryQuery(kind=Kind.LINEAGE, conversations=(archived.place.source,))
        tag = archived.content.compression_tag[:NAME_CHARACTERS].strip()
        found = [edge_of(entry) for entry in self.changes.door.asking(scope).entries(query)]
        return [edge for edge in found if edge.compression_tag == tag and edge.target_conversation_id]

    def _new_edge(
        self,
        scope: Scope,
        archived: Archived,
        brought: Brought,
        now: datetime,
        noting: Callable[[Transaction], list[str]],
    ) -> LineageEdge:
        """Record an edge for an archive of another store, with the entries that it brings, in one transaction."""
        place, content = archived.place, brought.content
        entries = [*brought.known, *(change.memory for change in brought.changes)]
        standing = [entry for entry in entries if not entry.is_superseded]
        written, turns = content.compressed_at, content.turn_range
        asked = NewEdge(
            source=place.source,
            target=place.conversation,
            tag=content.compression_tag[:NAME_CHARACTERS].strip(),
            mode=content.compression_mode,
            turn_range=turns if turns is not None and 1 <= turns[0] <= turns[1] < 2**53 else None,
            decisions_carried=[memory for memory in standing if memory.kind is Kind.DECISION],
            threads_carried=[
                memory
                for memory in standing
                if memory.kind is Kind.THREAD and registration_of(memory).status == ThreadStatus.OPEN
            ],
            bridge_summary="An archive of another store.",
            project=place.project,
            local_ids={entry.id: entry.local_id for entry in entries_in(content) if entry.id},
            compressed_at=None if written == UNKNOWN_TIME or written > now else written,
        )
        text = self._text(scope, archived, now)
        plan = self.lineage.plan(scope, replace(asked, archive_id=text.id), now)
        # How often it was carried so far is in the archive already.
        plan = replace(plan, counts=False)
        fresh, links = witnessed(brought.changes, text.memory)
        changes = [*text.changes, *fresh, plan.change]

        def beside(writes: Transaction) -> None:
            plan.write_beside(writes)
            noting(writes)

        copies = self._copies(archived, brought, text)
        self.changes.commit(scope, changes, "compress", links=links, copies=copies, beside=beside)
        return plan.edge

    def _keep(self, scope: Scope, archived: Archived, brought: Brought, now: datetime) -> None:
        """Register entries of a known archive that no registry has: those that a person wrote into it."""
        text = self._text(scope, archived, now)
        entries, links = witnessed(brought.changes, text.memory)
        copies = self._copies(archived, brought, text)
        self.changes.commit(scope, [*text.changes, *entries], "remember", links=links, copies=copies)

    def _text(self, scope: Scope, archived: Archived, now: datetime) -> PlannedText:
        """The text to keep: as given, or without what this store has forgotten since."""
        place, text = archived.place, archived.text
        if archived.is_of_store and (archived.shown.gone or archived.shown.lost_text):
            text = write_archive(without(archived.content, archived.shown.gone))
        return self.keeping.plan(scope, place.project, place.conversation, text, now)

    def _copies(self, archived: Archived, brought: Brought, text: PlannedText) -> list[Link]:
        """The links that bind a kept text to all that it shows."""
        if text.memory is None:
            return []
        known = [entry.logical_id for entry in brought.known]
        sources = tuple(dict.fromkeys((*archived.shown.sources, *known)))
        return copied_from(text.memory, replace(archived.shown, sources=sources))

    def _mention(
        self,
        scope: Scope,
        conversation: str,
        entries: Sequence[Memory],
        noting: Callable[[Transaction], list[str]],
    ) -> None:
        """Note by itself which entries the conversation inherits, where its edge had been recorded before."""
        fresh = self.changes.door.asking(scope).fetch([entry.logical_id for entry in entries])
        if all(conversation in registration_of(entry).conversations for entry in fresh.values()):
            return

        def noted(writes: Transaction) -> None:
            if mentioned := noting(writes):
                writes.audit("mention", mentioned[-1], "", self.changes.clock())

        self.changes.door.write(scope, noted)


def _noting(conversation: str, entries: Sequence[Memory]) -> Callable[[Transaction], list[str]]:
    """What notes in place, inside a transaction, that a conversation mentions the entries that it inherits; it gives
    the logical ids of those that did not mention it yet."""
    ids = [entry.logical_id for entry in entries if conversation not in registration_of(entry).conversations]

    def note(writes: Transaction) -> list[str]:
        noted = []
        for memory in writes.fetch(ids).values() if ids else ():
            registration = registration_of(memory)
            mentions = mentioned_in(registration, conversation)
            if mentions != registration.conversations:
                writes.note_use(memory, replace(registration, conversations=mentions))
                noted.append(memory.logical_id)
        return noted

    return note


def _name_of(text: str) -> str:
    """A name on a single line, cut to the longest allowed."""
    return " ".join(text.split())[:NAME_CHARACTERS].strip()
