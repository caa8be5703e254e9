"""Whether two statements about the same thing say different things: the rules of this folder, the surest first.

Rules read wording alone. `like`, how like words are in meaning, lets a rule of negation meet words that are not the
same; without it spelling counts. A judge, where one is configured, is asked apart (judging.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engramforge.core.conflicts.alignment import Alignment, Likeness, align
from engramforge.core.conflicts.choices import other_choice, other_sentence
from engramforge.core.conflicts.claims import is_denied
from engramforge.core.conflicts.matters.ages import by_age
from engramforge.core.conflicts.matters.alternatives import one_or_several, other_alternative
from engramforge.core.conflicts.matters.amounts import other_amount
from engramforge.core.conflicts.matters.contraries import contrary
from engramforge.core.conflicts.matters.leaving import leaves
from engramforge.core.conflicts.matters.matter import read_matter
from engramforge.core.conflicts.matters.owners import other_holder
from engramforge.core.conflicts.matters.prohibitions import forbidden_and_done
from engramforge.core.conflicts.matters.returns import gone_and_back
from engramforge.core.conflicts.matters.schedules import are_open_beside, other_time
from engramforge.core.conflicts.matters.version_ranges import other_versions
from engramforge.core.conflicts.negation import negation
from engramforge.core.conflicts.numbers import other_number, other_version
from engramforge.core.conflicts.opposites import opposite_words
from engramforge.core.conflicts.rejection import rejected_alternative, rejected_in_words
from engramforge.core.conflicts.roles import swapped_roles
from engramforge.core.conflicts.scopes.clauses import are_other_topics, claims_nothing, facing
from engramforge.core.conflicts.scopes.exceptions import by_exception, has_exception
from engramforge.core.conflicts.scopes.holding import (
    are_other_rooms,
    hold_apart,
    is_beside,
    is_of_part,
    is_then_and_now,
)
from engramforge.core.conflicts.scopes.subjects import are_of_others
from engramforge.core.conflicts.scopes.when_and_where import are_apart, has_period, in_force
from engramforge.core.conflicts.signals import LEAST_STRENGTH, Disagreement
from engramforge.core.conflicts.statements import read_statement
from engramforge.core.conflicts.wording.frames import affirmed, reported

_OF_MATTERS: Final = (forbidden_and_done, one_or_several, rejected_in_words)
_OF_TEXTS: Final = (other_holder, other_versions, gone_and_back, other_time, contrary, leaves)


def disagreement(
    text: str,
    other: str,
    rejected: Sequence[str] = (),
    rejected_by_other: Sequence[str] = (),
    like: Likeness | None = None,
    *,
    is_one_matter: bool = False,
) -> Disagreement | None:
    """How two statements disagree most surely; None if they do not.

    `text`, `other`: what they say. `rejected`, `rejected_by_other`: the alternatives that each rejected.
    `is_one_matter`: they are known to speak of the same; else they must make the same claim to deny it. Of sentences of
    several clauses each clause is compared with the one that it shares most with.

    >>> disagreement("Cache responses in Redis", "Do not cache responses").why
    'one negates what the other says'
    >>> disagreement("Cache responses in Redis", "The office moves in May") is None
    True
    """
    if claims_nothing(text) or claims_nothing(other):
        return None
    whole = _compared(text, other, rejected, rejected_by_other, like, True) if is_one_matter else None
    if whole is not None or (are_other_topics(text, other) and not is_one_matter):
        return whole
    pairs = facing(text, other)
    found = [
        _compared(*pair, rejected, rejected_by_other, like, False)
        for pair in pairs
        if pair != (text, other) or not is_one_matter
    ]
    if (rejected or rejected_by_other) and pairs != [(text, other)]:  # what was rejected may be told anywhere
        found.append(_rejected(text, other, rejected, rejected_by_other))
    return max((each for each in found if each is not None), key=lambda each: each.strength, default=None)


def _rejected(
    text: str, other: str, rejected: Sequence[str], rejected_by_other: Sequence[str]
) -> Disagreement | None:
    sides = read_statement(text), read_statement(other)
    return None if are_apart(text, other) else rejected_alternative(*sides, rejected, rejected_by_other)


def _compared(
    text: str,
    other: str,
    rejected: Sequence[str],
    rejected_by_other: Sequence[str],
    like: Likeness | None,
    is_one_matter: bool,
) -> Disagreement | None:
    """How two statements of one claim disagree most surely."""
    text, other = affirmed(reported(text)), affirmed(reported(other))
    if are_apart(text, other, is_one_matter) or (not is_one_matter and hold_apart(text, other)):
        return None
    is_of_age, by_ages = by_age(text, other)
    is_settled, excepted = (True, by_ages) if is_of_age else by_exception(text, other)
    if is_settled:
        return excepted
    is_past = is_then_and_now(text, other, is_one_matter)
    if bool(has_period(text)) is not bool(has_period(other)):
        text, other = in_force(text), in_force(other)
    one, another = read_statement(text), read_statement(other)
    against = rejected_alternative(one, another, rejected, rejected_by_other, is_one_matter=is_one_matter)
    if against is not None or not one.words or not another.words:
        return against
    if is_past:  # what is forbidden may have been done
        return forbidden_and_done(read_matter(text), read_matter(other))
    found = [excepted, *_by_wording(text, other, align(one, another, like), is_one_matter)]
    sure = [each for each in found if each is not None and each.strength >= LEAST_STRENGTH]
    return max(sure, key=lambda each: each.strength, default=None)


def _by_wording(
    text: str, other: str, alignment: Alignment, is_one_matter: bool
) -> Iterator[Disagreement | None]:
    """What each rule of wording finds."""
    one, another = read_statement(text), read_statement(other)
    matters = read_matter(text), read_matter(other)
    yield from (rule(*matters) for rule in _OF_MATTERS)
    yield from (rule(text, other) for rule in _OF_TEXTS)
    is_claimed = is_one_matter or (is_denied(one, another, alignment) and not are_other_rooms(text, other))
    if is_claimed and not are_of_others(one, another, alignment):
        yield negation(one, another, alignment)
    if not is_of_part(text, other, is_one_matter):
        yield other_amount(*matters)
        yield other_number(one, another, alignment, is_one_matter)
    yield other_version(one, another)
    if not (is_beside(text, other) or are_open_beside(text, other)):
        yield other_alternative(*matters)
        yield other_sentence(text, other, is_one_matter)
        yield other_choice(one, another, alignment)
    yield swapped_roles(one, another)
    if not has_exception(text, other):
        yield opposite_words(one, another, alignment, is_one_matter)
