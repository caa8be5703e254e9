"""How SQLite writes, inside BEGIN IMMEDIATE: nobody else writes meanwhile, so nothing has to be held.

Positions and change numbers come from counters in the store table, so that neither is ever used twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Connection

from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry
from engramforge.store import schema
from engramforge.store.writing.ledger import Purpose, Row, Vectors

PLACED: Final = "placed:"
"""Keys of the store table by which resident indexes notice changed embeddings: space, then the encoder's key."""


class SqliteLedger:
    """See `store.writing.ledger.Ledger`."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self.connection = connection
        self._tenant = scope.tenant
        self._drawn: int | None = None

    @property
    def change(self) -> int:
        """The number after the last that was published."""
        if self._drawn is None:
            self._drawn = self._counter("change") + 1
        return self._drawn

    @property
    def tables(self) -> Sequence[sa.Table]:
        """Those of the shared schema."""
        return schema.tables.sorted_tables

    def finish(self) -> None:
        """Publish the change number."""
        if self._drawn is not None:
            self._set_counter("change", self._drawn)

    def draw_changes(self, count: int) -> int:
        """The first of so many, the last of which is published."""
        first = self.change
        self._drawn = first + count - 1
        return first

    def draw_positions(self, count: int) -> Sequence[int]:
        """The positions after the last."""
        first = self._counter("position") + 1
        self._set_counter("position", first + count - 1)
        return range(first, first + count)

    def add(self, table: sa.Table, rows: list[Row], conflicts: str = "") -> None:
        """Insert rows; all have the columns of the first. `conflicts`: what becomes of those that are there."""
        statement, names = _insertion(table, tuple(rows[0]), conflicts)
        self.connection.exec_driver_sql(statement, [tuple(map(row.__getitem__, names)) for row in rows])

    def add_versions(self, rows: list[Row], entries: Sequence[Entry]) -> None:
        """Insert narrow rows."""
        del entries
        self.add(schema.memory, rows)

    def add_origins(self, rows: list[Row], taking_over: bool) -> None:
        """Insert origin keys, one row after the other."""
        self.add(schema.origin, rows, "OR REPLACE" if taking_over else "OR IGNORE")

    def add_key(self, table: sa.Table, row: Row) -> int | None:
        """Insert a row that gives a name its key."""
        return int(self.connection.execute(sa.insert(table).returning(table.c.seq), row).scalar_one())

    def add_names(self, names: Sequence[str]) -> None:
        """Insert entities."""
        self.add(schema.entity, [{"tenant": self._tenant, "name": name} for name in names])

    def add_vectors(self, encoder_key: int, encoder: str, rows: Vectors) -> None:
        """Insert E1 as it is."""
        del encoder
        whole = {"tenant": self._tenant, "encoder_seq": encoder_key}
        raws = ((seq, None if vector is None else vector.tobytes()) for seq, vector in rows)
        self.add(
            schema.embedding_semantic, [{**whole, "memory_seq": seq, "vector": raw} for seq, raw in raws]
        )

    def add_parts(self, rows: list[Row], encoders: Mapping[int, str]) -> None:
        """Insert parts as they are."""
        del encoders
        self.add(schema.embedding_part, rows)

    def holding(self, statement: sa.Select[Any], table: sa.Table, for_what: Purpose) -> sa.Select[Any]:
        """The statement itself."""
        del table, for_what
        return statement

    def note_placed(self, space: Space, encoder_key: int, count: int) -> None:
        """Write down at which change it was."""
        del count
        store, key = schema.store, f"{PLACED}{space}:{encoder_key}"
        its = (store.c.tenant == self._tenant, store.c.key == key)
        self.connection.execute(sa.delete(store).where(*its))
        self.add(store, [{"tenant": self._tenant, "key": key, "value": str(self.change)}])

    def _nothing(self, *_: object, **__: object) -> None:
        """What PostgreSQL alone has to do: nobody else writes meanwhile, and the resident index makes its postings."""

    hold = hold_origins = hold_encoders = close = reopen = forget = add_postings = note_dropping = _nothing

    def _counter(self, key: str) -> int:
        store = schema.store
        return int(self.connection.execute(sa.select(store.c.value).where(store.c.key == key)).scalar_one())

    def _set_counter(self, key: str, value: int) -> None:
        store = schema.store
        self.connection.execute(sa.update(store).where(store.c.key == key).values(value=str(value)))


@cache
def _insertion(table: sa.Table, columns: tuple[str, ...], conflicts: str) -> tuple[str, Sequence[str]]:
    """The statement that inserts rows, and the order of their values in it."""
    made = (
        sa.insert(table).prefix_with(conflicts).compile(dialect=sqlite.dialect(), column_keys=list(columns))
    )
    return made.string, made.positiontup or ()
