"""A moment of a store: a shared connection for several questions, or one for each; and verbs made from statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.store.reading.source import Source

P = ParamSpec("P")
R = TypeVar("R")


class Moment:
    """Reads of one scope: as a context manager all as of the first of them, else each by itself.

    `source`: where to read.
    """

    def __init__(self, source: Source, scope: Scope) -> None:
        self.scope = scope
        self._source = source
        self._held: ExitStack | None = None
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        self._held = ExitStack()
        return self

    def __exit__(self, *raised: object) -> None:
        held, self._held, self._connection = self._held, None, None
        assert held is not None
        held.__exit__(*raised)  # type: ignore[arg-type]

    @contextmanager
    def connected(self) -> Iterator[Connection]:
        """The moment's connection, opened at the first need."""
        if self._held is None:
            with self._source.reading(self.scope) as connection:
                yield connection
            return
        if self._connection is None:
            self._connection = self._held.enter_context(self._source.reading(self.scope))
        with self._source.translating():
            yield self._connection

    def ask(self, statement: Callable[Concatenate[Connection, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """The answer of a statement at this moment."""
        with self.connected() as connection:
            return statement(connection, *args, **kwargs)


def told_by(statement: Callable[Concatenate[Connection, Scope, P], R]) -> Callable[Concatenate[Moment, P], R]:
    """A verb that runs one statement at its moment."""

    @wraps(statement)
    def verb(moment: Moment, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return moment.ask(statement, moment.scope, *args, **kwargs)

    return verb
