"""What a person takes of what an assistant would do from then on, of things weighed up, and of a bare list."""

from __future__ import annotations

import pytest

from engramforge.core.detection.answers.chosen import answered

LISTED = "Options:\n1. Magic link by mail\n2. PIN on the tablet\n3. Badge"
WEIGHED = "Mosquitto would be the light one, EMQX has a dashboard. Which do you prefer?"


@pytest.mark.parametrize(
    ("turn", "answer", "text"),
    [
        (
            "I'd copy the till's database every night. Shall I set it so?",
            "yes",
            "copy the till's database every night",
        ),
        (
            "I'd print the harvest week on the labels. Shall we do that?",
            "sure, but not on the small jars",
            "print the harvest week on the labels, but not on the small jars",
        ),
        ("I'd skip accounts for volunteers. Shall we do it that way?", "yep", "skip accounts for volunteers"),
        (
            "I'd charge a flat 3 euros after two reminders. Okay so?",
            "ok",
            "charge a flat 3 euros after two reminders",
        ),
        ("I suggest limiting refunds to members. OK?", "ok", "limiting refunds to members"),
        (
            "We could round prices to 5 cents. Shall we?",
            "yes but only at the counter",
            "round prices to 5 cents, but only at the counter",
        ),
        (WEIGHED, "mosquitto pls", "Mosquitto rather than EMQX"),
        (
            WEIGHED,
            "emqx, mosquitto only as fallback",
            "EMQX rather than Mosquitto, mosquitto only as fallback",
        ),
        (LISTED, "2", "PIN on the tablet rather than Magic link by mail or Badge"),
        (
            LISTED,
            "2, and badges for staff",
            "PIN on the tablet rather than Magic link by mail or Badge, and badges for staff",
        ),
    ],
)
def test_it_is_taken(turn: str, answer: str, text: str) -> None:
    found = answered(turn, answer)
    assert found is not None and found.text == text


@pytest.mark.parametrize(
    ("turn", "answer"),
    [
        ("I'd rerun the suite with one worker. Shall I do that?", "yes"),
        ("I'd print the value before the loop. Okay so?", "ok"),
        ("I'd add a null check in the parser. Shall I do that?", "yes please"),
        ("I'd close the ticket. Fine with you?", "fine"),
        ("I'd delete the two temp files. Shall I do it?", "yep"),
        ("I'd say the index is missing. Does that make sense?", "yes"),
        ("I'd replace line 12 with a return. OK?", "ok"),
        ("I suggest running the suite again. OK?", "ok"),
        ("main is green, dev is red. Which one do you mean?", "dev"),
        (WEIGHED, "not sure yet"),
        (LISTED, "1 and 2?"),
        (LISTED, "1, 3"),
        ("1. The memory is full\n2. The disk is slow", "2"),
    ],
)
def test_a_task_or_what_stays_open_is_none(turn: str, answer: str) -> None:
    assert answered(turn, answer, "why does it stop?") is None
