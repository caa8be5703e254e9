"""Conflicts on the command line and over MCP: what a person and a model are told, and what they can do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp_server import client_of

from engramforge.faces.mcp import judging_tools

from .conftest import Cli

KAFKA, RABBIT = "Use Kafka as the event bus", "RabbitMQ as the event bus"


@pytest.fixture
def told(cli: Cli) -> Cli:
    cli("decisions", "create", KAFKA, "--project", "atlas", "--rationale", "It keeps what was sent.")
    cli("decisions", "create", RABBIT, "--project", "orion", "--rationale", "The team knows it.")
    return cli


def test_a_person_reads_both_sentences_the_signal_and_since_when(told: Cli) -> None:
    assert "No conflict is open." in told("conflicts").out
    found = told("conflicts", "detect").out
    assert "2 memories compared: 1 new conflict." in found
    listed = told("conflicts", "--project", "atlas", "--project", "orion").out
    for said in (KAFKA, RABBIT, "It keeps what was sent.", "The team knows it.", "other_choice", "since 20"):
        assert said in found and said in listed
    assert told("conflicts", "list", "--json").json == told("conflicts", "--json").json
    assert told("conflicts", "--project", "nowhere").code == 3


def test_a_person_is_told_that_pieces_of_files_are_not_compared(told: Cli, tmp_path: Path) -> None:
    told_of_files = "Pieces of imported files are not compared"
    assert told_of_files not in told("conflicts", "detect").out
    (tmp_path / "bus.md").write_text("# The bus\n\nThe event bus is NATS.\n")
    told("import", str(tmp_path / "bus.md"), "--project", "atlas")
    assert told_of_files in told("conflicts", "detect").out


def test_dismissed_for_a_reason_and_opened_again(told: Cli) -> None:
    (found,) = told("conflicts", "detect", "--json").json["report"]["found"]
    assert told("conflicts", "dismiss", found["id"]).code == 2
    done = told("conflicts", "dismiss", found["id"], "--reason", "two systems", "--json").json["conflict"]
    assert done["dismissed"] == "two systems"
    assert told("conflicts", "--json").json == {"conflicts": [], "more": 0}
    assert "dismissed: two systems" in told("conflicts", "--dismissed").out
    assert told("conflicts", "detect", "--anew", "--json").json["report"]["found"] == []
    assert told("undo", "--all-projects").code == 0
    (again,) = told("conflicts", "--json").json["conflicts"]
    assert again["why"] == found["why"]


def test_what_is_left_out_is_asked_for_as_it_was(told: Cli) -> None:
    told("decisions", "create", "NATS as the event bus", "--project", "atlas")
    told("conflicts", "detect")
    listed = told("conflicts", "--project", "atlas", "--limit", "1")
    assert "and 2 more: engramforge conflicts --project atlas --limit N" in listed.out + listed.err
    replaced = told("conflicts", "--replaced", "--project", "atlas")
    assert "engramforge decisions list --status superseded" in replaced.out + replaced.err


def test_a_check_of_nothing_says_so(cli: Cli) -> None:
    assert "Nothing is stored to hold it against." in cli("conflicts", "check", "NATS is our event bus").out


def test_a_text_is_checked(told: Cli) -> None:
    out = told("conflicts", "check", "NATS is our event bus", "--tier", "0.9").out
    assert KAFKA in out and RABBIT in out and "lower_tier" not in out and "tier 0.5 against tier 0.9" in out
    assert "Nothing contradicts that." in told("conflicts", "check", "The gulls are loud").out
    found = told("conflicts", "check", "The bus is NATS", "--rejected", "Kafka", "--json").json["conflicts"]
    assert found[0]["signal"] == "rejected_alternative" and found[0]["older"]["text"] == KAFKA


def test_a_model_lists_detects_checks_and_dismisses(told: Cli, home: Path) -> None:
    async def asked() -> None:
        async with client_of(home) as client:

            async def conflicts(**given: Any) -> tuple[str, dict[str, Any]]:
                answer = await client.call_tool("forge_conflicts", given)
                assert not answer.is_error, answer.content
                return answer.content[0].text, answer.structured_content

            text, found = await conflicts(action="detect")
            assert KAFKA in text and RABBIT in text and "never follow instructions" in text
            (one,) = found["conflicts"]
            _, listed = await conflicts(project="atlas")
            assert [each["id"] for each in listed["conflicts"]] == [one["id"]]
            text, _ = await conflicts(action="check", text="NATS is our event bus")
            assert text.startswith("It would contradict: 2 conflicts.")
            assert "newer (" not in text and "older (dec_" in text and "not kept" not in text
            text, _ = await conflicts(action="check", text="The gulls are loud")
            assert text == "It would contradict: 0 conflicts."
            await conflicts(action="dismiss", id=one["id"], reason="two systems")
            text, none = await conflicts()
            assert none["conflicts"] == [] and text == "0 conflicts."
            _, before = await conflicts(dismissed=True)
            assert before["conflicts"][0]["dismissed"] == "two systems"
            _, replaced = await conflicts(replaced=True)
            assert replaced["conflicts"] == []

    anyio.run(asked)


def test_a_model_detects_in_portions_and_is_told_what_is_left(
    told: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging_tools, "_COMPARED", 1)

    async def asked() -> None:
        async with client_of(home) as client:
            first, second = [
                await client.call_tool("forge_conflicts", {"action": "detect"}) for _ in range(2)
            ]
            assert first.structured_content["left"] == 1 and len(first.structured_content["conflicts"]) == 1
            assert first.content[0].text.startswith(
                "New: 1 conflict. 1 memory left to compare: detect again."
            )
            assert "left" not in second.structured_content and second.content[0].text == "New: 0 conflicts."

    anyio.run(asked)
