"""What a forge is made of; assembly builds it, each stage when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from engramforge.answer.archives.compressing import Compressing
    from engramforge.answer.archives.continuing import Continuing
    from engramforge.answer.context import ContextLoading
    from engramforge.capture.imports.importing import Importing
    from engramforge.capture.sync.syncing import Syncing
    from engramforge.capture.undo import Undo
    from engramforge.indexing.calibrations import Calibrations
    from engramforge.indexing.encoders import Encoders
    from engramforge.model.embeddings.reembedding import Choice
    from engramforge.model.scope import Scope
    from engramforge.model.spaces import Space
    from engramforge.recall.retrieval import Retriever
    from engramforge.registries.decisions.decision_changes import Decisions
    from engramforge.registries.decisions.decision_reading import DecisionReading
    from engramforge.registries.detected.review import Review
    from engramforge.registries.entry_changes import EntryChanges
    from engramforge.registries.lineage.lineage_changes import Lineage
    from engramforge.registries.lineage.lineage_reading import LineageReading
    from engramforge.registries.threads.thread_changes import Threads
    from engramforge.registries.threads.thread_reading import ThreadReading
    from engramforge.store.door import Door
    from engramforge.upkeep.calibrating import Calibrating
    from engramforge.upkeep.reembedding import Reembedding
    from engramforge.upkeep.relations import Relations
    from engramforge.upkeep.sweeping import Sweeping
    from engramforge.writing.intake import Intake
    from engramforge.writing.linkage import Linkage
    from engramforge.writing.revision import Revision


class Stages(Protocol):
    """The stages over one store."""

    @property
    def door(self) -> Door:
        """The store."""

    @property
    def encoder(self) -> Encoders:
        """What embeds memories and questions."""

    @property
    def retriever(self) -> Retriever:
        """The way back to what is there."""

    @property
    def clock(self) -> Callable[[], datetime]:
        """The time, aware of its zone."""

    @property
    def choices(self) -> Mapping[Space, Choice]:
        """The encoders that the settings want."""

    @property
    def markdown_globs(self) -> Sequence[str]:
        """Which files of a folder count as Markdown; empty for the usual ones."""

    @property
    def calibrations(self) -> Calibrations:
        """The calibrations of the store, as they are fitted."""

    @property
    def intake(self) -> Intake:
        """The way in."""

    @property
    def revision(self) -> Revision:
        """The way to a new version."""

    @property
    def undo(self) -> Undo:
        """The way back from a change."""

    @property
    def linkage(self) -> Linkage:
        """The way to a link."""

    @property
    def entry_changes(self) -> EntryChanges:
        """The way to a change of a registry's entry."""

    @property
    def decision_reading(self) -> DecisionReading:
        """The way to what was decided."""

    @property
    def decisions(self) -> Decisions:
        """The way to a decision."""

    @property
    def thread_reading(self) -> ThreadReading:
        """The way to what is open."""

    @property
    def threads(self) -> Threads:
        """The way to a thread."""

    @property
    def lineage_reading(self) -> LineageReading:
        """The way to what goes on from what."""

    @property
    def lineage(self) -> Lineage:
        """The way to an edge of lineage."""

    @property
    def review(self) -> Review:
        """The way to what waits for review."""

    @property
    def compressing(self) -> Compressing:
        """The way to an archive."""

    @property
    def continuing(self) -> Continuing:
        """The way on from an archive."""

    @property
    def context_loading(self) -> ContextLoading:
        """The way to context for a question."""

    @property
    def calibrating(self) -> Calibrating:
        """What fits the calibrations to what the store holds."""

    @property
    def relations(self) -> Relations:
        """What keeps the relational spaces up to date."""

    @property
    def sweeping(self) -> Sweeping:
        """What looks at every record."""

    @property
    def reembedding(self) -> Reembedding:
        """The way from one encoder to another."""

    @property
    def importing(self) -> Importing:
        """The way in for files and folders."""

    def syncing(self, scope: Scope) -> Syncing:
        """The sources of an agent."""
        ...
