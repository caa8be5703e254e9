"""Statements that name the thing of a kind for which a question asks, though they share few of its words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engramforge.answer.oracle.cited import Cited, statement_of
from engramforge.core.kinds.asked_kind import (
    STATEMENT,
    AskedKind,
    asked_kind,
    is_of_kind,
    names_one,
    says_kind,
    wider,
)
from engramforge.model.memory import Kind
from engramforge.model.search.hit import Hit

NAMES_IT: Final = "names one of the kind that is asked for"
_MOST: Final = 4
_STATING: Final = (Kind.DECISION, Kind.NOTE, Kind.LEARNING, Kind.PATTERN, Kind.PRIMING)


@dataclass(frozen=True, slots=True)
class KindNamed:
    """Finds what names the thing of a kind that a question asks for."""

    asked: AskedKind | None

    @classmethod
    def by(cls, query: str) -> KindNamed:
        """As a question asks."""
        return cls(asked_kind(query))

    def first(
        self, found: Sequence[Cited], echo: Sequence[Hit], look: Callable[[str], Sequence[Hit]]
    ) -> list[Cited]:
        """What is cited, behind the statements that name such a thing; without statements that only speak of the kind.

        `look`: the nearest memories to other words; asked where the nearest name none and the names are known.
        """
        if self.asked is None:
            return list(found)
        told = self._naming(self.asked, [*(each.hit for each in found), *echo])
        if not told and (other := wider(self.asked)):
            told = self._naming(self.asked, look(other))
        if not told:
            return list(found)
        cited = {each.hit.memory.id: each for each in found}
        naming = [cited.get(each.memory.id) or Cited(each, NAMES_IT).said() for each in told]
        known = {each.hit.memory.id for each in naming}
        rest = [each for each in found if each.hit.memory.id not in known and self._belongs(self.asked, each)]
        return [*naming, *rest]

    def unsaid(self, gaps: Sequence[str], cited: Sequence[Cited]) -> tuple[str, ...]:
        """The gaps without the words for the kind, where a thing of it is named."""
        asked = self.asked
        if asked is None or not any(names_one(asked, each.hit.memory.content) for each in cited):
            return tuple(gaps)
        return tuple(each for each in gaps if not is_of_kind(asked, each))

    def _naming(self, asked: AskedKind, hits: Sequence[Hit]) -> list[Hit]:
        """What names one, each once; where nothing else is asked, only what does so most surely."""
        told = {each.memory.id: each for each in hits if each.memory.kind in _STATING}
        sure = {each.memory.id: _sure(asked, each) for each in told.values()}
        least = 1 if asked.of else max(1, max(sure.values(), default=0))
        return [each for each in told.values() if sure[each.memory.id] >= least][:_MOST]

    def _belongs(self, asked: AskedKind, cited: Cited) -> bool:
        said = statement_of(cited.hit.memory)
        return len(said) > STATEMENT or says_kind(asked, said)


def _sure(asked: AskedKind, hit: Hit) -> int:
    said = statement_of(hit.memory)
    return names_one(asked, said) if len(said) <= 2 * STATEMENT else 0
