"""A text as it is seen: copies differ in line ends, blanks and what takes no room, and still say the same."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U000e0000-\U000e0fff]+"
)


def seen(text: str) -> str:
    """The text in NFC without hidden characters, every run of white space one blank, none at its ends."""
    plain = " ".join(text.split())
    if plain.isascii() and plain.isprintable():
        return plain
    return " ".join(unicodedata.normalize("NFC", _HIDDEN.sub("", text)).split())
