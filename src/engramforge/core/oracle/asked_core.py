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
from engramforge.core.text.words import is_stop_word, root_of, words_of

Likeness = Callable[[Sequence[str], Sequence[str]], NDArray[np.floating[Any]]]
"""How like words are in meaning: cosines, shape (n, m), of n words with m others."""

_DEED: Final = re.compile(
    r"(?i)^\W*(?:so |and |but )?(?:what|how much) (?:do|does|did|will|would) (?:the|a|an|our|your|their|its|this"
    r"|that|each|one) ((?:[\w'-]+ ){1,6}?)(\w+)\W*$"
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
_PLAIN: Final = frozenset(
    map(root_of, ("purpose", "status", "goal", "reason", "point", "role", "result", "outcome", "difference", "name",
     "title", "state", "rest", "best", "do", "mean", "say", "need", "want", "happen", "have", "own", "lead", "run",
     "decide", "write", "call", "look", "like", "capital", "effect", "impact", "rule", "policy", "plan", "content"))
)  # fmt: skip
"""Words that an answer says in other words, as a rule."""
_VALUES: Final = (
    (
        frozenset(map(root_of, ("cost", "price", "fee", "expensive"))),
        re.compile(r"(?i)[$\u20ac\u00a3\u00a5]|\b(?:eur|usd|gbp|euros?|dollars?|pounds?|cents?|bucks|free)\b"),
    ),
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

    >>> is_unsaid("cost", ["The crane leaks."]), is_unsaid("cost", ["They want 90 euros for it."])
    (True, False)
    """
    root = root_of(attribute)
    if any(root in roots and value.search(text) for roots, value in _VALUES for text in texts):
        return False
    words = list(dict.fromkeys(word for text in texts for word in words_of(text) if not is_stop_word(word)))
    if not words or root in map(root_of, words):
        return not words
    return like is None or float(np.max(like([attribute], words))) < _ALIKE
