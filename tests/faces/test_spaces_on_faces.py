"""What the command line and MCP show of spaces, surprise and calibrations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.mcp_server import serving

import engramforge
from engramforge.errors import InvalidValue
from engramforge.faces.cli.program import run
from engramforge.model.spaces import REGISTRY

CODE = "```python\ndef berth(number):\n    return number * 2\n```"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A store of 120 turns in two conversations, and a piece of code."""
    with engramforge.open(tmp_path) as forge:
        forge.remember_many(
            {
                "content": f"The sloop number {place} paid for berth {place % 7} in week {place % 13}.",
                "project": ("harbour", "garden")[place % 2],
                "session_id": f"s{place % 2}",
                "sequence": place,
                "kind": "message",
            }
            for place in range(120)
        )
        forge.remember(CODE, project="harbour", name="berths")
    return tmp_path


def code_id(home: Path) -> str:
    with engramforge.open(home) as forge:
        return next(each.id for each in forge.memories(limit=200) if each.name == "berths")


def test_show_prints_a_line_for_each_space(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", code_id(home), "--all", "--home", str(home)]) == 0
    printed = capsys.readouterr().out
    lines = {
        line.split()[0]: line for line in printed.splitlines() if line[:1] == "E" and line[1:2].isdigit()
    }
    assert list(lines) == [row.number for row in REGISTRY]
    assert "languages python; snippets 1; parsed yes" in lines["E7"]
    assert "abstains: it carries no image" in lines["E10"]
    assert "abstains: it has no place in a session" in lines["E4"]
    assert "surprise among 60 other memories of the project" in printed


def test_show_as_json_has_the_same_numbers_as_python(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory_id = code_id(home)
    assert run(["show", memory_id, "--home", str(home), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["embeddings"]
    with engramforge.open(home) as forge:
        found = forge.embeddings(memory_id)
    assert shown["memory_id"] == memory_id
    for mine, theirs in zip(found.spaces, shown["spaces"], strict=True):
        assert (mine.number, mine.encoder, mine.abstains) == (
            theirs["number"],
            theirs["encoder"],
            theirs["abstains"],
        )
        assert theirs["norm"] == mine.norm
        assert theirs["calibrations"] == dict(mine.calibrations)
        assert theirs["surprise"] == pytest.approx(mine.surprise) or mine.surprise is None


def test_calibrate_and_doctor_tell_what_is_in_use(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "--home", str(home), "--json"]) == 0
    fitted = json.loads(capsys.readouterr().out)
    assert (fitted["number"], fitted["fitted_memories"]) == (2, 121)
    assert fitted["live"]["semantic/query_to_memory"] > 200
    assert run(["calibrate", "--home", str(home)]) == 0
    assert "fitted to" in capsys.readouterr().out
    assert run(["doctor", "--home", str(home), "--json"]) == 0
    checks = {each["name"]: each for each in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["calibrations"]["state"] == "ok"
    assert "fitted to 121 memories" in checks["calibrations"]["found"]


def test_doctor_notes_a_fit_that_is_due_and_calibrate_leaves_a_small_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["remember", "The sloop paid.", "--home", str(tmp_path)]) == 0
    capsys.readouterr()
    assert run(["calibrate", "--home", str(tmp_path)]) == 0
    assert "too few to calibrate by" in capsys.readouterr().out
    with engramforge.open(tmp_path) as forge:
        for place in range(100):
            sloop = forge.remember(f"The sloop number {place} paid for its berth.")
            if place < 3:
                # So that the hundredth memory is none after which it is looked.
                forge.revise(sloop.id, f"The sloop number {place} paid twice.")
    assert run(["doctor", "--home", str(tmp_path), "--json"]) == 0
    checks = {each["name"]: each for each in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["calibrations"]["state"] == "note"
    assert checks["calibrations"]["mend"] == "engramforge calibrate fits them again"


@pytest.mark.anyio
@pytest.mark.parametrize("entity", ["Ada Lovelace", ["Charles Babbage", "Ada Lovelace"]])
async def test_mcp_asks_by_one_entity_or_several(home: Path, entity: str | list[str]) -> None:
    with engramforge.open(home) as forge:
        told = forge.remember("Ada Lovelace came to the harbour.", project="harbour").id
    with serving(home) as server:
        answer = await server.call_tool("forge_recall", {"entity": entity})
    assert answer.structured_content["recall"]["hits"][0]["memory"]["id"] == told


def test_an_unknown_language_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask = ["recall", "--code", "def berth(number): return number", "--home", str(home), "--language"]
    assert run([*ask, "klingon"]) == InvalidValue.exit_code
    said = capsys.readouterr().err
    assert "'klingon'" in said
    assert "python, javascript, typescript" in said
    for known in ("python", "Py", ".py", "c++"):
        assert run([*ask, known]) == 0


@pytest.mark.anyio
async def test_mcp_shows_spaces_where_they_are_asked_for(home: Path) -> None:
    memory_id = code_id(home)
    with serving(home) as server:
        plain = await server.call_tool("forge_timeline", {"id": memory_id})
        assert "embeddings" not in plain.structured_content
        answer = await server.call_tool("forge_timeline", {"id": memory_id, "embeddings": True})
    spaces = answer.structured_content["embeddings"]["spaces"]
    assert [each["number"] for each in spaces] == [row.number for row in REGISTRY]
    assert "E10 multimodal: abstains, it carries no image" in answer.content[0].text
