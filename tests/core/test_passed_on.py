"""Who names from whom an order or an answer comes gives it; what others do elsewhere is what they say."""

from __future__ import annotations

import pytest

from engramforge.core.detection.traps import is_asserted, is_hearsay
from engramforge.core.registries.wording.passed_on import without_source


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("ok set the oven to 180, 200 burns it says the baker", "set the oven to 180, 200 burns it"),
        (
            "keep the delivery notes for 5 years according to compliance",
            "keep the delivery notes for 5 years",
        ),
        ("the skipper says 6 knots, make it that", "6 knots, make it that"),
        ("our hr says 40 days", "40 days"),
        ("purchasing wants 3, change it", "3, change it"),
        ("ines says she locks the yard herself", "she locks the yard herself"),
    ],
)
def test_an_order_or_an_answer_is_given_by_who_passes_it_on(said: str, own: str) -> None:
    assert without_source(said) == own
    assert is_asserted(said)


@pytest.mark.parametrize(
    "said",
    [
        "the bakery across the street says they use rye",
        "the manual says 180",
        "the weather app says 12 degrees",
        "the baker says the oven is broken",
        "he said 10 people came",
        "the guide says they keep bees",
        "legal says the other firm pays 10",
    ],
)
def test_what_others_do_or_a_text_says_is_hearsay(said: str) -> None:
    assert without_source(said) == said
    assert is_hearsay(said)
