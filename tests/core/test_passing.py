"""What is said on the way is neither decided nor left open: orders of the moment, approvals, the names of lists."""

from __future__ import annotations

import pytest

from engramforge.core.detection.answers.chosen import answered
from engramforge.core.detection.rule_extractor import detect

SAID_ON_THE_WAY = (
    "Let's go over TODO together",
    "see TODO and ROADMAP, here are our next steps:",
    "I read the ROADMAP, TODO and looked at the ferry times",
    "Lint remarks are noted in TODO but no broken parts",
    "let's update the readme",
    "ok let's revise the intro",
    "so let's merge the charts branch",
    "fine, but let's make sure we note that",
    "User accepted the edits:",
)
STATED = {
    "TODO: oil the hinge": "oil the hinge",
    "x = 1 # TODO handle empty carts": "handle empty carts",
    "the list is long. FIXME the scale drifts": "the scale drifts",
    "let's write the importer in Rust": "let's write the importer in Rust",
    "let's make sure every export is encrypted": "let's make sure every export is encrypted",
    "let's merge branches weekly with squash": "let's merge branches weekly with squash",
    "next step: oil the hinge": "oil the hinge",
}
ORDERS = (
    ("Should we delete the dead parser code?", "yes. but let's look at the other one, too"),
    ("Should I rework the introduction to talk of boats rather than prices?", "yes please"),
    ("Options:\n1. Remove the flaky test (line 12)\n2. Fix the function\n\nWhich one?", "1"),
)
CHOICES = (
    ("Should we use pnpm rather than npm?", "yes"),
    ("Options:\n1. Use sqlite\n2. Use duckdb\n\nWhich one?", "1"),
    ("Should we delete uploads after 30 days?", "yes"),
)


@pytest.mark.parametrize("said", SAID_ON_THE_WAY)
def test_what_is_said_on_the_way_makes_no_entry(said: str) -> None:
    assert detect(said) == ()


def test_what_is_stated_does() -> None:
    assert {said: [each.text for each in detect(said)] for said in STATED} == {
        said: [text] for said, text in STATED.items()
    }


def test_what_only_leads_in_the_rest_waits_for_a_person() -> None:
    for said in ("We'll go with a simpler layout:", "We still need to move the sensors to the other side:"):
        assert [each.confidence < 0.6 for each in detect(said)] == [True]


def test_a_yes_to_work_at_the_code_decides_nothing() -> None:
    asked = "How should it be?"
    assert [answered(turn, said, asked) for turn, said in ORDERS] == [None] * len(ORDERS)
    assert all(answered(turn, said, asked) is not None for turn, said in CHOICES)


@pytest.mark.parametrize(
    "said",
    [
        "Let's switch to `brasswork`. The old lamps stay in the shed.",
        "let's move to `keelson`",
        "ok, let's switch over to `just`",
        "Let's switch from pip to `mise`",
        "let us adopt `@tide/tables`",
        "At the last review I decided to drop moment.js",
        "In my last message I opted to use oak for the masts",
    ],
)
def test_a_choice_whose_name_stands_as_code_is_one(said: str) -> None:
    assert [each.is_new_decision for each in detect(said)] == [True]


@pytest.mark.parametrize(
    "said",
    [
        "Let's switch to `main`",
        "let's switch to the `low-tide` branch",
        "let's move to `src/lamps.py`",
        "let's switch to `git log -p`",
        "let's switch back to `develop` first",
        "At your last question I opted to read all lines of the log by pressing ctrl+e.",
        "In the last run I chose to press enter",
        "Earlier I opted to check the gauges and look at the diff",
        "in your previous question I decided to reject the edit",
        "I decided to have a look at the drawing first",
        "new repo for the sail loft",
        "hi, fresh project for the ferry museum shop",
    ],
)
def test_what_is_done_once_at_the_screen_is_no_decision(said: str) -> None:
    assert not [each for each in detect(said) if each.is_new_decision]
