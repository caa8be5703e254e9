"""What an engine provides to readers: connections, its search, and its own expressions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import Candidates, Corpus, Ground, Having, Probe
from engramforge.model.search.selection import Selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Search(Protocol):
    """An engine's search on behalf of one view."""

    def ground(self) -> Ground:
        """What has to be known before a question is asked, read on a connection of its own; the same at every call."""

    def candidates(self, connection: Connection, selection: Selection, probe: Probe) -> Candidates:
        """The candidates of a probe at the connection's moment, weighed by the ground where it was asked for."""

    def having(
        self, connection: Connection, selection: Selection, groups: Sequence[NDArray[np.uint32]], most: int
    ) -> Having:
        """The memories that have every term of one of these groups at the connection's moment; see the door."""

    def near_of_levels(
        self, connection: Connection, selection: Selection, probe: Probe
    ) -> Mapping[Level, NDArray[np.int64]]:
        """What is nearest to a probe's vector in each level, at the connection's moment; see the door."""

    def nearest(self, connection: Connection, selection: Selection, probe: Probe) -> dict[int, float]:
        """The memories nearest to a probe's vector at the connection's moment; see the door."""


class Values(Hashable, Protocol):
    """How an engine measures and sends column values."""

    def octets(self, column: sa.Column[Any]) -> sa.ColumnElement[int]:
        """How many bytes a text or blob takes."""

    def vector_octets(self, column: sa.Column[Any]) -> sa.ColumnElement[int]:
        """How many bytes an E1 takes."""

    def sent(self, vector: sa.Column[Any]) -> sa.ColumnElement[Any]:
        """An E1 as bytes."""

    def received(self, raw: bytes) -> NDArray[np.int8]:
        """The inverse of `sent`."""

    def bytes_on_disk(self, connection: Connection, tenant: str) -> int:
        """What the tenant's store takes on disk."""


class Source(Protocol):
    """Where a view reads."""

    @property
    def values(self) -> Values:
        """How it measures and sends column values."""

    def reading(self, scope: Scope) -> AbstractContextManager[Connection]:
        """A connection whose reads see one snapshot; refuses another tenant's scope."""

    def translating(self) -> AbstractContextManager[None]:
        """Turns the driver's errors of the block into ours."""

    def corpus(self, connection: Connection, scope: Scope) -> Corpus:
        """The terms of the scope's current memories, counted from the store itself."""

    def search(self, scope: Scope) -> Search:
        """A search for a new view."""


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
