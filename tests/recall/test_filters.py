"""What takes part in a recall and how much comes back: filters, points in time, budget, limit, least mass."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.recall.conftest import NOW, START, TALKS, contents

from engramforge.errors import InvalidContent, InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.limits import BUDGET_CHARACTERS, QUERY_CHARACTERS, RECALL_HITS


def test_filters_let_only_their_own_through(forge: Forge) -> None:
    for number, (project, kind, session, tags) in enumerate(
        [
            ("mill", "note", None, ("wheel",)),
            ("mill", "decision", "s-1", ("wheel", "oak")),
            ("farm", "message", "s-1", ("oak",)),
            ("farm", "note", "s-2", ()),
        ]
    ):
        forge.remember(
            f"The wheel turns, says number {number}.", project=project, kind=kind, session_id=session, tags=tags,
            valid_at=START + timedelta(days=number),
        )  # fmt: skip

    def numbers(**filters: object) -> set[int]:
        found = forge.recall("Does the wheel turn?", now=NOW, **filters)  # type: ignore[arg-type]
        return {int(text.rstrip(".").split()[-1]) for text in contents(found)}

    assert numbers() == {0, 1, 2, 3}
    assert numbers(project="mill") == {0, 1}
    assert numbers(project=["mill", "farm"]) == {0, 1, 2, 3}
    assert numbers(kinds="note") == {0, 3}
    assert numbers(kinds=["decision", "message"]) == {1, 2}
    assert numbers(session_id="s-1") == {1, 2}
    assert numbers(session_id="s-1", project="farm") == {2}
    assert numbers(session_id="unheard of") == set()
    assert numbers(exclude_session="s-1") == {0, 3}
    assert numbers(exclude_session="s-1", project="farm") == {3}
    assert numbers(exclude_session="unheard of") == {0, 1, 2, 3}
    assert numbers(tags="oak") == {1, 2}
    assert numbers(tags=("oak", "wheel")) == {1}
    assert numbers(since=START + timedelta(days=2)) == {2, 3}
    assert numbers(until=START + timedelta(days=2)) == {0, 1}
    assert numbers(since=START + timedelta(days=1), until="2025-03-05T09:00:00Z", kinds="decision") == {1}
    assert forge.recall("wheel", project="mill", now=NOW).searched == 2


def test_points_in_time_on_each_axis(forge: Forge) -> None:
    """True from March 1 and recorded then; corrected now for March; changed in the world on April 1."""
    first = forge.remember("The ferry leaves at seven.", valid_at="2025-03-01", recorded_at="2025-03-01")
    revised = forge.revise(first.id, "The ferry leaves at half past seven.")
    forge.supersede(first.id, "The ferry leaves at eight.", at="2025-04-01")
    before = revised.created_at - timedelta(microseconds=1)

    def at(**point: object) -> list[str]:
        return contents(forge.recall("When does the ferry leave?", **point))  # type: ignore[arg-type]

    assert at() == ["The ferry leaves at eight."]
    assert at(as_of_valid="2025-03-15") == ["The ferry leaves at half past seven."]
    assert at(as_of_valid="2025-04-01") == ["The ferry leaves at eight."]
    assert at(as_of_valid="2025-02-28") == []
    assert at(as_of_valid="2025-03-15", as_of_recorded=before) == ["The ferry leaves at seven."]
    assert at(as_of_recorded=before) == ["The ferry leaves at seven."]
    assert at(as_of="2025-03-15") == ["The ferry leaves at seven."]
    assert at(as_of="2025-02-01") == []


def test_freshness_and_relative_dates_count_from_the_point_in_time(forge: Forge) -> None:
    forge.remember("The cistern is dry.", valid_at="2025-03-01", recorded_at="2025-03-01")
    then = forge.recall("cistern", as_of="2025-03-01T00:00:00Z").hits[0]
    assert then.parts.freshness == 1.0
    later = forge.recall("cistern", as_of="2025-03-01T00:00:00Z", now="2025-04-15T00:00:00Z").hits[0]
    assert later.parts.freshness == pytest.approx(0.5)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    budget=st.integers(1, 700),
    query=st.sampled_from(["What did Mara plant?", "bus", "the copper kettle and frost"]),
)
def test_a_budget_is_never_exceeded(told: Forge, budget: int, query: str) -> None:
    found = told.recall(query, budget=budget, now=NOW)
    shown = sum(len(hit.excerpt) for hit in found.hits)
    assert shown == found.budget_used <= budget == found.budget
    everything = told.recall(query, budget=None, now=NOW)
    assert contents(found) == contents(everything)[: len(found.hits)]
    assert found.left_out == everything.left_out + len(everything.hits) - len(found.hits)
    if found.left_out:
        # The next one did not fit: all of these texts are too short to be cut.
        assert shown + len(everything.hits[len(found.hits)].memory.content) > budget


def test_a_long_memory_is_cut_to_what_is_left(forge: Forge) -> None:
    forge.remember("lantern " * 2_000)
    for budget in (200, 201, 999, BUDGET_CHARACTERS):
        hit = forge.recall("lantern", budget=budget).hits[0]
        assert budget * 0.9 < len(hit.excerpt) <= budget
        assert hit.excerpt.endswith("…")
        assert len(hit.memory.content) > BUDGET_CHARACTERS
    assert forge.recall("lantern").budget == BUDGET_CHARACTERS
    assert forge.recall("lantern", budget=199).hits == ()


def test_limit_and_what_was_left_out(told: Forge) -> None:
    every = told.recall("What did Mara plant?", budget=None, now=NOW)
    count = len(every.hits)
    assert every.searched == sum(len(turns) for turns in TALKS.values()) >= count > 5
    assert every.left_out == 0
    for limit in (1, 5, count, RECALL_HITS):
        found = told.recall("What did Mara plant?", limit=limit, budget=None, now=NOW)
        assert contents(found) == contents(every)[:limit]
        assert found.left_out == max(count - limit, 0)


def test_least_mass(told: Forge) -> None:
    every = told.recall("What did Mara plant?", budget=None, now=NOW)
    masses = sorted(hit.mass for hit in every.hits)
    half = len(masses) // 2
    middle = (masses[half - 1] + masses[half]) / 2
    kept = told.recall("What did Mara plant?", budget=None, now=NOW, min_score=middle)
    assert sorted(hit.mass for hit in kept.hits) == masses[half:]
    assert kept.left_out == 0
    assert told.recall("What did Mara plant?", min_score=1.0, now=NOW).hits == ()


def test_an_embedded_query_gives_the_same_answer(told: Forge) -> None:
    query = "What did Mara plant?"
    embedding = told.embed_query(query)
    assert contents(told.recall(query, query_embedding=embedding, now=NOW)) == contents(
        told.recall(query, now=NOW)
    )


def test_an_unknown_project_is_named(told: Forge) -> None:
    with pytest.raises(NotFound, match="harborside") as caught:
        told.memories(project="harborside")
    assert "harbourside" in caught.value.mend
    with pytest.raises(InvalidValue):
        told.recall("anything", project=[])


@pytest.mark.parametrize(
    "wrong, error",
    [
        ({"budget": 0}, InvalidValue),
        ({"budget": -1}, InvalidValue),
        ({"budget": 2.5}, InvalidValue),
        ({"budget": True}, InvalidValue),
        ({"limit": 0}, InvalidValue),
        ({"limit": RECALL_HITS + 1}, InvalidValue),
        ({"min_score": 1.01}, InvalidValue),
        ({"min_score": float("nan")}, InvalidValue),
        ({"kinds": "sermon"}, InvalidValue),
        ({"kinds": []}, InvalidValue),
        ({"since": datetime(2025, 1, 1)}, InvalidTime),  # noqa: DTZ001 - that is what is refused
        ({"since": "2025-02-01", "until": "2025-01-01"}, InvalidTime),
        ({"as_of": "some day"}, InvalidTime),
        ({"as_of": NOW, "as_of_valid": NOW}, InvalidTime),
        ({"now": "2025-07-01T00:00:00"}, InvalidTime),
    ],
)
def test_wrong_requests_are_refused_by_name(
    told: Forge, wrong: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        told.recall("anything", **wrong)  # type: ignore[arg-type]


def test_wrong_queries_are_refused(told: Forge) -> None:
    for query in ("", "  ", "x" * (QUERY_CHARACTERS + 1), 7):
        with pytest.raises((InvalidContent, InvalidValue)):
            told.recall(query)  # type: ignore[arg-type]
    assert told.recall("x" * QUERY_CHARACTERS, now=datetime(2025, 7, 1, tzinfo=UTC)).searched == 16


def test_a_project_that_is_not_there_gives_an_empty_answer_that_says_so(forge: Forge) -> None:
    forge.remember("The wheel turns.", project="mill")
    found = forge.recall("wheel", project="mil")
    assert not found and found.note == "There is no project 'mil'. Did you mean 'mill'?"
    some = forge.recall("wheel", project=["mill", "farm"])
    assert len(some) == 1 and "'farm'" in some.note
    assert not forge.recall("wheel", project="mill").note
    assert [project.name for project in forge.projects()] == ["mill"]


def test_a_recall_iterates_over_its_hits(forge: Forge) -> None:
    forge.remember("The wheel turns.")
    found = forge.recall("wheel")
    assert found and len(found) == 1 and list(found) == list(found.hits)
    assert not forge.recall("wheel", kinds="decision")
