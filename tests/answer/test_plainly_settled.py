"""What was plainly settled answers a later question: an order that set a value, a rule for the case that is asked of,
the kind of thing that was chosen; and after a compaction what the session set is told again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.answer.test_injections import asked, started

from engramforge.core.injection.gate import sets_value
from engramforge.forge import Forge
from engramforge.model.injection import Section

SAID = (
    ("make the crate labels a5. no wait a7, the old printer only does a7", "A7 then."),
    ("weigh the hives every 6 h", "Every six hours."),
    ("Runa answered: stalls are free below 3 days, 4 euro a day until 9 days. thats settled", "OK."),
    ("a reservation of a stall is 3 weeks then it goes back", "Three weeks."),
    ("print 3 labels for the test", "Printed."),
    ("what about storage: influx or timescale or just sqlite", "1. InfluxDB\n2. TimescaleDB\n3. SQLite"),
    ("sqlite. its one farm", "SQLite then."),
    ("lets put the fares in a table fare_rules, not in code", "OK."),
    ("lets write the notes", "Sure."),
)  # fmt: skip


def talk(forge: Forge, turns: tuple[tuple[str, str], ...], session: str) -> None:
    rows: list[dict[str, Any]] = []
    for number, (prompt, response) in enumerate(turns):
        common = {"project": "atlas", "session_id": session}
        rows.append(
            {"content": prompt, "kind": "prompt", "speaker": "user", "sequence": 2 * number, **common}
        )
        rows.append({"content": response, "kind": "response", "sequence": 2 * number + 1, **common})
    for each in rows:
        forge.remember(**each)


@pytest.fixture(scope="module")
def farm(lasting: Callable[[], Forge]) -> Forge:
    forge = lasting()
    talk(forge, SAID, "before")
    return forge


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("what size are the crate labels", "a7"),
        ("how often do we weigh the hives", "every 6 h"),
        ("what does one pay for a stall who stays 5 days?", "4 euro a day"),
        ("morning! how long does a reservation last again?", "3 weeks"),
        ("which database do we use?", "sqlite"),
        ("where are the weights stored", "sqlite"),
        ("put a fare for goats into fares.go", "fare_rules"),
    ],
)
def test_what_was_settled_is_told(farm: Forge, prompt: str, told: str) -> None:
    found = asked(farm, prompt, prompt)
    assert found is not None and told in found.text


@pytest.mark.parametrize(
    "prompt",
    [
        "ok do that but 5 min",
        "which message broker do we use?",
        "how warm is it in 5 days?",
        "where is the key of the barn?",
    ],
)
def test_what_is_of_something_else_is_not(farm: Forge, prompt: str) -> None:
    assert asked(farm, prompt, prompt) is None


def test_a_design_with_its_contrast_is_told_at_the_start_and_no_order_of_the_moment(farm: Forge) -> None:
    found = started(farm)
    decided = [each.text for each in found.memories if each.section is Section.DECIDED] if found else []
    assert any("fare_rules, not in code" in each for each in decided)
    assert not any("write the notes" in each for each in decided)


def test_after_a_compaction_what_the_session_set_is_told_again(em: Forge) -> None:
    turns = (
        ("should the prices be kept in memory?", "A 60 s cache is enough."),
        ("ok do that but 5 min", "Five minutes."),
        ("publish the weights every 30 s", "OK."),
        ("change: publish the weights every 10 s, the curve is choppy", "Every 10 s now."),
        ("oak first. dry it at 40 until friday, then at 60", "OK."),
        ("the curve is ugly", "I see."),
        ("the fmt version is pinned to 3.1, dont bump it", "Pinned."),
    )
    talk(em, turns, "now")
    found = started(em, "compact")
    assert found is not None
    for told in ("but 5 min", "every 10 s", "oak first", "pinned to 3.1"):
        assert told in found.text
    assert "every 30 s" not in found.text and "ugly" not in found.text


@pytest.mark.parametrize(
    ("said", "sets"),
    [
        ("make the crate labels a7", True),
        ("set the pump limit to 20 l", True),
        ("raise the max upload to 25 mb", True),
        ("weigh the hives every 6 h", True),
        ("cap the queue at 500", True),
        ("make it 20", False),
        ("make 3 copies of the map", False),
        ("set the pump limit to 20 for now", False),
        ("print 3 labels", False),
        ("set the table for 4 guests?", False),
    ],
)
def test_an_order_that_sets_a_value(said: str, sets: bool) -> None:
    assert sets_value(said) is sets


def test_values_beside_a_changed_one_are_told(em: Forge) -> None:
    talk(em, (("press 8 bar, felt 3 mm, 40 sheets an hour", "OK."), ("paint the gate", "Done.")), "before")
    changed = (("press is too hard on the felt. 6 bar it is", "6 bar."),)
    talk(em, changed, "now")
    found = asked(em, "how many sheets an hour?", "now")
    assert found is not None and "40 sheets" in found.text and "8 bar" not in found.text
    assert asked(em, "how hard does it press?", "now") is None
    later = asked(em, "what's the pressure of the press in bar?", "later")
    assert later is not None and "6 bar it is" in later.text and "8 bar" not in later.text
