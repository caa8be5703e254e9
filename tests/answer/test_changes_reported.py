"""A setting that was changed is told with its change, as the answer to that reported it, in whatever words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.answer.test_injections import asked, started
from tests.answer.test_plainly_settled import talk

from engramforge.forge import Forge

SET = (
    ("bedding of the tanks: kelp, 2 cm deep", "OK."),
    ("the ebb alarm is 30 s", "Set the ebb alarm to 30 s."),
    ("tanks get numbered 2026-01 and up", "OK."),
    ("label footers have the berth", "OK."),
    ("we keep the catch lists for 30 days", "OK."),
    ("crab feed from norsk not from daltek", "Norsk."),
    ("buoy lamps: 100 flashes a minute", "OK."),
)
CHANGED = (
    ("kelp out, sand in", "Switched to sand."),
    ("whats the ebb alarm at?", "30 seconds."),
    ("no wait, 45", "Set the ebb alarm to 45 seconds."),
    ("how are the tanks numbered?", "2026-01 and up."),
    ("change that to T-01", "Tanks are numbered T-01 and up now."),
    ("the harbour master says thats too short", "How long should I keep the catch lists?"),
    ("90", "Catch lists are kept for 90 days now."),
    ("who is the crab feed from?", "Norsk."),
    ("no wait, havfisk", "Switched the crab feed to Havfisk."),
    ("double the flashes", "The buoy lamps flash 200 times a minute now."),
    ("fix the flaky gull test", "Fixed the gull test."),
)


@pytest.fixture(scope="module")
def pier(lasting: Callable[[], Forge]) -> Forge:
    forge = lasting()
    talk(forge, SET, "first")
    talk(forge, CHANGED, "second")
    return forge


@pytest.mark.parametrize(
    ("prompt", "old", "new"),
    [
        ("what bedding is in the tanks?", "bedding of the tanks: kelp", "sand in"),
        ("how long is the ebb alarm?", "alarm is 30 s", "45"),
        ("how are tanks numbered?", "numbered 2026-01", "T-01"),
        ("how long do we keep catch lists?", "for 30 days", "90"),
        ("who is the crab feed from?", "from norsk", "havfisk"),
    ],
)
def test_an_old_value_is_not_told_alone(pier: Forge, prompt: str, old: str, new: str) -> None:
    found = asked(pier, prompt, prompt)
    assert found is not None and new in found.text.replace("Havfisk", "havfisk")
    assert old not in found.text or found.text.index(new) < found.text.index(old)


def test_nor_does_it_hold_where_a_session_starts(pier: Forge) -> None:
    found = started(pier)
    assert found is not None and 'no wait, 45 (to: "the ebb alarm is 30 s")' in found.text
    assert "user] the ebb alarm is 30 s" not in found.text


def test_what_a_session_changed_is_told_after_its_compaction(em: Forge) -> None:
    talk(em, (("pump rounds are every 5 h", "OK."), ("we use kelp as the bedding", "OK.")), "first")
    talk(
        em,
        (
            ("how often are pump rounds?", "Every 5 hours."),
            ("set it to 3, the tanks get murky", "Set the pump rounds to 3 hours."),
            ("kelp rots like hell in the tanks, 40 crabs lost", "It does. Sand would stay clean."),
            ("ok sand then", "Switched to sand."),
            ("the new filter is in at tank 7, ilse did it this morning", "Great."),
        ),
        "now",
    )
    found = started(em, "compact")
    assert found is not None
    assert "Set the pump rounds to 3 hours." in found.text and "every 5 h" not in found.text
    assert "we use sand as the bedding" in found.text and "we use kelp" not in found.text
    assert "rots" not in found.text and "tank 7" not in found.text
