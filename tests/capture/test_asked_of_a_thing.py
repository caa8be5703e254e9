"""A yes or no to whether a thing of the project should do something decides it."""

from __future__ import annotations

import pytest
from tests.capture.talk import decisions, say

from engramforge.forge import Forge

DECIDED = (
    ("Should the import skip bands without songs?", "yes", "the import should skip bands without songs"),
    ("Want the import to skip bands without songs?", "yep", "the import should skip bands without songs"),
    (
        "The list is done. Shall the shelf plan show the weight?",
        "no",
        "the shelf plan should not show the weight",
    ),
    (
        "Would you like the catches to be sorted by lake?",
        "no thanks",
        "the catches should not be sorted by lake",
    ),
    ("Should every hive have its own page?", "yes please", "every hive should have its own page"),
    ("Should deleted tunes come back on sync?", "nope", "deleted tunes should not come back on sync"),
    ("Do you want the pump to stop at night?", "yeah", "the pump should stop at night"),
    ("Should the tickets carry a name?", "no, it's too long", "the tickets should not carry a name"),
)
"""What the assistant asks, the answer, and the decision."""
NOTHING = (
    ("Should I fix the typo?", "no"),
    ("Want me to run the tests?", "no"),
    ("Should the function return None?", "no"),
    ("Should the job start now?", "no"),
    ("Should the tickets carry a name or a number?", "no"),
    ("Should the tickets carry a name?", "no, not sure yet"),
    ("Should the tickets carry a name?", "no idea"),
    ("The tickets should carry a name.", "no"),
    ("Should the tickets carry a name? I printed one. Is the printer on?", "no"),
)


def decided(em: Forge, project: str, asked: str, answer: str) -> list[str]:
    say(em, project, f"A: {asked}", answer)
    return list(decisions(em, project))


@pytest.mark.parametrize(("asked", "answer", "said"), DECIDED)
def test_a_short_answer_decides(em: Forge, project: str, asked: str, answer: str, said: str) -> None:
    assert decided(em, project, asked, answer) == [said]


@pytest.mark.parametrize(("asked", "answer"), NOTHING)
def test_an_answer_to_something_else_decides_nothing(
    em: Forge, project: str, asked: str, answer: str
) -> None:
    assert decided(em, project, asked, answer) == []
