"""The emotion rules: own sentences, negation and strength."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.emotions.emotion import EMOTIONS, LEXICON, OPPOSITES, emotions_of


def test_there_are_28_names() -> None:
    assert len(EMOTIONS) == len(set(EMOTIONS)) == 28
    assert "neutral" in EMOTIONS
    assert set(OPPOSITES) | set(OPPOSITES.values()) <= set(EMOTIONS)


@pytest.mark.parametrize(
    ("text", "emotion"),
    [
        ("Thank you for the quick fix", "gratitude"),
        ("I am so sorry, I apologize for the outage", "remorse"),
        ("I'm afraid the deploy could wipe the disk", "fear"),
        ("This flaky test is annoying and frustrating", "annoyance"),
        ("Can't wait for the launch!", "excitement"),
        ("I realized that the cache was never read", "realization"),
        ("I hope the migration works", "optimism"),
        ("Haha that was hilarious", "amusement"),
        ("What a beautiful and elegant proof", "admiration"),
        ("I love this editor", "love"),
        ("I'm confused, it makes no sense", "confusion"),
        ("Do you know which port it uses?", "curiosity"),
        ("That code smell is disgusting", "disgust"),
        ("Proud of the team", "pride"),
        ("Phew, what a relief", "relief"),
        ("She was nervous and anxious before the talk", "nervousness"),
        ("He passed away and we are grieving", "grief"),
        ("I wish we had more time", "desire"),
        ("That was embarrassing", "embarrassment"),
        ("I disagree with that plan", "disapproval"),
        ("Take care and stay safe", "caring"),
        ("Unexpected and shocking numbers", "surprise"),
        ("Sounds good, I agree", "approval"),
        ("We are happy and glad it shipped", "joy"),
        ("How disappointing, a let down", "disappointment"),
        ("I cried, it is so sad", "sadness"),
        ("He is furious and enraged", "anger"),
        ("😂", "amusement"),
    ],
)
def test_what_a_sentence_speaks_of(text: str, emotion: str) -> None:
    felt = emotions_of(text)
    assert felt.get(emotion, 0.0) >= 0.55, felt


@pytest.mark.parametrize(
    "text", ["", "The meeting is on Tuesday in room four.", "def f(x): return x", "漢字", "\x00"]
)
def test_plain_text_feels_nothing(text: str) -> None:
    assert emotions_of(text) == {}


def test_negation_turns_an_emotion() -> None:
    plain, negated = emotions_of("I am happy with it"), emotions_of("I am not happy with it")
    assert "joy" in plain
    assert "joy" not in negated
    assert "sadness" in negated
    assert "approval" in emotions_of("that is not bad")
    assert "joy" in emotions_of("it is not as if I had expected any of this but I am happy")


def test_intensifiers_and_capitals_strengthen_and_diminishers_weaken() -> None:
    plain = emotions_of("it is nice")["admiration"]
    assert emotions_of("it is very nice")["admiration"] > plain
    assert emotions_of("it is NICE")["admiration"] > plain
    assert emotions_of("it is nice!")["admiration"] > plain
    assert emotions_of("it is kinda nice")["admiration"] < plain
    assert emotions_of("IT IS NICE")["admiration"] == plain


def test_several_words_add_up() -> None:
    assert (
        emotions_of("nice and lovely work")["admiration"] > emotions_of("nice work done")["admiration"] - 0.3
    )
    assert emotions_of("sad and lonely")["sadness"] > emotions_of("sad")["sadness"]


@given(st.text(max_size=120))
def test_any_text_gives_names_and_strengths_in_range(text: str) -> None:
    felt = emotions_of(text)
    assert set(felt) <= set(EMOTIONS) - {"neutral"}
    assert all(0.2 <= strength <= 1 for strength in felt.values())
    assert list(felt.values()) == sorted(felt.values(), reverse=True)


def test_every_entry_of_the_lexicon_can_be_met() -> None:
    for emotion, by_strength in LEXICON.items():
        for listed in by_strength.values():
            for entry in listed.split():
                assert emotion in emotions_of(entry.replace("_", " ") + "?"), (emotion, entry)


@pytest.mark.timed
def test_the_rules_are_fast_enough_for_ingest() -> None:
    texts = [
        f"Thanks, note {i} was really helpful but not very happy news about the harbour."
        for i in range(2_000)
    ]
    start = time.thread_time()
    for text in texts:
        emotions_of(text)
    assert len(texts) / (time.thread_time() - start) > 5_000
