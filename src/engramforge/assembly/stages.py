"""The stages of a forge over one store, each built when it is first needed: a cold recall loads none of writing."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from engramforge.assembly.conflict_stages import ConflictStages
from engramforge.assembly.learned_stages import LearnedStages
from engramforge.assembly.model_stages import ModelStages
from engramforge.assembly.once import once
from engramforge.assembly.stream_stages import StreamStages
from engramforge.assembly.upkeep_stages import UpkeepStages
from engramforge.indexing.calibrations import Calibrations
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.reembedding import Choice
from engramforge.model.memory import Draft, Memory
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.recall.retrieval import Retriever
from engramforge.spaces.model_workshop import ModelWorkshop
from engramforge.store.door import Door

if TYPE_CHECKING:
    from engramforge.answer.archives.compressing import Compressing
    from engramforge.answer.archives.continuing import Continuing
    from engramforge.answer.archives.conversation_contents import Gathering
    from engramforge.answer.archives.related import RelatedDecisions
    from engramforge.answer.archives.stored_texts import ArchiveKeeping
    from engramforge.answer.context import ContextLoading
    from engramforge.answer.injection.injecting import Injecting
    from engramforge.answer.oracle.consulting import SecondStore
    from engramforge.capture.detecting import Detecting
    from engramforge.capture.imports.importing import Importing
    from engramforge.capture.live.taking import LiveCapture
    from engramforge.capture.sync.syncing import Syncing
    from engramforge.capture.watching.watching import Watching
    from engramforge.forge.injection_log import InjectionLog
    from engramforge.forge.uses import UseCounts
    from engramforge.llm.options import ModelOptions
    from engramforge.model.embeddings.encoder_spec import EncoderSpec
    from engramforge.registries.decisions.decision_changes import Decisions
    from engramforge.registries.decisions.decision_reading import DecisionReading
    from engramforge.registries.detected.detected_entries import Detected
    from engramforge.registries.detected.detected_lineage import DetectedLineage
    from engramforge.registries.detected.review import Review
    from engramforge.registries.lenses.role_registry import RoleRegistry
    from engramforge.registries.lineage.lineage_changes import Lineage
    from engramforge.registries.lineage.lineage_reading import LineageReading
    from engramforge.registries.threads.thread_changes import Threads
    from engramforge.registries.threads.thread_view import ThreadReading
    from engramforge.spaces.encoder import Picture
    from engramforge.upkeep.calibrating import Calibrating
    from engramforge.upkeep.reembedding import Reembedding
    from engramforge.writing.changes import VersionChanges
    from engramforge.writing.intake import Intake
    from engramforge.writing.linkage import Linkage
    from engramforge.writing.preparing import Preparation
    from engramforge.writing.revision import Revision
    from engramforge.writing.undo import Undo


@dataclass
class WiredStages(ModelStages, LearnedStages, ConflictStages, StreamStages, UpkeepStages):
    """The stages over one store; `forge.stages.Stages` says what a forge needs of them.

    Parameters
    ----------
    choices : the encoders that the settings ask for; workshop : makes them.
    detects : whether incoming messages are read for decisions and threads.
    detection_threshold : the confidence from which a detection becomes an entry, 0..1.
    sitting_minutes : how far apart two memories of an implied session may come; 0 for none.
    home : the settings' folder, for files that are not part of the store, such as locks.
    model_options, fallback : the language model, and the oracle's second store; None: there is none.
    conflict_judge, reranker, injection_order : as in the settings.
    """

    door: Door
    encoder: Encoders
    retriever: Retriever
    clock: Callable[[], datetime]
    workshop: ModelWorkshop
    choices: Mapping[Space, Choice] = field(default_factory=dict)
    detects: bool = False
    detection_threshold: float = 1.0
    sitting_minutes: float = 0
    excluded_projects: tuple[str, ...] = ()
    markdown_globs: tuple[str, ...] = ()
    home: Path | None = None
    model_options: ModelOptions | None = None
    fallback: SecondStore | None = None
    conflict_judge: EncoderSpec | str | None = None
    reranker: EncoderSpec | None = None
    injection_order: tuple[str, ...] = ()

    def close(self) -> None:
        """Let go of the store, and of the oracle's second one."""
        self.door.close()
        if self.fallback is not None:
            self.fallback.close()

    @once
    def calibrations(self) -> Calibrations:
        """The store's calibrations, as currently fitted."""
        return self.retriever.calibrations

    @once
    def uses(self) -> UseCounts:
        """Counts how memories are used."""
        from engramforge.forge.uses import UseCounts

        return UseCounts(self.door)

    @once
    def intake(self) -> Intake:
        """Writes new memories."""
        from engramforge.capture.linking import Linking
        from engramforge.recall.nearby import Nearby
        from engramforge.writing.intake import Intake
        from engramforge.writing.linkage import Resolving
        from engramforge.writing.sittings import Sittings

        within = timedelta(minutes=self.sitting_minutes)
        sittings = Sittings(self.door, within) if within else None
        nearby = Nearby(self.door, self.calibrations, self.against)
        linking = Linking(self.door, self.detecting, Resolving(self.changes), self.detects)
        return Intake(self.door, self.preparation, self.clock, linking, sittings, nearby.near)

    @once
    def detecting(self) -> Detecting:
        """Reads what comes in for decisions and threads, by rules."""
        from engramforge.capture.detecting import Detecting
        from engramforge.core.detection.rule_extractor import RuleExtractor

        return Detecting(
            self.door, RuleExtractor(), lambda: self._detected, lambda: self._detected_lineage, self.detects
        )

    @once
    def preparation(self) -> Preparation:
        """Checks, redacts and encodes drafts."""
        from engramforge.writing.preparing import Preparation
        from engramforge.writing.redact import Redactor

        return Preparation(self.door, self.encoder, Redactor(), self.clock)

    @once
    def revision(self) -> Revision:
        """Writes new versions of plain memories."""
        from engramforge.writing.revision import Revision

        return Revision(self.changes, self.detecting)

    @once
    def undo(self) -> Undo:
        """Undoes changes."""
        from engramforge.writing.undo import Undo

        return Undo(self.door, self.preparation, self.clock)

    @once
    def linkage(self) -> Linkage:
        """Writes and ends links."""
        from engramforge.registries.threads.resolved_with import ResolvedWith
        from engramforge.writing.linkage import Linkage, Resolving
        from engramforge.writing.redact import Redactor

        resolving = Resolving(self.changes)
        return Linkage(self.door, Redactor(), self.clock, resolving, ResolvedWith(self.threads))

    @once
    def changes(self) -> VersionChanges:
        """Plans and commits changes of versions."""
        from engramforge.writing.changes import VersionChanges

        return VersionChanges(self.door, self.preparation, self.clock)

    @once
    def decision_reading(self) -> DecisionReading:
        """Reads the registry of decisions."""
        from engramforge.registries.decisions.decision_reading import DecisionReading

        return DecisionReading(self.door, self.retriever, self.clock)

    @once
    def decisions(self) -> Decisions:
        """The registry of decisions."""
        from engramforge.registries.decisions.decision_changes import Decisions

        return Decisions(self.changes, self.decision_reading)

    @once
    def thread_reading(self) -> ThreadReading:
        """Reads the registry of threads."""
        from engramforge.registries.threads.thread_view import ThreadReading

        return ThreadReading(self.door, self.retriever, self.clock)

    @once
    def threads(self) -> Threads:
        """The registry of threads."""
        from engramforge.registries.threads.thread_changes import Threads

        return Threads(self.changes, self.thread_reading)

    @once
    def lineage_reading(self) -> LineageReading:
        """Reads the registry of lineage."""
        from engramforge.registries.lineage.lineage_reading import LineageReading

        return LineageReading(self.door, self.retriever, self.clock)

    @once
    def lineage(self) -> Lineage:
        """The registry of lineage."""
        from engramforge.registries.lineage.lineage_changes import Lineage

        return Lineage(self.changes, self.lineage_reading)

    @once
    def review(self) -> Review:
        """The review of detections."""
        from engramforge.registries.detected.review import Review

        return Review(self.changes, self._detected)

    @once
    def _detected(self) -> Detected:
        from engramforge.registries.detected.detected_entries import Detected

        return Detected(self.changes, self.detection_threshold)

    @once
    def _detected_lineage(self) -> DetectedLineage:
        from engramforge.registries.detected.detected_lineage import DetectedLineage

        return DetectedLineage(self.changes, self.lineage)

    @once
    def importing(self) -> Importing:
        """Imports files and folders."""
        from engramforge.capture.imports.importing import Importing

        globs, excluded = self.markdown_globs, self.excluded_projects
        return Importing(
            self.changes, self.intake, self.revision, markdown_globs=globs, excluded_projects=excluded
        )

    @once
    def live_capture(self) -> LiveCapture:
        """Takes hook events in."""
        from engramforge.capture.live.summaries import Summaries
        from engramforge.capture.live.taking import LiveCapture

        summaries = Summaries(self.door, self.intake, self.revision)
        return LiveCapture(self.door, self.intake, summaries, self.clock, self.excluded_projects)

    def syncing(self, scope: Scope) -> Syncing:
        """Syncs an agent's sources."""
        from engramforge.capture.sync.syncing import Syncing
        from engramforge.writing.redact import Redactor

        folder = self.home or Path(tempfile.gettempdir())
        return Syncing(self.door, self.clock, lambda: self.importing, scope, folder, Redactor())

    def watching(self, scope: Scope) -> Watching:
        """Watches an agent's folders."""
        from engramforge.capture.watching.watching import Watching
        from engramforge.writing.redact import Redactor

        folder, excluded = self.home or Path(tempfile.gettempdir()), self.excluded_projects
        return Watching(self.door, self.clock, lambda: self.importing, scope, folder, Redactor(), excluded)

    @once
    def compressing(self) -> Compressing:
        """Makes archives."""
        from engramforge.answer.archives.compressing import Compressing
        from engramforge.answer.archives.related import ContextMatching

        return Compressing(
            self.changes,
            self._gathering,
            self.lineage,
            self.lineage_reading,
            self._related,
            ContextMatching(self.retriever, self.clock),
            self._keeping,
        )

    @once
    def continuing(self) -> Continuing:
        """Continues from archives."""
        from engramforge.answer.archives.archive_entries import Registering
        from engramforge.answer.archives.continued_state import CurrentState
        from engramforge.answer.archives.continuing import Continuing

        return Continuing(
            self.changes,
            self._gathering,
            self.lineage,
            Registering(self.changes, self._gathering),
            self._keeping,
            CurrentState(self.door, self._gathering, self._related, self.clock),
        )

    @once
    def _gathering(self) -> Gathering:
        from engramforge.answer.archives.conversation_contents import Gathering

        return Gathering(
            self.door, self.decision_reading, self.thread_reading, self.lineage_reading, self.clock
        )

    @once
    def _related(self) -> RelatedDecisions:
        from engramforge.answer.archives.related import RelatedDecisions

        return RelatedDecisions(self.door, self.retriever, self.clock, self.conflict_registry)

    @once
    def _keeping(self) -> ArchiveKeeping:
        from engramforge.answer.archives.stored_texts import ArchiveKeeping

        return ArchiveKeeping(self.preparation)

    @once
    def context_loading(self) -> ContextLoading:
        """Loads context for questions."""
        from engramforge.answer.context import ContextLoading

        return ContextLoading(self.retriever, self.decision_reading, self.thread_reading, self.clock)

    @once
    def role_registry(self) -> RoleRegistry:
        """The registry of roles and lenses."""
        from engramforge.registries.lenses.role_registry import RoleRegistry

        return RoleRegistry(self.door, self.clock)

    @once
    def injecting(self) -> Injecting:
        """Makes what is put before a model unasked."""
        from engramforge.answer.choosing import Choosing
        from engramforge.answer.injection.injecting import Injecting
        from engramforge.core.injection.gate import Gate

        in_order = Choosing(self.door, self.injection_order).in_order
        return Injecting(self.door, self.retriever, self.clock, Gate(), self.shift_watching, in_order)

    @once
    def injection_log(self) -> InjectionLog:
        """Records what was injected."""
        from engramforge.forge.injection_log import InjectionLog

        return InjectionLog(self.door)

    @once
    def calibrating(self) -> Calibrating:
        """Fits the calibrations."""
        from engramforge.upkeep.calibrating import Calibrating

        return Calibrating(self.door, self.encoder, self.calibrations, self.clock)

    @once
    def reembedding(self) -> Reembedding:
        """Moves the store from one encoder to another; images are read again from their files."""
        from engramforge.upkeep.reembedding import Reembedding

        def seen(memory: Memory) -> tuple[Picture, ...]:
            from engramforge.writing.pictures import pictures_of

            return pictures_of(Draft(content=memory.content, attachments=memory.attachments), whole=True)

        everything = Scope(self.door.identity.tenant, every_agent=True)
        return Reembedding(self.door, everything, self.encoder, self.workshop, seen)
