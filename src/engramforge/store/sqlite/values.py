"""SQLite's own expressions for columns that both engines have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy.engine import Connection

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SqliteValues:
    """See `store.reading.source.Values`.

    `path`: the store's file.
    """

    path: Path

    def octets(self, column: sa.Column[Any]) -> sa.ColumnElement[int]:
        """How many bytes a text or blob takes: length() counts the characters of a text."""
        is_text = isinstance(column.type, sa.Text)
        return sa.func.length(sa.cast(column, sa.LargeBinary) if is_text else column)

    def vector_octets(self, column: sa.Column[Any]) -> sa.ColumnElement[int]:
        """How many bytes an E1 takes."""
        return self.octets(column)

    def sent(self, vector: sa.Column[Any]) -> sa.ColumnElement[Any]:
        """An E1 as bytes: its int8 components, as they are stored."""
        return vector

    def received(self, raw: bytes) -> NDArray[np.int8]:
        """The inverse of `sent`."""
        return np.frombuffer(raw, np.int8)

    def bytes_on_disk(self, connection: Connection, tenant: str) -> int:
        """The file and its log: a tenant is a file."""
        del connection, tenant
        parts = [self.path, self.path.with_name(self.path.name + "-wal")]
        return sum(part.stat().st_size for part in parts if part.exists())
