"""Two statements that say one thing of others: "Ruth speaks Danish" and "Jonte does not" stand beside each other.

What differs must be all that stands before the words that both say, and name others: two names, or words that are not
alike in meaning. "Food is not allowed in the hall" and "guests may eat in the hall" differ in more than whom they
speak of.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.conflicts.alignment import Alignment
from engramforge.core.conflicts.claims import IS_FOUND
from engramforge.core.conflicts.numbers import is_day
from engramforge.core.conflicts.statements import CHOOSING, DENYING, STATING, Statement, read_statement

_MOST: Final = 2
"""Words that name somebody, at most."""
_LEAST_SAID: Final = 2
"""Words that both say of theirs, at least."""
_ALIKE: Final = 0.25
"""How close two words are from which they may name the same: guests, visitors."""


def are_of_others(one: Statement, other: Statement, alignment: Alignment) -> bool:
    """Whether two statements say the same of others, or one denies of its own what the other says of its own.

    >>> from engramforge.core.conflicts.alignment import align
    >>> from engramforge.core.conflicts.statements import read_statement
    >>> told = read_statement("Ruth speaks Danish."), read_statement("Jonte does not speak Danish.")
    >>> are_of_others(*told, align(*told))
    True
    >>> told = read_statement("Ruth speaks Danish."), read_statement("Ruth does not speak Danish.")
    >>> are_of_others(*told, align(*told))
    False
    """
    closeness = alignment.closeness
    if not closeness.size:
        return False
    met = np.asarray(closeness >= IS_FOUND)
    mine, theirs = _leading(one, np.any(met, axis=1)), _leading(other, np.any(met, axis=0))
    if not 0 < mine <= _MOST or not 0 < theirs <= _MOST:
        return False
    shorter, longer = sorted((np.any(met, axis=1)[mine:], np.any(met, axis=0)[theirs:]), key=len)
    if len(shorter) < _LEAST_SAID or len(longer) > len(shorter) + _MOST or not shorter.all():
        return False
    return not _may_be_one(one, other, closeness[:mine, :theirs])


def _leading(statement: Statement, is_met: NDArray[np.bool_]) -> int:
    """How many words stand before the first that both say; 0 where they name nobody: a number or a verb is among them,
    or a pronoun says of whom the text speaks."""
    count = int(is_met.argmax()) if is_met.any() else len(is_met)
    words = statement.words[:count]
    is_plain = any(word.stem in CHOOSING | STATING | DENYING or not word.word.isalpha() for word in words)
    return 0 if statement.person is not None or is_plain else count


def _may_be_one(one: Statement, other: Statement, closeness: NDArray[np.float64]) -> bool:
    """Whether those of whom the two speak may be the same."""
    are_named = closeness.size == 1 and all(_begins_with_name(each) for each in (one, other))
    return not are_named and float(closeness.max()) >= _ALIKE


def _begins_with_name(statement: Statement) -> bool:
    """Whether a text begins with a name, or with a word like one: no plural."""
    word = statement.words[0].word
    return statement.clauses[0][:1] == (word,) and word in statement.names and not word.endswith("s")


def name_others(text: str, other: str) -> bool:
    """Whether each of two texts names something, behind its first word, that the other does not.

    >>> name_others("The crew of the Ems sails.", "The crew of the Leda sails.")
    True
    """
    sides = [read_statement(each) for each in (text, other)]
    names = [
        {word.stem for word in each.words[1:] if word.word in each.names and not is_day(word.word)}
        for each in sides
    ]
    return bool(names[0] - names[1] and names[1] - names[0])
