"""Scope and time as SQL predicates, for all statements about memories.

`visible` is the only function that renders a scope; every read uses it. `together` keeps joined rows within a tenant.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache, wraps
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar, cast

import sqlalchemy as sa

from engramforge.errors import InvalidTime
from engramforge.model.memory import ENERGY, Kind
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Felt, Selection
from engramforge.model.time import AsOf, TemporalMode, TimeRange, to_micros
from engramforge.store.folding import says_name
from engramforge.store.rows import blob, dump
from engramforge.store.schema import (
    body,
    entry_conversation,
    link,
    memory,
    memory_emotion,
    memory_goal,
    memory_tag,
    project,
    registry,
    session,
)

P = ParamSpec("P")
V = TypeVar("V")

_PORTION: Final = 500
"""How many values go into one IN list."""
NAMELESS: Final = ""
"""The project of the keys that a forgotten project leaves: they are known by its name, which is in them, hashed."""
CURRENT: Final = (memory.c.expired_at.is_(None), memory.c.invalid_at.is_(None))
"""Predicate: a version is on record and has not ended."""
_SCOPES_KEPT: Final = 256
_PROJECTS_KEPT: Final = 16
_SOME_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)
_LATER: Final = _SOME_TIME + timedelta(days=1)
"""Times that stand for any, in what is kept."""
_OWN_ENTRY: Final = registry.alias("own_entry")
_OWN_BODY: Final = body.alias("own_body")
"""Aliases, since statements for whole memories join the registry and bodies already."""


def kept(build: Callable[P, V]) -> Callable[P, V]:
    """Keep what is built for a scope, its first argument, and what else is asked, since that takes longer than many a
    statement takes to run.

    For the last 256 of scopes that name no more than 16 projects: nobody's long list stays in memory.
    """
    remembered = cast("Callable[P, V]", lru_cache(_SCOPES_KEPT)(build))

    @wraps(build)
    def built(*asked: P.args, **more: P.kwargs) -> V:
        scope = asked[0]
        assert isinstance(scope, Scope)
        is_long = len(scope.projects or ()) > _PROJECTS_KEPT
        return build(*asked, **more) if is_long else remembered(*asked, **more)

    return built


def together(left: sa.Column[Any], right: sa.Column[Any]) -> sa.ColumnElement[bool]:
    """Two rows belong together: by their keys, within one tenant."""
    return sa.and_(left == right, left.table.c.tenant == right.table.c.tenant)


def is_among(column: sa.ColumnElement[str], names: Collection[str]) -> sa.ColumnElement[bool]:
    """Whether a column has one of some names that belong to the statement.

    A short list is written into it once: SQLAlchemy would write it anew each time the statement is run, which takes as
    long as the looking up of a few keys.
    """
    if len(names) > _PROJECTS_KEPT:
        return column.in_(names)
    return column.in_([sa.literal(name, column.type) for name in names])


@kept
def visible(scope: Scope) -> sa.ColumnElement[bool]:
    """The scope as a predicate on the memory and project tables."""
    others = [str(level) for level in scope.levels if level is not Level.PERSONAL]
    allowed: sa.ColumnElement[bool] = is_among(memory.c.level, others)
    if Level.PERSONAL in scope.levels:
        own: sa.ColumnElement[bool] = memory.c.level == str(Level.PERSONAL)
        if not scope.every_agent:
            own = sa.and_(own, memory.c.agent == scope.agent)
        allowed = sa.or_(allowed, own)
    if scope.projects is not None:
        allowed = sa.and_(allowed, is_among(project.c.name, scope.projects))
    return sa.and_(memory.c.tenant == scope.tenant, allowed)


@kept
def visible_by_key(scope: Scope) -> sa.ColumnElement[bool]:
    """The same for memories that are asked for by their keys.

    A project's name is an expression here, so that SQLite looks the keys up and does not read all of a project.
    """
    everywhere = visible(replace(scope, projects=None))
    return (
        everywhere
        if scope.projects is None
        else sa.and_(everywhere, is_among(project.c.name + "", scope.projects))
    )


def in_project(frame: sa.FromClause) -> sa.Join:
    """Memories with their projects, as `visible` needs them.

    A chain of joins, never a join of joins, of which SQLite would materialise the inner one.
    """
    return frame.join(project, together(project.c.seq, memory.c.project_seq))


IN_PROJECT: Final = in_project(memory)
IN_SESSION: Final = IN_PROJECT.outerjoin(session, together(session.c.seq, memory.c.session_seq))
"""The joins that `selected` needs."""


def admits_all(scope: Scope) -> bool:
    """Whether the scope admits every memory of its tenant."""
    return scope.every_agent and scope.projects is None and set(Level) <= set(scope.levels)


@kept
def admitted(scope: Scope) -> sa.ColumnElement[bool]:
    """The scope as a predicate on the memory table alone, for statements that cannot join."""
    wanted = visible(replace(scope, projects=None))
    if scope.projects is None:
        return wanted
    return sa.and_(wanted, memory.c.project_seq.in_(keys_of_projects(scope)))


def keys_of_projects(scope: Scope) -> sa.Select[Any]:
    """The keys of the projects that a scope names, or of all."""
    wanted = [project.c.tenant == scope.tenant]
    if scope.projects is not None:
        wanted.append(is_among(project.c.name, scope.projects))
    return sa.select(project.c.seq).where(*wanted)


@kept
def both_ends(scope: Scope) -> tuple[sa.ColumnElement[bool], ...]:
    """The scope as predicates on the link table: both ends are memories in scope."""
    wanted: list[sa.ColumnElement[bool]] = [link.c.tenant == scope.tenant]
    everywhere = visible(replace(scope, projects=None))
    for end in (link.c.source_id, link.c.target_id):
        seen = sa.select(memory.c.seq).where(together(memory.c.logical_id, end), everywhere)
        if scope.projects is not None:
            # An expression, so that the memory's id is used and not the index of its project.
            seen = seen.where((memory.c.project_seq + 0).in_(keys_of_projects(scope)))
        wanted.append(seen.exists())
    return tuple(wanted)


class Shape(NamedTuple):
    """A selection without the values that are new at each question, and these by name: what is built for the one is
    kept, and runs with the other."""

    selection: Selection
    values: dict[str, Any]


def shape_of(selection: Selection) -> Shape:
    """The shape of a selection by its session, what it leaves out, and its times."""
    span, point = selection.valid_range or TimeRange(), selection.as_of or AsOf()
    values: dict[str, Any] = {
        "session": selection.session_id,
        "not_session": selection.exclude_session,
        "from": selection.excluded_from,
        "begin": span.start,
        "end": span.end,
        "valid": point.valid,
        "recorded": point.recorded,
    }
    values = {
        name: to_micros(value) if isinstance(value, datetime) else value for name, value in values.items()
    }
    shape = replace(
        selection,
        session_id=None if selection.session_id is None else "",
        exclude_session=None if selection.exclude_session is None else "",
        excluded_from=None if selection.excluded_from is None else _SOME_TIME,
        valid_range=TimeRange(span.start and _SOME_TIME, span.end and _LATER),
        as_of=AsOf(point.valid and _SOME_TIME, point.recorded and _SOME_TIME),
    )
    return Shape(shape, values)


def by_name(name: str, value: object) -> sa.BindParameter[Any]:
    """A value that is given when the statement runs."""
    del value
    return sa.bindparam(name)


def _as_it_is(name: str, value: V) -> V:
    del name
    return value


def selected(
    selection: Selection, told: Callable[[str, Any], Any] = _as_it_is
) -> list[sa.ColumnElement[bool]]:
    """A selection as predicates. `told`: how they have the values that `shape_of` names."""
    wanted: list[sa.ColumnElement[bool]] = []
    if selection.kinds is not None:
        wanted.append(is_among(memory.c.kind, [str(kind) for kind in selection.kinds]))
    if selection.session_id is not None:
        wanted.append(session.c.name == told("session", selection.session_id))
    if selection.exclude_session is not None:
        others = sa.func.coalesce(session.c.name, "") != told("not_session", selection.exclude_session)
        if selection.excluded_from is not None:
            others |= memory.c.valid_at < told("from", to_micros(selection.excluded_from))
        wanted.append(others)
    carries = sa.exists().where(together(memory_tag.c.memory_seq, memory.c.seq))
    wanted.extend(carries.where(memory_tag.c.tag == tag) for tag in selection.tags)
    if selection.statuses:
        entry = sa.exists().where(together(_OWN_ENTRY.c.memory_seq, memory.c.seq))
        wanted.append(entry.where(_OWN_ENTRY.c.status.in_(selection.statuses)))
    if selection.conversations:
        mention = sa.exists().where(together(entry_conversation.c.memory_seq, memory.c.seq))
        wanted.append(mention.where(entry_conversation.c.conversation.in_(selection.conversations)))
    wanted.extend(_written(selection))
    if selection.felt is not None:
        wanted.extend(felt_as(selection.felt))
    if selection.min_tier is not None:
        wanted.append(memory.c.epistemic_tier >= selection.min_tier)
    span = selection.valid_range
    if span is not None and span.start is not None:
        wanted.append(memory.c.valid_at >= told("begin", to_micros(span.start)))
    if span is not None and span.end is not None:
        wanted.append(memory.c.valid_at < told("end", to_micros(span.end)))
    return wanted + in_time(memory, selection, told)


def _written(selection: Selection) -> Iterator[sa.ColumnElement[bool]]:
    """Predicates of who wrote or said it, and how it came in."""
    if selection.writer is not None:
        yield memory.c.agent == selection.writer
    if selection.speaker is not None:
        yield says_name(memory.c.speaker, selection.speaker)
    own = sa.exists().where(together(_OWN_BODY.c.memory_seq, memory.c.seq))
    if selection.source is not None:
        yield own.where(_OWN_BODY.c.source == str(selection.source))
    if selection.answering is not None:
        yield own.where(
            sa.func.lower(_OWN_BODY.c.extra).contains(model_named(selection.answering), autoescape=True)
        )


def felt_as(felt: Felt) -> Iterator[sa.ColumnElement[bool]]:
    """Predicates of what a memory feels like and is for."""
    if felt.goals is not None:
        # By the goals first: asked of each memory, each goal would be looked up for each.
        so = sa.select(memory_goal.c.memory_seq).where(memory_goal.c.goal.in_(felt.goals))
        yield memory.c.seq.in_(so)
    if felt.states:
        yield memory.c.resolution_state.in_([str(state) for state in felt.states])
    least, most = felt.energy
    if least is not None:
        yield memory.c.energy >= least
    if most is not None:
        yield memory.c.energy <= most
    if felt.min_confidence is not None:
        yield memory.c.confidence >= felt.min_confidence
    if felt.is_pursued:
        serves = sa.exists().where(together(memory_goal.c.memory_seq, memory.c.seq))
        yield sa.or_(serves, memory.c.energy > ENERGY, memory.c.kind == str(Kind.THREAD))
    feels = sa.exists().where(together(memory_emotion.c.memory_seq, memory.c.seq))
    for name in felt.emotions:
        yield feels.where(memory_emotion.c.emotion == name)


def model_named(name: str) -> str:
    """How the metadata of a model's answer name it, in what is kept of seldom fields, all in lower case."""
    return f'"model":{dump(name)}'.lower()


def in_time(
    table: sa.Table, selection: Selection, told: Callable[[str, Any], Any] = _as_it_is
) -> list[sa.ColumnElement[bool]]:
    """A selection's mode and times as predicates on a table with the two time axes. `told`: as for `selected`."""
    if selection.mode is TemporalMode.FULL_HISTORY:
        return []
    wanted: list[sa.ColumnElement[bool]] = []
    if selection.mode is TemporalMode.EVOLUTION:
        recorded = selection.recorded_range
        if recorded is not None and recorded.end is not None:
            wanted.append(table.c.created_at < to_micros(recorded.end))
        if recorded is not None and recorded.start is not None:
            start = to_micros(recorded.start)
            wanted.append(sa.or_(table.c.expired_at.is_(None), table.c.expired_at > start))
        return wanted
    point = selection.as_of
    if point is None or point.valid is None or point.recorded is None:
        raise InvalidTime(
            "A point in time is asked for without a time", "Give as_of, or ask for another mode"
        )
    valid, recorded_at = told("valid", to_micros(point.valid)), told("recorded", to_micros(point.recorded))
    wanted.append(table.c.valid_at <= valid)
    wanted.append(sa.or_(table.c.invalid_at.is_(None), table.c.invalid_at > valid))
    wanted.append(table.c.created_at <= recorded_at)
    wanted.append(sa.or_(table.c.expired_at.is_(None), table.c.expired_at > recorded_at))
    return wanted


def raw_ids(texts: Iterable[str]) -> dict[bytes, str]:
    """Those of some texts that are ids, by their bytes."""
    found: dict[bytes, str] = {}
    for text in texts:
        with suppress(ValueError, AttributeError, TypeError):
            found[blob(text)] = text
    return found


def portions(values: Iterable[V]) -> Iterator[Sequence[V]]:
    """The values in lists that one statement can take."""
    listed = list(values)
    for begin in range(0, len(listed), _PORTION):
        yield listed[begin : begin + _PORTION]
