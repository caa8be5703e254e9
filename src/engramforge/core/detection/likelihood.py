"""How likely a sentence states a decision or a thread, by how people word one: a linear model of words and their order.

It serves statements that no rule knows: "pandas is out, Polars is in". All but common words are blanked, so that what
counts is how something is said and not what it is about; its shape and what the sentence after it says count, too. The
weights are numbers of a file (capture/detecting), fitted to labelled sentences by scripts/fit_wording.py
(docs/measurements/detection.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from typing import Final

from engramforge.core.detection.cues.cue_rule import beginnings, made_with
from engramforge.core.detection.cues.topic_words import everyday_words, work_words
from engramforge.core.detection.leads import without_lead
from engramforge.core.detection.named.entries import has_name
from engramforge.core.detection.passages import LONGEST_MESSAGE, Passage, passages
from engramforge.core.detection.pointing_back import with_matter
from engramforge.core.detection.said_parts import decision_said, thread_said
from engramforge.core.detection.settling import settles
from engramforge.core.detection.traps import (
    asks,
    is_elsewhere,
    is_hearsay,
    is_hedged,
    is_request,
    without_question,
)
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection

LEAST: Final = 0.67
"""Below it, a likelihood is not worth a person's attention."""
HEARD: Final = 0.45
"""Below it, it does not even speak for what a rule guesses."""
BESIDE: Final = 0.9
"""A message that states one thing states another only if it is that likely."""
_NO_WORK_COSTS: Final = 1.0
_EVERYDAY_COSTS: Final = 0.5
"""Log-odds; a statement without a word about work on a project needs to be surer."""
_MOST_SENTENCES: Final = 12
"""Of a message at most."""
_SHORTEST: Final = 3
"""Words of a statement at least."""
_NO_SENTENCE: Final = 10
"""So many words have one at least of those with which sentences are made, or are none."""
_LONGEST: Final = 40
"""Tokens of a sentence that are read."""
_BESIDE: Final = 20
"""Tokens of the sentence after it that are read."""
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
_WORD: Final = re.compile(r"\w+")
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?|\d+|[^\s\w]|_")
_LABELLED: Final = re.compile(r"\W*(?:[\w'/&.-]+ ){0,4}[\w'/&.-]+(?::|\s(?:->|\u2192|=|-|\u2013|\u2014))\s")
_BARS: Final = re.compile(r"(?i)\W*(?:no|kein\w*|pas de|nada de) \w")
_COMMIT: Final = re.compile(
    r"(?i)\s*(?:(?:feat|fix|docs?|chore|refactor|tests?|style|perf|build|ci|revert|wip)(?:\([^()\n]{1,40}\))?!?:\s"
    r"|(?:add|apply|bump|fix|update|remove|rename|refactor|implement|introduce|improve|extract|merge|revert|simplify"
    r"|document|format|prepare|release|upgrade|configure|create|delete|convert|adjust|correct|address|reorgani[sz]e"
    r"|restore|tidy|tweak|clean|initial)\s[^.,!?;\n]{3,90}(?:\n|\Z))"
)
"""A text in the form of a commit message, which tells a change and no decision."""
_UNREAL: Final = re.compile(
    r"(?i)\A\W*(?:(?:and|but|so|ok|well|und|aber|et|mais|y|pero)\W+)?(?:if|unless|suppos\w+|imagine|assuming|in case"
    r"|when|once|as soon as|until|whenever|wenn|falls|sobald|angenommen|si|quand|d\u00e8s que|cuando|it would|what if"
    r"|i(?:['\u2019]d)? (?:propose|suggest|would|wish|dreamt?)|my (?:proposal|suggestion|idea|hope)|e\.g"
    r"|(?:fake )?news|headline|joke|scenario|example|alternatives?(?: considered)?|rumou?r)\b"
    r"|, (?:if|provided|unless|falls)\b"
)
_SHORTEST_WORD: Final = 3
_MOST_KNOWN: Final = 8_192
_SHAPE: Final = "shape "
_PER_LENGTH: Final = 4
_LONGEST_LENGTH: Final = 6


def statements(text: str) -> Iterator[Passage]:
    """The sentences of a text without words that say nothing before them and requests behind them."""
    for passage in passages(text):
        rest = without_lead(passage)
        yield rest.part(end=len(without_question(rest.plain))) if rest.plain.endswith("?") else rest


def features(said: Sequence[str], place: int) -> list[str]:
    """What the model looks at: the words of the sentence at a place, its tokens one by one and two by two, its shape,
    and the words and tokens of the sentence after it.
    """
    names = [_named(token) for token in _TOKEN.findall(said[place])[:_LONGEST]]
    shown = ["^", *(each[0] for each in names), "$"]
    found = [*shown, *map(" ".join, pairwise(shown)), *(each[1] for each in names)]
    if place + 1 < len(said):
        for token in _TOKEN.findall(said[place + 1])[:_BESIDE]:
            found += _named(token)[2:]
    return [*found, *_shape(said, place)]


def _shape(said: Sequence[str], place: int) -> tuple[str, ...]:
    """Each of these begins with "shape"."""
    plain = said[place]
    return (
        f"shape length {min(len(plain.split()) // _PER_LENGTH, _LONGEST_LENGTH)}",
        "shape labelled" if _LABELLED.match(plain) else "shape plain",
        f"shape work {work_words(plain)}",
        f"shape everyday {everyday_words(plain)}",
        "shape first" if place == 0 else "shape last" if place + 1 == len(said) else "shape between",
    )


@dataclass(frozen=True)
class Likelihood:
    """The model.

    Parameters
    ----------
    weights : feature -> log-odds; features that are not in it count nothing.
    bias : log-odds of a sentence without any.
    kind : of what it is a model: Kind.DECISION or Kind.THREAD.
    """

    weights: Mapping[str, float]
    bias: float
    kind: Kind = Kind.DECISION

    def of(self, said: Sequence[str], place: int) -> float:
        """How likely the sentence at a place states one, 0..1."""
        found = features(said, place)
        return self._sure(sum(filter(None, map(self.weights.get, found))), len(found))

    def stated_in(self, text: str) -> list[Detection]:
        """What a person's words may state, from `HEARD` on, the likeliest first; others beside a likely one from
        `BESIDE` on. Nothing where the text is long.
        """
        read = _read(text)
        stated = decision_said if self.kind is Kind.DECISION else thread_said
        found: list[Detection] = []
        for likely, place in sorted(self._likely(read), reverse=True):
            plain, words = read[place].passage.plain, read[place].passage.said
            if not work_words(plain):
                costs = _NO_WORK_COSTS + _EVERYDAY_COSTS * everyday_words(plain)
                likely = _logistic(math.log(likely / (1 - likely)) - costs)
            is_heard = likely >= (BESIDE if found and found[0].confidence >= LEAST else HEARD)
            if is_heard and _may_state(read[place].passage):
                if place and settles(plain):
                    continue  # It speaks of the sentence before it.
                about = words
                if self.kind is Kind.THREAD and place:
                    about = with_matter(words, read[place - 1].passage.said)
                found.append(stated(words, f"worded as {self.kind}s are", round(likely, 3), about))
        return found

    def _likely(self, read: Sequence[_Sentence]) -> list[tuple[float, int]]:
        """Where sentences are likely enough, as `of`; their shape is looked at only where it may matter."""
        sums = [self._sums(each.tokens) for each in read]
        found: list[tuple[float, int]] = []
        for place, ((own, _), (_, beside)) in enumerate(pairwise([*sums, (0.0, 0.0)])):
            if not read[place].may_state:
                continue
            after = len(read[place + 1].tokens) if place + 1 < len(read) else 0
            known = own + beside
            features_of_both = 3 * len(read[place].tokens) + 3 + 2 * min(after, _BESIDE)
            if self._sure(known + self._most_of_shape, features_of_both) < HEARD:
                continue
            shape = _shape([each.passage.plain for each in read], place)
            known += sum(self.weights.get(name, 0.0) for name in shape)
            if (sure := self._sure(known, features_of_both + len(shape))) >= HEARD:
                found.append((sure, place))
        return found

    def _sums(self, tokens: Sequence[str]) -> tuple[float, float]:
        """The weight of a sentence's tokens, and that of its first ones behind another sentence."""
        learn = self._learn
        weighed = [self._known.get(token) or learn(token) for token in tokens]
        shown = ["^", *(each[0] for each in weighed), "$"]
        own = self._edges + sum([each[1] for each in weighed])
        own += sum(filter(None, map(self._pairs.get, pairwise(shown))))
        return own, sum([each[2] for each in weighed[:_BESIDE]])

    def _learn(self, token: str) -> tuple[str, float, float]:
        """Remember how a token is shown and what it weighs."""
        shown, *names = _named(token)
        own, after, after_word = (self.weights.get(name, 0.0) for name in names)
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[token] = shown, self.weights.get(shown, 0.0) + own, after + after_word
        return self._known[token]

    @cached_property
    def _edges(self) -> float:
        """The weights of the marks around a sentence."""
        return self.weights.get("^", 0.0) + self.weights.get("$", 0.0)

    @cached_property
    def _known(self) -> dict[str, tuple[str, float, float]]:
        return {}

    @cached_property
    def _pairs(self) -> dict[tuple[str, ...], float]:
        """The weights of two tokens beside each other."""
        beside = ((tuple(name.split(" ")), weight) for name, weight in self.weights.items())
        return {names: weight for names, weight in beside if len(names) == 2}

    @cached_property
    def _most_of_shape(self) -> float:
        return sum(max(weight, 0.0) for name, weight in self.weights.items() if name.startswith(_SHAPE))

    def _sure(self, known: float, count: int) -> float:
        return _logistic(self.bias + known / math.sqrt(count))


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with its first tokens. `may_state`: whether it is long enough, and no question."""

    passage: Passage
    tokens: Sequence[str]
    may_state: bool


@lru_cache(maxsize=4)
def _read(text: str) -> Sequence[_Sentence]:
    """The sentences of a message, which several models look at; none of a long text."""
    if len(text) > LONGEST_MESSAGE:
        return ()
    read = list(islice(statements(text), _MOST_SENTENCES + 1))
    return tuple(map(_sentence, read)) if len(read) <= _MOST_SENTENCES and not _COMMIT.match(text) else ()


def _sentence(passage: Passage) -> _Sentence:
    plain = passage.plain
    is_short = len(_WORD.findall(plain)) < _SHORTEST and not (_LABELLED.match(plain) or _BARS.match(plain))
    return _Sentence(passage, _TOKEN.findall(plain)[:_LONGEST], not is_short and not plain.endswith("?"))


def _logistic(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _may_state(passage: Passage) -> bool:
    """Whether no trap speaks against a statement; what is said of entries by name states no other one."""
    plain = passage.plain
    if len(plain.split()) // _NO_SENTENCE > made_with(beginnings(plain)):
        return False
    if (
        plain.endswith(":")
        or passage.is_item
        or _UNREAL.search(plain)
        or has_name(plain.partition(":")[2] or plain)
    ):
        return False
    return not (
        asks(plain) or is_request(plain) or is_hearsay(plain) or is_hedged(plain) or is_elsewhere(plain)
    )


def _named(token: str) -> tuple[str, str, str, str]:
    """A token and its word as features of a sentence, and as those of the sentence after another one."""
    shown = _shown(token)
    word = token.lower() if len(token) >= _SHORTEST_WORD and token[0].isalpha() else ""
    return shown, f"w {word}", f"> {shown}", f">w {word}"


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
