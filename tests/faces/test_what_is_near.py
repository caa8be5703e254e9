"""A write tells through every face what was there already, for little, and not where it is asked not to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
from tests.mcp_server import client_of

from .conftest import Cli

BEFORE = "We deploy on Fridays after the smoke tests pass."
AGAIN = "Deployments happen on Friday once the smoke tests are green."
AGAINST = "We never deploy on Fridays after the smoke tests pass."


def test_the_command_line_tells_what_is_near(cli: Cli) -> None:
    there = cli("remember", BEFORE, "--json").json["memory"]["id"]
    told = cli("remember", AGAIN).out.splitlines()
    assert told[1].startswith(f"Near to {there} (0.") and told[1].endswith(f": {BEFORE}")
    against = cli("remember", AGAINST, "--json").json["near"]
    assert against[0]["id"] == there and against[0]["contradicts"] == "one negates what the other says"
    assert cli("remember", AGAIN + " Always.", "--no-near").out.count("\n") == 1
    assert cli("remember", AGAIN + " Really.", "--no-near", "--json").json["near"] == []


def test_a_model_is_told_what_to_revise(home: Path) -> None:
    async def asked() -> None:
        async with client_of(home) as client:

            async def remember(content: str, **fields: Any) -> tuple[str, dict[str, Any]]:
                answer = await client.call_tool("forge_remember", {"content": content, **fields})
                assert not answer.is_error, answer.content
                return answer.content[0].text, answer.structured_content

            _, first = await remember(BEFORE)
            text, again = await remember(AGAIN)
            there = first["memory"]["id"]
            assert [each["id"] for each in again["near"]] == [there]
            assert f'\nNear to {there}: "{BEFORE}"' in text
            text, against = await remember(AGAINST)
            assert f"\nContradicts (one negates what the other says) {there}:" in text
            assert len(json.dumps(against["near"])) < 1_000
            text, revised = await remember("We deploy on Thursdays.", revises=there)
            assert "Near" not in text and revised["near"] == []
            _, quiet = await remember(AGAIN + " Always.", near=False)
            assert quiet["near"] == []

    anyio.run(asked)
