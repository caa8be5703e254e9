"""Undo of captured talk takes back what a person means: a turn from which nothing followed is passed over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import engramforge


@pytest.mark.parametrize(
    "turns",
    [
        [("U", "we decided to use hemp ropes"), ("A", "Hemp ropes it is.")],
        [("A", "I'd use hemp for the ropes. OK?"), ("U", "yes"), ("A", "Hemp it is, ropes are ordered.")],
    ],
)
def test_undo_takes_back_the_decision_though_its_answer_came_in_a_batch_of_its_own(
    tmp_path: Path, turns: list[tuple[str, str]]
) -> None:
    at = datetime(2026, 5, 2, 9, tzinfo=UTC)
    with engramforge.open(str(tmp_path)) as forge:
        for number, (who, said) in enumerate(turns):
            event: dict[str, Any] = {"session_id": "s", "cwd": "/projects/atlas"}
            event |= (
                {"hook_event_name": "UserPromptSubmit", "prompt": said}
                if who == "U"
                else {"hook_event_name": "Stop", "last_assistant_message": said}
            )
            received_at = (at + timedelta(minutes=number)).isoformat()
            forge.hooks.take([{"id": f"e{number}", "received_at": received_at, "event": event}])
        assert len(forge.decisions.browse(project="atlas")) == 1
        undone = forge.undo()
        assert any("hemp" in each.text for each in undone.consequences)
        assert not forge.decisions.browse(project="atlas")
        forge.redo()
        assert len(forge.decisions.browse(project="atlas")) == 1


def test_undo_of_what_an_answer_made_of_a_prompt_takes_the_prompt_back_too(tmp_path: Path) -> None:
    at = datetime(2026, 5, 2, 9, tzinfo=UTC)
    with engramforge.open(str(tmp_path)) as forge:
        turns = (
            "we use a margin of 8 mm everywhere, decided",
            "ok",
            "set it to 12",
            "Set the margin to 12 mm.",
        )
        for number, said in enumerate(turns):
            event = {"session_id": f"s{number // 2}", "cwd": "/projects/atlas"} | (
                {"hook_event_name": "Stop", "last_assistant_message": said}
                if number % 2
                else {"hook_event_name": "UserPromptSubmit", "prompt": said}
            )
            received_at = (at + timedelta(minutes=number)).isoformat()
            forge.hooks.take([{"id": f"e{number}", "received_at": received_at, "event": event}])
        decided = ["we use a margin of 12 mm everywhere"]
        for _ in range(2):
            assert [each.decision for each in forge.decisions.browse(status="active")] == decided
            gone = [each.text for each in forge.undo().consequences if str(each.act) == "gone"]
            assert sorted(gone) == sorted(["set it to 12", "Set the margin to 12 mm.", *decided])
            assert [each.decision for each in forge.decisions.browse()] == [
                turns[0].removesuffix(", decided")
            ]
            assert not forge.recall("set it to 12", project="atlas").hits
            forge.redo()
        # Undone again and once more, what was decided by a prompt of its own goes with that.
        forge.undo()
        assert forge.undo().consequences[0].text == turns[0]
        assert not forge.decisions.browse()
