"""Switches: whether something is captured, and whether something is injected, by project and session.

Everything is on until somebody switches it off. What is said of a session goes before what is said of its project. Kept
as a mark of the store, so that all processes see it at once and it moves with the store.

Of capture it is kept, too, when it was switched: what was said while it was off stays out, whenever it comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from engramforge.model.scope import Scope
from engramforge.model.storing.live import Switch, SwitchedOff
from engramforge.store.door import Door, Transaction

_MARK: Final = "live:switches"
_MOST: Final = 1_000
"""The most sessions, or memories, that are remembered; the one that was switched first is given up, and before those
that are off those that are on."""
_WANTED: Final = f"{Switch.INJECTION}/memory"
_MOST_TIMED: Final = 5_000
"""The most sessions, or projects, of which it is kept when their capture was switched."""
_MOST_TIMES: Final = 200
"""The most times that are kept of one; of more, the first pauses become one."""
_EVER: Final = ""
"""The time of what was switched before times were kept: all that was said is after it."""

State = Mapping[str, Any]


def switches_of(door: Door, scope: Scope) -> State:
    """All that was switched, as it is now."""
    return door.asking(scope).mark(_MARK) or {}


def is_on(state: State, what: Switch, project: str | None, session: str | None) -> bool:
    """Whether something is on for a session of a project."""
    asked = (("session", session), ("project", project))
    found = (state.get(f"{what}/{kind}", {}).get(name) for kind, name in asked if name)
    return next((said for said in found if said is not None), True)


def was_on(state: State, project: str | None, session: str | None, at: datetime) -> bool:
    """Whether capture was on for a session of a project at a time, as far as times were kept."""
    moment = _moment(at)
    for kind, name in (("session", session), ("project", project)):
        said = [on for when, on in _times(state, kind).get(name or "", ()) if when <= moment]
        if said:
            return bool(said[-1])
    return True


def paused(state: State) -> tuple[frozenset[str], frozenset[str]]:
    """The sessions, and the projects, in which capture was ever switched off, whatever it is now."""

    def ever(kind: str) -> frozenset[str]:
        return frozenset(name for name, times in _times(state, kind).items() if _is_paused(times))

    return ever("session"), ever("project")


def switch(
    door: Door,
    scope: Scope,
    what: Switch,
    *,
    on: bool,
    at: datetime,
    project: str | None = None,
    session: str | None = None,
) -> None:
    """Switch something on or off for a project, or a session, or both, from `at` on."""
    named = (("session", session), ("project", project))
    _keep(door, scope, [(f"{what}/{kind}", name) for kind, name in named if name], on, at)


def want(door: Door, scope: Scope, logical_ids: Iterable[str], *, on: bool) -> None:
    """Say whether memories are wanted in what a session begins with."""
    _keep(door, scope, [(_WANTED, each) for each in logical_ids], on)


def unwanted(state: State) -> frozenset[str]:
    """The memories that nobody wants in what a session begins with, by logical id."""
    return frozenset(name for name, is_so in state.get(_WANTED, {}).items() if not is_so)


def _keep(
    door: Door, scope: Scope, said: Sequence[tuple[str, str]], on: bool, at: datetime | None = None
) -> None:
    def write(writes: Transaction) -> None:
        kept = {key: dict(names) for key, names in switches_of(door, scope).items()}
        for key, name in said:
            names = kept.setdefault(key, {})
            before = names.pop(name, None)
            if at is not None and key in _TIMED:
                _time(kept.setdefault(_TIMED[key], {}), name, before, on, _moment(at))
            # Of memories only what is not wanted is remembered, as the rest is.
            if not (on and key == _WANTED):
                names[name] = on
            if len(names) > _MOST:
                # What is on needs no word more often than what is off.
                names.pop(next((each for each, is_so in names.items() if is_so), next(iter(names))))
        writes.save_mark(_MARK, kept)

    if said:
        door.write(scope, write)


_TIMED: Final = {
    f"{Switch.CAPTURE}/{kind}": f"{Switch.CAPTURE}/{kind}/times" for kind in ("session", "project")
}
"""Where it is kept when something was switched."""


def _times(state: State, kind: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = state.get(_TIMED[f"{Switch.CAPTURE}/{kind}"], {})
    return found


def _is_paused(times: Iterable[Sequence[Any]]) -> bool:
    return any(not on for _, on in times)


def _time(timed: dict[str, Any], name: str, before: bool | None, on: bool, moment: str) -> None:
    """Note in `timed` that something is on or off from a moment; `before`: what it was."""
    times = [list(each) for each in timed.pop(name, [] if before is None else [[_EVER, before]])]
    if not times or bool(times[-1][1]) != on:
        # A clock that was set back makes no pause shorter.
        times.append([max(moment, times[-1][0]) if times else moment, on])
    if len(times) > _MOST_TIMES:
        first_pause = next(place for place, (_, is_so) in enumerate(times) if not is_so)
        del times[first_pause + 1 : first_pause + 3]
    timed[name] = times
    if len(timed) > _MOST_TIMED:
        never_off = (each for each, some in timed.items() if not _is_paused(some))
        timed.pop(next(never_off, next(iter(timed))))


def _moment(at: datetime) -> str:
    """A time whose order is that of its letters; to the millisecond, as transcripts have it."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


def switched_off(state: State) -> tuple[SwitchedOff, ...]:
    """All that is off."""
    return tuple(
        SwitchedOff(what=what, **{kind: name})
        for what in Switch
        for kind in ("project", "session")
        for name, is_so in state.get(f"{what}/{kind}", {}).items()
        if not is_so
    )
