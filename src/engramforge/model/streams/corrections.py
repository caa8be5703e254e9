"""A kind of belief that is corrected again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engramforge.model.timeline import Dissonance


@dataclass(frozen=True, slots=True)
class CorrectionPattern:
    """Dissonances of one kind.

    `kind`: what they are about, in words: what changed, or the words that the beliefs share. `cases`: at least two,
    oldest correction first.
    """

    kind: str
    cases: tuple[Dissonance, ...]

    @property
    def belief_ids(self) -> tuple[str, ...]:
        """Of the beliefs, each once."""
        return tuple(dict.fromkeys(each.belief_id for each in self.cases))
