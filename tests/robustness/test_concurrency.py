"""Many processes and threads on one store: no error in any, nothing lost, readers see what was written."""

from __future__ import annotations

import json
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from subprocess import PIPE, Popen

import pytest
from tests.robustness.conftest import every, finished, python

import engramforge
from engramforge.errors import Conflict, EngramforgeError, NotFound

SECONDS = 4

WRITER = """
import sys, json, random, time, pathlib, engramforge
home, number, seconds, folder = sys.argv[1], sys.argv[2], float(sys.argv[3]), pathlib.Path(sys.argv[4])
rng = random.Random(int(number))
held, gone, count = {}, [], 0
with engramforge.open(home) as forge:
    forge.import_path(folder / "vault")
    print("ready", flush=True)
    sys.stdin.readline()
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        count += 1
        text = f"writer {number} says {count} of the harbour and w{number}c{count}"
        deed = rng.choice(["remember"] * 4 + ["revise", "supersede", "forget", "import"]) if held else "remember"
        deed = "import" if count == 3 else deed
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
        elif deed in ("revise", "supersede"):
            chosen = rng.choice(list(held))
            getattr(forge, deed)(chosen, text)
            held[chosen] = text
print(json.dumps({"held": held, "gone": gone, "deeds": count}))
"""

READER = """
import sys, json, time, engramforge
home, seconds = sys.argv[1], float(sys.argv[2])
reads, most = 0, 0
with engramforge.open(home) as forge:
    forge.embed_query("warm")
    print("ready", flush=True)
    sys.stdin.readline()
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        for hit in forge.recall("what do the writers say of the harbour", limit=5).hits:
            try:
                history = forge.history(hit.memory.id)
            except engramforge.NotFound:
                continue  # somebody forgot it since
            assert [one.version for one in history] == sorted(one.version for one in history)
            current = [one for one in history if one.expired_at is None and one.invalid_at is None]
            assert len(current) == 1, history
        listed = forge.memories(limit=200)
        assert len({one.id for one in listed}) == len(listed)
        reads += 1
        most = max(most, len(listed))
print(json.dumps({"reads": reads, "most": most}))
"""


def start_together(waiting: list[Popen[str]]) -> None:
    """Let processes begin when all are ready."""
    for one in waiting:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in waiting:
        assert one.stdin is not None
        one.stdin.write("\n")
        one.stdin.flush()


def test_four_processes_write_and_two_read(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "sources"
    (folder / "vault").mkdir(parents=True)
    for number in range(3):
        (folder / "vault" / f"{number}.md").write_text(
            f"# {number}\n\nThe vault keeps note {number} for all.\n"
        )
    writers = [python(WRITER, home, number, SECONDS, folder, stdin=PIPE) for number in range(4)]
    readers = [python(READER, home, SECONDS, stdin=PIPE) for _ in range(2)]
    start_together([*writers, *readers])
    wrote = [json.loads(finished(one)) for one in writers]
    read = [json.loads(finished(one)) for one in readers]
    held = {key: text for one in wrote for key, text in one["held"].items()}
    gone = [key for one in wrote for key in one["gone"]]
    with engramforge.open(home) as forge:
        assert forge.check() == []
        for logical_id, text in held.items():
            assert forge.get(logical_id).content == text
            versions = [one for one in forge.history(logical_id) if one.expired_at is None]
            assert sum(one.invalid_at is None for one in versions) == 1
        for logical_id in gone:
            with pytest.raises(NotFound):
                forge.get(logical_id)
        own = Counter(one.logical_id for one in every(forge, project=["a", "b"]))
        assert own == Counter(held.keys())
        assert len(every(forge, project="vault")) == 3
        files = list(folder.glob("*.jsonl"))
        assert len(every(forge, project="imported")) == 5 * len(files)
        for logical_id, text in list(held.items())[:: max(1, len(held) // 20)]:
            assert logical_id in {hit.memory.logical_id for hit in forge.recall(text, limit=10).hits}
    assert all(one["deeds"] >= 5 for one in wrote), wrote
    assert all(one["reads"] >= 2 and one["most"] > 0 for one in read), read


RACER = """
import sys, json, engramforge
home, chosen, versions = sys.argv[1], sys.argv[2], int(sys.argv[3])
won = []
with engramforge.open(home) as forge:
    forge.embed_query("warm")
    print("ready", flush=True)
    sys.stdin.readline()
    at = 1
    while at < versions:
        try:
            at = forge.revise(chosen, f"{sys.argv[4]} makes version {at + 1}", expected_version=at).version
            won.append(at)
        except engramforge.Conflict:
            at = forge.get(chosen).version
print(json.dumps(won))
"""


def test_one_reviser_wins_each_version(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        chosen = forge.remember("version 1").logical_id
        racers = [
            python(RACER, tmp_path / "home", chosen, 40, name, stdin=PIPE)
            for name in ("ann", "ben", "cid", "dee")
        ]
        start_together(racers)
        won = {
            name: json.loads(finished(one))
            for name, one in zip(("ann", "ben", "cid", "dee"), racers, strict=True)
        }
        history = forge.history(chosen)
        versions = [one.version for one in history]
        assert versions == list(range(1, versions[-1] + 1))
        assert sorted(number for mine in won.values() for number in mine) == versions[1:]
        for name, mine in won.items():
            assert all(history[number - 1].content == f"{name} makes version {number}" for number in mine)
        for before, after in pairwise(history):
            assert before.expired_at == after.created_at
            assert before.correction_id == after.id
        assert forge.check() == []


def test_threads_share_a_forge(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        contested = forge.remember("contested version 1").logical_id
        start = threading.Barrier(8)

        def work(number: int) -> tuple[dict[str, str], int, int]:
            held: dict[str, str] = {}
            won = lost = 0
            start.wait()
            for turn in range(15):
                text = f"thread {number} turn {turn} about pebbles"
                held[forge.remember(text).logical_id] = text
                try:
                    seen = forge.get(contested).version
                    forge.revise(contested, f"contested by {number}.{turn}", expected_version=seen)
                    won += 1
                except Conflict:
                    lost += 1
                assert text in {hit.memory.content for hit in forge.recall(text, limit=20).hits}
                if turn % 5 == 4:
                    forge.forget(next(iter(held)))
                    del held[next(iter(held))]
            return held, won, lost

        with ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(work, range(8)))
        held = {key: text for mine, _, _ in outcomes for key, text in mine.items()}
        assert {one.logical_id: one.content for one in every(forge) if one.logical_id != contested} == held
        wins = sum(won for _, won, _ in outcomes)
        assert forge.get(contested).version == wins + 1
        assert wins + sum(lost for _, _, lost in outcomes) == 8 * 15
        assert forge.check() == []


def test_a_conflict_leaves_no_trace(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        chosen = forge.remember("the gate is open")
        forge.revise(chosen.id, "the gate is shut", expected_version=1)
        before = forge.history(chosen.id)
        for change in (forge.revise, forge.supersede):
            with pytest.raises(Conflict):
                change(chosen.id, "the gate is gone", expected_version=1)
        assert forge.history(chosen.id) == before
        with pytest.raises(EngramforgeError):
            forge.forget("no such memory")
