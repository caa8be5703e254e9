"""The order of what may be put before a model: against plain rules, with and without a lot."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.topics.choice import Arm
from engramforge.core.topics.importance import importance
from engramforge.core.topics.ordering import EQUAL, Chance, Offered, Ways, by_use, groups, ordered
from engramforge.core.topics.usage import importance_of, usage_of
from engramforge.model.memory import Kind, Memory, Source

_MEMORY = Memory(
    id="01",
    logical_id="01",
    version=1,
    kind=Kind.NOTE,
    content="a",
    source=Source.API,
    project="p",
    valid_at=datetime(2026, 1, 1, tzinfo=UTC),
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
)
ALL = Ways(importance=True, diversity=True)
offers = st.lists(
    st.builds(
        Offered,
        priority=st.floats(0.01, 2),
        accesses=st.integers(0, 50),
        exposures=st.integers(0, 50),
        days=st.floats(0, 400),
        topic=st.sampled_from(["", "a", "b"]),
        words=st.frozensets(st.sampled_from("uvwxyz")),
    ),
    max_size=12,
)


@given(offers, st.integers(0, 9), st.integers(0, 12))
def test_every_order_has_all_once_and_the_same_lot_draws_the_same(
    offered: list[Offered], seed: int, places: int
) -> None:
    def chance() -> Chance:
        return Chance(np.random.default_rng(seed), {"a": Arm(9, 1)})

    for ways in (Ways(), Ways(importance=True), ALL):
        found = ordered(offered, ways, chance(), places)
        assert sorted(found) == list(range(len(offered)))
        assert found == ordered(offered, ways, chance(), places)
    assert ordered(offered, Ways()) == sorted(range(len(offered)), key=lambda at: -offered[at].priority)


@given(offers)
def test_use_orders_only_what_is_near_equal(offered: list[Offered]) -> None:
    plain, by_importance = ordered(offered, Ways()), ordered(offered, Ways(importance=True))
    begin = 0
    for end in groups([offered[at].priority for at in plain]):
        assert set(plain[begin:end]) == set(by_importance[begin:end])
        first = offered[plain[begin]].priority
        assert all(offered[at].priority >= first * (1 - EQUAL) for at in plain[begin:end])
        begin = end


def test_equals_come_by_importance_then_by_how_lately_then_by_how_often_of_use() -> None:
    never, once, old, often = Offered(1.0), Offered(1.0, 1), Offered(1.0, 3, days=300), Offered(1.0, 3)
    assert by_use([0, 1, 2, 3], [never, once, old, often]) == [3, 1, 2, 0]
    assert importance(3, 300) < importance(1, 0)
    shown = [Offered(1.0, 2, 20), Offered(1.0, 2, 2), Offered(1.0, 2, 5)]
    assert by_use([0, 1, 2], shown) == [1, 2, 0]
    assert by_use([1, 0], [never, never]) == [1, 0]


def test_a_burst_counts_no_more_than_its_bound() -> None:
    # Mean 4.5, deviation 8.7: forty openings count as 17.6, and after 45 days as less than five of today.
    those = [Offered(1.0, 5), Offered(1.0, 40, days=45), *[Offered(1.0)] * 8]
    assert importance(17.6, 45) < importance(5, 0)
    assert by_use(list(range(10)), those)[:2] == [0, 1]


def test_a_lot_gives_fifteen_in_a_hundred_places_to_what_is_believed_in_and_costs_no_priority() -> None:
    near = [Offered(1.0, topic="dull")] * 6 + [Offered(0.97, topic="liked"), Offered(0.5, topic="liked")]
    arms = {"liked": Arm(90, 10), "dull": Arm(10, 90)}
    taken = [ordered(near, Ways(), Chance(np.random.default_rng(seed), arms), 6)[:6] for seed in range(400)]
    assert sum(6 in each for each in taken) / 400 == pytest.approx(6 * 0.15, abs=0.05)
    assert not any(7 in each for each in taken)
    assert all(each[:5] == [0, 1, 2, 3, 4] for each in taken)
    # Everything has its place: nothing is by lot.
    assert ordered(near, Ways(), Chance(np.random.default_rng(0), arms), 8) == list(range(8))


def test_what_says_the_same_comes_after_what_says_something_else() -> None:
    same, other = frozenset("abcd"), frozenset("wxyz")
    offered = [Offered(1.0, words=same), Offered(0.95, words=same), Offered(0.8, words=other)]
    assert ordered(offered, Ways(diversity=True)) == [0, 2, 1]
    assert ordered(offered, Ways()) == [0, 1, 2]


def test_usage_knows_the_last_opening_and_the_ones_it_is_told_of() -> None:
    now = datetime(2026, 5, 8, tzinfo=UTC)
    opened = replace(_MEMORY, access_count=3, exposure_count=4, last_accessed_at=now - timedelta(days=7))
    found = usage_of(opened, [now - timedelta(days=14)], now)
    assert found.activity == pytest.approx(0.75)
    assert found.importance == pytest.approx(importance(3, 7)) == importance_of(opened, now)
    assert (found.opened, found.shown) == (3, 4) and 0.3 < found.use_rate < 0.31
    # The last opening is among those it is told of, and no more count than there were.
    once = replace(opened, access_count=1)
    assert usage_of(once, [now - timedelta(days=14), now - timedelta(days=7)], now).activity == 0.5
    assert usage_of(_MEMORY, [], now).importance == usage_of(_MEMORY, [], now).activity == 0.0
