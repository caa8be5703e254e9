"""Two time axes: valid time (true in the world) and recorded time (known to the system).

Intervals are half-open, [start, end); an open end is None. Every time is timezone-aware UTC with microseconds.
Nothing here reads a clock: `now` is always an argument.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

from engramforge.errors import InvalidTime

MICROS_PER_DAY: Final = 86_400_000_000
EPOCH_ORDINAL: Final = 719_163
"""The ordinal day of 1970-01-01, from which stored times count."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LONGEST_SAID: Final = 60
"""The longest text that is no time and is shown."""


class TemporalMode(StrEnum):
    """How a retrieval treats the two axes."""

    CURRENT = "current"
    POINT_IN_TIME = "point_in_time"
    EVOLUTION = "evolution"
    FULL_HISTORY = "full_history"


class InvalidationReason(StrEnum):
    """Why a version ended."""

    REALITY_CHANGED = "reality_changed"
    DISCOVERED_FALSE = "discovered_false"


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A half-open range of times, either end open."""

    start: datetime | None = None
    end: datetime | None = None

    def __post_init__(self) -> None:
        start = utc(self.start, "the start of the time range")
        end = utc(self.end, "the end of the time range")
        if start is not None and end is not None and end <= start:
            raise InvalidTime(
                f"The time range ends at {end.isoformat()}, before it begins at {start.isoformat()}",
                "Swap the two, or leave one end open",
            )
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)


@dataclass(frozen=True, slots=True)
class AsOf:
    """A point on both axes: what was recorded by `recorded` as true at `valid`.

    None on an axis means now.
    """

    valid: datetime | None = None
    recorded: datetime | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "valid", utc(self.valid, "as_of_valid"))
        object.__setattr__(self, "recorded", utc(self.recorded, "as_of_recorded"))


def utc(moment: datetime | None, what: str = "the time") -> datetime | None:
    """The same moment in UTC; a naive one is refused by name."""
    if moment is None:
        return None
    if not isinstance(moment, datetime):
        raise InvalidTime(f"{what} is a {type(moment).__name__}", "Give a timezone-aware datetime")
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidTime(
            f"{what} {moment.isoformat()} has no time zone",
            "Give a timezone-aware time, such as 2026-05-01T09:00:00Z",
        )
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise InvalidTime(
            f"{what} {moment.isoformat()} leaves the calendar in UTC",
            "Give a time between the years 1 and 9999",
        ) from None


def parse_time(text: str, what: str = "the time") -> datetime:
    """An ISO 8601 text as an aware UTC time.

    A date alone is its midnight in UTC; a time of day without a zone is refused, because guessing one shifts
    history silently.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except (ValueError, AttributeError) as error:
        # Not cut, since a text in the wrong field may be a secret, of which a half would not be known for one.
        said = repr(text) if len(text) <= _LONGEST_SAID else f"of {len(text):,} characters"
        if isinstance(error, ValueError) and "isoformat" not in str(error):
            reason = "the zone is a day off or more" if "timedelta" in str(error) else error
            raise InvalidTime(
                f"There is no such time as {what} {said}: {reason}", "Check its day, hour and zone"
            ) from None
        raise InvalidTime(
            f"{what} {said} is not an ISO 8601 time", "Write it as 2026-05-01 or 2026-05-01T09:00:00Z"
        ) from None
    if len(text.strip()) <= len("2026-05-01") and moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    aware = utc(moment, what)
    assert aware is not None
    return aware


def just_after(earlier: datetime, wanted: datetime) -> datetime:
    """The wanted time, or the first moment after an earlier one where it does not lie after it."""
    return max(wanted, earlier + _MICROSECOND)


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC: exact, sortable, the same in every engine."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The inverse of `to_micros`."""
    return _EPOCH + timedelta(microseconds=micros)
