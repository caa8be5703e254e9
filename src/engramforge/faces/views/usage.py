"""The shape of how a memory was used, and a line of it."""

from __future__ import annotations

from dataclasses import dataclass

from engramforge.faces.views.shape import Shape, numbered
from engramforge.model.topics.usage import Usage


@dataclass(frozen=True, slots=True)
class UsageView(Shape[Usage]):
    """How a memory was used: `importance` 0..2.2, `activity` of late, `use_rate` the lower bound of use when shown."""

    importance: float
    activity: float
    use_rate: float
    opened: int
    shown: int
    opened_at: str | None


def usage_line(usage: UsageView) -> str:
    """How a memory was used, in a line; empty where it never was.

    >>> usage_line(UsageView(1.179, 2.5, 0.2361, 3, 5, None))
    'importance 1.18, activity of late 2.50, use rate 0.24 (opened 3 times, shown 5 times)'
    """
    if not (usage.opened or usage.shown):
        return ""
    counts = f"opened {numbered(usage.opened, 'time')}, shown {numbered(usage.shown, 'time')}"
    rates = f"activity of late {usage.activity:.2f}, use rate {usage.use_rate:.2f}"
    return f"importance {usage.importance:.2f}, {rates} ({counts})"
