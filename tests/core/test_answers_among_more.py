"""Answers to proposals that stand among more: an alternative behind them, a reason, a second step, another amount."""

from __future__ import annotations

from typing import Final

import pytest

from engramforge.core.detection.answers.chosen import answered

STAMP: Final = (
    "The old cards are in the cellar. For the loans I'd propose a coloured stamp with the return date, like BLUE-12. "
    "Or we print plain slips at the desk. What do you prefer?"
)
FLOAT: Final = (
    "For the tide gauge, I'd read the float every minute and drop the outliers. I could also store an hourly mean. "
    "Shall I take the first?"
)
ELO: Final = (
    "For the ranking I'd use the Elo formula first and then smooth by a mean. Shall I build it that way?"
)
CONCERTS: Final = (
    "Most people listen within a week, a few after a year. "
    "I could keep the recordings of concerts over 3 hours for good. Want that?"
)
SLIPS: Final = (
    "Eight litres a day. For the watering log we could read the probe's serial port every hour, or have the gardeners "
    "write a slip by the door. I'd read the port."
)
SCORES: Final = "I'd export both, a PDF and the MusicXML format, since the singers like PDF. Want both?"
ALARM: Final = (
    "Good, so the shed is dry. For the alarms I'd ring a buzzer in the shed, or we use a pager. "
    "A pager costs 9 euro a month. Which one?"
)
INVOICES: Final = "For the invoices I'd send a letter by post, or we use e-mail. Stamps are dear. Which one?"
WEEKS: Final = "While I'm at it: for the timetable I'd use ISO weeks internally and convert at the print. OK?"
CATALOGUE: Final = (
    "About 900. For searching the catalogue I'd suggest Solr with facets, since people browse; "
    "Meilisearch would do too at this size. Which one should I set up?"
)
ALLERGENS: Final = (
    "Flour dust is everywhere. I could also print the allergens on every label. Do you want that?"
)
ROOF: Final = "For the roof I'd take slate, or we use tin. Tin is loud. Which one?"


@pytest.mark.parametrize(
    ("turn", "answer", "text", "others"),
    [
        (STAMP, "first one, kids lose the slips", "coloured stamp with the return date", "plain slips at the desk"),
        (STAMP, "the first", "coloured stamp with the return date", "plain slips at the desk"),
        (STAMP, "second please", "print plain slips at the desk", "coloured stamp"),
        (STAMP, "slips", "print plain slips at the desk", "coloured stamp"),
        (FLOAT, "go", "read the float every minute and drop the outliers", ""),
        (FLOAT, "yes", "read the float every minute and drop the outliers", ""),
        (FLOAT, "the second, nobody looks at minutes", "store an hourly mean", "read the float every minute"),
        (ELO, "yes", "Elo formula first and then smooth by a mean", ""),
        (
            ELO,
            "yeah do it that way, but keep the raw points beside it",
            "Elo formula first and then smooth by a mean, but keep the raw points beside it",
            "",
        ),
        (CONCERTS, "yes please, but 2 rather than 3", "the recordings of concerts over 2 hours for good", ""),
        (CONCERTS, "yes but 4 instead of 3", "keep the recordings of concerts over 4 hours for good", ""),
        (CONCERTS, "yes please", "keep the recordings of concerts over 3 hours for good", ""),
        (ALLERGENS, "sure", "print the allergens on every label", ""),
        (SLIPS, "nah, slips. the probe is not ours", "have the gardeners write a slip by the door", "read the probe"),
        (SLIPS, "slips please", "have the gardeners write a slip by the door", "read the probe"),
        (SLIPS, "no, let the gardeners write", "have the gardeners write a slip by the door", "read the probe"),
        (SLIPS, "writing, its cheaper", "have the gardeners write a slip by the door", "read the probe"),
        (SCORES, "just the pdf one", "PDF only", "MusicXML format"),
        (SCORES, "only musicxml", "MusicXML", "PDF"),
        (SCORES, "both", "a PDF and the MusicXML format", ""),
        (ALARM, "pager, the shed is too far", "pager", "ring a buzzer in the shed"),
        (ALARM, "buzzer", "ring a buzzer in the shed", "pager"),
        (INVOICES, "email, we're broke", "e-mail", "send a letter by post"),
        (INVOICES, "letter please", "send a letter by post", "e-mail"),
        (WEEKS, "ok, iso weeks", "ISO weeks internally and convert at the print", ""),
        (WEEKS, "iso weeks", "ISO weeks internally and convert at the print", ""),
        (CATALOGUE, "meilisearch, its 900 books only", "Meilisearch", "Solr with facets"),
        (CATALOGUE, "solr", "Solr with facets", ""),
        (ROOF, "slate. nobody sleeps under tin", "slate", "tin"),
        (ROOF, "tin, its the shed after all", "tin", "slate"),
    ],
)  # fmt: skip
def test_an_answer_takes_what_it_names(turn: str, answer: str, text: str, others: str) -> None:
    found = answered(turn, answer, "")
    assert found is not None
    taken, _, left = found.text.partition(" rather than ")
    assert text in found.text
    assert others in left and (not others or others not in taken)


@pytest.mark.parametrize(
    ("turn", "answer"),
    [
        ("I could look at the pump's logs. Want that?", "yes please"),
        ("I could rerun the import. Want that?", "yes"),
        ("I could explain how the valve works. Do you want that?", "sure"),
        ("Most visitors come on Sundays. Want to see the numbers?", "yes"),
        ("The import ran through: 320 rows, all with a date.", "go"),
        ("I'd run the tests first, or I could push now. Shall I?", "go"),
        ("I printed both, the PDF and the MusicXML file.", "just the pdf one"),
        (STAMP, "yes"),
        (STAMP, "not sure yet"),
        (STAMP, "first, show me the stamps"),
        (STAMP, "first I need to ask the kids"),
        (STAMP, "the first was lost yesterday"),
        (STAMP, "the third"),
        (ROOF, "yes"),
        (ROOF, "neither"),
        (ROOF, "let me ask Jon first"),
        (SLIPS, "nah, later. the probe is off"),
        (SLIPS, "nah"),
        (SCORES, "just a moment"),
        (INVOICES, "email him first"),
    ],
)
def test_what_takes_nothing_decides_nothing(turn: str, answer: str) -> None:
    assert answered(turn, answer, "") is None
