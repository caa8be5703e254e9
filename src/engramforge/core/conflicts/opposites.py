"""Two statements about the same thing use opposite words.

Opposites are words of frequency, access and order that software and work speak of, in one short list, and pairs that
their affixes tell (enabled, disabled). They count where the rest of what the shorter statement says is met by the
other.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engramforge.core.conflicts.alignment import Alignment, shared
from engramforge.core.conflicts.claims import is_all_found
from engramforge.core.conflicts.signals import Disagreement, Signal
from engramforge.core.conflicts.statements import KEPT, Statement

STRENGTH: Final = 0.6
OPPOSITES: Final = (
    ("enable", "disable"), ("allow", "forbid"), ("allow", "deny"), ("add", "remove"), ("keep", "remove"),
    ("keep", "delete"), ("always", "never"), ("sync", "async"), ("synchronous", "asynchronous"),
    ("public", "private"), ("open", "closed"), ("single", "multiple"), ("one", "several"), ("manual", "automatic"),
    ("manually", "automatically"), ("daily", "weekly"), ("weekly", "monthly"), ("daily", "monthly"),
    ("before", "after"), ("first", "last"), ("local", "remote"), ("local", "utc"), ("strict", "lenient"),
    ("required", "optional"), ("mandatory", "optional"), ("push", "pull"), ("increase", "decrease"),
    ("monolith", "microservices"), ("shared", "separate"), ("encrypted", "plain"), ("server", "client"),
    ("eager", "lazy"), ("mutable", "immutable"), ("internal", "external"), ("static", "dynamic"), ("buy", "build"),
    ("more", "fewer"), ("accept", "reject"), ("soft", "hard"), ("online", "offline"), ("all", "none"),
    ("best", "worst"), ("male", "female"), ("fictional", "real"), ("above", "below"), ("early", "late"),
)  # fmt: skip
_MEANS: Final = frozenset({"by", "with", "via", "through", "using"})
_WORDS: Final = frozenset(word for pair in OPPOSITES for word in pair)
_LEAST_MET: Final = 0.33
_IS_MET: Final = 0.5


def opposite_words(
    one: Statement, other: Statement, alignment: Alignment, is_one_matter: bool = True
) -> Disagreement | None:
    """Opposite words of which each statement has one, where neither negates its own.

    `is_one_matter`: they are known to speak of the same; else all the shorter one says beside must be in the other.

    >>> from engramforge.core.conflicts.alignment import align
    >>> from engramforge.core.conflicts.statements import read_statement
    >>> told = read_statement("Releases are built manually"), read_statement("Releases are built automatically")
    >>> opposite_words(*told, align(*told)).why
    'opposite words: manually and automatically'
    """
    said, replied = _opposable(one), _opposable(other)
    here, there = said - replied, replied - said
    if not here or not there or (one.negations + other.negations) % 2:
        return None
    met = shared(alignment)
    if not len(met) or (met >= _IS_MET).mean() < _LEAST_MET:
        return None
    for left, right in OPPOSITES:
        for mine, theirs in ((left, right), (right, left)):
            if mine in here and theirs in there:
                but = {mine, theirs} | _how(one, mine) | _how(other, theirs)
                if not is_one_matter and not is_all_found(one, other, alignment, but):
                    continue
                return Disagreement(Signal.OPPOSITE, f"opposite words: {mine} and {theirs}", STRENGTH)
    return None


def _how(statement: Statement, word: str) -> frozenset[str]:
    """The words behind one that say by whom or by what means ("through a rule"); they name no other matter."""
    for words in statement.clauses:
        behind = words[words.index(word) + 1 :] if word in words else ()
        if behind and behind[0] in _MEANS:
            return frozenset(behind[1:])
    return frozenset()


@lru_cache(maxsize=KEPT)
def _opposable(statement: Statement) -> frozenset[str]:
    """The words of a statement that have an opposite."""
    return frozenset(word for clause in statement.clauses for word in clause if word in _WORDS)
