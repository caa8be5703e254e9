"""What became of memories that were put before a model, by project: what adaptive weights go by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engramforge.core.lenses.outcomes import adapted
from engramforge.model.injection import InjectionQuery
from engramforge.model.lenses.orchestration import Weighed
from engramforge.model.lenses.role import LensProject
from engramforge.model.scope import Scope
from engramforge.store.door import Door

_LOOKED_AT: Final = 500
"""The newest records that count."""


def outcomes(door: Door, scope: Scope) -> dict[str, tuple[int, int]]:
    """Project -> how many memories were of use, of how many that were judged.

    What somebody said of a memory goes before whether a response took it up; each memory counts once, as said last.
    """
    judged: dict[str, tuple[str, bool]] = {}
    asking = door.asking(scope)
    for record in asking.injections(InjectionQuery(limit=_LOOKED_AT)):
        for each in record.memories:
            said = each.useful if each.useful is not None else each.used
            if said is not None:
                judged.setdefault(each.memory_id, (each.version_id, said))
    found = asking.fetch([version for version, _ in judged.values()]) if judged else {}
    counts: dict[str, tuple[int, int]] = {}
    for version, was_useful in judged.values():
        if version in found:
            useful, all_ = counts.get(found[version].project, (0, 0))
            counts[found[version].project] = useful + was_useful, all_ + 1
    return counts


def weighed(
    door: Door, scope: Scope, lenses: Sequence[LensProject]
) -> tuple[Sequence[LensProject], Mapping[str, Weighed]]:
    """Lenses with their adapted weights, and why, by `project`. A lens that names no project keeps its own."""
    counts = outcomes(door, scope)
    told: dict[str, Weighed] = {}
    for each in lenses:
        sums = [counts.get(name, (0, 0)) for name in each.sees.projects]
        if sums:
            useful, judged = (sum(column) for column in zip(*sums, strict=True))
            told[each.project] = adapted(1.0 if each.weight is None else each.weight, useful, judged)
    changed = [
        replace(each, weight=told[each.project].after) if each.project in told else each for each in lenses
    ]
    return changed, told
