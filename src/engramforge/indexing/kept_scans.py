"""The last scan over projects as it is kept: a mark of the store, by agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engramforge.model.lenses.entanglement import EntanglementScan
from engramforge.model.scope import Scope
from engramforge.model.time import from_micros, to_micros
from engramforge.store.door import Door

_MARK: Final = "lenses:entanglement"
_NAMED: Final = 50
_LOOKED_UP: Final = 1_000
"""So many does a hit name at most, and all of an answer: each is looked up."""


@dataclass(slots=True)
class KeptScans:
    """Reads the last scan, and holds it while it is the last."""

    door: Door
    _held: tuple[str, EntanglementScan] | None = field(default=None, init=False)

    def latest(self, scope: Scope) -> EntanglementScan | None:
        """The last scan; None where none was made."""
        kept = self.door.asking(scope).mark(key_of(scope))
        if kept is None:
            return None
        name = f"{scope.tenant}/{scope.agent}/{kept['at']}"
        if self._held is None or self._held[0] != name:
            self._held = (name, _scan_of(kept))
        return self._held[1]

    def resonating(self, scope: Scope, within: Scope, hits: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        """What each hit, as the logical ids of what is one with it, resonates with by the last scan.

        A scan is of another time and of all projects: what was forgotten since, or is not in `within`, is not named.
        """
        scan = self.latest(scope)
        named = [() if scan is None else scan.resonating_with(ids)[:_NAMED] for ids in hits]
        asked = dict.fromkeys(each for ids in named for each in ids)
        there = self.door.asking(within).fetch(list(asked)[:_LOOKED_UP]) if asked else {}
        return [tuple(each for each in ids if each in there) for ids in named]

    def shown(self, scope: Scope) -> EntanglementScan | None:
        """The last scan without what was forgotten since; a cluster of one is none."""
        scan = self.latest(scope)
        if scan is None or not (gone := self.door.asking(scope).forgotten(list(scan.cluster_of))):
            return scan
        left = (tuple(each for each in members if each not in gone) for members in scan.clusters)
        return replace(scan, clusters=tuple(members for members in left if len(members) > 1))


def key_of(scope: Scope) -> str:
    """The mark that keeps it, by agent: what resonates names memories, which another may not see."""
    return f"{_MARK}/{scope.agent}"


def form_of(scan: EntanglementScan) -> dict[str, Any]:
    """A scan as it is kept: ids in hexadecimal digits, one after the other."""
    numbers = ("threshold", "memories", "projects", "resonances", "last_position")
    clusters = ["".join(each.replace("-", "") for each in members) for members in scan.clusters]
    return {"at": to_micros(scan.at), **{name: getattr(scan, name) for name in numbers}, "clusters": clusters}


def _scan_of(kept: Any) -> EntanglementScan:
    fields = {name: value for name, value in kept.items() if name not in ("at", "clusters")}
    clusters = tuple(tuple(map(_id, _split(each))) for each in kept["clusters"])
    return EntanglementScan(at=from_micros(kept["at"]), clusters=clusters, **fields)


def _split(digits: str) -> list[str]:
    return [digits[at : at + 32] for at in range(0, len(digits), 32)]


def _id(digits: str) -> str:
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
