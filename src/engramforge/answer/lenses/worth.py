"""What single memories are worth to a role: flags by how they stand, patterns by how well they worked, and to a
connector all by whether they resonate with another project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np

from engramforge.core.lenses.favoured import (
    favoured,
    looks_into,
    worth_of_bridge,
    worth_of_flag,
    worth_of_pattern,
)
from engramforge.model.lenses.entanglement import EntanglementScan
from engramforge.model.lenses.role import Role
from engramforge.model.memory import Kind
from engramforge.model.registries.learned import FlagStatus
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import FOUND_BY_MEANING, FOUND_BY_WORDS, Candidates
from engramforge.recall.request import Worth
from engramforge.registries.learned.learned_reading import LearnedReading, status_of
from engramforge.store.door import View

LatestScan = Callable[[Scope], EntanglementScan | None]
_FOUND: Final = FOUND_BY_MEANING | FOUND_BY_WORDS


def worth_to(role: Role, learned: LearnedReading, scope: Scope, latest_scan: LatestScan) -> Worth | None:
    """How to value the candidates of a recall through a role; None where their kinds say all. `latest_scan`: over
    projects; None where none was made."""
    if role is Role.CONNECTOR:
        return _of_bridges(latest_scan, scope)
    kinds = looks_into(role)
    codes = [list(Kind).index(kind) for kind in kinds]

    def worth(view: View, candidates: Candidates) -> Mapping[int, float]:
        positions = candidates.position[np.isin(candidates.kind, codes)]
        memories = view.fetch_at(positions) if len(positions) else {}
        if not memories:
            return {}
        if Kind.FLAG in kinds:
            return {
                at: worth_of_flag(role, is_compiled=status_of(each) is FlagStatus.COMPILED)
                for at, each in memories.items()
            }
        tried = learned.patterns(scope, [(each, 0.0) for each in memories.values()])
        return {at: worth_of_pattern(each.success_score) for at, each in zip(memories, tried, strict=True)}

    return worth if kinds else None


def _of_bridges(latest_scan: LatestScan, scope: Scope) -> Worth:
    """The value of those that the question itself found: neighbours of theirs are worth what their kind is."""

    def worth(view: View, candidates: Candidates) -> Mapping[int, float]:
        scan = latest_scan(scope)
        if scan is None or not scan.clusters:
            return {}
        of_kind = favoured(Role.CONNECTOR)
        positions = candidates.position[(candidates.found & _FOUND) > 0]
        return {
            at: worth_of_bridge(of_kind[each.kind], resonates=each.logical_id in scan.cluster_of)
            for at, each in view.fetch_at(positions).items()
        }

    return worth
