"""What a transaction has done so far, for the audit line at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.registration import Registration
from engramforge.model.storing.effect import Effect, LinkChange, Use, UseChange
from engramforge.model.storing.record import AuditEntry


@dataclass(slots=True)
class Doings:
    """Collected while a transaction writes; `lines` are those of the audit log, which are written before the commit."""

    made: list[str] = field(default_factory=list)
    closed: list[str] = field(default_factory=list)
    linked: list[LinkChange] = field(default_factory=list)
    unlinked: list[LinkChange] = field(default_factory=list)
    uses: list[UseChange] = field(default_factory=list)
    lines: list[AuditEntry] = field(default_factory=list)

    @property
    def records(self) -> int:
        """How many records were made and closed."""
        return len(self.made) + len(self.closed)

    def link(self, links: Sequence[Link]) -> None:
        """Note links that were written, without those between versions of a memory."""
        self.linked += [
            LinkChange(each.id, each.source_id) for each in links if each.source_id != each.target_id
        ]

    def unlink(self, link_id: str, source_id: str) -> None:
        """Note a link that was ended."""
        self.unlinked.append(LinkChange(link_id, source_id))

    def use(self, memory: Memory, after: Registration) -> None:
        """Note a change of use counters or conversations; `memory` is as it was before."""
        before = memory.registration
        assert before is not None
        mentioned = tuple(each for each in after.conversations if each not in before.conversations)
        gone = tuple(each for each in before.conversations if each not in after.conversations)
        self.uses.append(UseChange(memory.logical_id, Use.of(before), Use.of(after), mentioned, gone))

    def told(self, new_id: str) -> list[AuditEntry]:
        """The lines, the last of which has the effect of all; `new_id` becomes the effect's."""
        if not self.lines:
            return []
        *others, last = self.lines
        names = ("made", "closed", "linked", "unlinked", "uses")
        effect = last.effect or Effect()
        done: dict[str, Any] = {name: (*getattr(effect, name), *getattr(self, name)) for name in names}
        effect = replace(effect, **done)
        if effect != Effect():
            effect = replace(effect, id=new_id)
        return [*(replace(each, effect=Effect()) for each in others), replace(last, effect=effect)]
