"""How likely a sentence states a decision, by how people word one: a linear model of words and their order.

It serves statements that no rule knows: "pandas is out, Polars is in". All but common words are blanked, so that what
counts is how something is said and not what it is about; what the sentence after it says counts, too. The weights are
numbers of a file (capture/learned_decisions), fitted to labelled sentences by scripts/fit_decisions.py
(docs/measurements/detection.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final

from engramforge.core.detection.cues.topic_words import everyday_words, work_words
from engramforge.core.detection.passages import passages
from engramforge.core.detection.said_parts import decision_said
from engramforge.core.detection.traps import asks, is_hearsay, is_hedged, is_request
from engramforge.model.registries.detection import Detection

RULE: Final = "worded as decisions are"
LEAST: Final = 0.6
"""Below it, a likelihood is not worth a person's attention."""
_NO_WORK_COSTS: Final = 0.1
"""A statement without a word about work on a project needs to be surer."""
_MOST_SENTENCES: Final = 12
"""A longer text is no message in which somebody tells a decision among other things."""
_SHORTEST: Final = 3
"""Words of a statement at least."""
_LONGEST: Final = 40
"""Tokens of a sentence that are read."""
_BESIDE: Final = 20
"""Tokens and words of the sentence after it that are read."""
_COMMON_WORDS: Final = """
a an the is are was were be been being am has have had do does did will would shall should can could may might must
not no never always now then so and or but if because since as of to in on at by for from with without into out over
under up down off about than too also just only still already again here there this that these those it its he she
they i you me us we my our your his her their them who what which when where why how all every each any some none both
one two more most other another same today yesterday tomorrow week month morning evening monday tuesday wednesday
thursday friday before after until starting decide decided deciding decision decisions agree agreed settle settled
choose chose chosen pick picked go going went gone use using used switch switched switching move moved moving drop
dropped dropping keep kept keeping stay stays staying stick sticking sticks stop stopped stopping replace replaced
replaces ban banned approve approved sign signed commit committed standardise standardize adopt adopted vote voted win
won lose lost final finally period done closed official verdict call consensus conclusion rule ruling outcome result
resolved ruled cut killed kill dead scrap scrapped ditch ditched ditching retire retired freeze frozen fixed locked
set sealed mandatory required forbidden allowed anymore longer instead rather scope default standard convention policy
line nod green light budget team client customer board boss lead leads leadership management cto ceo everyone nobody
unanimous unanimously discussion debate question matter talked meeting retro review sync sprint onwards live lives run
runs get gets become becomes remain remains ship ships store stored written made take takes taken took bye hello
goodbye wins beats
"""
_COMMON: Final = frozenset(_COMMON_WORDS.split())
_TOKEN: Final = re.compile(r"[A-Za-z]+(?:['\u2019][a-z]+)?|\d+|[^\sA-Za-z\d]")
_WORD: Final = re.compile(r"[a-z']{3,40}")


def features(said: Sequence[str], place: int) -> frozenset[str]:
    """What the model looks at: the words of the sentence at a place, its tokens one by one and two by two, and the
    words and tokens of the sentence after it.
    """
    tokens = _tokens(said[place])[:_LONGEST]
    found = {*tokens, *map(" ".join, pairwise(tokens)), "later" if place else "first"}
    found.update(f"w {word}" for word in _WORD.findall(said[place].lower())[: 2 * _LONGEST])
    if place + 1 < len(said):
        after = said[place + 1]
        found.update(f"> {token}" for token in _tokens(after)[:_BESIDE])
        found.update(f">w {word}" for word in _WORD.findall(after.lower())[:_BESIDE])
    else:
        found.add("last")
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The model.

    Parameters
    ----------
    weights : feature -> log-odds; features that are not in it count nothing.
    bias : log-odds of a sentence without any.
    """

    weights: Mapping[str, float]
    bias: float

    def of(self, said: Sequence[str], place: int) -> float:
        """How likely the sentence at a place states a decision, 0..1."""
        found = features(said, place)
        known = sum(filter(None, map(self.weights.get, found)))
        return 1 / (1 + math.exp(-(self.bias + known / math.sqrt(len(found)))))

    def decision_in(self, text: str) -> Detection | None:
        """The decision that a person's words most likely state; None if none is likely enough, or the text is long."""
        read = list(islice(passages(text), _MOST_SENTENCES + 1))
        if not 0 < len(read) <= _MOST_SENTENCES:
            return None
        said = [passage.plain for passage in read]
        sure, place = max((self.of(said, place), place) for place in range(len(said)))
        if sure < LEAST or not _may_state(said[place]):
            return None
        if not work_words(text):
            sure -= _NO_WORK_COSTS * (1 + everyday_words(text))
            if sure < LEAST:
                return None
        return decision_said(read[place].said, RULE, round(sure, 3), read[place].said)


def _may_state(plain: str) -> bool:
    """Whether no trap speaks against a statement."""
    return not plain.endswith(":") and not (
        asks(plain) or is_request(plain) or is_hearsay(plain) or is_hedged(plain)
    )


def _tokens(sentence: str) -> list[str]:
    """Common words in small letters, other words by their endings, names and numbers as such, and signs."""
    return ["^", *map(_shown, _TOKEN.findall(sentence)), "$"]


def _shown(token: str) -> str:
    word = token.lower()
    if word in _COMMON or not token[0].isalnum():
        return word
    if token[0].isdigit():
        return "0"
    head, mark, tail = word.partition("'")
    if mark and head in _COMMON:
        return f"{head}'{tail}"
    if token[0].isupper():
        return "N"
    return next((ending for ending in ("ing", "ed", "s") if word.endswith(ending)), "x")
