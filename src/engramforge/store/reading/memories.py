"""Reading memories: by id, by position, by selection."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.link import Relation
from engramforge.model.memory import Chunk, Memory
from engramforge.model.registration import Registration
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Extent, StoredChunk, content_digest
from engramforge.model.time import from_micros
from engramforge.store.given import PLANNED_ONCE, one_of
from engramforge.store.reading.predicates import (
    CURRENT,
    IN_PROJECT,
    IN_SESSION,
    by_name,
    kept,
    portions,
    raw_ids,
    selected,
    shape_of,
    together,
    visible,
    visible_by_key,
)
from engramforge.store.rows import further_chunks, loaded, memory_of, text_id
from engramforge.store.schema import body, chunk, link, memory, memory_file, project, registry, session
from engramforge.store.straight import mappings_of, rows_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROWS: Final = 1_000
_NAMED: Final = session.alias("named_session")
_DERIVED: Final = sa.literal_column(f"'{Relation.DERIVED_FROM}'", sa.Text)
"""As a parameter it would be compared with the relation that one of the indexes is of, and SQLite would plan the
statement anew each time it is run."""
WHOLE: Final = sa.select(
    memory,
    *(body.c[name] for name in ("content", "source", "name", "emotion_vector", "extra")),
    project.c.name.label("project_name"),
    session.c.name.label("session_name"),
    *(chunk.c[field.name] for field in fields(Chunk)),
    *(registry.c[field.name] for field in fields(Registration)),
).select_from(
    IN_SESSION.join(body, together(body.c.memory_seq, memory.c.seq))
    .outerjoin(chunk, together(chunk.c.memory_seq, memory.c.seq))
    .outerjoin(registry, together(registry.c.memory_seq, memory.c.seq))
)
"""All columns of a `Memory`."""


def whole(connection: Connection, scope: Scope, statement: sa.Select[Any]) -> list[Memory]:
    """The memories of a statement made from `WHOLE`."""
    return [memory_of(row, scope.tenant) for row in connection.execute(statement).mappings()]


def fetch(connection: Connection, scope: Scope, ids: Iterable[str]) -> dict[str, Memory]:
    """Memories by version id or logical id; a logical id gives the open record, else the last one."""
    asked = raw_ids(ids)
    chosen: dict[str, Mapping[str, Any]] = {}
    for portion in portions(asked):
        rows = list(mappings_of(connection, _named(scope, len(asked) == 1), {"ids": portion}))
        for key in ("id", "logical_id"):
            chosen.update({asked[row[key]]: row for row in rows if row[key] in asked})
    return {text: memory_of(row, scope.tenant) for text, row in chosen.items()}


@kept
def _named(scope: Scope, is_one: bool) -> sa.Select[Any]:
    """The memories of ids; kept. `is_one`: of one id, of which the last record alone is read."""
    ids: sa.BindParameter[Any] = sa.bindparam("ids", expanding=True)
    # The last row of a logical id wins: open before closed, unended before ended, newer before older.
    order = (*CURRENT, memory.c.version, memory.c.seq)
    wanted: sa.ColumnElement[bool] = sa.or_(memory.c.id.in_(ids), memory.c.logical_id.in_(ids))
    if is_one:
        # A memory may have many versions, of which only the last one is to be read.
        last = sa.select(memory.c.seq).select_from(IN_PROJECT).where(wanted, visible_by_key(scope))
        last = last.order_by(*map(sa.desc, (memory.c.logical_id.in_(ids), *order))).limit(1)
        wanted = memory.c.seq == last.correlate(None).scalar_subquery()
    return WHOLE.where(wanted, visible_by_key(scope)).order_by(*order)


def fetch_at(
    connection: Connection, scope: Scope, positions: NDArray[np.int64] | Sequence[int]
) -> dict[int, Memory]:
    """Memories at these positions."""
    found: dict[int, Memory] = {}
    for portion in portions(int(position) for position in positions):
        for row in mappings_of(connection, _placed(scope), {"places": portion}):
            found[row["seq"]] = memory_of(row, scope.tenant)
    return found


@kept
def _placed(scope: Scope) -> sa.Select[Any]:
    """The memories at given places; kept, for a recall waits for its making."""
    its = one_of(memory.c.seq, "places")
    return WHOLE.where(its, visible_by_key(scope)).execution_options(**PLANNED_ONCE)


def fetch_with_entries(
    connection: Connection, scope: Scope, positions: NDArray[np.int64]
) -> tuple[dict[int, Memory], list[Memory]]:
    """Memories at these positions, and the registry entries that were read from them; one statement for both."""
    found: dict[int, Memory] = {}
    entries: list[tuple[tuple[bool, bool, int, int], Memory]] = []
    for portion in portions(int(position) for position in positions):
        for row in mappings_of(connection, _with_entries(scope), {"places": portion}):
            read = memory_of(row, scope.tenant)
            if row["is_told"]:
                order = (row["expired_at"] is None, row["invalid_at"] is None, row["version"], row["seq"])
                entries.append((order, read))
            else:
                found[row["seq"]] = read
    # The last record of each: open before closed, newer before older.
    last = {each.logical_id: each for _, each in sorted(entries, key=itemgetter(0))}
    return found, list(last.values())


@kept
def _with_entries(scope: Scope) -> sa.CompoundSelect[Any]:
    message = memory.alias("message")
    told = (
        sa.select(link.c.source_id)
        .join(message, together(message.c.logical_id, link.c.target_id))
        .where(
            one_of(message.c.seq, "places"),
            message.c.tenant == scope.tenant,
            link.c.tenant == scope.tenant,
            link.c.relation == _DERIVED,
            link.c.expired_at.is_(None),
        )
    )
    entries = WHOLE.where(
        one_of(memory.c.logical_id, told),
        memory.c.tenant == scope.tenant,
        registry.c.entry_id.is_not(None),
        visible_by_key(scope),
    )
    is_told = (sa.literal(value, sa.Boolean).label("is_told") for value in (False, True))
    both = sa.union_all(_placed(scope).add_columns(next(is_told)), entries.add_columns(next(is_told)))
    return both.execution_options(**PLANNED_ONCE)


def versions(
    connection: Connection, scope: Scope, *logical_ids: str, on_record: bool = False
) -> list[Memory]:
    """Every record of a logical id, or of a few, oldest first; or those that are on record now."""
    asked = list(raw_ids(logical_ids))
    statement = WHOLE.where(memory.c.logical_id.in_(asked), visible_by_key(scope))
    statement = statement.where(memory.c.expired_at.is_(None)) if on_record else statement
    return whole(connection, scope, statement.order_by(memory.c.created_at, memory.c.seq)) if asked else []


def browse(
    connection: Connection,
    scope: Scope,
    selection: Selection,
    limit: int,
    offset: int = 0,
    newest_first: bool = True,
) -> list[Memory]:
    """Memories of a selection by valid time; equal times in the order of writing."""
    shape = shape_of(selection)
    values = {**shape.values, "most": limit, "behind": offset}
    browsed = mappings_of(connection, _browsed(scope, shape.selection, newest_first), values)
    return [memory_of(row, scope.tenant) for row in browsed]


@kept
def _browsed(scope: Scope, shape: Selection, newest_first: bool) -> sa.Select[Any]:
    """Memories of a selection's shape; kept, for a session that starts waits for its making."""
    order: tuple[sa.ColumnElement[Any], ...] = (memory.c.valid_at, memory.c.seq)
    statement = WHOLE.where(*selected(shape, by_name))
    if shape.session_id is not None:
        # By its keys, so that its few memories are found first, and not among those of the project or by their times.
        its = (_NAMED.c.tenant == scope.tenant, _NAMED.c.name == sa.bindparam("session"))
        keys = sa.select(_NAMED.c.seq).where(*its)
        statement = statement.where(memory.c.session_seq.in_(keys), visible_by_key(scope))
        order = (memory.c.valid_at + 0, memory.c.seq)
    else:
        statement = statement.where(visible(scope))
    statement = statement.order_by(*(column.desc() for column in order) if newest_first else order)
    return statement.limit(sa.bindparam("most", type_=sa.Integer)).offset(
        sa.bindparam("behind", type_=sa.Integer)
    )


def positions(
    connection: Connection, scope: Scope, selection: Selection, limit: int, by_time: bool = False
) -> NDArray[np.int64]:
    """Positions of the newest memories of a selection, newest first: by writing, or by valid time."""
    shape = shape_of(selection)
    rows = rows_of(connection, _newest(scope, shape.selection, by_time), {**shape.values, "most": limit})
    return np.array([place for (place,) in rows], np.int64)


@kept
def _newest(scope: Scope, shape: Selection, by_time: bool) -> sa.Select[Any]:
    """The positions of the newest of a selection's shape; kept, as above."""
    its = sa.select(memory.c.seq).select_from(IN_SESSION).where(visible(scope), *selected(shape, by_name))
    order = (memory.c.valid_at, memory.c.seq) if by_time else (memory.c.seq,)
    return its.order_by(*map(sa.desc, order)).limit(sa.bindparam("most", type_=sa.Integer))


def went_on(
    connection: Connection, scope: Scope, selection: Selection, sessions: Collection[str], most: int
) -> list[tuple[str, int, int]]:
    """What of a selection was said in these conversations: conversation, position, valid time; the oldest first."""
    shape = shape_of(selection)
    found: list[tuple[str, int, int]] = []
    for portion in portions(dict.fromkeys(sessions)):
        values = {**shape.values, "sessions": portion, "most": most}
        found += [
            (name, place, at)
            for name, place, at in rows_of(connection, _going_on(scope, shape.selection), values)
        ]
    return sorted(found, key=itemgetter(2, 1))[:most]


@kept
def _going_on(scope: Scope, shape: Selection) -> sa.Select[Any]:
    """What was said in conversations; kept, as above."""
    # By their keys, as one conversation is browsed.
    keys = sa.select(_NAMED.c.seq).where(_NAMED.c.tenant == scope.tenant, one_of(_NAMED.c.name, "sessions"))
    its = sa.select(session.c.name, memory.c.seq, memory.c.valid_at).select_from(IN_SESSION)
    chosen = its.where(*selected(shape, by_name), one_of(memory.c.session_seq, keys), visible_by_key(scope))
    order = (memory.c.valid_at + 0, memory.c.seq)
    return chosen.order_by(*order).limit(sa.bindparam("most", type_=sa.Integer))


def places_of(connection: Connection, scope: Scope, version_ids: Sequence[str]) -> dict[str, int]:
    """Positions of versions in scope, by their ids."""
    wanted = raw_ids(version_ids)
    found: dict[str, int] = {}
    for portion in portions(wanted):
        rows = rows_of(connection, _positions(scope), {"ids": portion})
        found |= {wanted[bytes(version)]: place for version, place in rows}
    return found


@kept
def _positions(scope: Scope) -> sa.Select[Any]:
    """The positions of versions; kept, as above."""
    found = sa.select(memory.c.id, memory.c.seq).select_from(IN_PROJECT)
    return found.where(one_of(memory.c.id, "ids"), visible_by_key(scope)).execution_options(**PLANNED_ONCE)


def files(connection: Connection, scope: Scope, project: str, prefix: str) -> dict[str, list[StoredChunk]]:
    """Current chunks of a project's files whose path begins with the prefix, by path and index."""
    its = (chunk.c.file_path, chunk.c.chunk_index, memory.c.seq, memory.c.id, memory.c.logical_id)
    found: dict[tuple[str, int, int], StoredChunk] = {}
    for beginning in (
        chunk.c.file_path.startswith(prefix, autoescape=True),
        _also_in(memory_file.c.file_path.startswith(prefix, autoescape=True)),
    ):
        statement = WHOLE.with_only_columns(
            *its, memory.c.valid_at, body.c.content, body.c.extra, maintain_column_froms=True
        ).where(visible(scope.within(project)), beginning, *CURRENT)
        # In portions, and put in order without the texts: those of a large file are never held together.
        for *first, seq, raw_id, raw_logical_id, valid_at, content, extra in connection.execute(
            statement.execution_options(yield_per=_ROWS)
        ):
            ids = text_id(raw_id), text_id(raw_logical_id)
            known = (*ids, content_digest(content), from_micros(valid_at))
            further = ((each.file_path, each.chunk_index) for each in further_chunks(loaded(extra)))
            for path, index in (first, *further):
                if path.startswith(prefix):
                    found[path, index, seq] = StoredChunk(*known, path)
    by_path: dict[str, list[StoredChunk]] = {}
    for place in sorted(found):
        by_path.setdefault(place[0], []).append(found[place])
    return by_path


def _also_in(wanted: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    """Whether a further file of a memory is a wanted one."""
    return sa.exists().where(together(memory_file.c.memory_seq, memory.c.seq), wanted)


def within(connection: Connection, scope: Scope, extent: Extent) -> dict[str, str]:
    """The logical ids of all that an extent has in scope, each with its project; of entries that is left empty, since
    those of a conversation may be anywhere."""
    asked: list[sa.ColumnElement[bool]] = [
        memory.c.logical_id.in_(portion) for portion in portions(raw_ids(extent.ids))
    ]
    if name := extent.conversation:
        made_in = (registry.c.conversation == name, registry.c.continuation == name)
        asked.append(sa.or_(session.c.name == name, *made_in))
    if path := extent.file:
        further = _also_in(_is_below(memory_file.c.file_path, path))
        asked.append(sa.or_(_is_below(chunk.c.file_path, path), further))
    if extent.projects:
        asked.append(sa.true())
    where = sa.case((registry.c.entry_id.is_(None), project.c.name), else_="")
    statement = WHOLE.with_only_columns(memory.c.logical_id, where, maintain_column_froms=True)
    statement = statement.where(visible(scope)).order_by(memory.c.seq)
    found = {text_id(raw): name for each in asked for raw, name in connection.execute(statement.where(each))}
    for logical_id in _said_elsewhere(connection, scope, list(found), extent.file) if extent.file else ():
        del found[logical_id]
    return found


def _said_elsewhere(connection: Connection, scope: Scope, logical_ids: list[str], path: str) -> set[str]:
    """Which memories a file outside of a path says too: those are not the path's to take away."""
    outside = sa.or_(
        sa.and_(chunk.c.file_path.is_not(None), sa.not_(_is_below(chunk.c.file_path, path))),
        _also_in(sa.not_(_is_below(memory_file.c.file_path, path))),
    )
    statement = WHOLE.with_only_columns(memory.c.logical_id, maintain_column_froms=True)
    statement = statement.where(visible(scope), outside, *CURRENT)
    return {
        text_id(raw)
        for portion in portions(raw_ids(logical_ids))
        for (raw,) in connection.execute(statement.where(memory.c.logical_id.in_(portion)))
    }


def _is_below(column: sa.ColumnElement[str], path: str) -> sa.ColumnElement[bool]:
    """Whether a path is a file, or in a folder."""
    return sa.or_(column == path, column.startswith(f"{path}/", autoescape=True))


Position = tuple[int, int, tuple[str, ...], tuple[str, ...]]
"""A version's position, project key, text and labels: names, seldom fields, an entry's own."""


def positions_of(
    connection: Connection, scope: Scope, logical_ids: Iterable[str]
) -> dict[str, list[Position]]:
    """The positions of every version of memories, by logical id."""
    labels = (
        *(body.c.name, body.c.extra, memory.c.speaker, session.c.name, chunk.c.file_path),
        *(registry.c.details, registry.c.conversations, registry.c.continuation, registry.c.local_id),
    )
    its = (memory.c.logical_id, memory.c.seq, memory.c.project_seq, body.c.content)
    statement = WHOLE.with_only_columns(*its, *labels, maintain_column_froms=True)
    found: dict[str, list[Position]] = {}
    for portion in portions(raw_ids(logical_ids)):
        rows = connection.execute(statement.where(memory.c.logical_id.in_(portion), visible_by_key(scope)))
        for raw, seq, key, content, *some in rows:
            found.setdefault(text_id(raw), []).append((seq, key, (content,), tuple(filter(None, some))))
    return found
