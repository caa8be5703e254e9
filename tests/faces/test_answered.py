"""A question that nothing answers is told so first, with at most two of the nearest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.mcp_server import client_of

import engramforge

from .conftest import Cli

NOTES = (
    "The ferry to Hvar leaves at 7:40 on weekdays.",
    "The kitchen paint is RAL 9010.",
    "Backups run at three in the morning on the NAS.",
    "Anna is allergic to peanuts.",
    "Anna moved to Graz in spring and works at the library there.",
    "Rent is 1,240 euros, due on the third of each month.",
    "We keep the spare key under the third flower pot.",
)


@pytest.fixture
def told(cli: Cli) -> Cli:
    for note in NOTES:
        cli("remember", note)
    return cli


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("when does the ferry leave?", NOTES[0]),
        ("which colour is the kitchen?", NOTES[1]),
        ("when do the backups run", NOTES[2]),
        ("where is the spare key", NOTES[6]),
    ],
)
def test_what_is_there_is_answered(told: Cli, question: str, answer: str) -> None:
    found = told("recall", question, "--json").json
    assert found["answered"] and found["hits"][0]["relevant"]
    assert found["hits"][0]["excerpt"] == answer
    assert "Nothing" not in told("recall", question).out


@pytest.mark.parametrize(
    "question",
    ["which university did Anna attend?", "when is the concert?", "what does the third tenant owe?"],
)
def test_what_is_not_there_is_told_first(told: Cli, question: str) -> None:
    found = told("recall", question, "--json").json
    assert not found["answered"]
    assert len(found["hits"]) <= 2 and not any(hit["relevant"] for hit in found["hits"])
    out = told("recall", question).out
    assert out.startswith("Nothing")
    if found["hits"]:
        assert out.startswith(f"Nothing among {len(NOTES)} memories answers this. What comes nearest:\n")
    assert told("context", question).out.startswith("Nothing")
    assert told("context", question, "--text").out.strip() == "Nothing relevant was found."


def test_a_model_is_told_first(home: Path, told: Cli) -> None:
    assert told

    async def asked() -> None:
        async with client_of(home) as client:

            async def ask(query: str) -> tuple[str, dict[str, Any]]:
                answer = await client.call_tool("forge_recall", {"query": query})
                assert not answer.is_error, answer.content
                return answer.content[0].text, answer.structured_content

            text, known = await ask("when does the ferry leave?")
            assert known["recall"]["answered"] and text.startswith("1 hit")
            text, unknown = await ask("which university did Anna attend?")
            assert not unknown["recall"]["answered"] and len(unknown["recall"]["hits"]) == 2
            assert text.startswith(f"Nothing among {len(NOTES)} memories answers this; what comes nearest.")

    anyio.run(asked)


def test_in_python(tmp_path: Path) -> None:
    with engramforge.open(f"sqlite:///{tmp_path / 'memory.db'}") as em:
        for note in NOTES:
            em.remember(note)
        assert em.recall("where is the spare key").answered
        nothing = em.recall("which university did Anna attend?")
        assert not nothing.answered and nothing.hits
        assert not em.recall("quantum chromodynamics lecture").answered


def test_a_word_of_the_language_is_no_typing_error(tmp_path: Path) -> None:
    with engramforge.open(f"sqlite:///{tmp_path / 'memory.db'}") as em:
        em.remember("The coffee was brewed too long and tasted bitter.")
        assert not em.recall("what breed is the dog?").answered
        assert em.recall("how was the cofee brewed?").answered
