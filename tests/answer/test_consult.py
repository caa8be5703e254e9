"""The oracle answers out of what is remembered alone: cited, contradictions and gaps told, silent where nothing is."""

from __future__ import annotations

import re

import pytest

from engramforge.errors import InvalidValue
from engramforge.forge import Forge

NOON = "The ferry to the far island leaves at noon."
OTHERS = [
    "The gulls were loud on the quay this morning.",
    "Lunch is at one in the canteen behind the mill.",
    "A choir sang in the old church on Sunday.",
    "The trainee painted the fence of the garden green.",
]


@pytest.fixture
def told(em: Forge) -> Forge:
    em.remember_many({"content": each, "project": "town"} for each in OTHERS)
    em.remember(NOON, project="harbour", valid_at="2026-01-05")
    return em


def test_every_statement_cites_what_it_rests_on(told: Forge) -> None:
    answer = told.consult("When does the ferry to the far island leave?")
    assert answer.answered and NOON in answer.answer
    assert answer.gaps == () and answer.degraded == "" and answer.sources == ("primary",)
    ids = {each.id for each in answer.citations}
    lines = [line for line in answer.answer.splitlines() if line.startswith("- ")]
    assert lines and all(set(re.findall(r"\[([^\]]+)\] \(", line)) <= ids for line in lines)
    assert {each.memory.content for each in answer.resonant_set} == {NOON}
    assert told.get(answer.citations[0].version_id).content == NOON


def test_where_nothing_is_known_it_says_so(told: Forge) -> None:
    answer = told.consult("What is the wifi password of the lighthouse?")
    assert not answer.answered and answer.citations == () and answer.sources == ()
    assert answer.answer == "Nothing that is remembered answers this."


def test_what_contradicts_is_told_with_dates_and_tiers(told: Forge) -> None:
    told.remember(
        "The ferry to the far island leaves at two.",
        project="harbour",
        valid_at="2026-03-01",
        epistemic_tier=0.9,
    )
    answer = told.consult("When does the ferry to the far island leave?")
    (against,) = answer.contradictions
    assert (against.one.at.month, against.other.at.month) == (3, 1), "the newer first"
    assert "Contradictions:" in answer.answer and "2026-03-01, tier 0.9" in answer.answer


def test_what_is_missing_is_said(told: Forge) -> None:
    answer = told.consult("When does the ferry to the far island leave on Wednesdays?")
    assert answer.gaps == ("wednesdays",)
    assert "Not said anywhere: wednesdays." in answer.answer


def test_deep_looks_into_the_registries_and_for_what_is_missing(told: Forge) -> None:
    told.decisions.create(
        "Sell tickets for the ferry at the kiosk", project="harbour", rationale="no card reader on board"
    )
    answer = told.consult("Where are tickets for the ferry sold, and why?", "deep")
    assert any(each.id.startswith("dec_") for each in answer.citations)
    with pytest.raises(InvalidValue, match="depth"):
        told.consult("anything", "bottomless")


def test_a_project_alone_is_asked(told: Forge) -> None:
    assert not told.consult("When does the ferry to the far island leave?", project="town").answered
