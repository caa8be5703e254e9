"""Which known names a question means, however it writes them.

    question -> its words and names -> exact, squeezed, last part, first name, one slip -> known names

A name is the same written apart or together (RFC 7540, rfc-7540); a file is meant by its last part, a package with or
without its scope, a person by the first name where only one has it; a longer name also with one slip of the fingers.
Source: spec chapter 5, "Retrieval by intention".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engramforge.core.entities.naming import READ_CHARACTERS, entities_in, name_key
from engramforge.core.entities.spellings import (
    DULL,
    Slips,
    first_name,
    is_end_of,
    last_part,
    may_have_a_slip,
    squeezed,
)
from engramforge.core.names.given_names import GIVEN_NAMES
from engramforge.core.text.words import without_unseen

LONGEST_WORDS: Final = 8
"""Words of a name that is looked for in a question."""
READ_WORDS: Final = 400
MOST_FOUND: Final = 16
MOST_SLIPS: Final = 16
"""Unknown names of a question that are looked for with a slip; each costs some hundred look-ups."""
_TOKEN: Final = re.compile(
    r"[^\s,;!?()\[\]{}<>\"\u201c\u201d\u00ab\u00bb`|=*\u2026\u3000-\u3003\uff01\uff0c\uff1f]+"
)
_OUTER: Final = ".,;:!?'\"\u2019/-"
_POSSESSIVE: Final = re.compile(r"['\u2019]s\Z")
_CALLED: Final = GIVEN_NAMES - {
    *("bill", "don", "frank", "jack", "max", "nick", "per", "rob", "robin", "rune", "sue", "till", "wolf")
}
"""First names that are hardly anything else, so that somebody is meant in lower case, too."""
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]{2,64}")
"""A run of a script that is written without spaces."""
_LONGEST_UNSPACED: Final = 12


Seen = Callable[[Collection[str]], Collection[str]]
"""Names -> those of them that somebody may see."""


class Meant(NamedTuple):
    """A known name that a question means. `name`: as it is known. `said`: as the question says it. `spelt`: how that is
    rightly spelt, where a slip is all that it is known by; else empty."""

    name: str
    said: str
    spelt: str = ""


Names = dict[str, list[str]]
"""Names by what they are looked up by."""


class _Said(NamedTuple):
    text: str
    is_name: bool
    """Whether it is written as a name, so that what is near to it may be meant."""


@dataclass(slots=True)
class KnownNames:
    """An index of names, to which more may be added at any time.

    >>> known = KnownNames()
    >>> known.add(["rfc 7540", "src/http/frame.py", "@babel/core", "melanie smith", "kubernetes"])
    >>> [each.name for each in known.meant("Does frame.py follow RFC7540, as Melanie said of Kubernets?")]
    ['src/http/frame.py', 'rfc 7540', 'melanie smith', 'kubernetes']
    """

    _exact: Names
    _last: Names
    _first: Names
    _slips: Slips

    def __init__(self) -> None:
        self._exact, self._last, self._first = {}, {}, {}
        self._slips = Slips()

    def add(self, names: Iterable[str]) -> None:
        """Take in names, each once."""
        words: list[str] = []
        for name in names:
            key = squeezed(name)
            if not key or name in self._exact.get(key, ()):
                continue
            self._exact.setdefault(key, []).append(name)
            words.append(key)
            if (part := last_part(name)) is not None and squeezed(part) != key:
                self._last.setdefault(squeezed(part), []).append(name)
            if (called := first_name(name)) is not None:
                self._first.setdefault(called, []).append(name)
                words.append(called)
        self._slips.add(words)

    def meant(self, question: str, seen: Seen | None = None) -> list[Meant]:
        """The known names that a question means, in its order, each once; at most 16.

        `seen`: which of some names whoever asks may see. The others are as if they were not known: they make no first
        name ambiguous, are no nearer to a slip, and take no room. None: all are seen.
        """
        question = without_unseen(question)
        asked: set[str] = set()
        hidden: set[str] = set()
        while True:
            looked: set[str] = set()
            exact, last, first = (
                _Looked(names, hidden, looked) for names in (self._exact, self._last, self._first)
            )
            found = _Asking(exact, last, first, self._slips).meant(question)
            fresh = looked - asked
            gone = fresh - set(seen(fresh)) if seen is not None and fresh else set()
            if not gone:
                return found
            # Without them the question may mean others, which were not looked at so far.
            asked |= fresh
            hidden |= gone


@dataclass(frozen=True, slots=True)
class _Looked:
    """Names by a key, without those that are hidden; `looked`: notes all that were looked at."""

    names: Mapping[str, list[str]]
    hidden: Collection[str]
    looked: set[str]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and bool(self.get(key))

    def get(self, key: str) -> list[str]:
        found = self.names.get(key)
        if not found:
            return []
        self.looked.update(found)
        return [name for name in found if name not in self.hidden] if self.hidden else found


@dataclass(frozen=True, slots=True)
class _Asking:
    """What a question means, of some names."""

    _exact: _Looked
    _last: _Looked
    _first: _Looked
    _slips: Slips

    def meant(self, question: str) -> list[Meant]:
        found: dict[str, Meant] = {}
        slips = MOST_SLIPS
        for said in _said_in(question, self._exact, self._first):
            names, spelt = self._names_of(said), ""
            if not names and said.is_name and slips and may_have_a_slip(key := squeezed(said.text)):
                slips -= 1
                names, spelt = self._slipped(key)
            for name in names:
                found.setdefault(name, Meant(name, said.text, spelt))
            if len(found) >= MOST_FOUND:
                break
        # Part of a name with a slip in the rest of it is no name of its own.
        slipped = [set(each.name.split()) for each in found.values() if each.spelt]
        told = (each for each in found.values() if not any(set(each.name.split()) < own for own in slipped))
        return list(told)[:MOST_FOUND]

    def _names_of(self, said: _Said) -> list[str]:
        key = squeezed(said.text)
        part = last_part(said.text)
        exact = self._exact.get(key)
        by_part = self._last.get(key) if exact or part is not None or said.is_name else []
        if exact or by_part:
            return [*exact, *by_part]
        if part is not None:
            return self._by_part(said.text, part)
        return self._called(key) if said.is_name else []

    def _by_part(self, said: str, part: str) -> list[str]:
        """A path in full of a file that is known by less of it, or the other way round; a package with the scope that
        others leave out.
        """
        names = (*self._exact.get(squeezed(part)), *self._last.get(squeezed(part)))
        if said.startswith("@"):
            return [name for name in names if not name.startswith("@")]
        return [name for name in names if is_end_of(said, name) or is_end_of(name, said)]

    def _called(self, first: str) -> list[str]:
        """The one person of a first name; empty where several have it, or nobody."""
        called = self._first.get(first)
        return called if len(called) == 1 else []

    def _slipped(self, key: str) -> tuple[list[str], str]:
        """The name with one slip, and what was to be written; none where two have it."""
        near = {word for word in self._slips.near(key) if word in self._exact or word in self._first}
        if len(near) != 1:
            return [], ""
        (word,) = near
        exact = self._exact.get(word)
        return (exact, exact[0]) if exact else (self._called(word), word)


def rightly_spelt(question: str, meant: Iterable[Meant], is_written: Callable[[Meant], bool]) -> str:
    """A question with the names that it means as they are spelt. `is_written`: whether something says one as the
    question does, so that it is no slip.

    >>> meant = [Meant("melanie smith", "Melanei", "melanie"), Meant("anna", "Anna")]
    >>> rightly_spelt("who is Melanei's dog, Anna?", meant, lambda name: False)
    "who is Melanie's dog, Anna?"
    """
    for each in meant:
        if each.spelt and not is_written(each):
            is_named = each.said[:1].isupper()
            spelt = (
                " ".join(word[:1].upper() + word[1:] for word in each.spelt.split())
                if is_named
                else each.spelt
            )
            question = re.sub(rf"(?<!\w){re.escape(each.said)}(?!\w)", spelt.replace("\\", r"\\"), question)
    return question


def _said_in(question: str, exact: Container[str], first: Container[str]) -> Iterator[_Said]:
    """What may be a name in a question, in its order: the longest known runs of words, and what is written as one."""
    question = question[:READ_CHARACTERS]
    tokens = list(_TOKEN.finditer(question))[:READ_WORDS]
    words = [each[0].strip(_OUTER) for each in tokens]
    named = sorted((each.start, each.end, each.name) for each in entities_in(question))
    covered = at_name = 0
    for at, token in enumerate(tokens):
        begin, end = token.span()
        if at < covered or not words[at]:
            continue
        if run := _known_run(words, at, exact):
            if longer := _begins(named, begin, tokens[at + len(run) - 1].end()):
                yield _Said(longer, is_name=True)
            yield _Said(" ".join(run), is_name=True)
            covered = at + len(run)
            continue
        while at_name < len(named) and named[at_name][1] <= begin:
            at_name += 1
        inside = named[at_name][2] if at_name < len(named) and named[at_name][0] < end else None
        is_code = inside is not None and question[begin - 1 : begin] == "`"
        if inside is not None and begin <= named[at_name][0] and (is_code or not _is_dull(words[at])):
            yield _Said(inside, is_name=True)
            for word in inside.split() if " " in inside else ():
                yield _Said(word, is_name=word[:1].isupper() and not _is_dull(word))
        elif last_part(words[at]) is not None:
            yield _Said(words[at], is_name=False)
        elif words[at][:1].isupper() and not _is_dull(words[at]):
            yield _Said(words[at], is_name=True)
        elif (called := _POSSESSIVE.sub("", words[at])) in _CALLED and squeezed(called) in first:
            yield _Said(called, is_name=True)
        elif not words[at].isascii():
            yield from _unspaced(words[at], exact)


def _begins(named: Sequence[tuple[int, int, str]], begin: int, end: int) -> str:
    """What is written as a name from a place and goes on after another: a slip may be in its rest."""
    return next((name for start, after, name in named if start == begin and after > end), "")


def _known_run(words: list[str], at: int, exact: Container[str]) -> list[str]:
    """The words of the longest known name that begins here, also before "'s"; empty where none does."""
    for count in range(min(LONGEST_WORDS, len(words) - at), 0, -1):
        said = words[at : at + count]
        for run in (said, [*said[:-1], _POSSESSIVE.sub("", said[-1])]):
            # "the test" is no name, and "The Test" may be one.
            if all(map(_is_dull, run)) and (count == 1 or not all(word[:1].isupper() for word in run)):
                continue
            if squeezed(" ".join(run)) in exact:
                return run
    return []


def _unspaced(word: str, exact: Container[str]) -> Iterator[_Said]:
    """Known names within a run of a script that is written without spaces, the longest first."""
    for run in _UNSPACED.finditer(word):
        at = run.start()
        while at < run.end():
            longest = range(min(at + _LONGEST_UNSPACED, run.end()), at + 1, -1)
            end = next((end for end in longest if squeezed(word[at:end]) in exact), None)
            if end is not None:
                yield _Said(word[at:end], is_name=True)
            at = end or at + 1


def _is_dull(word: str) -> bool:
    return (len(word) < 2 and word.isascii()) or name_key(word) in DULL
