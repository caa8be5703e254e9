"""What a dream did and still stands, as one effect, so that it is undone as any change is."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from engramforge.model.scope import Scope
from engramforge.model.storing.effect import Effect
from engramforge.model.storing.record import AuditEntry
from engramforge.store.door import Door

_AT_ONCE: Final = 500


def dream_effect(
    door: Door, scope: Scope, dream: str, lines: Iterable[AuditEntry], count: int
) -> Effect | None:
    """What a dream did, of what nobody changed since; None where nothing of it stands.

    `lines`: the audit log, newest first. `count`: how many lines of it are the dream's.
    """
    its = (each.effect for each in lines if each.effect is not None and each.effect.dream == dream)
    found = list(islice(its, count))[::-1]
    made = tuple(each for effect in found for each in effect.made)
    closed = tuple(each for effect in found for each in effect.closed)
    linked = tuple(each for effect in found for each in effect.linked)
    faded = tuple(each for effect in found for each in effect.faded)
    stand, left = _standing(door, scope, made), _left(door, scope, closed)
    made = tuple(each for each in made if each in stand)
    closed = tuple(each for each in closed if each in left)
    if not made and not closed:
        linked = ()
    if not (made or closed or faded):
        return None
    return Effect(made=made, closed=closed, linked=linked, faded=faded)


def _standing(door: Door, scope: Scope, ids: tuple[str, ...]) -> set[str]:
    """Which of these versions are on record."""
    there = door.asking(scope).fetch(ids) if ids else {}
    return {name for name, each in there.items() if each.expired_at is None}


def _left(door: Door, scope: Scope, ids: tuple[str, ...]) -> set[str]:
    """Which of these versions were the last of their memories, which nobody brought back or forgot."""
    view = door.asking(scope)
    found: set[str] = set()
    for begin in range(0, len(ids), _AT_ONCE):
        part = ids[begin : begin + _AT_ONCE]
        there = view.fetch(part)
        heads = view.fetch({each.logical_id for each in there.values()})
        found |= {name for name, each in there.items() if heads[each.logical_id].id == name}
    return found
