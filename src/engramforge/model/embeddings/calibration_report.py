"""What a fit of the calibrations did, and which are in use: ids, counts and a time, nothing of any memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """The calibrations in use.

    Parameters
    ----------
    id : of the whole set; hits carry the ids of its members.
    number : how many times the store has been fitted; 0 for what is shipped alone.
    fitted_at, fitted_memories : when it was fitted, and to how many memories; None and 0 for what is shipped alone.
    pairs : how many pairs were compared for it just now.
    live : space/direction -> how many pairs of the store's own are in its background.
    """

    id: str
    number: int
    memories: int
    fitted_at: datetime | None
    fitted_memories: int
    pairs: int
    live: Mapping[str, int]
    seconds: float
