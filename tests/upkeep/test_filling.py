"""Stores of before: what older memories lack is filled, once, online, and without touching what is there."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.upkeep.conftest import Command

from engramforge.assembly import open_forge
from engramforge.forge import Forge
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.upkeep import backfilling as filling
from engramforge.upkeep.backfilling import UNFILLED_MARK

SCOPE = Scope(every_agent=True)
TEXTS = (
    "The mill stopped because the river froze over.",
    "Ada Lovelace met Charles Babbage in London.",
    "```python\ndef grind(corn):\n    return corn.flour()\n```",
    "Plain words about bread.",
    "Hm.",
)
OLD = 60


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Forge]]:
    """Opens the store with settings; closes it at the end."""
    place = {"ENGRAMFORGE_HOME": str(tmp_path / "home")}
    if request.param == "postgres":
        place["ENGRAMFORGE_URL"] = request.getfixturevalue("postgres_url")
    forges: list[Forge] = []

    def open_with(**settings: str) -> Forge:
        own = {f"ENGRAMFORGE_{name.upper()}": value for name, value in settings.items()}
        forges.append(open_forge(None, environment={**place, **own}))
        return forges[-1]

    yield open_with
    for forge in forges:
        forge.close()


def fill(forge: Forge, count: int, first: int = 0) -> None:
    forge.remember_many(
        {"content": f"{TEXTS[at % len(TEXTS)]} ({at})", "project": "p"} for at in range(first, first + count)
    )


def everything(forge: Forge) -> dict[str, object]:
    """Content -> spaces and names that the store has of it, with the bytes of the parts."""
    door = forge._stages.door
    rows: list[tuple[int, Memory]] = door.tending(SCOPE).unencoded(Space.CAUSAL, "nobody", 10_000)
    held = door.asking(SCOPE).signals(np.array([at for at, _ in rows], np.int64)).embeddings
    return {
        memory.content: (
            {space: (part.encoder, part.values.tobytes()) for space, part in held[at].parts.items()},
            held[at].entities,
        )
        for at, memory in rows
    }


def age(forge: Forge) -> None:
    """Take away what only newer memories have, as in a store of the schema before."""
    door = forge._stages.door
    at = np.array([at for at, _ in door.tending(SCOPE).unencoded(Space.CAUSAL, "nobody", 10_000)], np.int64)

    def work(writing: object) -> None:
        for space, encoder in forge._stages.encoder.static_parts.items():
            writing.drop_encoder(space, encoder.id)  # type: ignore[attr-defined]
        writing.place_mentions(at, [()] * len(at))  # type: ignore[attr-defined]
        writing.save_mark(UNFILLED_MARK, {"upto": int(at[-1]), "left": len(at)})  # type: ignore[attr-defined]

    door.write(SCOPE, work)


def test_older_memories_become_as_newer_ones(opened: Callable[..., Forge]) -> None:
    forge = opened()
    fill(forge, OLD)
    fresh = everything(forge)
    assert forge.unfilled() is None
    age(forge)
    fill(forge, 10, OLD)
    newer = {name: item for name, item in everything(forge).items() if name not in fresh}
    lacking = forge.unfilled()
    assert lacking is not None
    assert lacking.memories == OLD
    assert set(lacking.spaces) == {
        Space.CAUSAL,
        Space.CODE,
        Space.HYPERDIMENSIONAL,
        Space.MULTIMODAL,
        Space.ENTITY,
    }
    estimates = [
        (estimate.space, estimate.source, estimate.memories) for estimate in forge.estimate_reembed()
    ]
    assert sorted(estimates) == sorted((space, "nothing", OLD) for space in lacking.spaces)
    to_move = opened(encoder_causal="openai:small").estimate_reembed()
    assert [(item.source, item.memories) for item in to_move if item.space is Space.CAUSAL] == [
        ("static", OLD + 10)
    ]
    reports = {estimate.space: estimate for estimate in forge.reembed()}
    assert reports[Space.CAUSAL].embedded == reports[Space.CODE].embedded == OLD // len(TEXTS)
    assert reports[Space.CAUSAL].source == "nothing"
    assert Space.MULTIMODAL not in reports
    assert everything(forge) == {**fresh, **newer}
    assert forge.unfilled() is None
    assert forge.reembed() == []
    assert forge.check() == []
    (match,) = (
        match
        for hit in forge.recall("Why did the mill stop?", project="p", limit=1).hits
        for match in hit.matches
        if match.space is Space.CAUSAL
    )
    assert match.raw > 0.5


def test_a_filling_that_was_stopped_goes_on(
    opened: Callable[..., Forge], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "BATCH", 8)
    forge = opened()
    fill(forge, OLD)
    fresh = everything(forge)
    age(forge)

    def stop(_: str, done: int, total: int) -> None:
        if done == 24:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        forge.reembed(progress=stop)
    assert forge.recall("Why did the mill stop?", project="p").hits
    lacking = forge.unfilled()
    assert lacking is not None
    assert lacking.memories == OLD - 24
    told: list[tuple[int, int]] = []
    reports = forge.reembed(progress=lambda _, done, total: told.append((done, total)))
    assert all(report.resumed for report in reports)
    assert told[-1] == (OLD - 24, OLD - 24)
    assert everything(forge) == fresh


def test_moved_positions_begin_anew(opened: Callable[..., Forge]) -> None:
    """A mark of another store's positions must not make a filling pass over memories."""
    forge = opened()
    fill(forge, 20)
    fresh = everything(forge)
    age(forge)
    mark = forge._stages.door.asking(SCOPE).mark(UNFILLED_MARK)
    assert mark is not None
    wrong = {**mark, "after": int(mark["upto"]) - 2, "id": "0" * 32}
    forge._stages.door.write(SCOPE, lambda writing: writing.save_mark(UNFILLED_MARK, wrong))
    forge.reembed()
    assert everything(forge) == fresh


def test_one_space_alone_fills_nothing(opened: Callable[..., Forge]) -> None:
    forge = opened()
    fill(forge, 5)
    age(forge)
    assert forge.reembed("causal", "static") == []
    assert forge.unfilled() is not None


@pytest.fixture
def old_home(tmp_path: Path) -> Path:
    """A home that the version with schema 0002 wrote."""
    connection = sqlite3.connect(tmp_path / "memory.db")
    connection.executescript((Path(__file__).parents[1] / "store" / "store_0002.sql").read_text())
    connection.close()
    return tmp_path


def test_doctor_says_what_an_older_store_lacks(old_home: Path, command: Command) -> None:
    def said(*arguments: str) -> str:
        run = command(*arguments, ENGRAMFORGE_HOME=str(old_home))
        assert run.returncode == 0, run.stderr
        return run.stdout

    assert ": 7 memories" in said("doctor")
    assert {space["memories"] for space in json.loads(said("reembed", "--dry-run", "--json"))["spaces"]} == {
        7
    }
    assert "Filled hyperdimensional" in said("reembed")
    assert "since older than that" not in said("doctor")
    assert "Nothing is left" in said("reembed")


def test_a_fresh_store_lacks_nothing(tmp_path: Path) -> None:
    with open_forge(tmp_path, environment={}) as forge:
        assert forge.unfilled() is None
        fill(forge, 3)
        assert forge.unfilled() is None
