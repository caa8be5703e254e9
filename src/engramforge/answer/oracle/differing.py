"""Whether two hits answer a question differently: what an oracle states as a contradiction, lenses show as one, too."""

from __future__ import annotations

from typing import Final

from engramforge.answer.oracle.cited import statement_of
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.asked_matter import answers_against
from engramforge.core.conflicts.signals import Signal
from engramforge.core.lenses.either_or import take_different_ones
from engramforge.core.lenses.leave import forbids_one
from engramforge.core.oracle.other_numbers import other_numbers
from engramforge.core.text.summarising import sentences_of
from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit
from engramforge.registries.decisions.decision_view import rejected_of
from engramforge.registries.registered import registration_of

NUMBER: Final = str(Signal.NUMBER)
_STATEMENT: Final = 400
"""Characters of a text that says one thing: a decision, or a sentence alone."""
_READ: Final = 4_000
"""Characters of a text in which a sentence with a number is looked for."""


def differ(
    query: str, one: Hit, other: Hit, like: Likeness, *, is_one_matter: bool = False
) -> tuple[str, str] | None:
    """By which signal two hits answer a question differently, and why; None where they do not.

    `is_one_matter`: they are known to speak of the same.
    """
    texts = [_statement(one), _statement(other)]
    if all(texts) and max(map(len, texts)) <= _STATEMENT:
        rejected = _rejected(one), _rejected(other)
        told = answers_against(query, texts[0], texts[1], rejected, like)
        told = told or take_different_ones(query, *texts) or forbids_one(query, *texts)
        if told is not None:
            return told
    numbers = other_numbers(
        query, one.memory.content[:_READ], other.memory.content[:_READ], is_one_matter=is_one_matter
    )
    return None if numbers is None else (NUMBER, "they give different numbers")


def _statement(hit: Hit) -> str:
    """The one thing that a memory says; empty where it says several."""
    text = statement_of(hit.memory)
    return text if hit.memory.kind is Kind.DECISION or len(sentences_of(text)) == 1 else ""


def _rejected(hit: Hit) -> tuple[str, ...]:
    return rejected_of(registration_of(hit.memory)) if hit.memory.kind is Kind.DECISION else ()
