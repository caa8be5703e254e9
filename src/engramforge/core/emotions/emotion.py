"""The emotion rules: which emotions a text speaks of, by words alone.

A small lexicon, with negation, intensifiers, diminishers, capitals and punctuation (after the rules of VADER, Hutto and
Gilbert 2014). It fills a memory's emotion vector where the caller gave none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engramforge.core.emotions.emotion_words import DIMINISHERS, INTENSIFIERS, LEXICON, NEGATIONS, OPPOSITES
from engramforge.core.text.words import stem_of, words_of

NEUTRAL: Final = "neutral"
EMOTIONS: Final[tuple[str, ...]] = (*LEXICON, NEUTRAL)
"""The 28 names: 27 emotions and neutral."""

NEGATION_REACH: Final = 3
"""How many words before an emotion's word a negation still turns it."""
NEGATED: Final = 0.6
"""The share of a negated emotion that counts for its opposite."""
STRONGER: Final = 1.25
WEAKER: Final = 0.6
SHOUTED: Final = 1.15
EXCLAIMED: Final = 1.1
ASKED: Final = 0.3
"""What a question mark adds to curiosity."""
FAINTEST: Final = 0.2
"""An emotion below this is left out."""
WORDS_READ: Final = 2_000
"""A longer text is judged by its beginning."""

_LONGEST_PHRASE: Final = 4
_QUESTIONS: Final = frozenset({"curiosity", "confusion"})


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """Stem or phrase -> (emotion, strength) pairs."""

    by_stem: Mapping[str, tuple[tuple[str, float], ...]]
    by_phrase: Mapping[tuple[str, ...], tuple[tuple[str, float], ...]]
    first_words: frozenset[str]


def emotions_of(text: str) -> dict[str, float]:
    """Emotion -> strength in [0.2, 1], strongest first; empty where nothing is felt.

    Several words for one emotion add up as 1 - product(1 - strength); neutral is never among the names.
    """
    words = words_of(text)[:WORDS_READ]
    lexicon = _lexicon()
    absent: dict[str, float] = {}
    factor = EXCLAIMED if "!" in text else 1.0
    # Words in capitals, in a text that is not all capitals.
    loud = () if text.isupper() else text.split()
    shouted = {word.casefold() for word in loud if len(word) > 2 and word.isupper()}
    for place, length, pairs in _matches(words, lexicon):
        scale = factor * _scale(words, place) * (SHOUTED if words[place] in shouted else 1.0)
        turned = length == 1 and _negated(words, place)
        for emotion, strength in pairs:
            name = OPPOSITES.get(emotion) if turned else emotion
            if name is not None:
                felt = min(strength * scale * (NEGATED if turned else 1.0), 0.98)
                absent[name] = absent.get(name, 1.0) * (1 - felt)
    if "?" in text:
        absent["curiosity"] = absent.get("curiosity", 1.0) * (1 - ASKED)
    else:
        for name in _QUESTIONS & absent.keys():
            absent[name] = 1 - (1 - absent[name]) * WEAKER
    felt_now = {name: round(1 - left, 3) for name, left in absent.items() if 1 - left >= FAINTEST}
    return dict(sorted(felt_now.items(), key=lambda item: (-item[1], item[0])))


def _matches(
    words: Sequence[str], lexicon: _Lexicon
) -> Iterator[tuple[int, int, tuple[tuple[str, float], ...]]]:
    """Place, length and emotions of each phrase, longest first, and of each word outside a phrase."""
    place = 0
    while place < len(words):
        step = 1
        if words[place] in lexicon.first_words:
            for length in range(min(_LONGEST_PHRASE, len(words) - place), 1, -1):
                if pairs := lexicon.by_phrase.get(tuple(words[place : place + length])):
                    yield place, length, pairs
                    step = length
                    break
        if step == 1 and (pairs := lexicon.by_stem.get(_key(words[place]))):
            yield place, 1, pairs
        place += step


def _key(word: str) -> str:
    return word if "'" in word else stem_of(word)


def _scale(words: Sequence[str], place: int) -> float:
    """How the preceding words scale an emotion's word."""
    before = words[max(place - 2, 0) : place]
    if not before:
        return 1.0
    if before[-1] in _INTENSIFIERS:
        return STRONGER
    return WEAKER if before[-1] in _DIMINISHERS or before[0] in _DIMINISHERS else 1.0


def _negated(words: Sequence[str], place: int) -> bool:
    return words[place] not in _NEGATIONS and any(
        word in _NEGATIONS for word in words[max(place - NEGATION_REACH, 0) : place]
    )


_NEGATIONS: Final = frozenset(NEGATIONS.split())
_INTENSIFIERS: Final = frozenset(INTENSIFIERS.split())
_DIMINISHERS: Final = frozenset(DIMINISHERS.split())


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    stems: dict[str, dict[str, float]] = {}
    phrases: dict[tuple[str, ...], dict[str, float]] = {}
    for emotion, by_strength in LEXICON.items():
        for strength, listed in by_strength.items():
            for entry in listed.split():
                words = tuple(words_of(entry.replace("_", " ")))
                held = (
                    stems.setdefault(_key(words[0]), {}) if len(words) == 1 else phrases.setdefault(words, {})
                )
                held[emotion] = max(held.get(emotion, 0.0), strength)
    return _Lexicon(
        {stem: tuple(pairs.items()) for stem, pairs in stems.items()},
        {phrase: tuple(pairs.items()) for phrase, pairs in phrases.items()},
        frozenset(phrase[0] for phrase in phrases),
    )
