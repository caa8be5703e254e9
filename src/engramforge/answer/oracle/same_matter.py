"""Decisions on the matter of what is cited that the question's words did not reach: another that holds, or a later one.

A question for what is used is answered best, in words, by the record that explains most, which may be the oldest. So
the others that were near to the question are compared with what is cited, and those that speak of the same are cited
too, the newest first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engramforge.answer.conflicts.opposing import KINDS
from engramforge.answer.oracle.cited import Cited, statement_of
from engramforge.core.conflicts.alignment import Likeness
from engramforge.core.conflicts.asked_matter import is_one_matter
from engramforge.core.kinds.asked_kind import STATEMENT
from engramforge.core.oracle.later import goes_on_from
from engramforge.core.text.words import words_of
from engramforge.model.memory import Kind, Memory
from engramforge.model.search.hit import Hit

SAME_MATTER: Final = "on the same matter"
LATER: Final = "later decision that names it"
_STATING: Final = (Kind.DECISION, Kind.LEARNING, Kind.PATTERN, Kind.PRIMING)
_MOST: Final = 2
_COMMON: Final = 0.4
"""The share of what is near that says a word from which it tells nothing."""
_FEW: Final = 3
"""As many may say it where little is near."""


@dataclass(frozen=True, slots=True)
class SameMatter:
    """Finds what belongs beside what is cited to a question. `like`: how like words are."""

    query: str
    like: Likeness

    def beside(self, found: Sequence[Cited], echo: Sequence[Hit]) -> list[Cited]:
        """What is cited, each behind a later decision that names it; then other statements on the best one's matter."""
        known = {each for cited in found for each in cited.hit.logical_ids}
        others = [
            hit
            for hit in echo
            if hit.relevant and hit.memory.kind in KINDS and known.isdisjoint(hit.logical_ids)
        ]
        if not found or not others:
            return list(found)
        told = self._with_later(found, others, echo)
        more = self._statements(found, others)
        known = {each.hit.memory.logical_id for each in told}
        return [*told, *(each for each in more if each.hit.memory.logical_id not in known)]

    def _with_later(self, found: Sequence[Cited], others: Sequence[Hit], echo: Sequence[Hit]) -> list[Cited]:
        """What is cited, with the newest later decision that names what one of it chose before that."""
        counts = Counter(word for each in echo for word in set(words_of(each.memory.content)))
        common = {word for word, count in counts.items() if count > max(_COMMON * len(echo), _FEW)}
        common |= {*words_of(self.query)}
        newest = sorted(others, key=lambda each: each.memory.told_at, reverse=True)
        for place, each in enumerate(found):
            for other in newest:
                if _is_later(other.memory, each.hit.memory, common):
                    return [*found[:place], Cited(other, LATER).said(), *found[place:]]
        return list(found)

    def _statements(self, found: Sequence[Cited], others: Sequence[Hit]) -> list[Cited]:
        """The other statements on the matter of the question, where a statement answers it; the newest first."""
        best = next((each.hit.memory for each in found if _is_statement(each.hit.memory)), None)
        if best is None:
            return []
        said = statement_of(best)
        told = [
            each
            for each in others
            if _is_statement(each.memory)
            and is_one_matter(self.query, said, statement_of(each.memory), self.like)
        ]
        told = sorted(told[:_MOST], key=lambda each: each.memory.told_at, reverse=True)
        return [Cited(each, SAME_MATTER).said() for each in told]


def _is_statement(memory: Memory) -> bool:
    return memory.kind in _STATING and len(statement_of(memory)) <= STATEMENT


def _is_later(other: Memory, memory: Memory, common: set[str]) -> bool:
    """Whether another decision of the same project came later and changes what one chose."""
    if other.kind is not Kind.DECISION or memory.kind is not Kind.DECISION or other.project != memory.project:
        return False
    if other.told_at <= memory.told_at:
        return False
    return goes_on_from(statement_of(other), statement_of(memory), common, other.content)
