"""What nobody sees in a text is told wherever somebody reads it, and letters' own signs stay."""

from __future__ import annotations

import json

import pytest

from engramforge.faces.cli.drawing import clean
from engramforge.faces.cli.output import say, shortened, show_json, show_table
from engramforge.model.fence import fenced, on_one_line, printable, shown
from engramforge.model.texts.visible import visible

ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
MEANT = [
    # A family, an astronaut, a rainbow flag, somebody who shrugs, a heart on fire, a key, the sign of a trade.
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 and \U0001f469\u200d\U0001f680",
    "\U0001f3f3\ufe0f\u200d\U0001f308, \U0001f937\U0001f3fd\u200d\u2640\ufe0f",
    "\u2764\ufe0f\u200d\U0001f525, 1\ufe0f\u20e3, \u00ae\ufe0f",
    # Persian, Hindi, Sinhala, Thai.
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0915\u094d\u200d\u0937, \u0d9a\u0dca\u200d\u0dbb, \u0e20\u0e32\u0e29\u0e32\u200b\u0e44\u0e17\u0e22",
    # Hebrew and Arabic with a mark of direction beside what has none; a letter of Japanese in a form of its own.
    "\u05e9\u05dc\u05d5\u05dd (abc)\u200e! \u05e2\u05dd 12\u200f",
    "\u0645\u0631\u062d\u0628\u0627\u061c.",
    "\u845b\U000e0100 \u304b\u3099 cafe\u0301",
    # A syllable of Korean without its first letter, and one without its vowel.
    "so \u115f\u1161, \u1100\u1160\u11ab",
]
UNSEEN = {
    "left \u202eright\u202c": "left \\u202eright\\u202c",
    "a\u2066b\u2069c\u2067d\u2068e\u202af\u202bg\u202d": "a\\u2066b\\u2069c\\u2067d\\u2068e\\u202af\\u202bg\\u202d",
    "pass\u200bword a\u2060b \ufeffc d\u2063e": "pass\\u200bword a\\u2060b \\ufeffc d\\u2063e",
    # A joiner that joins nothing.
    "ab\u200dc ab\u200cc": "ab\\u200dc ab\\u200cc",
    "\u200d\U0001f469 \U0001f469\u200d": "\\u200d\U0001f469 \U0001f469\\u200d",
    # More signs than a letter has, in which something can be hidden.
    "\U0001f600\ufe0f\ufe01\ufe02": "\U0001f600\ufe0f\\ufe01\\ufe02",
    "\u0645\u06cc\u200c\u200c\u062e": "\u0645\u06cc\u200c\\u200c\u062e",
    "\u05d0\u200f\u200e\u200f": "\u05d0\\u200f\\u200e\\u200f",
    # Marks of direction where nothing is written from the right.
    "abc\u200fdef\u200e": "abc\\u200fdef\\u200e",
    "x\u3164y\uffa0z\u180e\u2028": "x\\u3164y\\uffa0z\\u180e\\u2028",
    "a\u034fb c\u115fd e\u1160f \u1780\u17b4 g\u17b5": "a\\u034fb c\\u115fd e\\u1160f \u1780\\u17b4 g\\u17b5",
}


@pytest.mark.parametrize("text", MEANT, ids=ascii)
def test_signs_that_letters_need_stay(text: str) -> None:
    assert visible(text) == shown(text) == text
    assert printable(text) == clean(text) == text


def test_a_flag_stays_and_other_tags_are_told() -> None:
    assert visible(f"{ENGLAND} won") == f"{ENGLAND} won"
    assert visible("\U0001f3f4\U000e0061b") == "\U0001f3f4\\U000e0061b"
    assert visible("so \U000e0068\U000e0069") == "so \\U000e0068\\U000e0069"


@pytest.mark.parametrize("text", UNSEEN, ids=ascii)
def test_what_nobody_sees_is_told(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = UNSEEN[text]
    assert visible(text) == shown(text) == told
    assert told in fenced("head", text)
    assert printable(text) == told
    assert visible(told) == told, "it is told once"
    # JSON says the same in its own way, and loses nothing.
    show_json({"content": text})
    out = capsys.readouterr().out
    assert json.loads(out) == {"content": text}
    assert not set(out) & set("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def test_a_terminal_is_given_no_hyphen_that_it_may_draw_or_not(capsys: pytest.CaptureFixture[str]) -> None:
    text = "the gua\u00adrd \u05d0\u00ad\u05d1 3\u00ad4 \u00ad\u00ad"
    say(text)
    assert capsys.readouterr().out == "the guard \u05d0\u05d1 3\\xad4 \\xad\\xad\n"
    assert shortened("gua\u00adrd " * 9, 12) == "guard guard…"
    show_table(["word", "n"], [["a\u00adb", 1], ["cd", 2]])
    assert "ab    1" in capsys.readouterr().out
    # Whatever is no terminal has it.
    assert shown(text) == text
    show_json({"content": text})
    assert json.loads(capsys.readouterr().out) == {"content": text}


def test_control_characters_are_told_and_line_ends_stay() -> None:
    assert visible("a\x1b[2J\tb\nc\x85 \x9b1m\x00 \u00e9") == "a\\x1b[2J\tb\nc\\x85 \\x9b1m\\x00 \u00e9"
    assert visible("a\x1b[2J\tb\nc\x7f\r") == "a\\x1b[2J\tb\nc\\x7f\\x0d"


def test_a_text_is_not_cut_behind_a_joiner() -> None:
    crew = "\U0001f469\u200d\U0001f680" * 20
    for most in range(5, 30):
        assert "\\u" not in visible(on_one_line(crew, most))
