"""Many processes on one store at once: writers that tell what they were told, readers that check what they see.

Used by the tests for a few seconds and by scripts/measure_concurrency.py for a minute. It does not import pytest.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.children import Child, finished
from tests.robustness.conftest import every

import engramforge
from engramforge.errors import NotFound

WRITER = """
import sys, json, random, time, pathlib, engramforge
place, contested, number, seconds, folder = sys.argv[1:5] + [pathlib.Path(sys.argv[5])]
rng, seconds = random.Random(int(number)), float(seconds)
held, gone, count, won, lost, slowest = {}, [], 0, 0, 0, 0.0
with engramforge.open(place) as forge:
    forge.import_path(folder / "vault")
    print("ready", flush=True)
    sys.stdin.readline()
    begun = time.monotonic()
    # However busy the machine is, everybody does something.
    while time.monotonic() - begun < seconds or count < 6:
        count, asked = count + 1, time.monotonic()
        text = f"writer {number} says {count} of the harbour and w{number}c{count}"
        deeds = ["remember"] * 4 + ["revise", "supersede", "contest", "forget", "import"]
        deed = "import" if count == 3 else rng.choice(deeds) if held else "remember"
        if deed == "remember":
            held[forge.remember(text, project=rng.choice("ab")).logical_id] = text
        elif deed == "forget" and rng.random() < 0.3:
            chosen = rng.choice(list(held))
            del held[chosen]
            forge.forget(chosen)
            gone.append(chosen)
        elif deed == "import":
            path = folder / f"{number}-{count}.jsonl"
            lines = [{"content": f"{text} line {line}", "project": "imported"} for line in range(5)]
            path.write_text("".join(json.dumps(line) + chr(10) for line in lines))
            assert forge.import_path(path).written == 5
            # All writers import the same folder again and again: each chunk goes in once.
            forge.import_path(folder / "vault")
        elif deed == "contest":
            # All writers change one memory: one wins each version, the others are told so.
            try:
                forge.revise(contested, text)
                won += 1
            except engramforge.Conflict:
                lost += 1
        elif deed in ("revise", "supersede"):
            chosen = rng.choice(list(held))
            getattr(forge, deed)(chosen, text)
            held[chosen] = text
        slowest = max(slowest, time.monotonic() - asked)
told = {"held": held, "gone": gone, "deeds": count, "won": won, "lost": lost, "slowest": slowest}
print(json.dumps(told))
"""

READER = """
import sys, json, time, engramforge
place, seconds = sys.argv[1], float(sys.argv[2])
reads, most, slowest = 0, 0, 0.0
with engramforge.open(place) as forge:
    forge.embed_query("warm")
    print("ready", flush=True)
    sys.stdin.readline()
    begun = time.monotonic()
    while time.monotonic() - begun < seconds or reads < 1:
        asked = time.monotonic()
        hits = forge.recall("what do the writers say of the harbour", limit=5).hits
        slowest = max(slowest, time.monotonic() - asked)
        for hit in hits:
            try:
                history = forge.history(hit.memory.id)
            except engramforge.NotFound:
                continue  # somebody forgot it since
            assert [version.version for version in history] == sorted(version.version for version in history)
            current = [version for version in history if version.expired_at is None and version.invalid_at is None]
            assert len(current) == 1, history
        listed = forge.memories(limit=200)
        assert len({memory.id for memory in listed}) == len(listed)
        reads += 1
        most = max(most, len(listed))
print(json.dumps({"reads": reads, "most": most, "slowest": slowest}))
"""


@dataclass(frozen=True, slots=True)
class Crowd:
    """What the processes did; every one of them ended without an error."""

    wrote: list[dict[str, Any]]
    read: list[dict[str, Any]]

    @property
    def deeds(self) -> int:
        """Writes of all writers."""
        return sum(report["deeds"] for report in self.wrote)


def start_together(waiting: list[Child]) -> None:
    """Let processes begin when all are ready."""
    for candidate in waiting:
        assert candidate.stdout is not None
        assert candidate.stdout.readline() == "ready\n", candidate.communicate()[1]
    for candidate in waiting:
        assert candidate.stdin is not None
        candidate.stdin.write("\n")
        candidate.stdin.flush()


def crowd(place: str, folder: Path, seconds: float, writers: int = 8, readers: int = 8) -> Crowd:
    """Let them work on one store for some seconds, then check that it holds what each was told, and nothing else.

    Parameters
    ----------
    place : a home folder or a URL, of an empty store.
    folder : for the files that the writers import.
    """
    (folder / "vault").mkdir(parents=True)
    for number in range(3):
        (folder / "vault" / f"{number}.md").write_text(
            f"# {number}\n\nThe vault keeps note {number} for all.\n"
        )
    with engramforge.open(place) as forge:
        contested = forge.remember("all of them want to change this", project="contested").logical_id
    working = [
        Child(WRITER, place, contested, number, seconds, folder, stdin=True) for number in range(writers)
    ]
    looking = [Child(READER, place, seconds, stdin=True) for _ in range(readers)]
    try:
        start_together([*working, *looking])
        wrote = [json.loads(finished(item, seconds + 300)) for item in working]
        read = [json.loads(finished(item, seconds + 300)) for item in looking]
    finally:
        for item in (*working, *looking):
            item.kill()
    _check(place, folder, wrote, contested)
    return Crowd(wrote, read)


def _check(place: str, folder: Path, wrote: list[dict[str, Any]], contested: str) -> None:
    held = {key: text for report in wrote for key, text in report["held"].items()}
    with engramforge.open(place) as forge:
        assert forge.check() == []
        for logical_id, text in held.items():
            assert forge.get(logical_id).content == text
            versions = [version for version in forge.history(logical_id) if version.expired_at is None]
            assert sum(version.invalid_at is None for version in versions) == 1
        for logical_id in (key for report in wrote for key in report["gone"]):
            try:
                there = forge.get(logical_id)
            except NotFound:
                continue
            raise AssertionError(f"forgotten, and there: {there}")
        own = Counter(memory.logical_id for memory in every(forge, project=["a", "b"]))
        assert own == Counter(held.keys())
        assert len(every(forge, project="vault")) == 3
        assert len(every(forge, project="imported")) == 5 * len(list(folder.glob("*.jsonl")))
        assert forge.get(contested).version == 1 + sum(report["won"] for report in wrote)
        for logical_id, text in list(held.items())[:: max(1, len(held) // 20)]:
            assert logical_id in {hit.memory.logical_id for hit in forge.recall(text, limit=10).hits}
