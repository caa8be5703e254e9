"""How a memory was used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Usage:
    """How a memory was used.

    Parameters
    ----------
    importance : 0..2.2, see core/topics/importance.
    activity : how often it was opened of late, what was seven days ago half; as far as it is known when.
    use_rate : the lower bound of how often it is of use when it is shown, 0..1; 0 of what was never shown.
    opened, shown : how often, in its current version.
    opened_at : the last time; None where it never was.
    """

    importance: float
    activity: float
    use_rate: float
    opened: int
    shown: int
    opened_at: datetime | None
