"""What faces tell of versions in a stream: which belief changed, from when until when each holds, how it ended."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge
from engramforge.forge import Forge

from .conftest import Cli


def _streamed(home: Path, **asked: Any) -> tuple[dict[str, Any], str]:
    """What forge_stream answers: its structure and its text."""

    async def main() -> tuple[dict[str, Any], str]:
        async with client_of(home) as client:
            answer: Any = await client.call_tool("forge_stream", asked)
            return answer.structured_content["stream"], answer.content[0].text

    return anyio.run(main)


def _rule(forge: Forge, number: int, year: int) -> None:
    """A rule that changed twice."""
    day = f"{year}-01-01T00:00:00Z"
    made = forge.remember(f"Rule {number} has the status draft.", valid_at=day, recorded_at=day)
    for later, status in ((1, "accepted"), (2, "final")):
        day = f"{year + later}-01-01T00:00:00Z"
        forge.supersede(made.logical_id, f"Rule {number} has the status {status}.", at=day, recorded_at=day)


@pytest.fixture
def rules(home: Path) -> Path:
    """Seven rules, of which the one with the highest number changed last."""
    with engramforge.open(home) as forge:
        for number in (1, 2, 3, 4, 5, 6, 42):
            _rule(forge, number, 2003 + min(number, 10))
    return home


_BY_NUMBER = "status of Rule 42"
_OF_ALL = "which status have the rules?"


def test_the_changes_of_what_was_asked_come_first(rules: Path, cli: Cli) -> None:
    asked = ("context", _BY_NUMBER, "--evolution", "2000-01-01", "-")
    stream = cli(*asked, "--json").json
    changed = stream["temporal_dissonances"]
    assert changed[0]["original"] == "Rule 42 has the status draft."
    # What is far below the best stands in the background, and no change of it is told.
    found = {name: {each["logical_id"] for each in held} for name, held in stream["activation_tiers"].items()}
    near = found["focus"] | found["peripheral"]
    assert {each["belief_id"] for each in changed} == near and stream["far"] > 0
    out = cli(*asked).out.partition("what was believed otherwise")[2]
    assert {"42"} <= set(re.findall(r"Rule (\d+)", out)) < {"1", "2", "3", "4", "5", "6", "42"}

    asked = ("context", _OF_ALL, "--evolution", "2000-01-01", "-")
    changed = cli(*asked, "--json").json["temporal_dissonances"]
    assert len(changed) == 14
    beliefs = [each["belief_id"] for each in changed]
    assert beliefs == sorted(beliefs, key=beliefs.index), "the changes of a belief stand together"
    for before, after in pairwise(changed):
        assert before["belief_id"] != after["belief_id"] or before["corrected_at"] < after["corrected_at"]
    assert "and 4 more: --json has all" in cli(*asked).out.partition("what was believed otherwise")[2]

    stream, _ = _streamed(rules, query_text=_BY_NUMBER, temporal_mode="evolution")
    first = [each["original"] for each in stream["temporal_dissonances"]]
    assert first == ["Rule 42 has the status draft.", "Rule 42 has the status accepted."]
    stream, text = _streamed(rules, query_text=_OF_ALL, temporal_mode="evolution")
    assert stream["more_dissonances"] == 12
    assert "Beliefs that changed (12 more with explain):" in text
    _, whole = _streamed(rules, query_text=_OF_ALL, temporal_mode="evolution", explain=True)
    assert "Beliefs that changed:" in whole and whole.count(" -> Rule ") == 14


def test_a_model_is_told_from_when_until_when_each_holds(rules: Path) -> None:
    for asked in ({"temporal_mode": "full_history"}, {}, {"as_of_time": "2014-06-01"}):
        stream, text = _streamed(rules, query_text="status of Rule 42", **asked)
        for each in (*stream["focus"], *stream.get("nearby", ())):
            held = f"from {each['from']}" + (f" until {each['until']}" if "until" in each else "")
            assert re.search(rf"{each['id']} [^\n]* note, {held}(?:\n|: )", text)
        times = {
            each["excerpt"].split()[-1]: (each["from"], each.get("until"))
            for each in stream["focus"]
            if each["excerpt"].startswith("Rule 42 ")
        }
        if asked.get("temporal_mode"):
            assert times == {
                "draft.": ("2013-01-01", "2014-01-01"),
                "accepted.": ("2014-01-01", "2015-01-01"),
                "final.": ("2015-01-01", None),
            }
        else:
            (since,) = times.values()
            assert since == (("2014-01-01", None) if asked else ("2015-01-01", None))


def test_changes_of_one_day_have_their_minutes(home: Path) -> None:
    with engramforge.open(home) as forge:
        made = forge.remember(
            "The winch is locked.", valid_at="2026-03-01T08:00Z", recorded_at="2026-03-01T08:00Z"
        )
        day = "2026-03-01T09:30Z"
        forge.supersede(made.logical_id, "The winch is open.", at=day, recorded_at=day)
    stream, _ = _streamed(home, query_text="the winch", temporal_mode="full_history")
    (locked,) = (each for each in stream["focus"] if "locked" in each["excerpt"])
    assert (locked["from"], locked["until"]) == ("2026-03-01 08:00", "2026-03-01 09:30")


def _dated(forge: Forge, content: str) -> str:
    return forge.remember(
        content, valid_at="2026-01-01T00:00Z", recorded_at="2026-01-01T00:00Z", near=False
    ).id


def test_what_was_wrong_or_undone_is_said_to_be(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        forge.revise(
            _dated(forge, "The pump holds 40 litres."),
            "The pump holds 60 litres.",
            recorded_at="2026-02-01T00:00Z",
        )
        forge.remember("The pump is made of brass.")
        forge.undo()
        forge.remember("The pump is green.")
        forge.undo()
        forge.redo()
        forge.supersede(
            _dated(forge, "The pump runs at night."), "The pump runs by day.", at="2026-03-01T00:00Z"
        )
    out = cli("context", "the pump", "--mode", "full_history").out
    shown = re.findall(r"\n(?:\d\.  .*?note  |  0\.\d+ .*?note +)(.*?) *(?:\n   )?The pump (.*)\.(?=\n)", out)
    ended = {said: head for head, said in shown}
    assert re.search(r"was wrong, until 2026-02-01\]?$", ended["holds 40 litres"])
    assert re.search(r"undone\]?$", ended["is made of brass"])
    assert re.search(r"(?<!wrong, )until 2026-03-01\]?$", ended["runs at night"])
    for holds in ("holds 60 litres", "runs by day", "is green"):
        assert not re.search("until|undone|wrong", ended[holds]), holds

    stream, text = _streamed(home, query_text="the pump", temporal_mode="full_history", explain=True)
    endings = {
        each["memory"]["content"]: each["ending"]
        for each in stream["levels"]["n1_personal"]["vector_results"]
        if each["ending"]
    }
    assert endings == {"The pump holds 40 litres.": "was_wrong", "The pump is made of brass.": "undone"}
    says = r"(?:\n<memory>\n[^<]*|: )The pump "
    assert re.search(rf"from 2026-01-01 until 2026-02-01, was wrong{says}holds 40", text)
    assert re.search(rf"from \S+, undone{says}is made of brass", text)


def test_an_undone_correction_leaves_nothing_wrong(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        one = _dated(forge, "The valve is red.")
        forge.revise(one, "The valve is blue.", recorded_at="2026-02-01T00:00Z")
        forge.undo()
        same = _dated(forge, "The valve is old.")
        forge.revise(same, "The valve is old.", confidence=0.9, recorded_at="2026-02-01T00:00Z")

    def endings(*times: str) -> dict[str, set[str | None]]:
        tiers = cli("context", "the valve", *times, "--json").json["activation_tiers"]
        found: dict[str, set[str | None]] = {}
        for each in (*tiers["focus"], *tiers["peripheral"]):
            found.setdefault(each["excerpt"].split()[-1], set()).add(each["ending"])
        return found

    assert endings("--mode", "full_history") == {"red.": {None}, "blue.": {"undone"}, "old.": {None}}
    # By then nobody had undone it: it ended later.
    told = endings("--evolution", "2026-01-01", "2026-02-15")
    assert told == {"red.": {"was_wrong"}, "blue.": {"ended_later"}, "old.": {None}}
    with engramforge.open(home) as forge:
        forge.undo()
        forge.redo()
    assert endings("--mode", "full_history")["blue."] == {"undone"}


@pytest.fixture
def boats(home: Path) -> Path:
    """Two beliefs that were wrong in one way, one of them twice."""
    with engramforge.open(home) as forge:
        first = forge.remember("Boat 1 takes 10 minutes to the island.", near=False)
        for minutes in (15, 20):
            forge.revise(first.logical_id, f"Boat 1 takes {minutes} minutes to the island.")
        second = forge.remember("Boat 2 takes 30 minutes to the island.", near=False)
        forge.revise(second.id, "Boat 2 takes 45 minutes to the island.")
    return home


def test_of_what_is_corrected_again_beliefs_are_counted(boats: Path, cli: Cli) -> None:
    told = "2 beliefs, 3 times: how long something takes"
    assert told in cli("context", "boat to the island", "--mode", "full_history").out
    assert told in _streamed(boats, query_text="boat to the island", temporal_mode="full_history")[1]


@pytest.mark.usefixtures("boats")
def test_an_undo_of_a_cycle_says_how_much_it_had_learned(cli: Cli) -> None:
    cycle = ("stream", "--unresolved-tension", "0.9", "--tension-source", "the island boats")
    kept = re.search(r"kept: (\d learnings)", cli(*cycle).out)
    assert kept
    assert cli("undo").out.startswith(f"Undone: {kept[1]} in ")
    assert cli("redo").out.startswith(f"Redone: {kept[1]} in ")


def test_a_thread_is_shown_by_its_title(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        forge.threads.create("Fix the harbour crane", content="The rope slips when it is wet.")
        forge.threads.create("Grease the crane", content="")
    says = "Fix the harbour crane: The rope slips when it is wet."
    assert says in cli("context", "what of the rope?").out
    assert says in _streamed(home, query_text="what of the rope?")[1]
    assert cli("context", "grease the crane").out.count("Grease the crane") == 1


def test_a_memory_that_two_ways_found_counts_once(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        lamp = forge.remember("lamp.py lights the yard.", near=False)
        mast = forge.remember("The mast carries what lights the yard.", near=False)
        sound: dict[str, Any] = {
            "confidence": 0.9,
            "emotion_vector": {},
            "goal": "light",
            "mindstate": "calm",
        }
        forge.link(lamp.logical_id, mast.logical_id, "CAUSES", energy=0.5, **sound)
    asked = "What does lamp.py light?"
    whole, _ = _streamed(home, query_text=asked, explain=True)
    assert (whole["summary"]["total"], whole["summary"]["memories"]) == (4, 2)
    stream, text = _streamed(home, query_text=asked)
    assert stream["found"] == 2
    assert text.startswith("Stream of 2. ") and "more with explain" not in text
    assert "4 found (personal 4): 2 memories;" in cli("context", asked).out


def test_a_model_is_told_the_day_of_what_was_resolved_since(home: Path, cli: Cli) -> None:
    with engramforge.open(home) as forge:
        sound = {"energy": 0.6, "confidence": 0.9, "emotion_vector": {}, "goal": "dry", "mindstate": "calm"}
        leak = _dated(forge, "The cellar leaks.")
        forge.revise(leak, resolution_state="blocked", recorded_at="2026-01-02T00:00Z")
        seal = _dated(forge, "A new seal keeps water out.")
        forge.link(leak, seal, "RESOLVED_BY", valid_at="2026-02-03T00:00Z", **sound)
    assert re.search(r"2026-01-01 00:00.*\n.*The cellar leaks", cli("context", "which cellar leaks?").out)
    stream, text = _streamed(home, query_text="which cellar leaks?")
    (told,) = (each for each in stream["focus"] if "cellar" in each["excerpt"])
    assert told["from"] == "2026-01-01" and told["unusual"] == ["resolved since 2026-02-03"]
    assert re.search(r" note, from 2026-01-01\n<memory>\n[^<]*resolved since 2026-02-03", text)
