"""What of a question is asked for by its letters and not by its words: operators, and words joined by a hyphen."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from engramforge.core.text.words import is_stop_word, root_of, words_of

_OPERATOR: Final = re.compile(r"(?<!\S)[`'\"]?([-+*/%=<>!&|^~:?@$#.\\]{2,4})[`'\"]?(?=\s|[?.,]?\Z)")
_PLAIN: Final = frozenset({"--", "---", "..", "...", "....", "??", "???", "!!", "?!", "!?", "->"})
_JOINED: Final = re.compile(r"(?<![\w-])([^\W\d_]{2,20})-([^\W\d_]{2,10})(?![\w-])")


def operators_in(query: str) -> tuple[str, ...]:
    """The operators that a question asks for.

    >>> operators_in("What does **= do?"), operators_in("And then ... what?"), operators_in("Is a/b it?")
    (('**=',), (), ())
    """
    return tuple(each for each in _OPERATOR.findall(query) if each not in _PLAIN)


def compounds_in(query: str) -> tuple[tuple[str, str], ...]:
    """The words of a question that are a verb and a particle, joined by a hyphen; "opt-in" is no "opting".

    >>> compounds_in("Is the opt-in new?"), compounds_in("Is the low-tide mark new?")
    ((('opt', 'in'),), ())
    """
    found = [(one.lower(), two.lower()) for one, two in _JOINED.findall(query)]
    return tuple(each for each in found if is_stop_word(each[1]) and not is_stop_word(each[0]))


def says_compound(compound: tuple[str, str], text: str) -> bool:
    """Whether a text says such a word, joined or apart.

    >>> says_compound(("opt", "in"), "They opted in."), says_compound(("opt", "in"), "Opt for it.")
    (True, False)
    """
    one, two = compound
    words = words_of(text)
    if root_of(one + two) in map(root_of, words):
        return True
    return any(root_of(first) == root_of(one) and second == two for first, second in pairwise(words))


def asks_by_letters(query: str) -> bool:
    """Whether a question asks for an operator or such a word."""
    return bool(operators_in(query) or compounds_in(query))


def may_be_meant(query: str, text: str) -> bool:
    """Whether a text says what a question asks for by its letters: its operators, and its compounds where it has words
    of them.

    >>> may_be_meant("What does **= do?", "It raises a number."), may_be_meant("Is opt-in on?", "They opt for tea.")
    (False, False)
    >>> may_be_meant("What does **= do?", "With **= a number is raised."), may_be_meant("Is opt-in on?", "It is on.")
    (True, True)
    """
    if any(each not in text for each in operators_in(query)):
        return False
    compounds = compounds_in(query)
    roots = set(map(root_of, words_of(text))) if compounds else set()
    return all(root_of(each[0]) not in roots or says_compound(each, text) for each in compounds)
