"""Growing arrays against plain lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.arrays.ragged import decode_ragged
from engramforge.store.sqlite.resident.columns import Column, Ragged

rows = st.lists(st.lists(st.integers(0, 255), max_size=4), max_size=10)


@given(st.lists(rows, max_size=6))
def test_appended_rows_are_all_there(batches: list[list[list[int]]]) -> None:
    column, ragged = Column(np.int64), Ragged(Column(np.uint8), Column(np.int64))
    expected: list[list[int]] = []
    for batch in batches:
        column.append(np.array([len(row) for row in batch], np.int64))
        flat, lengths = decode_ragged([bytes(row) for row in batch], np.uint8)
        ragged.append(flat, lengths)
        expected += batch
    assert column.values.tolist() == [len(row) for row in expected]
    assert [part.tolist() for part in np.split(ragged.flat, ragged.ends)[:-1]] == expected
    assert len(column) == len(ragged) == len(expected)


def test_room_grows_in_proportion() -> None:
    column = Column(np.int8, 4)
    reallocations, seen = 0, 0
    for _ in range(5000):
        column.append(np.ones((1, 4), np.int8))
        if column._rows.shape[0] != seen:
            seen = column._rows.shape[0]
            reallocations += 1
    assert reallocations < 30
    assert column.values.shape == (5000, 4)
