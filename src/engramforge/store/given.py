"""A list that a statement is given when it runs: one parameter on PostgreSQL, however long the list.

As many parameters as members, which is what SQLAlchemy makes of IN, take longer to be written into a message and to be
read by the server than the looking up of what they name. SQLite has no arrays, and takes parameters at no cost.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class _OneOf(FunctionElement[bool]):
    """Of a column and a parameter."""

    type = sa.Boolean()
    inherit_cache = True

    def self_group(self, against: Any = None) -> Any:
        """Itself: as any function it would be compared with 1 where there are no truth values, past every index."""
        del against
        return self


def one_of(column: sa.ColumnElement[Any], name: str) -> sa.ColumnElement[bool]:
    """Whether a column's value is a member of a list, which is given by this name."""
    return _OneOf(column, sa.bindparam(name, type_=column.type))


@compiles(_OneOf)
def _listed(element: _OneOf, compiler: SQLCompiler, **how: Any) -> str:
    column, given = element.clauses
    assert isinstance(given, sa.BindParameter)
    members: sa.BindParameter[Any] = sa.bindparam(given.key, type_=column.type, expanding=True)
    return str(compiler.process(column.in_(members), **how))


@compiles(_OneOf, "postgresql")
def _as_array(element: _OneOf, compiler: SQLCompiler, **how: Any) -> str:
    column, given = element.clauses
    assert isinstance(given, sa.BindParameter)
    members = sa.bindparam(given.key, type_=sa.ARRAY(column.type))
    return str(compiler.process(column == sa.func.any(members), **how))
