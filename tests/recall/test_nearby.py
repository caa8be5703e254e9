"""What was there already: a write says what says the same or contradicts it, for little."""

from __future__ import annotations

from typing import Any

import pytest
from tests.recall.test_round_trips import stored
from tests.recall.test_statements import counted

import engramforge
from engramforge.forge import Forge

__all__ = ["stored"]
MOST_MORE = {"sqlite": 14, "postgresql": 7}
"""Statements that looking for what is near adds to a write."""
FRIDAYS = "Deployments happen on Friday once the smoke tests are green."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We deploy on Fridays after the smoke tests pass.", FRIDAYS),
        ("Do not log personal data.", "Personal data must not be written to logs."),
        ("The search index is rebuilt every Sunday.", "Every Sunday we rebuild the search index."),
    ],
)
def test_the_same_in_other_words_is_told(forge: Forge, before: str, after: str) -> None:
    there = forge.remember(before)
    near = forge.remember(after).near
    assert [each.id for each in near] == [there.id]
    assert near[0].excerpt == before and 0.72 <= near[0].similarity <= 1 and near[0].contradicts is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "The staging database lives on host db-stage-02.",
            "The staging cache lives on host cache-stage-01.",
        ),
        ("Anna prefers tea to coffee.", "Anna buys coffee for the office."),
        ("John moved to Lisbon in March.", "John got a dog in March."),
        ("Thanks!", "Thanks, bye!"),
    ],
)
def test_what_is_about_the_same_but_says_something_else_is_not(forge: Forge, before: str, after: str) -> None:
    forge.remember(before)
    assert forge.remember(after).near == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We deploy on Fridays.", "We never deploy on Fridays."),
        ("Tokens expire after thirty minutes.", "Tokens expire after sixty minutes."),
        ("Allow anonymous access to the wiki.", "Forbid anonymous access to the wiki."),
    ],
)
def test_a_contradiction_is_told_as_one(forge: Forge, before: str, after: str) -> None:
    there = forge.remember(before)
    (near,) = forge.remember(after).near
    assert near.id == there.id and near.contradicts


def test_only_what_holds_in_the_project_and_is_admitted(forge: Forge, tmp_path: Any) -> None:
    ended = forge.remember("We deploy on Fridays after the smoke tests pass.")
    forge.invalidate(ended.id)
    forge.remember("We deploy on Fridays after the smoke tests pass.", project="other")
    with engramforge.open(tmp_path / "home", agent="ben") as ben:
        ben.remember("We deploy on Fridays after smoke tests pass.", level="personal")
    assert forge.remember(FRIDAYS).near == ()


def test_at_most_three_the_nearest_first_and_none_on_request(forge: Forge) -> None:
    for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"):
        forge.remember(f"The bins are emptied on {day} morning.", near=False)
    near = forge.remember("The bins are emptied each Friday morning.").near
    assert len(near) == 3 and "Friday" in near[0].excerpt
    assert [each.similarity for each in near] == sorted((each.similarity for each in near), reverse=True)
    assert forge.remember("The bins are emptied on a Friday morning.", near=False).near == ()


def test_a_repeat_is_not_near_to_itself(forge: Forge) -> None:
    forge.remember(FRIDAYS)
    again = forge.remember(FRIDAYS)
    assert again.is_duplicate and again.near == ()


def test_an_entry_and_its_sentence_are_told_once(forge: Forge) -> None:
    said = forge.remember("We decided to use PostgreSQL for the ledger.", kind="message", session_id="s")
    assert said.consequences
    assert len(forge.remember("We use PostgreSQL for the ledger.").near) == 1


def test_nothing_is_embedded_for_it(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    forge.remember("We deploy on Fridays after the smoke tests pass.")
    encoder, calls = forge._stages.encoder, []
    encode = encoder.encode
    monkeypatch.setattr(encoder, "encode", lambda *given: calls.append(1) or encode(*given))
    monkeypatch.setattr(encoder, "encode_query", lambda *_: pytest.fail("a question was embedded"))
    assert forge.remember(FRIDAYS).near
    assert calls == [1]


def test_it_takes_few_statements(stored: Forge) -> None:
    sent = {}
    for near in (True, False, True, False):
        with counted() as statements:
            stored.remember(f"The sloop is moored at berth {len(sent)} since {int(near)}.", near=near)
        sent[near] = len(statements)
    engine = stored._stages.door.identity.engine
    assert sent[True] - sent[False] <= MOST_MORE[engine]


def test_a_decision_is_held_against_all_projects_and_a_note_against_its_own(forge: Forge) -> None:
    rule = forge.remember("Crew lists must never be copied to the kiosk.", project="port", kind="decision")
    deed = "We copy crew lists to the kiosk every Sunday."
    (near,) = forge.remember(deed, project="kiosk", kind="decision").near
    assert near.id == rule.id and near.contradicts is not None and near.contradicts.endswith("; project port")
    told = forge.decisions.create("Copy crew lists to the kiosk every Monday.", project="pier").contradicts
    assert any("(port)" in each for each in told)
    assert forge.remember(deed, project="quay").near == ()
    assert forge.remember(
        "Crew lists must never be copied to the kiosk.", project="quay", kind="decision"
    ).near
