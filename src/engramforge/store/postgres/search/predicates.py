"""Scope and selection as text of a statement: built once for each shape, since building takes as long as many a
statement runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql.psycopg import dialect

from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.store.reading.predicates import in_time, kept, selected, together, visible
from engramforge.store.schema import memory, registry, session

_DIALECT: Final[sa.Dialect] = dialect()  # type: ignore[no-untyped-call]


class Predicate(NamedTuple):
    """A predicate as text, the prefix of its values' names, and the values, without those of a selection's shape."""

    text: str
    prefix: str
    values: Mapping[str, Any]


@kept
def of_selected(scope: Scope, shape: Selection) -> Predicate:
    """Memories of a selection's shape."""
    chosen = [*selected(shape, _by_name), *_saying_more(shape)]
    return _compiled("w", [visible(scope), *chosen])


@kept
def of_time(scope: Scope, shape: Selection) -> Predicate:
    """Memories in scope and time only."""
    return _compiled("t", [visible(scope), *in_time(memory, shape, _by_name)])


def _compiled(prefix: str, wanted: list[sa.ColumnElement[bool]]) -> Predicate:
    # As part of a statement, so that subqueries on a memory's other tables refer to this memory.
    whole: sa.Select[Any] = sa.select(sa.literal_column("1")).select_from(memory, session).where(*wanted)
    compiled = whole.compile(dialect=_DIALECT, compile_kwargs={"render_postcompile": True})
    text = str(compiled).partition("WHERE")[2]
    for name in compiled.params:
        text = text.replace(f"%({name})s", f"%({prefix}_{name})s")
    return Predicate(text, prefix, dict(compiled.params))


def _by_name(name: str, value: Any) -> sa.BindParameter[Any]:
    return sa.bindparam(name, value)


def _saying_more(selection: Selection) -> list[sa.ColumnElement[bool]]:
    """Without archives, unless they are asked for, and detections for review, as `filters` of the resident index."""
    reviewed = sa.exists().where(together(registry.c.memory_seq, memory.c.seq))
    wanted = [sa.or_(memory.c.kind != str(Kind.FLAG), ~reviewed)]
    if Kind.ARCHIVE not in (selection.kinds or ()):
        wanted.append(memory.c.kind != str(Kind.ARCHIVE))
    return wanted
