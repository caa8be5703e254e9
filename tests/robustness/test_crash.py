"""kill -9 at random moments: what was acknowledged is there, the store is sound, an import resumes to the same."""

from __future__ import annotations

import json
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from tests.children import Child, finished
from tests.robustness.conftest import every

import engramforge
from engramforge.errors import NotFound
from engramforge.forge import Forge

pytestmark = pytest.mark.on_disk

KILLS = 6
WORDS = "harbour lantern meadow orchard kettle saddle pebble violet copper willow barley anchor thistle"

IMPORT = """
import sys, engramforge
with engramforge.open(sys.argv[1]) as forge:
    for path in sys.argv[2:]:
        forge.import_path(path, progress=lambda now: print(now.written, flush=True))
"""
"""Prints after each batch and each file how much it has written of the path at hand."""

WRITER = """
import sys, random, engramforge
rng = random.Random(int(sys.argv[2]))
forge = engramforge.open(sys.argv[1])
print("ready", flush=True)
held = []
for number in range(1_000_000):
    text = f"{rng.random()} number {number} of writer {sys.argv[2]}"
    deed = rng.choice(["remember", "remember", "revise", "supersede", "forget"]) if held else "remember"
    if deed == "remember":
        held.append(forge.remember(text).logical_id)
        print("says", held[-1], text, flush=True)
    elif deed == "forget":
        gone = held.pop(rng.randrange(len(held)))
        print("begins", gone, flush=True)
        forge.forget(gone)
        print("forgot", gone, flush=True)
    else:
        chosen = rng.choice(held)
        print("begins", chosen, text, flush=True)
        getattr(forge, deed)(chosen, text)
        print("says", chosen, text, flush=True)
"""


def _sentence(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS.split(), k=9)).capitalize() + f" {rng.randrange(10**6)}."


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A Markdown folder, a folder of transcripts and a JSONL file."""
    rng = random.Random(1)
    folder = tmp_path_factory.mktemp("sources")
    vault, transcripts = folder / "vault", folder / "transcripts"
    vault.mkdir()
    transcripts.mkdir()
    for number in range(30):
        text = "\n\n".join(
            f"## Part {part}\n\n" + " ".join(_sentence(rng) for _ in range(20)) for part in range(3)
        )
        (vault / f"note-{number}.md").write_text(
            f"---\ncreated: 2025-03-0{number % 9 + 1}\n---\n# {number}\n\n{text}\n"
        )
    for number in range(3):
        turns = [_turn(rng, number, turn) for turn in range(250)]
        (transcripts / f"session-{number}.jsonl").write_text(
            "".join(json.dumps(turn) + "\n" for turn in turns)
        )
    said = {"speaker": "Ada", "valid_at": "2025-05-01T09:00:00Z", "recorded_at": "2025-05-02T09:00:00Z"}
    lines = [{"content": _sentence(rng), "session_id": f"s{number % 7}", **said} for number in range(1_200)]
    records = folder / "records.jsonl"
    records.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return [vault, transcripts, records]


def _turn(rng: random.Random, session: int, turn: int) -> dict[str, Any]:
    kind = "assistant" if turn % 2 else "user"
    return {
        "type": kind,
        "uuid": f"0000000{session}-0000-4000-8000-{turn:012d}",
        "sessionId": f"session-{session}",
        "timestamp": f"2026-02-01T1{session}:{turn // 60:02d}:{turn % 60:02d}Z",
        "cwd": f"/somewhere/garden-{session}",
        "message": {"role": kind, "content": _sentence(rng)},
    }


def _shown(forge: Forge) -> list[tuple[Any, ...]]:
    """What an import decides; when a Markdown chunk was recorded is when the import ran."""
    return sorted(
        (
            memory.project,
            str(memory.kind),
            memory.session_id or "",
            -1 if memory.sequence is None else memory.sequence,
            memory.content,
            memory.name or "",
            memory.speaker or "",
            memory.version,
            memory.tags,
            memory.chunk or (),
            memory.valid_at,
            None if memory.chunk else memory.created_at,
        )
        for memory in every(forge)
    )


def _recalled(forge: Forge) -> list[str]:
    return [hit.memory.content for hit in forge.recall("lantern by the orchard", limit=5).hits]


@pytest.fixture(scope="module")
def calm(
    sources: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> tuple[list[tuple[Any, ...]], list[str]]:
    """What an import that nobody disturbs leaves, and what it recalls; the same on every engine."""
    with engramforge.open(tmp_path_factory.mktemp("calm") / "home") as forge:
        for path in sources:
            forge.import_path(path)
        return _shown(forge), _recalled(forge)


def test_a_killed_import_loses_nothing_and_resumes_to_the_same(
    place: str, sources: list[Path], calm: tuple[list[tuple[Any, ...]], list[str]]
) -> None:
    home = place
    rng = random.Random(20)
    kept = kills = 0
    for _ in range(KILLS):
        running = Child(IMPORT, home, *sources)
        assert running.stdout is not None
        enough = rng.randrange(60)
        next((line for line in running.stdout if int(line) >= enough), None)
        time.sleep(rng.uniform(0, 0.08))
        if running.poll() is None:
            running.send_signal(signal.SIGKILL)
            kills += 1
        running.communicate()
        with engramforge.open(home) as forge:
            assert forge.check() == []
            held = forge.stats().memories
        assert held >= kept, "what was committed before is gone"
        kept = held
    finished(Child(IMPORT, home, *sources))
    with engramforge.open(home) as struck:
        assert struck.check() == []
        shown = _shown(struck)
        assert (shown, _recalled(struck)) == calm
        assert len(shown) > 1_950
        counts = struck.stats()
        assert counts.versions == counts.memories
        for path in sources:
            assert struck.import_path(path).written == 0
        assert _recalled(struck) == calm[1]
    assert kills >= KILLS - 3, f"only {kills} of {KILLS} met a running import"


def test_what_a_killed_writer_was_told_is_there(place: str) -> None:
    home = place
    rng = random.Random(5)
    says: dict[str, str] = {}
    forgotten: set[str] = set()
    pending: dict[str, str] = {}
    for number in range(KILLS):
        running = Child(WRITER, home, number)
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        told = [running.stdout.readline() for _ in range(rng.randint(0, 30))]
        time.sleep(rng.uniform(0, 0.03))
        running.kill()
        out, err = running.communicate()
        out = "".join(told) + out
        assert err == ""
        pending = {}
        for line in out.splitlines(keepends=True):
            if not line.endswith("\n"):
                break
            word, logical_id, text = (*line[:-1].split(" ", 2), "")[:3]
            if word == "begins":
                pending = {logical_id: text}
            elif word == "says":
                says[logical_id], pending = text, {}
            else:
                forgotten.add(logical_id)
                del says[logical_id]
                pending = {}
        with engramforge.open(home) as forge:
            assert forge.check() == []
            for logical_id, text in pending.items():
                _settle(forge, logical_id, text, says, forgotten)
            _check_said(forge, says)
            for logical_id in forgotten:
                with pytest.raises(NotFound):
                    forge.get(logical_id)
            # At most the one remember that was in hand when the process died was not told.
            assert len(says) <= forge.stats().memories <= len(says) + number + 1
    assert len(says) > 20 and len(forgotten) > 5
    with engramforge.open(home) as forge:
        for logical_id, text in says.items():
            assert forge.get(logical_id).content == text
            assert forge.history(logical_id)[-1].content == text
        logical_id, text = next(iter(says.items()))
        assert logical_id in {hit.memory.logical_id for hit in forge.recall(text, limit=5).hits}


def _check_said(forge: Forge, says: dict[str, str]) -> None:
    """Everything that was told is what its memory says now, and in its last version; read all at once."""
    assert {memory.logical_id: memory.content for memory in every(forge)}.items() >= says.items()
    versions = sorted(every(forge, mode="full_history"), key=lambda version: version.version)
    assert {version.logical_id: version.content for version in versions}.items() >= says.items()


def _settle(forge: Forge, logical_id: str, text: str, says: dict[str, str], forgotten: set[str]) -> None:
    """A change in hand when the process died happened as a whole or not at all."""
    try:
        there = forge.get(logical_id).content
    except NotFound:
        assert text == "", "a change removed a memory"
        del says[logical_id]
        forgotten.add(logical_id)
        return
    assert there in (says[logical_id], text)
    says[logical_id] = there
