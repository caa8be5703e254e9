"""Cutting long texts of records: never through a secret, since no rule would know its half for one."""

from __future__ import annotations

import re
from typing import Final

from engramforge.core.secrets.places import secret_places
from engramforge.core.secrets.service_tokens import tokens
from engramforge.writing.redact import may_hold_secret

_LOOKED_AT: Final = 1_000
"""Characters before and behind a cut that are looked through."""
_NAMED_BEFORE: Final = 100
"""Characters before a secret in which its name stands."""
_BLANKS: Final = " \n\t\r"
_PHRASE: Final = re.compile(r"(?i)pass|phrase|seed|mnemonic|recover|wallet|secret|pwd|kennw|clave|mot de")
"""What stands near a secret of several words."""
_KEY_CHARACTERS: Final = 100_000
"""No private key is longer."""


def cut(text: str, most: int) -> str:
    """The beginning of a text, of at most so many characters."""
    return text if len(text) <= most else text[: halved(text, most)[0]]


def halved(text: str, at: int) -> tuple[int, int]:
    """Begin and end of the secrets that a cut at this place would go through; the place itself, where it does not."""
    begin, end = _key_around(text, at)
    start, stop = _near(text, at)
    part = text[start:stop]
    if part and may_hold_secret(part):
        capitals = part.upper()
        # Ids of keys are in capitals, and remain readable in small letters.
        for found in (secret_places(part), tokens(capitals) if len(capitals) == len(part) else ()):
            for first, last, _ in found:
                if first < at - start < last:
                    begin, end = min(begin, start + first), max(end, start + last)
    return begin, end


def _near(text: str, at: int) -> tuple[int, int]:
    """What has to be looked through: the word that is cut with what names it; between words only what may be a phrase,
    since every long outcome of a tool is cut twice."""
    before, behind = text[max(at - _LOOKED_AT, 0) : at], text[at : at + _LOOKED_AT]
    first, last = len(before.rstrip()), len(behind) - len(behind.lstrip())
    if first == len(before) and last == 0:
        run = max((before.rfind(blank) for blank in _BLANKS), default=-1) + 1
        ends = [found for blank in _BLANKS if (found := behind.find(blank)) >= 0]
        return max(at - len(before) + run - _NAMED_BEFORE, 0), at + min(ends, default=len(behind))
    if _PHRASE.search(before[-_NAMED_BEFORE:] + behind[:_NAMED_BEFORE]):
        return max(at - 2 * _NAMED_BEFORE, 0), at + 2 * _NAMED_BEFORE
    return at, at


def _key_around(text: str, at: int) -> tuple[int, int]:
    """The private key around a place, or the place itself."""
    begin = text.rfind("-----BEGIN ", max(at - _KEY_CHARACTERS, 0), at + 10)
    if begin < 0 or begin >= at or text.find("-----END ", begin, at) >= 0:
        return at, at
    end = text.find("-----END ", at)
    line_end = text.find("\n", end) if end >= 0 else -1
    return begin, len(text) if line_end < 0 else line_end
