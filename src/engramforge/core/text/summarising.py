"""Chooses the sentences that say most about a conversation within a number of characters; nothing is rewritten.

A sentence is worth the sum of its words (rare words count more) per character, and more if it has names, times or
numbers or speaks in the first person: those are the sentences that people ask about later
(docs/measurements/compression.md).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engramforge.core.text.words import STOP_WORDS, word_set, words_of

HAS_NUMBER: Final = 1
"""A digit, or a number written out."""
HAS_TIME: Final = 2
"""A date, or a word that places something in time."""
ASKS: Final = 4
"""Ends with a question."""
HAS_NAMES: Final = 8
"""A capitalised word inside a sentence."""
IS_HEADING: Final = 16
"""A short line without a sentence: a heading, or a label."""
HAS_PICTURE: Final = 32
"""A described photo or image."""
IS_FIRST_PERSON: Final = 64
"""Somebody speaks of themselves."""

_HEADING_WORDS: Final = 10
_WORD: Final = re.compile(r"\w+")
_NUMBERS: Final = word_set("two three four five six seven eight nine ten once twice dozen")
_TIMES: Final = word_set(
    "yesterday today tonight tomorrow ago last next week weekend month year years recently since soon"
)
_SPEAKERS: Final = frozenset({"I", "My", "my", "We", "we", "Our", "our", "me"})
_DIGIT: Final = re.compile(r"\d")
_NAME_WITHIN: Final = re.compile(r"[A-Z](?<=[a-z,;] [A-Z])[a-z]")
_PHOTO: Final = re.compile(r"(?i)\[(?:photo|image|picture)")


def cues_of(text: str, names_a_date: bool = False) -> int:
    """The bits of a text. `names_a_date`: whether core/text/dates has found a date in it."""
    stripped = text.rstrip()
    said = _WORD.findall(stripped)
    words = set(map(str.lower, said))
    bits = 0
    if not _NUMBERS.isdisjoint(words) or _DIGIT.search(stripped):
        bits |= HAS_NUMBER
    if names_a_date or not _TIMES.isdisjoint(words):
        bits |= HAS_TIME
    if _NAME_WITHIN.search(stripped):
        bits |= HAS_NAMES
    if "[" in stripped and _PHOTO.search(stripped):
        bits |= HAS_PICTURE
    if not _SPEAKERS.isdisjoint(said):
        bits |= IS_FIRST_PERSON
    if stripped.endswith("?"):
        bits |= ASKS
    if _is_heading(stripped):
        bits |= IS_HEADING
    return bits


def _is_heading(text: str) -> bool:
    """Whether it is a few words on one line that end with a colon or without punctuation; list items do not count."""
    if "\n" in text or text.startswith(("-", "*")) or text.count(" ") + 1 > _HEADING_WORDS:
        return False
    ends_like_one = text.endswith((" .", ":")) or text.rstrip(" .:") == text
    return ends_like_one and not text.endswith(("!", "?", "]", ")"))


_END: Final = re.compile(
    r"(?<=[.!?\u2026])(?<!\b(?i:st|dr|mr|ms|vs|nr|ca)\.)(?<!\bMrs\.)(?<!\b(?:e\.g|i\.e|z\.B|d\.h)\.)[\"')\]]*[ \t]+|\n+"
)
_FENCED: Final = re.compile(r"(?ms)^(`{3,}|~{3,}).*?(?:^\1|\Z)")
_SPOKEN_TO: Final = re.compile(r"(?i)\b(?:you|your|yours)\b")
_LONGEST: Final = 400
_SHORT: Final = 20
"""Characters that every sentence costs beside its own, for its place in a summary."""
_BONUSES: Final = ((HAS_NAMES, 0.5), (HAS_TIME, 0.5), (IS_FIRST_PERSON, 0.5), (HAS_NUMBER, 0.25))
_SPOKEN_TO_SHARE: Final = 0.8
_QUESTION_SHARE: Final = 0.5
_REPEATED: Final = 0.8


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of one of the texts: the text's place among them, and what it says."""

    place: int
    text: str


def sentences_of(text: str) -> list[str]:
    """The sentences of a text without code, in its order; one that is very long is cut."""
    plain = _FENCED.sub("\n", text) if "```" in text or "~~~" in text else text
    return [part.strip()[:_LONGEST] for part in _END.split(plain) if part.strip()]


def choose_sentences(texts: Sequence[str], room: int, cost: int = _SHORT) -> list[Sentence]:
    """The sentences that say most, in their order.

    `texts`: of a conversation, in its order. `room`: characters for all of them. `cost`: characters that each adds.
    """
    every = [Sentence(place, said) for place, text in enumerate(texts) for said in sentences_of(text)]
    words = [
        frozenset(word for word in words_of(sentence.text) if len(word) > 1 and word not in STOP_WORDS)
        for sentence in every
    ]
    worth = _worth(every, words)
    chosen: list[int] = []
    told: set[str] = set()
    for index in sorted(range(len(every)), key=lambda index: (-worth[index], index)):
        taken = len(every[index].text) + cost
        own = words[index]
        is_new = own and len(own & told) < _REPEATED * len(own)
        if taken <= room and is_new:
            room -= taken
            told |= own
            chosen.append(index)
    return [every[index] for index in sorted(chosen)]


def _worth(sentences: Sequence[Sentence], words: Sequence[frozenset[str]]) -> list[float]:
    """The worth of each sentence per character."""
    frequency = Counter(word for own in words for word in own)
    rarity = {word: math.log(1 + len(words) / count) for word, count in frequency.items()}
    values = []
    for sentence, own in zip(sentences, words, strict=True):
        cues = cues_of(sentence.text)
        value = sum(rarity[word] for word in own) / (len(sentence.text) + _SHORT)
        value *= 1 + sum(bonus for cue, bonus in _BONUSES if cues & cue)
        value *= _SPOKEN_TO_SHARE if _SPOKEN_TO.search(sentence.text) else 1.0
        value *= _QUESTION_SHARE if sentence.text.endswith("?") else 1.0
        values.append(value)
    return values
