"""Where lenses agree and pull apart, as numbers: the specification's formulas with worked values, and their laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.lenses.agreement import ALIKE, BOOST, NO_CLUSTER, Matter, combined_mass, matters
from engramforge.core.lenses.favoured import favoured
from engramforge.core.lenses.field import STRONG, TIERS_APART, coherence, dominant, gaps
from engramforge.core.lenses.shares import share_of
from engramforge.model.lenses.role import ROLE_TYPES, Role
from engramforge.model.memory import Kind


def found(
    lenses: list[int], masses: list[float], alike: dict[tuple[int, int], float], **more: object
) -> list[Matter]:
    n = len(lenses)
    similarity = np.zeros((n, n))
    for (at, to), value in alike.items():
        similarity[at, to] = similarity[to, at] = value
    against = np.zeros((n, n), np.bool_)
    for at, to in more.get("against", ()):  # type: ignore[attr-defined]
        against[at, to] = against[to, at] = True
    clusters = np.array(more.get("clusters", [NO_CLUSTER] * n), np.int64)
    return matters(np.array(lenses), np.array(masses), clusters, similarity, against)


def test_the_numbers_are_the_specification_s() -> None:
    assert (ALIKE, BOOST, STRONG, TIERS_APART) == (0.70, 1.3, 0.5, 0.25)
    assert {str(role): each.gravity_type for role, each in ROLE_TYPES.items()} == {
        "connector": "lateral",
        "navigator": "directional",
        "builder": "implementation",
        "evaluator": "quality",
        "critic": "critical",
        "compiler": "synthesis",
    }


def test_items_of_two_lenses_converge_above_the_threshold_and_not_at_it() -> None:
    assert found([0, 1], [0.5, 0.6], {(0, 1): 0.71}) == [Matter((1, 0), None)]
    assert found([0, 1], [0.5, 0.6], {(0, 1): 0.70}) == []
    assert found([0, 0], [0.5, 0.6], {(0, 1): 0.99}) == [], "one lens agrees with itself"


def test_a_cluster_joins_what_is_not_alike() -> None:
    assert found([0, 1], [0.5, 0.6], {}, clusters=[7, 7]) == [Matter((1, 0), 7)]
    assert found([0, 1], [0.5, 0.6], {}, clusters=[7, 8]) == []


def test_what_contradicts_does_not_converge() -> None:
    assert found([0, 1], [0.5, 0.6], {(0, 1): 0.9}, against=[(0, 1)]) == []
    assert found([0, 1], [0.5, 0.6], {}, clusters=[7, 7], against=[(0, 1)]) == []


def test_likeness_is_not_passed_on() -> None:
    chain = {(0, 1): 0.9, (1, 2): 0.9}
    assert found([0, 1, 2], [0.5, 0.9, 0.4], chain) == [Matter((1, 0), None)]
    assert found([0, 1, 2], [0.5, 0.9, 0.4], chain | {(0, 2): 0.8}) == [Matter((1, 0, 2), None)]


def test_the_combined_mass_is_amplified_by_three_tenths() -> None:
    assert combined_mass([0.84, 0.79]) == pytest.approx(1.3 * 0.815)
    assert combined_mass([0.5]) == pytest.approx(0.65)


def test_coherence_adds_agreement_and_takes_tension_away() -> None:
    assert coherence(2.0, 4.0, {}, 2) == 1.0
    assert coherence(0.0, 4.0, {}, 2) == 0.5
    assert coherence(1.0, 4.0, {("a", "b", "gap"): [0.6, 0.9]}, 2) == pytest.approx(0.25 - 0.9 / 3 + 0.5)
    # Three lenses are three pairs, which have at most nine.
    assert coherence(0.0, 4.0, {("a", "b", "gap"): [0.9], ("a", "c", "gap"): [0.9]}, 3) == pytest.approx(0.3)
    assert coherence(0.0, 0.0, {}, 1) == 0.5


def test_gaps_are_between_the_strong_and_those_that_have_nothing() -> None:
    assert gaps({"a": 0.5, "b": None}) == [("a", "b", 0.5)]
    assert gaps({"a": 0.49, "b": None}) == []
    assert gaps({"a": 0.9, "b": 0.1}) == []
    assert gaps({"a": None, "b": None}) == []


def test_the_lens_of_the_greatest_mass_is_dominant() -> None:
    assert dominant({"a": [0.9], "b": [0.5, 0.5]}) == "b"
    assert dominant({"a": [], "b": []}) is None


def test_each_role_favours_its_own_kinds() -> None:
    assert favoured(Role.NAVIGATOR)[Kind.DECISION] == 1.0 > favoured(Role.COMPILER)[Kind.NOTE]
    for role in Role:
        assert set(favoured(role)) == set(Kind)
        assert all(0 <= value <= 1 for value in favoured(role).values())


@given(st.integers(0, 10_000), st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_a_budget_is_never_exceeded_and_all_of_it_may_be_used(room: int, weights: list[float]) -> None:
    left = room
    for at in range(len(weights)):
        share = share_of(left, weights, at)
        assert 0 <= share <= left
        left -= share
    assert share_of(room, weights, len(weights) - 1) == room


@given(
    st.lists(st.tuples(st.integers(0, 2), st.floats(0.01, 1), st.integers(-1, 1)), min_size=1, max_size=8),
    st.integers(0, 2**32 - 1),
)
def test_every_item_is_in_one_matter_at_most_and_every_matter_has_two_lenses(
    items: list[tuple[int, float, int]], seed: int
) -> None:
    n = len(items)
    alike = np.random.default_rng(seed).random((n, n))
    alike = np.maximum(alike, alike.T)
    lenses = np.array([lens for lens, _, _ in items])
    masses = np.array([mass for _, mass, _ in items])
    clusters = np.array([cluster for _, _, cluster in items])
    each = matters(lenses, masses, clusters, alike, np.zeros((n, n), np.bool_))
    taken = [at for matter in each for at in matter.items]
    assert len(taken) == len(set(taken))
    for matter in each:
        assert len({int(lenses[at]) for at in matter.items}) > 1
        assert list(matter.items) == sorted(matter.items, key=lambda at: (-masses[at], at))


def test_two_of_one_lens_that_contradict_each_other_are_in_no_matter_together() -> None:
    lenses, masses, alike = np.array([0, 0, 1]), np.array([0.9, 0.8, 0.7]), np.full((3, 3), 0.9)
    alike[0, 2] = alike[2, 0] = 0.95
    against = np.zeros((3, 3), np.bool_)
    assert [each.items for each in matters(lenses, masses, np.full(3, NO_CLUSTER), alike, against)] == [
        (0, 1, 2)
    ]
    against[0, 1] = against[1, 0] = True
    assert [each.items for each in matters(lenses, masses, np.full(3, NO_CLUSTER), alike, against)] == [
        (0, 2)
    ]
