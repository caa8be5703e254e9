"""context_load: decisions, threads and memories in one text within a budget, each told once."""

from __future__ import annotations

import pytest

from engramforge.errors import InvalidValue
from engramforge.forge import Forge


def filled(em: Forge) -> None:
    """Two projects that speak of paging."""
    said = "the cursor of page {0} was slow when the crane was moving, as Iwona saw."
    em.remember_many(
        {"content": f"Note {number}: " + said.format(number), "project": "atlas"} for number in range(30)
    )
    em.decisions.create(
        "Page the list by cursor",
        rationale="rows come all the time",
        alternatives_rejected=["offset"],
        project="atlas",
        conversation="c1",
        local_id="D001",
    )
    em.decisions.create("Page the report by cursor", project="bridge", conversation="x")
    ended = em.decisions.create("The cursor is a number", project="atlas")
    em.decisions.invalidate(ended.id)
    blocker = em.threads.create("Measure how we page by cursor", priority="high", project="atlas")
    em.threads.create(
        "Make the cursor by which we page opaque",
        "It leaks row ids",
        project="atlas",
        blocked_by=[blocker.id],
    )
    closed = em.threads.create("Choose cursor or offset", project="atlas")
    em.threads.update(closed.id, status="resolved", resolution="cursor")


@pytest.mark.each_engine
def test_it_loads_all_kinds_with_ids_and_statuses(em: Forge) -> None:
    filled(em)
    found = em.context_load("how do we page by cursor?", "atlas", budget=4_000)
    assert len(found.text) <= 4_000
    (decision,) = found.decision_ids
    assert f"[{decision}, D001, active" in found.text
    assert "Because: rows come all the time" in found.text
    assert len(found.thread_ids) == 2
    assert "blocked by thr_" in found.text
    assert "Choose cursor or offset" not in found.text
    assert "is a number" not in found.text
    assert "bridge" not in found.text
    assert found.memory_ids
    assert found.left_out > 0
    assert all(memory_id in found.text for memory_id in found.memory_ids)


@pytest.mark.parametrize("budget", [500, 900, 2_000])
def test_the_budget_is_never_exceeded(local: Forge, budget: int) -> None:
    filled(local)
    found = local.context_load("page by cursor", budget=budget)
    assert 0 < len(found.text) <= budget


def test_other_projects_come_after_what_is_at_hand(local: Forge) -> None:
    filled(local)
    found = local.context_load("page by cursor", "atlas", cross_project=True)
    assert [local.decisions.get(decision_id).project for decision_id in found.decision_ids] == [
        "atlas",
        "bridge",
    ]
    everything = local.context_load("page by cursor")
    assert set(everything.decision_ids) == set(found.decision_ids)


def test_what_is_not_asked_for_is_left_out(local: Forge) -> None:
    filled(local)
    found = local.context_load("page by cursor", include_threads=False, include_decisions=False)
    assert (found.decision_ids, found.thread_ids) == ((), ())
    assert "## Decisions" not in found.text


def test_a_decision_and_the_message_it_was_read_from_are_told_once(local: Forge) -> None:
    local.remember(
        "We decided to grease the slew bearing with calcium soap.",
        project="harbour",
        kind="message",
        session_id="s1",
        sequence=0,
    )
    local.remember("Grease the winch by hand", project="harbour", kind="note")
    local.decisions.create("Grease the winch by hand", project="harbour")
    found = local.context_load("what grease for the slew bearing and the winch?")
    assert found.text.count("Grease the winch by hand") == 1
    assert found.text.lower().count("slew bearing") == 1


def test_an_empty_store_gives_an_empty_text(local: Forge) -> None:
    assert local.context_load("anything").text == ""


def test_unsound_requests_are_refused(local: Forge) -> None:
    filled(local)
    with pytest.raises(InvalidValue):
        local.context_load("")
    with pytest.raises(InvalidValue):
        local.context_load("x", budget=0)
    empty = local.context_load("x", "no such project")
    assert not empty.text and "no such project" in empty.note


def test_no_decision_takes_the_room_of_the_others(em: Forge) -> None:
    for number in range(4):
        em.decisions.create(f"Crane {number} pages by cursor", rationale="rows come all the time, " * 60)
    found = em.context_load("why do cranes page by cursor?", budget=3_000)
    assert len(found.decision_ids) >= 3
    assert len(found.text) <= 3_000


def test_what_has_nothing_to_do_with_the_question_is_left_out(local: Forge) -> None:
    local.decisions.create("We ship on Thursdays", rationale="Support is short on Fridays")
    local.decisions.create("Use Postgres for the ledger", rationale="Backups are simple")
    local.threads.create("Order new chairs")
    local.threads.create("Design the pagination of the API")
    local.remember("The gate code is with Anna.")
    shipped = local.context_load("When do we ship?")
    assert "We ship on Thursdays" in shipped.text
    assert (len(shipped.decision_ids), shipped.thread_ids, shipped.memory_ids) == (1, (), ())
    why = local.context_load("Why postgres?")
    assert (len(why.decision_ids), why.thread_ids, why.memory_ids) == (1, (), ())
    assert len(local.context_load("chairs").thread_ids) == 1
    assert local.context_load("What is the capital of France?").text == ""
