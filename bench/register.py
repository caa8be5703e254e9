"""A register of decisions and its history: reading the files of `peps`, and what was the case on a day.

Four kinds of lines, recognised by what they hold: decisions (title, created, abstract), pairs (old, new), as-of lines
(as_of, status), timelines (events).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Self

from bench.harness import moment
from bench.records import Record, read_records, take
from engramforge.errors import InvalidSource

if TYPE_CHECKING:
    from pathlib import Path

_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "pair": ("old", "new"),
    "as-of line": ("id", "as_of", "status"),
    "timeline": ("id", "events"),
    "decision": ("id", "title", "abstract"),
}
"""Kind of line -> the fields that tell it."""
_A_DAY: Final = timedelta(days=1)
_MICROSECOND: Final = timedelta(microseconds=1)

Key = int | str
STALE: Final = frozenset({"Superseded", "Rejected", "Withdrawn", "Deferred"})
"""Statuses of what does not stand."""


@dataclass(frozen=True, slots=True)
class State:
    """What the register says of a decision: its status, and what supersedes it, in order."""

    status: str
    superseded_by: tuple[Key, ...] = ()

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """The state among a memory's metadata."""
        return cls(str(fields.get("status")), tuple(fields.get("superseded_by", ())))

    @property
    def is_stale(self) -> bool:
        """Whether it does not stand."""
        return self.status in STALE

    def as_dict(self) -> dict[str, Any]:
        """The state as metadata of a memory."""
        return {"status": self.status, "superseded_by": list(self.superseded_by)}


@dataclass(frozen=True, slots=True)
class Event:
    """A state with the time at which it was recorded, and the title that it had then."""

    at: datetime
    title: str
    state: State


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision.

    Parameters
    ----------
    created : valid time, the beginning of the day of its header; None where it has none.
    final : its state today.
    events : what was recorded of it, oldest first; neighbours differ in title or state.
    """

    key: Key
    title: str
    abstract: str
    created: datetime | None
    final: State
    events: tuple[Event, ...] = ()

    @property
    def valid_since(self) -> datetime | None:
        """When it took effect: its header's day, else its first record."""
        return self.created or (self.events[0].at if self.events else None)

    @property
    def tag(self) -> str:
        """A name for it that is no word of its text."""
        return f"decision {self.key}"

    @property
    def is_reopened(self) -> bool:
        """Whether it stood again after it had been stale."""
        pairs = zip(self.events, self.events[1:], strict=False)
        return any(before.state.is_stale and not after.state.is_stale for before, after in pairs)

    def content(self, title: str | None = None) -> str:
        """Title (default: today's) and abstract; a decision without either has its tag."""
        return f"{self.title if title is None else title}\n\n{self.abstract}".strip() or self.tag

    def state(self, valid: datetime, recorded: datetime | None = None) -> State | None:
        """What was recorded by `recorded` (None: today) as the case at `valid`; None where nothing was.

        A state recorded before the decision took effect corrects the one before it; later ones each begin when they
        were recorded.
        """
        known = [event for event in self.events if recorded is None or event.at <= recorded]
        if not known or self.valid_since is None or valid < self.valid_since:
            return None
        begun = [event for event in known if event.at <= valid]
        return (begun[-1] if begun else known[0]).state


@dataclass(frozen=True, slots=True)
class Asked:
    """An as-of line: the end of a day, and what the register said then (None: nothing)."""

    key: Key
    end: datetime
    state: State | None


@dataclass(frozen=True, slots=True)
class Register:
    """All of it.

    Parameters
    ----------
    pairs : old and new, both among the decisions; `pairs_left_out` are those of which one is not.
    """

    decisions: Mapping[Key, Decision]
    pairs: Sequence[tuple[Key, Key]]
    asked: Sequence[Asked]
    pairs_left_out: int


def read_register(paths: Sequence[Path]) -> Register:
    """The register of one split, from files in any order.

    Raises
    ------
    InvalidSource : a kind of line is missing, a line is of no kind, a decision comes twice, or a time is none.
    """
    records: dict[str, list[Record]] = {kind: [] for kind in _KINDS}
    for record in read_records(paths):
        kind = next((kind for kind, fields in _KINDS.items() if record.has(*fields)), None)
        if kind is None:
            raise InvalidSource(
                f"{record.where}: this line is of no kind that peps knows", "Give its four files"
            )
        records[kind].append(record)
    for kind, found in records.items():
        if not found:
            raise InvalidSource(
                f"There is no {kind} in {', '.join(str(path) for path in paths)}",
                f"Give that file too: JSON lines with {', '.join(_KINDS[kind])}",
            )
    decisions: dict[Key, Decision] = {}
    for record in records["decision"]:
        _add(decisions, _decision(record), record)
    for record in records["timeline"]:
        key = _key(record.fields["id"], record)
        if key in decisions and decisions[key].events:
            raise InvalidSource(f"{record.where}: the timeline of {key!r} comes twice", "Give each file once")
        events = _events(record)
        if events:
            known = decisions.get(key) or Decision(key, events[-1].title, "", None, events[-1].state)
            decisions[key] = replace(known, events=events)
    pairs = [(_key(item.fields["old"], item), _key(item.fields["new"], item)) for item in records["pair"]]
    here = [pair for pair in pairs if pair[0] in decisions and pair[1] in decisions]
    asked = [_asked(record) for record in records["as-of line"]]
    return Register(decisions, here, asked, len(pairs) - len(here))


def _add(decisions: dict[Key, Decision], decision: Decision, record: Record) -> None:
    if decision.key in decisions:
        raise InvalidSource(
            f"{record.where}: the decision {decision.key!r} comes twice",
            "Give the files of one split, each once",
        )
    decisions[decision.key] = decision


def _decision(record: Record) -> Decision:
    return Decision(
        key=_key(record.fields["id"], record),
        title=record.text("title"),
        abstract=record.text("abstract"),
        created=moment(record.fields.get("created"), record.where),
        final=_state(record.fields, record),
    )


def _events(record: Record) -> tuple[Event, ...]:
    """The events in order; one that changes nothing is no event, of two at one time the later line counts."""
    found: dict[datetime, Event] = {}
    for fields in record.items("events"):
        at = moment(take(fields, "t", str, record.where), record.where)
        assert at is not None
        found[at] = Event(at, take(fields, "title", str, record.where), _state(fields, record))
    ordered = [found[at] for at in sorted(found)]
    return tuple(
        event
        for before, event in zip([None, *ordered], ordered, strict=False)
        if before is None or (before.title, before.state) != (event.title, event.state)
    )


def _asked(record: Record) -> Asked:
    day = moment(record.text("as_of"), record.where)
    assert day is not None
    known = record.fields["status"] is not None
    return Asked(
        _key(record.fields["id"], record),
        day + _A_DAY - _MICROSECOND,
        _state(record.fields, record) if known else None,
    )


def _state(fields: Mapping[str, Any], record: Record) -> State:
    after = fields.get("superseded_by") or []
    if not isinstance(after, list):
        raise InvalidSource(
            f"{record.where}: superseded_by is no list", "Give a file of this benchmark's format"
        )
    return State(
        take(fields, "status", str, record.where),
        tuple(sorted((_key(key, record) for key in after), key=str)),
    )


def _key(value: object, record: Record) -> Key:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise InvalidSource(f"{record.where}: {value!r} names no decision", "Give a number or a name")
    return value
