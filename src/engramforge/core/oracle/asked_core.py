"""What a question asks for at its core: the attribute or the deed without which nothing answers it.

"What does the boat cost?" is not answered by whatever else is said of the boat. A kind of thing that is asked for
("which database") is none: its answer is one of them, and need not say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.ranking.question import FRAME_WORDS
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import is_stop_word, root_of, words_of

Likeness = Callable[[Sequence[str], Sequence[str]], NDArray[np.floating[Any]]]
"""How like words are in meaning: cosines, shape (n, m), of n words with m others."""

_DEED: Final = re.compile(
    r"(?i)^\W*(?:so |and |but )?(?:what|how much) (?:do|does|did|will|would) (?:the|a|an|our|your|their|its|this"
    r"|that|each|one) ((?:[\w'-]+ ){1,6}?)(\w+)(?: (?:per|a|an|each|every) \w+)?\W*$"
)
_OF: Final = re.compile(
    r"(?i)^\W*(?:what|how) (?:is|are|was|were) the (\w+) (?:of|for) (?:the|a|an|our|its)\b"
)
_MEASURE: Final = re.compile(r"(?i)\b(?:what|which) (colou?r|weight|price|cost|size|height|age|fee)\b")
_WHO: Final = re.compile(r"(?i)^\W*who (?:else )?(\w+(?:s|ed)) (?:the|our|a|an)\b")
_HOW: Final = re.compile(r"(?i)\bhow (old|heavy|tall|expensive|deep|hot) (?:is|are|was|were)\b")
_COSTS: Final = re.compile(
    r"(?i)\bhow much (?:do|does|did|is|are|was|were|will) (?:[\w'-]+ ){1,7}?(cost|weigh)\b"
)
_ONE_OF_A_KIND: Final = re.compile(
    r"(?i)(?:\b(?:of|for)|^\W*who(?:se)? [\w'-]+) (?:the|our|its|their|a|an) "
    r"([\w-]+) ([\w-]+)\W*$"
)
_PLAIN: Final = frozenset(
    map(root_of, ("purpose", "status", "goal", "reason", "point", "role", "result", "outcome", "difference", "name",
     "title", "state", "rest", "best", "do", "mean", "say", "need", "want", "happen", "have", "own", "lead", "run",
     "decide", "write", "call", "look", "like", "capital", "effect", "impact", "rule", "policy", "plan", "content"))
)  # fmt: skip
"""Words that an answer says in other words, as a rule."""
_NTH: Final = frozenset(
    map(root_of, ("first", "second", "third", "next", "last", "old", "new", "past", "other", "same", "whole", "main",
     "single", "entire", "default", "own", "current"))
)  # fmt: skip
"""Words that tell none of a kind from another by what it is."""
_AMOUNT: Final = re.compile(
    r"(?i)[$\u20ac\u00a3\u00a5] ?\d|\d ?[$\u20ac\u00a3\u00a5]"
    r"|\b(?:eur|usd|gbp|chf|euros?|dollars?|pounds?|francs?|cents?|bucks)\b"
    r"|(?<!feel )(?<!-)\bfree\b|\b(?:cost|costs|price|priced|fee|paid|pay|spent|charged?)\b[^.\n]{0,40}\d"
)
_PRICES: Final = frozenset(map(root_of, ("cost", "price", "fee")))
"""Of these a number answers; that something costs a lot does not."""
_VALUES: Final = (
    (frozenset(map(root_of, ("cost", "price", "fee", "expensive"))), _AMOUNT),
    (
        frozenset(map(root_of, ("weigh", "weight", "heavy"))),
        re.compile(r"(?i)\b(?:\d+ ?(?:g|kg|t|lbs?)|grams?|kilos?|kilograms?|pounds?|tons?|tonnes?|ounces?)\b"),
    ),
    (
        frozenset(map(root_of, ("colour", "color"))),
        re.compile(r"(?i)\b(?:red|green|blue|yellow|black|white|grey|gray|brown|orange|purple|pink|silver|gold\w*)\b"),
    ),
    (
        frozenset(map(root_of, ("old", "age", "tall", "height", "deep", "hot", "size"))),
        re.compile(r"(?i)\d|\b(?:year|decade|century|birthday|since|built|born|turn\w*|small|medium|large)"),
    ),
)  # fmt: skip
"""What is said where an attribute is told without its name."""
_ALIKE: Final = 0.4
"""How like a word is in meaning that says the same, or belongs to it."""


def attribute_of(query: str) -> str:
    """The word for what is asked of something; empty where a question has no such core.

    >>> attribute_of("What does the tall crane cost?"), attribute_of("What is the weight of the crane?")
    ('cost', 'weight')
    >>> attribute_of("Who greases the crane?"), attribute_of("Which crane do we use?"), attribute_of("What does it do?")
    ('greases', '', '')
    """
    for pattern in (_COSTS, _DEED, _OF, _MEASURE, _WHO, _HOW):
        if found := pattern.search(query):
            word = found[found.lastindex or 1].lower()
            is_plain = root_of(word) in _PLAIN or is_stop_word(word)
            return "" if is_plain or (word in FRAME_WORDS and pattern is not _HOW) else word
    return ""


def is_unsaid(attribute: str, texts: Sequence[str], like: Likeness | None = None) -> bool:
    """Whether none of the texts says an attribute, by its name, its value or a word like it.

    >>> is_unsaid("cost", ["Cranes cost a lot."]), is_unsaid("cost", ["They want 90 euros for it."])
    (True, False)
    """
    root = root_of(attribute)
    if any(root in roots and value.search(text) for roots, value in _VALUES for text in texts):
        return False
    if root in _PRICES:
        return True
    words = list(dict.fromkeys(word for text in texts for word in words_of(text) if not is_stop_word(word)))
    if not words or root in map(root_of, words):
        return not words
    return like is None or float(np.max(like([attribute], words))) < _ALIKE


def amount_in(query: str, text: str) -> str:
    """The sentence of a text that tells an amount of money, the one that says most of the question; empty where none
    does.

    >>> amount_in("What does the crane cost?", "The boat costs 7 euros. The crane costs 90 euros. It leaks.")
    'The crane costs 90 euros.'
    """
    asked = {root_of(word) for word in words_of(query) if not is_stop_word(word)}
    told = [each for each in sentences_of(text) if _AMOUNT.search(each)]
    return max(told, key=lambda each: len(asked & set(map(root_of, words_of(each)))), default="")


def is_price(attribute: str) -> bool:
    """Whether an attribute is what something costs."""
    return root_of(attribute) in _PRICES


def one_of_a_kind(query: str) -> tuple[str, str] | None:
    """What tells the thing that a question ends with from others of its kind, and the kind; None where nothing does.

    >>> one_of_a_kind("Who greases the harbour crane?"), one_of_a_kind("Who greases the crane?")
    (('harbour', 'crane'), None)
    >>> one_of_a_kind("Who greases the new crane?") is None
    True
    """
    found = _ONE_OF_A_KIND.search(query)
    if found is None:
        return None
    which, kind = found[1].lower(), found[2].lower()
    is_plain = is_stop_word(which) or is_stop_word(kind) or which in FRAME_WORDS or root_of(which) in _NTH
    return None if is_plain else (which, kind)


def speaks_of_another(one: tuple[str, str], text: str, like: Likeness | None = None) -> bool:
    """Whether a statement speaks of another thing of the kind alone: of the kind with another word before it each time.

    >>> one = ("harbour", "crane")
    >>> speaks_of_another(one, "Ada greases the tower crane."), speaks_of_another(one, "Ada greases the crane.")
    (True, False)
    """
    which, kind = map(root_of, one)
    words = words_of(text)
    roots = list(map(root_of, words))
    before = [words[at - 1] if at else "" for at, root in enumerate(roots) if root == kind]
    if which in roots or not before or any(not word or is_stop_word(word) for word in before):
        return False
    return like is None or float(np.max(like([one[0]], before))) < _ALIKE
