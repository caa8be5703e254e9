"""The words of a question as the texts write them: identifiers written another way, and typing errors.

Nothing is guessed about a word that some text has. An error is one letter too many, too few or wrong, or two that
changed places, never the first one (Damerau 1964); of several words that may be meant, those that
a slip of the fingers explains, and the two most frequent.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from engramforge.core.text.words import is_stop_word

Frequencies = Callable[[Sequence[str]], Sequence[int]]
"""Words -> in how many texts each of them occurs."""

MOST_MEANT: Final = 2
"""How many words an error may stand for where no slip of the fingers says which."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_LEAST: Final = 4
_MOST: Final = 24
_JOINED: Final = re.compile(r"([a-z]{1,10})0*(\d{1,9})\Z")


def as_written(words: Sequence[str], frequencies: Frequencies, is_real: Callable[[str], bool]) -> list[str]:
    """The words of a question, with those that no text has replaced by what the texts have instead.

    `rfc`, `7540` or `pep`, `0008` and `rfc7540` or `pep8` are found in either spelling. `is_real`: which
    words are no errors although no text has them.

    >>> texts = {"rfc7540": 1, "pep": 9, "8": 4, "harbour": 2}
    >>> as_written(["rfc", "7540", "pep8", "harbuor"], lambda each: [texts.get(word, 0) for word in each], str.isdigit)
    ['rfc7540', 'pep', '8', 'harbour']
    """
    counts = frequencies(words)
    joins = [f"{one}{other.lstrip('0')}" for one, other in itertools.pairwise(words)]
    is_joined = [count > 0 for count in frequencies(joins)]
    found: list[str] = []
    skipped = False
    for place, (word, count) in enumerate(zip(words, counts, strict=True)):
        if skipped:
            skipped = False
        elif place < len(joins) and is_joined[place] and word.isalpha() and words[place + 1].isdigit():
            found.append(joins[place])
            skipped = True
        else:
            found += [word] if count else _meant(word, frequencies, is_real)
    return found


def _meant(word: str, frequencies: Frequencies, is_real: Callable[[str], bool]) -> list[str]:
    """What stands for a word that no text has; the word itself where nothing does."""
    if word.isdigit():
        return [word.lstrip("0") or word]
    if (parts := _JOINED.match(word)) is not None:
        return list(parts.groups()) if all(frequencies(parts.groups())) else [word]
    if not (word.isascii() and word.isalpha()) or len(word) > _MOST or is_stop_word(word) or is_real(word):
        return [word]
    edits = list(dict.fromkeys(_edits(word)))
    near = [each for _, each in edits]
    if any(map(is_stop_word, near)):
        return []
    known = [
        (is_slip, count, each)
        for (is_slip, each), count in zip(edits, frequencies(near), strict=True)
        if count
    ]
    known.sort(reverse=True)
    likeliest = [each for _, _, each in known[: 1 if known[:1] and known[0][0] else MOST_MEANT]]
    return likeliest or [word]


def _edits(word: str) -> Iterator[tuple[bool, str]]:
    """Words at edit distance one, and whether a slip of the fingers explains it: letters that changed places, or that
    were typed once instead of twice; of a short word only the former.
    """
    for place in range(1, len(word)):
        head, tail = word[:place], word[place:]
        if len(tail) > 1:
            yield True, head + tail[1] + tail[0] + tail[2:]
        if len(word) < _LEAST:
            continue
        yield tail[0] == head[-1], head + tail[1:]
        for letter in _LETTERS:
            yield False, head + letter + tail[1:]
            yield letter in (head[-1], tail[0]), head + letter + tail
    if len(word) >= _LEAST:
        yield from ((letter == word[-1], word + letter) for letter in _LETTERS)
