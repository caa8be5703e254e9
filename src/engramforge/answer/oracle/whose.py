"""Of what was found, what is about the speaker whom a question names."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from engramforge.core.oracle.whose_words import about_whom
from engramforge.core.ranking.question import ROLES, in_full, named_speakers
from engramforge.core.text.words import words_of
from engramforge.model.search.hit import Hit
from engramforge.recall.answering import AROUND

_LONGEST: Final = 4_000
"""Characters of a text that is read whole for whom it is about."""


@dataclass(frozen=True, slots=True)
class Whose:
    """Tells whose words answer a question. `names`: of the speakers whom it names; empty: whoever said it."""

    query: str
    names: tuple[str, ...]

    @classmethod
    def asked(cls, query: str, speakers: Sequence[str]) -> Whose:
        """As a question names those who speak in the scope."""
        return cls(query, named_speakers(in_full(query, speakers), speakers))

    def among(self, echo: Sequence[Hit]) -> list[Hit]:
        """What is about one of those who are named, in the same order; all where nobody is."""
        if not self.names:
            return list(echo)
        talks = {(_session(each), _speaker(each)) for each in echo}
        told = {each.memory.id for name in self.names for each in self._about(name, echo, talks)}
        return [each for each in echo if each.memory.id in told]

    def _about(self, name: str, echo: Sequence[Hit], talks: AbstractSet[tuple[str, str]]) -> list[Hit]:
        told = {each.memory.id: self._is_about(name, each, talks) for each in echo}
        kept = [each for each in echo if told[each.memory.id]]
        return [
            each
            for each in echo
            if told[each.memory.id]
            or (told[each.memory.id] is None and any(_is_beside(each, other) for other in kept))
        ]

    def _is_about(self, name: str, hit: Hit, talks: AbstractSet[tuple[str, str]]) -> bool | None:
        speaker = _speaker(hit)
        if speaker in ROLES:
            return not set(words_of(name)).isdisjoint(words_of(_read(hit)))
        return about_whom(
            name,
            self.query,
            _read(hit),
            speaks=speaker == name,
            listens=(_session(hit), name) in talks,
        )


def _read(hit: Hit) -> str:
    """What is read of a hit: of a long text its passage."""
    text = hit.memory.content
    return text if len(text) <= _LONGEST else hit.excerpt or text[:_LONGEST]


def _is_beside(hit: Hit, other: Hit) -> bool:
    one, two = hit.memory.sequence, other.memory.sequence
    is_near = one is not None and two is not None and abs(one - two) <= AROUND
    return is_near and _session(hit) == _session(other)


def _speaker(hit: Hit) -> str:
    return (hit.memory.speaker or "").casefold()


def _session(hit: Hit) -> str:
    return hit.memory.session_id or ""
