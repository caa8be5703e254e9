"""The ways to write one name: apart or together, by its last part, by the first name, with a slip of the fingers."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from engramforge.core.entities.name_words import NO_NAMES, OPENERS, PLACES
from engramforge.core.entities.naming import name_key
from engramforge.core.text.words import STOP_WORDS

LEAST_FOR_A_SLIP: Final = 5
"""Letters of a name in which a slip is forgiven; a digit is never one."""
DULL: Final = frozenset(STOP_WORDS | NO_NAMES | OPENERS | PLACES)
"""Words that name nothing by themselves, or not one person."""

# Not what \w leaves out: it would drop emoji, and the vowels of Hindi and Thai.
_LEFT_OUT: Final = re.compile(
    r"[\s!-\"$-*,-/:-@\[-`{-~\u00a1\u00ab\u00b7\u00bb\u00bf\u200b-\u206f\u3000-\u3003\u3008-\u3011\ufe0f]+"
)
_SIGNED: Final = re.compile(r"/[a-z][a-z0-9_-]{0,40}\Z|__[a-z0-9_]{1,40}__\Z")
"""A command or special name, which without its signs is a word of everyday: `/help`, `__init__`."""
_BETWEEN_DIGITS: Final = re.compile(r"(?<=\d)[\s_/:-]{1,3}(?=\d)")
_DECIMAL: Final = re.compile(r"(?<=\d)\.(?=\d)")
_KEPT: Final = (("\ue000", "."), ("\ue001", "-"))
"""Stand-ins of the signs between digits, which tell numbers apart."""
_LATIN_MARKS: Final = re.compile(r"(?<=[a-z])[\u0300-\u036f]+")
_PADDED: Final = re.compile(r"([a-z]{2,})0+([1-9]\d*)\Z")
_LEAST_PADDED: Final = 3
"""Digits of a number whose leading zeros say nothing: ADR-0012, and not host01."""
_PACKAGE: Final = re.compile(r"@[\w.-]+/([\w.-]+)\Z")
_FILE: Final = re.compile(r"(?:\A|.*/)([\w-][\w.-]*\.\w{1,8})\Z")
_FIRST_NAME: Final = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*\Z")
_LETTERS: Final = re.compile(r"[^\W\d_]+\Z")


def squeezed(name: str) -> str:
    """A name without what may be written or left out: case, accents, spaces, hyphens, dots, padding of a number.
    A command keeps its slash.

    >>> squeezed("RFC 7540"), squeezed("rfc-7540"), squeezed("C++"), squeezed("read_file.py"), squeezed("ADR-0012")
    ('rfc7540', 'rfc7540', 'c++', 'readfilepy', 'adr12')
    >>> squeezed("1.2"), squeezed("12"), squeezed("CVE 2024-3094"), squeezed("Zo\u00eb")
    ('1.2', '12', 'cve2024-3094', 'zoe')
    >>> squeezed("/help"), squeezed("__init__"), squeezed("src/app")
    ('/help', '__init__', 'srcapp')
    """
    key = name_key(name)
    if _SIGNED.match(key):
        return key
    if not key.isascii():
        key = unicodedata.normalize("NFC", _LATIN_MARKS.sub("", unicodedata.normalize("NFD", key)))
    if key.isalpha():
        return key
    dot, dash = _KEPT
    key = _BETWEEN_DIGITS.sub(dash[0], _DECIMAL.sub(dot[0], key))
    key = _LEFT_OUT.sub("", key).replace(*dot).replace(*dash)
    padded = _PADDED.match(key)
    if padded and len(key) - len(padded[1]) >= _LEAST_PADDED:
        return padded[1] + padded[2]
    return key


def last_part(name: str) -> str | None:
    """The last part of a file's path, or a package without its scope; None of anything else.

    >>> last_part("src/api/index.py"), last_part("@babel/core"), last_part("and/or")
    ('index.py', 'core', None)
    """
    key = name_key(name)
    if package := _PACKAGE.match(key):
        return package[1]
    file = _FILE.match(key)
    return file[1] if file else None


def is_end_of(short: str, path: str) -> bool:
    """Whether a path ends as another one does: api/index.py of src/api/index.py.

    >>> is_end_of("./api/Index.py", "src/api/index.py"), is_end_of("web/index.py", "src/api/index.py")
    (True, False)
    """
    ends, whole = (name_key(each).removeprefix("./").strip("/") for each in (short, path))
    return whole == ends or whole.endswith(f"/{ends}")


def first_name(name: str) -> str | None:
    """The first of a person's two or three names; None where it may be a word, or the name nobody's.

    >>> first_name("Melanie O'Neil"), first_name("Will Turner"), first_name("RFC 7540"), first_name("Melanie")
    ('melanie', None, None, None)
    """
    words = name_key(name).split()
    is_person = 1 < len(words) <= 3 and all(map(_FIRST_NAME.match, words)) and words[0] not in DULL
    return squeezed(words[0]) if is_person else None


def may_have_a_slip(key: str) -> bool:
    """Whether it is long enough, and of letters alone."""
    return LEAST_FOR_A_SLIP <= len(key) <= 40 and _LETTERS.match(key) is not None


@dataclass(slots=True)
class Slips:
    """Words, and which of them another may have been before one slip of the fingers.

    >>> words = Slips()
    >>> words.add(["kubernetes", "postgres", "poster"])
    >>> words.near("kuberntes"), words.near("postgers"), words.near("poste"), words.near("posted")
    ({'kubernetes'}, {'postgres'}, {'poster'}, {'poster'})
    """

    _words: set[str] = field(default_factory=set)
    _forward: list[str] = field(default_factory=list)
    """The words in order, and each turned round: how much of a word begins or ends any of them."""
    _backward: list[str] = field(default_factory=list)
    _letters: set[str] = field(default_factory=set)

    def add(self, words: Iterable[str]) -> None:
        """Take in words, those with room for a slip."""
        fresh = {word for word in words if may_have_a_slip(word)} - self._words
        self._words |= fresh
        self._letters.update(*(word for word in fresh if not word.isascii()))
        turned = [word[::-1] for word in fresh]
        for ordered, more in ((self._forward, fresh), (self._backward, turned)):
            if len(more) > _FEW:
                ordered.extend(more)
                ordered.sort()
            else:
                for word in more:
                    insort(ordered, word)

    def near(self, word: str) -> set[str]:
        """The words that it may have been: with a letter more, less, another, or two that changed places."""
        few = len(self._letters) <= _MOST_LETTERS
        letters = _ASCII if word.isascii() or not few else self._letters | _ASCII
        begins = _known_beginning(self._forward, word)
        least = len(word) - _known_beginning(self._backward, word[::-1]) - 2
        found: set[str] = set()
        for at in range(max(least, 0), begins + 1):
            before, after, rest = word[:at], word[at:], word[at + 1 :]
            ways = [before + letter + after for letter in letters]
            if after:
                ways += [before + rest, *(before + letter + rest for letter in letters)]
            if rest:
                ways.append(before + rest[0] + after[0] + rest[1:])
            found.update(way for way in ways if way in self._words)
        return found - {word}


_ASCII: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
_MOST_LETTERS: Final = 80
_FEW: Final = 64


def _known_beginning(ordered: list[str], word: str) -> int:
    """How many first letters of a word begin any of the words in order."""
    least, most = 0, len(word)
    while least < most:
        middle = (least + most + 1) // 2
        at = bisect_left(ordered, word[:middle])
        if at < len(ordered) and ordered[at].startswith(word[:middle]):
            least = middle
        else:
            most = middle - 1
    return least
