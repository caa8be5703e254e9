"""What a question asks for at its core: the attribute or the deed without which nothing answers it.

"What does the boat cost?" is not answered by whatever else is said of the boat. A kind of thing that is asked for
("which database") is none: its answer is one of them, and need not say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.oracle.resonance import asked_stems
from engramforge.core.ranking.designations import designations
from engramforge.core.ranking.question import FRAME_WORDS
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import is_stop_word, root_of, roots_of, words_of

Likeness = Callable[[Sequence[str], Sequence[str]], NDArray[np.floating[Any]]]
"""How like words are in meaning: cosines, shape (n, m), of n words with m others."""

_HEAD: Final = 40
"""Characters in which a document says what it is called."""
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
_ASKS_OF: Final = re.compile(
    r"(?i)\A\W{0,4}(?:who|what|which|when|where)(?:'s| is| are| was| were) (?:the|an?|our) "
    r"(?P<noun>[a-z][\w-]{2,30}) (?:of|for|behind) (?P<thing>[^?]{2,80})"
)


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
    asked = roots_of(query)
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


def unsaid_of(query: str, texts: Sequence[str], missing: Collection[str] = ()) -> tuple[str, ...]:
    """What a question asks of a thing, where no text that names the thing says it; empty where one does, or where it is
    `missing` from all of them.

    >>> said = ["RFC 42 is a list of names.", "Many an author of a list dislikes RFC 7."]
    >>> unsaid_of("Who is the author of RFC 42?", said), unsaid_of("Who is the author of RFC 7?", said)
    (('author',), ())
    """
    found = _ASKS_OF.match(query)
    if found is None or not texts or found["noun"].lower() in missing:
        return ()
    noun, thing = root_of(found["noun"].lower()), found["thing"]
    named = set(designations(thing, lambda _: False))
    stems = asked_stems(thing)
    of_it = [
        text
        for text in texts
        if (
            not named.isdisjoint(designations(text, lambda _: False))
            if named
            else stems <= set(map(root_of, words_of(text)))
        )
    ]
    is_said = any(noun in map(root_of, words_of(text)) for text in of_it)
    return () if is_said or not (named or stems) else (found["noun"].lower(),)


def says_named(query: str, texts: Iterable[str]) -> bool:
    """Whether any text names all that a question names by a number; true where it names nothing so.

    >>> says_named("What became of RFC 42?", ["RFC 42 rests."]), says_named("What became of RFC 42?", ["RFC 7 rests."])
    (True, False)
    """
    named = set(designations(query, lambda _: False))
    said = {each for text in texts for each in designations(text, lambda _: False)}
    return named <= said


def of_the_named(query: str, texts: Sequence[str]) -> list[bool]:
    """Which texts may answer a question that names something by a number: not what is called by another number of the
    same series, where one names what is asked; all where none does.

    >>> of_the_named("Is RFC 42 final?", ["RFC 42: Names. Final.", "RFC 7: Boards. Final.", "RFC 9 extends RFC 42."])
    [True, False, True]
    """
    named = set(designations(query, lambda _: False))
    numbers = {number for _, number in named}  # whatever stands before it
    says = [not numbers.isdisjoint(words_of(text)) for text in texts]
    if not any(says):
        return [True] * len(texts)
    series = {name for name, _ in named}
    heads = [next(iter(designations(text[:_HEAD], lambda _: False)), None) for text in texts]
    return [
        is_said or head is None or head[0] not in series for is_said, head in zip(says, heads, strict=True)
    ]
