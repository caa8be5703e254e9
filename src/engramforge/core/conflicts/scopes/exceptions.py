"""Rules with exceptions: what one names as exempt, and what is denied of one of those of which the rule speaks.

"All halls but the chapel are heated" and "the chapel is not heated" agree; "the chapel is heated" stands against it, as
"the lockers in the annex need no deposit" stands against "all lockers need a deposit".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import CHOOSING, DENYING, KEPT, NEGATORS
from engramforge.core.text.words import is_stop_word, root_of, words_of

STRENGTH: Final = 0.7
OF_ONE: Final = 0.6
_ALL: Final = re.compile(r"(?i)\W{0,4}(?:all|every|each|any)\b")
_NONE: Final = re.compile(r"(?i)\W{0,4}(?:no|none of|never|nobody)\b")
_BUT: Final = re.compile(
    r"(?i),? \b(?:except(?: for)?|apart from|other than|save for|with the exception of|excluding|but)\b"
    r"(?! (?:also|not|only|then|never|if|when|in|on|at|by)\b)(?: (?:the|a|an|our|those))?"
)
_EXEMPTS: Final = re.compile(
    r"(?i)\b(?:except|apart from|other than|save for|with the exception of|excluding)\b"
)
_SAME: Final = {root_of(word): root_of(like) for word, like in (("require", "need"), ("permit", "allow"))}
"""Verbs of which rules are made that say the same."""
_ONES: Final = frozenset({"one", "ones"})
_MOST_EXEMPT: Final = 3
_MOST_BESIDE: Final = 3
_DENYING: Final = frozenset(map(root_of, NEGATORS)) | DENYING


class _Rule(NamedTuple):
    """A rule of all or none of a kind. `exempt`: roots of what it names as exempt, with the words that follow."""

    is_of_all: bool
    says: frozenset[str]
    exempt: tuple[str, ...]


@lru_cache(maxsize=KEPT)
def _rule(text: str) -> _Rule | None:
    """The rule of a text that begins with whom it holds for; None for any other text."""
    is_of_all = _ALL.match(text) is not None
    if not is_of_all and _NONE.match(text) is None:
        return None
    but = _BUT.search(text)
    rest = text if but is None else text[: but.start()]
    behind = [] if but is None else words_of(text[but.end() :])
    exempt: list[str] = []
    for word in behind:
        if is_stop_word(word) or len(exempt) == _MOST_EXEMPT:
            break
        if word not in _ONES:
            exempt.append(_root(word))
    said = [_root(word) for word in (*words_of(rest), *behind) if not is_stop_word(word)]
    return _Rule(is_of_all, frozenset(said) - _DENYING - _UNIVERSAL, tuple(exempt))


_UNIVERSAL: Final = frozenset({"everi", "each", "all", "any"})


def _root(word: str) -> str:
    root = root_of(word)
    return _SAME.get(root, root)


def _exempted(rule: _Rule, words: Sequence[str]) -> int:
    """How many of the first words behind "except" the beginning of the other text says; 0 where it speaks of others."""
    roots = [_root(word) for word in words]
    count = 0
    while count < len(rule.exempt) and rule.exempt[count] in roots:
        count += 1
    if not count or count == len(rule.exempt) or count > 1:
        return count
    # "Except audit logs are": "audit reports" are none of them.
    place = roots.index(rule.exempt[0]) + 1
    return count if place == len(words) or is_stop_word(words[place]) or _says_no(words[place:][:1]) else 0


def _says_no(words: Sequence[str]) -> bool:
    return any(word in NEGATORS or root_of(word) in DENYING for word in words)


def by_exception(text: str, other: str) -> tuple[bool, Disagreement | None]:
    """Whether an exception decides how two statements stand to each other, and whether it sets them against each other.

    >>> by_exception("Every hall but the chapel is heated.", "The chapel is not heated.")
    (True, None)
    >>> by_exception("Every hall but the chapel is heated.", "The chapel is heated.")[1].why
    'one exempts what the other includes: chapel'
    >>> by_exception("All lockers need a deposit.", "The lockers in the annex need no deposit.")[1].why
    'one says of all what the other denies of some'
    """
    for rule, said in ((_rule(text), other), (_rule(other), text)):
        if rule is None:
            continue
        words = words_of(said)
        count = _exempted(rule, words) if rule.exempt else 0
        denies = _says_no(words)
        roots = {_root(word) for word in words if not is_stop_word(word)} - _DENYING
        if count:
            return True, _of_exempt(rule, rule.exempt[:count], roots, denies)
        is_of_some = rule.is_of_all and not rule.exempt and denies and _rule(said) is None
        is_same = len(rule.says) > 1 and rule.says <= roots and len(roots - rule.says) <= _MOST_BESIDE
        if is_of_some and is_same:
            why = "one says of all what the other denies of some"
            return False, Disagreement(Signal.NEGATION, why, OF_ONE)
    return False, None


def has_exception(*texts: str) -> bool:
    """Whether one of some texts exempts something, wherever it says so: "open every day except Mondays"."""
    return any(_EXEMPTS.search(text) is not None for text in texts)


def _of_exempt(rule: _Rule, exempt: Sequence[str], roots: set[str], denies: bool) -> Disagreement | None:
    """That one says of what is exempt what the rule says of the others."""
    said = roots - set(exempt)
    if denies is rule.is_of_all or not said or not said <= rule.says:
        return None
    told = " ".join(root for root in exempt if root not in CHOOSING)
    return Disagreement(Signal.NEGATION, f"one exempts what the other includes: {told}", STRENGTH)
