"""By what a memory is found as it feels: its goal, and its emotions at length 1. They repeat what its body says."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engramforge.core.emotions.emotion_names import normalised
from engramforge.core.streams.weights import goal_key

if TYPE_CHECKING:
    from engramforge.model.memory import Memory
    from engramforge.store.writing.ledger import Row


def felt_rows(memory: Memory, seq: int) -> tuple[list[Row], list[Row]]:
    """Rows of its goal and of its emotions."""
    owner = {"tenant": memory.tenant, "memory_seq": seq}
    goal = goal_key(memory.goal) if memory.goal else ""
    felt = normalised(memory.emotion_vector)
    length = math.hypot(*felt.values())
    shares = [{**owner, "emotion": name, "share": strength / length} for name, strength in felt.items()]
    return [{**owner, "goal": goal}] if goal else [], shares
