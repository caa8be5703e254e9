"""The reservoir: uniform, bounded, repeatable, storable."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.similarity.reservoir import Reservoir
from engramforge.errors import InvalidValue


@given(st.lists(st.integers(0, 40), max_size=8), st.integers(1, 50))
def test_it_holds_what_was_offered_up_to_its_capacity(batches: list[int], capacity: int) -> None:
    rng = np.random.default_rng(1)
    held, offered = Reservoir.empty(capacity), np.zeros(0, np.float32)
    for number, size in enumerate(batches):
        batch = (np.arange(size) + 100 * number).astype(np.float32)
        held = held.offer(batch, rng)
        offered = np.concatenate((offered, batch))
    assert held.seen == len(offered)
    assert len(held.values) == min(capacity, len(offered))
    assert len(set(held.values.tolist())) == len(held.values)
    assert set(held.values.tolist()) <= set(offered.tolist())


def test_every_value_has_the_same_chance() -> None:
    counts = np.zeros(40)
    for seed in range(3_000):
        rng = np.random.default_rng(seed)
        held = Reservoir.empty(10).offer(np.arange(25) / 100, rng).offer(np.arange(25, 40) / 100, rng)
        counts[np.rint(held.values * 100).astype(int)] += 1
    assert counts / 3_000 == pytest.approx(np.full(40, 0.25), abs=0.05)


def test_the_same_seed_gives_the_same_sample() -> None:
    values = np.linspace(-1, 1, 500)
    first, two = (Reservoir.empty(50).offer(values, np.random.default_rng(7)) for _ in range(2))
    assert first.values.tolist() == two.values.tolist()


def test_it_survives_storage() -> None:
    held = Reservoir.empty(100).offer(np.linspace(-1, 1, 70), np.random.default_rng(0))
    stored = Reservoir.from_mapping(json.loads(json.dumps(held.as_mapping())))
    assert stored.seen == 70
    assert stored.capacity == 100
    assert stored.values == pytest.approx(held.values, abs=4e-5)


@pytest.mark.parametrize(
    "damaged", [{}, {"values": "%%", "seen": 1, "capacity": 5}, {"values": "AAA=", "seen": 1}]
)
def test_a_damaged_one_is_refused(damaged: dict[str, object]) -> None:
    with pytest.raises(InvalidValue, match="cannot be read"):
        Reservoir.from_mapping(damaged)


def test_a_reservoir_holds_at_least_one() -> None:
    with pytest.raises(InvalidValue, match="holds nothing"):
        Reservoir.empty(0)
