"""A day of which a question asks how something stood is its time, and no word to be found."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import engramforge
from engramforge.model.streams.ways import Tier
from engramforge.recall.intention.beside.asked_day import asked_day

NOW = datetime(2025, 7, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("what was the toll on 1 March 2024?", "what was the toll?", "2024-03-01"),
        ("who was the keeper in May 2024?", "who was the keeper?", "2024-05"),
        ("As of 2024-05-02, how much was the toll?", "how much was the toll?", "2024-05-02"),
        ("What was the price of the red boat in 2023", "What was the price of the red boat?", "2023"),
    ],
)
def test_how_something_stood_is_asked_without_its_day(question: str, text: str, said: str) -> None:
    found = asked_day(question, NOW)
    assert found is not None and found.text == text
    assert f"--as-of-valid {said} " in found.hint


@pytest.mark.parametrize(
    "question",
    [
        "what did the keeper say on 1 March 2024?",
        "what happened on 1 March 2024?",
        "when was the toll raised?",
        "what was decided on 1 March 2024?",
        "what was the toll?",
        "what is the toll on 1 March 2030?",
        "where is the boat in the harbour?",
        "on 1 March 2024",
        "",
    ],
)
def test_what_happens_is_asked_with_its_day_and_no_day_is_none(question: str) -> None:
    assert asked_day(question, NOW) is None


def test_a_day_does_not_outweigh_what_is_asked(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        forge.remember("The toll of the bridge is four crowns.", valid_at="2023-01-01")
        for text in ("On 1 March 2024 the night was lost to fog.", "The boat was sold on 1 March 2024."):
            forge.remember(text, near=False)
        question = "what was the toll of the bridge on 1 March 2024?"
        stream = forge.streams.by_intention(question)
        assert stream.tiers[Tier.FOCUS][0].memory.content == "The toll of the bridge is four crowns."
        assert "--as-of-valid 2024-03-01" in stream.note
        then = forge.streams.by_intention(question, as_of_valid="2024-03-01")
        assert "--as-of-valid" not in then.note and then.answered
        # What happened on that day is found by it.
        sold = forge.streams.by_intention("what was sold on 1 March 2024?").tiers[Tier.FOCUS][0]
        assert sold.memory.content == "The boat was sold on 1 March 2024."
