"""Switches: whether something is captured, and whether something is injected, by project and session.

Everything is on until somebody switches it off. What is said of a session goes before what is said of its project. Kept
as a mark of the store, so that all processes see it at once and it moves with the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engramforge.model.scope import Scope
from engramforge.model.storing.live import Switch, SwitchedOff
from engramforge.store.door import Door, Transaction

_MARK: Final = "live:switches"
_MOST: Final = 1_000
"""The most sessions, or memories, that are remembered; the one that was switched first is given up."""
_WANTED: Final = f"{Switch.INJECTION}/memory"

State = Mapping[str, Any]


def switches_of(door: Door, scope: Scope) -> State:
    """All that was switched, as it is now."""
    return door.asking(scope).mark(_MARK) or {}


def is_on(state: State, what: Switch, project: str | None, session: str | None) -> bool:
    """Whether something is on for a session of a project."""
    asked = (("session", session), ("project", project))
    found = (state.get(f"{what}/{kind}", {}).get(name) for kind, name in asked if name)
    return next((said for said in found if said is not None), True)


def switch(
    door: Door,
    scope: Scope,
    what: Switch,
    *,
    on: bool,
    project: str | None = None,
    session: str | None = None,
) -> None:
    """Switch something on or off for a project, or a session, or both."""
    named = (("session", session), ("project", project))
    _keep(door, scope, [(f"{what}/{kind}", name) for kind, name in named if name], on)


def want(door: Door, scope: Scope, logical_ids: Iterable[str], *, on: bool) -> None:
    """Say whether memories are wanted in what a session begins with."""
    _keep(door, scope, [(_WANTED, each) for each in logical_ids], on)


def unwanted(state: State) -> frozenset[str]:
    """The memories that nobody wants in what a session begins with, by logical id."""
    return frozenset(name for name, is_so in state.get(_WANTED, {}).items() if not is_so)


def _keep(door: Door, scope: Scope, said: Sequence[tuple[str, str]], on: bool) -> None:
    def write(writes: Transaction) -> None:
        kept = {key: dict(names) for key, names in switches_of(door, scope).items()}
        for key, name in said:
            names = kept.setdefault(key, {})
            names.pop(name, None)
            # Of memories only what is not wanted is remembered, as the rest is.
            if not (on and key == _WANTED):
                names[name] = on
            if len(names) > _MOST:
                names.pop(next(iter(names)))
        writes.save_mark(_MARK, kept)

    if said:
        door.write(scope, write)


def switched_off(state: State) -> tuple[SwitchedOff, ...]:
    """All that is off."""
    return tuple(
        SwitchedOff(what=what, **{kind: name})
        for what in Switch
        for kind in ("project", "session")
        for name, is_so in state.get(f"{what}/{kind}", {}).items()
        if not is_so
    )
