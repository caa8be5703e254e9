"""A text as it is read: copies differ in line ends, blanks, hidden characters, typography, and still say the same."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U000e0000-\U000e0fff]+"
)
_QUOTE: Final = re.compile(
    '["`\u00ab\u00b4\u00bb\u02b9-\u02bd\u02ca\u02cb\u02ee\u2018-\u201f\u2032-\u2037\u2039\u203a\u2057\u275b-\u2760'
    "\u276e\u276f\u2e42\u300c-\u300f\u301d-\u301f\ufe41-\ufe44\uff02\uff07\uff40\uff62\uff63\U0001f676-\U0001f678]"
)
_DASH: Final = re.compile(
    "[\u02d7\u058a\u2010-\u2015\u2043\u2212\u2796\u2e3a\u2e3b\u301c\u3030\ufe31\ufe32\ufe58\ufe63\uff0d]"
)
_RUNS: Final = tuple((sign, re.compile(f"{sign}[ {sign}]+")) for sign in "'-")
_ENDING: Final = "!?:;,.%)"


def seen(text: str) -> str:
    """The text in NFC without hidden characters, every run of white space one blank, none at its ends."""
    plain = " ".join(text.split())
    if plain.isascii() and plain.isprintable():
        return plain
    return " ".join(unicodedata.normalize("NFC", _HIDDEN.sub("", text)).split())


def alike(text: str) -> str:
    """What typographic variants of a text share: `seen`, in NFKC, with one sign for all quotation marks and one for all
    dashes, neither with blanks around, and no blank before a mark that ends something."""
    plain = seen(text)
    if plain.isascii():
        plain = plain.replace('"', "'").replace("`", "'")
    else:
        # Before NFKC, which takes an acute accent used as a quotation mark apart.
        plain = _DASH.sub("-", _QUOTE.sub("'", plain))
        plain = " ".join(unicodedata.normalize("NFKC", plain).split())
    for sign, run in _RUNS:
        plain = run.sub(sign, plain.replace(f" {sign}", sign))
    for mark in _ENDING:
        plain = plain.replace(f" {mark}", mark)
    return plain
