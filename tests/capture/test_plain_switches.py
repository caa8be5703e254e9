"""What stood ends where somebody finds it wrong, agrees to drop it, or tells that it was switched; as it is said."""

from __future__ import annotations

import pytest
from tests.capture.talk import decisions, say, threads

from engramforge.forge import Forge

LISTS = "we use Airtable for the seed lists"
CHARTS = "we use Grafana for the charts"
DAYS = "deliveries only on thursdays"
LOGS = "sensor logs are kept 10 days"
FADES = "Decision: fades take 300 ms in and 200 ms out"
FADES_SAID = "fades take 300 ms in and 200 ms out"


@pytest.mark.parametrize(
    ("turns", "old", "new"),
    [
        (
            (
                "the seed lists are kept in Airtable",
                "airtable is a pain for the growers",
                "A: I'd drop Airtable and let them fill in a shared sheet that a script reads every night. Shall I?",
                "yes please",
            ),
            "the seed lists are kept in Airtable",
            "drop Airtable and let them fill in a shared sheet that a script reads every night",
        ),
        (
            (LISTS, "hm", "A: Drop Airtable and use a plain CSV file instead?", "yep"),
            LISTS,
            "Drop Airtable and use a plain CSV file instead",
        ),
        (
            (
                LISTS,
                "hm",
                "A: We could throw Airtable out and keep the lists in SQLite. Shall I?",
                "yes do it",
            ),
            LISTS,
            "throw Airtable out and keep the lists in SQLite",
        ),
        (
            (LISTS, "airtable is slow", "A: It is. I'd switch to NocoDB. OK?", "yes"),
            LISTS,
            "switch to NocoDB",
        ),
        (
            (LISTS, "airtable is slow", "A: Then let's switch to NocoDB. OK?", "yes"),
            LISTS,
            "switch to NocoDB",
        ),
        (
            (LISTS, "airtable is slow", "A: Then switch to NocoDB for the seed lists. OK?", "yes"),
            LISTS,
            "switch to NocoDB for the seed lists",
        ),
        (
            (DAYS, "thursdays dont work for the drivers after all, we deliver on tuesdays"),
            DAYS,
            "deliveries only on tuesdays",
        ),
        (
            (DAYS, "we deliver on tuesdays now, thursdays dont work"),
            DAYS,
            "deliveries only on tuesdays",
        ),
        (
            (DAYS, "thursday doesn't work, tuesdays from now on"),
            DAYS,
            "deliveries only on tuesdays",
        ),
        (
            (CHARTS, "grafana stutters on the tablet. we switched the charts to uPlot last night"),
            CHARTS,
            "we switched the charts to uPlot last night",
        ),
        (
            ("Decision: charts are drawn with Grafana", "moved the charts from grafana to uPlot"),
            "charts are drawn with Grafana",
            "moved the charts from grafana to uPlot",
        ),
        (
            (CHARTS, "threw grafana out, uPlot does the charts now"),
            CHARTS,
            "threw grafana out, uPlot does the charts now",
        ),
        ((FADES, "make the fade in 120 ms"), FADES_SAID, "fades take 120 ms in and 200 ms out"),
        ((FADES, "make the fade out 250 ms"), FADES_SAID, "fades take 300 ms in and 250 ms out"),
        (
            (FADES, "300 ms fade in feels sluggish in the morning, 150 it is"),
            FADES_SAID,
            "fades take 150 ms in and 200 ms out",
        ),
        (
            (LOGS, "30 days for the sensor logs is better, 10 was too short"),
            LOGS,
            "sensor logs are kept 30 days",
        ),
    ],
)
def test_what_somebody_turns_from_ends(em: Forge, turns: tuple[str, ...], old: str, new: str) -> None:
    project = f"{turns[-1]} {turns[-2][:60]}"
    say(em, project, *turns)
    stands = decisions(em, project)
    assert stands == {old: "superseded", new: "active"}


@pytest.mark.parametrize(
    ("held", "turns"),
    [
        (LISTS, ("ugh", "A: I'd drop the index and rebuild it. Shall I?", "yes please")),
        (LISTS, ("ugh", "A: I'd drop Airtable and run the import again. Shall I?", "yes please")),
        (LISTS, ("ugh", "A: I'd drop Airtable and look at the logs first. Shall I?", "yes")),
        (LISTS, ("ugh", "A: I'd drop Airtable and use a plain file. Shall I?", "no, leave it")),
        (LISTS, ("ugh", "A: I'd drop Airtable and use a plain file. Shall I?", "hm not sure")),
        (LISTS, ("ugh", "A: One could drop Airtable and use a file. Shall I compare them?", "yes please")),
        (LISTS, ("ugh", "A: Drop Airtable and use a file, says the blog.", "yes")),
        (LISTS, ("ugh", "A: I'd drop Sentry and use plain logs. Shall I?", "yes")),
        (LISTS, ("ugh", "A: I'd drop Airtable and let the tests run. Shall I?", "yes")),
        (LISTS, ("ugh", "A: I'd drop Airtable and use a file. Shall I push the branch?", "yes")),
        (LISTS, ("ugh", "A: Switch to the other branch?", "yes")),
        (LISTS, ("ugh", "A: Move to the next task?", "yes")),
        (LISTS, ("ugh", "A: I'd switch to main first. OK?", "yes")),
        (DAYS, ("thursday doesnt work for me, can we talk on tuesday?",)),
        (DAYS, ("thursdays dont work for the drivers this week, we deliver on tuesday",)),
        (DAYS, ("thursdays dont work for them, they deliver on tuesdays",)),
        (DAYS, ("the standup on thursdays doesnt work, we meet on tuesdays",)),
        (DAYS, ("thursdays don't work for the choir, we sing on tuesdays",)),
        (DAYS, ("if thursdays dont work we deliver on tuesdays",)),
        (DAYS, ("ines thinks thursdays dont work, we deliver on tuesdays",)),
        (DAYS, ("maybe thursdays dont work, we deliver on tuesdays then",)),
        (DAYS, ("fridays dont work, we deliver on thursdays",)),
        (DAYS, ("the pump doesnt work on thursdays, we look on tuesday",)),
        (CHARTS, ("threw the old grafana box out of the office",)),
        (CHARTS, ("she threw grafana out, they use uplot",)),
        (CHARTS, ("we almost threw grafana out",)),
        (CHARTS, ("should we throw grafana out?",)),
        (CHARTS, ("we switched the alarms to uplot last night",)),
        (CHARTS, ("what if we switched the charts to uplot",)),
        (CHARTS, ("we switched the charts to dark mode",)),
        (CHARTS, ("we moved the charts to the second page",)),
        (CHARTS, ("we moved from an old grafana to a new one",)),
        (CHARTS, ("kicked grafana out of the vpn by accident",)),
        (CHARTS, ("we moved the plants from bed 3 to bed 4",)),
        (CHARTS, ("my sister switched her charts to excel last night",)),
        (LOGS, ("30 days for the invoices is better, 10 was too short",)),
        (LOGS, ("30 days for the logs would be better, 10 was too short?",)),
        (LOGS, ("30 days was better than 10",)),
        (FADES, ("300 ms fade in feels sluggish, could we take 150?",)),
        (FADES, ("the 300 ms fade in looked fine",)),
        (FADES, ("make the fade nicer",)),
        (FADES, ("make the pump 120 ms",)),
        (FADES, ("the fade in takes 150 ms today",)),
    ],
)
def test_what_only_looks_like_a_turn_ends_nothing(em: Forge, held: str, turns: tuple[str, ...]) -> None:
    project = f"{held} {turns}"
    say(em, project, held, *turns)
    stands = decisions(em, project)
    assert stands[held.removeprefix("Decision: ")] == "active"


def test_what_an_assistant_still_asks_for_is_not_decided(em: Forge) -> None:
    say(em, "asked", LISTS, "airtable is slow", "A: Then let's switch to NocoDB. OK?", "hm, not yet")
    assert decisions(em, "asked") == {LISTS: "active"}


WHAT_IF = "we still need to figure out what happens when the main pump stops at night"


def test_what_is_settled_closes_the_question_of_its_case(em: Forge) -> None:
    settled = "talked to ines: if the pump stops the valve closes after 20 s, then it alarms. thats settled"
    say(em, "case", WHAT_IF, settled)
    assert threads(em, "case") == {WHAT_IF: "resolved"}
    for number, said in enumerate(
        (
            "if the fan stops the heater goes off. thats settled",
            "the pump is from ines. thats settled",
            "if the pump stops the valve closes, is that settled?",
        )
    ):
        say(em, f"case {number}", WHAT_IF, said)
        assert threads(em, f"case {number}") == {WHAT_IF: "open"}


def test_a_promise_to_look_at_what_is_open_opens_nothing_beside(em: Forge) -> None:
    broken = "labels are garbled in the dutch seed file, has to be fixed before the fair"
    promise = "A: It has mixed encodings, I'll look at it tomorrow."
    say(em, "promise", broken, promise, "dutch labels are fixed, was the encoding")
    assert threads(em, "promise") == {broken: "resolved"}
    say(em, "alone", "how is the parser?", "A: The header is broken, I'll look at it tomorrow.")
    assert threads(em, "alone") == {"The header is broken, I'll look at it tomorrow": "open"}


def test_a_todo_needs_no_mark(em: Forge) -> None:
    say(em, "todo", "todo fix the drip in bed 4", "todo order new seals", "the drip is gone, new seal")
    assert threads(em, "todo") == {"fix the drip in bed 4": "resolved", "order new seals": "open"}


@pytest.mark.parametrize(
    "said",
    [
        "todo app is slow",
        "todo lists are boring",
        "todo update failed again",
        "what is on my todo list?",
        "the todo check is on friday",
        "todo comments are fine",
        "todo review was short",
        "todo apps i tried: three",
        "a todo fix would be nice",
        "todo write is a function of the client",
    ],
)
def test_what_speaks_of_todos_opens_nothing(em: Forge, said: str) -> None:
    say(em, said, said)
    assert threads(em, said) == {}


def test_what_has_another_of_its_kind_move_in_leaves_the_decision_for_it(em: Forge) -> None:
    say(em, "moved", "we use jest for the unit tests", "move the docs to python, its easier")
    assert decisions(em, "moved", "active").keys() >= {"we use jest for the unit tests"}
    say(em, "moved", "move the unit tests to mocha, jest hangs all the time")
    assert list(decisions(em, "moved", "superseded")) == ["we use jest for the unit tests"]
