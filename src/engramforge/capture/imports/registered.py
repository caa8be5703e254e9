"""What an import did to the registries: the entries that it made or changed, and what waits for review since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from engramforge.core.text.portions import excerpt_within
from engramforge.model.memory import Kind
from engramforge.model.registration import Act, Consequence
from engramforge.model.registries.entry import ReviewStatus
from engramforge.model.scope import Scope
from engramforge.registries.registered import entries_named, registration_of
from engramforge.store.door import Door

_NAMED: Final = 3
"""How many entries of a kind are named."""
_WORDS: Final = 200
"""Characters of an entry that say which one it is."""


@dataclass(slots=True)
class Registered:
    """Collects what the records of an import did to entries."""

    _made: dict[str, Consequence] = field(default_factory=dict)
    _changed: set[str] = field(default_factory=set)
    _waiting: dict[str, None] = field(default_factory=dict)

    def note(self, consequences: Iterable[Consequence]) -> None:
        """Take what a batch did, in order."""
        for each in consequences:
            if each.act == Act.WAITS:
                self._waiting[each.id] = None
            elif each.act == Act.MADE and each.kind in (Kind.DECISION, Kind.THREAD):
                self._made[each.id] = each
            elif each.act in (Act.CHANGED, Act.ENDED) and each.id not in self._made:
                self._changed.add(each.id)

    def as_dict(self, door: Door, scope: Scope) -> dict[str, Any]:
        """Numbers of entries made by kind, of others changed, of what still waits; and the first of those made."""
        decisions, threads = (
            [each for each in self._made.values() if each.kind == kind]
            for kind in (Kind.DECISION, Kind.THREAD)
        )
        # Of very many only the surest are kept waiting.
        flags = entries_named(door, scope, Kind.FLAG, self._waiting).values()
        waiting = sum(registration_of(flag).status == ReviewStatus.PENDING for flag in flags)
        return {
            "decisions": len(decisions),
            "threads": len(threads),
            "changed": len(self._changed),
            "waiting": waiting,
            "first": [
                {
                    "kind": str(each.kind),
                    "id": each.id,
                    "local_id": each.local_id,
                    "text": excerpt_within(" ".join(each.text.split()), _WORDS, least=1) or "",
                }
                for each in (*decisions[:_NAMED], *threads[:_NAMED])
            ],
        }
