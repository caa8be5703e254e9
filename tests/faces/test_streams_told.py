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


def test_the_changes_of_what_was_asked_come_first(rules: Path, cli: Cli) -> None:
    asked = ("context", "status of Rule 42", "--evolution", "2000-01-01", "-")
    changed = cli(*asked, "--json").json["temporal_dissonances"]
    assert len(changed) == 14
    beliefs = [each["belief_id"] for each in changed]
    assert beliefs == sorted(beliefs, key=beliefs.index), "the changes of a belief stand together"
    for before, after in pairwise(changed):
        assert before["belief_id"] != after["belief_id"] or before["corrected_at"] < after["corrected_at"]
    told = cli(*asked).out.partition("what was believed otherwise")[2]
    assert re.findall(r"Rule (\d+) .*draft", told)[0] == "42"
    assert "and 4 more: --json has all" in told

    stream, text = _streamed(rules, query_text="status of Rule 42", temporal_mode="evolution")
    first = [each["original"] for each in stream["temporal_dissonances"]]
    assert first == ["Rule 42 has the status draft.", "Rule 42 has the status accepted."]
    assert stream["more_dissonances"] == 12
    assert "Beliefs that changed (12 more with explain):" in text
    _, whole = _streamed(rules, query_text="status of Rule 42", temporal_mode="evolution", explain=True)
    assert "Beliefs that changed:" in whole and whole.count(" -> Rule ") == 14


def test_a_model_is_told_from_when_until_when_each_holds(rules: Path) -> None:
    for asked in ({"temporal_mode": "full_history"}, {}, {"as_of_time": "2014-06-01"}):
        stream, text = _streamed(rules, query_text="status of Rule 42", **asked)
        for each in (*stream["focus"], *stream["nearby"]):
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
