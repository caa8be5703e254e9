"""The arithmetic of streams, with its numbers: activation, weights, feedback, paths, hubs, themes, corrections."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from engramforge.core.emotions.emotion import EMOTIONS
from engramforge.core.emotions.emotion_names import emotion_cosine, emotion_name, normalised
from engramforge.core.streams.activation import LARGEST, activation_of, in_tiers, tier_score
from engramforge.core.streams.corrections import correction_patterns
from engramforge.core.streams.feedback import feedback_potential, transfer_of, with_feedback
from engramforge.core.streams.order_in_time import beliefs_in_tiers, read_as, said_twice
from engramforge.core.streams.rank_fusion import FUSED, fused
from engramforge.core.streams.summary import summary_of
from engramforge.core.streams.traversal_graph import hubs_of, themes_of, traversal_graph, weighed
from engramforge.core.streams.weights import goal_match, traversal_weight
from engramforge.errors import Stopped
from engramforge.model.link import Link
from engramforge.model.memory import Kind, Memory, ResolutionState, Source
from engramforge.model.registration import Registration
from engramforge.model.stopping import stopped_by
from engramforge.model.streams.stream import StreamItem
from engramforge.model.streams.traversal import TraversalLink, TraversalNode
from engramforge.model.streams.ways import Tier
from engramforge.model.time import InvalidationReason
from engramforge.model.timeline import Dissonance
from engramforge.recall.intention.time_limit import TimeLimit

START = datetime(2026, 5, 1, tzinfo=UTC)


def memory(name: str, content: str = "", **fields: object) -> Memory:
    made = Memory(
        id=f"v-{name}",
        logical_id=name,
        version=1,
        kind=Kind.NOTE,
        content=content or f"note {name}",
        source=Source.API,
        project="p",
        valid_at=START,
        created_at=START,
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def link(said: str, **fields: object) -> Link:
    """ "ab.7" leads from a to b with the energy 0.7."""
    made = Link(
        id=said,
        source_id=said[0],
        target_id=said[1],
        relation="CAUSES",
        valid_at=START,
        created_at=START,
        energy=float(f"0{said[2:]}"),
        confidence=0.5,
        emotion_vector={},
        goal="g",
        mindstate="m",
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def test_a_tier_score_is_at_most_2_1_and_activation_a_share_of_it() -> None:
    everything = tier_score(1, energy=1, reality_pressure=1, confidence=1, resonance=1, completeness=1)
    assert everything == pytest.approx(LARGEST) == pytest.approx(2.1)
    assert activation_of(everything) == 1.0
    nothing = tier_score(0, energy=0, reality_pressure=0, confidence=0, resonance=0, completeness=0)
    assert nothing == pytest.approx(-0.1)
    assert activation_of(nothing) == 0.0


@pytest.mark.parametrize(
    ("count", "sizes"), [(0, (0, 0, 0)), (5, (5, 0, 0)), (26, (5, 20, 1)), (90, (5, 20, 50))]
)
def test_tiers_hold_five_twenty_and_fifty(count: int, sizes: tuple[int, int, int]) -> None:
    held = in_tiers(range(count))
    assert tuple(len(held[tier]) for tier in (Tier.FOCUS, Tier.PERIPHERAL, Tier.BACKGROUND)) == sizes


def test_tiers_take_beliefs_whole_and_of_many_versions_the_one_that_holds() -> None:
    def version(belief: str, number: int, **fields: object) -> StreamItem:
        told = memory(belief, version=number, id=f"{belief}{number}", created_at=START + timedelta(number))
        said = replace(told, valid_at=START + timedelta(number), **fields)  # type: ignore[arg-type]
        return StreamItem(said, "N1_vector", 0.5, "")

    ended = {"invalid_at": START + timedelta(99)}
    ordered = [version("a", 1, **ended), *(version(name, 1) for name in "bcd")]
    ordered += [version("e", number, **ended) for number in (5, 2, 7, 3, 4, 6)]
    ordered += [version("f", 1), version("e", 8), version("a", 2)]
    tiers = beliefs_in_tiers(ordered, [version("g", 2), version("g", 1)])
    told = {tier: [each.memory.id for each in held] for tier, held in tiers.items()}
    assert told[Tier.FOCUS] == ["a1", "a2", "b1", "c1", "d1"]
    assert told[Tier.PERIPHERAL] == [*(f"e{number}" for number in range(2, 9)), "f1"]
    assert told[Tier.BACKGROUND] == ["g1", "g2"]
    many = [version("h", number, **ended) for number in (3, 9, 1, 2, 4, 5, 6)] + [version("h", 10)]
    told = {tier: [each.memory.version for each in held] for tier, held in beliefs_in_tiers(many).items()}
    assert told[Tier.FOCUS] == [1, 2, 3, 9, 10] and told[Tier.PERIPHERAL] == [4, 5, 6]


@pytest.mark.parametrize(
    ("goal", "current", "match"),
    [
        ("ship v2", "Ship_v2", 1.0),
        ("ship v2", "ship v2 by may", 0.7),
        ("ship v2 by may", "v2", 0.7),
        ("ship", "shipping", 0.3),
        ("rest", "ship v2", 0.3),
        ("ship v2", None, 0.3),
        (None, "ship v2", 0.3),
    ],
)
def test_goals_match_whole_in_part_or_not(goal: str | None, current: str | None, match: float) -> None:
    assert goal_match(goal, current) == match


def test_a_link_pulls_by_five_parts() -> None:
    made = link("ab.8", confidence=0.9, energy_transfer_coefficient=0.5, goal="ship v2")
    made = replace(made, emotion_vector={"drive": 0.4})
    assert traversal_weight(made, "ship v2", {"driven": 0.9}) == pytest.approx(0.88)
    assert traversal_weight(made, "ship v2 by may", {"driven": 0.9}) == pytest.approx(0.82)
    assert traversal_weight(made, None, {}) == pytest.approx(0.44)


@pytest.mark.parametrize(
    ("state", "felt", "transferred"),
    [
        (ResolutionState.IN_PROGRESS, {}, 0.4),
        (ResolutionState.RESOLVED, {}, 0.12),
        (ResolutionState.BLOCKED, {}, 0.6),
        (ResolutionState.BLOCKED, {"fear": 0.9, "drive": 0.5}, 0.84),
        (ResolutionState.IN_PROGRESS, {"fear": 1.0, "drive": 1.0, "joy": 1.0}, 0.8),
        (ResolutionState.IN_PROGRESS, {"fear": 0.0}, 0.4),
    ],
)
def test_a_link_transfers_by_its_state_and_what_is_felt(
    state: ResolutionState, felt: dict[str, float], transferred: float
) -> None:
    made = link("ab.8", resolution_state=state, emotion_vector=felt, energy_transfer_coefficient=0.5)
    assert transfer_of(made) == pytest.approx(transferred)


def test_the_potential_is_over_150_and_at_most_1() -> None:
    most = link("ab.9", energy=1.0, energy_transfer_coefficient=1.0, resolution_state=ResolutionState.BLOCKED)
    most = replace(most, emotion_vector={"fear": 1.0, "anger": 1.0})
    assert feedback_potential([]) == 0.0
    assert feedback_potential([most] * 25) == pytest.approx(0.5)
    assert feedback_potential([most] * 70) == 1.0
    assert with_feedback(0.5, 1.0) == pytest.approx(0.65)
    assert with_feedback(0.95, 1.0) == 1.0
    assert with_feedback(0.05, 0.0) == 0.0


def test_emotions_are_one_in_all_their_forms() -> None:
    assert emotion_name("Frustrated") == emotion_name("frustrating") == "frustration"
    assert emotion_name("annoyed") != "frustration"
    assert normalised({"happy": 0.2, "Happiness": 0.9, "sad": 0.0}) == {"joy": 0.9}


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("happy", "joy"), ("Glad", "joy"), ("tired", "fatigue"), ("weary", "fatigue"), ("unhappy", "sadness"),
        ("terrified", "fear"), ("puzzled", "confusion"), ("let down", "disappointment"), ("mad", "anger"),
        ("exhausted", "fatigue"), ("content", "contentment"), ("anxious", "anxiety"),
    ],
)  # fmt: skip
def test_everyday_words_of_an_emotion_have_its_name(said: str, name: str) -> None:
    assert emotion_name(said) == emotion_name(name) == name


def test_the_emotions_that_texts_are_read_by_keep_their_names_apart() -> None:
    assert [emotion_name(each) for each in EMOTIONS] == list(EMOTIONS)
    assert emotion_cosine({"excited": 0.4}, {"excitement": 0.9}) == pytest.approx(1.0)
    assert emotion_cosine({"excited": 0.4}, {}) == emotion_cosine({}, {}) == 0.0


def test_fusion_does_not_depend_on_the_order_of_the_rankings_and_is_bounded() -> None:
    rng = random.Random(3)
    rankings = [rng.sample(range(200), 120) for _ in range(3)]
    scores = {tuple(sorted(fused(order)[:10])) for order in permutations(rankings)}
    assert len(scores) == 1
    assert len(fused(rankings)) == FUSED
    assert fused([["a", "a", "b"]]) == ["a", "b"]


def nodes(names: str) -> list[TraversalNode]:
    return [TraversalNode(memory(name), 0.5, Tier.FOCUS) for name in names]


def graph_of(names: str, *said: str, **fields: object) -> tuple[Sequence[TraversalNode], list[TraversalLink]]:
    return nodes(names), weighed([link(each, **fields) for each in said], None, {})


def test_paths_are_as_long_as_they_get_up_to_five_links_the_likeliest_first() -> None:
    held, links = graph_of("abcdefg", "ab.9", "bc.9", "cd.9", "de.9", "ef.9", "fg.9")
    found = traversal_graph(held, links, lambda one, other: 0.4).paths
    longest = next(path for path in found if path.nodes[0] == "a")
    assert longest.nodes == ("a", "b", "c", "d", "e", "f")
    weight = 0.3 * 0.9 + 0.2 * 0.3 + 0.1 * 0.5 + 0.1 * 0.5
    assert longest.probability == pytest.approx(weight**5)
    assert longest.total_activation == pytest.approx(3.0)
    assert longest.semantic_coherence == pytest.approx(0.4)
    assert longest.narrative.count("-CAUSES->") == 5
    assert [path.probability for path in found] == sorted((path.probability for path in found), reverse=True)


def test_a_path_against_a_link_says_so_and_one_link_is_consistent() -> None:
    held, links = graph_of("ab", "ba.9")
    (path,) = traversal_graph(held, links, lambda *_: 0.0).paths
    assert path.narrative == "note a <-CAUSES- note b"
    assert path.emotional_consistency == 1.0


def test_which_nodes_the_question_calls_is_told_beside_the_paths() -> None:
    held, links = graph_of("abcd", "ab.9", "bc.9", "dc.1")
    held = [*held[:3], replace(held[3], tier=Tier.BACKGROUND)]
    found = traversal_graph(held, links, lambda *_: 0.0, {"d"})
    assert found.asked == ("d",) and "d" in {path.nodes[0] for path in found.paths}
    assert found.paths[0].nodes[0] != "d", "they are ranked by how likely they are"
    assert traversal_graph(held, links, lambda *_: 0.0).asked == ()


@pytest.mark.parametrize("relation", ["DERIVED_FROM", "CARRIES", "CONTINUES"])
def test_where_something_comes_from_is_in_the_graph_and_no_line_of_thought(relation: str) -> None:
    held = nodes("abcd")
    links = weighed(
        [link("ab.9"), link("bc.9", relation=relation), link("ca.8", relation=relation)], None, {}
    )
    found = traversal_graph(held, links, lambda *_: 0.0)
    assert len(found.links) == 3
    assert {path.nodes for path in found.paths} == {("a", "b")}


def test_consistency_is_the_mean_cosine_of_consecutive_links() -> None:
    links = weighed(
        [
            link("ab.9", emotion_vector={"joy": 1.0}),
            link("bc.9", emotion_vector={"joy": 1.0, "fear": 1.0}),
            link("cd.9", emotion_vector={"fear": 1.0}),
        ],
        None,
        {},
    )
    found = traversal_graph(nodes("abcd"), links, lambda *_: 0.0).paths
    path = next(each for each in found if each.nodes == ("a", "b", "c", "d"))
    assert path.emotional_consistency == pytest.approx(math.sqrt(0.5))


def test_cycles_parallel_links_and_links_to_itself_end() -> None:
    said = ["ab.5", "bc.5", "ca.5", *(f"ab.{n}" for n in range(10, 60)), "aa.9"]
    held, links = graph_of("abc", *said)
    made = traversal_graph(held, links, lambda *_: 0.0)
    assert made.paths
    assert all(len(set(path.nodes)) == len(path.nodes) for path in made.paths)
    # Three pairs of six, however many links join two of them.
    assert made.density == pytest.approx(3 / 6)


def test_a_dense_graph_has_ten_paths_in_no_time() -> None:
    names = "abcdefghijklmnopqrstuvwxyz"
    rng = random.Random(5)
    said = [f"{a}{b}.{rng.randint(10, 99)}" for a in names for b in names if a != b]
    held, links = graph_of(names, *said)
    assert len(traversal_graph(held, links, lambda *_: 0.0).paths) == 10


def test_hubs_are_above_mean_and_one_deviation() -> None:
    _, links = graph_of("abcdef", "ab.5", "ac.5", "ad.5", "ae.5", "ef.5")
    assert hubs_of("abcdef", links) == ["a"]
    assert hubs_of("ab", graph_of("ab", "ab.5")[1]) == []
    assert hubs_of("", []) == []


def test_themes_are_words_that_memories_share() -> None:
    told = [
        memory("a", "The exporter writes rows"),
        memory("b", "Rows of an exporter"),
        memory("c", "Lunch at noon"),
    ]
    assert themes_of(told) == ("exporter", "rows")
    assert themes_of(told[:1]) == ()


def test_numbers_alone_and_function_words_are_no_themes() -> None:
    told = [
        memory("a", "Version 1.26 of numpy is pinned on every runner, twice a day"),
        memory("b", "Every runner of numpy 1.26 runs already on mp3 files since 2024-03"),
        memory("c", "Since 2024-03 mp3 is read twice, already by every reader"),
    ]
    assert set(themes_of(told)) == {"numpy", "runner", "mp3"}


def test_what_was_read_from_a_memory_and_says_no_more_is_that_memory() -> None:
    def entry(name: str, kind: Kind, content: str, status: str, note: str) -> Memory:
        details = {"evidence": {"message_id": note, "sentence": content}}
        return memory(
            name, content, kind=kind, registration=Registration(entry_id=name, status=status, details=details)
        )

    note = memory("note", "The report is due on Friday. Who writes it?")
    thread = entry("thread", Kind.THREAD, "Who writes the report?", "open", "note")
    decision = entry("decision", Kind.DECISION, "Ada writes the report.", "active", "note")
    elsewhere = entry("elsewhere", Kind.THREAD, "Who writes it?", "closed", "another")
    assert said_twice([note, thread, decision, elsewhere]) == {thread.id: "note"}
    assert said_twice([thread, decision]) == {}
    assert [read_as(each) for each in (thread, elsewhere, note)] == ["open thread", "closed thread", "note"]


def test_a_summary_of_nothing_is_valid_and_one_of_some_counts() -> None:
    empty = summary_of([], [], {"n1_personal": 0}, START)
    assert (empty.average_energy, empty.earliest, empty.total, empty.active_ratio) == (0.0, None, 0, 1.0)
    ended = memory("b", invalid_at=START + timedelta(days=1), energy=0.9, emotion_vector={"excited": 0.3})
    both, now = [memory("a", emotion_vector={"calm": 0.9}), ended], START + timedelta(days=2)
    told = summary_of(both, [ended], {"n1_personal": 2}, now)
    assert told.average_energy == pytest.approx(0.7)
    assert told.active_ratio == 0.5
    assert told.emotional_themes == ("excitement",)


def wrong(place: int, before: str, after: str, reason: InvalidationReason | None = None) -> Dissonance:
    at = START + timedelta(days=place)
    return Dissonance(
        belief_id=f"b{place}",
        original_id=f"o{place}",
        corrected_id=f"c{place}",
        original_version=1,
        corrected_version=2,
        name=None,
        original=before,
        corrected=after,
        reason=reason or InvalidationReason.DISCOVERED_FALSE,
        trigger="",
        correction_id=None,
        held_from=START,
        held_until=at,
        corrected_at=at,
    )


def test_estimates_that_keep_being_wrong_are_one_pattern_with_its_cases() -> None:
    told = [
        wrong(2, "The parser takes three weeks, 15 days", "The parser takes 30 days"),
        wrong(1, "Moving the docs takes 2 days", "Moving the docs takes 6 days"),
        wrong(3, "Ana owns billing", "Bo owns billing"),
    ]
    (pattern,) = correction_patterns(told)
    assert pattern.kind == "how long something takes"
    assert pattern.belief_ids == ("b1", "b2")


def test_beliefs_that_share_words_are_one_pattern() -> None:
    told = [
        wrong(1, "The staging database lives in Oslo", "The staging database lives in Bergen"),
        wrong(2, "Backups of the staging database run nightly", "Backups of the staging database run weekly"),
    ]
    (pattern,) = correction_patterns(told)
    assert {"staging", "database"} <= set(pattern.kind.removeprefix("about ").split(", "))


def test_numbers_in_words_are_numbers_and_nothing_that_beliefs_share() -> None:
    assert not correction_patterns(
        [
            wrong(1, "Ana keeps two hundred hens", "Ana keeps geese"),
            wrong(2, "The choir has two hundred voices", "The choir has no hall"),
        ]
    )
    (pattern,) = correction_patterns(
        [
            wrong(1, "Baking takes two hours", "Baking takes five hours"),
            wrong(2, "The tram takes ten minutes", "The tram takes thirty minutes"),
        ]
    )
    assert pattern.kind == "how long something takes"


MONTHS = """
The jetty opens in may
The jetty opens on 3 May
The jetty opens by March
The jetty opens in Jan
The jetty opens early March
The jetty opens mar 7
The jetty opens on the 2nd of may
In June it is
"""
NO_MONTHS = """
Marta opens the jetty
The market opens the jetty
The jetty may open
The troops march along it
Jan opens the jetty
The novice decided on a junction
Painted by Jan
The 2 may differ
"""


def test_months_are_whole_words_with_a_preposition_or_figure_where_they_mean_other_things_too() -> None:
    """A few beliefs without a word in common, so that nothing but a time makes a pattern of them."""
    other = wrong(2, "Ada sleeps", "Ada left in August")
    for said in MONTHS.strip().splitlines():
        (pattern,) = correction_patterns([wrong(1, said, "Someday"), other])
        assert pattern.kind == "when something is", said
    for said in NO_MONTHS.strip().splitlines():
        assert not correction_patterns([wrong(1, said, "Nobody"), other]), said


def test_a_world_that_changed_and_a_single_error_are_no_pattern() -> None:
    changed = InvalidationReason.REALITY_CHANGED
    assert not correction_patterns(
        [wrong(1, "5 days", "6 days", changed), wrong(2, "7 days", "9 days", changed)]
    )
    assert not correction_patterns([wrong(1, "It takes 5 days", "It takes 6 days")])


def test_a_thousand_cases_are_compared_soon() -> None:
    named = str.maketrans("0123456789", "bcdfgklmpt")
    told = [
        wrong(at, f"ferry {' '.join(map(str, range(at * 60, at * 60 + 60)))}".translate(named), "So.")
        for at in range(2_000, 4_000)
    ]
    began = time.process_time()
    assert correction_patterns(told) == ()
    assert time.process_time() - began < 3


def test_kinds_are_named_by_words_that_stand_where_these_are_given() -> None:
    told = [
        wrong(1, "The staging database lives in Oslo", "The staging host lives in Bergen"),
        wrong(2, "Backups of the staging database run nightly", "Backups of the staging host run weekly"),
    ]
    standing = {each.belief_id: each.corrected for each in told}
    assert [each.kind for each in correction_patterns(told, standing)] == ["about staging"]
    nothing = dict.fromkeys(standing, "It was given up.")
    assert [each.kind for each in correction_patterns(told, nothing)] == ["about a matter"]


def test_patterns_that_nobody_waits_for_are_given_up() -> None:
    told = [wrong(at, "It takes 5 days", "It takes 6 days") for at in (1, 2)]
    with pytest.raises(Stopped), TimeLimit(0.01) as limit, stopped_by(limit):
        while not limit.is_set():
            time.sleep(0.01)
        correction_patterns(told)


def test_no_line_of_thought_begins_in_the_background() -> None:
    near, far = nodes("ab"), [replace(each, tier=Tier.BACKGROUND) for each in nodes("cd")]
    found = traversal_graph([*near, *far], weighed([link("ab.9"), link("cd.9")], None, {}), lambda *_: 0.0)
    assert {path.nodes for path in found.paths} == {("a", "b")} and len(found.links) == 2
