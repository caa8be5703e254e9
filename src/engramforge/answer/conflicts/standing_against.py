"""What stands against a decision that is about to be written, told in a line each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engramforge.answer.conflicts.detecting import ConflictDetection
from engramforge.answer.conflicts.opposing import claim_in
from engramforge.model.scope import Scope

_MOST: Final = 3
_TOLD: Final = 120
"""Characters of a decision that is told of beside another."""


def standing_against(
    detection: ConflictDetection,
    scope: Scope,
    decision: str,
    rejected: Sequence[str],
    tier: float,
    project: str,
) -> tuple[str, ...]:
    """The surest contradictions of a decision: id, project, text and why of each. By rules alone: a write waits for no
    model."""
    claim = claim_in(decision, rejected, tier)
    found = () if claim is None else replace(detection, reading=None).check(scope, claim, project)
    return tuple(
        f"{side.entry_id or side.id} ({side.project}): {' '.join(side.text.split())[:_TOLD]}: {each.why}"
        for each in found[:_MOST]
        for side in (each.older,)
    )
