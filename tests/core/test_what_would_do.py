"""What a few words take of a thing that would do, of a question that an answer leaves to the person, and of a name."""

from __future__ import annotations

import pytest

from engramforge.core.detection.answers.chosen import answered
from engramforge.core.detection.endings.reversals import reversals_in

TAKEN = (
    ("webpack annoys me", "Plain ES modules would do.", "yeah do that", "switch to Plain ES modules"),
    ("mocha is slow as hell", "uvu would be faster.", "go", "switch to uvu"),
    ("celery is a pain", "A thought: no.\nCron would be enough.", "yes please", "switch to Cron"),
    ("do we need a map?", "Most people know the pier.", "nah skip it", "no map (do we need a map?)"),
    ("should we add push messages?", "Few would turn them on.", "nope, leave it out", "no push messages ("),
    ("do we really need accounts?", "A link is enough for that.", "no, we dont need it", "no accounts ("),
    (
        "rest or soap?",
        "REST is simpler here. Shall I go with REST?",
        "yeah rest. keep xml out of it",
        "REST, keep xml",
    ),
    (
        "should the tills talk grpc or plain rest to the office?",
        "I would use plain REST: it is easy to debug. Shall I go with REST?",
        "yeah rest",
        "REST rather than grpc (",
    ),
    ("should the meters speak modbus or mqtt?", "Both work.", "mqtt", "mqtt rather than modbus ("),
)
NOT_TAKEN = (
    ("pandas is slow", "I'd look at the profile first.", "go"),
    ("the server is slow", "A restart would do.", "go"),
    ("ci is slow", "The tests would be enough.", "go"),
    ("tests are slow", "Rerunning would be faster.", "do it"),
    ("webpack is slow", "esbuild would be faster.", "hm, would it"),
    ("do we need a map?", "It is an afternoon of work.", "skip it for now"),
    ("do we need a map?", "Want me to check the numbers?", "nah skip it"),
    ("do we need to restart?", "The settings are read anew.", "nah skip it"),
)


@pytest.mark.parametrize(("asked", "turn", "answer", "text"), TAKEN)
def test_it_is_taken(asked: str, turn: str, answer: str, text: str) -> None:
    found = answered(turn, answer, asked)
    assert found is not None and found.text.startswith(text)


@pytest.mark.parametrize(("asked", "turn", "answer"), NOT_TAKEN)
def test_nothing_is_taken(asked: str, turn: str, answer: str) -> None:
    assert answered(turn, answer, asked) is None


@pytest.mark.parametrize(
    ("said", "left", "taken"),
    [
        ("postbox is too pricey. pigeon after all", "postbox", "pigeon rather than postbox"),
        ("stripe is too slow, mollie after all", "stripe", "mollie rather than stripe"),
        ("celery is a pain. cron after all", "celery", "cron rather than celery"),
        ("stripe is too slow. works after all", "", ""),
        ("stripe is too slow. useful after all", "", ""),
    ],
)
def test_what_is_taken_after_all_ends_what_is_complained_of(said: str, left: str, taken: str) -> None:
    turns = [(each.text, each.superseded_by) for each in reversals_in(said, ()) if each.text]
    assert turns == ([(left, taken)] if left else [])
