"""Rows of a kept statement straight from SQLite's driver, which takes a third of what SQLAlchemy does around it.

A prompt runs a dozen of such statements, each of which looks up a few keys. On any other engine, and for a statement
that is not only text and values, SQLAlchemy runs it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import sqlalchemy as sa

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection, Dialect

_KEPT: Final = 512
_MANY: Final = re.compile(r"__\[POSTCOMPILE_(\w+)\]")
"""How SQLAlchemy leaves open how many values are given by a name."""

Process = Callable[[Any], Any]
Statement = sa.Select[Any] | sa.CompoundSelect[Any]


class _Prepared(NamedTuple):
    """A statement as the driver takes it, but for how many values stand where.

    `names`: of its parameters, in order; `many`: those with several values; `columns`: of its rows; `given`: values
    that belong to it; `processes`: what has to be made of values; `binds`: SQLAlchemy's own parameters.
    """

    text: str
    names: tuple[str, ...]
    many: frozenset[str]
    columns: tuple[str, ...]
    given: Mapping[str, Any]
    processes: Mapping[str, Process]
    binds: Mapping[Any, str]

    def run(self, connection: Connection, values: Mapping[str, Any] | None) -> Iterable[tuple[Any, ...]]:
        """Its rows."""
        asked = self.given if not values else {**self.given, **values}
        text, told = self.text, list[Any]()
        for name in self.names:
            value, process = asked[name], self.processes.get(name)
            if name in self.many:
                told += value if process is None else map(process, value)
            else:
                told.append(value if process is None else process(value))
        if self.many:
            text = _MANY.sub(lambda found: ", ".join("?" * len(asked[found[1]])), text)
        return send(connection, text, told)


def send(connection: Connection, text: str, values: Sequence[Any]) -> Iterable[tuple[Any, ...]]:
    """The rows of a text by the driver alone, which every statement of this module takes."""
    driver = cast("Any", connection.connection.driver_connection)
    return cast("Iterable[tuple[Any, ...]]", driver.execute(text, values))


def mappings_of(
    connection: Connection, statement: Statement, values: Mapping[str, Any] | None = None
) -> Iterable[Mapping[str, Any]]:
    """The rows of a statement by the names of their columns. `values`: those that it names; no list is empty."""
    prepared = _prepared(statement, connection.dialect)
    if prepared is None:
        return cast("Iterable[Mapping[str, Any]]", connection.execute(statement, values).mappings())
    columns = prepared.columns
    return (dict(zip(columns, row, strict=True)) for row in prepared.run(connection, values))


def rows_of(
    connection: Connection, statement: Statement, values: Mapping[str, Any] | None = None
) -> Iterable[tuple[Any, ...]]:
    """The rows of a statement, as above."""
    prepared = _prepared(statement, connection.dialect)
    if prepared is None:
        return map(tuple, connection.execute(statement, values))
    return prepared.run(connection, values)


@lru_cache(_KEPT)
def _prepared(statement: Statement, dialect: Dialect) -> _Prepared | None:
    """A statement as the driver takes it; None where it is for SQLAlchemy."""
    key = statement._generate_cache_key() if dialect.name == "sqlite" else None
    if key is None:
        return None
    alike = _COMPILED.get(key.key)
    if alike is None:
        if len(_COMPILED) >= _KEPT:
            _COMPILED.clear()
        alike = _COMPILED[key.key] = _compiled(statement, dialect), key
    found, first = alike
    if found is None or first is key:
        return found
    if any(not bind.required and bind not in found.binds for bind in first.bindparams):
        return _compiled(statement, dialect)
    # The same for another scope differs in its values alone: making its text takes a hundred times as long.
    values = zip(first.bindparams, key.bindparams, strict=True)
    own = {found.binds[its]: bind.effective_value for its, bind in values if not bind.required}
    return found._replace(given={**found.given, **own})


_COMPILED: Final[dict[Any, tuple[_Prepared | None, Any]]] = {}
"""By what statements are alike: one of them, and its key."""


def _compiled(statement: Statement, dialect: Dialect) -> _Prepared | None:
    made = statement.compile(dialect=dialect)
    is_read_as_it_is = all(_reads(column.type, dialect) is None for column in statement.selected_columns)
    if not is_read_as_it_is or made.literal_execute_params:
        return None
    binds = made.bind_names
    written = {name: bind.type.dialect_impl(dialect).bind_processor(dialect) for bind, name in binds.items()}
    return _Prepared(
        text=made.string,
        names=tuple(made.positiontup or ()),
        many=frozenset(binds[bind] for bind in made.post_compile_params),
        columns=tuple(statement.selected_columns.keys()),
        given={name: bind.effective_value for bind, name in binds.items() if not bind.required},
        processes={name: process for name, process in written.items() if process is not None},
        binds=binds,
    )


def _reads(kind: Any, dialect: Dialect) -> Process | None:
    """What is made of a value that is read; bytes and truth values are what they should be as they come."""
    if isinstance(kind, sa.LargeBinary | sa.Boolean):
        return None
    return cast("Process | None", kind.dialect_impl(dialect).result_processor(dialect, None))
