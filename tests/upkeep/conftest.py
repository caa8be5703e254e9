"""Stores with everything in them that a store can hold, a long and a short one, each made once; each test gets a copy.

The long one takes several portions to move or to export. The short one is for tests where that makes no difference.
"""

from __future__ import annotations

import io
import json
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

import engramforge
from engramforge.entry.console import COMMANDS
from engramforge.faces.cli.program import run
from engramforge.forge import Forge
from engramforge.model.memory import Attachment, Draft, Kind
from engramforge.model.scope import Level
from engramforge.model.time import to_micros

LINES = 1_000
"""Turns of the long store: with its notes more than one portion."""
FEW_LINES = 120
"""Turns of the short store: enough for calibrations of its own."""
SINCE = datetime(2025, 1, 1, tzinfo=UTC)
FELT = {
    "energy": 0.7,
    "confidence": 0.6,
    "emotion_vector": {"joy": 0.4, "awe": 0.1},
    "goal": "ship",
    "mindstate": "calm",
}
_WORDS = [
    "harbour",
    "lantern",
    "meadow",
    "orchard",
    "kettle",
    "saddle",
    "pebble",
    "violet",
    "copper",
    "willow",
]
Completed = subprocess.CompletedProcess[str]
Command = Callable[..., Completed]


@dataclass(frozen=True)
class Rich:
    """A home folder with a full store, the file and folder that were imported, and a content that was forgotten."""

    home: Path
    lines: Path
    vault: Path
    forgotten: str


def exported(place: str | Path) -> bytes:
    """The export of a store."""
    with engramforge.open(place) as forge:
        stream = io.BytesIO()
        report = forge.export(stream)
    assert report.size_bytes == len(stream.getvalue())
    return stream.getvalue()


def count_uses(home: Path) -> None:
    """Count an access and an exposure of a few memories."""
    with closing(sqlite3.connect(home / "memory.db")) as connection, connection:
        connection.execute(
            "UPDATE memory SET access_count = access_count + 1, exposure_count = exposure_count + 1,"
            " last_accessed_at = ? WHERE seq <= 3",
            (to_micros(SINCE),),
        )


def _sources(folder: Path, rng: random.Random, count: int) -> tuple[Path, Path]:
    lines, vault = folder / "turns.jsonl", folder / "vault"
    with lines.open("w", encoding="utf-8") as file:
        for number in range(count):
            said = " ".join(rng.choices(_WORDS, k=7)).capitalize() + f", number {number}."
            turn = {
                "content": said,
                "project": "turns",
                "session_id": f"s{number % 40}",
                "sequence": number // 40,
            }
            turn |= {"speaker": ("Ana", "Bo")[number % 2], "valid_at": f"2025-0{number % 9 + 1}-03T09:00:00Z"}
            file.write(json.dumps(turn) + "\n")
    vault.mkdir()
    for number in range(5):
        text = "\n\n".join(f"## Part {part}\n\n{' '.join(rng.choices(_WORDS, k=120))}" for part in range(3))
        (vault / f"note-{number}.md").write_text(f"# Note {number}\n\n{text}\n", encoding="utf-8")
    return lines, vault


def _fill_registries(forge: Forge) -> None:
    """Entries with everything that they can have: versions, ends, links, counters, conversations."""
    facts = {"project": "registries", "conversation": "first talk"}
    bricks = forge.decisions.create("Build in brick", local_id="D001", rationale="It lasts.", **facts)
    forge.decisions.create("Order bricks", dependencies=bricks.id, alternatives_rejected=["straw"], **facts)
    straw = forge.decisions.create("Build in straw", tier=0.2, recorded_at=SINCE, **facts)
    forge.decisions.supersede(straw.id, "Build in stone", conversation="second talk")
    forge.decisions.revise(bricks.id, "Build in red brick", conversation="second talk")
    forge.decisions.validate(bricks.id, conversation="third talk")
    first = forge.threads.create("Where is clay?", "Up the river?", priority="high", local_id="T001", **facts)
    forge.threads.create("Fire the bricks", blocked_by=first.id, tags=["fire"], **facts)
    forge.threads.update(first.id, status="resolved", resolution="Up the river.", conversation="second talk")
    edge = forge.lineage.link(
        "first talk",
        tag="BRICKS",
        decisions_carried=bricks.id,
        threads_carried=first.id,
        project="registries",
    )
    forge.lineage.link(
        "first talk", "second talk", tag="STRAW", turn_range=(1, 9), local_ids={edge.id: "L001"}
    )
    starts = {"hook_event_name": "SessionStart", "session_id": "fourth talk", "source": "startup"}
    injected = forge.injections.for_event({**starts, "project": "registries"})
    assert injected is not None
    forge.injections.feedback(injected.id, useful=True, note="It was the clay.")


def _made(folder: Path, count: int) -> Rich:
    """A store with everything in it, and this many turns."""
    rng = random.Random(5)
    lines, vault = _sources(folder, rng, count)
    gone = json.loads(lines.read_text(encoding="utf-8").splitlines()[17])["content"]
    home = folder / "home"
    with engramforge.open(home) as forge:
        forge.import_path(lines)
        forge.import_path(vault, project="vault")
        drafts = [
            Draft(content=f"Note {number} about {rng.choice(_WORDS)}.", project="notes", valid_at=SINCE)
            for number in range(20)
        ]
        notes = forge.remember_many(drafts)
        picture = (Attachment("map.png", "image/png", 1200, "maps/map.png", "a map"),)
        whole = forge.remember(
            "We chose bucket B on 2025-03-04. \u2028 Ünïcode and 🙂.",
            project="notes",
            kind=Kind.DECISION,
            name="bucket",
            tags=("z", "a", "z"),
            attachments=picture,
            metadata={"b": [1, None, {"c": 1.5}], "a": True},
            emotion_vector={"pride": 0.9, "awe": 0.2},
            felt_quality="crisp",
            goal="order",
            valid_at="2025-03-04T10:00:00Z",
        )
        forge.remember("!!!", project="notes")
        forge.revise(notes[0].logical_id, "Note 0, corrected.")
        forge.supersede(notes[1].logical_id, "Note 1 of now.", at="2026-01-01T00:00:00Z")
        forge.supersede(notes[1].logical_id, "Note 1 of later.")
        forge.invalidate(notes[2].logical_id, reason="over")
        forge.revise(notes[3].logical_id, "Note 3, hasty.")
        forge.undo()
        linked = forge.link(
            whole.logical_id, notes[4].logical_id, "CAUSES", **FELT, odd={"kept": [1, 2]}
        ).link
        forge.link(
            notes[4].logical_id, notes[5].logical_id, "ENABLES", **FELT, sensory_details={"sound": "rain"}
        )
        forge.unlink(linked.id, reason="wrong")
        forge.remember("Everybody may know.", project="notes", level=Level.COLLECTIVE)
        forge.create_project("empty")
        (of_gone,) = [m for m in forge.memories(session_id="s17", limit=100) if m.content == gone]
        forge.forget(of_gone.logical_id)
        forge.forget(notes[6].logical_id)
        _fill_registries(forge)
        forge.revise(notes[8].logical_id, "Note 8, the last change.")
    with engramforge.open(home, agent="bo") as forge:
        forge.remember("Only Bo knows.", project="notes")
        forge.remember("Note 7 about the same.", project="notes")
    count_uses(home)
    return Rich(home, lines, vault, gone)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Rich:
    """The long store that copies are made of."""
    return _made(tmp_path_factory.mktemp("rich"), LINES)


@pytest.fixture(scope="session")
def made_short(tmp_path_factory: pytest.TempPathFactory) -> Rich:
    """The short store that copies are made of."""
    return _made(tmp_path_factory.mktemp("brief"), FEW_LINES)


@pytest.fixture
def rich(made_once: Rich, tmp_path: Path) -> Rich:
    """A copy of the long store."""
    return _copy(made_once, tmp_path)


@pytest.fixture
def brief(made_short: Rich, tmp_path: Path) -> Rich:
    """A copy of the short store."""
    return _copy(made_short, tmp_path)


def _copy(made: Rich, folder: Path) -> Rich:
    home = folder / "rich"
    shutil.copytree(made.home, home)
    return replace(made, home=home)


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs a command line in this process; `variables` are those of its environment."""

    def call(*arguments: object, **variables: str) -> Completed:
        line = [str(each) for each in arguments]
        capfd.readouterr()
        with monkeypatch.context() as patch:
            for name, value in variables.items():
                patch.setenv(name, value)
            code = run(line, COMMANDS)
        return Completed(line, code, *capfd.readouterr())

    return call


@pytest.fixture(params=["sqlite", "postgresql"])
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Makes places for empty stores of either engine."""
    made: list[str] = []
    if request.param == "sqlite":

        def new_file() -> str:
            made.append("")
            return f"sqlite://{tmp_path}/place-{len(made)}"

        yield new_file
        return
    server = request.getfixturevalue("postgres_server")

    def new_database() -> str:
        made.append(server.create_database())
        return str(server.database_url(made[-1]))

    yield new_database
    for name in made:
        server.drop_database(name)


@pytest.fixture
def place(new_place: Callable[[], str]) -> str:
    """A place for an empty store of either engine."""
    return new_place()
