"""Patterns, priming, flags, scratch and events on the command line and over MCP: one scenario, the same answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from tests.mcp_server import client_of

import engramforge
from engramforge.faces.views.learned import EventView, FlagView, PatternView, PrimingView
from engramforge.faces.views.shape import plain
from engramforge.model.fence import FENCE

from .conftest import Cli

FREEZE = "Before a release, freeze the lock file and build from it."


async def _call(client: Client, **arguments: Any) -> tuple[list[dict[str, Any]], str]:
    result = await client.call_tool("forge_patterns", arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content["entries"], result.content[0].text  # type: ignore[union-attr]


async def _refused(client: Client, **arguments: Any) -> str:
    result = await client.call_tool("forge_patterns", arguments)
    assert result.is_error, result.structured_content
    return str(result.content[0].text)  # type: ignore[union-attr]


def test_the_command_line_says_what_python_says(cli: Cli, home: Path) -> None:
    made = cli("patterns", "add", FREEZE, "--name", "Frozen", "--project", "atlas", "--json").json
    tried = cli("patterns", "outcome", made["id"], "It held.", "--worked", "--json").json
    cli("patterns", "outcome", made["id"], "--failed", "--session", "s1")
    block = cli("priming", "add", "releases", "Tags are signed.", "--project", "atlas", "--json").json
    flag = cli(
        "flags", "add", "Two ways to tag.", "--type", "isomorphism", "--project", "atlas", "--json"
    ).json
    assert (tried["tries"], flag["type"], block["territory"]) == (1, "isomorphism", "releases")
    with engramforge.open(home) as forge:
        listed = plain(PatternView.list_of(forge.patterns.list("atlas")))
        whole = plain(PatternView.of(forge.patterns.get(made["id"])))
        primed = plain(PrimingView.list_of(forge.priming.find_relevant_priming("releases")))
        flags = plain(FlagView.list_of(forge.flags.list()))
        events = plain(EventView.list_of(forge.events(limit=3)))
    assert cli("patterns", "--project", "atlas", "--json").json == {"patterns": listed}
    assert cli("patterns", "show", made["id"][:18], "--json").json == whole
    assert [each["id"] for each in cli("patterns", "search", "release", "--json").json["patterns"]] == [
        made["id"]
    ]
    assert [each["id"] for each in cli("priming", "find", "releases", "--json").json["priming"]] == [
        each["id"] for each in primed
    ]
    assert cli("priming", "show", block["id"], "--json").json == block
    assert cli("priming", "territories", "--json").json["territories"][0]["name"] == "releases"
    assert cli("flags", "--json").json == {"flags": flags}
    assert cli("flags", "show", flag["id"], "--json").json == flag
    assert (
        cli("flags", "search", "tag", "--type", "isomorphism", "--json").json["flags"][0]["id"] == flag["id"]
    )
    assert cli("events", "--limit", "3", "--json").json == {"events": events}
    assert cli("events", "--after", str(events[1]["position"]), "--json").json == {"events": events[2:]}
    compiled = cli("flags", "compile", "tags", "--flag", flag["id"], "--json").json
    assert compiled["made_from"] == [flag["id"]]
    assert cli("flags", "--json").json == {"flags": []}
    assert cli("flags", "--status", "compiled", "--json").json["flags"][0]["compiled_in"] == [compiled["id"]]


def test_people_read_how_well_it_works(cli: Cli) -> None:
    assert cli("patterns").out.startswith("There is no pattern yet.")
    made = cli("patterns", "add", FREEZE, "--json").json["id"]
    assert "not tried" in cli("patterns").out
    told = cli("patterns", "outcome", made, "It held.", "--worked")
    assert told.out == "Noted: it worked 1 of 1 (0.21).\n"
    shown = cli("patterns", "show", made).out
    assert "worked" in shown and "It held." in shown and FREEZE in shown
    assert "There is no such pattern." in cli("patterns", "--tag", "none").out
    assert "engramforge review" in cli("flags").out


def test_scratch_lives_for_a_while(cli: Cli) -> None:
    kept = cli(
        "scratch", "put", "draft", "half a thought", "--session", "s1", "--ttl-hours", "2", "--json"
    ).json
    assert (kept["key"], kept["session"]) == ("draft", "s1")
    assert cli("scratch", "get", "draft", "--session", "s1").out == "half a thought\n"
    assert cli("scratch", "--json").json == {"scratch": [kept]}
    assert cli("scratch", "--agent", "another", "--json").json == {"scratch": []}
    assert (
        cli("scratch", "remove", "draft", "--session", "s1").out
        == "Removed 'draft'. undo does not take this back.\n"
    )
    assert cli("scratch").out == "The scratchpad is empty.\n"


def test_an_expedition_takes_flags_that_say_half_of_the_words(cli: Cli) -> None:
    cli("flags", "add", "Herons wait at the sluice as cats wait at a door.")
    assert cli("flags", "compile", "otter census").code == 3
    assert "Compiled 1 flag" in cli("flags", "compile", "heron census").out


def test_a_block_expires_when_a_word_says(cli: Cli) -> None:
    block = cli("priming", "add", "sluice", "It opens on the ebb.", "--expires-at", "tomorrow", "--json").json
    assert block["expires_at"][11:19] == "00:00:00"


def test_faults_name_the_mend(cli: Cli) -> None:
    note = cli("remember", "A note.", "--json").json["memory"]["id"]
    for arguments, code, fault, mend in (
        (("patterns", "outcome", note, "--worked"), 4, "of the kind note", "Give the id of a pattern"),
        (("patterns", "outcome", note), 2, "whether it worked", "Give --worked or --failed"),
        (("patterns", "outcome", note, "--failed", "--worked"), 2, "at once", "Give --worked or --failed"),
        (("patterns", "show", "nowhere1"), 3, "There is no memory", "Find its id"),
        (("priming", "add", "x", "y", "--expires-at", "2020-01-01"), 2, "would have expired", "time to come"),
        (("flags", "--status", "open"), 2, "status", "pending, compiled; all is any"),
        (("priming", "add", "x", "y", "--expires-at", "yesterday"), 2, "would have expired", "time to come"),
        (("flags", "compile", "nothing here"), 3, "No pending flag", "flags lists"),
        (("scratch", "get", "none"), 3, "no scratch entry", "expired"),
        (("scratch", "put", "k", "v", "--ttl-hours", "9000"), 2, "ttl_hours is 9000", "hours"),
        (("events", "--limit", "0"), 2, "limit", "1"),
    ):
        answer = cli(*arguments, "--json")
        assert answer.code == code, arguments
        assert fault in answer.error["fault"], answer.error
        assert mend in answer.error["mend"], answer.error


def test_the_tool_does_what_the_commands_do(home: Path) -> None:
    async def main() -> None:
        async with client_of(home) as client:
            ((made,), _) = await _call(client, action="add", content=FREEZE, name="Frozen", project="atlas")
            ((tried,), text) = await _call(
                client, action="outcome", id=made["id"], success=False, content="The mirror was down."
            )
            assert (tried["tries"], tried["success_score"]) == (1, 0.0)
            assert "failed: The mirror was down." in text and f"<{FENCE}>" in text
            assert [each["id"] for each in (await _call(client))[0]] == [made["id"]]
            assert (await _call(client, action="search", query="release"))[0][0]["id"] == made["id"]
            ((block,), _) = await _call(
                client, kind="priming", action="add", name="releases", content="Tags are signed."
            )
            found, text = await _call(client, kind="priming", action="search", query="releases")
            assert [each["id"] for each in found] == [block["id"]] and "territory: releases" in text
            ((flag,), _) = await _call(client, kind="flags", action="add", content="Odd tags.", type="risk")
            assert (await _call(client, kind="flags"))[0] == [flag]
            ((compiled,), _) = await _call(
                client, kind="flags", action="compile", name="tags", ids=[flag["id"]]
            )
            assert compiled["made_from"] == [flag["id"]]
            assert (await _call(client, kind="flags"))[0] == []
            (told, _) = await _call(client, kind="flags", status="all")
            assert [each["status"] for each in told] == ["compiled"]
            await _call(client, kind="scratch", action="add", name="k", content="note", session_id="s")
            (noted, text) = await _call(client, kind="scratch")
            assert (noted[0]["text"], noted[0]["session"]) == ("note", "s") and "key" not in text.split("\n")[
                0
            ]
            await _call(client, kind="scratch", action="remove", name="k", session_id="s")
            assert "no scratch entry" in await _refused(client, kind="scratch", action="get", name="k")
            assert "needs id and success" in await _refused(client, action="outcome")
            assert "takes no query" in await _refused(client, kind="priming", query="x")
            assert "needs name and content" in await _refused(client, kind="priming", action="add")
            assert "Choose one of list, search, add, get" in await _refused(
                client, kind="priming", action="compile"
            )

    anyio.run(main)
