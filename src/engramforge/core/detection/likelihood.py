"""How likely a sentence states a decision or a thread, by how people word one: linear models of words and their order.

It serves statements that no rule knows: "pandas is out, Polars is in". All but common words are blanked, so that what
counts is how something is said and not what it is about; its shape and what the sentence after it says count, too. The
weights are numbers of a file (capture/detecting), fitted to labelled sentences by scripts/fit_wording.py
(docs/measurements/detection.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Final

from engramforge.core.detection.cues.cue_rule import beginnings, made_with
from engramforge.core.detection.cues.plan_cues import NOT_BEFORE
from engramforge.core.detection.cues.topic_words import everyday_words, work_words
from engramforge.core.detection.leads import without_lead
from engramforge.core.detection.named.entries import has_name
from engramforge.core.detection.passages import LONGEST_MESSAGE, Passage, passages
from engramforge.core.detection.passing import decides_nothing, is_of_the_screen, names_no_matter
from engramforge.core.detection.pointing_back import only_lists, with_matter
from engramforge.core.detection.said_parts import decision_said, thread_said
from engramforge.core.detection.settling import settles
from engramforge.core.detection.traps import (
    asks,
    is_next_task,
    is_private,
    tells_departure,
    without_question,
)
from engramforge.core.detection.wording_weights import Odds, Weights
from engramforge.core.text.late_pattern import late
from engramforge.model.memory import Kind
from engramforge.model.registries.detection import Detection

KINDS: Final = (Kind.DECISION, Kind.THREAD)
LEAST: Final = 0.80
"""Below it, a likelihood makes no entry."""
WAITS: Final = 0.6
"""Below it, it is not worth a person's attention either."""
AMONG_PERSONS: Final = 0.86
"""The same in talk of persons with each other, most of which is about no work."""
HEARD: Final = 0.45
"""Below it, it does not even speak for what a rule guesses."""
WORDED: Final = "worded as"
"""How the rule begins by which a model alone reads an entry."""
BESIDE: Final = 0.9
"""A message that states one thing states another only if it is that likely."""
_MOST_SENTENCES: Final = 12
"""Of a message at most."""
_NO_SENTENCE: Final = 10
"""So many words have one at least of those with which sentences are made, or are none."""
_MARVELS: Final = late(
    r"(?i)\bhow (?:much|many|far|long)\b[^.?!]{1,40}\bstill\b|\b(?:almost|nearly) (?:agreed|chose|decided|dropped"
    r"|picked|settled|switched|took|went)\b"
)
"""Who thinks how much is still to be done names no matter, and who nearly decided did not."""
_TAKES_LEAVE: Final = late(
    r"(?i)[,.;!\u2014\u2013-]\s*(?:later|see (?:you|ya)(?: \w+){0,2}|bye|cya|cu|brb|ttyl|gn|good ?night|ciao"
    r"|talk (?:later|soon)|(?:be )?back (?:soon|later|tomorrow))\W*\Z"
)
"""Says why somebody leaves, where the words before it are of everyday life: "dog needs out, later\"."""
_BARE_NAME: Final = late(r"(?i)\W*(?:new|another|next|first|old|small|same|next) \w+\W*\Z")
"""Names a matter, and says nothing of it: "New repo"."""
_WHAT_IS_LEFT: Final = late(
    r"(?i)^\W*(?:\w+\W+){0,2}?(?:what|who|where|anything|something)(?:['\u2019]?s)?\s(?:\w+\s){0,4}?"
    r"(?:still|left|open|outstanding|missing|unfinished|to-?do|next)\b"
)
"""Asks which matters are open: "so whats still to do"."""
_IS_NOT_BEFORE: Final = late(rf"(?i)^\W*(?:(?:so|and|ok(?:ay)?)\b\W{{1,3}}){{0,2}}{NOT_BEFORE}")
"""A rule of what has to be done first, and no open matter."""
_DEED_DONE: Final = late(
    r"(?i)\W*(?:(?:ok(?:ay)?|so|and|hi|hey)\b\W{0,3}){0,2}(?:(?:i|we)(?:['\u2019]ve| have)? )?(?:just |already )?"
    r"(?!(?:decided|agreed|settled|picked|dropped|switched|moved|changed|replaced|removed|scrapped|adopted|banned"
    r"|pinned|capped)\b)(?:[a-z]{3,14}ed|bought|sent|got|made|wrote|built|paid|put|fed|cut|swept|hung|brought|told)"
    r"\s[^.;?]{2,100}[,;.\u2014\u2013-]\s*(?:(?:so|and)\s)?(?:that['\u2019]?s|that is|it['\u2019]?s|all)\s(?:now )?"
    r"(?:done|sorted|it|finished|off (?:the|my|our) list)\W*\Z"
)
"""Tells a deed that is done, which decides nothing: "bought the cable, that's done"."""
_LONGEST: Final = 40
"""Tokens of a sentence that are read."""
_BESIDE: Final = 20
"""Tokens of the sentence after it that are read."""
_WORDS: Final = late(r"\w\W+\w")
"""A statement has two words at least."""
_TOKEN: Final = late(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?|\d+|[^\s\w]|_")
_ASCII_TOKEN: Final = late(r"[A-Za-z]+(?:'[A-Za-z]+)?|[0-9]+|[^\sA-Za-z0-9]")
_LABELLED: Final = late(r"\W*(?:[\w'/&.-]+ ){0,4}[\w'/&.-]+(?::|\s(?:->|\u2192|=|-|\u2013|\u2014))\s")
_BARS: Final = late(r"(?i)\W*(?:no|kein\w*|pas de|nada de) \w")
_COMMIT: Final = late(
    r"(?i)\s*(?:(?:feat|fix|docs?|chore|refactor|tests?|style|perf|build|ci|revert|wip)(?:\([^()\n]{1,40}\))?!?:\s"
    r"|(?:add|apply|bump|fix|update|remove|rename|refactor|implement|introduce|improve|extract|merge|revert|simplify"
    r"|document|format|prepare|release|upgrade|configure|create|delete|convert|adjust|correct|address|reorgani[sz]e"
    r"|restore|tidy|tweak|clean|initial)\s[^.,!?;\n]{3,90}(?:\n|\Z))"
)
"""A text in the form of a commit message, which tells a change and no decision."""
_SHORTEST_WORD: Final = 3
_SHORTEST_STEMMED: Final = 5
_MOST_KNOWN: Final = 16_384
_SHAPE: Final = "shape"
_PER_LENGTH: Final = 4
_LONGEST_LENGTH: Final = 6


_Behind = Mapping[str, Odds]
_Token = tuple[float, float, int, float, float, int, str, str, _Behind, _Behind]
"""What a token weighs in its sentence and by how many features, the same in the sentence before it, its word and how
that is shown, and what weighs behind it: how the next one is shown, and that one itself.

One flat tuple: a process keeps thousands.
"""
_NOTHING: Final = (0.0, 0.0)


def statements(text: str) -> Iterator[Passage]:
    """The sentences of a text without words that say nothing before them and requests behind them."""
    for passage in passages(text):
        rest = without_lead(passage)
        yield rest.part(end=len(without_question(rest.plain))) if rest.plain.endswith("?") else rest


def features(said: Sequence[str], place: int, common: Set[str]) -> list[str]:
    """What the model looks at: the words of the sentence at a place and how they begin and end, its tokens one by one
    and two by two, its shape, and the words and tokens of the sentence after it. `common`: words that are not blanked.
    """
    named = [_named(each, common) for each in ("^", *_tokens(said[place], _LONGEST), "$")]
    found = [name for each in named for name in each[1:]]
    found += [name for one, other in pairwise(named) for name in _paired(one, other)]
    if place + 1 < len(said):
        for token in _tokens(said[place + 1], _BESIDE):
            found += _named_beside(_named(token, common))
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
    """The models of all `KINDS`, which look at the same and weigh it each in its own way.

    Parameters
    ----------
    weights : the log-odds of features.
    bias : log-odds of each kind for a sentence without any.
    common : words in lower case that many people use, which are not blanked.
    """

    weights: Weights
    bias: Odds
    common: Set[str]

    def of(self, said: Sequence[str], place: int) -> Odds:
        """How likely the sentence at a place states something of each kind, 0..1."""
        found = features(said, place, self.common)
        return self._sure(self._sum(found), len(found))

    def stated_in(self, text: str) -> list[Detection]:
        """What a person's words may state, from `HEARD` on, of each kind the likeliest first; others of it beside a
        likely one from `BESIDE` on. Nothing where the text is long.
        """
        read = _read(text)
        likely = self._likely(read)
        found: list[Detection] = []
        for which, kind in enumerate(KINDS):
            ranked = sorted(((each[which], place) for each, place in likely), reverse=True)
            least = HEARD
            for sure, place in ranked:
                passage = read[place].passage
                # What settles a matter speaks of the sentence before it.
                if sure < least or not _may_state(passage) or (place and settles(passage.plain)):
                    continue
                if (_decides_nothing if kind is Kind.DECISION else _opens_nothing)(passage.plain):
                    continue
                before = read[place - 1].passage if place else None
                found.append(_stated(kind, round(sure, 3), passage, before))
                least = max(least, BESIDE if sure >= LEAST else HEARD)
        return found

    def _likely(self, read: Sequence[_Sentence]) -> list[tuple[Odds, int]]:
        """Where sentences are likely enough, as `of`; their shape is looked at only where it may matter."""
        found: list[tuple[Odds, int]] = []
        known = self._known
        for place, sentence in enumerate(read):
            if not sentence.may_state:
                continue
            decided, opened, count = self._weighed(sentence.tokens)
            if place + 1 < len(read):
                for token in read[place + 1].tokens[:_BESIDE]:
                    _, _, _, mine, also, each, *_ = known.get(token) or self._token(token)
                    decided, opened, count = decided + mine, opened + also, count + each
            if max(self._sure(_plus((decided, opened), self._most_of_shape), count)) < HEARD:
                continue
            shape = _shape([each.passage.plain for each in read], place)
            sure = self._sure(_plus((decided, opened), self._sum(shape)), count + len(shape))
            if max(sure) >= HEARD:
                found.append((sure, place))
        return found

    def _weighed(self, tokens: Sequence[str]) -> tuple[float, float, int]:
        """The weight of a sentence's tokens and pairs of them for each kind, and how many features these are."""
        decided = opened = 0.0
        count = 2 * (len(tokens) + 1)
        known = self._known
        after_shown: _Behind = {}
        after_word: _Behind = {}
        for token in ("^", *tokens, "$"):
            mine, also, each, _, _, _, word, shown, behind_shown, behind_word = known.get(
                token
            ) or self._token(token)
            decided, opened, count = decided + mine, opened + also, count + each
            one, other = after_shown.get(shown), after_word.get(word)
            if one or other:
                one, other = one or _NOTHING, other or _NOTHING
                decided, opened = decided + (one[0] + other[0]), opened + (one[1] + other[1])
            after_shown, after_word = behind_shown, behind_word
        return decided, opened, count

    def _token(self, token: str) -> _Token:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        word, shown, *_ = named = _named(token, self.common)
        beside = _named_beside(named)
        self._known[token] = found = (
            *(*self._sum(named[1:]), len(named) - 1),
            *(*self._sum(beside), len(beside)),
            *(word, shown),
            *(self.weights.behind(shown), self.weights.behind(f"b {word}")),
        )
        return found

    def _sum(self, names: Sequence[str]) -> Odds:
        decided = opened = 0.0
        for name in names:
            if (each := self.weights.get(name)) is not None:
                decided, opened = decided + each[0], opened + each[1]
        return decided, opened

    @cached_property
    def _known(self) -> dict[str, _Token]:
        return {}

    @cached_property
    def _most_of_shape(self) -> Odds:
        shapes = self.weights.beginning(_SHAPE)
        return sum(max(each[0], 0.0) for each in shapes), sum(max(each[1], 0.0) for each in shapes)

    def _sure(self, known: Odds, count: int) -> Odds:
        scale = 1 / math.sqrt(count)
        return _logistic(self.bias[0] + known[0] * scale), _logistic(self.bias[1] + known[1] * scale)


def _plus(one: Odds, other: Odds) -> Odds:
    return one[0] + other[0], one[1] + other[1]


def _stated(kind: Kind, sure: float, passage: Passage, before: Passage | None) -> Detection:
    """What a sentence states; a thread may take the matter that it points at from the sentence before it."""
    words, rule = passage.said, f"{WORDED} {kind}s are"
    if kind is Kind.DECISION:
        return decision_said(words, rule, sure, words)
    return thread_said(words, rule, sure, with_matter(words, before.said) if before else words)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with its first tokens. `may_state`: whether it is long enough, and no question."""

    passage: Passage
    tokens: Sequence[str]
    may_state: bool


def _read(text: str) -> Sequence[_Sentence]:
    """The sentences of a message; none of a long text."""
    if len(text) > LONGEST_MESSAGE:
        return ()
    read = list(islice(statements(text), _MOST_SENTENCES + 1))
    return tuple(map(_sentence, read)) if len(read) <= _MOST_SENTENCES and not _COMMIT.match(text) else ()


def _sentence(passage: Passage) -> _Sentence:
    plain = passage.plain
    is_short = _WORDS.search(plain) is None and not (_LABELLED.match(plain) or _BARS.match(plain))
    return _Sentence(passage, _tokens(plain, _LONGEST), not is_short and not plain.endswith("?"))


def _tokens(plain: str, most: int) -> list[str]:
    return (_ASCII_TOKEN if plain.isascii() else _TOKEN).findall(plain)[:most]


def _logistic(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _may_state(passage: Passage) -> bool:
    """Whether it may be a statement at all; what is said of entries by name states no other one."""
    plain = passage.plain
    if len(plain.split()) // _NO_SENTENCE > made_with(beginnings(plain)) or _MARVELS.search(plain):
        return False
    if _TAKES_LEAVE.search(plain) and everyday_words(plain) and not work_words(plain):
        return False
    if only_lists(plain) or (is_private(plain) and not work_words(plain)):
        return False
    return not (plain.endswith(":") or passage.is_item or has_name(plain.partition(":")[2] or plain))


def _decides_nothing(plain: str) -> bool:
    is_deed = _DEED_DONE.match(plain) is not None
    return (
        is_deed
        or asks(plain)
        or is_next_task(plain)
        or decides_nothing(plain)
        or is_of_the_screen(plain)
        or tells_departure(plain)
        or _BARE_NAME.match(plain) is not None
    )


def _opens_nothing(plain: str) -> bool:
    return (
        _IS_NOT_BEFORE.match(plain) is not None
        or names_no_matter(plain)
        or (_WHAT_IS_LEFT.match(plain) is not None and asks(plain))
    )


def _named(token: str, common: Set[str]) -> list[str]:
    """A token in lower case, and as features of its sentence: how it is shown, its word, how that begins and ends."""
    word = token.lower()
    names = [word, _shown(token, word, common)]
    if token[0].isalpha() and len(token) >= _SHORTEST_WORD:
        names.append(f"w {word}")
        if len(word) >= _SHORTEST_STEMMED:
            names += (f"p {word[:4]}", f"p {word[:6]}", f"e {word[-3:]}")
    return names


def _named_beside(named: Sequence[str]) -> list[str]:
    """A token as features of the sentence before its own."""
    return [f"> {name}" for name in named[1:3]]


def _paired(first: Sequence[str], second: Sequence[str]) -> tuple[str, str]:
    """Two tokens in order as features, as they are shown and as they are."""
    return f"{first[1]} {second[1]}", f"b {first[0]} {second[0]}"


def _shown(token: str, word: str, common: Set[str]) -> str:
    if word in common or not token[0].isalnum():
        return word
    if token[0].isdigit():
        return "0"
    head, mark, tail = word.partition("'")
    if mark and head in common:
        return f"{head}'{tail}"
    if token[0].isupper():
        return "N"
    return next((ending for ending in ("ing", "ed", "s") if word.endswith(ending)), "x")
