"""Streams where others hold names, crowd links or stop a step, and where a way breaks, on either engine."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import psycopg
import pytest

import engramforge
from engramforge.errors import EngramforgeError, Stopped
from engramforge.forge import Forge
from engramforge.model.stopping import stopped_by
from engramforge.model.streams.stream import Stream
from engramforge.recall.intention import name_index
from engramforge.recall.intention.name_index import NameIndex
from engramforge.recall.intention.time_limit import TimeLimit

SOUND: dict[str, Any] = {"confidence": 0.9, "emotion_vector": {}, "goal": "quiet", "mindstate": "calm"}
GRAPH_WAYS = {"N1_graph", "N2_graph", "N3_graph"}


@pytest.fixture(params=["sqlite", "postgresql"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres_url")


@pytest.fixture
def alice(home: str) -> Iterator[Forge]:
    with engramforge.open(home, agent="alice") as forge:
        yield forge


@pytest.fixture
def bob(home: str) -> Iterator[Forge]:
    with engramforge.open(home, agent="bob") as forge:
        yield forge


def faults(stream: Stream) -> set[str]:
    return {each.way for each in stream.ways if each.fault is not None}


def test_others_names_do_not_change_which_name_is_meant(alice: Forge, bob: Forge) -> None:
    alice.remember("Anna Berg reads the gauge of Brindlewick.")
    alice.remember("The gauge is read by zz/gauge.py.")

    def meant(question: str) -> tuple[str, ...]:
        return alice.streams.by_intention(question).entities

    asked = ("What did Anna say?", "Anna Berg Harbour Trust", "What of Brindelwick?", "Who wrote gauge.py?")
    alone = [meant(question) for question in asked]
    assert alone == [("anna berg",), ("anna berg",), ("brindlewick",), ("zz/gauge.py",)]
    bob.remember("Anna Lund of the Anna Berg Harbour Trust went to Brindelwick, and then to Brindelwik.")
    bob.remember(" ".join(f"a{number}/gauge.py," for number in range(30)))
    assert [meant(question) for question in asked] == alone
    bob.remember("Anna Lund is known to all.", level="collective")
    assert meant("What did Anna say?") == ()
    alice.remember("Anna Falk rows.", project="boats")
    assert alice.streams.by_intention("What did Anna say?", project="boats").entities == ("anna falk",)


def test_a_learning_and_its_links_are_one_change(alice: Forge) -> None:
    belief = alice.remember(
        "The cellar of Ulrike holds 12 boxes.", emotion_vector={"frustration": 0.9}, energy=0.9
    )
    alice.revise(belief.id, "The cellar of Ulrike holds 15 boxes.")
    asked: dict[str, Any] = {"energy": 0.9, "unresolved_tension": 0.9, "emotions": {"frustration": 0.9}}
    (learned,) = alice.streams.cycle(tension_source="the cellar of Ulrike", **asked).learnings

    def derived() -> list[str]:
        return [each.source_id for each in alice.links(belief.logical_id) if each.relation == "DERIVED_FROM"]

    assert derived() == [learned.logical_id]
    alice.undo()
    assert derived() == []
    assert not any(each.content.startswith("What was believed") for each in alice.memories())
    alice.redo()
    assert derived() == [learned.logical_id]
    assert alice.check() == []


def test_parallel_links_leave_room_for_other_neighbours(alice: Forge) -> None:
    start = alice.remember("The gauge is read by zz/gauge.py.", energy=0.9)
    crowd, end = alice.remember("The river rises."), alice.remember("A bell is rung.")
    many = [
        {"source_id": start.id, "target_id": crowd.id, "relation": f"FEEDS_{number}", "energy": 0.9, **SOUND}
        for number in range(1_000)
    ]
    alice.link_many(many[:500])
    alice.link_many(many[500:])
    alice.link(start.id, end.id, "CAUSES", energy=0.2, **SOUND)
    stream = alice.streams.by_intention("What does zz/gauge.py do?")
    found = {item.memory.content for level in stream.levels.values() for item in level.graph}
    assert {"The river rises.", "A bell is rung."} <= found
    assert not faults(stream)


def test_the_same_link_by_many_at_once_is_one(home: str, alice: Forge) -> None:
    ends = [alice.remember(f"Note {number}.").logical_id for number in range(6)]
    together = threading.Barrier(4)

    def link(forge: Forge) -> list[bool]:
        written = []
        for target in ends[1:]:
            together.wait(20)
            written.append(forge.link(ends[0], target, "CAUSES", energy=0.5, **SOUND).written)
        return written

    with ThreadPoolExecutor(4) as pool:
        forges = [engramforge.open(home, agent="alice") for _ in range(4)]
        rounds = list(pool.map(link, forges))
        for each in forges:
            each.close()
    assert [sum(each) for each in zip(*rounds, strict=True)] == [1] * 5
    assert len(alice.links(ends[0])) == 5
    alice.undo()
    assert len(alice.links(ends[0])) == 4
    alice.redo()
    assert len(alice.links(ends[0])) == 5 and alice.check() == []


def test_a_state_without_time_is_told(alice: Forge) -> None:
    alice.remember("The pump is loud.", resolution_state="blocked", goal="quiet")
    asked: dict[str, Any] = {"current_energy": 0.5, "current_goal": "quiet"}
    assert [each.content for each in alice.streams.by_state(**asked).memories] == ["The pump is loud."]
    object.__setattr__(alice._stages.by_state, "way_s", 0.0)
    stream = alice.streams.by_state(**asked)
    assert stream.items == () and faults(stream) == {"N1_state", "N2_state", "N3_state"}


def test_steps_of_a_state_that_wait_are_told_and_the_others_stay(postgres_url: str) -> None:
    with engramforge.open(postgres_url) as forge:
        pump = forge.remember("The pump is loud.", resolution_state="resolved", goal="quiet")
        cloth = forge.remember("A cloth around it helps.", kind="decision")
        forge.link(pump.id, cloth.id, "RESOLVED_BY", energy=0.5, **SOUND)
        forge.remember("It drips.", resolution_state="in_progress", goal="quiet")
        for stage in (forge._stages.by_state, forge._stages.assembling):
            object.__setattr__(stage, "way_s", 0.4)
        doing: dict[str, Any] = {"current_energy": 0.5, "query_mode": "find_what_i_was_doing"}
        whole = forge.streams.by_state(**doing)
        assert whole.items and not faults(whole)
        with _locked(postgres_url, "link"):
            stream = forge.streams.by_state(**doing)
        assert [each.memory.id for each in stream.items] == [each.memory.id for each in whole.items]
        assert faults(stream) == {"links"}
        with _locked(postgres_url, "memory_goal"):
            slow = forge.streams.by_state(current_energy=0.5, current_goal="quiet")
        assert faults(slow) == {"N1_state", "N2_state", "N3_state"} and slow.latency_ms < 5_000
        assert not faults(forge.streams.by_state(current_energy=0.5, current_goal="quiet"))


@contextmanager
def _locked(url: str, table: str) -> Iterator[None]:
    with psycopg.connect(url) as other:
        other.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield
        other.rollback()


def test_links_that_cannot_be_read_are_told_and_memories_raised(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        forge.remember("It drips.", goal="quiet")
        forge.remember("It is loud.", goal="quiet")
        with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
            connection.execute("ALTER TABLE link RENAME TO link_away")
            stream = forge.streams.by_state(current_energy=0.5, query_mode="find_what_i_was_doing")
            assert len(stream.items) == 2 and faults(stream) == {"links"}
            assert stream.note == "Some of it may be done: links that say so could not be read"
            connection.execute("ALTER TABLE memory_emotion RENAME TO emotion_away")
        with pytest.raises(EngramforgeError, match="memory_emotion"):
            forge.streams.by_state(current_energy=0.5, current_emotions={"joy": 0.5})


def _with_a_way(forge: Forge) -> str:
    """Two memories and the link between them; a question that every way answers."""
    lamp = forge.remember("lamp.py lights the yard.")
    mast = forge.remember("The mast carries what lights the yard.", level="collective")
    forge.link(lamp.logical_id, mast.logical_id, "DEPENDS_ON", energy=0.7, **SOUND)
    return "What does lamp.py light?"


def _found_by_vectors(stream: Stream) -> list[str]:
    return sorted(item.memory.content for level in stream.levels.values() for item in level.vector)


def test_a_broken_way_is_told_and_the_others_answer(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        asked = _with_a_way(forge)
        whole = forge.streams.by_intention(asked)
        assert not faults(whole) and whole.entities
        with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
            connection.execute("ALTER TABLE mention RENAME TO mention_away")
        stream = forge.streams.by_intention(asked)
        assert faults(stream) == GRAPH_WAYS
        assert _found_by_vectors(stream) == _found_by_vectors(whole)
        assert all("mention" in (each.fault or "") for each in stream.ways if "graph" in each.way)


def test_a_way_that_waits_too_long_is_stopped_and_the_others_answer(postgres_url: str) -> None:
    with engramforge.open(postgres_url) as forge:
        asked = _with_a_way(forge)
        object.__setattr__(forge._stages.six_ways, "way_s", 0.4)
        whole = forge.streams.by_intention(asked)
        with _locked(postgres_url, "mention"):
            stream = forge.streams.by_intention(asked)
        assert faults(stream) == GRAPH_WAYS
        assert _found_by_vectors(stream) == _found_by_vectors(whole)
        assert 400 <= next(each.latency_ms for each in stream.ways if each.way == "N1_graph") < 5_000
        assert not faults(forge.streams.by_intention(asked))


def test_where_no_way_answers_the_fault_is_raised(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        asked = _with_a_way(forge)
        object.__setattr__(forge._stages.six_ways, "way_s", 0.0)
        with pytest.raises(EngramforgeError, match="longer than its limit of 0 s"):
            forge.streams.by_intention(asked)


def test_what_is_corrected_again_and_again_has_a_limit(tmp_path: Path) -> None:
    with engramforge.open(tmp_path) as forge:
        for number in range(3):
            told = " ".join(f"word{number}x{word}" for word in range(3_000))
            belief = forge.remember(f"The pump holds {number} litres {told}", near=False)
            forge.revise(belief.id, f"The pump holds {number} gallons {told}")

        def asked(seconds: float) -> Stream:
            object.__setattr__(forge._stages.assembling, "way_s", seconds)
            return forge.streams.by_intention("the pump", temporal_mode="full_history")

        assert len(asked(60.0).corrections) == 1
        # Somewhere between, the changes are read in time and their patterns are not.
        stopped = [asked(0.16 / 2**power) for power in range(7)]
        (told_of, *_) = [each for each in stopped if each.dissonances and not each.corrections]
        assert "corrections" in faults(told_of) and "changes" not in faults(told_of)


class _After:
    """A stop signal that is set when it was looked at so often."""

    def __init__(self, looks: int) -> None:
        self.left = looks

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0

    def interrupting(self, interrupt: object) -> Any:
        return nullcontext(interrupt)


def test_a_reading_of_names_that_is_stopped_goes_on(alice: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(name_index, "_AT_ONCE", 2)
    alice.remember_many(
        {"content": f"We went to Thorn{letter}wick yesterday."} for letter in "abcdefghijklmnopqrstuvwx"
    )
    index = NameIndex(alice._stages.door)
    stops = 0
    for _ in range(40):
        try:
            with stopped_by(_After(8)):
                found = index.meant(alice._scope, "What happened in Thornawick and Thornlwick?")
            break
        except Stopped:
            stops += 1
    assert [each.name for each in found] == ["thornawick", "thornlwick"] and stops > 1


def test_whoever_waits_for_the_names_has_a_limit(alice: Forge) -> None:
    index = NameIndex(alice._stages.door)
    with index._held(), ThreadPoolExecutor(1) as pool:

        def ask() -> None:
            with TimeLimit(0.2) as limit, stopped_by(limit):
                index.meant(alice._scope, "What happened?")

        with pytest.raises(Stopped):
            pool.submit(ask).result(10)
