"""Statements that are compiled once in a test process, whatever the number of stores.

SQLAlchemy compiles each statement for each engine anew, and nearly every test has a store, so an engine, of its own:
that took two thirds of a first memory and a first recall.
"""

from __future__ import annotations

import functools
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.util import LRUCache

_MOST: Final = 3_000


class _Compiled:
    """What SQLAlchemy keeps compiled statements in, for all engines of one kind of server."""

    def __init__(self) -> None:
        self._kept: LRUCache[tuple[Any, ...], Any] = LRUCache(_MOST)

    def get(self, key: tuple[Any, ...]) -> Any:
        """The compiled statement; None if there is none."""
        return self._kept.get(_shared(key))

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        self._kept[_shared(key)] = compiled


def _shared(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The key for any engine on such a server; SQLAlchemy's begins with the engine's own dialect."""
    dialect, *others = key
    return (type(dialect), dialect.server_version_info, *others)


def share() -> None:
    """From now on, engines share what they compile."""
    made = sa.create_engine
    compiled = _Compiled()

    @functools.wraps(made)
    def create_engine(*arguments: Any, **options: Any) -> sa.Engine:
        engine = made(*arguments, **options)
        engine.update_execution_options(compiled_cache=compiled)
        return engine

    sa.create_engine = create_engine
