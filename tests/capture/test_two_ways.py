"""Prompts that come by two ways, a transcript and a history: forgotten in either order."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.capture.test_prompt_history import OTHER, SESSION, said, typed, write

import engramforge
from engramforge.capture.formats import claude_code
from engramforge.core.checks.draft_from_mapping import DRAFT_FIELDS
from engramforge.errors import InvalidValue
from engramforge.forge import Forge
from engramforge.model.memory import Draft

CODEX = "0197-codex"
NUMBERS = count()


@pytest.fixture
def opened(place: str) -> Iterator[Forge]:
    """One store; each test is an agent of its own in it."""
    with engramforge.open(place, agent=f"agent {next(NUMBERS)}") as forge:
        yield forge


def codex(*texts: str) -> list[dict[str, Any]]:
    def record(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload}

    said = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": t}]} for t in texts
    ]
    meta = record("session_meta", {"id": CODEX, "cwd": "/home/ann/code/orchard"})
    return [meta, *(record("response_item", message) for message in said)]


@pytest.fixture
def ways(tmp_path: Path) -> dict[str, Path]:
    """Two transcripts and the histories of both products; each has what the other lacks."""
    claude, agent = tmp_path / "claude", tmp_path / "codex"
    write(
        claude / "history.jsonl",
        typed("plant the\n beans", 1),
        typed("ok", 2),
        typed("only typed", 3),
        typed("ok", 4, OTHER),
    )
    write(
        claude / "projects" / "-home-ann-code-garden" / f"{SESSION}.jsonl",
        said("plant the beans", 1),
        said("ok", 2),
        said("ok", 3),
        said("only said", 4),
    )
    lines = ("prune the trees", "go on", "go on")
    history = [{"session_id": CODEX, "ts": 1_767_225_600 + n, "text": text} for n, text in enumerate(lines)]
    write(agent / "history.jsonl", *history)
    write(agent / "sessions" / "rollout-1.jsonl", *codex("prune the trees", "go on"))
    return {
        "transcript": claude / "projects",
        "history": claude / "history.jsonl",
        "codex transcript": agent / "sessions",
        "codex history": agent / "history.jsonl",
    }


ALL = ["go on", "go on", "ok", "ok", "ok", "only said", "only typed", "plant the beans", "prune the trees"]
ORDERS = {
    "transcript first": ["transcript", "history", "codex transcript", "codex history"],
    "history first": ["codex history", "history", "codex transcript", "transcript"],
}


def texts(forge: Forge) -> list[str]:
    return sorted(" ".join(memory.content.split()) for memory in forge.memories(limit=100))


@pytest.mark.each_engine
@pytest.mark.parametrize("order", ORDERS)
def test_what_was_forgotten_comes_back_by_neither_way(
    opened: Forge, ways: dict[str, Path], order: str
) -> None:
    for name in ORDERS[order]:
        opened.import_path(ways[name])
    assert texts(opened) == ALL
    for name in reversed(ORDERS[order]):
        assert opened.import_path(ways[name]).written == 0
    for memory in opened.memories(limit=100):
        if " ".join(memory.content.split()) in ("plant the beans", "prune the trees", "go on"):
            opened.forget(memory.id)
    left = texts(opened)
    assert left == ["ok", "ok", "ok", "only said", "only typed"]
    for names in (ORDERS["history first"], ORDERS["transcript first"]):
        for name in names:
            path = ways[name]
            # The same records in other files, so that no mark says that they are in.
            copy = path.with_name(f"{path.name}-{names[0]}".replace(".jsonl", "") + path.suffix)
            path.rename(copy)
            report = opened.import_path(copy)
            assert report.written == 0 and not report.faults
            copy.rename(path)
    assert texts(opened) == left


def test_what_was_forgotten_before_the_other_way_came(opened: Forge, ways: dict[str, Path]) -> None:
    opened.import_path(ways["history"])
    opened.import_path(ways["codex transcript"])
    for memory in opened.memories(limit=100):
        opened.forget(memory.id)
    opened.import_path(ways["transcript"])
    opened.import_path(ways["codex history"])
    # The second "ok" and the second "go on" are known to one of the ways alone.
    assert texts(opened) == ["go on", "ok", "only said"]


@pytest.mark.each_engine
def test_another_project_and_an_undo(opened: Forge, ways: dict[str, Path]) -> None:
    assert opened.import_path(ways["history"], project="notes").written == 4
    # A history has no project of its own: its prompts are the same, whatever project they are in.
    assert opened.import_path(ways["transcript"], project="elsewhere").written == 2
    opened.undo()
    assert opened.import_path(ways["transcript"], project="third").written == 2


def test_a_compaction_does_not_bring_back(opened: Forge, tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-home-ann-code-garden"
    answer = said("Beans are in.", 2) | {"type": "assistant"}
    answer["message"] = {"role": "assistant", "content": "Beans are in."}
    write(folder / f"{SESSION}.jsonl", said("plant the beans", 1), answer)
    assert opened.import_path(tmp_path).written == 2
    for memory in opened.memories(limit=9):
        opened.forget(memory.id)
    copies = [
        item | {"isSidechain": True, "agentId": "acompact-1"}
        for item in (said("plant the beans", 30), answer)
    ]
    copies[1]["uuid"] = "00000000-0000-4000-8000-000000000031"
    write(folder / SESSION / "subagents" / "agent-acompact-1.jsonl", *copies, said("a new one", 32))
    assert opened.import_path(tmp_path).written == 1
    assert texts(opened) == ["a new one"]


def test_a_transcript_that_came_before_further_origins_learns_them(
    opened: Forge, ways: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = next(ways["transcript"].rglob("*.jsonl"))
    with monkeypatch.context() as patched:
        patched.setattr(claude_code, "_known_also", lambda _reading, draft, *_: draft)
        opened.import_path(ways["transcript"])
    assert opened.import_path(ways["history"]).written == 2
    # Read again, since it grew: from then on what is forgotten stays so.
    file.write_text(file.read_text() + json.dumps(said("more", 9)) + "\n")
    assert opened.import_path(ways["transcript"]).written == 1
    beans = next(memory for memory in opened.memories(limit=100) if memory.content == "plant the beans")
    opened.forget(beans.id)
    ways["history"].write_text(ways["history"].read_text() + "\n")
    assert opened.import_path(ways["history"]).written == 0


def test_further_origins_are_the_importers_own(opened: Forge) -> None:
    assert not {"also_origins", "same_as"} & set(DRAFT_FIELDS)
    with pytest.raises(InvalidValue):
        opened.remember("A note.", also_origins=("x",))
    pair = [Draft(content=text, also_origins=("x",), same_as=("x",)) for text in ("One.", "Two.")]
    opened.remember_many(pair)
    assert texts(opened) == ["One.", "Two."]
