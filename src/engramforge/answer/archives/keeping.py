"""The texts of archives as the store keeps them: a memory that is derived from what it says again, and not searched."""

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
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Entry
from engramforge.registries.entry_changes import EntryChange
from engramforge.writing.intake import Intake, entry_of, new_id
from engramforge.writing.recognising import Prepared


@dataclass(frozen=True, slots=True)
class PlannedText:
    """A text that is to be kept, or is too large for that.

    Parameters
    ----------
    changes : nothing, or the memory that keeps it.
    """

    changes: tuple[EntryChange, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def id(self) -> str | None:
        """Global id of the archive; None where its text is not kept."""
        return None if self.memory is None else entry_id_of(Kind.ARCHIVE, self.memory.logical_id)

    @property
    def memory(self) -> Memory | None:
        """What keeps the text."""
        return self.changes[0].memory if self.changes else None

    def saying(self, text: str) -> PlannedText:
        """The same with its final text, of the same length as the planned one, or nearly so."""
        if not self.changes:
            return self
        change = self.changes[0]
        memory = replace(change.memory, content=text)
        entries = (Entry(memory, change.entries[0].embedding),)
        return replace(self, changes=(replace(change, memory=memory, entries=entries),))

    def links(self, sources: Sequence[str]) -> list[Link]:
        """DERIVED_FROM to each of these memories: forgetting one of them forgets this copy of it."""
        memory = self.memory
        if memory is None:
            return []
        return [
            Link(
                id=new_id(),
                source_id=memory.logical_id,
                target_id=source,
                relation=str(Relation.DERIVED_FROM),
                valid_at=memory.valid_at,
                created_at=memory.created_at,
                energy=memory.energy,
                confidence=1.0,
                emotion_vector={},
                goal="unstated",
                mindstate="captured",
                formation_trigger="an archive says it again",
            )
            for source in sources
        ]


class ArchiveKeeping:
    """Plans what keeps the text of an archive.

    Parameters
    ----------
    intake : gives the signals, which of an archive are none.
    """

    def __init__(self, intake: Intake) -> None:
        self._intake = intake

    def plan(
        self, scope: Scope, project: str, conversation: str | None, text: str, now: datetime
    ) -> PlannedText:
        """What keeps a text. It is stored as it is: what it says again was redacted when it came in."""
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
            # No turn of the conversation, whose neighbours it would join: the registration names it.
            emotion_vector={},
            registration=Registration(entry_id="", conversations=own),
        )
        checked = check_draft(draft, now)
        embedding = self._intake.encode([checked])[0]
        entry = entry_of(scope, Prepared(checked, None, False, 0), embedding)
        return PlannedText((EntryChange(memory=entry.memory, at=entry.memory.created_at, entries=(entry,)),))
