"""Which versions are supported, and which are turned away: "Android 9 and later", "older than Android 12 are blocked".

A range that is supported and one that is turned away must not meet; two that are supported for the same begin with the
same version.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.conflicts.matters.matter import is_same_matter, read_matter
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import KEPT
from engramforge.core.text.words import root_of, words_of

STRENGTH: Final = 0.65
_VERSION: Final = r"([A-Za-z][\w+#]{1,20}) v?(\d{1,4}(?:\.\d{1,4}){0,2})"
_FROM: Final = re.compile(rf"\b{_VERSION}(?:\+| (?:and|or) (?:later|newer|higher|above|up)\b)")
_BELOW: Final = re.compile(rf"(?i)\b(?:older than|earlier than|lower than|below|before) {_VERSION}\b")
_NAMED_BELOW: Final = re.compile(
    r"(?i)\b([a-z][\w+#]{1,20}) (?:versions? )?(?:older|earlier|lower) than (?:version )?"
    r"v?(\d{1,4}(?:\.\d{1,4}){0,2})\b"
)
_REFUSED: Final = re.compile(
    r"(?i)\b(?:block(?:ed|s)?|refuse[ds]?|reject(?:ed|s)?|unsupported|denied|forbidden|turned away|locked out"
    r"|(?:not|no longer) (?:supported|allowed|accepted|served))\b"
)


class Versions(NamedTuple):
    """A range of versions. `name`: of what. `first`: from which on, or before which where they are refused."""

    name: str
    first: tuple[int, ...]
    said: str
    is_refused: bool


@lru_cache(maxsize=KEPT)
def versions(text: str) -> Versions | None:
    """The range of versions that a text supports or refuses; None where it does neither.

    >>> versions("The app runs on iOS 13 and later.").first
    (13,)
    """
    if not any(map(str.isdigit, text)):
        return None
    below = _BELOW.search(text) or _NAMED_BELOW.search(text)
    if below is not None and _REFUSED.search(text):
        return _made(below, is_refused=True)
    found = None if _REFUSED.search(text) else _FROM.search(text)
    return None if found is None else _made(found, is_refused=False)


def _made(found: re.Match[str], *, is_refused: bool) -> Versions:
    first = tuple(map(int, found[2].split(".")))
    return Versions(found[1].lower(), first, found[0], is_refused)


def other_versions(text: str, other: str) -> Disagreement | None:
    """One refuses what the other supports, or supports for the same from another version on.

    >>> told = "The app runs on iOS 13 and later.", "Devices older than iOS 16 are refused."
    >>> other_versions(*told).why
    'iOS 13 and later against older than iOS 16'
    """
    mine, theirs = versions(text), versions(other)
    if mine is None or theirs is None or mine.name != theirs.name or (mine.is_refused and theirs.is_refused):
        return None
    if mine.is_refused is theirs.is_refused:
        of, of_other = (_about(each, found) for each, found in ((text, mine), (other, theirs)))
        is_against = mine.first != theirs.first and (
            of == of_other or is_same_matter(of, of_other, False, False)
        )
    else:
        supported, refused = (theirs, mine) if mine.is_refused else (mine, theirs)
        is_against = supported.first < refused.first
    told = f"{mine.said} against {theirs.said}"
    return Disagreement(Signal.NUMBER, told, STRENGTH) if is_against else None


def _about(text: str, found: Versions) -> frozenset[str]:
    return read_matter(text).about() - set(map(root_of, words_of(found.said)))
