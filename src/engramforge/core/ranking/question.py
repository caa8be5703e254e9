"""What a question asks for beyond its words: who is named, which dates, which kind of answer, which clauses.

Rules over text, for questions in English; a question that no rule matches is asked by its words alone. Names of
speakers, known years and today are arguments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.text.dates import RANGE, Interval, names_date
from engramforge.core.text.words import is_identifier, is_stop_word, word_set, words_of

ROLES: Final = frozenset({"", "user", "assistant", "system", "tool", "human", "ai", "model"})
"""Speakers that are roles: a question that says "assistant" does not name a person."""

FRAME_SHARE: Final = 0.5
"""The weight of a frame word relative to a content word."""
FRAME_WORDS: Final = word_set("""
kind type sort number total amount order different various name date day days week weeks month months year
years time times hour hours passed pass happen happened happening event events activity activities thing
things item items earliest latest last recently recent lately currently current now today ago new long often
old far considered consider according specific specifically particular example mention mentioned tell told say
said talk talked remember remind recall wondering wonder think thinking thought conversation discussion chat
previous previously earlier back question suggestion suggestions suggest suggested recommend recommended
recommendation recommendations tip tips idea ideas advice help provide provided looking look going go follow
make made take took taken use used using start started plan planning planned likely people person someone
something describe described discuss discussed share shared visit feel main come came like way ways give gave
given participate participated replaced superseded succeeded successor obsoleted
""")
"""Words that frame a question and are rare in its answer."""

_SHORT_NAME: Final = re.compile(r"\b([A-Z][a-z]{2,})\b('s)?")
_LEFT_OUT: Final = 2
"""How many letters a short form leaves out at least."""
NAME_SHARE: Final = 1.5
"""The weight of a word that is written as a name (with capitals where a plain word has none) and is rare."""
RARE: Final = 0.01
"""The share of a scope's memories below which a word is rare."""
_TOKEN: Final = re.compile(r"[A-Za-z][\w.-]*+")
_PLURAL: Final = re.compile(r"(?<!\w)[A-Z]{2,}s(?!\w)")

_CUES: Final = {
    "when": re.compile(
        r"(?i)\bwhen\b|\bwhat (?:date|day|month|year|time)\b|\bhow long\b|\bhow (?:recently|often)\b"
    ),
    "number": re.compile(
        r"(?i)\bhow (?:many|much|old|long|often|far)\b|\bnumber of\b|\bwhat (?:age|percentage)\b"
    ),
    "who": re.compile(r"(?i)\bwho(?:m|se)?\b|\b(?:what|which) (?:person|people)\b"),
    "where": re.compile(r"(?i)\bwhere\b|\b(?:what|which) (?:city|country|state|place|town|venue|location)\b"),
    "told": re.compile(
        r"(?i)\byou (?:(?:had |have |just |also )?(?:told|said|recommended|mentioned|suggested|provided|gave"
        r"|listed|wrote|created|described|advised|explained))\b|\bremind me\b"
        r"|\bour (?:previous|last|earlier) (?:conversation|chat|discussion)\b"
    ),
    "self": re.compile(r"(?i)\b(?:i|my|me|mine|i'm|i've|our|ours)\b"),
    "state": re.compile(
        r"(?i)\b(?:now|current(?:ly)?|so far|at the moment|these days|nowadays|latest|newest|most recent(?:ly)?|still"
        r"|any ?more|today|by now|how (?:many|much|often|long)|usual(?:ly)?)\b"
    ),
    "successor": re.compile(
        r"(?i)\b(?:now|current(?:ly)?|at the moment|these days|nowadays|latest|newest|still|any ?more|today|yet|ever"
        r"|after|(?:re|dis)plac(?:e[sd]?|ing)|supersed(?:e[sd]?|ing)|success(?:or|ors)|succeed(?:s|ed)?|obsolet(?:e[sd]?|ing)"
        r"|took over|progress|status|instead|up to date)\b"
    ),
    "newest": re.compile(r"(?i)\b(?:newest|latest|most recent)\b"),
    "event": re.compile(
        r"(?is)^(?!.*\b(?:current|currently|now|recent|recently|latest|last|nowadays)\b).*\b(?:did|was|were)\b"
    ),
}
SHORT_DAYS: Final = 10
"""An interval of at most this many days is a date, a longer one a period."""
_BREAK: Final = re.compile(
    r"(?i)\b(?:and|or|but|before|after|when|while|than|between|if|since|because)\b|[,;:.?!]\s"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read.

    `speakers`: lower-cased names of speakers whom it names, in its order. `intervals`: the days it is about: its ranges
    if it has any, else its dates. `cues`: of when, number, who, where, told, self, state (how things stand), successor
    (what is in the place of something), newest (the newest of several), event (what happened, not what is the case).
    `clauses`: the words of each of its parts.
    """

    speakers: tuple[str, ...]
    intervals: tuple[Interval, ...]
    cues: frozenset[str]
    clauses: tuple[tuple[str, ...], ...]

    @property
    def traits(self) -> tuple[str, ...]:
        """What lets further signals fire: names, short_dates, long_dates, when, self."""
        short = any(interval.end - interval.start <= SHORT_DAYS for interval in self.intervals)
        shown = {
            "names": bool(self.speakers),
            "short_dates": short,
            "long_dates": bool(self.intervals) and not short,
            "when": "when" in self.cues,
            "self": "self" in self.cues,
        }
        return tuple(name for name, is_shown in shown.items() if is_shown)


def plain_plurals(text: str) -> str:
    """The text with plurals of capitals in small letters, so that `PEPs` is one word and not `PE` and `Ps`."""
    return _PLURAL.sub(lambda found: found[0].lower(), text)


def word_shares(text: str, words: Sequence[str], shares: NDArray[np.float64]) -> NDArray[np.float32]:
    """What each word of a question counts beside its rarity; float32, shape (q,).

    `shares`: float64, shape (q,): the part of the scope's memories that has each word.

    >>> word_shares("why did they use Jenkins now", ["use", "jenkins", "now"], np.array([0.1, 0.002, 0.1])).tolist()
    [0.5, 1.5, 0.5]
    """
    names = words_of_names(text)
    framing = np.array([word in FRAME_WORDS for word in words], np.bool_)
    named = np.array([word in names or is_identifier(word) for word in words], np.bool_) & (shares < RARE)
    return np.where(framing, FRAME_SHARE, np.where(named, NAME_SHARE, 1)).astype(np.float32)


def words_of_names(text: str) -> set[str]:
    """The words that a question writes as names."""
    told = plain_plurals(text)
    return {word for found in _TOKEN.finditer(told) if _is_name(found, told) for word in words_of(found[0])}


def _is_name(found: re.Match[str], text: str) -> bool:
    """Whether a token is written as a name: all in capitals, or with one where no sentence begins."""
    token, before = found[0], text[max(found.start() - 3, 0) : found.start()].rstrip()
    if len(token) > 1 and token.isupper():
        return True
    return not token.islower() and bool(before) and before[-1] not in ".?!:"


def read_question(text: str, speakers: Sequence[str], intervals: Sequence[Interval]) -> Question:
    """Read a question.

    `speakers`: lower-cased names of those who speak in the scope. `intervals`: every interval that the text names.
    """
    ranges = tuple(interval for interval in intervals if interval.kind == RANGE)
    return Question(
        speakers=named_speakers(text, speakers),
        intervals=ranges or tuple(intervals),
        cues=frozenset(name for name, pattern in _CUES.items() if pattern.search(text)),
        clauses=tuple(tuple(words_of(part)) for part in _BREAK.split(text)),
    )


def named_speakers(text: str, speakers: Sequence[str]) -> tuple[str, ...]:
    """Speakers (never mere roles) whose name, or a word of it, the text holds, in the text's order."""
    words = words_of(text)
    place_of = {word: place for place, word in reversed(list(enumerate(words)))}
    found = []
    for name in speakers:
        places = [place_of[part] for part in _words_of_name(name) if part in place_of]
        if name not in ROLES and places:
            found.append((min(places), name))
    return tuple(name for _, name in sorted(found))


@lru_cache(maxsize=256)
def _words_of_name(name: str) -> tuple[str, ...]:
    return tuple(words_of(name))


def in_full(text: str, speakers: Sequence[str]) -> str:
    """The text with a short name replaced by the one speaker's that begins so; unchanged where it names a speaker.

    >>> in_full("Mel's first painting", ["bob", "melanie"]), in_full("did Mel or Bob paint?", ["bob", "melanie"])
    ("Melanie's first painting", 'did Mel or Bob paint?')
    """
    if named_speakers(text, speakers):
        return text
    for token in _SHORT_NAME.finditer(text):
        short = token[1].lower()
        if not (token[2] or _is_name(token, text)) or is_stop_word(short) or names_date(short):
            continue
        meant = [name for name in speakers if name not in ROLES and name.startswith(short)]
        if len(meant) == 1 and len(meant[0]) >= len(short) + _LEFT_OUT:
            return text[: token.start()] + meant[0].title() + text[token.end(1) :]
    return text
