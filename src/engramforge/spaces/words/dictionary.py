"""The words of English, as pyspellchecker lists them: what is no typing error although no memory has it.

Some 160,000 words that films' subtitles use, with names of places. Its file has them in order, one a line, and is kept
as the text that it is: parsed, it would take ten times as long to read and as much memory.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from engramforge.errors import ModelUnavailable

_FILE: Final = Path("resources", "en.json.gz")
_BEGIN: Final = '\n"'


def is_real(word: str) -> bool:
    """Whether a lower-cased word is one of English, or the plural of one.

    >>> is_real("nanny"), is_real("tyres"), is_real("harbuor"), is_real("a"), is_real("zzzz")
    (True, True, False, True, False)
    """
    return _is_listed(word) or (word.endswith("s") and _is_listed(word[:-1]))


def _is_listed(word: str) -> bool:
    lines = _lines()
    last = lines.rfind(_BEGIN)
    place = bisect_left(range(last + 1), word, key=lambda place: _word_from(lines, place))
    return place <= last and _word_from(lines, place) == word


def _word_from(lines: str, place: int) -> str:
    """The first word that begins at a place or behind it."""
    begin = lines.index(_BEGIN, place) + len(_BEGIN)
    return lines[begin : lines.index('"', begin)]


@cache
def _lines() -> str:
    """Lines of a word, in quotation marks, and how often it is used."""
    found = find_spec("spellchecker")  # which takes longer to import than its file to read
    if found is None or not found.submodule_search_locations:
        raise ModelUnavailable("The words of English are not installed", "Install pyspellchecker")
    return gzip.decompress((Path(found.submodule_search_locations[0]) / _FILE).read_bytes()).decode()
