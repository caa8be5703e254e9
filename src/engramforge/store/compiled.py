"""Compiled statements, kept for all stores that a process opens.

SQLAlchemy keeps them with each engine. A store would compile again what another has sent already, or the same store
before it was closed, and that takes longer than sending it.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy.engine import Compiled, Engine
from sqlalchemy.util import LRUCache

_STATEMENTS: Final[LRUCache[tuple[Any, ...], Compiled]] = LRUCache(1_000)


def share_compiled(engine: Engine) -> None:
    """Have an engine use what engines of its kind have compiled, and add to it."""
    engine.update_execution_options(compiled_cache=_OfKind(engine))


class _OfKind(dict[tuple[Any, ...], Compiled]):
    """The statements of one kind of engines, by SQLAlchemy's keys, which begin with an engine's own dialect."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._dialect: Any = engine.dialect

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        """What was compiled for the key."""
        return _STATEMENTS.get(self._of_kind(key), default)

    def __setitem__(self, key: tuple[Any, ...], value: Compiled) -> None:
        _STATEMENTS[self._of_kind(key)] = value

    def _of_kind(self, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """The key with all that the text depends on in place of the dialect, which knows it since it connected."""
        dialect = self._dialect
        escapes = getattr(dialect, "_backslash_escapes", None)
        return (dialect.name, dialect.server_version_info, escapes, *key[1:])
