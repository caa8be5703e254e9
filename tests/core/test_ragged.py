"""Ragged rows against plain lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.arrays.ragged import distinct, distinct_values, places_among, spans, take_rows


@given(st.lists(st.lists(st.integers(0, 9), max_size=5), min_size=1, max_size=12), st.data())
def test_taken_rows_are_the_rows(rows: list[list[int]], data: st.DataObject) -> None:
    flat = np.array([value for row in rows for value in row], np.int64)
    ends = np.cumsum([len(row) for row in rows])
    wanted = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=15))
    taken, new_ends = take_rows(flat, ends, np.array(wanted, np.int64))
    assert [part.tolist() for part in np.split(taken, new_ends)[:-1]] == [rows[index] for index in wanted]


def test_nothing_asked_gives_nothing() -> None:
    none = np.empty(0, np.int64)
    values, ends = spans(none, none)
    assert (len(values), len(ends)) == (0, 0)
    assert len(take_rows(none, none, none)[0]) == 0


@given(
    st.lists(st.integers(0, 20), max_size=60),
    st.sampled_from([0, 2**31]),
    st.sampled_from([np.uint32, np.int64]),
)
def test_distinct_is_what_numpy_says(values: list[int], above: int, kind: type[np.generic]) -> None:
    array = np.array([value + above for value in values], kind)
    found = distinct(array)
    expected, first, inverse, counts = np.unique(
        array, return_index=True, return_inverse=True, return_counts=True
    )
    assert found.values.tolist() == expected.tolist()
    assert found.first.tolist() == first.tolist()
    assert found.places.tolist() == inverse.tolist()
    assert found.counts.tolist() == counts.tolist()
    alone = distinct_values(array)
    assert alone.tolist() == expected.tolist()
    assert found.values.dtype == alone.dtype == array.dtype


@given(
    st.sets(st.integers(0, 300), max_size=20),
    st.lists(st.integers(-3, 400), max_size=60),
    st.sampled_from([0, 5_000]),
    st.sampled_from([np.int32, np.int64]),
)
def test_places_are_where_values_stand(
    known: set[int], values: list[int], above: int, kind: type[np.generic]
) -> None:
    ascending = np.array(sorted(each + above for each in known), kind)
    asked = np.array([each + above if each >= 0 else each for each in values], kind)
    standing = {each: place for place, each in enumerate(ascending.tolist())}
    found = places_among(ascending, asked)
    assert found.tolist() == [standing.get(each, -1) for each in asked.tolist()]
    assert found.dtype == np.int64
