"""What answers report and turns order overtakes what was said of the same matter, and nothing else."""

import pytest

from engramforge.core.pointing.anchored import given_in, is_anchored
from engramforge.core.pointing.ordered import orders_another
from engramforge.core.pointing.pointed import chosen_name, pointed_in
from engramforge.core.pointing.reported import changed_by_reports, reports_another
from engramforge.model.registries.detection import Said

CHANGED = [
    (
        "prop says 6 is plenty",
        "Lowered the kiln ramp to 6 degrees per minute.",
        "kiln ramp is 9 degrees a minute",
    ),
    ("clay b then", "The test tiles use clay B now.", "test tiles: clay A"),
    ("hm ok sqlite", "Moved the catalogue to SQLite.", "the catalogue is in postgres"),
    ("tuesdays suit ilse better", "Deliveries go out on Tuesdays now.", "deliveries go out on fridays"),
    ("halve it", "Cut the batch size to 25 rows.", "batch of the importer is 50 rows"),
    ("yeah 4", "I have set the retries to 4.", "max 3 retries on the webhook"),
    ("the tide was too short, 15", "Tide alarm set to 15 minutes.", "alarm before the tide: 10 min"),
    ("kelp out, sand in", "Switched to sand.", "bedding of the tanks: kelp, 2 cm deep"),
    ("no, ochre", "Replaced umber with ochre.", "the hull is painted with umber"),
    ("call them T-01", "Tanks are numbered T-01 and up now.", "tanks get numbered 2026-01 and up"),
    ("the mayor wants an hour", "Set the tide alarm lifetime to 1 hour.", "the tide alarm lasts 3 hours"),
    ("triple that", "Crab pots may be 60 cm now.", "max crab pot 20 cm"),
    ("half of that", "Uploads may be 10 mb now.", "max upload 20 mb"),
    ("nah, back to lora", "Changed the typeface back to Lora.", "typeface is lora"),
]
NOT_CHANGED = [
    ("pytest for that", "Switched the test to pytest style.", "never skip a test on fridays"),
    ("pytest for that", "Switched the test to pytest style.", "test the gate before each release"),
    ("call them T-01", "Tanks are numbered T-01 and up now.", "the tank footer has the berth"),
    ("no wait, 45", "Set the tide alarm to 45 seconds.", "the fog alarm is 30 s"),
    ("no wait, 45", "Set the tide alarm to 45 seconds.", "the tide alarm is 45 s"),
    ("move the helper to utils", "Moved the helper to utils.ts.", "the helper for dates is in lib"),
    ("could we do 45?", "I would set the tide alarm to 45 seconds.", "the tide alarm is 30 s"),
    ("run it", "The tide alarm is 45 seconds now.", "the tide alarm is 30 s"),
    ("make it primary", "Switched the button to primary.", "buttons are green on the start page"),
    ("for today 15 please", "Set the tide alarm to 15 minutes.", "tide alarm: 10 min"),
    ("set the log level to debug", "Set the log level to debug.", "logs go to loki"),
    ("a map instead of the loop", "Replaced the loop with a map.", "the loop runs every 5 s"),
    ("get the build to 3 min", "Cut the build to 3 min.", "max upload takes 5 min"),
    ("bump lodash to 5", "Bumped lodash to 5.", "no more than 3 dependencies like lodash"),
]


@pytest.mark.parametrize(("turn", "answer", "earlier"), CHANGED)
def test_an_answer_reports_another_value(turn: str, answer: str, earlier: str) -> None:
    assert reports_another(turn, answer, earlier)


@pytest.mark.parametrize(("turn", "answer", "earlier"), NOT_CHANGED)
def test_an_answer_reports_nothing_of_it(turn: str, answer: str, earlier: str) -> None:
    assert not reports_another(turn, answer, earlier)


def test_a_value_may_be_given_back() -> None:
    said = [
        ("a", "make it 3", "Set the ebb alarm to 3 minutes."),
        ("b", "no wait, 5 was fine", "Set the ebb alarm to 5 minutes."),
    ]
    assert changed_by_reports(said, "the ebb alarm is 5 min") == ["a", "b"]
    again = [("b", "no wait, 5", "Set the ebb alarm to 5 minutes.")]
    assert changed_by_reports(again, "the ebb alarm is 5 min") == []


@pytest.mark.parametrize(
    ("turn", "earlier"),
    [
        ("the ramp is way too steep, 6", "kiln ramp is 9 degrees a minute"),
        ("switch the catalogue to sqlite", "the catalogue is in postgres"),
        ("move our deliveries to tuesdays", "deliveries go out on fridays"),
        ("karma is out, vitest is in", "we test with karma"),
        ("lower the batch size to 25 rows", "batch of the importer is 50 rows"),
    ],
)
def test_a_turn_orders_another_value(turn: str, earlier: str) -> None:
    assert orders_another(turn, earlier)


@pytest.mark.parametrize(
    ("turn", "earlier"),
    [
        ("move the button to the left", "the button is green"),
        ("change the header to sticky", "header is blue on all pages"),
        ("the tests are too slow, 3 of them", "tests run for 5 min"),
        ("log out, check in", "we log to loki"),
        ("move the helper to utils.py", "helper is in lib"),
        ("change the loop to a map", "the loop runs every 5 s"),
        ("should we change the flag to red?", "flag: green"),
    ],
)
def test_a_turn_orders_nothing_of_it(turn: str, earlier: str) -> None:
    assert not orders_another(turn, earlier)


def test_a_figure_behind_a_correction_is_no_name() -> None:
    assert [pointed_in(each) for each in ("no wait, 45", "wait no, 12 px")] == [None, None]
    given = [
        given_in(each) for each in ("no wait, 45", "nah, 5 was fine", "ok minio then", "no, 3 tests fail")
    ]
    assert [each and each.pointed.value for each in given] == ["45", "5", "minio", None]
    assert all(each.is_loose for each in given if each is not None)


def test_what_something_is_from_or_goes_to_is_its_name() -> None:
    said = ("sand from dune not quarry", "we deploy to hull", "sails are from elvstrom", "back from lunch")
    assert [chosen_name(each) for each in said] == ["dune", "hull", "elvstrom", ""]


@pytest.mark.parametrize(
    ("before", "answer", "is_it"),
    [
        ("kelp rots like hell", "Switched to sand.", True),
        ("kelp rots like hell", "Added sand.", False),
        ("does kelp need sand?", "Switched to sand.", False),
        ("crabs hide all day", "Switched to sand.", False),
    ],
)
def test_what_was_named_right_before_is_left_for_a_name(before: str, answer: str, is_it: bool) -> None:
    talk = (Said("Sand would stay clean.", "2", False), Said(before, "1", True))
    assert is_anchored("ok sand then", "we use kelp as the bedding", {"x"}, talk, answer) is is_it
