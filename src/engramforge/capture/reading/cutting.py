"""Cutting long texts of records: never through a secret, since no rule would know its half for one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engramforge.core.secrets.places import secret_places
from engramforge.core.secrets.service_tokens import tokens
from engramforge.core.text.layers import views
from engramforge.writing.redact import may_hold_secret

_LOOKED_AT: Final = 1_000
"""Characters of the longest word that is looked through on each side of a cut."""
_AROUND: Final = 120
"""Characters around such a word in which its name stands, or the rest of a phrase."""
_NEAR: Final = 100
"""A secret that ends or begins this near to a cut may only be known by what is cut off."""
_WORD_CHARACTERS: Final = 24
_SHORTEST: Final = 8
"""Characters of the shortest word that may be a secret by itself."""
_BLANKS: Final = " \n\t\r"
_NAME: Final = re.compile(
    r"(?i)pass|phrase|seed|mnemonic|recover|wallet|secret|pwd|token|_key|auth|bearer|curl |kennw|clave|mot de"
)
"""What stands near a secret of several words, or one that is apart from its name."""
_KEY_CHARACTERS: Final = 100_000
"""No private key is longer."""


def cut(text: str, most: int) -> str:
    """The beginning of a text, of at most so many characters."""
    return text if len(text) <= most else text[: halved(text, most)[0]]


def halved(text: str, at: int) -> tuple[int, int]:
    """Where to cut instead: the end of what stays before, and the begin of what stays behind.

    It goes through no word, and leaves out the secrets that it would go through, or whose name it would cut off. Since
    every long outcome of a tool is cut twice, a plain word is not looked through.
    """
    begin, end = _key_around(text, at)
    before, behind = text[max(at - _LOOKED_AT, 0) : at], text[at : at + _LOOKED_AT]
    first = max((before.rfind(blank) for blank in _BLANKS), default=-1) + 1
    last = min((found for blank in _BLANKS if (found := behind.find(blank)) >= 0), default=len(behind))
    word = before[first:] + behind[:last] if first < len(before) and last else ""
    is_plain = word.isascii() and word.isalpha() and len(word) <= _WORD_CHARACTERS
    if word and is_plain:
        begin, end = min(begin, at - len(before) + first), max(end, at + last)
    if (len(word) >= _SHORTEST and not is_plain) or _NAME.search(before[-_NEAR:] + behind[:_NEAR]):
        # No word is looked through by half either.
        start, stop = max(at - len(before) + first - _AROUND, 0), at + last + _AROUND
        start -= len(text[max(start - _LOOKED_AT, 0) : start].split(" ")[-1])
        stop += len(text[stop : stop + _LOOKED_AT].split(" ")[0])
        for one, other in _secrets(text[start:stop]):
            if start + one < at + _NEAR and start + other > at - _NEAR:
                begin, end = min(begin, start + one), max(end, start + other)
    return begin, end


def _secrets(part: str) -> Iterator[tuple[int, int]]:
    if not may_hold_secret(part):
        return
    capitals = part.upper()
    # Ids of keys are in capitals, and remain readable in small letters.
    for begin, end, _ in tokens(capitals) if len(capitals) == len(part) else ():
        yield begin, end
    for view in views(part):
        for begin, end, _ in secret_places(view.text):
            yield view.span(begin, end)


def _key_around(text: str, at: int) -> tuple[int, int]:
    """The private key around a place, or the place itself."""
    begin = text.rfind("-----BEGIN ", max(at - _KEY_CHARACTERS, 0), at + 10)
    if begin < 0 or begin >= at or text.find("-----END ", begin, at) >= 0:
        return at, at
    end = text.find("-----END ", at)
    line_end = text.find("\n", end) if end >= 0 else -1
    return begin, len(text) if line_end < 0 else line_end
