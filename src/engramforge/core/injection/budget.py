"""How much of what was found goes in: sections with budgets in tokens, of which what one leaves the next may use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engramforge.core.injection.tokens import LETTERS, tokens_of
from engramforge.core.text.portions import excerpt_within
from engramforge.model.injection import ACTS, ASKS, STARTS, Section

ALERTS: Final = 200
TOPICS: Final = 400
RELATED: Final = 300
LAST_SESSION: Final = 200
BADGES: Final = 50
"""Tokens for each: alerts of a shift, topics of high relevance, related memories, the last session, badges."""
WHOLE: Final = ALERTS + TOPICS + RELATED + LAST_SESSION
BRIEF: Final = 200
"""Tokens before a tool is used."""
SHARES: Final[Mapping[str, Mapping[Section, int]]] = {
    # Where a session starts nothing has shifted: what had before is told in the room that is left.
    STARTS: {
        Section.DECIDED: ALERTS + TOPICS,
        Section.OPEN: RELATED,
        Section.LAST_SESSION: LAST_SESSION,
        Section.SHIFT: 0,
    },
    ASKS: {
        Section.SHIFT: ALERTS,
        Section.RECENT: TOPICS,
        Section.POSSIBLE: RELATED,
        Section.LAST_SESSION: LAST_SESSION,
    },
    ACTS: {Section.RECENT: BRIEF},
}
"""Event -> its sections by their rank, each with its tokens; the text has its own order."""
LONGEST: Final[Mapping[Section, int]] = {
    Section.DECIDED: 70,
    Section.OPEN: 60,
    Section.LAST_SESSION: 90,
    Section.RECENT: 140,
    Section.POSSIBLE: 80,
    Section.SHIFT: ALERTS,
}
"""The most tokens that one memory of a section takes."""
_LEAST: Final = 25
"""Fewer tokens of a cut text say nothing."""


@dataclass(frozen=True, slots=True)
class Line:
    """A memory as a line: `head` is never cut, `said` may be."""

    key: str
    head: str
    said: str


def fill(
    shares: Mapping[Section, int], offered: Mapping[Section, Sequence[Line]]
) -> dict[Section, list[tuple[str, str]]]:
    """Which lines go in, as key -> text; of each section the first ones, until its tokens and what was left are used.

    >>> lines = [Line(str(number), "-", "word " * 30) for number in range(9)]
    >>> found = fill({Section.RECENT: 100, Section.POSSIBLE: 50}, {Section.POSSIBLE: lines})
    >>> [key for key, _ in found[Section.POSSIBLE]]
    ['0', '1', '2', '3']
    """
    taken: dict[Section, list[tuple[str, str]]] = {}
    left = 0
    for section, share in shares.items():
        left += share
        kept: list[tuple[str, str]] = []
        for line in offered.get(section, ()):
            text = _within(line, min(LONGEST[section], left))
            if text is None:
                break
            left -= tokens_of(text) + 1
            kept.append((line.key, text))
        if kept:
            taken[section] = kept
    return taken


def _within(line: Line, tokens: int) -> str | None:
    """The line within so many tokens, its end left out where it is longer; None where too little would be left."""
    said = " ".join(line.said.split())
    whole = f"{line.head} {said}"
    if tokens_of(whole) < tokens:
        return whole
    room = tokens - tokens_of(line.head) - 2
    while room >= _LEAST:
        cut = excerpt_within(said, LETTERS * room, 1)
        if cut is not None and tokens_of(f"{line.head} {cut}") < tokens:
            return f"{line.head} {cut}"
        room -= max(room // 8, 1)
    return None
