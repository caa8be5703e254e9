"""Undo of captured talk takes back what a person means: a turn from which nothing followed is passed over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.errors import Conflict, NotConfirmed, NotFound


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


def _told(forge: Any, session: str, *turns: str, at_once: bool = False) -> None:
    """Prompts and answers of a session in turn, each taken in by itself as it comes or all at once."""
    events = []
    for number, said in enumerate(turns):
        event = {"session_id": session, "cwd": "/projects/atlas"} | (
            {"hook_event_name": "Stop", "last_assistant_message": said}
            if number % 2
            else {"hook_event_name": "UserPromptSubmit", "prompt": said}
        )
        at = datetime.now(UTC).isoformat()
        events.append({"id": f"{session}{number}", "received_at": at, "event": event})
        if not at_once:
            forge.hooks.take(events[-1:])
    if at_once:
        forge.hooks.take(events)


@pytest.mark.parametrize("at_once", [False, True])
def test_the_answer_of_an_undone_prompt_goes_with_it_and_no_other_does(tmp_path: Path, at_once: bool) -> None:
    with engramforge.open(str(tmp_path)) as forge:
        _told(forge, "zero", "we use hemp ropes")
        turns = (
            "where is the winch?",
            "Under the bow.",
            "actually, scrap hemp, we go with nylon",
            "Now nylon.",
        )
        _told(forge, "one", "the winch is loud", *turns[1:], at_once=at_once)
        both = {turns[2], turns[3]}
        for _ in range(2):
            gone = forge.undo(confirmed=True).taken_back
            assert {each.content for each in gone if each.kind in ("prompt", "response")} == both
            left = {each.content for each in forge.memories(project="atlas")}
            assert {"the winch is loud", "Under the bow."} <= left and not both & left
            forge.redo()
            assert both <= {each.content for each in forge.memories(project="atlas")}


def test_an_undo_that_goes_back_into_an_earlier_conversation_asks_again(tmp_path: Path) -> None:
    with engramforge.open(str(tmp_path)) as forge:
        _told(forge, "one", "we decided to use hemp ropes", "Noted.")
        _told(forge, "two", "we use brass cleats", "Noted.", "we use teak planks", "Noted.", "hello", "Hi.")
        with pytest.raises(NotConfirmed, match=r'last prompt .*"hello".*teak planks'):
            forge.undo(project="atlas")
        forge.undo(project="atlas", confirmed=True)
        # Who goes further back in the same conversation has been asked.
        assert "brass" in forge.undo(project="atlas").consequences[0].text
        with pytest.raises(NotConfirmed, match="hemp ropes"):
            forge.undo(project="atlas")
        assert [each.decision for each in forge.decisions.browse()] == ["we decided to use hemp ropes"]


def test_a_forgetting_elsewhere_keeps_nobody_from_an_undo(tmp_path: Path) -> None:
    with engramforge.open(str(tmp_path)) as forge:
        for said in ("The oven is cold.", "The oven is hot."):
            forge.remember(said, project="bakery")
        gone = forge.remember("The winch is red.", project="harbour")
        forge.forget(gone.logical_id, confirmed=True)
        with pytest.raises(NotConfirmed, match=rf"Since then {gone.logical_id} was forgotten.*oven is hot"):
            forge.undo(project="bakery")
        assert forge.undo(project="bakery", confirmed=True).taken_back[0].content == "The oven is hot."
        # Who has gone on before it has heard of it.
        assert forge.undo(project="bakery").taken_back[0].content == "The oven is cold."
        with pytest.raises(NotFound, match="in harbour to undo"):
            forge.undo(project="harbour")
        with pytest.raises(Conflict, match="which cannot be undone"):
            forge.undo()
