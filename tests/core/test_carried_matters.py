"""A decision that is cut from its matter takes it from what was said before; any other is left as it is."""

from __future__ import annotations

import pytest

from engramforge.core.detection.matter.carried import is_cut, matter_before, question_answered
from engramforge.core.detection.matter.corrected_within import with_correction
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection

CARRIED = (
    (
        "go with sqlite for it",
        "where do the sensor readings live? influx? nah, ",
        "where do the sensor readings live?",
    ),
    (
        "lets use ntfy for that, free",
        "we need a way to send the frost alarms",
        "we need a way to send the frost alarms",
    ),
    (
        "ok we use a toml file for it",
        "the watering schedule has to be stored somewhere.",
        "the watering schedule has to be stored somewhere",
    ),
    (
        "400ms it is",
        "the pump pulse is too long for the seedlings.",
        "the pump pulse is too long for the seedlings",
    ),
    ("we use leaflet for it, has zoom", "how do we draw the bed map?", "how do we draw the bed map?"),
    (
        "lets keep them in a drawer then",
        "the seed packets lie around everywhere",
        "the seed packets lie around everywhere",
    ),
    ("lets take influx", "which database for the readings?", "which database for the readings?"),
)
LEFT = (
    ("we use sqlite for the readings, put it in /data", "how do we store the plan of beds?"),
    ("lets use pytest for the firmware", "we need a test of the pump"),
    ("lets go with influx", "thanks! nice one."),
    ("lets go with influx", "the cat slept on the pump again"),
    ("take the raw readings and store them as parquet", "the pump pulse is too long"),
    ("lets use tabs", "run the seedling tests again. did the pump tests pass?"),
    ("we use ntfy for it (how do we send alarms?)", "where do the sensor readings live?"),
)


@pytest.mark.parametrize(("decision", "before", "matter"), CARRIED)
def test_what_a_decision_points_to_is_told(decision: str, before: str, matter: str) -> None:
    assert is_cut(decision)
    assert matter_before(decision, before) == matter


@pytest.mark.parametrize(("decision", "before"), LEFT)
def test_no_other_matter_is_told(decision: str, before: str) -> None:
    assert matter_before(decision, before) == ""


@pytest.mark.parametrize(
    ("said", "asked", "is_answer"),
    [
        ("both. the horn only in fog", "do we warn by horn or by lamp?", True),
        ("neither, we sort them by berth", "Fine. Sort them by name or by length?", True),
        ("ok the second one. never on sundays", "two rounds or one long one?", True),
        ("all of them - but the barge last", "which boats get paint?", True),
        ("the latter; mail only on fridays", "by mail or by phone?", True),
        ("both", "by mail or by phone?", False),
        ("both doors get paint. never the gate", "which doors get paint?", False),
        ("the horn only in fog", "do we warn by horn or by lamp?", False),
        ("both. the horn only in fog", "draw the horn and the lamp", False),
        ("the second test fails, fix it", "which test fails?", False),
    ],
)
def test_which_question_is_answered_first(said: str, asked: str, is_answer: bool) -> None:
    assert bool(question_answered(said, asked)) is is_answer


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "tag the crates a5. no wait a7, it prints only these",
            "tag the crates a5. no wait a7, it prints only these",
        ),
        ("tag the crates a5, no, sorry, a7", "tag the crates a5. no, sorry, a7"),
        ("tag the crates a5. scratch that, a7", "tag the crates a5. scratch that, a7"),
        ("tag the crates a5. wait for the printer", "tag the crates a5"),
        ("tag the crates a5. no crates in the hall", "tag the crates a5"),
        ("ok. tag the crates a5 please. then wait, no hurry", "tag the crates a5"),
    ],
)
def test_a_decision_is_kept_with_its_own_correction(text: str, kept: str) -> None:
    said = "tag the crates a5"
    kind, sure = Kind.DECISION, 0.9
    decided = Detection(kind=kind, sentence=said, rule="r", confidence=sure, text=said, status="active")
    assert [each.text for each in with_correction(text, [decided])] == [kept]
