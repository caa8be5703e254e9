"""Cues: what the wording of a text shows that its lower-cased words no longer tell, as bits.

Computed once for every memory that is written and kept with its embedding; a few microseconds each.
"""

from __future__ import annotations

import re
from typing import Final

HAS_NUMBER: Final = 1
"""A digit, or a number written out."""
HAS_TIME: Final = 2
"""A date, or a word that places something in time."""
ASKS: Final = 4
"""Ends with a question."""
HAS_NAMES: Final = 8
"""A capitalised word inside a sentence."""
IS_HEADING: Final = 16
"""A short line without a sentence: a heading, or a label."""
HAS_PICTURE: Final = 32
"""A described photo or image."""
IS_FIRST_PERSON: Final = 64
"""Somebody speaks of themselves."""

_HEADING_WORDS: Final = 10
_PATTERNS: Final = (
    (HAS_NUMBER, re.compile(r"(?i)\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|once|twice|dozen)\b")),
    (
        HAS_TIME,
        re.compile(
            r"(?i)\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week|weekend|month|years?|recently|since|soon)\b"
        ),
    ),
    (HAS_NAMES, re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+")),
    (HAS_PICTURE, re.compile(r"(?i)\[(?:photo|image|picture)")),
    (IS_FIRST_PERSON, re.compile(r"\b(?:I|I'm|I've|[Mm]y|[Ww]e|[Oo]ur|me)\b")),
)


def cues_of(text: str, names_a_date: bool = False) -> int:
    """The bits of a text. `names_a_date`: whether core/text/dates has found a date in it."""
    stripped = text.rstrip()
    bits = HAS_TIME if names_a_date else 0
    for bit, pattern in _PATTERNS:
        if pattern.search(stripped):
            bits |= bit
    if stripped.endswith("?"):
        bits |= ASKS
    if _is_heading(stripped):
        bits |= IS_HEADING
    return bits


def _is_heading(text: str) -> bool:
    """Whether it is a few words on one line that end with a colon or without punctuation; list items do not count."""
    if "\n" in text or text.startswith(("-", "*")) or text.count(" ") + 1 > _HEADING_WORDS:
        return False
    ends_like_one = text.endswith((" .", ":")) or text.rstrip(" .:") == text
    return ends_like_one and not text.endswith(("!", "?", "]", ")"))
