"""Writes to a SQLite store, inside BEGIN IMMEDIATE: nobody else writes meanwhile, so nothing has to be locked.

Positions and change numbers come from counters in the store table, so that neither is ever used twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry
from engramforge.store import schema
from engramforge.store.rows import words_row
from engramforge.store.writing.transaction import StoreTransaction

PLACED: Final = "placed:"
"""Keys of the store table by which resident indexes notice changed embeddings: space, then the encoder's key."""


class SqliteTransaction(StoreTransaction):
    """One write to a SQLite store."""

    def finish(self) -> None:
        """Publish the change number, and write what is left."""
        super().finish()
        if self._drawn is not None:
            self._set_counter("change", self._drawn)

    def create_project(self, name: str, at: Any) -> None:
        """Make the project exist; readers have to notice."""
        super().create_project(name, at)
        self._drawn = self._change

    def _draw_change(self) -> int:
        return self._counter("change") + 1

    def _draw_changes(self, count: int) -> int:
        first = self._change
        self._drawn = first + count - 1
        return first

    def _draw_positions(self, count: int) -> Sequence[int]:
        first = self._counter("position") + 1
        self._set_counter("position", first + count - 1)
        return range(first, first + count)

    def _add(self, table: sa.Table, rows: list[dict[str, Any]]) -> None:
        self._connection.execute(sa.insert(table), rows)

    def _add_origins(self, rows: list[dict[str, Any]], taking_over: bool = True) -> None:
        way = "OR REPLACE" if taking_over else "OR IGNORE"
        self._connection.execute(sa.insert(schema.origin).prefix_with(way), rows)

    def _add_key(self, table: sa.Table, row: dict[str, Any]) -> int | None:
        return int(self._connection.execute(sa.insert(table).returning(table.c.seq), row).scalar_one())

    def _hold(self, ids: Sequence[str]) -> None:
        pass

    def _hold_origins(self, project: str, keys: Sequence[bytes]) -> None:
        pass

    def _add_signals(self, entries: Sequence[tuple[int, int, int | None, Entry]]) -> None:
        vectors: list[dict[str, Any]] = []
        words: list[dict[str, Any]] = []
        for seq, _, _, entry in entries:
            signals = entry.embedding
            if signals.vector is None and not len(signals.terms) and not signals.cues:
                continue
            whole = {"tenant": entry.memory.tenant, "memory_seq": seq}
            if signals.vector is not None:
                encoder = self._encoder_key(signals.meaning_encoder)
                vectors.append({**whole, "encoder_seq": encoder, "vector": signals.vector.tobytes()})
            if len(signals.terms) or signals.cues:
                encoder = self._encoder_key(signals.encoder)
                words.append({**whole, "encoder_seq": encoder, **words_row(signals)})
        for table, rows in ((schema.embedding_semantic, vectors), (schema.embedding_words, words)):
            if rows:
                self._add(table, rows)

    def _note_placed(self, space: Space, encoder_key: int) -> None:
        store, key = schema.store, f"{PLACED}{space}:{encoder_key}"
        its = (store.c.tenant == self._scope.tenant, store.c.key == key)
        self._connection.execute(sa.delete(store).where(*its))
        self._add(store, [{"tenant": self._scope.tenant, "key": key, "value": str(self._change)}])

    def _counter(self, key: str) -> int:
        store = schema.store
        return int(self._connection.execute(sa.select(store.c.value).where(store.c.key == key)).scalar_one())

    def _set_counter(self, key: str, value: int) -> None:
        store = schema.store
        self._connection.execute(sa.update(store).where(store.c.key == key).values(value=str(value)))
