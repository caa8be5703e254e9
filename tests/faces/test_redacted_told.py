"""Every write that takes texts says how many secrets it replaced: in Python, on the command line and over MCP."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge
from engramforge.forge import Forge

from .conftest import Cli

KEY = "glpat-Zt8Rb1Vn5qQ7xLw3mK9f"
FELT = {"energy": 0.5, "confidence": 0.5, "emotion_vector": {}, "goal": f"hide {KEY}", "mindstate": KEY}
FLAGS = (
    "--energy",
    "0.5",
    "--confidence",
    "0.5",
    "--emotion",
    "none",
    "--goal",
    f"hide {KEY}",
    "--mindstate",
    KEY,
)


@pytest.fixture
def ids(home: Path) -> dict[str, str]:
    """Names of what a store holds."""
    with engramforge.open(home) as forge:
        decisions = [forge.decisions.create(f"Moor at pier {number}").id for number in range(2)]
        thread = forge.threads.create("Who moors it?").id
        memories = [forge.remember(text).id for text in ("The ferry is late.", "The pier is wet.")]
    return dict(zip(("d0", "d1", "t", "m0", "m1"), (*decisions, thread, *memories), strict=True))


def _waiting(forge: Forge) -> str:
    forge.remember("Bob: we decided to tar the hull.")
    return forge.review.pending()[0].id


CALLS: list[tuple[int, Callable[[Forge, dict[str, str]], Any]]] = [
    (2, lambda forge, ids: forge.decisions.create(f"Use {KEY}", rationale=f"it is {KEY}")),
    (1, lambda forge, ids: forge.decisions.revise(ids["d0"], f"Use {KEY}")),
    (
        3,
        lambda forge, ids: forge.decisions.supersede(
            ids["d0"], f"Use {KEY}", tags=[KEY], alternatives_rejected=[KEY]
        ),
    ),
    (1, lambda forge, ids: forge.threads.create(f"Rotate {KEY}")),
    (2, lambda forge, ids: forge.threads.create(f"Rotate {KEY}", f"Soon: {KEY}")),
    (1, lambda forge, ids: forge.threads.update(ids["t"], status="resolved", resolution=KEY)),
    (2, lambda forge, ids: forge.lineage.link("a", "b", tag=f"with {KEY}", bridge_summary=KEY)),
    (1, lambda forge, ids: forge.invalidate(ids["m0"], reason=f"it was {KEY}")),
    (1, lambda forge, ids: forge.decisions.invalidate(ids["d0"], reason=f"it was {KEY}")),
    (1, lambda forge, ids: forge.review.edit(_waiting(forge), text=f"Use {KEY}")),
    (3, lambda forge, ids: forge.link(ids["m0"], ids["m1"], "CAUSES", note=KEY, **FELT)),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_python(home: Path, ids: dict[str, str], number: int) -> None:
    redacted, call = CALLS[number]
    with engramforge.open(home) as forge:
        assert call(forge, ids).redacted == redacted
        for found in (*forge.decisions.browse(), *forge.threads.browse(), *forge.lineage.browse()):
            assert found.redacted == 0


def test_a_write_without_a_secret_says_none(home: Path, ids: dict[str, str]) -> None:
    with engramforge.open(home) as forge:
        assert forge.decisions.create("Use the buoy").redacted == 0
        assert forge.decisions.supersede(ids["d0"], by=ids["d1"]).redacted == 0
        assert forge.decisions.reinstate(ids["d0"]).redacted == 0


COMMANDS = [
    (1, ("remember", f"Use {KEY}")),
    (1, ("revise", "m0", f"Use {KEY}")),
    (1, ("supersede", "m0", f"Use {KEY}")),
    (1, ("invalidate", "m0", "--reason", KEY)),
    (1, ("decisions", "invalidate", "d0", "--reason", KEY)),
    (2, ("decisions", "create", f"Use {KEY}", "--rationale", KEY)),
    (1, ("decisions", "revise", "d0", f"Use {KEY}")),
    (1, ("decisions", "supersede", "d0", f"Use {KEY}")),
    (1, ("threads", "create", f"Rotate {KEY}")),
    (1, ("threads", "resolve", "t", f"with {KEY}")),
    (1, ("lineage", "link", "a", "b", "--summary", KEY)),
    (2, ("link", "m0", "CAUSES", "m1", *FLAGS)),
]


@pytest.mark.parametrize("number", range(len(COMMANDS)))
@pytest.mark.parametrize("is_json", [False, True])
def test_command_line(cli: Cli, ids: dict[str, str], number: int, is_json: bool) -> None:
    redacted, words = COMMANDS[number]
    words = tuple(ids.get(word, word) for word in words)
    if is_json:
        assert cli(*words, "--json").json["redacted"] == redacted
    else:
        told = "1 secret was replaced." if redacted == 1 else f"{redacted} secrets were replaced."
        assert told in " ".join(cli(*words).out.split())


TOOLS: list[tuple[int, str, dict[str, Any]]] = [
    (2, "forge_decisions", {"action": "create", "decision": f"Use {KEY}", "rationale": KEY}),
    (1, "forge_decisions", {"action": "revise", "id": "d0", "decision": f"Use {KEY}"}),
    (1, "forge_decisions", {"action": "supersede", "id": "d0", "decision": f"Use {KEY}"}),
    (1, "forge_threads", {"action": "create", "title": f"Rotate {KEY}"}),
    (1, "forge_threads", {"action": "update", "id": "t", "status": "resolved", "resolution": KEY}),
    (1, "forge_lineage", {"action": "link", "source": "a", "target": "b", "bridge_summary": KEY}),
    (2, "forge_links", {"action": "create", "id": "m0", "target_id": "m1", "relation": "CAUSES", **FELT}),
]


def test_tools(home: Path, ids: dict[str, str]) -> None:
    async def every() -> None:
        async with client_of(home) as client:
            for redacted, tool, given in TOOLS:
                if given["action"] == "supersede":
                    with engramforge.open(home) as forge:
                        given = {**given, "id": forge.decisions.create("Another").id}
                answer = await client.call_tool(
                    tool, {name: ids.get(str(each), each) for name, each in given.items()}
                )
                said = "".join(part.text for part in answer.content if part.type == "text")
                assert f"{redacted} secret" in said.partition("\n")[0], said
                found = answer.structured_content or json.loads(said)
                entries = [
                    found,
                    *(
                        each
                        for kind in found.values()
                        if isinstance(kind, list)
                        for each in kind
                        if isinstance(each, dict)
                    ),
                ]
                assert redacted in [each.get("redacted") for each in entries], found

    anyio.run(every)
