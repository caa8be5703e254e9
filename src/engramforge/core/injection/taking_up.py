"""Whether a response took up a memory that was put before it: a small rule, which is right more often than not.

A memory counts as used if the response has something of it that the prompt had not:

- an identifier: a name with a digit, an underscore, a dot or a slash within, or capitals within; or
- a pair of rare words: two words that few memories have, within ten words of each other in both; or
- a quoted run: five words in a row, two of them content words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final

from engramforge.core.text.words import is_identifier, is_stop_word, stem_of, words_of

RUN: Final = 5
WINDOW: Final = 10
"""Words in a row that are a quotation; within how many two rare words are a pair."""
_SHORTEST: Final = 4
_MOST_WORDS: Final = 2_000
_NAME: Final = re.compile(r"[A-Za-z_][\w./:-]*[\w]|\d[\w.-]{3,}")
_INSIDE: Final = re.compile(r"\w[_./:]\w|[a-z][A-Z]|[A-Za-z]-?\d|\d[A-Za-z]")
_MARKS: Final = "`'\".,:;()[]{}<>*#"


def is_taken_up(memory: str, response: str, is_rare: Callable[[str], bool], prompt: str = "") -> bool:
    """Whether the response takes up the memory. `is_rare`: whether few memories have a word.

    >>> rare = {"zephyr", "quay"}.__contains__
    >>> is_taken_up("Set retry_limit to 9.", "I raised RETRY_LIMIT.", rare)
    True
    >>> is_taken_up("Set retry_limit to 9.", "I raised retry_limit.", rare, "What is retry_limit?")
    False
    >>> is_taken_up("The zephyr lies at the quay.", "At the quay I saw the Zephyr.", rare)
    True
    >>> is_taken_up("The zephyr lies at the quay.", f"At the quay {'and ' * 20} the Zephyr.", rare)
    False
    >>> is_taken_up("The zephyr lies at the quay.", "At the quay I saw a boat.", rare)
    False
    >>> is_taken_up("We open the gate at noon.", "Yes: we open the gate at noon.", rare)
    True
    """
    if names_of(memory) & names_of(response) - names_of(prompt):
        return True
    said, told, known = (words_of(each)[:_MOST_WORDS] for each in (memory, response, prompt))
    if (_runs(said) & _runs(told)) - _runs(known):
        return True
    return bool((_pairs(said, is_rare) & _pairs(told, is_rare)) - _pairs(known, is_rare))


def names_of(text: str) -> frozenset[str]:
    """The identifiers of a text in lower case; of a path also its last part.

    >>> sorted(names_of("See src/store/door.py, RetryPolicy, v2.1 and the plan."))
    ['door.py', 'retrypolicy', 'src/store/door.py', 'v2.1']
    """
    found: set[str] = set()
    for piece in _NAME.findall(text):
        name = piece.strip(_MARKS)
        if len(name) < _SHORTEST or not (_INSIDE.search(name) or is_identifier(name)):
            continue
        if name.isdigit() and len(name) < _SHORTEST + 1:
            continue
        found.add(name.casefold())
        if "/" in name and len(last := name.rsplit("/", 1)[-1]) >= _SHORTEST:
            found.add(last.casefold())
    return frozenset(found)


def _runs(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    runs = (tuple(words[place : place + RUN]) for place in range(len(words) - RUN + 1))
    return frozenset(run for run in runs if sum(not is_stop_word(word) for word in run) >= 2)


def _pairs(words: Sequence[str], is_rare: Callable[[str], bool]) -> frozenset[tuple[str, str]]:
    places = [
        (place, stem_of(word))
        for place, word in enumerate(words)
        if len(word) >= _SHORTEST and not is_stop_word(word) and is_rare(word)
    ]
    return frozenset(
        (min(one, other), max(one, other))
        for (first, one), (second, other) in combinations(places, 2)
        if one != other and second - first <= WINDOW
    )
