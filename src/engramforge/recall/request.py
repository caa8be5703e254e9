"""A recall as the stages see it: checked arguments with every default filled in. Pure, but for the clock handed in."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from engramforge.core.validation import check_name, check_query, check_tags, check_unit, check_word
from engramforge.errors import InvalidTime, InvalidValue
from engramforge.model.limits import RECALL_HITS
from engramforge.model.memory import Kind
from engramforge.model.selection import Selection
from engramforge.model.time import AsOf, TemporalMode, TimeRange, parse_time, utc

Moment = datetime | str | None


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What to recall.

    Parameters
    ----------
    query : the question; empty where only a selection is asked.
    selection : filters, with both axes of its point in time filled in.
    now : what freshness and relative dates count from.
    budget : characters, or None.
    limit : hits, or None.
    min_score : least mass.
    """

    query: str
    selection: Selection
    now: datetime
    budget: int | None
    limit: int | None
    min_score: float


def selection_of(
    kinds: str | Sequence[str] | None,
    session_id: str | None,
    tags: str | Sequence[str],
    since: Moment,
    until: Moment,
) -> Selection:
    """The filters, checked. Raises InvalidValue or InvalidTime."""
    chosen = None
    if kinds is not None:
        names = (kinds,) if isinstance(kinds, str) else listed(kinds, "kind")
        if not names:
            raise InvalidValue("An empty list of kinds is asked", "Name one, or leave it out for all")
        chosen = tuple(check_word(Kind, name, "kind") for name in names)
    span = None
    if since is not None or until is not None:
        span = TimeRange(moment(since, "since"), moment(until, "until"))
    return Selection(
        kinds=chosen,
        session_id=None if session_id is None else check_name(session_id, "session_id"),
        tags=check_tags((tags,) if isinstance(tags, str) else listed(tags, "tag")),
        valid_range=span,
    )


def recall_request(
    query: str | None,
    selection: Selection,
    *,
    clock: Callable[[], datetime],
    budget: int | None = None,
    min_score: float | None = None,
    limit: int | None = None,
    as_of: Moment = None,
    as_of_valid: Moment = None,
    as_of_recorded: Moment = None,
    now: Moment = None,
) -> RecallRequest:
    """A checked request; `query` None asks for a selection only."""
    if as_of is not None and (as_of_valid is not None or as_of_recorded is not None):
        raise InvalidTime("as_of is given together with one of its axes", "Give as_of, or the two axes apart")
    today = clock()
    both = moment(as_of, "as_of")
    valid = moment(as_of_valid, "as_of_valid") or both
    recorded = moment(as_of_recorded, "as_of_recorded") or both
    asked = valid is not None or recorded is not None
    point = AsOf(valid or today, recorded or today)
    return RecallRequest(
        query="" if query is None else check_query(query),
        selection=replace(
            selection, as_of=point, mode=TemporalMode.POINT_IN_TIME if asked else TemporalMode.CURRENT
        ),
        # Seen from the point in time that is asked, unless the caller says from when.
        now=moment(now, "now") or valid or today,
        budget=None if budget is None else whole(budget, "budget", 1, 100_000_000),
        limit=None if limit is None else whole(limit, "limit", 1, RECALL_HITS),
        min_score=0.0 if min_score is None else check_unit(min_score, "min_score"),
    )


def listed(values: object, what: str) -> tuple[str, ...]:
    """Several names as a tuple; each is checked later. Raises InvalidValue when they are no collection."""
    if not isinstance(values, Iterable):
        raise InvalidValue(f"The {what} is {str(values)[:40]!r}", "Give a name, or a list of names")
    return tuple(values)


def moment(value: Moment, what: str) -> datetime | None:
    """An aware datetime from itself or from ISO text."""
    return parse_time(value, what) if isinstance(value, str) else utc(value, what)


def whole(value: object, what: str, least: int, most: int) -> int:
    """A whole number within bounds. Raises InvalidValue."""
    sound = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if not sound or value != int(value) or not least <= value <= most:  # type: ignore[call-overload, operator]
        raise InvalidValue(f"The {what} is {value!r}", f"Give a whole number from {least} to {most:,}")
    return int(value)  # type: ignore[call-overload, no-any-return]
