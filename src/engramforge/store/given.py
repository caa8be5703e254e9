"""Members of a list as a condition: a list that a statement is given when it runs, or one that it reads first.

On PostgreSQL the list is one parameter, however long: as many as it has members, which is what SQLAlchemy makes of IN,
take longer to be written into a message and to be read by the server than the looking up of what they name. What is
read first is an array there, too, since the planner would weigh a subquery of IN in every order of the joins. SQLite
has no arrays, and takes parameters at no cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

PLANNED_ONCE: Final[Mapping[str, Any]] = {"planned_once": True}
"""Options of a statement that is best read by the same indexes whatever its values are, such as one that looks up keys.
PostgreSQL keeps its plan with the session, since making one takes as long as such a statement runs."""


class _OneOf(FunctionElement[bool]):
    """Of a column and a parameter, or a subquery."""

    type = sa.Boolean()
    inherit_cache = True

    def self_group(self, against: Any = None) -> Any:
        """Itself: as any function it would be compared with 1 where there are no truth values, past every index."""
        del against
        return self


def one_of(column: sa.ColumnElement[Any], given: str | sa.Select[Any]) -> sa.ColumnElement[bool]:
    """Whether a column's value is a member of the list that is given by this name, or that a subquery reads."""
    if isinstance(given, str):
        return _OneOf(column, sa.bindparam(given, type_=column.type))
    return _OneOf(column, given.scalar_subquery())


@compiles(_OneOf)
def _listed(element: _OneOf, compiler: SQLCompiler, **how: Any) -> str:
    column, given = element.clauses
    if isinstance(given, sa.BindParameter):
        members: Any = sa.bindparam(given.key, type_=column.type, expanding=True)
        return str(compiler.process(column.in_(members), **how))
    return f"{compiler.process(column, **how)} IN {compiler.process(given, **how)}"


@compiles(_OneOf, "postgresql")
def _as_array(element: _OneOf, compiler: SQLCompiler, **how: Any) -> str:
    column, given = element.clauses
    if isinstance(given, sa.BindParameter):
        members = sa.bindparam(given.key, type_=sa.ARRAY(column.type))
        return str(compiler.process(column == sa.func.any(members), **how))
    return f"{compiler.process(column, **how)} = ANY (ARRAY{compiler.process(given, **how)})"
