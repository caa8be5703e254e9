"""Filters of the scan: which rows of a shard a scope admits and a selection wants, as boolean masks.

The same predicates as in store/reading/predicates, over columns; what a selection names is looked up first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.core.arrays.ragged import among
from engramforge.errors import InvalidTime
from engramforge.model.memory import ENERGY, Kind, ResolutionState
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Felt, Selection
from engramforge.model.time import TemporalMode, to_micros
from engramforge.store.reading.predicates import model_named
from engramforge.store.rows import KIND_CODE, LEVEL_CODE
from engramforge.store.sqlite.connection import driver_of
from engramforge.store.sqlite.resident.parts import ShardKey
from engramforge.store.sqlite.resident.reading import Names
from engramforge.store.sqlite.resident.shard import OPEN_END, Shard

Mask = NDArray[np.bool_]
Touched = tuple[list[tuple[ShardKey, Shard]], list[Mask]]
"""Shards, each with the rows of it that take part."""
_CODES: Final = 256
"""As many kinds as a byte tells apart."""


@dataclass(frozen=True, slots=True)
class Filters:
    """A scope and a selection with their names looked up.

    `agent`: the index's number of the scope's agent. `sessions`, `not_sessions`: keys of the selected session, and of
    the one that is left out, in every project, or None for all. `named`: positions of the versions that tags and
    conversations of the selection name, or None for all. `statuses`: the index's numbers of the selected statuses;
    counts where the selection has any. `writer`, `speaker`: the index's numbers of those; count where the selection
    names one.
    """

    scope: Scope
    selection: Selection
    agent: int
    sessions: list[int] | None = None
    not_sessions: list[int] | None = None
    named: NDArray[np.int64] | None = None
    statuses: Sequence[int] = ()
    writer: int = -1
    speaker: int = -1

    def mask(self, shard: Shard) -> Mask:
        """Which rows of a shard take part."""
        wanted = shard.alive & _of_kinds(shard, self.selection)
        if not wanted.any():
            return wanted  # as of most projects where ended decisions are asked for
        wanted &= admitted(shard, self.scope, self.agent) & _in_time(shard, self.selection)
        if self.sessions is not None:
            wanted &= np.isin(shard.column("session"), self.sessions)
        if self.not_sessions:
            left_out = among(shard.column("session"), self.not_sessions)
            if self.selection.excluded_from is not None:
                left_out &= shard.column("valid_at") >= to_micros(self.selection.excluded_from)
            wanted &= ~left_out
        if self.named is not None:
            wanted &= np.isin(shard.column("position"), self.named)
        if self.selection.statuses:
            wanted &= among(shard.column("status"), self.statuses)
        if self.selection.writer is not None:
            wanted &= shard.column("agent") == self.writer
        if self.selection.speaker is not None:
            wanted &= shard.column("speaker") == self.speaker
        if self.selection.min_tier is not None:
            wanted &= shard.column("epistemic_tier") >= np.float32(self.selection.min_tier)
        span = self.selection.valid_range
        if span is not None and span.start is not None:
            wanted &= shard.column("valid_at") >= to_micros(span.start)
        if span is not None and span.end is not None:
            wanted &= shard.column("valid_at") < to_micros(span.end)
        return wanted


def filters_of(connection: Connection, scope: Scope, selection: Selection, names: Names) -> Filters:
    """A scope and a selection with their names looked up in the store and among those that the index has."""
    return Filters(
        scope,
        selection,
        names.agent.get(scope.agent, -1),
        session_keys(connection, selection.session_id),
        session_keys(connection, selection.exclude_session),
        named(connection, selection),
        *names.numbers(selection),
    )


def touched(keyed: Sequence[tuple[ShardKey, Shard]], filters: Filters) -> Touched:
    """The shards of which rows take part, and which rows: nothing of the others is to be scored."""
    masked = [(each, filters.mask(each[1])) for each in keyed]
    some = [(each, mask) for each, mask in masked if mask.any()]
    return [each for each, _ in some], [mask for _, mask in some]


def admitted(shard: Shard, scope: Scope, agent: int) -> Mask:
    """The scope's predicate: its levels, and of the personal level only its own agent's."""
    if (
        not scope.every_agent
        and len(shard.owners) == 1
        and (LEVEL_CODE[str(Level.PERSONAL)], agent) in shard.owners
    ):
        return np.full(len(shard), Level.PERSONAL in scope.levels)
    level = shard.column("level")
    others = [LEVEL_CODE[str(level)] for level in scope.levels if level is not Level.PERSONAL]
    seen: Mask = among(level, others)
    if Level.PERSONAL in scope.levels:
        own: Mask = level == LEVEL_CODE[str(Level.PERSONAL)]
        seen |= own if scope.every_agent else own & (shard.column("agent") == agent)
    return seen


def _of_kinds(shard: Shard, selection: Selection) -> Mask:
    """The kinds that are asked for, without those that only repeat other memories: archives, unless asked for by name,
    and detections for review."""
    kinds = frozenset(Kind if selection.kinds is None else selection.kinds)
    if selection.kinds is None:
        kinds -= {Kind.ARCHIVE}
    told = np.zeros(_CODES, np.bool_)
    told[[KIND_CODE[str(kind)] for kind in kinds]] = True
    kind = shard.column("kind")
    wanted: Mask = told[kind]
    if Kind.FLAG in kinds:
        wanted &= (kind != KIND_CODE[Kind.FLAG]) | (shard.column("status") == 0)
    return wanted


def _in_time(shard: Shard, selection: Selection) -> Mask:
    """Half-open intervals on both axes."""
    if selection.mode is TemporalMode.FULL_HISTORY:
        return np.ones(len(shard), np.bool_)
    created, expired = shard.column("created_at"), shard.column("expired_at")
    if selection.mode is TemporalMode.EVOLUTION:
        span = selection.recorded_range
        start = -OPEN_END if span is None or span.start is None else to_micros(span.start)
        end = OPEN_END if span is None or span.end is None else to_micros(span.end)
        overlaps: Mask = (created < end) & (expired > start)
        return overlaps
    point = selection.as_of
    if point is None or point.valid is None or point.recorded is None:
        raise InvalidTime(
            "A point in time is asked for without a time", "Give as_of, or ask for another mode"
        )
    valid, recorded = to_micros(point.valid), to_micros(point.recorded)
    held = (shard.column("valid_at") <= valid) & (valid < shard.column("invalid_at"))
    holds: Mask = held & (created <= recorded) & (recorded < expired)
    return holds


def session_keys(connection: Connection, name: str | None) -> list[int] | None:
    """Keys of a session in every project that has one of that name; None where none is named."""
    if name is None:
        return None
    rows = driver_of(connection).execute("SELECT seq FROM session WHERE name = ?", (name,))
    return [int(seq) for (seq,) in rows]


def named(connection: Connection, selection: Selection) -> NDArray[np.int64] | None:
    """Positions of versions with every selected tag, mentioned by one of the conversations, that came in as selected
    and are answers of the selected model; None for all."""
    asked: list[tuple[str, Sequence[object]]] = []
    if mentioned := selection.conversations:
        wanted = f"SELECT memory_seq FROM entry_conversation WHERE conversation IN ({_holes(mentioned)})"  # noqa: S608 - only question marks
        asked.append((wanted, mentioned))
    if tags := sorted(set(selection.tags)):
        wanted = (
            f"SELECT memory_seq FROM memory_tag WHERE tag IN ({_holes(tags)}) "  # noqa: S608 - only question marks
            "GROUP BY memory_seq HAVING COUNT(*) = ?"
        )
        asked.append((wanted, (*tags, len(tags))))
    if selection.source is not None:
        asked.append(("SELECT memory_seq FROM body WHERE source = ?", (str(selection.source),)))
    if selection.answering is not None:
        wanted = "SELECT memory_seq FROM body WHERE instr(lower(extra), ?) > 0"
        asked.append((wanted, (model_named(selection.answering),)))
    if selection.felt is not None:
        asked += _felt(selection.felt)
    found = [
        np.fromiter(connection.exec_driver_sql(wanted, tuple(values)).scalars(), np.int64)
        for wanted, values in asked
    ]
    return reduce(np.intersect1d, found) if found else None


def _felt(felt: Felt) -> Iterator[tuple[str, Sequence[object]]]:
    """Statements for the positions of what feels so, and their values."""
    if felt.goals is not None:
        yield f"SELECT memory_seq FROM memory_goal WHERE goal IN ({_holes(felt.goals)})", felt.goals  # noqa: S608 - only question marks
    for emotion in felt.emotions:
        yield "SELECT memory_seq FROM memory_emotion WHERE emotion = ?", (emotion,)
    if felt.is_pursued:
        pursued = (
            "SELECT memory_seq FROM memory_goal UNION SELECT seq FROM memory WHERE energy > ? OR kind = ?"
        )
        yield pursued, (ENERGY, str(Kind.THREAD))
    least, most = felt.energy
    bounds = {
        "energy >= ?": least,
        "energy <= ?": most,
        "confidence >= ?": felt.min_confidence,
        **{f"resolution_state IN ({_holes(felt.states)})": felt.states or None},
    }
    told = {said: value for said, value in bounds.items() if value is not None}
    if told:
        values = [
            each for value in told.values() for each in (value if isinstance(value, tuple) else (value,))
        ]
        yield f"SELECT seq FROM memory WHERE {' AND '.join(told)}", [*map(_plain, values)]  # noqa: S608 - our own words


def _plain(value: object) -> object:
    return str(value) if isinstance(value, ResolutionState) else value


def _holes(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))
