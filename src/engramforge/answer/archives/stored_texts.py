"""The texts of archives as stored: memories derived from what they repeat, and never searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engramforge.core.checks.validation import check_draft
from engramforge.core.registries.registration import entry_id_of
from engramforge.model.limits import CONTENT_BYTES
from engramforge.model.link import Link, Relation
from engramforge.model.memory import Draft, Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.scope import Level, Scope
from engramforge.model.storing.record import Entry
from engramforge.registries.registered import entry_link
from engramforge.writing.preparing import Preparation, Prepared, entry_of
from engramforge.writing.version_change import VersionChange, plan_new


@dataclass(frozen=True, slots=True)
class PlannedText:
    """A text to be kept, or one too large to keep.

    `changes`: the memory that keeps it, or nothing.
    """

    changes: tuple[VersionChange, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def id(self) -> str | None:
        """Global id of the archive; None where its text is not kept."""
        return None if self.memory is None else entry_id_of(Kind.ARCHIVE, self.memory.logical_id)

    @property
    def memory(self) -> Memory | None:
        """The memory that keeps the text."""
        return self.changes[0].memory if self.changes else None

    def saying(self, text: str) -> PlannedText:
        """The same plan with its final text, of about the planned length."""
        if not self.changes:
            return self
        change = self.changes[0]
        memory = replace(change.memory, content=text)
        entries = (Entry(memory, change.entries[0].embedding),)
        return replace(self, changes=(replace(change, memory=memory, entries=entries),))

    def links(self, sources: Sequence[str]) -> list[Link]:
        """DERIVED_FROM links to each of these memories: forgetting any of them forgets this copy."""
        memory = self.memory
        if memory is None:
            return []
        at, trigger = memory.created_at, "an archive says it again"
        links = (entry_link(Relation.DERIVED_FROM, memory, source, at, trigger=trigger) for source in sources)
        return [replace(link, confidence=1.0) for link in links]


@dataclass(frozen=True, slots=True)
class ArchiveKeeping:
    """Plans the memory that keeps an archive's text."""

    preparation: Preparation

    def plan(
        self,
        scope: Scope,
        project: str,
        conversation: str | None,
        text: str,
        now: datetime,
        level: Level = Level.PERSONAL,
    ) -> PlannedText:
        """The plan for a text. It is stored unchanged, since what it repeats was redacted when it was written."""
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > CONTENT_BYTES:
            return PlannedText(
                warnings=(
                    f"the store keeps no copy of this archive: it has {size:,} bytes, more than {CONTENT_BYTES:,}",
                )
            )
        own = () if conversation is None else (conversation,)
        draft = Draft(
            content=text,
            kind=Kind.ARCHIVE,
            project=project,
            level=level,
            # It is not a turn of the conversation, or it would become a neighbour of its turns; the registration names
            # the conversation.
            emotion_vector={},
            registration=Registration(entry_id="", conversations=own),
        )
        checked = check_draft(draft, now)
        embedding = self.preparation.encode([checked])[0]
        entry = entry_of(scope, Prepared(checked, None, False, 0), embedding)
        return PlannedText((plan_new(entry),))
