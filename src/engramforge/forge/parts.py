"""What a forge is made of, and what all its verbs share: the scope, and the check of names and ids in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from engramforge.core.checks.validation import check_name
from engramforge.errors import InvalidValue, ModelUnavailable, NotFound, WorldError
from engramforge.indexing.calibrations import Calibrations
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.reembedding import Choice
from engramforge.model.memory import Memory
from engramforge.model.registries.entry import ENTRY_PREFIXES, EntryQuery
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.recall.request import listed
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

if TYPE_CHECKING:
    from engramforge.capture.imports.importing import Importing
    from engramforge.registries.decisions.decision_changes import Decisions
    from engramforge.registries.decisions.decision_reading import DecisionReading
    from engramforge.registries.detected.review import Review
    from engramforge.registries.entry_changes import EntryChanges
    from engramforge.upkeep.reembedding import Reembedding
    from engramforge.upkeep.relations import Relations
    from engramforge.writing.intake import Intake
    from engramforge.writing.linkage import Linkage
    from engramforge.writing.revision import Revision

Ids = str | Sequence[str]
_PREFIXES: Final = {prefix: kind for kind, prefix in ENTRY_PREFIXES.items()}


@dataclass(frozen=True)
class ForgeParts:
    """What a forge is made of; assembly puts it together.

    Parameters
    ----------
    make_intake, make_revision, make_linkage : build the stages of writing at the first write: a process that only
        recalls does not wait for them.
    choices : the encoders that the settings want.
    make_reembedding : builds what moves the store to them.
    home : the folder of the settings, for what is no part of the store, such as a lock.
    """

    door: Door
    encoder: Encoders
    retriever: Retriever
    make_intake: Callable[[], Intake]
    make_revision: Callable[[Intake], Revision]
    make_linkage: Callable[[], Linkage]
    clock: Callable[[], datetime]
    excluded_projects: tuple[str, ...] = ()
    markdown_globs: tuple[str, ...] = ()
    choices: Mapping[Space, Choice] = field(default_factory=dict)
    make_reembedding: Callable[[], Reembedding] | None = None
    home: Path | None = None

    @property
    def calibrations(self) -> Calibrations:
        """The calibrations of the store, as they are fitted."""
        return self.retriever.calibrations

    @cached_property
    def intake(self) -> Intake:
        """The way in."""
        return self.make_intake()

    @cached_property
    def revision(self) -> Revision:
        """The way to a new version."""
        return self.make_revision(self.intake)

    @cached_property
    def linkage(self) -> Linkage:
        """The way to a link."""
        return self.make_linkage()

    @cached_property
    def entry_changes(self) -> EntryChanges:
        """The way to a change of a registry's entry."""
        from engramforge.registries.entry_changes import EntryChanges

        return EntryChanges(self.door, self.intake, self.revision, self.clock)

    @cached_property
    def decision_reading(self) -> DecisionReading:
        """The way to what was decided."""
        from engramforge.registries.decisions.decision_reading import DecisionReading

        return DecisionReading(self.door, self.retriever, self.clock)

    @cached_property
    def decisions(self) -> Decisions:
        """The way to a decision."""
        from engramforge.registries.decisions.decision_changes import Decisions

        return Decisions(self.entry_changes, self.decision_reading)

    @cached_property
    def review(self) -> Review:
        """The way to what waits for review."""
        from engramforge.registries.detected.detected_entries import Detected
        from engramforge.registries.detected.review import Review

        changes = self.entry_changes
        return Review(changes, Detected(changes, self.intake))

    @cached_property
    def importing(self) -> Importing:
        """The way in for files and folders."""
        from engramforge.capture.imports.importing import Importing

        return Importing(
            self.door,
            self.intake,
            self.revision,
            self.clock,
            markdown_globs=self.markdown_globs,
            excluded_projects=self.excluded_projects,
        )

    @cached_property
    def relations(self) -> Relations:
        """What keeps the relational spaces up to date."""
        from engramforge.upkeep.relations import Relations

        return Relations(self.door, self.clock)

    @cached_property
    def reembedding(self) -> Reembedding:
        """The way from one encoder to another."""
        if self.make_reembedding is None:
            raise ModelUnavailable("No encoder can be made here", "Open the store by engramforge.open")
        return self.make_reembedding()


class ScopedVerbs:
    """What every group of verbs is built on.

    Parameters
    ----------
    parts : the wired stages.
    scope : who asks.
    """

    def __init__(self, parts: ForgeParts, scope: Scope) -> None:
        self._parts = parts
        self._scope = scope

    def _reason(self, reason: str) -> str:
        """A reason as the audit log may keep it: without secrets; empty for none. Raises InvalidValue."""
        return self._parts.intake.redactor.redact(check_name(reason, "reason")).text if reason else ""

    def _within(self, project: Ids | None) -> Scope:
        """The scope narrowed to projects, which must exist."""
        if project is None:
            return self._scope
        names = (project,) if isinstance(project, str) else listed(project, "project")
        if not names:
            raise InvalidValue("An empty list of projects is asked", "Name one, or leave it out for all")
        scope = self._scope.within(*(check_name(name, "project") for name in names))
        known = self._parts.door.project_names(scope)
        missing = [name for name in scope.projects or () if name not in known]
        if missing:
            from difflib import get_close_matches

            near = get_close_matches(missing[0], self._parts.door.project_names(self._scope), 1)
            hint = f"Did you mean {near[0]!r}?" if near else "See them with `engramforge projects`"
            raise NotFound(f"There is no project {missing[0]!r}", hint)
        return scope

    def _place(self) -> None:
        """Bring E8 up to the links. These are durable already: what hinders it now is made up for by a refresh."""
        with suppress(WorldError):
            self._parts.relations.place(self._scope)


class ForgePart(ScopedVerbs):
    """A group of verbs of the forge itself."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the store; later calls raise."""
        self._parts.door.close()

    def get(self, memory_id: str) -> Memory:
        """A memory by version id, or the current version by logical id, or an entry of a registry by its global id.

        Raises NotFound.
        """
        asked = checked_id(memory_id)
        kind = _PREFIXES.get(asked[:4].lower())
        if kind is None:
            found = self._parts.door.fetch(self._scope, [asked]).get(asked)
        else:
            query = EntryQuery(kind=kind, entry_ids=(asked.lower(),), ended=True, limit=1)
            found = next(iter(self._parts.door.entries(self._scope, query)), None)
        if found is None:
            raise NotFound(f"There is no memory {memory_id[:100]!r}", "Find its id with recall or list")
        return found


def checked_id(memory_id: object) -> str:
    """The id as a caller gave it; blank ones and other types are refused."""
    if not isinstance(memory_id, str) or not memory_id.strip():
        raise InvalidValue(
            f"The id is {memory_id!r}"[:200], "Give the id that remember, recall or list printed"
        )
    return memory_id
