"""The last scan over projects as it is kept: two marks of the store, by agent, what it was and its clusters.

A recall over several projects asks each time whether there is a newer one; only then are the clusters read, of which
there may be thousands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engramforge.model.lenses.entanglement import EntanglementScan
from engramforge.model.scope import Scope
from engramforge.model.time import from_micros, to_micros
from engramforge.store.door import Door, View

_MARK: Final = "lenses:entanglement"
_CLUSTERS: Final = "lenses:entangled"
_NAMED: Final = 12
"""So many does a hit name at most: each is looked up."""
_LOOKED_UP: Final = 200
_NUMBERS: Final = ("threshold", "memories", "projects", "resonances", "last_position")


@dataclass(slots=True)
class KeptScans:
    """Reads the last scan, and holds it while it is the last."""

    door: Door
    _held: tuple[str, EntanglementScan] | None = field(default=None, init=False)

    def latest(self, scope: Scope) -> EntanglementScan | None:
        """The last scan; None where none was made."""
        with self.door.asking(scope) as view:
            return self._latest(view, scope)

    def _latest(self, view: View, scope: Scope) -> EntanglementScan | None:
        kept = view.mark(f"{_MARK}/{scope.agent}")
        if kept is None:
            return None
        name = f"{scope.tenant}/{scope.agent}/{kept['at']}"
        if self._held is None or self._held[0] != name:
            clusters = view.mark(f"{_CLUSTERS}/{scope.agent}")
            if clusters is None:
                return None
            self._held = (name, _scan_of(kept, clusters["clusters"]))
        return self._held[1]

    def resonating(self, within: Scope, hits: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
        """What each hit, as the logical ids of what is one with it, resonates with by the last scan.

        A scan is of another time and of all projects: what was forgotten since, or is not in `within`, is not named.
        """
        with self.door.asking(within) as view:
            scan = self._latest(view, within)
            named = [() if scan is None else scan.resonating_with(ids)[:_NAMED] for ids in hits]
            asked = dict.fromkeys(each for ids in named for each in ids)
            there = view.fetch(list(asked)[:_LOOKED_UP]) if asked else {}
        return [tuple(each for each in ids if each in there) for ids in named]

    def shown(self, scope: Scope) -> EntanglementScan | None:
        """The last scan without what was forgotten since; a cluster of one is none."""
        scan = self.latest(scope)
        if scan is None or not (gone := self.door.asking(scope).forgotten(list(scan.cluster_of))):
            return scan
        left = (tuple(each for each in members if each not in gone) for members in scan.clusters)
        return replace(scan, clusters=tuple(members for members in left if len(members) > 1))


def marks_of(scan: EntanglementScan, scope: Scope) -> dict[str, dict[str, Any]]:
    """The marks that keep a scan, by agent: what resonates names memories, which another may not see.

    Ids stand in hexadecimal digits, one after the other.
    """
    clusters = ["".join(each.replace("-", "") for each in members) for members in scan.clusters]
    what = {"at": to_micros(scan.at), **{name: getattr(scan, name) for name in _NUMBERS}}
    return {f"{_MARK}/{scope.agent}": what, f"{_CLUSTERS}/{scope.agent}": {"clusters": clusters}}


def _scan_of(kept: Mapping[str, Any], clusters: Sequence[str]) -> EntanglementScan:
    fields = {name: kept[name] for name in _NUMBERS}
    members = tuple(tuple(map(_id, _split(each))) for each in clusters)
    return EntanglementScan(at=from_micros(kept["at"]), clusters=members, **fields)


def _split(digits: str) -> list[str]:
    return [digits[at : at + 32] for at in range(0, len(digits), 32)]


def _id(digits: str) -> str:
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
