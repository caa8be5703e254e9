"""Every face says where a hit is from: file and heading, or conversation and time; and what is one with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge

from .conftest import Cli

FILE = "hours.md"
ASKED = "when does the harbour close in winter?"


@pytest.fixture
def filled(cli: Cli, tmp_path: Path) -> str:
    """A folder of Markdown, a conversation and a plain note; the file's path."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / FILE).write_text(
        "# Harbour\n\n## Winter\n\nIn winter the harbour closes at five.\n", encoding="utf-8"
    )
    cli("import", str(folder), "--project", "sea")
    cli(
        *(
            "remember",
            "In winter the harbour closes late, Ida says.",
            "--kind",
            "message",
            "--session",
            "talk-7",
        ),
        *("--sequence", "1", "--valid-at", "2026-01-05T08:30:00Z", "--project", "sea"),
    )
    cli(
        "remember",
        "The harbour office closes in winter.",
        "--valid-at",
        "2026-01-06T00:00:00Z",
        "--project",
        "sea",
    )
    return str(folder / FILE)


def _said(text: str, file: str) -> bool:
    """Whether a text names the file with its heading, the conversation with its time, and the note's time."""
    flat = " ".join(text.split())
    return all(each in flat for each in (file, "Harbour", "talk-7", "2026-01-05", "08:30", "2026-01-06"))


@pytest.mark.usefixtures("filled")
def test_python_and_the_command_line_say_where(cli: Cli, home: Path) -> None:
    with engramforge.open(home) as forge:
        where = {hit.where for hit in forge.recall(ASKED)}
    assert where == {f"{FILE}, Harbour", "talk-7, 2026-01-05 08:30", "2026-01-06 00:00"}
    assert {hit["memory"]["where"] for hit in cli("recall", ASKED, "--json").json["hits"]} == where
    assert {each["where"] for each in cli("list", "--json").json["memories"]} == where
    listed = cli("list", "--json").json["memories"]
    shown = "".join(cli("show", each["id"]).out for each in listed)
    for text in (cli("recall", ASKED).out, cli("context", ASKED).out, shown):
        assert _said(text, FILE), text
    assert _said(cli("list").out.replace("# Harbour", "Harbour"), FILE)


@pytest.mark.usefixtures("filled")
def test_a_model_is_told_where(home: Path) -> None:
    async def asked() -> None:
        async with client_of(home) as client:
            recalled = await client.call_tool("forge_recall", {"query": ASKED})
            context = await client.call_tool("forge_context", {"query": ASKED})
        hits: list[dict[str, Any]] = recalled.structured_content["recall"]["hits"]
        for text in (recalled.content[0].text, context.content[0].text, str(hits)):
            assert _said(text.replace("T08:30", " 08:30"), FILE), text

    anyio.run(asked)


def test_what_is_one_hit_names_the_other(cli: Cli, home: Path) -> None:
    words = "We decided to grease the slew bearing with calcium soap."
    cli("remember", words, "--kind", "message", "--session", "s1")
    (hit,) = cli("recall", "what grease for the slew bearing?", "--json").json["hits"]
    (joined,) = hit["joined"]
    assert ("dec_" in joined) is (hit["memory"]["kind"] == "message") and "(s1, " in joined
    assert f"same as  {joined}" in cli("recall", "what grease for the slew bearing?").out

    async def asked() -> None:
        async with client_of(home) as client:
            answer = await client.call_tool("forge_recall", {"query": "what grease for the slew bearing?"})
        assert joined in answer.content[0].text
        assert answer.structured_content["recall"]["hits"][0]["joined"] == [joined]

    anyio.run(asked)


def test_a_context_is_empty_where_nothing_is_relevant(cli: Cli, home: Path, filled: str) -> None:
    question = "quantum chromodynamics lattice gauge"
    assert not any(hit["relevant"] for hit in cli("recall", question, "--json").json["hits"])
    assert cli("context", question).out.startswith("Nothing")
    assert cli("context", question, "--text").out == "Nothing relevant was found.\n"

    async def asked() -> None:
        async with client_of(home) as client:
            answer = await client.call_tool("forge_context", {"query": question})
        assert answer.content[0].text.startswith("Context: nothing relevant was found")
        assert not answer.structured_content["context"]["memory_ids"]

    anyio.run(asked)
