"""What an undo takes back, brings back and refuses, on every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.children import Child, finished

import engramforge
from engramforge.errors import Conflict, NotFound
from engramforge.forge import Forge


@pytest.fixture
def forge(place: str) -> Iterator[Forge]:
    """A forge on an empty store of either engine."""
    with engramforge.open(place) as opened:
        yield opened


def told(forge: Forge, **filters: Any) -> set[str]:
    return {memory.content for memory in forge.memories(limit=1_000, **filters)}


def test_nothing_to_undo(forge: Forge) -> None:
    with pytest.raises(NotFound, match="no change of agent 'default'"):
        forge.undo()


def test_a_batch_goes_and_comes_together(forge: Forge) -> None:
    forge.remember("the first")
    forge.remember_many({"content": f"note {number}"} for number in range(1_200))
    undone = forge.undo(confirmed=True)
    # Two transactions; the last one is taken back.
    assert (undone.action, len(undone.taken_back), undone.restored) == ("remember", 200, ())
    assert forge.stats().memories == 1_001
    undone = forge.redo()
    assert (undone.action, len(undone.taken_back), len(undone.restored)) == ("remember", 0, 200)
    assert forge.stats().memories == 1_201
    assert {memory.version for memory in undone.restored} == {2}
    assert forge.recall("note 1150", limit=1).hits[0].memory.content == "note 1150"


def test_an_undo_leaves_the_past_as_it_was_answered(forge: Forge) -> None:
    made = forge.remember("the gate is open", valid_at="2025-01-01")
    forge.revise(made.id, "the gate is ajar", discovery_energy=0.9)
    then = forge.history(made.id)[-1].created_at
    undone = forge.undo()
    assert (undone.action, [version.version for version in undone.restored]) == ("revise", [3])
    assert told(forge) == {"the gate is open"}
    assert told(forge, as_of_recorded=then) == {"the gate is ajar"}
    assert forge.history(made.id)[1].invalidation_reason == "discovered_false"
    assert forge.history(made.id)[1].discovery_energy == 0.9
    assert forge.timeline(made.id).dissonances == forge.timeline().dissonances == ()
    assert [line.action for line in forge.audit_log(3)] == ["undo", "revise", "remember"]
    assert forge.links(made.id)[-1].extra == {"source_version": 3, "target_version": 2, "restores": 1}
    assert forge.revise(made.id, "the gate is gone").version == 4


def test_an_import_is_taken_back_and_not_brought_back_by_another(forge: Forge, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "gate.md").write_text("# Gate\n\nThe gate is open.\n", "utf-8")
    forge.import_path(notes)
    before = told(forge)
    (notes / "gate.md").write_text("# Gate\n\nThe gate is shut, and was painted blue last week.\n", "utf-8")
    assert forge.import_path(notes).superseded == 1
    after = told(forge)
    assert forge.undo().action == "import"
    assert told(forge) == before
    assert forge.import_path(notes).superseded == 0 and told(forge) == before
    forge.redo()
    assert told(forge) == after


def test_what_was_undone_may_be_remembered_again(forge: Forge) -> None:
    for fields in ({}, {"origin": "letter 7"}):
        first = forge.remember("the gate is open", **fields)
        forge.undo()
        assert told(forge) == set() and forge.get(first.id).is_superseded
        second = forge.remember("the gate is open", **fields)
        assert second.logical_id != first.logical_id
        assert told(forge) == {"the gate is open"}
        forge.forget(second.id)


def test_a_forget_is_not_undone_nor_what_came_before_it(forge: Forge) -> None:
    kept, gone = forge.remember("kept"), forge.remember("gone")
    forge.forget(gone.id)
    with pytest.raises(Conflict, match="cannot be undone"):
        forge.undo()
    assert told(forge) == {"kept"} and forge.history(kept.id) == [kept]
    with pytest.raises(NotFound):
        forge.get(gone.id)


def test_a_link_goes_and_comes(forge: Forge) -> None:
    first, two = forge.remember("one"), forge.remember("two")
    felt: dict[str, Any] = {
        "energy": 0.5,
        "confidence": 0.5,
        "emotion_vector": {},
        "goal": "g",
        "mindstate": "m",
    }
    made = forge.link(first.id, two.id, "CAUSES", **felt).link
    assert forge.undo().links == 1
    assert forge.links(first.id) == []
    forge.redo()
    (again,) = forge.links(first.id)
    assert (again.relation, again.goal, again.id != made.id) == ("CAUSES", "g", True)
    forge.undo()
    assert forge.links(first.id) == []
    forge.redo()
    forge.unlink(forge.links(first.id)[0].id)
    assert forge.undo().action == "unlink"
    assert len(forge.links(first.id)) == 1


def test_each_agent_undoes_its_own(place: str) -> None:
    with engramforge.open(place, agent="ada") as ada, engramforge.open(place, agent="ben") as ben:
        shared = ada.remember("the gate is open", level="collective")
        ben.remember("mine")
        assert ada.undo().taken_back[0].id == shared.id
        ada.redo()
        ben.revise(shared.logical_id, "the gate is ajar")
        with pytest.raises(Conflict, match="was changed since by 'ben'"):
            ada.undo()
        assert ben.undo().action == "revise"
        assert told(ada) == {"the gate is open"}


def test_a_batch_of_which_somebody_changed_one_stays_whole(place: str) -> None:
    with engramforge.open(place, agent="ada") as ada, engramforge.open(place, agent="ben") as ben:
        drafts = [{"content": f"note {number}", "level": "collective"} for number in range(3)]
        made = ada.remember_many(drafts)
        ben.revise(made[2].logical_id, "another note")
        with pytest.raises(Conflict, match="changed since"):
            ada.undo()
        assert told(ada) == {"note 0", "note 1", "another note"}


def _race(work: Callable[[int], object], tries: int = 4) -> tuple[int, list[str]]:
    """How many threads won, and what the others were told."""

    def tell(number: int) -> str:
        try:
            work(number)
        except Conflict as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(tries) as pool:
        told_them = list(pool.map(tell, range(tries)))
    return told_them.count(""), [text for text in told_them if text]


def test_of_threads_that_change_one_memory_one_wins(place: str, forge: Forge) -> None:
    made = forge.remember("the gate is open")
    forges = [engramforge.open(place) for _ in range(4)]
    try:
        for item in forges:
            item.get(made.id)
        version = 1
        for round_ in range(3):
            won, told_them = _race(
                lambda number, at=version, round_=round_: forges[number].revise(  # type: ignore[misc]
                    made.id, f"the gate says {number} in {round_}", expected_version=at
                )
            )
            version += 1
            assert (won, len(told_them)) == (1, 3)
            assert all(f"version {version}" in text for text in told_them), told_them
        won, told_them = _race(lambda number: forges[number].undo(), 3)
        # One after the other they go further back; at the same moment one wins. Either way one truth is left.
        assert won >= 1
        assert len(forge.memories()) == 1
        assert [memory.expired_at for memory in forge.history(made.id)].count(None) == 1
        forge.invalidate(made.id)
        won, told_them = _race(lambda number: forges[number].invalidate(made.id))
        assert won == 0 and all("already ended" in text for text in told_them)
    finally:
        for store in forges:
            store.close()
    assert forge.check() == []


_REVISE = """
import sys
import engramforge
from engramforge.errors import Conflict
with engramforge.open(sys.argv[1]) as forge:
    forge.get(sys.argv[2])
    forge.encoder_id
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        print("won", forge.revise(sys.argv[2], "said by " + sys.argv[3], expected_version=1).version)
    except Conflict as error:
        print("lost", error)
"""


def test_of_processes_that_change_one_memory_one_wins(place: str, forge: Forge) -> None:

    made = forge.remember("the gate is open")
    running = [Child(_REVISE, place, made.id, number, stdin=True) for number in range(3)]
    for process in running:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    told_us = sorted(finished(process).strip() for process in running)
    assert [line.split()[0] for line in told_us] == ["lost", "lost", "won"]
    assert all("at version 2, not 1" in line or "changed meanwhile" in line for line in told_us[:2])
    assert [version.version for version in forge.history(made.id)] == [1, 2]
