"""The facade: everything that engramforge does, as methods of one object. Faces only translate to it.

A `Forge` is made by `engramforge.open`. It is synchronous and may be shared between threads. Arguments are plain Python
(texts, numbers, aware datetimes or ISO texts); answers are frozen model types. Verbs of memories are methods of the
forge itself; all others are in its namespaces, a file each.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Self

from engramforge.core.checks.validation import check_name
from engramforge.forge.asking.questions import QuestionVerbs
from engramforge.forge.links import LinkVerbs
from engramforge.forge.maintenance import MaintenanceVerbs
from engramforge.forge.memories import MemoryVerbs
from engramforge.forge.registries.lenses import LensVerbs, OrchestrationVerbs, RoleVerbs
from engramforge.forge.scoped import Ids, Stages
from engramforge.forge.transfer import TransferVerbs

if TYPE_CHECKING:
    from engramforge.forge.archives import ArchiveVerbs
    from engramforge.forge.asking.streams import StreamVerbs
    from engramforge.forge.hooks import HookVerbs
    from engramforge.forge.injections import InjectionVerbs
    from engramforge.forge.registries.conflicts import ConflictVerbs
    from engramforge.forge.registries.decisions import DecisionVerbs
    from engramforge.forge.registries.learned import FlagVerbs, PatternVerbs, PrimingVerbs
    from engramforge.forge.registries.lineage import LineageVerbs
    from engramforge.forge.registries.review import ReviewVerbs
    from engramforge.forge.registries.scratch import ScratchVerbs
    from engramforge.forge.registries.threads import ThreadVerbs
    from engramforge.forge.sync import SyncVerbs, WatchingVerbs
    from engramforge.forge.topics import DreamVerbs, TopicVerbs


class Forge(MemoryVerbs, QuestionVerbs, OrchestrationVerbs, LinkVerbs, TransferVerbs, MaintenanceVerbs):
    """A persistent memory.

    `stages`: what the verbs work with. `scope`: who is asking; `agent` is the owner of personal memories.
    """

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the store; later calls raise."""
        self.write_counts()
        self._stages.close()

    def write_counts(self) -> None:
        """Write how often memories were shown and opened since the last time, and what was injected; without effect on
        a store that cannot be written to."""
        self._stages.uses.write(self._scope)
        self._stages.injection_log.write(self._scope)

    def lend(self, agent: str | None = None) -> Forge:
        """The same open store as another agent sees it (None: as this one); closing that leaves the store open.

        Raises InvalidValue for an agent without a usable name.
        """
        scope = self._scope if agent is None else replace(self._scope, agent=check_name(agent, "agent"))
        return _Lent(self._stages, scope)

    @cached_property
    def decisions(self) -> DecisionVerbs:
        """Decisions: create, revise, supersede, invalidate, validate, reinstate, search, browse, stale, why."""
        from engramforge.forge.registries.decisions import DecisionVerbs

        return DecisionVerbs(self._stages, self._scope)

    @cached_property
    def threads(self) -> ThreadVerbs:
        """Threads: open matters, and how they were closed."""
        from engramforge.forge.registries.threads import ThreadVerbs

        return ThreadVerbs(self._stages, self._scope)

    @cached_property
    def lineage(self) -> LineageVerbs:
        """Lineage: which conversation continues which."""
        from engramforge.forge.registries.lineage import LineageVerbs

        return LineageVerbs(self._stages, self._scope)

    @cached_property
    def review(self) -> ReviewVerbs:
        """Review of detections that wait for a person."""
        from engramforge.forge.registries.review import ReviewVerbs

        return ReviewVerbs(self._stages, self._scope)

    @cached_property
    def streams(self) -> StreamVerbs:
        """Streams: retrieval by intention and by state, and the cycle of an agent."""
        from engramforge.forge.asking.streams import StreamVerbs

        return StreamVerbs(self._stages, self._scope)

    @cached_property
    def topics(self) -> TopicVerbs:
        """Topics: what memories are about as they gather, and how that changes."""
        from engramforge.forge.topics import TopicVerbs

        return TopicVerbs(self._stages, self._scope)

    @cached_property
    def dreams(self) -> DreamVerbs:
        """Dreams: a project is tidied up while nobody is at work, and an undo takes that back."""
        from engramforge.forge.topics import DreamVerbs

        return DreamVerbs(self._stages, self._scope)

    @cached_property
    def patterns(self) -> PatternVerbs:
        """Patterns: ways that keep coming back, and how well they work."""
        from engramforge.forge.registries.learned import PatternVerbs

        return PatternVerbs(self._stages, self._scope)

    @cached_property
    def priming(self) -> PrimingVerbs:
        """Priming blocks: texts that prepare for a territory."""
        from engramforge.forge.registries.learned import PrimingVerbs

        return PrimingVerbs(self._stages, self._scope)

    @cached_property
    def flags(self) -> FlagVerbs:
        """Flags: what was noticed, until an expedition compiles it."""
        from engramforge.forge.registries.learned import FlagVerbs

        return FlagVerbs(self._stages, self._scope)

    @cached_property
    def scratch(self) -> ScratchVerbs:
        """The scratchpad: notes for a while, of this agent alone."""
        from engramforge.forge.registries.scratch import ScratchVerbs

        return ScratchVerbs(self._stages, self._scope)

    @cached_property
    def archives(self) -> ArchiveVerbs:
        """Archives: compress a conversation, and continue from one."""
        from engramforge.forge.archives import ArchiveVerbs

        return ArchiveVerbs(self._stages, self._scope)

    @cached_property
    def hooks(self) -> HookVerbs:
        """Hooks of Claude Code: what they tell becomes memories; what is captured and injected is switched here."""
        from engramforge.forge.hooks import HookVerbs

        return HookVerbs(self._stages, self._scope)

    @cached_property
    def injections(self) -> InjectionVerbs:
        """Injections: what to put before a model unasked, what was, and whether it was of use."""
        from engramforge.forge.injections import InjectionVerbs

        return InjectionVerbs(self._stages, self._scope)

    @cached_property
    def roles(self) -> RoleVerbs:
        """Roles of projects: what each looks for when several are asked."""
        return RoleVerbs(self._stages, self._scope)

    @cached_property
    def lenses(self) -> LensVerbs:
        """Lenses: saved lists of projects with their roles."""
        return LensVerbs(self._stages, self._scope)

    @cached_property
    def conflicts(self) -> ConflictVerbs:
        """Conflicts: statements that contradict each other."""
        from engramforge.forge.registries.conflicts import ConflictVerbs

        return ConflictVerbs(self._stages, self._scope)

    @cached_property
    def sync(self) -> SyncVerbs:
        """Sources that are imported repeatedly."""
        from engramforge.forge.sync import SyncVerbs

        return SyncVerbs(self._stages, self._scope)

    @cached_property
    def watching(self) -> WatchingVerbs:
        """Folders whose text files are remembered as they change."""
        from engramforge.forge.sync import WatchingVerbs

        return WatchingVerbs(self._stages, self._scope)


class _Lent(Forge):
    """A forge on a store that somebody else closes."""

    def close(self) -> None:
        """Leave the store open."""


__all__ = ["Forge", "Ids", "Stages"]
