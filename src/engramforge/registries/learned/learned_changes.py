"""What becomes of patterns and flags: an outcome is recorded, an expedition compiles flags. Each is one transaction,
which an undo takes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engramforge.errors import Conflict
from engramforge.model.fence import on_one_line
from engramforge.model.link import Relation
from engramforge.model.memory import Draft, Kind, Memory, ResolutionState
from engramforge.model.registries.learned import FlagStatus
from engramforge.model.scope import Level, Scope
from engramforge.registries.learned.learned_reading import SUCCESS, status_of, type_of
from engramforge.registries.registered import entry_link
from engramforge.writing.changes import VersionChanges
from engramforge.writing.preparing import draft_of
from engramforge.writing.repeating import embedding_again


@dataclass(frozen=True, slots=True)
class LearnedChanges:
    """Writes outcomes of patterns, and expeditions."""

    changes: VersionChanges

    @embedding_again
    def record_outcome(
        self,
        scope: Scope,
        pattern: Memory,
        success: bool,
        note: str,
        session: str | None,
        at: datetime | None,
    ) -> Memory:
        """Write what came of trying a pattern, where it can be seen by whoever sees the pattern.

        Raises InvalidContent: nothing is left of the note; InvalidTime; Conflict, NotFound: the pattern is gone.
        """
        said = (
            note
            or f"{'It worked' if success else 'It failed'}: {pattern.name or on_one_line(pattern.content)[:200]}"
        )
        draft = Draft(
            content=said,
            kind=Kind.LEARNING,
            project=pattern.project,
            level=pattern.level,
            session_id=session,
            tags=pattern.tags,
            metadata={SUCCESS: success},
            valid_at=at,
        )
        (change,) = self.changes.new_entries(scope, [draft], self.changes.clock())
        link = entry_link(
            Relation.DERIVED_FROM,
            change.memory,
            pattern,
            change.at,
            trigger="a pattern was tried",
            extra={SUCCESS: success},
        )
        self.changes.commit(scope, [change], "outcome", links=[link])
        return change.memory

    @embedding_again
    def compile(
        self,
        scope: Scope,
        territory: str,
        flags: Sequence[Memory],
        content: str | None,
        project: str,
        expires_at: datetime | None,
    ) -> Memory:
        """Make a priming block of flags, which are compiled from then on.

        `content`: what the expedition found; by default what the flags say. It is seen by those who see every flag.

        Raises Conflict: a flag is compiled already, or was changed meanwhile; InvalidContent, InvalidTime.
        """
        for each in flags:
            if status_of(each) is FlagStatus.COMPILED:
                raise Conflict(
                    f"The flag {each.logical_id} is compiled already",
                    "Leave it out, or revise its block: flags shows which that is",
                )
        now = self.changes.clock()
        levels = {each.level for each in flags}
        draft = Draft(
            content=content or "\n".join(f"{type_of(each)}: {on_one_line(each.content)}" for each in flags),
            kind=Kind.PRIMING,
            name=territory,
            project=project,
            level=levels.pop() if len(levels) == 1 else Level.PERSONAL,
            invalid_at=expires_at,
        )
        closed = [
            self.changes.succeeded(
                scope, each, replace(draft_of(each), resolution_state=ResolutionState.RESOLVED), now
            )
            for each in flags
        ]
        (made,) = self.changes.new_entries(scope, [draft], now)
        copies = [
            entry_link(
                Relation.DERIVED_FROM, made.memory, each, made.at, trigger="an expedition compiled a flag"
            )
            for each in flags
        ]
        self.changes.commit(scope, [*closed, made], "expedition", copies=copies)
        return made.memory
