"""What undo takes back in a store that an older version wrote, whose log says it in English."""

from __future__ import annotations

from pathlib import Path

import pytest

import engramforge
from engramforge.errors import Conflict, NotFound
from engramforge.forge import Forge

from .older import made_older

REASONS = (
    "version 2 replaces 1",
    "link from x to y taken back",
    "its file does not say it any more",
    "3 records",
)


def _contents(forge: Forge) -> list[str]:
    return sorted(memory.content for memory in forge.memories(limit=1_000))


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_of_people_is_none_of_ours(place: str, reason: str) -> None:
    with engramforge.open(place) as forge:
        kept, ended = forge.remember("Boats come at nine."), forge.remember("Tea at four.")
        forge.revise(ended.id, "Tea at five.")
        forge.invalidate(ended.id, reason=reason)
    made_older(place)
    with engramforge.open(place) as forge:
        assert forge.undo().action == "invalidate"
        assert _contents(forge) == ["Boats come at nine.", "Tea at five."]
        assert forge.undo().action == "revise"
        assert _contents(forge) == ["Boats come at nine.", "Tea at four."]
        forge.undo()
        assert [memory.id for memory in forge.memories()] == [kept.id]


def test_records_of_two_imports_of_one_time_are_told_apart(place: str, tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    line = '{{"content": "{}", "recorded_at": "2024-01-01T00:00:0{}Z"}}\n'
    first.write_text(line.format("The quay is wet.", 0) + line.format("The crane is dry.", 5))
    second.write_text(line.format("The pilot sleeps.", 0) + line.format("The pump is loud.", 9))
    with engramforge.open(place) as forge:
        forge.import_path(first)
        forge.import_path(second)
    made_older(place)
    with engramforge.open(place) as forge:
        forge.undo()
        assert _contents(forge) == ["The crane is dry.", "The quay is wet."]
        forge.undo()
        assert _contents(forge) == []


def test_a_folder_imported_again_is_taken_back_to_nothing(place: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    with engramforge.open(place) as forge:
        forge.remember("Before all notes.")
        for number in range(3):
            (notes / f"{number}.md").write_text(f"# Note {number}\n\nThe lamp {number} burns oil.\n")
        states = [_contents(forge)]
        forge.import_path(notes, project="notes")
        states.append(_contents(forge))
        for number in range(2):
            (notes / f"{number}.md").write_text(f"# Note {number}\n\nThe lamp {number} burns gas.\n")
        forge.import_path(notes, project="notes")
        states.append(_contents(forge))
        (notes / "2.md").unlink()
        forge.import_path(notes, project="notes")
    made_older(place)
    with engramforge.open(place) as forge:
        seen = []
        while True:
            try:
                forge.undo(confirmed=True)
            except NotFound:
                break
            seen.append(_contents(forge))
        assert seen[-1] == []
        assert [each for each in seen if each in states] == [*reversed(states)]


@pytest.mark.parametrize("at", ["garbage", "2026-01-01"])
def test_a_line_that_cannot_be_read_stops_undo_alone(place: str, at: str) -> None:
    with engramforge.open(place) as forge:
        forge.remember("Tea at four.")
    said = f"was validated {at}, 3 times, 2 hops; now never, 1 times, 1 hops"
    made_older(place, f"UPDATE audit SET action = 'validate', reason = '{said}'")
    with engramforge.open(place) as forge:
        assert _contents(forge) == ["Tea at four."]
        with pytest.raises(Conflict, match="did not keep what it did"):
            forge.undo()
