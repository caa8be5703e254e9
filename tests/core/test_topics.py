"""Topics as they gather: components against pairs compared one by one, identities, shifts, importance, choice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.topics import activation, choice, importance, naming, shift, stability
from engramforge.core.topics.agreement import (
    MOST_AGREEMENT,
    SMALLEST,
    mean_agreement,
    pair_agreement,
    profile,
    sufficient,
    topics_of,
)
from engramforge.model.spaces import REGISTRY, Space

SPACES = [
    Space.SEMANTIC, Space.SPARSE_LEXICAL, Space.LATE_INTERACTION, Space.ENTITY, Space.HYPERDIMENSIONAL,
    Space.TEMPORAL_RECENT,
]  # fmt: skip
clusterings = st.lists(
    st.lists(st.integers(-1, 3), min_size=len(SPACES), max_size=len(SPACES)), max_size=24
).map(lambda rows: np.array(rows, np.int32).reshape(-1, len(SPACES)))
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def brute(labels: np.ndarray) -> tuple[list[set[int]], dict[tuple[int, int], float]]:
    """Components of pairs that agree by 2.5, and what each pair agrees by, all pairs compared."""
    pairs = {
        (one, other): float(pair_agreement(labels[one], labels[other : other + 1], SPACES)[0])
        for one in range(len(labels))
        for other in range(one)
    }
    belongs = {one: {one} for one in range(len(labels))}
    for (one, other), agreement in pairs.items():
        if agreement >= 2.5 and belongs[one] is not belongs[other]:
            belongs[one] |= belongs[other]
            for each in belongs[other]:
                belongs[each] = belongs[one]
    return list({id(each): each for each in belongs.values()}.values()), pairs


@given(clusterings)
def test_topics_are_the_components_of_pairs_that_agree(labels: np.ndarray) -> None:
    components, pairs = brute(labels)
    topics = topics_of(labels, SPACES)
    wanted = sorted(
        (sorted(each) for each in components if len(each) >= SMALLEST), key=lambda each: (-len(each), each)
    )
    assert [
        np.flatnonzero(topics == number).tolist() for number in range(int(topics.max(initial=-1)) + 1)
    ] == wanted
    for members in wanted:
        inside = [value for pair, value in pairs.items() if set(pair) <= set(members) and value >= 2.5]
        assert mean_agreement(labels[members], SPACES) == pytest.approx(sum(inside) / len(inside))
        strengths = profile(labels[members], SPACES)
        assert len(strengths) == len(REGISTRY) == 13
        assert all(0 <= each <= 1 for each in strengths)


@given(clusterings, st.randoms())
def test_the_order_of_memories_and_of_spaces_changes_no_topic(labels: np.ndarray, lot: Random) -> None:
    order = list(range(len(labels)))
    columns = list(range(len(SPACES)))
    lot.shuffle(order)
    lot.shuffle(columns)
    shuffled = topics_of(labels[order][:, columns], [SPACES[each] for each in columns])
    groups = {frozenset(np.flatnonzero(topics_of(labels, SPACES) == each)) for each in range(len(labels))}
    again = {
        frozenset(order[place] for place in np.flatnonzero(shuffled == each)) for each in range(len(labels))
    }
    assert groups == again


def test_temporal_spaces_make_no_topic_and_all_spaces_together_agree_by_eight_and_a_half() -> None:
    times = [Space.TEMPORAL_RECENT, Space.TEMPORAL_PERIODIC, Space.TEMPORAL_POSITIONAL]
    assert topics_of(np.zeros((5, 3), np.int32), times).tolist() == [-1] * 5
    assert MOST_AGREEMENT == 8.5
    every = [row.space for row in REGISTRY]
    alone = {frozenset(every[each] for each in columns) for columns in sufficient(every)}
    assert frozenset({Space.SEMANTIC, Space.CODE}) not in alone
    assert frozenset({Space.SEMANTIC, Space.ENTITY, Space.GRAPH, Space.HYPERDIMENSIONAL}) in alone


def test_a_million_pairs_are_never_written_down() -> None:
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 400, (100_000, 1), np.int32).repeat(len(SPACES), axis=1)
    topics = topics_of(labels, SPACES)
    assert len(set(topics.tolist())) == 400
    assert mean_agreement(labels[topics == 0], SPACES) == 4.0


def test_topics_keep_their_identity_through_growth_a_split_and_a_merger() -> None:
    before = {"a": set("abcdefgh"), "b": set("klm"), "c": set("xyz")}
    split = stability.matched(before, [set("abcde") | {"1"}, set("fgh"), set("klmxyz")])
    assert dict(split.same) == {0: "a", 2: "b"}
    assert dict(split.merged) == {2: ("c",)}
    assert dict(stability.matched(before, [{"1", "2", "3"}]).same) == {}
    grown = stability.matched({"c": set("xyz")}, [set("xyz") | {str(each) for each in range(100)}])
    assert dict(grown.same) == {0: "c"}, "all of the old one are in it"


@given(st.dictionaries(st.sampled_from("tuvw"), st.frozensets(st.sampled_from("abcdef")), max_size=4))
def test_churn_is_none_against_itself_and_all_against_nothing(topics: dict[str, frozenset[str]]) -> None:
    assert stability.churn(topics, topics) == 0
    assert stability.churn(topics, {}) == (1 if any(topics.values()) else 0)


@pytest.mark.parametrize(
    ("began", "ended", "activity", "merged", "expected"),
    [
        (3, 0, 1.0, False, stability.Phase.EMERGING),
        # Thirty in thirty days are usually 9.6 of late.
        (30, 0, 4.9, False, stability.Phase.STABLE),
        (30, 0, 4.7, False, stability.Phase.DECLINING),
        (30, 0, 4.7, True, stability.Phase.MERGING),
        (30, 6.9, 4.9, False, stability.Phase.STABLE),
        (30, 7.1, 4.9, False, stability.Phase.DECLINING),
    ],
)
def test_phases(began: float, ended: float, activity: float, merged: bool, expected: stability.Phase) -> None:
    life = stability.Life(NOW - timedelta(days=began), NOW - timedelta(days=ended), 30, activity)
    assert stability.phase(life, NOW, merged=merged) is expected


def test_a_topic_of_few_memories_may_be_silent_for_longer() -> None:
    life = stability.Life(NOW - timedelta(days=60), NOW - timedelta(days=20), 3, 9.0)
    assert stability.phase(life, NOW) is stability.Phase.STABLE
    assert stability.phase(life, NOW + timedelta(days=61)) is stability.Phase.DECLINING


def test_a_shift_raises_one_alert_and_an_odd_prompt_none() -> None:
    raised, watch = [], shift.Watch(mean=0.2)
    for evidence in (0.1, 0.0, None, 0.5, 0.1, 0.1, 0.5, 1.0, None, 0.9, 0.2, 0.1, 0.5, 0.1):
        watch, alert = shift.seen(watch, evidence)
        raised.append(alert)
    assert [place for place, alert in enumerate(raised) if alert] == [7]
    assert shift.seen(shift.Watch(9.0), None) == (shift.Watch(9.0), False)


def test_it_is_silent_after_an_alert_until_activity_is_like_something_again() -> None:
    silent = shift.Watch(is_silent=True, mean=0.1)
    assert shift.seen(silent, 0.9) == (silent, False)
    again, alert = shift.seen(silent, 0.3)
    assert not alert and again == shift.Watch(mean=0.1)
    assert shift.seen(again, 0.9) == (shift.Watch(0.0, True, pytest.approx(0.13)), True)


def test_in_talk_that_wanders_it_takes_more() -> None:
    assert shift.seen(shift.Watch(mean=0.2), 1.0)[1]
    wandering, alert = shift.seen(shift.Watch(mean=0.35), 1.0)
    assert not alert and wandering.total == pytest.approx(0.1)
    assert shift.seen(wandering, 1.2)[1], "what goes on adds up"


def test_what_is_said_together_is_unlike_by_its_mean_and_by_new_names() -> None:
    far, near = {Space.SEMANTIC: 0.02, Space.CODE: 0.4, Space.SPARSE_LEXICAL: 0.0}, {Space.SEMANTIC: 0.6}
    assert shift.unlikeness([]) is None
    assert shift.unlikeness([{Space.ENTITY: 0.0}, {}]) is None, "nothing is compared"
    both, one = shift.unlikeness([far, near, {}]), shift.unlikeness([far])
    assert both is not None and one is not None
    assert both.evidence == pytest.approx(one.evidence / 2), "what abstains counts for nothing"
    assert both.spaces == ((Space.SEMANTIC, pytest.approx(0.31)), (Space.SPARSE_LEXICAL, 0.0))
    strict = shift.unlikeness([near], lows={Space.SEMANTIC: 0.8})
    assert strict is not None and strict.evidence == pytest.approx(0.25)
    added = []
    for names in ("a", "ab", "abc", "abcd", "abcde"):
        named = shift.unlikeness([near], set(names), {"a"})
        assert named is not None
        added.append((named.evidence, dict(named.spaces).get(Space.ENTITY)))
    assert [each for each, _ in added] == pytest.approx([0, 1 / 6, 1 / 3, 0.5, 0.5])
    assert [known for _, known in added] == [None, *(pytest.approx(1 / size) for size in (2, 3, 4, 5))]


def test_of_many_unrelated_memories_the_nearest_is_near_by_chance() -> None:
    tail = np.log([1e-3])
    one = shift.nearest_similarity(tail, Space.SEMANTIC)
    assert one == pytest.approx(0.75)
    few, many = (shift.nearest_similarity(tail.repeat(count), Space.SEMANTIC) for count in (12, 2_000))
    assert 0.3 < few < one and many == 0.0
    assert shift.nearest_similarity(np.log([0.1]), Space.SEMANTIC, low=0.5) == pytest.approx(0.5)
    assert shift.nearest_similarity(np.zeros(3), Space.SEMANTIC) == 0.0
    assert shift.nearest_similarity(np.array([-9_000.0]), Space.SEMANTIC) > 0.99


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=30), st.floats(0, 4_000))
def test_importance_grows_with_use_falls_with_age_and_stays_within_bounds(
    counts: list[int], days: float
) -> None:
    values = [importance.importance(each, days) for each in sorted(counts)]
    assert values == sorted(values)
    assert all(0 <= each <= 2.2 for each in values)
    assert importance.importance(counts[0], days + 45) == pytest.approx(
        values[sorted(counts).index(counts[0])] / 2
    )
    assert max(importance.damped(counts)) <= max(counts)


@given(st.integers(0, 50), st.integers(0, 50))
def test_a_rate_of_use_is_never_above_what_was_seen(used: int, more: int) -> None:
    bound = importance.use_rate(used, used + more)
    assert 0 <= bound <= (used / (used + more) if used + more else 0)


def test_sampling_comes_to_prefer_what_is_used_and_repeats_by_its_seed() -> None:
    arms = {"good": choice.Arm(40, 10), "poor": choice.Arm(5, 45), "new": choice.Arm()}
    first = [choice.sampled(arms, np.random.default_rng(seed))[0] for seed in range(300)]
    assert first == [choice.sampled(arms, np.random.default_rng(seed))[0] for seed in range(300)]
    assert first.count("good") > 200 > first.count("new") > 20 > first.count("poor")


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_what_is_diverse_is_chosen_once_and_begins_with_the_best(size: int, most: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    relevance, alike = rng.random(size), rng.random((size, size))
    chosen = choice.diverse(relevance, alike, most)
    assert len(chosen) == len(set(chosen)) == min(size, most)
    assert chosen[:1] == [int(relevance.argmax())][:most]


def test_a_name_says_what_is_shared_and_not_what_all_have() -> None:
    inside = {"reset": 2, "pin": 4, "card": 3, "forgot": 1}
    everywhere = {**inside, "card": 63}
    weights = naming.weights_of(inside, everywhere, 4, 64)
    assert naming.name_of(weights, str, {("reset", "pin"): 2}) == "reset pin, forgot"
    assert naming.name_of({}, str) == ""


def test_the_tiers_of_size_say_from_where_on() -> None:
    for tier in activation.SizeTier:
        needed = activation.needed_for(tier)
        assert activation.size_tier(needed) is tier
        assert needed == 0 or activation.size_tier(needed - 1) == tier - 1
