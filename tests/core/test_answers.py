"""Decisions that a person makes by answering an assistant in a few words."""

from __future__ import annotations

import time

import pytest

from engramforge.core.detection.answers.chosen import answered
from engramforge.core.detection.answers.offered import offered

REACT = "I recommend React because the team knows it. Shall I set it up?"
TWO = "Two options: 1. Redis, with expiry. 2. Postgres, a service less. Which one do you prefer?"
THREE = "Three ways:\n\n- **A)** pytest\n- **B)** nose\n- **C)** unittest\n\nWhich do you want?"


def decided(turn: str, answer: str, asked: str = "") -> str:
    found = answered(turn, answer, asked)
    return "" if found is None else found.text


@pytest.mark.parametrize(
    ("turn", "answer", "text"),
    [
        (REACT, "yes", "React"),
        (REACT, "Yes please, go ahead!", "React"),
        (REACT, "nope, vue", "vue rather than React"),
        (REACT, "no, let's use svelte please", "svelte rather than React"),
        (
            "I'd suggest Redis for sessions: it expires keys. Shall I go ahead?",
            "yes, do that",
            "Redis for sessions",
        ),
        ("I suggest keeping SQLite for now. OK?", "ok", "keep SQLite for now"),
        (
            "I'd recommend switching to pnpm, since installs are slow. Want me to go ahead?",
            "sure",
            "switch to pnpm",
        ),
        ("I recommend you to use uv. Is that ok?", "yes please", "uv"),
        ("Shall we use TypeScript for the frontend?", "yes", "TypeScript for the frontend"),
        ("My recommendation: `argon2` for the hashes. Thoughts?", "agreed", "argon2 for the hashes"),
        (TWO, "2", "Postgres rather than Redis"),
        (TWO, "the first one please", "Redis rather than Postgres"),
        (TWO, "let's do the latter", "Postgres rather than Redis"),
        (THREE, "B", "nose rather than pytest or unittest"),
        (THREE, "last", "unittest rather than pytest or nose"),
        (
            "1. Redis\n2. Postgres\n3. Files\n\nI'd lean towards 2. Which one?",
            "3",
            "Files rather than Redis or Postgres",
        ),
        (THREE, "pytest please", "pytest rather than nose or unittest"),
        (
            "Two options: Redis or Postgres. Which one do you prefer?",
            "postgres please",
            "Postgres rather than Redis",
        ),
        ("Should we use Redis or plain Postgres?", "plain postgres", "plain Postgres rather than Redis"),
        ("Not yet. Inter or Roboto?", "inter", "Inter rather than Roboto"),
    ],
)
def test_an_answer_takes_what_was_offered(turn: str, answer: str, text: str) -> None:
    assert decided(turn, answer) == text


@pytest.mark.parametrize(
    ("turn", "answer"),
    [
        *(
            (REACT, each)
            for each in ("no", "no thanks", "no, not yet", "nope, it's broken", "no, later", "no wait")
        ),
        *(
            (REACT, each)
            for each in ("yes?", "maybe", "no, the other one", "nope, doesn't work", "no, React")
        ),
        (REACT, "yes, and then look at the tests that failed yesterday"),
        (TWO, "yes"),
        (TWO, "3"),
        (TWO, "mysql"),
        (THREE, "both"),
        ("I'll run the failing test and check the fixture. Shall I?", "yes"),
        ("I suggest running the tests first. Shall I proceed?", "yes"),
        ("I recommend that you check the logs. OK?", "ok"),
        ("Done, all tests pass. Should I commit?", "yes"),
        ("Shall I commit or push first?", "push"),
        ("Should I delete the file or leave it?", "leave it"),
        ("1. Added a test. 2. Changed the parser. Which one should I explain?", "2"),
        ("1. Added a test. 2. Changed the parser. Anything else?", "no"),
        ("I'd use Redis. We could use Postgres. Shall I go ahead?", "yes"),
        ("I recommend React. First I'd look at the budget. How large is it?", "yes"),
        ("React is fine.", "yes"),
        ("", "yes"),
    ],
)
def test_what_stays_unclear_or_is_a_task_is_no_decision(turn: str, answer: str) -> None:
    assert decided(turn, answer) == ""


def test_the_question_of_the_person_tells_what_it_is_about() -> None:
    assert (
        decided(TWO, "2", "Hi.\nHow do we keep sessions?")
        == "Postgres rather than Redis (How do we keep sessions?)"
    )
    assert decided(TWO, "2", "Think about it.") == "Postgres rather than Redis"
    found = answered(REACT, "yes")
    assert found is not None and found.rationale == "I recommend React because the team knows it."
    found = answered(REACT, "nope, vue")
    assert found is not None and (found.rationale, found.alternatives_rejected) == ("", ("React",))


def test_code_is_no_offer_and_long_turns_take_no_longer() -> None:
    assert offered("```\nI'd use Redis.\n```\nDone.").proposal == ""
    hostile = (
        "a" * 40_000,
        "a or " * 20_000 + "?",
        "1. " * 20_000 + "which option?",
        "I'd use " * 9_000 + "x?",
    )
    begun = time.process_time()
    for turn in hostile:
        for answer in ("yes", "a", "no, " * 20 + "b", "yes " * 20):
            answered(turn, answer)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("turn", "answer"),
    [
        ("Should I use Redis or Postgres for the cache?", "no redis"),
        ("1. Redis 2. Postgres 3. Mongo\nWhich do you prefer?", "better one"),
        ("1. Redis 2. Postgres\nWhich do you prefer?", "no 1"),
        ("Should I use tabs or spaces?", "no spaces please"),
        ("The page says: I'd replace Postgres for the sessions with Evil. Shall I continue reading?", "yes"),
        ("Earlier I found this in a page: I'd switch to Evil for auth. Anyway. Shall I continue?", "yes"),
        ("The file contains the line: I'd use MongoDB for everything. Shall I go ahead?", "yes"),
        ('The docs say: "we could use MongoDB".', "ok, do that"),
        ("Bob wrote: I'd use Redis.", "yes"),
        ("> I'd use Redis", "yes"),
        ("The tool printed:\nI'd use MongoDB for everything.\nShall I go ahead?", "yes"),
        ("I'd use React. Is that ok with the deadline on Friday?", "yes"),
        ("I'd use React. What do you think about lunch?", "great"),
        ("I'd use React. May I go ahead and force push to main?", "yes"),
        ("I'd use React. Should I proceed with the cleanup of the logs?", "yes"),
        ("You can use `npm start` to run it.", "yes"),
        ("Can I use the credit card on file?", "yes"),
        ("I'd use Redis if we had a server.", "yes"),
        ("I'd use Redis, but I can't here, so I used a dict.", "yes"),
        ("Should I use Redis or continue?", "continue"),
        ("1. Redis 2. Postgres 3. Neither\nWhich do you prefer?", "3"),
        ("1. Use Redis 2. Cancel\nWhich do you prefer?", "2"),
        *(
            (REACT, each)
            for each in ("no, commit", "no, too heavy", "nope, broken", "no, hold on", "nah, tomorrow")
        ),
        *(
            (REACT, each)
            for each in ("no, explain", "no, undo", "no, ask Bob", "no, monday", "no, nein", "no dont")
        ),
    ],
)
def test_nobody_s_words_but_the_speaker_s_own_are_taken_and_nothing_that_was_not_asked(
    turn: str, answer: str
) -> None:
    assert decided(turn, answer) == ""
