"""How strongly a link pulls a thought along it, and whether two goals are the same.

Source: spec chapter 5, "Traversal graph" and "Retrieval by state"; document 003, component 5b.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engramforge.core.emotions.emotion_names import emotion_cosine
from engramforge.model.link import Link

OF_ENERGY: Final = 0.3
OF_GOAL: Final = 0.2
OF_EMOTIONS: Final = 0.3
OF_CONFIDENCE: Final = 0.1
OF_TRANSFER: Final = 0.1
SAME_GOAL: Final = 1.0
GOAL_WITHIN: Final = 0.7
OTHER_GOAL: Final = 0.3
SIMILAR_GOAL: Final = 0.75
"""The cosine in E1 above which goals in other words are similar."""


def goal_key(goal: str) -> str:
    """What a goal is compared by: case and spacing do not matter, nor whether words are joined by _ or -.

    >>> goal_key("Design_retrieval-Architecture ")
    'design retrieval architecture'
    """
    return " ".join(goal.casefold().replace("_", " ").replace("-", " ").split())


def goal_match(goal: str | None, current: str | None) -> float:
    """1.0 for equal goals, 0.7 where one is contained in the other, 0.3 else, also without a current goal.

    >>> goal_match("ship v2", "ship v2"), goal_match("ship v2", "ship v2 by May"), goal_match("rest", "ship v2")
    (1.0, 0.7, 0.3)
    """
    if not goal or not current:
        return OTHER_GOAL
    one, other = goal_key(goal), goal_key(current)
    if not one or not other:
        return OTHER_GOAL
    if one == other:
        return SAME_GOAL
    return GOAL_WITHIN if f" {one} " in f" {other} " or f" {other} " in f" {one} " else OTHER_GOAL


def traversal_weight(link: Link, current_goal: str | None, current_emotions: Mapping[str, float]) -> float:
    """0.3 energy + 0.2 goal match + 0.3 emotion cosine + 0.1 confidence + 0.1 transfer coefficient, in 0..1.

    Energy 0.8, the same goal, the same emotions, confidence 0.9, coefficient 0.5: 0.24 + 0.2 + 0.3 + 0.09 + 0.05 =
    0.88.
    """
    total = (
        OF_ENERGY * link.energy
        + OF_GOAL * goal_match(link.goal, current_goal)
        + OF_EMOTIONS * emotion_cosine(link.emotion_vector, current_emotions)
        + OF_CONFIDENCE * link.confidence
        + OF_TRANSFER * link.energy_transfer_coefficient
    )
    return min(1.0, max(0.0, total))
