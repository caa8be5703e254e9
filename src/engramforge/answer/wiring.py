"""The parts of archives put together over the store: what `em.archives` is made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engramforge.answer.archives.compressing import Compressing
from engramforge.answer.archives.continued_state import CurrentState
from engramforge.answer.archives.continuing import Continuing
from engramforge.answer.archives.gathering import Gathering
from engramforge.answer.archives.keeping import ArchiveKeeping
from engramforge.answer.archives.matching import ContextMatching
from engramforge.answer.archives.registering import Registering
from engramforge.answer.archives.related import RelatedDecisions
from engramforge.recall.retrieval import Retriever
from engramforge.registries.decisions.decision_reading import DecisionReading
from engramforge.registries.entry_changes import EntryChanges
from engramforge.registries.lineage.lineage_changes import Lineage
from engramforge.registries.lineage.lineage_reading import LineageReading
from engramforge.registries.threads.thread_reading import ThreadReading
from engramforge.writing.intake import Intake


@dataclass(frozen=True)
class ArchiveParts:
    """What makes archives and goes on from them.

    Parameters
    ----------
    changes, intake : the ways in.
    retriever, decisions : the ways to what is there.
    """

    changes: EntryChanges
    intake: Intake
    retriever: Retriever
    decisions: DecisionReading

    @cached_property
    def compressing(self) -> Compressing:
        """The way to an archive."""
        return Compressing(
            self.changes,
            self._gathering,
            Lineage(self.changes),
            self._lineage,
            self._related,
            ContextMatching(self.retriever, self.changes.clock),
            ArchiveKeeping(self.intake),
        )

    @cached_property
    def continuing(self) -> Continuing:
        """The way on from one."""
        return Continuing(
            self.changes,
            self._gathering,
            Lineage(self.changes),
            Registering(self.changes, self._gathering),
            ArchiveKeeping(self.intake),
            CurrentState(self.changes.door, self._gathering, self._related, self.changes.clock),
        )

    @cached_property
    def _lineage(self) -> LineageReading:
        return LineageReading(self.changes.door)

    @cached_property
    def _gathering(self) -> Gathering:
        door = self.changes.door
        return Gathering(door, self.decisions, ThreadReading(door), self._lineage, self.changes.clock)

    @cached_property
    def _related(self) -> RelatedDecisions:
        return RelatedDecisions(self.changes.door, self.retriever, self.changes.clock)
