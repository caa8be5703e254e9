"""A decision that is cut from its matter takes it from what was said before; any other is left as it is."""

from __future__ import annotations

import pytest

from engramforge.core.detection.matter.carried import is_cut, matter_before

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
