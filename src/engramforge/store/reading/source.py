"""What an engine provides to readers: connections, its search, and its own expressions."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Candidates, Corpus, Ground, Probe
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


class Values(Protocol):
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
