"""The same names in swapped roles: "Alpha acquired Beta" against "Beta acquired Alpha".

Two names that both statements hold stand before and behind the same word, in the other order; a passive ("was acquired
by") turns the order around.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import Statement
from engramforge.core.text.words import is_stop_word, root_of

STRENGTH: Final = 0.7
_MOST_BETWEEN: Final = 4
_COPULAS: Final = frozenset({"is", "are", "was", "were", "be", "been", "being", "gets", "got"})
_SYMMETRIC: Final = frozenset(
    map(root_of, ("meet", "marry", "join", "versus", "integrate", "differ", "equal", "resemble", "talk", "share"))
)  # fmt: skip
"""What is the same the other way round."""


class Deed(NamedTuple):
    """Who does what to whom; stems."""

    doer: str
    verb: str
    done_to: str


def deeds(statement: Statement) -> set[Deed]:
    """What one name does to another, as far as the order of words tells.

    >>> from engramforge.core.conflicts.statements import read_statement
    >>> deeds(read_statement("Beta was acquired by Alpha"))
    {Deed(doer='alpha', verb='acquir', done_to='beta')}
    """
    found = set()
    for words in statement.clauses:
        places = [place for place, word in enumerate(words) if word in statement.names]
        for first, second in pairwise(places):
            between = words[first + 1 : second]
            verbs = [root_of(word) for word in between if not is_stop_word(word)]
            if len(between) > _MOST_BETWEEN or len(verbs) != 1 or verbs[0] in _SYMMETRIC:
                continue
            one, other = root_of(words[first]), root_of(words[second])
            is_passive = between[-1] == "by" and bool(_COPULAS & set(between))
            found.add(Deed(other, verbs[0], one) if is_passive else Deed(one, verbs[0], other))
    return found


def swapped_roles(one: Statement, other: Statement) -> Disagreement | None:
    """Whether one says of two names what the other says the other way round.

    >>> from engramforge.core.conflicts.statements import read_statement
    >>> told = read_statement("Alpha acquired Beta"), read_statement("Beta acquired Alpha last year")
    >>> swapped_roles(*told).why
    'alpha and beta have swapped roles'
    """
    if one.negations or other.negations or len(one.names & other.names) < 2:
        return None
    there = deeds(other)
    for deed in sorted(deeds(one)):
        if Deed(deed.done_to, deed.verb, deed.doer) in there and deed not in there:
            return Disagreement(Signal.ROLES, f"{deed.doer} and {deed.done_to} have swapped roles", STRENGTH)
    return None
