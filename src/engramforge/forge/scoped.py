"""What all verbs share: the stages and the scope, and the check of names and ids in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, Protocol, TypeVar

from engramforge.core.checks.validation import check_name
from engramforge.errors import InvalidValue, NotFound, Stopped, WorldError
from engramforge.forge.signatures import checked
from engramforge.model.limits import SHORTEST_ID
from engramforge.model.memory import Memory
from engramforge.model.registries.entry import ENTRY_PREFIXES, EntryQuery
from engramforge.model.scope import Scope
from engramforge.recall.request import listed

if TYPE_CHECKING:
    from engramforge.answer.archives.compressing import Compressing
    from engramforge.answer.archives.continuing import Continuing
    from engramforge.answer.conflicts.conflict_registry import ConflictRegistry
    from engramforge.answer.conflicts.detecting import ConflictDetection
    from engramforge.answer.context import ContextLoading
    from engramforge.answer.injection.injecting import Injecting
    from engramforge.answer.lenses.orchestrating import Orchestrating
    from engramforge.answer.oracle.consulting import Consulting
    from engramforge.answer.shifts.watching import ShiftWatching
    from engramforge.answer.streams.learnings import Learnings
    from engramforge.capture.imports.importing import Importing
    from engramforge.capture.live.taking import LiveCapture
    from engramforge.capture.reading_by_model import ReadingByModel
    from engramforge.capture.sync.syncing import Syncing
    from engramforge.capture.watching.watching import Watching
    from engramforge.forge.injection_log import InjectionLog
    from engramforge.forge.uses import UseCounts
    from engramforge.indexing.calibrations import Calibrations
    from engramforge.indexing.encoders import Encoders
    from engramforge.indexing.kept_scans import KeptScans
    from engramforge.llm.language_model import LanguageModel
    from engramforge.model.embeddings.reembedding import Choice
    from engramforge.model.scope import Scope
    from engramforge.model.spaces import Space
    from engramforge.recall.intention.assembling import Assembling
    from engramforge.recall.intention.by_state import ByState
    from engramforge.recall.intention.optional.kept_streams import KeptStreams
    from engramforge.recall.intention.six_ways import SixWays
    from engramforge.recall.retrieval import Retriever
    from engramforge.registries.decisions.decision_changes import Decisions
    from engramforge.registries.decisions.decision_reading import DecisionReading
    from engramforge.registries.detected.review import Review
    from engramforge.registries.learned.learned_changes import LearnedChanges
    from engramforge.registries.learned.learned_reading import LearnedReading
    from engramforge.registries.lenses.role_registry import RoleRegistry
    from engramforge.registries.lineage.lineage_changes import Lineage
    from engramforge.registries.lineage.lineage_reading import LineageReading
    from engramforge.registries.scratchpad import Scratchpad
    from engramforge.registries.threads.thread_changes import Threads
    from engramforge.registries.threads.thread_view import ThreadReading
    from engramforge.store.door import Door
    from engramforge.upkeep.calibrating import Calibrating
    from engramforge.upkeep.dreams.dreaming import Dreaming
    from engramforge.upkeep.entangling import Entangling
    from engramforge.upkeep.reembedding import Reembedding
    from engramforge.upkeep.relations import Relations
    from engramforge.upkeep.sweeping import Sweeping
    from engramforge.upkeep.topics.finding import TopicFinding
    from engramforge.upkeep.topics.reading import TopicReading
    from engramforge.upkeep.topics.updating import TopicUpkeep
    from engramforge.writing.intake import Intake
    from engramforge.writing.linkage import Linkage
    from engramforge.writing.preparing import Preparation
    from engramforge.writing.revision import Revision
    from engramforge.writing.undo import Undo

Ids = str | Sequence[str]
_NEAR_NAMES: Final = 3
S = TypeVar("S", bound="ScopedVerbs")
P = ParamSpec("P")
R = TypeVar("R")
_PREFIXES: Final = {prefix: kind for kind, prefix in ENTRY_PREFIXES.items()}


class ScopedVerbs:
    """The base of every group of verbs.

    Every public verb of a group is called with arguments of the types that it names (forge/signatures.py).

    `stages`: what the verbs work with. `scope`: who asks. `relating`: verbs that write links, or new versions of what
    has links: E8 follows them.
    """

    def __init_subclass__(cls, relating: Collection[str] = ()) -> None:
        for name, verb in list(vars(cls).items()):
            if not name.startswith("_") and isinstance(verb, FunctionType):
                ready = checked(verb)
                setattr(cls, name, _placing(ready) if name in relating else ready)

    def __init__(self, stages: Stages, scope: Scope) -> None:
        self._stages = stages
        self._scope = scope

    def _reason(self, reason: str) -> tuple[str, int]:
        """A reason for the audit log, without secrets, and how many it had; empty for none. Raises InvalidValue."""
        if not reason:
            return "", 0
        redaction = self._stages.preparation.redactor.redact(check_name(reason, "reason"))
        return redaction.text, sum(redaction.secrets.values())

    def _within(self, project: Ids | None) -> Scope:
        """The scope narrowed to projects, which must exist."""
        scope = self._narrowed(project)
        self._check_known(scope)
        return scope

    def _narrowed(self, project: Ids | None) -> Scope:
        """The scope narrowed to projects, whether they exist or not."""
        if project is None:
            return self._scope
        names = (project,) if isinstance(project, str) else listed(project, "project")
        if not names:
            raise InvalidValue("An empty list of projects is asked", "Name one, or leave it out for all")
        return self._scope.within(*(check_name(name, "project") for name in names))

    def _check_known(self, scope: Scope, found: Iterable[Memory] = ()) -> None:
        """Raise NotFound unless all projects of a narrowed scope exist, as those of memories found in it do."""
        if (missing := self._missing(scope, found)) is not None:
            raise missing

    def _missing(self, scope: Scope, found: Iterable[Memory] = ()) -> NotFound | None:
        """The error for the first project of a narrowed scope that there is not."""
        seen = {memory.project for memory in found}
        missing = [name for name in scope.projects or () if name not in seen]
        if not missing:
            return None
        known = self._stages.door.asking(scope).project_names()
        missing = [name for name in missing if name not in known]
        if not missing:
            return None
        near = _near_names(missing[0], self._stages.door.asking(self._scope).project_names())
        meant = " or ".join(map(repr, near))
        hint = f"Did you mean {meant}?" if near else "List the projects to see which there are"
        return NotFound(f"There is no project {missing[0]!r}", hint)

    def _memory(self, memory_id: str) -> Memory:
        """A memory by one of its ids, or a registry entry by its global id, each also shortened. Raises NotFound."""
        view = self._stages.door.asking(self._scope)
        asked = view.whole_id(checked_id(memory_id).strip())
        kind = _PREFIXES.get(asked[:4].lower())
        if kind is None:
            found = view.fetch([asked]).get(asked)
        else:
            query = EntryQuery(kind=kind, entry_ids=(asked.lower(),), ended=True, limit=1)
            found = next(iter(view.entries(query)), None)
        if found is None:
            is_short = len(memory_id.strip()) < SHORTEST_ID
            mend = (
                f"Give {SHORTEST_ID} characters of its id at least"
                if is_short
                else "Find its id with recall or list"
            )
            raise NotFound(f"There is no memory {memory_id[:100]!r}", mend)
        return found

    def _conversation(self, named: str) -> str:
        """A conversation that is asked about, also by a unique beginning of its id. Raises InvalidValue."""
        return self._stages.door.asking(self._scope).whole_conversation(check_name(named, "conversation"))

    def _place_version(self, memory: Memory) -> Memory:
        """Bring E8 to a new version of a memory, if it is linked to others; returns it."""
        if self._stages.door.asking(self._scope).links([memory.logical_id], to_others=True):
            self._place()
        return memory

    def _place(self) -> None:
        """Bring E8 up to date with the links. These are durable already, so a failure here is made up for by a
        refresh."""
        with suppress(WorldError, Stopped):
            self._stages.relations.place(self._scope)


def _near_names(asked: str, names: Sequence[str]) -> list[str]:
    """The few names that are spelled nearly as what was asked, in whatever case, or begin so."""
    from difflib import get_close_matches

    folded = {name.casefold(): name for name in names}
    close = get_close_matches(asked.casefold(), folded, _NEAR_NAMES)
    begun = [name for name in folded if name.startswith(asked.casefold()) and name not in close]
    return [folded[name] for name in (*close, *begun)[:_NEAR_NAMES]]


def _placing(verb: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """The verb, after which E8 is brought up to date."""

    @wraps(verb)
    def call(self: S, /, *given: P.args, **named: P.kwargs) -> R:
        done = verb(self, *given, **named)
        self._place()
        return done

    return call


def checked_id(memory_id: str) -> str:
    """A caller's id; blank ones are refused."""
    if not memory_id.strip():
        raise InvalidValue(
            f"The id is {memory_id!r}"[:200], "Give the id that remember, recall or list printed"
        )
    return memory_id


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
    topic_upkeep: TopicUpkeep
    topic_reading: TopicReading
    topic_finding: TopicFinding
    dreaming: Dreaming
    reembedding: Reembedding
    importing: Importing
    live_capture: LiveCapture
    uses: UseCounts
    injecting: Injecting
    injection_log: InjectionLog
    shift_watching: ShiftWatching
    role_registry: RoleRegistry
    learned: LearnedReading
    learned_changes: LearnedChanges
    scratchpad: Scratchpad
    orchestrating: Orchestrating
    entangling: Entangling
    kept_scans: KeptScans
    consulting: Consulting
    language_model: LanguageModel | None
    reading_by_model: ReadingByModel | None
    conflict_detection: ConflictDetection
    conflict_registry: ConflictRegistry
    six_ways: SixWays
    by_state: ByState
    assembling: Assembling
    kept_streams: KeptStreams
    learnings: Learnings

    def close(self) -> None:
        """Let go of the store."""
        ...

    def forget_kept(self) -> None:
        """Let go of what is kept in memory of what memories say."""
        ...

    def syncing(self, scope: Scope) -> Syncing:
        """The sources of an agent."""
        ...

    def watching(self, scope: Scope) -> Watching:
        """The watched folders of an agent."""
        ...
