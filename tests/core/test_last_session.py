"""Which turns say where a session stopped, and which only take note of what was said or take leave."""

import pytest

from engramforge.core.injection.last_session import is_aside, says_something


@pytest.mark.parametrize(
    "turn",
    [
        "yeah no idea. bye",
        "dunno, maybe later",
        "hm anyway, good night",
        "nah, enough for today",
        "lol ok cya",
        "cu tomorrow",
        "ok l8r all",
        "thx, cu on monday",
        "ttyl",
        "API_KEY=[REDACTED:secret-keyword]",
        "user: [REDACTED:secret-keyword]\npassword: [REDACTED:secret-keyword]",
        "here are the creds [REDACTED:credentials]",
    ],
)
def test_a_turn_that_takes_leave_says_nothing(turn: str) -> None:
    assert not says_something(turn)


@pytest.mark.parametrize(
    "turn",
    [
        "no idea why the night job fails",
        "bye to the old importer",
        "maybe split the parser",
        "the badge idea is dead",
        "the cu layer is too thin",
        "use [REDACTED:token] for the staging deploy",
        "rotate [REDACTED:secret-keyword]",
    ],
)
def test_a_turn_that_names_something_says_it(turn: str) -> None:
    assert says_something(turn)


@pytest.mark.parametrize(
    "prompt",
    [
        "what's the weather like?",
        "hey, how's the weather today",
        "can you see my screen?",
        "btw what time is it",
        "are you still there?",
        "how are you doing today?",
        "which model are you",
        "lol do you ever sleep?",
        "tell me a joke",
    ],
)
def test_a_question_beside_the_matter_is_an_aside(prompt: str) -> None:
    assert is_aside(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "what's the weather api's limit?",
        "can you see my screen component?",
        "can you see the bug?",
        "what time is it stored in?",
        "how are you storing the tides?",
        "which model are you using for the tides?",
        "tell me a joke field's type",
        "is it late fees that we charge?",
        "what can you do about the leak?",
    ],
)
def test_a_question_of_the_matter_is_none(prompt: str) -> None:
    assert not is_aside(prompt)
