"""A rule of wording, and its confidence in a sentence: a prior adjusted by what the sentence is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Final

from engramforge.core.detection.cues.topic_words import everyday_words, work_words
from engramforge.core.text.late_pattern import may_wait
from engramforge.core.text.words import word_set

BEGINNING: Final = 4
"""How many letters of each word are compared before any pattern is tried."""
_PER_WORK: Final = 0.07
_PER_EVERYDAY: Final = 0.2
_EVERYDAY_AT_WORK: Final = 0.09
_SHOUTED: Final = 0.1
_MOST: Final = 0.95
_WORD: Final = re.compile(r"[a-z\u00df-\u00ff]+")
_BEGIN: Final = re.compile(rf"([a-z\u00df-\u00ff]{{1,{BEGINNING}}})[a-z\u00df-\u00ff]*+")
_ENGLISH: Final = word_set("the we of and with this that is it its to are our i for be will")
_FOREIGN: Final = word_set(
    "wir und ist das der den dem nich ein eine auf mit habe wird nous le les des une est pour avec sur ce el los la"
    " del con por para una se hemo"
)
_NO_STEMS: Final[Mapping[str, Sequence[int]]] = {}


@dataclass(frozen=True, slots=True)
class CueRule:
    """A wording.

    Parameters
    ----------
    prior : how sure it is before the sentence's other words are looked at, 0..1.
    stems : words or their beginnings; the pattern is tried only on sentences that have one of them.
    needs_work : whether it counts only beside a word about work on a project.
    is_plan : whether it speaks of the future: a negation before it is then part of the plan.
    is_denied : whether a negation before it cancels it.
    unless : a wording that takes it away wherever it stands in the sentence; "" for none.
    wished : the same, where it stands before it.
    beside : first letters of words of which a sentence has another one, too; none if empty.
    least : how sure it is at least, whatever its sentence is about.
    """

    name: str
    prior: float
    stems: frozenset[str]
    wording: str
    needs_work: bool
    is_plan: bool
    is_denied: bool
    unless: str = ""
    wished: str = ""
    beside: frozenset[str] = frozenset()
    least: float = 0.0

    @property
    def begins(self) -> frozenset[str]:
        """The first letters of its stems."""
        return frozenset(stem[:BEGINNING] for stem in self.stems)

    @property
    def pattern(self) -> re.Pattern[str]:
        """The wording, ignoring case; compiled at first use, since most are never tried."""
        return compiled(self.wording)

    def is_doubted(self, sentence: str, begin: int) -> bool:
        """Whether the sentence has another wording that takes away the one that begins there."""
        if not self.unless:
            return False
        if compiled(self.unless).search(sentence):
            return True
        return bool(self.wished and compiled(self.wished).search(sentence, 0, begin))


@cache
def compiled(wording: str) -> re.Pattern[str]:
    """The pattern of a wording, ignoring case; made at first use, for the long ones take a tenth of a second."""
    return re.compile(wording, re.I)


def rule(
    name: str,
    prior: float,
    *,
    needs_work: bool = False,
    is_plan: bool = False,
    is_denied: bool = True,
    unless: str = "",
    wished: str = "",
    beside: str = "",
    least: float = 0.0,
) -> Callable[..., CueRule]:
    """A rule, to be called with its stems and wordings.

    Stems: words or their beginnings; every wording contains one of them, and one of those in `beside`. A
    wording is a pattern that ignores case.
    """

    def worded(stems: str, *wordings: str) -> CueRule:
        others, wording = beginning_set(beside), "|".join(wordings)
        may_wait(wording, partial(compiled, wording))
        kind = (needs_work, is_plan, is_denied, unless, wished)
        return CueRule(name, prior, word_set(stems), wording, *kind, others, least)

    return worded


def first_words(alternation: str) -> str:
    """How the alternatives of a wording begin, as stems of a rule.

    >>> first_words("(?:look (?:into|at)|architects?|finali[sz]e)")
    'look architect finali'
    """
    flat = re.sub(r"\([^()]*\)", "", alternation[len("(?:") : -1])
    return " ".join(re.findall(r"(?:\A|\|)([a-z]+?)(?:[a-z]\?|(?![a-z]))", flat))


def beginning_set(words: str) -> frozenset[str]:
    """The beginnings of the words of a list, as `beginnings` finds them."""
    return frozenset(word[:BEGINNING] for word in words.split())


@lru_cache(maxsize=16)
def beginnings(text: str) -> frozenset[str]:
    """How the words of a text begin, in lower case."""
    return frozenset(_BEGIN.findall(text.lower()))


@lru_cache(maxsize=2)
def _words(text: str) -> frozenset[str]:
    """The words of a text, in lower case."""
    return frozenset(_WORD.findall(text.lower()))


def has_label_mark(sentence: str) -> bool:
    """Whether a sentence may begin with a label: it has a colon or a dash."""
    return ":" in sentence or "\u2014" in sentence or "\u2013" in sentence or " - " in sentence


def weighed(prior: float, said: str, work: int | None = None) -> float:
    """A prior, raised by words of work, lowered by words of everyday life; 0..0.95."""
    work = work_words(said) if work is None else work
    per_everyday = _EVERYDAY_AT_WORK if work else _PER_EVERYDAY
    confidence = prior + _PER_WORK * min(work, 2) - per_everyday * everyday_words(said)
    if not work and said.rstrip().endswith("!"):
        confidence -= _SHOUTED
    return round(min(max(confidence, 0.0), _MOST), 3)


def is_english(begun: frozenset[str]) -> bool:
    """Whether words that begin so are surely English: the rules of other languages need not be tried on them."""
    return not _ENGLISH.isdisjoint(begun) and _FOREIGN.isdisjoint(begun)


def made_with(begun: frozenset[str]) -> int:
    """How many of the words that begin so are of those with which sentences are made."""
    return len(begun & _ENGLISH) + len(begun & _FOREIGN)


class RuleIndex:
    """Rules by the stems that they need."""

    def __init__(self, rules: Sequence[CueRule]) -> None:
        self._rules: Final = tuple(rules)
        places: dict[str, dict[str, list[int]]] = {}
        for place, rule in enumerate(rules):
            for stem in rule.stems:
                places.setdefault(stem[:BEGINNING], {}).setdefault(stem, []).append(place)
        self._places: Final = places
        self._begins: Final = frozenset(places)

    def tried(self, text: str) -> list[CueRule]:
        """The rules whose stems a sentence has, in their order."""
        begun = beginnings(text)
        if self._begins.isdisjoint(begun):
            return []
        places = {
            place
            for word in _words(text)
            for stem, places in self._places.get(word[:BEGINNING], _NO_STEMS).items()
            if word.startswith(stem)
            for place in places
        }
        tried = (self._rules[place] for place in sorted(places))
        return [rule for rule in tried if not (rule.beside and rule.beside.isdisjoint(begun))]
