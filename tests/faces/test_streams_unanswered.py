"""A stream says first that nothing answers, shows at most two of the nearest then, and names who spoke."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge

from .conftest import Cli

UNANSWERED = "Nothing that is remembered answers this."
ASKED = "what is the boiling point of tungsten?"


@pytest.fixture
def opera(home: Path) -> Path:
    """What is said in an opera house, by three."""
    said = (
        ("Mira", "The curtain of the main stage jams at one point."),
        ("Mira", "The soprano asks for a hot drink before each act."),
        ("Jon", "I got a temp job in the cloakroom."),
        ("Jon", "The boiling kettle in the foyer is loud."),
        ("Ada", "The lighting desk has a loose plug."),
        (None, "The orchestra pit is cold in winter."),
        ("Jon", "Boiling water was spilled near the second row."),
        ("Ada", "The tungsten lamp of the desk is broken."),
        (None, "Goliath drives the Vantor winch."),
    )
    with engramforge.open(home) as forge:
        for speaker, content in said:
            forge.remember(content, project="opera", speaker=speaker, near=False)
    return home


def _streamed(home: Path, **asked: Any) -> tuple[dict[str, Any], str]:
    async def main() -> tuple[dict[str, Any], str]:
        async with client_of(home) as client:
            answer: Any = await client.call_tool("forge_stream", asked)
            return answer.structured_content["stream"], answer.content[0].text

    return anyio.run(main)


def test_that_nothing_answers_is_said_first(opera: Path, cli: Cli) -> None:
    view = cli("context", ASKED, "--json").json
    assert view["summary"]["memories"] > 2 and not view["answered"]
    out = cli("context", ASKED).out
    assert out.startswith(f"{UNANSWERED} What comes nearest:\n")
    assert "\n2. " in out and "\n3. " not in out and "nearby" not in out and "lines of thought" not in out

    stream, text = _streamed(opera, action="intention", query_text=ASKED, project="opera")
    assert text.startswith(f"{UNANSWERED} What comes nearest follows.") and text.count("<memory>\n") == 2
    assert stream["answered"] is False and len(stream["nearest"]) == 2
    assert not {"focus", "nearby", "path"} & stream.keys()
    shown = sorted((each["relevance"] for each in view["activation_tiers"]["focus"]), reverse=True)
    relevance = {each["id"]: each["relevance"] for each in view["activation_tiers"]["focus"]}
    assert [relevance[each["id"]] for each in stream["nearest"]] == shown[:2]

    whole, text = _streamed(opera, query_text=ASKED, explain=True)
    assert text.startswith(f"{UNANSWERED} Stream of ") and text.count("<memory>\n") > 2
    assert whole["answered"] is False


def test_what_answers_is_told_as_before(opera: Path, cli: Cli) -> None:
    stream, text = _streamed(opera, query_text="who got a temp job?", project="opera")
    assert stream["answered"] is True and stream["focus"] and "nearest" not in stream
    assert text.startswith("Stream of ")
    assert cli("context", "who got a temp job?").out.lstrip().startswith("focus")
    # Of a state there is no answer to speak of.
    doing, _ = _streamed(opera, action="state", current_energy=0.5, current_goal="x")
    assert "answered" not in doing


def test_what_links_from_a_name_lead_to_is_an_answer(opera: Path) -> None:
    with engramforge.open(opera) as forge:
        asked = forge.streams.by_intention("how old is the Vantor?")
        assert not any(each.answers for each in asked.items) and asked.answered
        # A name that has little to do with what is asked leads to none.
        asked = forge.streams.by_intention("what did the mayor pay for Goliath in euros?")
        assert asked.entities == ("goliath",) and not asked.answered


def test_every_item_has_who_said_it(opera: Path, cli: Cli) -> None:
    asked = "who got a temp job?"
    view = cli("context", asked, "--json").json
    told = [each for held in view["activation_tiers"].values() for each in held]
    assert {each["speaker"] for each in told if "temp job" in each["excerpt"]} == {"Jon"}
    assert "opera  note  Jon  2" in cli("context", asked).out
    stream, text = _streamed(opera, query_text=asked)
    assert stream["focus"][0]["speaker"] == "Jon"
    assert "<memory>\nproject: opera\nspeaker: Jon\n\nI got a temp job" in text

    # One word of all of them, so that some are nearby alone.
    with engramforge.open(opera) as forge:
        for number in range(8):
            forge.remember(f"Cloakroom hook {number} is bent.", project="opera", speaker="Ada", near=False)
    stream, text = _streamed(opera, query_text="which cloakroom hook is bent?")
    assert {each["speaker"] for each in stream["nearby"]} <= {"Ada", "Jon"} and stream["nearby"]
    assert ", by Ada: Cloakroom hook" in text.partition("Nearby:")[2]
    assert "Ada: Cloakroom hook" in cli("context", "which cloakroom hook is bent?").out.partition("nearby")[2]
    # What nobody is known to have said has none.
    stream, _ = _streamed(opera, query_text="who drives the Vantor winch?")
    assert "speaker" not in stream["focus"][0]


def test_no_version_that_was_wrong_is_told_without_the_one_that_holds(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        belief = forge.remember(
            "Fluorosilicone gaskets take two weeks to arrive.", recorded_at="2026-01-01", near=False
        )
        for weeks, day in (("five", "2026-02-01"), ("seven", "2026-03-01")):
            text = f"Fluorosilicone gaskets take {weeks} weeks to arrive."
            belief = forge.revise(belief.id, text, recorded_at=day)
        for number, word in enumerate(
            ("tea", "sun", "road", "bridge", "engine", "paper", "horse", "cloud") * 5
        ):
            forge.remember(f"The {word} was seen near the river in week {number}.", near=False)
    question = "delivery of the gasket"
    asked = ("context", question, "--evolution", "-", "-")
    assert not cli(*asked, "--json").json["answered"]
    out = cli(*asked).out
    first, _, rest = out.partition("\n2. ")
    assert "seven weeks" in first and "was wrong" not in first
    assert "was wrong" in rest.partition("\n3. ")[0]
    stream, text = _streamed(home, action="intention", query_text=question, temporal_mode="evolution")
    assert "seven weeks" in str(stream["nearest"][0]) and "was_wrong" in str(stream["nearest"][1])
    assert "seven weeks" in text
    drawn = cli(*asked, "--mermaid").out
    assert all(said in drawn for said in ("take two", "take five", "take seven", "was wrong"))
    tense = cli("stream", "--energy", "0.6", "--unresolved-tension", "0.7", "--tension-source", question).out
    assert "seven weeks" in tense.partition("was wrong")[0]
