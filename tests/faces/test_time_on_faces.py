"""Time on the faces: modes, timelines, ends, corrected times and undo, told the same by each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from mcp import Client
from tests.mcp_server import client_of

import engramforge
from engramforge.faces.views.recall import RecallView
from engramforge.faces.views.shape import plain
from engramforge.faces.views.timeline import TimelineView

from .conftest import Cli

T = TypeVar("T")


@pytest.fixture
def billing(home: Path) -> str:
    """A memory whose job changed hands, and was then found to have been told wrong."""
    with engramforge.open(home) as forge:
        made = forge.remember("Billing is Ada's job.", project="office", valid_at="2026-01-01")
        forge.supersede(made.id, "Billing is Ben's job.", at="2026-05-01")
        forge.revise(made.id, "Billing is Bea's job.")
    return made.logical_id


def _asked(home: Path, work: Callable[[Client], Awaitable[T]]) -> T:
    """Run `work` with a client of a server in this process."""

    async def main() -> T:
        async with client_of(home) as client:
            return await work(client)

    return anyio.run(main)


def _tool(home: Path, name: str, **arguments: Any) -> dict[str, Any]:
    async def work(client: Client) -> dict[str, Any]:
        answer = await client.call_tool(name, arguments)
        assert not answer.is_error, answer.content
        assert answer.structured_content is not None
        return dict(answer.structured_content)

    return _asked(home, work)


def test_a_timeline_is_the_same_on_every_face(cli: Cli, home: Path, billing: str) -> None:
    with engramforge.open(home) as forge:
        expected = plain(TimelineView.of(forge.timeline(billing)))
    assert cli("timeline", billing, "--json").json["timeline"] == expected
    told = _tool(home, "forge_timeline", id=billing, limit=50)
    assert told["memories"] == expected["versions"]
    assert told["changes"] == expected["changes"]
    assert told["dissonances"] == expected["dissonances"]
    pairs = [(each["original"], each["corrected"], each["reason"]) for each in told["dissonances"]]
    assert pairs == [
        ("Billing is Ada's job.", "Billing is Ben's job.", "reality_changed"),
        ("Billing is Ben's job.", "Billing is Bea's job.", "discovered_false"),
    ]


def test_what_was_believed_then(cli: Cli, home: Path, billing: str) -> None:
    answer = cli("timeline", billing, "--as-of-valid", "2026-06-01", "--json").json["timeline"]
    assert [each["content"] for each in answer["believed"]] == ["Billing is Bea's job."]
    assert answer["as_of_valid"] == "2026-06-01T23:59:59.999999+00:00"
    told = _tool(home, "forge_timeline", id=billing, as_of_valid="2026-04-01")
    assert [each["content"] for each in told["memories"]] == ["Billing is Ada's job."]
    text = cli("timeline", billing, "--as-of-valid", "2025-01-01").out
    assert "Dissonances" in text and "discovered_false" in text and "Believed then: nothing" in text


def test_changes_within_a_range(cli: Cli, home: Path, billing: str) -> None:
    options = ("--project", "office", "--since", "2026-05-01", "--until", "2026-05-02")
    found = cli("timeline", *options, "--json").json["timeline"]
    assert [(each["turn"], each["memory"]["version"]) for each in found["changes"]] == [
        ("ceased", 1),
        ("became_true", 3),
    ]
    told = _tool(
        home, "forge_timeline", changes=True, project="office", since="2026-05-01", until="2026-05-02"
    )
    assert told["changes"] == found["changes"] and told["memories"] == []
    assert cli("timeline", "--until", "1999-01-01").out.startswith("Nothing changed then.")
    page = cli("timeline", "--limit", "1", "--offset", "1", "--json").json["timeline"]["changes"]
    assert page == cli("timeline", "--limit", "2", "--json").json["timeline"]["changes"][1:]


def test_every_version_is_a_hit_of_its_own(cli: Cli, home: Path, billing: str) -> None:
    assert billing
    with engramforge.open(home) as forge:
        expected = plain(RecallView.of(forge.recall("billing", mode="full_history")))
    answers = [
        cli("recall", "billing", "--mode", "full_history", "--json").json,
        _tool(home, "forge_recall", query="billing", mode="full_history", explain=True)["recall"],
    ]
    for answer in answers:
        assert answer["mode"] == "full_history"
        seen = {hit["memory"]["version"]: hit for hit in answer["hits"]}
        assert {number: hit["superseded"] for number, hit in seen.items()} == {1: True, 2: True, 3: False}
        # Of a superseded version and its closing record the newer one says until when it held.
        assert seen[1]["memory"]["invalid_at"] == "2026-05-01T00:00:00+00:00"
        assert len(answer["hits"]) == 3
        assert [hit["memory"]["id"] for hit in answer["hits"]] == [
            hit["memory"]["id"] for hit in expected["hits"]
        ]
    text = cli("recall", "billing", "--mode", "full_history").out
    assert "1, superseded; true from 2026-01-01 00:00 until 2026-05-01 00:00; known from" in text


def test_modes_of_a_list(cli: Cli, billing: str) -> None:
    def listed(*options: str) -> list[int]:
        return [each["version"] for each in cli("list", *options, "--json").json["memories"]]

    assert listed() == [3]
    assert sorted(listed("--mode", "full_history")) == [1, 1, 2, 3]
    assert listed("--as-of-valid", "2026-02-01") == [1]
    assert listed("--mode", "evolution", "--recorded-until", "2020-01-01") == []
    assert sorted(listed("--mode", "evolution", "--recorded-since", "2020-01-01")) == [1, 1, 2, 3]
    fault = cli("list", "--mode", "point_in_time", "--json")
    assert fault.code == 2 and fault.error["error"] == "InvalidTime"
    assert cli("recall", "x", "--recorded-since", "2026-01-01").code == 2
    assert cli("timeline", billing, "--project", "office").code == 2


def test_ending_correcting_and_undoing(cli: Cli, billing: str) -> None:
    ended = cli("invalidate", billing, "--at", "2026-07-01", "--reason", "outsourced", "--json").json[
        "memory"
    ]
    assert (ended["invalid_at"], ended["invalidation_reason"]) == (
        "2026-07-01T00:00:00+00:00",
        "reality_changed",
    )
    assert cli("invalidate", billing).code == 4
    assert cli("list", "--json").json["memories"] == []
    moved = cli("revise", billing, "--invalid-at", "2026-08-01", "--json").json["memory"]
    assert moved["invalid_at"] == "2026-08-01T00:00:00+00:00"
    early = cli("revise", billing, "--version", "1", "--invalid-at", "2026-04-01", "--json").json["memory"]
    assert (early["version"], early["invalid_at"]) == (1, "2026-04-01T00:00:00+00:00")
    refused = cli("revise", billing, "--version", "1", "--invalid-at", "2026-06-01", "--json")
    assert refused.code == 2 and "meets version 3" in refused.error["fault"]
    opened = cli("revise", billing, "--invalid-at", "never", "--json").json["memory"]
    assert opened["invalid_at"] is None
    undone = cli("undo", "--all-projects", "--json").json["undone"]
    assert undone["action"] == "revise" and len(undone["taken_back"]) == len(undone["restored"]) == 1
    text = cli("redo").out
    assert text.startswith("Redone: revise in office, ") and "Billing is Bea's job." in text
    assert cli("redo", "--json").code == 3
    assert cli("undo", "--all-projects").out.startswith("Undone: revise in office, ")
    assert cli("redo", "--json").json["redone"]["action"] == "revise"
    cli("forget", billing, "--yes")
    refused = cli("undo", "--all-projects", "--json")
    assert refused.code == 4 and "cannot be undone" in refused.error["fault"]


def test_undo_of_many_shows_some(cli: Cli, home: Path) -> None:
    assert cli("undo", "--all-projects").code == 3
    with engramforge.open(home) as forge:
        forge.remember_many({"content": f"note {number}"} for number in range(30))
    refused = cli("undo", "--all-projects", "--json")
    assert refused.code == 2 and refused.error["error"] == "NotConfirmed"
    assert "touches 30 records and links" in refused.error["fault"] and "--yes" in refused.error["mend"]
    assert "30 records and links" in cli("undo", "--all-projects").err
    with engramforge.open(home) as forge:
        assert forge.stats().memories == 30
    assert "... and 10 more" in cli("undo", "--all-projects", "--yes").out
    assert "... and 10 more" in cli("redo").out
    with engramforge.open(home) as forge:
        assert forge.stats().memories == 30
    ended = cli("remember", "The ferry leaves at noon.", "--json").json["memory"]["id"]
    assert cli("invalidate", ended, "--json").code == 0
    assert "Ended" in cli("invalidate", cli("remember", "It rains.", "--json").json["memory"]["id"]).out
