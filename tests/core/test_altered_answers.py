"""Answers that take a proposal in other words than a bare yes: altered, narrowed, said again, turned down"
" for another."""

from __future__ import annotations

import time

import pytest

from engramforge.core.detection.answers.altered import altered, may_rule_out, says_again
from engramforge.core.detection.answers.chosen import answered, may_name

HOLDS = "I'd let a booking hold for 20 minutes. OK?"
SCALE = "Then I'd scale them on arrival to 900 pixels and store AVIF, to save space. OK?"
LABELS = "I'd print the labels in Danish and Dutch, by the harbour."
OUT = "Two pages need no router. I'd leave Wouter out."
ADDS = "Rather not. I'd add Celery, so that jobs are tried again. Shall I?"
BOXES = "Both work. I'd only use crates that are there, as each new one costs."
STORE = (
    "There are two ways: MariaDB, which the host offers, or DuckDB, which is one file. Which one do you want?"
)


@pytest.mark.parametrize(
    ("turn", "answer", "text"),
    [
        (HOLDS, "yes", "let a booking hold for 20 minutes"),
        (HOLDS, "jo", "let a booking hold for 20 minutes"),
        (HOLDS, "yes but 40", "let a booking hold for 40 minutes"),
        (HOLDS, "do that, but 40 minutes, half of them walk", "let a booking hold for 40 minutes"),
        (HOLDS, "ok, make it an hour", "let a booking hold for an hour"),
        (HOLDS, "rather 10 minutes", "let a booking hold for 10 minutes"),
        (HOLDS, "fine, but only 5 min", "let a booking hold for 5 min"),
        (
            SCALE,
            "yes but 1400, the printers want detail",
            "scale them on arrival to 1400 pixels and store AVIF",
        ),
        (SCALE, "fine", "scale them on arrival to 900 pixels and store AVIF"),
        (LABELS, "only dutch", "print the labels in Dutch only rather than Danish"),
        (LABELS, "danish is enough, nobody reads dutch", "print the labels in Danish only rather than Dutch"),
        (OUT, "ok leave it out", "leave Wouter out"),
        (OUT, "yes, leave wouter out", "leave Wouter out"),
        (OUT, "sounds right", "leave Wouter out"),
        (BOXES, "agreed, those crates only", "only use crates that are there"),
        (BOXES, "yes, only those", "only use crates that are there, only those"),
        (ADDS, "nah, overkill. a shell script is enough", "shell script rather than Celery"),
        (ADDS, "no, too heavy - systemd timer please", "systemd timer rather than Celery"),
        (ADDS, "no, leave it out", "no Celery"),
        (ADDS, "no, we don't need it", "no Celery"),
        ("I'd use zstd for it. Shall I?", "yes", "zstd"),
        ("I'd use zstd for the dumps, it's fast.", "sounds good", "zstd for the dumps"),
        ("I'd use zstd for the dumps, it's fast.", "works for me", "zstd for the dumps"),
        ("I'd take Photon, as it knows the whole map.", "photon sounds right", "Photon"),
        ("I'd take Photon, as it knows the whole map.", "photon makes sense", "Photon"),
        (
            "Then I'd ship a unit file with three jobs: fetch, fold and post. OK?",
            "jo",
            "ship a unit file with three jobs:",
        ),
        (
            "I'd group the mails by boat, owner and week. OK?",
            "yes",
            "group the mails by boat, owner and week",
        ),
        (STORE, "duckdb", "DuckDB rather than MariaDB"),
        (STORE, "duckdb, its one host anyway", "DuckDB rather than MariaDB, its one host anyway"),
        ("MariaDB or DuckDB: which one do you want?", "duckdb", "DuckDB rather than MariaDB"),
        ("Should I take Mapnik or Leaflet?", "leaflet, we know it", "Leaflet rather than Mapnik, we know it"),
        ("We could add a chat.", "nope, no chat", "no chat"),
        ("I'd deploy with Kamal. OK?", "ok", "deploy with Kamal"),
    ],
)
def test_what_was_proposed_is_taken_as_it_is_answered(turn: str, answer: str, text: str) -> None:
    found = answered(turn, answer)
    assert found is not None and found.text.startswith(text)


@pytest.mark.parametrize(
    ("turn", "answer"),
    [
        (HOLDS, "yes but first look at the log"),
        (HOLDS, "40 failed"),
        (HOLDS, "no, 404"),
        (HOLDS, "no"),
        (LABELS, "only for now"),
        (LABELS, "only french"),
        (OUT, "leave me alone"),
        (OUT, "stop, look at the routes first"),
        (OUT, "nice"),
        (ADDS, "nah, overkill"),
        (ADDS, "nah, overkill. let me think"),
        (ADDS, "no, wait"),
        (STORE, "duckdb, it's what failed last time"),
        (STORE, "duckdb, we'll see"),
        (STORE, "duckdb, but let me ask first"),
        ("I'd use zstd for the dumps, it's fast.", "great, thanks"),
        ("I'd use zstd for the dumps, it's fast.", "cool"),
        ("I'd let it run over night. OK?", "yes"),
        ("I'd let the team know. OK?", "yes"),
        ("I'd let the tests finish. OK?", "yes"),
        ("I'd move them to the top. OK?", "yes"),
        ("I'd put it in a helper. OK?", "yes"),
        ("I'd save the file. OK?", "yes"),
        ("I'd deploy to production. OK?", "yes"),
        ("I'd add a button for that. Shall I?", "yes"),
        ("We could add a chat.", "nope, no idea"),
        ("We could run the tests.", "no, no tests please"),
        ("We could add a chat.", "nope, no phone"),
    ],
)
def test_what_is_none_of_these_decides_nothing(turn: str, answer: str) -> None:
    assert answered(turn, answer) is None


def test_what_points_to_a_matter_is_told_with_it() -> None:
    offer = "I'd use Jsonnet for it, it is small."
    told = answered(offer, "fine", "the boards want their settings in one place")
    assert told is not None and told.text == "Jsonnet (the boards want their settings in one place)"
    asked = answered(offer, "fine", "how do we write the settings?")
    assert asked is not None and asked.text == "Jsonnet for it (how do we write the settings?)"


def test_the_reason_of_an_altered_amount_is_kept() -> None:
    found = answered(HOLDS, "yes but 40, half of them walk")
    assert found is not None and found.rationale.endswith("half of them walk")


@pytest.mark.parametrize(
    ("thing", "answer"),
    [
        ("keep 3 copies for 10 days", "yes but 5"),
        ("keep dumps for 10 days", "yes but 2 tests fail"),
        ("start at 7:30", "yes but 8"),
        ("keep dumps for 10 days", "10 days"),
    ],
)
def test_an_amount_that_is_not_the_proposal_s_alters_nothing(thing: str, answer: str) -> None:
    assert altered(thing, answer) is None


def test_a_thing_ruled_out_must_have_been_spoken_of() -> None:
    found = answered("Easy, I'd add a switch.", "nope, no sounds", "what do you think of sounds?")
    assert found is not None and found.text == "no sounds (what do you think of sounds?)"
    assert may_rule_out("agreed, no sounds") and may_name("nope, no sounds")
    assert not may_rule_out("no sounds like a plan to me, really")


def test_long_answers_take_no_longer() -> None:
    begun = time.process_time()
    for answer in ("yes, " * 4_000, "but " * 4_000, "a and " * 4_000, "no, " * 4_000 + "no x", "1" * 20_000):
        altered("a, b and c " * 400, answer)
        says_again("leave it out", answer)
        may_rule_out(answer)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("thing", "answer", "text"),
    [
        (
            "a lock with a 30 minute timeout",
            "lock, but make the timeout 10",
            "a lock with a 10 minute timeout",
        ),
        (
            "drip lines with a spacing of 40 cm",
            "yes but set the spacing to 25, it's sand",
            "drip lines with a spacing of 25 cm",
        ),
        ("drip lines with a spacing of 40 cm", "sprinklers, but make the spacing 25", None),
        ("drip lines with a spacing of 40 cm", "yes, but make the slope 2", None),
        ("drip lines with a spacing of 40 cm", "yes, but make the spacing 25 inches", None),
    ],
)
def test_an_amount_is_set_anew_by_the_name_of_what_it_is_of(
    thing: str, answer: str, text: str | None
) -> None:
    new = altered(thing, answer)
    assert (new and new.text) == text


@pytest.mark.parametrize(
    ("turn", "answer", "text"),
    [
        (
            "For the names of the beds I'd suggest writing them as row and number, with the old name below. Okay?",
            "sounds good, do that",
            "writing the names of the beds as row and number",
        ),
        (
            "Should the board show trains that are late by 10 minutes in red?",
            "yes but 5 minutes",
            "by 5 minutes in red",
        ),
        ("Should empty crates be skipped?", "yes", "empty crates should be skipped"),
        ("Should the server be restarted?", "yes", None),
        ("Should the tests be skipped?", "yes", None),
        ("Should the log be shown now?", "yes", None),
    ],
)
def test_what_a_thing_is_asked_to_do_is_a_proposal(turn: str, answer: str, text: str | None) -> None:
    found = answered(turn, answer)
    assert (found is not None and text is not None and text in found.text) or (found is None and text is None)
