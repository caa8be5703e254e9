"""What the facade keeps from end to end: feelings that were given, names of any length."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import engramforge
from engramforge.forge import Forge


def test_machines_have_no_feelings_and_given_ones_stay(forge: Forge) -> None:
    plain = (
        "The slurry is pumped at 40 bar.",
        "We removed the dead code.",
        "Its letters go to a dead letter queue.",
    )
    assert [forge.remember(text).emotion_vector for text in plain] == [{}, {}, {}]
    assert "excitement" in forge.remember("I am so pumped!").emotion_vector
    given = forge.remember("The hull is red.", emotion_vector={"pride": 0.9})
    assert forge.supersede(given.id, "The hull is blue.").emotion_vector == {"pride": 0.9}
    assert forge.revise(given.id, "The hull is green.").emotion_vector == {"pride": 0.9}
    read = forge.remember("I am so happy with the hull.")
    assert "joy" not in forge.supersede(read.id, "I am angry at the hull.").emotion_vector


@pytest.mark.parametrize("number", ["7", "0031", "1234567", "-20260101"])
def test_names_of_any_length_are_one_name_everywhere(forge: Forge, number: str) -> None:
    told = (f"D{number}: We decided to use slate.", f"T{number}: OPEN: find a mason.")
    for place, text in enumerate(told):
        forge.remember(text, kind="prompt", project="roof", session_id="first", sequence=place)
    archive = forge.archives.compress("first").text
    assert f"### D{number}:" in archive and f"### T{number}:" in archive
    forge.archives.continue_from(archive, "second")
    said = f"T{number} is resolved: Ann came. D{number} is superseded by thatch."
    forge.remember(said, kind="prompt", project="roof", session_id="second", sequence=0)
    (thread,) = forge.threads.search(f"T{number}", status="resolved")
    assert thread.resolution and "Ann came" in thread.resolution
    (decision,) = forge.decisions.search(f"D{number}", status="superseded")
    assert decision.local_id == f"D{number}"


def test_uses_are_counted_without_a_write_for_each(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with engramforge.open(home) as forge:
        gate = forge.remember("Anna keeps the gate code of the mill.", project="mill")
        other = forge.remember("Goats climb the quarry.", project="mill")
        for _ in range(3):
            assert forge.recall("Who keeps the gate code?", project="mill").hits[0].memory.id == gate.id
        forge.get(gate.logical_id)
        assert forge.get(gate.id).exposure_count == 0, "written together, later"
    with engramforge.open(home) as forge:
        counted = forge.get(gate.id)
        assert (counted.exposure_count, counted.access_count) == (3, 2)
        assert counted.last_accessed_at is not None
        untouched = forge.get(other.id)
        assert (untouched.access_count, untouched.last_accessed_at) == (0, None)


def test_a_loaded_context_counts_as_shown(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with engramforge.open(home) as forge:
        gate = forge.remember("Anna keeps the gate code of the mill.", project="mill")
        decision = forge.decisions.create("The gate code changes every spring.", project="mill")
        thread = forge.threads.create("Who changes the gate code?", project="mill")
        other = forge.remember("Goats climb the quarry.", project="mill")
        for _ in range(2):
            found = forge.context_load("Who keeps the gate code of the mill?", project="mill")
        assert gate.logical_id in found.memory_ids and found.decision_ids and found.thread_ids
        is_shown = other.logical_id in found.memory_ids
    with engramforge.open(home) as forge:
        shown = [forge.get(each).exposure_count for each in (gate.id, decision.memory_id, thread.memory_id)]
        assert shown == [2, 2, 2]
        assert forge.get(other.id).exposure_count == 2 * is_shown
        assert forge.get(gate.id).access_count <= 1, "shown is not opened"


def test_a_reader_of_a_store_that_takes_no_writes_is_answered(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with engramforge.open(home) as forge:
        gate = forge.remember("Anna keeps the gate code of the mill.")
    with engramforge.open(home) as forge, sqlite3.connect(home / "memory.db") as beside:
        beside.execute(
            "CREATE TRIGGER refuse BEFORE UPDATE ON memory BEGIN SELECT RAISE(ABORT, 'read-only'); END"
        )
        beside.commit()
        assert forge.recall("gate code").hits[0].memory.id == gate.id
    with engramforge.open(home) as forge:
        assert forge.get(gate.id).exposure_count == 0


def test_an_undo_takes_back_a_change_and_no_use(tmp_path: Path) -> None:
    with engramforge.open(tmp_path / "home") as forge:
        kept = forge.remember("Anna keeps the gate code.")
        gone = forge.remember("Goats climb the quarry.")
    with engramforge.open(tmp_path / "home") as forge:
        forge.get(kept.id)
    with engramforge.open(tmp_path / "home") as forge:
        forge.undo()
        assert forge.history(gone.id)[-1].expired_at is not None and forge.get(kept.id).expired_at is None
