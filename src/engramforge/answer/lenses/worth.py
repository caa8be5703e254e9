"""What single memories are worth to a role: flags by how they stand, patterns by how well they worked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engramforge.core.lenses.favoured import looks_into, worth_of_flag, worth_of_pattern
from engramforge.model.lenses.role import Role
from engramforge.model.memory import Kind
from engramforge.model.registries.learned import FlagStatus
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Candidates
from engramforge.recall.request import Worth
from engramforge.registries.learned.learned_reading import LearnedReading, status_of
from engramforge.store.door import View


def worth_to(role: Role, learned: LearnedReading, scope: Scope) -> Worth | None:
    """How to value the candidates of a recall through a role; None where their kinds say all."""
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
