"""Which of what was found an answer rests on, and whether there is one at all (docs/measurements/oracle.md).

What counts is the fused similarity together with the log-odds that a memory answers, which know what of the question it
leaves unsaid: names above all, and the number where one is asked for. Odds tell better than similarities where two are
nearly sure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from engramforge.core.oracle.signs import compounds_in, says_compound
from engramforge.core.ranking.designations import Designation, designations, spellings
from engramforge.core.ranking.question import FRAME_WORDS, plain_plurals
from engramforge.core.text.words import content_words, is_stop_word, root_of, stem_of, words_of

MOST: Final = 12
PER_ANSWERING: Final = 0.5
"""What a unit of the log-odds of answering adds to the log-odds of a similarity."""
PER_SIMILARITY: Final = 0.3
LEAST: Final = 2.0
"""The least log-odds of answering of the best one, with the similarity's at this weight: below it nothing is known."""
LEAST_OF_NAMED: Final = 1.25
"""The same where somebody who speaks is named, and what is about others is left out."""
WIDEST: Final = 3.0
NARROWED: Final = 6.0
PER_SIZE: Final = -4.5
SEVERAL: Final = 1.0
"""How far below the best one another still counts: less in a large scope (1.5 in the largest), in which more is like it
by chance; more where the question collects several."""
LATER_TOO: Final = 2.0
"""How much farther below a decision counts where a question asks how things stand: the one that explains most may be
the oldest."""
_KEPT: Final = 1_024
"""Texts of which the words are kept."""
_SURE: Final = 0.999
_UNSURE: Final = 1e-4
_COLLECTS: Final = re.compile(
    r"(?i)\b(?:how (?:many|much|often|long|old|far)|total|altogether|order|earliest|latest|first|last|both|between"
    r"|before|after|since|average|most|compared|than|all|each|every|list|or|passed)\b"
)

_STANDS: Final = re.compile(
    r"(?i)\b(?:now|currently|current|nowadays|these days|at the moment|at present|today|still|any ?more)\b"
)
_PARTICLES: Final = frozenset(("up", "in", "out", "off", "on", "down", "over"))
_ASKING: Final = frozenset(
    map(root_of, ("become", "happen", "help", "choose", "rule", "pick", "decide", "decision", "support", "allow",
     "permit", "possible", "document", "need", "want", "exactly", "actually"))
)  # fmt: skip
"""Words with which one asks, and that what answers need not say."""


def strength(similarity: float, answer_odds: float) -> float:
    """How strongly a memory resonates with the question, in log-odds."""
    return _log_odds(similarity) + PER_ANSWERING * answer_odds


def is_answered(
    similarities: Sequence[float], answer_odds: Sequence[float], *, is_of_named: bool = False
) -> bool:
    """Whether what was found answers the question at all. `is_of_named`: it is about the speaker whom it names.

    >>> is_answered([0.9, 0.5], [2.5, 0.0]), is_answered([0.9], [-1.0]), is_answered([], [])
    (True, False, False)
    """
    if not similarities:
        return False
    return PER_SIMILARITY * _log_odds(max(similarities)) + max(answer_odds) >= (
        LEAST_OF_NAMED if is_of_named else LEAST
    )


def allowance(query: str, size: float) -> float:
    """How far below the strongest another memory still counts.

    `size`: of the scope, 0..1 (core/ranking/answering.size_of).

    >>> allowance("Where is the key?", 0.5), allowance("Where is the key?", 1.0), allowance("How many keys?", 1.0)
    (3.0, 1.5, 2.5)
    """
    return min(WIDEST, NARROWED + PER_SIZE * size) + (SEVERAL if _COLLECTS.search(query) else 0)


def asks_how_it_stands(query: str) -> bool:
    """Whether a question asks what is so now, where later decisions count as much as those that explain more."""
    return _STANDS.search(query) is not None


def _log_odds(similarity: float) -> float:
    sure = min(max(similarity, _UNSURE), _SURE)
    return float(np.log(sure / (1 - sure)))


@lru_cache(maxsize=_KEPT)
def asked_words(query: str) -> tuple[str, ...]:
    """The words of a question that say what is asked for: without stop words and those that only frame it."""
    asked = content_words(words_of(plain_plurals(query)))
    return tuple(word for word in asked if not is_stop_word(word) and word not in FRAME_WORDS)


@lru_cache(maxsize=_KEPT)
def asked_stems(query: str) -> frozenset[str]:
    """The stems of these."""
    return frozenset(map(root_of, asked_words(query)))


def gaps(query: str, texts: Sequence[str], named: Sequence[str] = ()) -> tuple[str, ...]:
    """The words of a question that none of the texts says, in its order, each once; but for those that only frame it.

    A designation is said however it is written. `named`: the names of projects, which say where to look, not for what.

    >>> gaps("What kind of harbour ferry sails?", ["The ferry sails at noon."])
    ('harbour',)
    >>> gaps("Which RFC obsoleted RFC 2818?", ["RFC9110 obsoletes RFC2818"]), gaps("Is RFC2818 old?", ["RFC 2818: old"])
    ((), ())
    """
    said = set().union(*map(_said_by, texts))
    said |= {root_of(word) for name in named for word in words_of(name)}
    if wanted := set(_named_in(query)):
        for name, number in wanted.intersection(each for text in texts for each in _named_in(text)):
            numbers, joined = spellings((name, number))
            said |= {root_of(name), *map(root_of, numbers), *map(root_of, joined)}
    for one, two in compounds_in(query):
        if not any(says_compound((one, two), text) for text in texts):
            said.discard(root_of(one))
    found: dict[str, None] = {}
    for token in plain_plurals(query).split():
        whole, *parts = asked_words(token) or ("",)
        # Of a compound such as `MongoDB` its parts are words, too.
        inner = [part for part in parts if part in whole]
        apart = [part for part in parts if part not in whole]
        is_said = root_of(whole) in said | _ASKING or (inner and all(root_of(part) in said for part in inner))
        found |= dict.fromkeys(
            word for word in ([] if is_said else [whole]) + apart if word and root_of(word) not in said
        )
    return tuple(found)


@lru_cache(maxsize=_KEPT)
def _said_by(text: str) -> frozenset[str]:
    """The roots of what a text says. Kept, since the few texts of an answer are held against its question again and
    again."""
    words = {root_of(word) for word in words_of(plain_plurals(text))}
    return frozenset(words | {root_of(one + two) for one, two in _with_particles(text)})


def _with_particles(text: str) -> Iterator[tuple[str, str]]:
    """Verbs with their particles: what is backed up is a backup."""
    for one, two in pairwise(words_of(text)):
        if two in _PARTICLES:
            yield stem_of(one), two


def _named_in(text: str) -> tuple[Designation, ...]:
    return designations(text, lambda _: False)
