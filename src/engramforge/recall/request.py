"""A recall as the stages see it: checked arguments with every default filled in."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from engramforge.core.checks.validation import (
    check_code,
    check_name,
    check_query,
    check_tags,
    check_unit,
    check_word,
)
from engramforge.errors import InvalidTime, InvalidValue
from engramforge.model.lenses.role import Sight
from engramforge.model.limits import RECALL_HITS
from engramforge.model.memory import Kind
from engramforge.model.search.candidates import CANDIDATES, Candidates, Near
from engramforge.model.search.selection import SearchScope, Selection
from engramforge.model.time import AsOf, TemporalMode, TimeRange, parse_time, utc
from engramforge.recall.asked_dates import asked_period
from engramforge.spaces.code.languages import GRAMMARS, language_of
from engramforge.store.door import View

Moment = datetime | str | None
Worth = Callable[[View, Candidates], Mapping[int, float]]
"""Position -> value of a candidate in place of its kind's, 0..1, of those that have one of their own."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a question is asked by in addition to words.

    `image`: an image file's bytes: memories with an image like it. `code`: a piece of code: memories with code like it.
    `language`: of the code, if the caller names it. `entities`: names: memories that mention one of them.
    """

    image: bytes | None = None
    code: str | None = None
    language: str | None = None
    entities: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.image is not None or self.code is not None or bool(self.entities)


NOTHING_SHOWN = Shown()


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """What to recall.

    Parameters
    ----------
    query : the question; empty if only a selection is asked for, or something else is shown.
    selection : filters, with both axes of its point in time filled in.
    now : what freshness and relative dates count from.
    budget : characters, or None.
    limit : hits, or None.
    min_score : least mass.
    shown : what is asked by in addition to words.
    min_similarity : least fused similarity, 0..1.
    most : how many candidates are scored, where more could be hits.
    category_boosts : value of each kind in place of the options', 0..1; None for theirs.
    worth : says which candidates have a value of their own.
    explained : whether every hit says which spaces matched; order and mass do not depend on it.
    badged : whether one that is explained says how near in time it is, and how it was used, too.
    supposing : whether a text counts for what such words typically cause, where none has the question's own.
    near : as of a `Probe`.
    """

    query: str
    selection: Selection
    now: datetime
    budget: int | None
    limit: int | None
    min_score: float
    shown: Shown = NOTHING_SHOWN
    min_similarity: float = 0.0
    most: int = CANDIDATES
    category_boosts: Mapping[Kind, float] | None = None
    worth: Worth | None = None
    explained: bool = True
    badged: bool = True
    supposing: bool = True
    near: Near | None = None


def selection_of(
    kinds: str | Sequence[str] | None,
    session_id: str | None,
    tags: str | Sequence[str],
    since: Moment,
    until: Moment,
    exclude_session: str | None = None,
    *,
    now: datetime,
) -> Selection:
    """The filters, checked; relative dates count from `now`. Raises InvalidValue or InvalidTime."""
    chosen = None
    if kinds is not None:
        names = listed(kinds, "kind")
        if not names:
            raise InvalidValue("An empty list of kinds is asked", "Name one, or leave it out for all")
        chosen = tuple(check_word(Kind, name, "kind") for name in names)
    span = None
    if since is not None or until is not None:
        span = span_of(since, until, now)
    return Selection(
        kinds=chosen,
        session_id=None if session_id is None else check_name(session_id, "session_id"),
        exclude_session=None if exclude_session is None else check_name(exclude_session, "exclude_session"),
        tags=check_tags(listed(tags, "tag")),
        valid_range=span,
    )


class TimeNames(NamedTuple):
    """What a caller's arguments for times are called."""

    mode: str = "mode"
    as_of: str = "as_of"
    as_of_valid: str = "as_of_valid"
    as_of_recorded: str = "as_of_recorded"
    recorded_since: str = "recorded_since"
    recorded_until: str = "recorded_until"


OWN_NAMES: Final = TimeNames()


@dataclass(frozen=True, slots=True)
class AskedTimes:
    """The two time axes of a question as a caller gives them.

    `mode`: a `TemporalMode` or its name; None means point_in_time if a point is given, else current. `as_of`,
    `as_of_valid`, `as_of_recorded`: a point on both axes, or on each separately; an axis left out is now.
    `recorded_since`, `recorded_until`: the half-open range of evolution on the recorded axis, either end open. `names`:
    what errors call them. `through`: whether a day that ends the range belongs to it.
    """

    mode: TemporalMode | str | None = None
    as_of: Moment = None
    as_of_valid: Moment = None
    as_of_recorded: Moment = None
    recorded_since: Moment = None
    recorded_until: Moment = None
    names: TimeNames = OWN_NAMES
    through: bool = False


PRESENT = AskedTimes()
"""What holds now, as far as it is known now."""


def times_of(sight: Sight, times: AskedTimes = PRESENT) -> AskedTimes:
    """The times of a lens: its own, else those of the question."""
    own = {name: getattr(sight, name) for name in ("as_of", "as_of_valid", "as_of_recorded")}
    return AskedTimes(**own) if sight.is_dated else times


def in_time(selection: Selection, asked: AskedTimes, now: datetime) -> Selection:
    """The selection with its temporal mode and times, both axes of a point filled in.

    Raises InvalidTime: point_in_time without a time, a time or range that its mode does not have, a range that ends
    before it begins, a naive time; InvalidValue: there is no such mode.
    """
    point, names = point_of(asked, now), asked.names
    if asked.mode is not None:
        mode = check_word(TemporalMode, asked.mode, names.mode)
    else:
        mode = TemporalMode.CURRENT if point is None else TemporalMode.POINT_IN_TIME
    called = names.mode.replace("_", " ")
    since, until = names.recorded_since, names.recorded_until
    if mode is TemporalMode.POINT_IN_TIME and point is None:
        raise InvalidTime(
            "point_in_time is asked without a time",
            f"Give {names.as_of}, or {names.as_of_valid} or {names.as_of_recorded}",
        )
    if mode is not TemporalMode.POINT_IN_TIME and point is not None:
        raise InvalidTime(
            f"A point in time is given with the {called} {mode}",
            f"Leave {names.mode} out, or leave out {names.as_of}"
            + (f" and give {since} and {until}" if mode is TemporalMode.EVOLUTION else ""),
        )
    ranged = asked.recorded_since is not None or asked.recorded_until is not None
    if ranged and mode is not TemporalMode.EVOLUTION:
        raise InvalidTime(
            f"A range of recorded time is given with the {called} {mode}",
            f"Ask with {names.mode} evolution, or leave out {since} and {until}"
            + (
                "; since and until limit the time at which memories became true"
                if names == TimeNames()
                else ""
            ),
        )
    span = None
    if ranged:
        span = span_of(asked.recorded_since, asked.recorded_until, now, (since, until), through=asked.through)
    filled = AsOf((point and point.valid) or now, (point and point.recorded) or now)
    return replace(selection, mode=mode, as_of=filled, recorded_range=span)


def span_of(
    since: Moment,
    until: Moment,
    now: datetime,
    names: tuple[str, str] = ("since", "until"),
    *,
    through: bool = False,
) -> TimeRange:
    """A half-open range; `names`: what errors call its ends. Raises InvalidTime.

    A time, or a day alone, which is its midnight; a month, a year or what a query calls so ("last june") reaches from
    its beginning to its end; `through`: and so does a day at the end of the range.
    """
    if through and isinstance(until, str) and (last := asked_period(until, now)) is not None:
        until = last.end
    ends: list[datetime | None] = []
    for value, name, end in ((since, names[0], "start"), (until, names[1], "end")):
        try:
            ends.append(moment(value, name))
        except InvalidTime:
            if not isinstance(value, str) or (period := asked_period(value, now)) is None:
                raise
            ends.append(getattr(period, end))
    return TimeRange(*ends)


def _point(value: Moment, what: str, now: datetime) -> datetime | None:
    """A point in time; of a day, month or year alone its last moment, or `now` where that is within it."""
    period = asked_period(value, now) if isinstance(value, str) else None
    if period is None or period.start is None or period.end is None:
        return moment(value, what)
    return now if period.start <= now < period.end else period.end - timedelta(microseconds=1)


def begin_of(value: Moment, what: str, now: datetime) -> datetime | None:
    """A point in time, of what is called a day, month or year ("tomorrow") its beginning. Raises InvalidTime."""
    try:
        return moment(value, what)
    except InvalidTime:
        period = asked_period(value, now) if isinstance(value, str) else None
        if period is None or period.start is None:
            raise
        return period.start


def point_of(asked: AskedTimes, now: datetime) -> AsOf | None:
    """The asked point, with None for an axis left out; None if no point is asked for. Raises InvalidTime."""
    names = asked.names
    if asked.as_of is not None and (asked.as_of_valid is not None or asked.as_of_recorded is not None):
        raise InvalidTime(
            f"{names.as_of} is given together with one of its axes",
            f"Give {names.as_of}, or the two axes apart",
        )
    both = _point(asked.as_of, names.as_of, now)
    valid = _point(asked.as_of_valid, names.as_of_valid, now) or both
    recorded = _point(asked.as_of_recorded, names.as_of_recorded, now) or both
    return None if valid is None and recorded is None else AsOf(valid, recorded)


def recall_request(
    query: str | None,
    selection: Selection,
    times: AskedTimes = PRESENT,
    shown: Shown = NOTHING_SHOWN,
    *,
    clock: Callable[[], datetime],
    budget: int | None = None,
    min_score: float | None = None,
    limit: int | None = None,
    now: Moment = None,
) -> RecallRequest:
    """A checked request; without a `query` it asks for a selection only, or by what is shown."""
    today = clock()
    chosen = in_time(selection, times, today)
    seen_from = chosen.as_of.valid if chosen.as_of is not None else None
    return RecallRequest(
        query="" if query is None else check_query(query),
        selection=chosen,
        # Freshness counts from the asked point in time, unless the caller says otherwise.
        now=moment(now, "now") or seen_from or today,
        budget=None if budget is None else whole(budget, "budget", 1, 100_000_000),
        limit=None if limit is None else whole(limit, "limit", 1, RECALL_HITS),
        min_score=0.0 if min_score is None else check_unit(min_score, "min_score"),
        shown=shown,
    )


def shown_by(
    image: bytes | None, code: str | None, language: str | None, entities: str | Sequence[str]
) -> Shown:
    """What a question is asked by in addition to words, checked. Raises InvalidContent or InvalidValue."""
    if image is not None and not isinstance(image, bytes):
        raise InvalidValue(f"The image is a {type(image).__name__}", "Give a path, or the file's bytes")
    names = listed(entities, "entity")
    piece = None if code is None else check_code(code)
    if language is not None and language_of(check_name(language, "language")) is None:
        raise InvalidValue(
            f"The language is {language[:40]!r}, which cannot be read", f"Name one of {', '.join(GRAMMARS)}"
        )
    return Shown(image, piece, language, tuple(check_name(name, "entity") for name in names))


def listed(values: object, what: str) -> tuple[str, ...]:
    """A name, or several, as a tuple; each is checked later. Raises InvalidValue if they are not a collection."""
    if isinstance(values, str):
        return (values,)
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
        is_huge = isinstance(value, int | float) and value > most
        said = f"larger than {most:,}" if is_huge else repr(value)
        raise InvalidValue(f"The {what} is {said}", f"Give a whole number from {least} to {most:,}")
    return int(value)  # type: ignore[call-overload, no-any-return]


_KINDS: Final[Mapping[SearchScope, Kind]] = {
    SearchScope.THREADS: Kind.THREAD,
    SearchScope.DECISIONS: Kind.DECISION,
    SearchScope.LINEAGE: Kind.LINEAGE,
}


def kinds_within(scope: SearchScope | str | None, has_kinds: bool) -> tuple[str, ...] | None:
    """The kinds that a scope narrows a search to; None if it does not.

    `has_kinds`: whether the caller also names kinds.

    Raises InvalidValue: there is no such scope, or a registry's is given together with kinds.
    """
    if scope is None:
        return None
    chosen = check_word(SearchScope, scope, "scope")
    if chosen not in _KINDS:
        return None
    if has_kinds:
        raise InvalidValue(f"The scope {chosen} is given together with kinds", "Give one of the two")
    return (str(_KINDS[chosen]),)
