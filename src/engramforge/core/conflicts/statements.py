"""A statement read for comparing: its words with a meaning, each negated or not.

A negation reaches from its word to the end of its clause; a second one in the same clause cancels it (scope of negation
as in NegEx, Chapman and others 2001, without its lists). Verbs that say that something does not happen (refuse, lack)
negate what follows them, and in the passive what stands before them, as does "it is false that" what follows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from engramforge.core.conflicts.wording.frames import FALSE_THAT
from engramforge.core.ranking.designations import designations
from engramforge.core.text.words import is_stop_word, root_of, words_of

NEGATORS: Final = frozenset(
    {"not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "nowhere", "without", "cannot", "can't",
     "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "won't", "wouldn't", "shouldn't", "couldn't",
     "mustn't", "hasn't", "haven't", "hadn't", "needn't", "hardly", "barely", "unable"}
)  # fmt: skip
_NEGATING_PAIRS: Final = frozenset({("instead", "of"), ("rather", "than"), ("no", "longer")})
DENYING: Final = frozenset(
    map(root_of, ("refuse", "decline", "deny", "fail", "lack", "avoid", "refrain", "reject", "forbid", "forbidden",
     "prohibit", "prevent", "absent", "omit", "abandon", "stop", "drop", "ignore", "skip", "neglect", "overlook",
     "disagree", "dislike", "disapprove", "discourage", "oppose", "hate"))
)  # fmt: skip
CHOOSING: Final = frozenset(
    map(root_of, ("use", "choose", "pick", "adopt", "take", "select", "prefer", "keep", "go", "stay", "switch",
     "move", "migrate", "run", "need", "want"))
)  # fmt: skip
STATING: Final = frozenset(
    map(root_of, ("store", "live", "save", "put", "hold", "host", "deploy", "place", "locate", "write", "retain"))
)  # fmt: skip
"""Verbs that say where something is, and nothing of what it is."""
COUNTS: Final = {
    word: str(number)
    for number, word in (
        *enumerate(
            ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
             "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"), 1),
        (20, "twenty"), (30, "thirty"), (40, "forty"), (50, "fifty"), (60, "sixty"), (70, "seventy"), (80, "eighty"),
        (90, "ninety"),
    )
}  # fmt: skip
"""Words of small numbers -> their digits."""
_BE: Final = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_CLAUSE: Final = re.compile(
    r"[,;:.!?()\"]\s|\b(?:and|but|because|while|although|though|which|who|that|when|since|so|if|unless|until|before"
    r"|after)\b",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r"\([^()\[\]]{0,300}\)|\[[^()\[\]]{0,300}\]")
"""What stands in brackets interrupts its sentence: it is a clause by itself."""
_NAME: Final = re.compile(r"(?<!\w)[^\W\d_a-z][\w.+#-]{0,60}|\b\w{0,40}[a-z\d][A-Z]\w{0,40}")
_INDEFINITE: Final = re.compile(
    r"\W{0,8}(?:there (?:is|are|was|were)(?:n't| not)? )?(?:not )?(?:an?|some|two|three|four|several|many|people|men"
    r"|women|kids|children|boys|girls)\b",
    re.IGNORECASE,
)
_PERSON: Final = re.compile(r"\W{0,8}(i|you|he|she|we|they)\b", re.IGNORECASE)
_LONGEST: Final = 1_000
KEPT: Final = 4_096
"""How many statements are kept as they were read."""


class Word(NamedTuple):
    """A word with a meaning of its own. `clause`: the number of its clause, from 0."""

    word: str
    stem: str
    negated: bool
    clause: int


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """What a text says; equal to itself alone, so that what is read of it can be kept.

    `words`: in order. `negations`: how many words negate. `names`: the words written like names, in small letters.
    `designations`: short names with a number, such as RFC 42. `clauses`: all words of each clause, of which the last
    `asides` stand in brackets. `is_indefinite`: it speaks of somebody or something unknown ("a man"), of which there
    may be others. `person`: the pronoun that it begins with; None for another beginning. `text`: as it was read.
    """

    words: tuple[Word, ...]
    negations: int
    names: frozenset[str]
    designations: frozenset[tuple[str, str]]
    clauses: tuple[tuple[str, ...], ...]
    asides: int
    is_indefinite: bool
    person: str | None
    text: str

    @property
    def is_negated(self) -> bool:
        """Whether anything in it is negated."""
        return self.negations > 0 and any(word.negated for word in self.words)


def _names(text: str) -> frozenset[str]:
    """The words that are written like names; of the stop words the month alone."""
    return frozenset(
        word
        for match in _NAME.finditer(text)
        for word in words_of(match[0])
        if not is_stop_word(word) or (word == "may" and match.start() > 0)
    )


def _is_suffered(words: list[str], place: int) -> bool:
    """Whether a verb that denies tells what was done to what stands before it: "files are refused at the door" denies
    files; what follows "guests are forbidden to" is what is denied else."""
    is_passive = not _BE.isdisjoint(words[max(place - 2, 0) : place]) and words[place].endswith(("ed", "en"))
    return is_passive and words[place + 1 : place + 2] not in (["to"], ["from"])


@lru_cache(maxsize=KEPT)
def read_statement(text: str) -> Statement:
    """Read a text; its first thousand characters count.

    >>> [(word.word, word.negated) for word in read_statement("Logs are kept, but not on the laptop").words]
    [('logs', False), ('kept', False), ('laptop', True)]
    """
    text = text[:_LONGEST]
    found: list[Word] = []
    clauses: list[tuple[str, ...]] = []
    negations = 0
    is_false = FALSE_THAT.match(text)
    said = text[is_false.end() :] if is_false else text
    aside = [match[0][1:-1] for match in _ASIDE.finditer(said)]
    for clause, piece in enumerate(_CLAUSE.split(_ASIDE.sub(" ", said)) + aside):
        negated, every = is_false is not None and clause == 0, words_of(piece)
        negations += negated
        clauses.append(tuple(every))
        for place, (word, following) in enumerate(pairwise([*every, ""])):
            if word in NEGATORS or (word, following) in _NEGATING_PAIRS:
                negated, negations = not negated, negations + 1
            elif not is_stop_word(word):
                stem = root_of(word)
                found.append(Word(word, stem, negated, clause))
                if stem in DENYING and not negated and _is_suffered(every, place):
                    found = [x._replace(negated=not x.negated) if x.clause == clause else x for x in found]
                    negations += 1
                elif stem in DENYING:
                    negated, negations = not negated, negations + 1
    person = _PERSON.match(said)
    return Statement(
        words=tuple(found),
        negations=negations,
        names=_names(said),
        designations=frozenset(designations(said, lambda _: True)),
        clauses=tuple(clauses),
        asides=len(aside),
        is_indefinite=_INDEFINITE.match(said) is not None,
        person=None if person is None else person[1].lower(),
        text=text,
    )
