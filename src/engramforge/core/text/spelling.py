"""The words of a question as the texts write them: identifiers written another way, typing errors, and words that lack
their apostrophe.

Nothing is guessed about a word that some texts have. An error is one letter too many, too few or wrong, or two that
changed places, never the first one (Damerau 1964); of several words that may be meant, the one that a slip of the
fingers explains, else two: those from which a letter was left out before others, the most frequent first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from engramforge.core.text.words import is_stop_word

Frequencies = Callable[[Sequence[str]], Sequence[int]]
"""Words -> in how many texts each of them occurs."""

MOST_MEANT: Final = 2
"""How many words an error may stand for where no slip of the fingers says which."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_SLIP: Final = 2
_MISSING: Final = 1
_FEW: Final = 3
_FAR_MORE: Final = 20
"""In how many texts a word may be at most, and in how many times as many another, that it is taken for an error."""
_LEAST: Final = 4
_MOST: Final = 24
_WIDTH: Final = 4
"""How far the texts may fill numbers with zeros."""
_SHORTENED_WORDS: Final = """
what's who's where's when's why's how's that's there's here's let's he's she's what're who're what'd who'd where'd how'd
what'll that'll it'll they'll you'll there'll they're you're i'm i've we've you've they've that'd it'd they'd you'd
ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't mustn't needn't shouldn't wasn't
weren't won't wouldn't could've should've would've might've must've y'all
"""
_SHORTENED: Final = {word.replace("'", ""): word.index("'") for word in _SHORTENED_WORDS.split()}
"""Shortened words without their apostrophe, none of which is another word, and where it belongs."""
_BARE: Final = re.compile(
    rf"(?i)(?<![\w./@'\u2019`-])(?:{'|'.join(sorted(_SHORTENED, key=len, reverse=True))})(?![\w/@'\u2019`-]|\.\w)"
)
_JOINED: Final = re.compile(r"([a-z]{1,10})0*(\d{1,9})\Z")


def with_apostrophes(text: str) -> str:
    """A question with the apostrophes that were not typed: a word without its own would be asked for as a subject.

    >>> with_apostrophes("Whats that, and why dont they?"), with_apostrophes("Is whats-new in IM?")
    ("What's that, and why don't they?", 'Is whats-new in IM?')
    """
    return _BARE.sub(_with_its_apostrophe, text)


def _with_its_apostrophe(found: re.Match[str]) -> str:
    word = found[0]
    if word.isupper() and not found.string.isupper():
        return word  # an abbreviation
    place = _SHORTENED[word.lower()]
    return f"{word[:place]}'{word[place:]}"


def as_written(words: Sequence[str], frequencies: Frequencies, is_real: Callable[[str], bool]) -> list[str]:
    """The words of a question, with those that no text has replaced by what the texts have instead.

    `rfc`, `7540` or `pep`, `0008` and `rfc7540` or `pep8` are found in either spelling. `is_real`: which
    words are no errors although no text has them.

    >>> texts = {"rfc7540": 1, "pep": 9, "8": 4, "harbour": 2}
    >>> as_written(["rfc", "7540", "pep8", "harbuor"], lambda each: [texts.get(word, 0) for word in each], str.isdigit)
    ['rfc7540', 'pep', '8', 'harbour']
    """
    counts = frequencies(words)
    found: list[str] = []
    skipped = False
    for place, (word, count) in enumerate(zip(words, counts, strict=True)):
        if skipped:
            skipped = False
            continue
        number = words[place + 1] if place + 1 < len(words) and words[place + 1].isdigit() else ""
        joined = _joined(word, number, frequencies) if number and word.isalpha() else None
        if joined is None:
            meant = (_also_meant if count else _meant)(word, count, frequencies, is_real)
            if number and meant != [word] and len(meant) == 1:
                joined = _joined(meant[0], number, frequencies)
        found += meant if joined is None else [joined]
        skipped = joined is not None
    return found


def _joined(name: str, number: str, frequencies: Frequencies) -> str | None:
    """A name and its number as the texts write them in one, maybe with zeros before the number."""
    least = number.lstrip("0")
    joins = list(dict.fromkeys(name + least.zfill(width) for width in range(len(least), _WIDTH + 1)))
    joins = joins or [name + least]
    return next((each for each, count in zip(joins, frequencies(joins), strict=True) if count), None)


def _also_meant(word: str, count: int, frequencies: Frequencies, is_real: Callable[[str], bool]) -> list[str]:
    """A word that a few texts have, and what it is an error for where they have that far more often."""
    if (
        count > _FEW
        or not (word.isascii() and word.isalpha())
        or not _LEAST <= len(word) <= _MOST
        or is_real(word)
    ):
        return [word]
    near = [each for chance, each in dict.fromkeys(_edits(word)) if chance == _SLIP]
    likeliest = max(zip(frequencies(near), near, strict=True), default=(0, word))
    return [word, likeliest[1]] if likeliest[0] >= _FAR_MORE * count else [word]


def _meant(word: str, _: int, frequencies: Frequencies, is_real: Callable[[str], bool]) -> list[str]:
    """What stands for a word that no text has; the word itself where nothing does."""
    if word.isdigit():
        return [word.lstrip("0") or word]
    if (parts := _JOINED.match(word)) is not None:
        if (padded := _joined(parts[1], parts[2], frequencies)) is not None:
            return [padded]
        return list(parts.groups()) if all(frequencies(parts.groups())) else [word]
    if not (word.isascii() and word.isalpha()) or len(word) > _MOST or is_stop_word(word) or is_real(word):
        return [word]
    edits = list(dict.fromkeys(_edits(word)))
    near = [each for _, each in edits]
    if any(map(is_stop_word, near)):
        return []
    known = [
        (chance, count, each) for (chance, each), count in zip(edits, frequencies(near), strict=True) if count
    ]
    known.sort(reverse=True)
    is_slip = bool(known) and known[0][0] == _SLIP
    likeliest = list(dict.fromkeys(each for _, _, each in known))[: 1 if is_slip else MOST_MEANT]
    return likeliest or [word]


def _edits(word: str) -> Iterator[tuple[int, str]]:
    """Words at edit distance one, and how likely each was meant: most where a slip of the fingers explains it (letters
    that changed places, or that were typed once instead of twice; of a short word only the former), more where a letter
    is missing than where one is another.
    """
    for place in range(1, len(word)):
        head, tail = word[:place], word[place:]
        if len(tail) > 1:
            yield _SLIP, head + tail[1] + tail[0] + tail[2:]
        if len(word) < _LEAST:
            continue
        yield _SLIP if tail[0] == head[-1] else 0, head + tail[1:]
        for letter in _LETTERS:
            yield 0, head + letter + tail[1:]
            yield _SLIP if letter in (head[-1], tail[0]) else _MISSING, head + letter + tail
    if len(word) >= _LEAST:
        yield from ((_SLIP if letter == word[-1] else _MISSING, word + letter) for letter in _LETTERS)
