"""What is looked for after a forget: the forgotten texts and their distinctive parts.

A part lies within a line and holds no mark that JSON escapes, so that it is found in plain text and in JSON alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

PART_BYTES: Final = 32
"""The least bytes of a part of a longer text: long enough to be nobody else's by chance, too short to be always split
between two pages of a file."""
LEAST_BYTES: Final = 6
"""Shorter texts are not looked for: their bytes are in any file."""
PARTS: Final = 64
"""The most parts of a text, beside its distinctive words: the first of every line, then others, spread over it."""
MOST_TRACES: Final = 20_000
"""The most that is looked for at once; of more, an even choice."""
MOST_LETTERS: Final = 2**24
"""The most letters of texts that are kept to be looked for; of more, an even choice of the texts."""
_WORDS: Final = 12
_RUN: Final = re.compile(r'[^\x00-\x1f"\\\x7f\u2028\u2029]+')
_NAME: Final = re.compile(r"(?=[A-Za-z_-]{0,63}[0-9])(?=[0-9_-]{0,63}[A-Za-z])[A-Za-z0-9_-]{8,64}")
"""A word of letters and digits, as an id, a key or a name that somebody made up."""


class Sample(list[str]):
    """Texts in the order in which they came: all, or an even choice of as many as may be kept; `came`: how many there
    were."""

    def __init__(self) -> None:
        super().__init__()
        self._letters = self.came = 0
        self._every = 1

    def add(self, texts: Iterable[str]) -> None:
        """Take further texts in."""
        for text in texts:
            self.came += 1
            if self.came % self._every == 0:
                self.append(text)
                self._letters += len(text)
            while self._letters > MOST_LETTERS and len(self) > 1:
                del self[::2]
                self._every *= 2
                self._letters = sum(map(len, self))


@dataclass(slots=True)
class ForgottenTexts:
    """What must be in no file after a forget.

    `contents`: what the memories said that were to be forgotten. `labels`: names, tags, paths and seldom fields, which
    others may rightly have too, and what was made from those memories.
    """

    contents: Sample = field(default_factory=Sample)
    labels: Sample = field(default_factory=Sample)
    _said: tuple[int, list[str]] = field(default=(0, []))

    def __bool__(self) -> bool:
        return bool(self.contents or self.labels)

    def said(self) -> list[str]:
        """The parts of what memories said, without repetition; one that a remaining memory says is worth telling."""
        if self._said[0] != self.contents.came:
            self._said = (
                self.contents.came,
                _chosen(part for text in self.contents for part in parts_of(text)),
            )
        return self._said[1]

    def named(self) -> list[str]:
        """The parts of labels."""
        return _chosen(part for text in self.labels for part in parts_of(text))


def parts_of(text: str) -> Iterator[str]:
    """Parts of a text, spread over it: runs of whole words, then its distinctive words.

    A short text is its own part; a very short one has none.
    """
    runs = [
        run for run in (found.strip() for found in _RUN.findall(text)) if len(run.encode()) >= LEAST_BYTES
    ]
    long = [run for run in runs if len(run.encode()) >= PART_BYTES]
    # A text that is made of others, as an archive is, has theirs on lines of their own.
    windows = [_windows(run) for run in long]
    firsts = _spread([each[0] for each in windows], PARTS)
    yield from firsts
    yield from _spread([piece for each in windows for piece in each[1:]], PARTS - len(firsts))
    if len(long) < PARTS:
        yield from _spread([run for run in runs if len(run.encode()) < PART_BYTES], PARTS - len(long))
    yield from _spread(list(dict.fromkeys(_NAME.findall(text))), _WORDS)


def _windows(run: str) -> list[str]:
    """A line in pieces of at least `PART_BYTES`, from word to word as far as it has blanks."""
    found: list[str] = []
    begin = 0
    while begin < len(run):
        end = min(begin + PART_BYTES, len(run))
        blank = run.find(" ", end, end + PART_BYTES)
        end = blank if blank > 0 else end
        piece = run[begin:end].strip()
        if len(piece.encode()) < PART_BYTES:
            # The rest of a line, or behind a blank: it is lengthened to the front.
            piece = run[max(end - PART_BYTES, 0) : end].strip()
        found.append(piece)
        begin = end
    return found


def _spread(values: list[str], most: int) -> list[str]:
    if len(values) <= most:
        return values
    return [values[place * len(values) // most] for place in range(most)]


def _chosen(parts: Iterable[str]) -> list[str]:
    return _spread(list(dict.fromkeys(parts)), MOST_TRACES)
