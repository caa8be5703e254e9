"""Cues that two decisions about the same thing say different things.

English cues of wording alone: one chooses what the other rejected, one negates what the other says, they use opposite
words, or they fill the same place of the same sentence differently. Whether they are about the same thing is judged by
the words that they share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from engramforge.core.text.words import STOP_WORDS, stem_of, words_of


class Signal(StrEnum):
    """By what it is seen that two statements disagree."""

    REJECTED = "rejected_alternative"
    NEGATION = "negation"
    CHOICE = "other_choice"
    OPPOSITE = "opposite_words"


STRENGTH: Final[Mapping[Signal, float]] = {
    Signal.REJECTED: 0.9,
    Signal.NEGATION: 0.8,
    Signal.CHOICE: 0.7,
    Signal.OPPOSITE: 0.6,
}
"""How strongly two statements disagree by a signal, 0..1: what was said outright before what words suggest."""


class Disagreement(NamedTuple):
    """That two statements seem to disagree. `why`: in words."""

    signal: Signal
    why: str

    @property
    def strength(self) -> float:
        """How strongly, 0..1."""
        return STRENGTH[self.signal]


_NEGATIONS: Final = frozenset(
    {"not", "no", "never", "without", "avoid", "don't", "doesn't", "won't", "cannot", "can't", "stop", "drop", "forbid",
     "forbidden", "reject", "refuse", "disable", "neither", "nothing", "nobody", "none", "shouldn't", "mustn't",
     "instead", "remove", "abandon"}
)  # fmt: skip
_OPPOSITES: Final = (
    ("enable", "disable"), ("allow", "forbid"), ("allow", "deny"), ("add", "remove"), ("keep", "remove"),
    ("keep", "delete"), ("always", "never"), ("sync", "async"), ("synchronous", "asynchronous"),
    ("public", "private"), ("open", "closed"), ("single", "multiple"), ("one", "several"), ("manual", "automatic"),
    ("manually", "automatically"), ("daily", "weekly"), ("weekly", "monthly"), ("daily", "monthly"),
    ("before", "after"), ("first", "last"), ("local", "remote"), ("local", "utc"), ("strict", "lenient"),
    ("required", "optional"), ("mandatory", "optional"), ("push", "pull"), ("increase", "decrease"),
    ("monolith", "microservices"), ("shared", "separate"), ("encrypted", "plain"), ("server", "client"),
    ("eager", "lazy"), ("mutable", "immutable"), ("internal", "external"), ("static", "dynamic"), ("buy", "build"),
    ("internal", "external"), ("more", "fewer"), ("accept", "reject"), ("soft", "hard"), ("online", "offline"),
)  # fmt: skip
_PREPOSITIONS: Final = frozenset(
    {"in", "on", "at", "by", "for", "of", "with", "as", "to", "from", "into", "over", "under", "after", "before",
     "when", "whenever", "if", "unless", "because", "since"}
)  # fmt: skip
_TAIL: Final = frozenset({"for", "of", "when", "whenever", "if", "unless", "because", "since"})
"""What follows these words says what the choice is for, not what was chosen."""
_SAME_SUBJECT: Final = 0.6
_OPPOSITE_SUBJECT: Final = 0.33
_LEAST_SHARED: Final = 2
_MOST_DIFFERENT: Final = 3


def disagreement(
    text: str, other: str, rejected: Sequence[str] = (), rejected_by_other: Sequence[str] = ()
) -> Disagreement | None:
    """How two decisions seem to disagree; None if they do not.

    `text`, `other`: what they decide. `rejected`, `rejected_by_other`: the alternatives that each rejected.
    """
    for chosen, turned_down in ((other, rejected), (text, rejected_by_other)):
        for alternative in turned_down:
            if _chooses(chosen, alternative):
                return Disagreement(
                    Signal.REJECTED, f"one chooses what the other rejected ({alternative[:80]})"
                )
    mine, theirs = _words(text), _words(other)
    shared = mine & theirs
    smaller = min(len(mine), len(theirs))
    if not shared:
        return None
    if _is_negated(text) is not _is_negated(other) and len(shared) >= _SAME_SUBJECT * smaller:
        return Disagreement(Signal.NEGATION, "one negates what the other says")
    if len(shared) >= _OPPOSITE_SUBJECT * smaller:
        said, replied = set(words_of(text)), set(words_of(other))
        here, there = said - replied, replied - said
        for left, right in _OPPOSITES:
            if left in here and right in there:
                return Disagreement(Signal.OPPOSITE, f"opposite words: {left} and {right}")
            if right in here and left in there:
                return Disagreement(Signal.OPPOSITE, f"opposite words: {right} and {left}")
    if choices(text, other):
        return Disagreement(Signal.CHOICE, "the same sentence with another choice")
    return None


def _words(text: str) -> frozenset[str]:
    return frozenset(
        stem_of(word) for word in words_of(text) if word not in STOP_WORDS and word not in _NEGATIONS
    )


def _is_negated(text: str) -> bool:
    """Whether it is negated; two negations cancel each other."""
    return sum(word in _NEGATIONS for word in words_of(text)) % 2 == 1


def _chooses(text: str, alternative: str) -> bool:
    """Whether a decision is for something that another rejected."""
    wanted = _words(alternative)
    return bool(wanted) and wanted <= _words(text) and not _is_negated(text)


def choices(text: str, other: str) -> frozenset[str]:
    """The words in which two texts differ that are the same sentence except in a single place, which is the choice and
    not its purpose; empty where they are not.

    >>> sorted(choices("The office opens at 8.", "The office opens at 9.")), choices("It opens at 8.", "Buy bread.")
    (['8', '9'], frozenset())
    """
    mine, theirs = _frame(text), _frame(other)
    least = min(len(mine), len(theirs))
    before = next((place for place in range(least) if mine[place] != theirs[place]), least)
    after = next(
        (place for place in range(least - before) if mine[-1 - place] != theirs[-1 - place]), least - before
    )
    here, there = mine[before : len(mine) - after], theirs[before : len(theirs) - after]
    alike = [word for word in mine[:before] + mine[len(mine) - after :] if word not in _PREPOSITIONS]
    if not before or not here or not there or max(len(here), len(there)) > _MOST_DIFFERENT:
        return frozenset()
    if len(alike) < _LEAST_SHARED or set(here) & set(there) or _TAIL & {here[0], there[0]}:
        return frozenset()
    are_numbers = all(word[0].isdigit() for word in (*here, *there))
    is_choice = are_numbers or not _TAIL & set(mine[:before])
    return frozenset((*here, *there)) if is_choice else frozenset()


def _frame(text: str) -> list[str]:
    """The words in their order, with the prepositions that hold them together."""
    words = words_of(text)
    return [stem_of(word) for word in words if word not in STOP_WORDS or word in _PREPOSITIONS]
