"""The stages of a forge; assembly builds each when it is first needed."""

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
    from engramforge.indexing.calibrations import Calibrations
    from engramforge.indexing.encoders import Encoders
    from engramforge.model.embeddings.reembedding import Choice
    from engramforge.model.scope import Scope
    from engramforge.model.spaces import Space
    from engramforge.recall.retrieval import Retriever
    from engramforge.registries.decisions.decision_changes import Decisions
    from engramforge.registries.decisions.decision_reading import DecisionReading
    from engramforge.registries.detected.review import Review
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
    from engramforge.writing.preparing import Preparation
    from engramforge.writing.revision import Revision
    from engramforge.writing.undo import Undo


class Stages(Protocol):
    """The stages over one store."""

    @property
    def door(self) -> Door:
        """The store."""

    @property
    def encoder(self) -> Encoders:
        """The encoders of memories and questions."""

    @property
    def retriever(self) -> Retriever:
        """Answers recalls."""

    @property
    def clock(self) -> Callable[[], datetime]:
        """The clock, with a time zone."""

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
        """Writes new memories."""

    @property
    def revision(self) -> Revision:
        """Writes new versions."""

    @property
    def preparation(self) -> Preparation:
        """Checks, redacts and encodes drafts."""

    @property
    def undo(self) -> Undo:
        """Undoes changes."""

    @property
    def linkage(self) -> Linkage:
        """Writes and ends links."""

    @property
    def decision_reading(self) -> DecisionReading:
        """Reads the registry of decisions."""

    @property
    def decisions(self) -> Decisions:
        """The registry of decisions."""

    @property
    def thread_reading(self) -> ThreadReading:
        """Reads the registry of threads."""

    @property
    def threads(self) -> Threads:
        """The registry of threads."""

    @property
    def lineage_reading(self) -> LineageReading:
        """Reads the registry of lineage."""

    @property
    def lineage(self) -> Lineage:
        """The registry of lineage."""

    @property
    def review(self) -> Review:
        """The review of detections."""

    @property
    def compressing(self) -> Compressing:
        """Makes archives."""

    @property
    def continuing(self) -> Continuing:
        """Continues from archives."""

    @property
    def context_loading(self) -> ContextLoading:
        """Loads context for questions."""

    @property
    def calibrating(self) -> Calibrating:
        """Fits the calibrations."""

    @property
    def relations(self) -> Relations:
        """Keeps the relational spaces up to date."""

    @property
    def sweeping(self) -> Sweeping:
        """Sweeps over every record."""

    @property
    def reembedding(self) -> Reembedding:
        """Moves the store between encoders."""

    @property
    def importing(self) -> Importing:
        """Imports files and folders."""

    def syncing(self, scope: Scope) -> Syncing:
        """The sources of an agent."""
        ...
