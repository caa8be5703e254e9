"""Whether two texts say the same, are about one matter, or leave a doubt of it.

    share = sum of each word's closeness to its nearest in the other text / words of both

Two texts about near matters, or two that oppose each other, are as alike by their embeddings as two that say the same:
"no deployments on Fridays" and "we deploy every Friday". So words are compared: most of both texts must be met in the
other, and nothing of it the other way round. A doubt is enough to call it no agreement, and is no contradiction.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import Final

from engramforge.core.conflicts.alignment import Alignment, Likeness, align, shared
from engramforge.core.conflicts.claims import IS_FOUND
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.signals import LEAST_STRENGTH, Disagreement, Signal
from engramforge.core.conflicts.statements import CHOOSING, COUNTS, STATING, Statement, read_statement
from engramforge.core.ranking.succession import name_of
from engramforge.core.text.summarising import sentences_of
from engramforge.core.text.words import stem_of, words_of

SAME: Final = 0.6
"""The share from which two texts say the same."""
ONE_MATTER: Final = 0.65
"""How well the words of the shorter text are met on the mean where two are about one matter."""
NEARLY_ALL: Final = 0.8
"""How well they are met where the longer text speaks of all that the shorter one does."""
_ONE_THING: Final = 400
"""Characters of a text that is compared whole, too; a longer one sentence by sentence."""
_SENTENCES: Final = 3
_LEAST_WORDS: Final = 3
"""A sentence of fewer words says the same as nothing else: a heading."""
_KEPT: Final = 1_024
_NAME: Final = 80
"""Characters in which a document says what it is called."""
_DIGITS: Final = re.compile(r"\d+")


def says_the_same(text: str, other: str, like: Likeness | None = None) -> bool:
    """Whether two texts say the same, without any doubt that one opposes the other.

    >>> says_the_same("We never log passwords.", "Passwords are not written to logs.")
    True
    >>> says_the_same("Never store card numbers.", "We store card numbers in a table of their own.")
    False
    """
    if " ".join(text.split()) == " ".join(other.split()):
        return True
    is_same = False
    for one, another in product(_parts(text), _parts(other)):
        sides = read_statement(one), read_statement(another)
        if not all(len(each.words) > 1 for each in sides):
            continue
        met = align(*sides, like)
        if _share(met) >= SAME and (_is_whole(text, other) or _are_sentences(*sides)):
            if _is_doubtful(*sides, met) or disagreement(one, another, like=like, is_one_matter=True):
                return False
            is_same = True
    return is_same


def are_one_matter(text: str, other: str, like: Likeness | None = None, least: float = ONE_MATTER) -> bool:
    """Whether what the shorter of two texts speaks of is in the other, whatever they say of it.

    >>> are_one_matter("Never store card numbers.", "We store card numbers in a table of their own.")
    True
    >>> are_one_matter("Never store card numbers.", "Access tokens expire.")
    False
    """
    pairs = (
        (read_statement(one), read_statement(another))
        for one, another in product(_parts(text), _parts(other))
    )
    return any(
        len(one.words) > 1
        and len(another.words) > 1
        and (_is_whole(text, other) or _are_sentences(one, another))
        and float(shared(align(one, another, like)).mean()) >= least
        for one, another in pairs
    )


def doubtful_negation(text: str, other: str, like: Likeness | None = None) -> Disagreement | None:
    """That one text seems to negate what the other says, by as little as counts; None if it does not.

    For two that are about one matter: nearly all of the shorter one is met, and something of it the other way round.

    >>> doubtful_negation("Never store card numbers.", "We store card numbers in a table of their own.").why
    'one seems to negate what the other says'
    """
    one, another = read_statement(text), read_statement(other)
    met = align(one, another, like)
    if not met.closeness.size or float(shared(met).mean()) < NEARLY_ALL:
        return None
    if not _is_turned(one, another, met):
        return None
    return Disagreement(Signal.NEGATION, "one seems to negate what the other says", LEAST_STRENGTH)


def named_otherwise(text: str, other: str) -> bool:
    """Whether two texts begin with names that have other numbers: of two documents, which never say the same.

    >>> named_otherwise("RFC 9162: Certificate transparency", "RFC 6962: Certificate transparency")
    True
    >>> named_otherwise("RFC 9162: Certificate transparency", "rfc9162 is about certificates")
    False
    """
    numbers = [_DIGITS.findall(" ".join(name_of(words_of(each[:_NAME])))) for each in (text, other)]
    return all(numbers) and set(numbers[0]).isdisjoint(numbers[1])


def share_a_subject(text: str, other: str, but: str) -> bool:
    """Whether two texts name a thing together, besides what is named (`but`) and verbs that choose or store.

    >>> share_a_subject("User sessions are stored in PostgreSQL.", "Keep user sessions in Redis.", "PostgreSQL")
    True
    >>> share_a_subject("The catalogue is kept in PostgreSQL.", "Keep user sessions in Redis.", "PostgreSQL")
    False
    """
    left_out = {stem_of(word) for word in words_of(but)} | CHOOSING | STATING
    mine, theirs = ({word.stem for word in read_statement(each).words} for each in (text, other))
    return bool((mine & theirs) - left_out)


@lru_cache(maxsize=_KEPT)
def _parts(text: str) -> tuple[str, ...]:
    """The whole of a short text, and the first sentences of any."""
    sentences = sentences_of(text)[:_SENTENCES]
    whole = [text] if len(text) <= _ONE_THING else []
    return tuple(dict.fromkeys([*whole, *(each[:_ONE_THING] for each in sentences)]))


def _is_whole(text: str, other: str) -> bool:
    """Whether both are short enough to say one thing."""
    return max(len(text), len(other)) <= _ONE_THING


def _are_sentences(*sides: Statement) -> bool:
    return all(len(each.words) >= _LEAST_WORDS for each in sides)


def _share(met: Alignment) -> float:
    closeness = met.closeness
    if not closeness.size:
        return 0.0
    return float((closeness.max(1).sum() + closeness.max(0).sum()) / sum(closeness.shape))


def _is_doubtful(one: Statement, other: Statement, met: Alignment) -> bool:
    """Whether something of one may be the other way round in the other: a negation, a number or a name."""
    return _is_turned(one, other, met) or _counts_otherwise(one, other) or _names_otherwise(one, other)


def _is_turned(one: Statement, other: Statement, met: Alignment) -> bool:
    """Whether a word holds in one text and is negated in the other, in clauses of which one negates and one does not.

    By the clause, too: "passwords are not written to logs" negates none of its words before the verb.
    """
    negating = [{word.clause for word in each.words if word.negated} for each in (one, other)]
    for row, column in zip(range(len(one.words)), met.closeness.argmax(1).tolist(), strict=True):
        if met.closeness[row, column] < IS_FOUND:
            continue
        mine, theirs = one.words[row], other.words[column]
        is_opposed = bool(met.opposed[row, column])
        differs = (mine.negated != theirs.negated) != is_opposed
        apart = ((mine.clause in negating[0]) != (theirs.clause in negating[1])) != is_opposed
        if differs and apart:
            return True
    return False


def _counts_otherwise(one: Statement, other: Statement) -> bool:
    """Whether both count something, and no number is in both."""
    mine, theirs = (
        {
            COUNTS.get(word, word)
            for clause in each.clauses
            for word in clause
            if word in COUNTS or word[0].isdigit()
        }
        for each in (one, other)
    )
    return bool(mine and theirs and not mine & theirs)


def _names_otherwise(one: Statement, other: Statement) -> bool:
    """Whether each names something, behind its beginning, that the other does not."""
    said = [{word.stem for word in each.words} for each in (one, other)]
    own = [
        {word.word for word in each.words[1:] if word.word in each.names and word.stem not in theirs}
        for each, theirs in zip((one, other), said[::-1], strict=True)
    ]
    return bool(own[0] and own[1])
