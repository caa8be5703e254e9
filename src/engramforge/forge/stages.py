"""The stages that a forge works with. Assembly builds each when it is first needed (assembly/stages.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    from engramforge.registries.threads.thread_view import ThreadReading
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
    """The stages over one store.

    `choices`: the encoders that the settings want. `markdown_globs`: which files of a folder count as Markdown.
    """

    door: Door
    encoder: Encoders
    retriever: Retriever
    clock: Callable[[], datetime]
    choices: Mapping[Space, Choice]
    markdown_globs: tuple[str, ...]
    calibrations: Calibrations
    intake: Intake
    revision: Revision
    preparation: Preparation
    undo: Undo
    linkage: Linkage
    decision_reading: DecisionReading
    decisions: Decisions
    thread_reading: ThreadReading
    threads: Threads
    lineage_reading: LineageReading
    lineage: Lineage
    review: Review
    compressing: Compressing
    continuing: Continuing
    context_loading: ContextLoading
    calibrating: Calibrating
    relations: Relations
    sweeping: Sweeping
    reembedding: Reembedding
    importing: Importing

    def syncing(self, scope: Scope) -> Syncing:
        """The sources of an agent."""
        ...
