"""Shortened ids: the one id on record that begins so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.errors import InvalidValue
from engramforge.model.limits import SHORTEST_ID
from engramforge.model.scope import Scope
from engramforge.store.reading.predicates import IN_PROJECT, both_ends, together, visible, visible_by_key
from engramforge.store.rows import blob, text_id
from engramforge.store.schema import link, memory, registry

_BEGINNING: Final = re.compile(rf"(?=.{{{SHORTEST_ID},35}}\Z)[0-9a-f]+(?:-[0-9a-f]+)*-?", re.IGNORECASE)
_ENTRY_BEGINNING: Final = re.compile(r"(?:dec|thr|lin|arc|flg)_[0-9a-f]{2,11}", re.IGNORECASE)
_DIGITS: Final = 32
_NAMED: Final = 3
"""How many ids an error names that begin alike."""


def is_shortened(asked: str) -> bool:
    """Whether a text can be the beginning of an id: six characters or more, and not all of them."""
    return _ENTRY_BEGINNING.fullmatch(asked) is not None or (
        _BEGINNING.fullmatch(asked) is not None and len(asked.replace("-", "")) < _DIGITS
    )


def whole_id(connection: Connection, scope: Scope, asked: str, of_link: bool = False) -> str:
    """The id that begins so; see the door."""
    if _ENTRY_BEGINNING.fullmatch(asked):
        begins = registry.c.entry_id.startswith(asked.lower(), autoescape=True)
        frame = IN_PROJECT.join(registry, together(registry.c.memory_seq, memory.c.seq))
        statement = sa.select(registry.c.entry_id).select_from(frame).where(visible(scope), begins)
        return only(connection, statement, registry.c.entry_id, asked)
    if of_link:
        statement = sa.select(link.c.id).where(_begins(link.c.id, asked), *both_ends(scope))
        return only(connection, statement, link.c.id, asked)
    either = sa.or_(_begins(memory.c.id, asked), _begins(memory.c.logical_id, asked))
    statement = sa.select(memory.c.logical_id).select_from(IN_PROJECT).where(visible_by_key(scope), either)
    found = _first(connection, statement, memory.c.logical_id)
    if not found:
        return asked
    # As a whole id does, that of a version names the version.
    begun = [_versions(connection, scope, each, asked) for each in found]
    if len(found) > 1:
        # People know a memory by the version that was shown to them.
        _refuse([its[-1] if its else each for its, each in zip(begun, found, strict=True)], asked)
    (versions,) = begun
    return versions[0] if len(versions) == 1 else found[0]


def _versions(connection: Connection, scope: Scope, logical_id: str, asked: str) -> list[str]:
    """Ids of the first versions of a memory that begin so."""
    its = sa.select(memory.c.id).where(
        memory.c.logical_id == blob(logical_id), memory.c.tenant == scope.tenant
    )
    return _first(connection, its.where(_begins(memory.c.id, asked)), memory.c.id)


def only(connection: Connection, statement: sa.Select[Any], column: sa.Column[Any], asked: str) -> str:
    """The one id that a statement finds; what was asked if it finds none. Raises InvalidValue, which names several."""
    found = _first(connection, statement, column)
    if len(found) > 1:
        _refuse(found, asked)
    return found[0] if found else asked


def _refuse(found: Sequence[str], asked: str) -> NoReturn:
    more = " and more" if len(found) > _NAMED else ""
    raise InvalidValue(
        f"{asked!r} is the beginning of {', '.join(found[:_NAMED])}{more}", "Give more of the one you mean"
    )


def _begins(column: sa.Column[Any], asked: str) -> sa.ColumnElement[bool]:
    digits = asked.replace("-", "")
    first, last = (bytes.fromhex(digits.ljust(_DIGITS, filling)) for filling in "0f")
    return column.between(first, last)


def _first(connection: Connection, statement: sa.Select[Any], column: sa.Column[Any]) -> list[str]:
    found = connection.execute(statement.distinct().order_by(column).limit(_NAMED + 1)).scalars()
    return [each if isinstance(each, str) else text_id(each) for each in found]
