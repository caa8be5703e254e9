"""Many processes and threads on one store: no error in any, nothing lost, readers see what was written."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from tests.children import Child, finished
from tests.robustness.conftest import every
from tests.robustness.crowd import crowd, start_together

import engramforge
from engramforge.errors import Conflict, EngramforgeError
from engramforge.forge import Forge

SECONDS = 1
TURNS = 5


def test_eight_processes_write_and_eight_read(place: str, tmp_path: Path) -> None:
    done = crowd(place, tmp_path / "sources", SECONDS)
    assert all(report["deeds"] >= 1 for report in done.wrote), done.wrote
    assert done.deeds > 40
    assert all(item["reads"] >= 1 and item["most"] > 0 for item in done.read), done.read


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


def test_one_reviser_wins_each_version(place: str) -> None:
    with engramforge.open(place) as forge:
        chosen = forge.remember("version 1").logical_id
        racers = [Child(RACER, place, chosen, 20, name, stdin=True) for name in ("ann", "ben", "cid", "dee")]
        start_together(racers)
        won = {
            name: json.loads(finished(item))
            for name, item in zip(("ann", "ben", "cid", "dee"), racers, strict=True)
        }
        history = forge.history(chosen)
        versions = [version.version for version in history]
        assert versions == list(range(1, versions[-1] + 1))
        assert sorted(number for mine in won.values() for number in mine) == versions[1:]
        for name, mine in won.items():
            assert all(history[number - 1].content == f"{name} makes version {number}" for number in mine)
        for before, after in pairwise(history):
            assert before.expired_at == after.created_at
            assert before.correction_id == after.id
        assert forge.check() == []


def test_threads_share_a_forge(place: str) -> None:
    with engramforge.open(place) as forge:
        contested = forge.remember("contested version 1").logical_id
        start = threading.Barrier(8)

        def work(number: int) -> tuple[dict[str, str], int, int]:
            held: dict[str, str] = {}
            won = lost = 0
            start.wait()
            for turn in range(TURNS):
                text = f"thread {number} turn {turn} about pebbles"
                held[forge.remember(text).logical_id] = text
                try:
                    seen = forge.get(contested).version
                    forge.revise(contested, f"contested by {number}.{turn}", expected_version=seen)
                    won += 1
                except Conflict:
                    lost += 1
                assert text in {hit.memory.content for hit in forge.recall(text, limit=20).hits}
                if turn == TURNS - 1:
                    forge.forget(next(iter(held)))
                    del held[next(iter(held))]
            return held, won, lost

        with ThreadPoolExecutor(8) as pool:
            outcomes = list(pool.map(work, range(8)))
        held = {key: text for mine, _, _ in outcomes for key, text in mine.items()}
        assert {
            memory.logical_id: memory.content for memory in every(forge) if memory.logical_id != contested
        } == held
        wins = sum(won for _, won, _ in outcomes)
        assert forge.get(contested).version == wins + 1
        assert wins + sum(lost for _, _, lost in outcomes) == 8 * TURNS
        assert forge.check() == []


def test_a_conflict_leaves_no_trace(place: str) -> None:
    with engramforge.open(place) as forge:
        chosen = forge.remember("the gate is open")
        forge.revise(chosen.id, "the gate is shut", expected_version=1)
        before = forge.history(chosen.id)
        for change in (forge.revise, forge.supersede):
            with pytest.raises(Conflict):
                change(chosen.id, "the gate is gone", expected_version=1)
        assert forge.history(chosen.id) == before
        with pytest.raises(EngramforgeError):
            forge.forget("no such memory")


def test_two_who_resolve_the_same_at_once_both_get_their_link(place: str) -> None:
    """By the same link, of which one is written, and by two, of which the first resolves."""
    sound = {"energy": 0.5, "confidence": 0.9, "emotion_vector": {}, "goal": "dry", "mindstate": "calm"}
    with engramforge.open(place) as one, engramforge.open(place) as other, ThreadPoolExecutor(2) as pool:
        for number in range(6):
            leak = one.remember(f"Tank {number} leaks.", resolution_state="blocked", near=False)
            seal, weld = (one.remember(f"{how} of tank {number}.", near=False) for how in ("Seal", "Weld"))
            ends = (seal.id, seal.id if number % 2 else weld.id)
            at_once = threading.Barrier(2, timeout=30)

            def link(
                forge: Forge, end: str, at_once: threading.Barrier = at_once, leak: str = leak.id
            ) -> str:
                at_once.wait()
                return forge.link(leak, end, "RESOLVED_BY", **sound).link.id

            made = set(pool.map(link, (one, other), ends))
            standing = {each.id for each in one.links(leak.id) if each.relation == "RESOLVED_BY"}
            assert made == standing and len(made) == len(set(ends))
            states = [each.resolution_state for each in one.history(leak.id) if each.expired_at is None]
            assert states.count("resolved") == 1
