"""What was said while capture was off stays out: of hooks that come late, and of imports after it is on again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.capture.test_live_capture import SESSION, START, Talk, forked, said

from engramforge.capture.writers.switches import paused, was_on

if TYPE_CHECKING:
    from pathlib import Path

    from engramforge.forge import Forge


def _switch(forge: Forge, talk: Talk, on: bool, **where: str) -> None:
    """Switch capture at the time that it is in a talk."""
    clock = forge._stages.clock
    talk.at += timedelta(seconds=1)
    forge._stages.clock = lambda: talk.at  # type: ignore[misc]
    forge.hooks.switch("capture", on, **(where or {"session": talk.session}))
    forge._stages.clock = clock  # type: ignore[misc]


def _paused_talk(forge: Forge, **where: str) -> Talk:
    """A talk with two pauses; what is said in them names walruses."""
    talk = Talk()
    talk.prompt("The beans are in.")
    talk.response("Noted.")
    for number in range(2):
        _switch(forge, talk, False, **where)
        talk.prompt(f"A walrus buys the shop {number}.")
        talk.says(f"Let me look at walrus {number}.")
        talk.tool("Bash", {"command": f"ls walrus{number}"}, {"stdout": "tusk"}, "tusk of a walrus")
        talk.response(f"The walrus has it {number}.")
        _switch(forge, talk, True, **where)
        talk.prompt(f"The peas are in bed {number}.")
        talk.response(f"Bed {number} it is.")
    return talk


OPEN = [
    *("The beans are in.", "Noted.", "The peas are in bed 0.", "Bed 0 it is."),
    *("The peas are in bed 1.", "Bed 1 it is."),
]


@pytest.mark.parametrize("where", [{}, {"project": "garden"}])
def test_what_was_said_in_pauses_is_not_imported_later(
    forge: Forge, tmp_path: Path, where: dict[str, str]
) -> None:
    talk = _paused_talk(forge, **where)
    place = talk.transcript(tmp_path)
    report = forge.import_path(place.parent.parent)
    assert [each.content for each in said(forge)] == OPEN
    assert (
        sum(
            each["skipped"].get("said while capture was switched off", 0)
            for each in report.details["files"].values()
        )
        == 10
    )
    forge.import_path(place)
    assert len(said(forge)) == len(OPEN)
    forge.import_path(place, switched_off=True)
    assert len(said(forge)) > len(OPEN)


def test_hooks_that_come_late_are_of_their_time(forge: Forge) -> None:
    """A daemon that was dead gets them when all is on again."""
    talk = _paused_talk(forge)
    assert forge.hooks.take(talk.told).left_out == 8
    assert [each.content for each in said(forge)] == OPEN


def test_an_answer_is_of_its_prompt_s_time_and_later_summaries_tell_nothing(
    forge: Forge, tmp_path: Path
) -> None:
    talk = Talk()
    _switch(forge, talk, False)
    talk.prompt("The walrus is ill.")
    _switch(forge, talk, True)
    talk.response("I am sorry for the walrus.")
    talk.prompt("Go on.")
    talk.event("PostCompact", compact_summary="A walrus is ill.", trigger="auto")
    talk.line("user", "This session is being continued: a walrus is ill.", isCompactSummary=True)
    forge.hooks.take(talk.told)
    assert [each.content for each in said(forge)] == ["Go on."]
    forge.import_path(talk.transcript(tmp_path))
    assert [each.content for each in said(forge)] == ["Go on."]


@pytest.mark.parametrize("is_named", [False, True])
def test_a_fork_of_a_paused_session_does_not_tell_it(forge: Forge, tmp_path: Path, is_named: bool) -> None:
    talk = _paused_talk(forge)
    if is_named:
        for number, line in enumerate(talk.lines):
            line["forkedFrom"] = {"sessionId": talk.session, "messageUuid": f"m{number}"}
    else:
        talk.transcript(tmp_path)
    fork = forked(talk, tmp_path)
    # Its own goes in, also of a time in which another session is off.
    other = Talk(
        "77777777-2222-4333-8444-555555555555", start=START + timedelta(seconds=4, microseconds=77_000)
    )
    other.prompt("The leeks are in.")
    forge.import_path(fork)
    forge.import_path(other.transcript(tmp_path))
    found = [each.content for each in forge.memories(limit=100) if each.registration is None]
    assert sorted(found) == sorted([*OPEN, "The leeks are in."])


def test_when_capture_was_switched_is_kept_in_its_order(forge: Forge) -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def state(*said: tuple[int, bool], **where: str) -> Any:
        for minute, on in said:
            forge._stages.clock = lambda minute=minute: noon + timedelta(minutes=minute)  # type: ignore[misc]
            forge.hooks.switch("capture", on, **where)
        from engramforge.capture.writers.switches import switches_of

        return switches_of(forge._stages.door, forge._scope)

    # The clock was set back before it was switched on: nothing of the pause comes in.
    found = state((10, False), (5, True), (20, False), (20, False), (30, True), session=SESSION)
    on = {
        minute: was_on(found, "garden", SESSION, noon + timedelta(minutes=minute))
        for minute in (0, 9, 10, 25, 30)
    }
    assert on == {0: True, 9: True, 10: True, 25: False, 30: True}
    # A session's word goes before its project's; a project's pause holds for the others.
    found = state((40, False), (50, True), project="garden")
    late = noon + timedelta(minutes=45)
    assert was_on(found, "garden", SESSION, late) and not was_on(found, "garden", "other", late)
    assert paused(found) == ({SESSION}, {"garden"})
    # However often it is switched, no pause is given up.
    found = state(*((100 + minute, minute % 2 == 1) for minute in range(260)), session="often")
    offs = [
        minute
        for minute in range(0, 260, 2)
        if was_on(found, None, "often", noon + timedelta(minutes=100 + minute))
    ]
    assert offs == []
