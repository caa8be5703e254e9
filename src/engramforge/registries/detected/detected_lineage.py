"""The lineage edge to a conversation that begins with an archive of another one.

The edge that the compression recorded is completed; if the store has none, as for an archive of another store, a new
one is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from engramforge.core.archive_format.reader import read_archive
from engramforge.errors import CallerError, InvalidValue, PlanOutdated
from engramforge.model.link import Link
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.archive import ArchiveContent, ArchivedDecision, ArchivedThread
from engramforge.model.registries.entry import EntryQuery
from engramforge.model.scope import Scope
from engramforge.registries.archived import archives_of, copied_from, shown_in
from engramforge.registries.detected.consequences import DetectedWrite
from engramforge.registries.lineage.lineage_changes import Lineage, NewEdge, check_onward
from engramforge.registries.lineage.lineage_reading import LONGEST, source_of
from engramforge.registries.registered import registration_of
from engramforge.store.door import Transaction
from engramforge.writing.changes import VersionChanges


@dataclass(frozen=True, slots=True)
class DetectedLineage:
    """Plans edges."""

    changes: VersionChanges
    lineage: Lineage

    def plan(self, scope: Scope, message: Memory, text: str, now: datetime) -> DetectedWrite | None:
        """The consequences of a conversation beginning with this archive; None if there are none, or it would close a
        circle.

        `message` is of a conversation (`session_id`).
        """
        try:
            return self._planned(scope, message, read_archive(text).content, now)
        except CallerError:
            # A damaged archive never blocks a message.
            return None

    def copy(self, scope: Scope, message: Memory, text: str) -> DetectedWrite | None:
        """What binds a message that holds the texts of archives to all that they show, to be forgotten with it."""
        links: dict[str, Link] = {}
        for content in archives_of(text):
            shown = shown_in(self.changes.door, scope, content)
            if shown.kept is not None:
                # The kept text is bound to what it shows; only what this copy has beside that needs a link of its own.
                bound = self.changes.door.asking(scope).links([shown.kept.logical_id])
                covered = {link.target_id for link in bound if link.source_id == shown.kept.logical_id}
                shown = replace(shown, sources=tuple(each for each in shown.sources if each not in covered))
            links |= {link.target_id: link for link in copied_from(message, shown)}
        if not links:
            return None
        return DetectedWrite(message, copies=list(links.values()))

    def _planned(
        self, scope: Scope, message: Memory, content: ArchiveContent, now: datetime
    ) -> DetectedWrite | None:
        target, source = message.session_id or "", content.conversation_id
        first = self.lineage.reading.recorded(scope, content.lineage_id)
        source = source_of(first) if first is not None else source
        if not source or source == target or self._goes_on(scope, source, target):
            return None
        write = DetectedWrite(message)
        if first is not None and registration_of(first).continuation is None:
            completed = self.lineage.completed(scope, first, target, now)
            write.changes.append(completed)
        else:
            plan = self.lineage.plan(scope, _asked(message, content, source, target), now)
            write.changes.append(plan.change)
            write.besides.append(plan.write_beside)
        write.besides.insert(0, _apart(source, target))
        return write

    def _goes_on(self, scope: Scope, source: str, target: str) -> bool:
        """Whether the edge exists already, or would close a circle."""
        query = EntryQuery(kind=Kind.LINEAGE, conversations=(source,), continuations=(target,), limit=1)
        if self.changes.door.asking(scope).entries(query):
            return True
        onward = self.changes.door.asking(scope).lineage(target, False, LONGEST)
        return any(edge.continuation == source for edge in onward)


def _asked(message: Memory, content: ArchiveContent, source: str, target: str) -> NewEdge:
    """A new edge described by an archive; its entries are registered when a conversation continues from it."""
    named: list[ArchivedDecision | ArchivedThread] = [*content.decisions, *content.threads]
    return NewEdge(
        source=source,
        target=target,
        tag=content.compression_tag,
        mode=content.compression_mode,
        turn_range=content.turn_range,
        project=message.project,
        local_ids={each.id: each.local_id for each in named if each.id},
        compressed_at=min(content.compressed_at, message.valid_at),
        recorded_at=message.created_at,
        level=message.level,
    )


def _apart(source: str, target: str) -> Callable[[Transaction], None]:
    """A check inside the transaction that no circle was closed meanwhile."""

    def check(writes: Transaction) -> None:
        try:
            check_onward(writes, source, target)
        except InvalidValue as error:
            raise PlanOutdated(error.fault, "Repeat the call") from error

    return check
