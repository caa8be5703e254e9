"""Whether two hits answer a question differently: what an oracle states as a contradiction, lenses show as one, too."""

from __future__ import annotations

from typing import Final

from engramforge.answer.oracle.cited import statement_of
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.asked_matter import answers_against
from engramforge.core.conflicts.scopes.subjects import name_others
from engramforge.core.conflicts.scopes.when_and_where import are_apart
from engramforge.core.conflicts.signals import Signal
from engramforge.core.lenses.either_or import take_different_ones
from engramforge.core.lenses.leave import forbids_one
from engramforge.core.oracle.otherwise.other_days import other_days
from engramforge.core.oracle.otherwise.other_numbers import other_numbers
from engramforge.core.text.summarising import sentences_of
from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit
from engramforge.registries.decisions.decision_view import rejected_of
from engramforge.registries.registered import registration_of

NUMBER: Final = str(Signal.NUMBER)
STATEMENT: Final = 400
"""Characters of a text that says one thing: a decision, or a sentence alone."""
_READ: Final = 4_000
"""Characters of a text in which a sentence with a number is looked for."""


def differ(
    query: str, one: Hit, other: Hit, like: Likeness, *, is_one_matter: bool
) -> tuple[str, str] | None:
    """By which signal two hits answer a question differently, and why; None where they do not.

    `is_one_matter`: they are known to speak of the same.
    """
    texts = [_statement(one), _statement(other)]
    if all(texts) and max(map(len, texts)) <= STATEMENT:
        rejected = rejected_by(one), rejected_by(other)
        told = answers_against(query, texts[0], texts[1], rejected, like)
        told = told or take_different_ones(query, *texts) or forbids_one(query, *texts)
        if told is not None:
            return told
        if other_days(query, *texts) and not are_apart(texts[0], texts[1]) and not name_others(*texts):
            return NUMBER, "they name different days"
    numbers = other_numbers(
        query, one.memory.content[:_READ], other.memory.content[:_READ], is_one_matter=is_one_matter
    )
    is_other = numbers is not None and not are_apart(*numbers)
    return None if not is_other else (NUMBER, "they give different numbers")


def _statement(hit: Hit) -> str:
    """The one thing that a memory says; empty where it says several."""
    text = statement_of(hit.memory)
    return text if hit.memory.kind is Kind.DECISION or len(sentences_of(text)) == 1 else ""


def rejected_by(hit: Hit) -> tuple[str, ...]:
    """The alternatives that a hit rejected, if it is a decision."""
    return rejected_of(registration_of(hit.memory)) if hit.memory.kind is Kind.DECISION else ()
