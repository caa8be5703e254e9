"""The registry of the thirteen spaces, number by number."""

from __future__ import annotations

import pytest

from engramforge.model.spaces import CATEGORY_WEIGHTS, REGISTRY, Category

TABLE = """
E1  1024  semantic   1.0 1.0  0.75 0.30 40
E2  512   temporal   0   0    -    -    8
E3  512   temporal   0   0    -    -    8
E4  512   temporal   0   0    -    -    8
E5  768   semantic   1.0 0.9  0.70 0.25 25
E6  30000 semantic   1.0 0.7  0.60 0.20 4
E7  1536  semantic   1.0 0.85 0.80 0.35 25
E8  384   relational 0.5 0.6  0.65 -    12
E9  10000 structural 0.5 0.5  0.70 -    80
E10 768   semantic   1.0 0.8  0.70 0.30 40
E11 384   relational 0.5 0.6  0.65 -    15
E12 128   semantic   1.0 0.75 0.70 0.30 60
E13 30000 semantic   1.0 0.7  0.60 0.20 4
"""


@pytest.mark.parametrize("line", TABLE.strip().splitlines())
def test_every_row_has_the_numbers_of_the_table(line: str) -> None:
    number, size, category, topic, relevance, high, low, rhythm = line.split()
    row = next(row for row in REGISTRY if row.number == number)
    assert (row.declared_size, row.category, row.rhythm_hz) == (int(size), category, int(rhythm))
    assert (row.topic_weight, row.relevance_weight) == (float(topic), float(relevance))
    assert row.high == (None if high == "-" else float(high))
    assert row.low == (None if low == "-" else float(low))


def test_the_registry_has_thirteen_rows_in_order() -> None:
    assert [row.number for row in REGISTRY] == [f"E{number}" for number in range(1, 14)]
    assert len({row.space for row in REGISTRY}) == 13


def test_category_weights_and_the_largest_agreement() -> None:
    assert {
        Category.SEMANTIC: 1.0,
        Category.TEMPORAL: 0.0,
        Category.RELATIONAL: 0.5,
        Category.STRUCTURAL: 0.5,
    } == CATEGORY_WEIGHTS
    assert sum(row.topic_weight for row in REGISTRY) == 8.5
