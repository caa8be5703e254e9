"""The shifts that were noticed, as they are kept: a mark by agent and project, ids and numbers alone.

What is told of them is read when somebody asks, in the asker's scope: a forgotten memory is told no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import quote

from engramforge.core.text.portions import excerpt_within
from engramforge.model.fence import quoted
from engramforge.model.memory import Kind, Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.time import TimeRange, from_micros, to_micros
from engramforge.model.topics.shift import SHIFTS, SHIFTS_KEPT, ActivityShift
from engramforge.model.topics.topic import TopicQuery
from engramforge.recall.request import PRESENT, in_time
from engramforge.store.door import Door, View

_SAID: Final = (Kind.PROMPT, Kind.MESSAGE)
_SENT_WITHIN: Final = timedelta(seconds=60)
"""How far from the moment of an alert its prompt may be recorded."""
_EXCERPT: Final = 120


def keep(door: Door, scope: Scope, shift: ActivityShift) -> None:
    """Keep a shift, in the place of the oldest where there are many."""
    key = _key(scope, shift.project)
    kept = list((door.asking(scope).mark(key) or {}).get("shifts", ()))
    told = {
        "at": to_micros(shift.at),
        "session": shift.session,
        "evidence": round(shift.evidence, 4),
        "spaces": [[str(space), round(similarity, 4)] for space, similarity in shift.spaces],
        "before": shift.before_id,
    }
    value = {"shifts": [*kept, told][-SHIFTS_KEPT:]}
    door.write(scope, lambda writes: writes.save_mark(key, value))


def kept_shifts(view: View, scope: Scope, project: str) -> list[ActivityShift]:
    """The shifts of a project that this agent was told of, newest first, without words."""
    told = (view.mark(_key(scope, project)) or {}).get("shifts", ())
    return [_read(project, each) for each in reversed(told)]


def with_words(view: View, shifts: Iterable[ActivityShift], now: datetime) -> list[ActivityShift]:
    """The same with what is known of what one was at, and of what one turned to. `view`: of the project."""
    asked = list(shifts)
    found = view.fetch([each.before_id for each in asked if each.before_id])
    topics = _topics(view, list(found.values()))
    told = []
    for each in asked:
        before = None if each.before_id is None else found.get(each.before_id)
        after = _prompt_of(view, each, now)
        told.append(
            replace(
                each,
                before_id=None if before is None else before.logical_id,
                before="" if before is None else beginning(before.content),
                topic="" if before is None else topics.get(before.id, ""),
                after_id=None if after is None else after.logical_id,
                after="" if after is None else beginning(after.content),
            )
        )
    return told


def last_shift(
    view: View, scope: Scope, project: str, session: str | None, told: Set[str], now: datetime
) -> str:
    """What the last session had moved on to, as a line where another one starts; empty where it moved on to nothing, or
    where that is told anyway. `view`: of the project. `told`: logical ids."""
    last = [each for each in kept_shifts(view, scope, project)[:1] if each.session != session]
    for each in with_words(view, last, now):
        if each.after_id is not None and each.after_id not in told:
            before = f", from {quoted(each.topic or each.before)}" if each.before else ""
            return f"The last session moved on at {each.at:%Y-%m-%d %H:%M} to {quoted(each.after)}{before}"
    return ""


def topic_of(view: View, memory: Memory) -> str:
    """The name of a memory's topic; empty where it has none, or none that this scope may read."""
    return _topics(view, [memory]).get(memory.id, "")


def beginning(text: str) -> str:
    """What is told of a memory in a line."""
    said = " ".join(text.split())
    return said if len(said) <= _EXCERPT else excerpt_within(said, _EXCERPT, 1) or f"{said[: _EXCERPT - 1]}…"


def _topics(view: View, memories: Sequence[Memory]) -> Mapping[str, str]:
    """Version id -> name of the topic."""
    places = view.places_of([each.id for each in memories]) if memories else {}
    topics = view.topics_at(list(places.values())) if places else {}
    if not topics:
        return {}
    names = {each.id: each.name for each in view.topics(TopicQuery())}
    return {id_: names.get(topics[place][0], "") for id_, place in places.items() if place in topics}


def _prompt_of(view: View, shift: ActivityShift, now: datetime) -> Memory | None:
    """The prompt at which a shift was noticed: of its session, and nearest in time."""
    near = TimeRange(shift.at - _SENT_WITHIN, shift.at + _SENT_WITHIN)
    selection = Selection(kinds=_SAID, session_id=shift.session, valid_range=near)
    said = view.browse(in_time(selection, PRESENT, now), 8)
    return min(said, key=lambda each: abs(each.valid_at - shift.at), default=None)


def _read(project: str, kept: Mapping[str, Any]) -> ActivityShift:
    return ActivityShift(
        at=from_micros(int(kept["at"])),
        session=str(kept["session"]),
        project=project,
        evidence=float(kept["evidence"]),
        spaces=tuple((Space(space), float(similarity)) for space, similarity in kept["spaces"]),
        before_id=kept["before"],
    )


def _key(scope: Scope, project: str) -> str:
    # An agent may be called with a slash, too.
    return f"{SHIFTS}{quote(scope.agent, safe='')}/{project}"
