"""How much a model has to read of the MCP face, and what it is told when it errs."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from tests.mcp_server import client_of

from engramforge.errors import InvalidValue
from engramforge.faces.mcp.calls import Calls
from engramforge.faces.mcp.server import build_server

CHARACTERS_PER_TOKEN: Final = 4
"""The rule by which tokens are counted here: characters of what is sent, as JSON without blanks, over four."""
DEFINITIONS: Final = 5_000
"""Of all tools together."""
FIVE_HITS: Final = 1_500


def _tokens(value: Any) -> float:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) / CHARACTERS_PER_TOKEN


def _with_client(home: Path, work: Callable[[Client], Awaitable[None]]) -> None:
    async def main() -> None:
        async with client_of(home) as client:
            await work(client)

    anyio.run(main)


async def _refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    return str(result.content[0].text)


def test_definitions_fit_their_budget(home: Path) -> None:
    async def work(client: Client) -> None:
        tools = (await client.list_tools()).tools
        sent = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
        assert sum(map(_tokens, sent)) <= DEFINITIONS
        for tool in tools:
            assert tool.output_schema and tool.output_schema["properties"]

    _with_client(home, work)


def test_closed_sets_are_enums(home: Path) -> None:
    async def work(client: Client) -> None:
        known = {tool.name: tool.input_schema["properties"] for tool in (await client.list_tools()).tools}
        for tool, properties in known.items():
            for name in {"action", "mode", "scope", "kind", "level", "status", "direction", "priority"} & {
                *properties
            }:
                assert properties[name]["enum"], (tool, name)
        assert "note" in known["forge_remember"]["kind"]["enum"]
        assert "find_similar_state" in known["forge_stream"]["query_mode"]["enum"]
        assert known["forge_links"]["action"]["enum"] == ["list", "create", "remove"]

    _with_client(home, work)


def test_a_stream_fits_the_same_budget(home: Path) -> None:
    about = "The night ferry to the far island takes {} minutes, and calls at the old pier on weekdays. " * 20

    async def work(client: Client) -> None:
        ids: list[str] = []
        for minutes in range(30):
            note = {"content": about.replace("{}", str(minutes)), "project": "timetables"}
            made = (await client.call_tool("forge_remember", note)).structured_content["memory"]
            ids.append(made["id"])
            if minutes < 6:
                change = {"content": about.replace("{}", str(100 + minutes)), "revises": made["id"]}
                assert not (await client.call_tool("forge_remember", change)).is_error
        felt = {"energy": 0.5, "confidence": 0.5, "emotion_vector": {}, "goal": "g", "mindstate": "m"}
        for one, other in pairwise(ids):
            link = {"action": "create", "id": one, "target_id": other, "relation": "CAUSES", **felt}
            assert not (await client.call_tool("forge_links", link)).is_error
        asked = {"query_text": "how long does the night ferry take?", "temporal_mode": "evolution"}
        answer = await client.call_tool("forge_stream", asked)
        stream, text = answer.structured_content["stream"], answer.content[0].text
        assert (
            len(stream["focus"]) == 5
            and stream["nearby"]
            and stream["path"]
            and stream["temporal_dissonances"]
        )
        assert all(each["id"] in text for each in (*stream["focus"], *stream["nearby"]))
        assert _tokens(text) + _tokens(answer.structured_content) <= FIVE_HITS
        wrong = await _refused(client, "forge_stream", action="state", query_text="x", current_energy=0.5)
        assert "takes no query_text" in wrong and "intention_id" not in wrong and "agent" not in wrong
        wrong = await _refused(client, "forge_stream", query_text="x", query_levels=["N7"])
        assert "There is no level 'N7'" in wrong

    _with_client(home, work)


@pytest.mark.parametrize("long", [False, True])
def test_five_hits_fit_their_budget(home: Path, long: bool) -> None:
    about = "The night ferry to the far island leaves at {} on weekdays and calls at the old pier. " * (
        20 if long else 4
    )

    async def work(client: Client) -> None:
        session = "b7f1c2d4-5a6b-4c7d-8e9f-0a1b2c3d4e5f"
        for hour in range(9):
            note = {
                "content": about.replace("{}", str(hour)),
                "project": "timetables",
                "session_id": session,
                "sequence": hour,
            }
            assert not (await client.call_tool("forge_remember", note)).is_error
        answer = await client.call_tool(
            "forge_recall", {"query": "when does the night ferry leave?", "budget": None}
        )
        hits = answer.structured_content["recall"]["hits"]
        assert len(hits) == 5
        assert answer.structured_content["recall"]["left_out"] == 4
        text = answer.content[0].text
        # Some clients show a model the text, others the structure: either is enough.
        assert all(hit["excerpt"] in text and hit["memory"]["id"] in text for hit in hits)
        assert _tokens(text) + _tokens(answer.structured_content) <= FIVE_HITS

    _with_client(home, work)


def test_explained_hits_have_their_reasons(home: Path) -> None:
    async def work(client: Client) -> None:
        await client.call_tool("forge_remember", {"content": "The ferry leaves at noon. " * 40})
        asked = {"query": "ferry"}
        brief = (await client.call_tool("forge_recall", asked)).structured_content["recall"]["hits"][0]
        full = (await client.call_tool("forge_recall", {**asked, "explain": True})).structured_content[
            "recall"
        ]["hits"][0]
        assert "parts" not in brief and len(brief["excerpt"]) <= 850
        assert full["parts"] and full["matches"] and len(full["excerpt"]) > 900

    _with_client(home, work)


def test_an_argument_that_a_tool_does_not_have_is_refused_with_what_was_meant(home: Path) -> None:
    async def work(client: Client) -> None:
        kept = await client.call_tool("forge_remember", {"content": "Keep me."})
        id_ = kept.structured_content["memory"]["id"]
        told = await _refused(client, "forge_forget", id=id_, force=True)
        assert "no argument 'force'" in told and "It takes id, conversation," in told
        assert "Did you mean project?" in await _refused(client, "forge_remember", content="x", projct="sea")
        assert "Did you mean forge_recall?" in await _refused(client, "forge_recal", query="x")
        told = await _refused(client, "forge_decisions", action="why", id="x", rationale="y")
        assert "The action why takes no rationale" in told and "id, conversation" in told
        left = await client.call_tool("forge_timeline", {})
        assert [each["id"] for each in left.structured_content["memories"]] == [id_]

    _with_client(home, work)


def test_faults_are_told_without_a_library_s_words(home: Path) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("forge_recall", {"query": ["a"], "limit": "many"}),
        ("forge_recall", {"query": "a", "mode": "then"}),
        ("forge_context", {}),
        ("forge_archive", {"conversation": "x"}),
        ("forge_timeline", {"id": "nope"}),
        ("forge_links", {"action": "create", "emotion_vector": {"joy": "much"}}),
    ]

    async def work(client: Client) -> None:
        for tool, arguments in calls:
            told = await _refused(client, tool, **arguments)
            assert told.startswith(("InvalidValue: ", "NotFound: ")), told
            assert not [
                word for word in ("http", "pydantic", "Error executing", "engramforge ") if word in told
            ]

    _with_client(home, work)


def test_projects_are_listed(home: Path) -> None:
    async def work(client: Client) -> None:
        assert "no project yet" in (await client.call_tool("forge_projects", {})).content[0].text
        for content, project in (("One.", "sea"), ("Two.", "sea"), ("Three.", "land")):
            await client.call_tool("forge_remember", {"content": content, "project": project})
        told = await client.call_tool("forge_projects", {})
        listed = {each["name"]: each["memories"] for each in told.structured_content["projects"]}
        assert listed == {"land": 1, "sea": 2}
        assert "sea: 2 memories" in told.content[0].text

    _with_client(home, work)


def test_a_prompt_that_is_not_there_is_an_error_that_names_those_that_are(home: Path) -> None:
    async def work(client: Client) -> None:
        for name, arguments, said in (
            ("continue_from_archiv", {}, "Did you mean continue_from_archive?"),
            ("compress_this_conversation", {}, "needs conversation"),
            ("compress_this_conversation", {"conversation": "c", "mod": "lossy"}, "Did you mean mode?"),
        ):
            with pytest.raises(MCPError) as caught:
                await client.get_prompt(name, arguments)
            assert caught.value.error.code == INVALID_PARAMS
            assert said in caught.value.error.message
        asked = await client.get_prompt("compress_this_conversation", {"conversation": "c"})
        assert "conversation c" in asked.messages[0].content.text

    _with_client(home, work)


def test_tools_can_be_switched_off(home: Path) -> None:
    async def main() -> None:
        async with Client(build_server(Calls(str(home), None), ("forge_links", "forge_lineage"))) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert "forge_recall" in names and not {"forge_links", "forge_lineage"} & names
            assert "There is no tool 'forge_links'" in await _refused(client, "forge_links", id="x")

    anyio.run(main)
    with pytest.raises(InvalidValue, match="Did you mean forge_links"):
        build_server(Calls(str(home), None), ("forge_link",))
    assert not home.exists()


def test_errors_are_told_in_the_tool_s_own_terms(home: Path) -> None:
    async def work(client: Client) -> None:
        for number in range(2):
            await client.call_tool(
                "forge_remember", {"content": f"Wheel {number} turns.", "project": "mill", "near": False}
            )
        seen = await client.call_tool("forge_timeline", {"project": "mill"})
        one, two = sorted(each["id"] for each in (seen.structured_content or {})["memories"])
        # What both have in common is the time at which they were made.
        beginning = one[: next(at for at, letter in enumerate(one) if letter != two[at])]
        for tool, arguments in (
            ("forge_timeline", {"id": beginning}),
            ("forge_forget", {"id": beginning}),
            ("forge_remember", {"content": "Both stand.", "revises": beginning}),
        ):
            told = await _refused(client, tool, **arguments)
            assert one in told and two in told and "Give more of the one you mean" in told
        for tool in ("forge_timeline", "forge_threads", "forge_forget"):
            told = await _refused(client, tool, project="mil")
            assert told == "NotFound: There is no project 'mil'. Did you mean 'mill'?"
        for tool in ("forge_recall", "forge_context"):
            empty = await client.call_tool(tool, {"query": "wheel", "project": "mil"})
            assert not empty.is_error and "There is no project 'mil'" in empty.content[0].text
        for limit in (1_001, 10**30, 10**400):
            told = await _refused(client, "forge_recall", query="wheel", limit=limit)
            assert told.startswith("InvalidValue: The limit is larger than 1,000. Give a whole number")
        told = await _refused(client, "forge_decisions", project="mill")
        assert "needs query. Give it with the action, or name another: search, list" in told
        assert (await _refused(client, "forge_projects", name="mill")).endswith("It takes none.")

    _with_client(home, work)


def test_a_long_hit_shows_the_passage_that_answers(home: Path) -> None:
    filler = "The pier was painted, and the ropes were coiled and hung up to dry. " * 20

    async def work(client: Client) -> None:
        await client.call_tool(
            "forge_remember", {"content": f"{filler}The ferry to the far island leaves at noon. {filler}"}
        )
        answer = await client.call_tool("forge_recall", {"query": "when does the ferry to the island leave?"})
        assert "leaves at noon" in answer.structured_content["recall"]["hits"][0]["excerpt"]
        assert "leaves at noon" in answer.content[0].text

    _with_client(home, work)
