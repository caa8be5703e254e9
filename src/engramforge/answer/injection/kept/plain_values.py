"""The values that persons set as plain facts, such as "slots are 20 min", and that hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from engramforge.answer.injection.offers import SAID, sources_of
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.gate import asks
from engramforge.core.injection.inputs.matters import distinctive, measures_of
from engramforge.core.injection.inputs.overtaking import overtakes
from engramforge.core.injection.outright import sets_plainly
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Voice
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf
from engramforge.recall.outcomes import outcomes
from engramforge.store.door import View

_TURNS: Final = 240
_PLAIN: Final = 4
_LOOKED_AT: Final = 2 * _PLAIN
"""Among how many of the last turns plain values are looked for, how many are told, and among how many these are."""
_KEPT: Final = 4_096
"""How many turns, and pairs of them, are kept as they were read."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """What a turn is read for here. `is_own`: a person's own. `matter`, `measures`: hashes of its words of a matter and
    of its units, for what is forgotten shall not stay readable."""

    logical_id: str
    is_own: bool
    is_plain: bool = False
    is_question: bool = False
    matter: frozenset[int] = frozenset()
    measures: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PlainValues:
    """Finds values that persons set as plain facts. What was read of a turn is kept: each start of a session looks at
    the same last turns, and reading them takes longer than all else of a portfolio."""

    read: dict[int, _Turn] = field(default_factory=dict)
    overtaken: dict[tuple[int, int], bool] = field(default_factory=dict)

    def last(self, view: View, session: str | None, as_of: AsOf, told: Set[str]) -> list[Memory]:
        """The last few in other sessions that no later turn may be of. `told`: logical ids of what is told beside."""
        chosen = Selection(kinds=SAID, exclude_session=session, as_of=as_of)
        turns = self._turns(view, view.positions(chosen, _TURNS, by_time=True).tolist())
        found: list[int] = []
        later: list[int] = []
        for place in turns:
            turn = turns[place]
            is_plain = turn.is_plain and turn.logical_id not in told
            if is_plain and not any(self._is_of_it(view, turns, each, place) for each in later):
                found.append(place)
            if len(found) == _LOOKED_AT:
                break
            later.append(place)
        fetched, entries = view.fetch_with_entries(np.array(found, np.int64)) if found else ({}, [])
        # What was read from a turn is told, or has ended, by its registry.
        known = {source for each in entries if each.kind is Kind.DECISION for source in sources_of(each)}
        known |= outcomes(view, entries).keys()
        return [fetched[place] for place in found if turns[place].logical_id not in known][:_PLAIN]

    def _turns(self, view: View, places: Sequence[int]) -> dict[int, _Turn]:
        """What persons said themselves at these places, in their order."""
        read = {place: turn for place in places if (turn := self.read.get(place)) is not None}
        if unread := [place for place in places if place not in read]:
            anew = {place: _read(each) for place, each in view.fetch_at(np.array(unread, np.int64)).items()}
            if len(self.read) + len(anew) > _KEPT:
                self.read.clear()
            self.read.update(anew)
            read |= anew
        return {place: read[place] for place in places if place in read and read[place].is_own}

    def _is_of_it(self, view: View, turns: Mapping[int, _Turn], later: int, earlier: int) -> bool:
        """Whether a later turn may change a value, however it says so; what names neither is looked for where all
        offers are."""
        shared = turns[later].matter & turns[earlier].matter
        if not shared or turns[later].is_question:
            return False
        is_alike = len(shared) > 1 or not turns[later].measures.isdisjoint(turns[earlier].measures)
        return is_alike or self._overtakes(view, later, earlier)

    def _overtakes(self, view: View, later: int, earlier: int) -> bool:
        known = self.overtaken.get((later, earlier))
        if known is None:
            both = view.fetch_at(np.array((later, earlier), np.int64))
            known = overtakes(both[later].content, both[earlier].content)
            if len(self.overtaken) >= _KEPT:
                self.overtaken.clear()
            self.overtaken[later, earlier] = known
        return known


def _read(turn: Memory) -> _Turn:
    if voice_of(turn) is not Voice.OWN:
        return _Turn(turn.logical_id, is_own=False)
    said = turn.content
    matter, measures = (frozenset(map(hash, each)) for each in (distinctive(said), measures_of(said)))
    return _Turn(turn.logical_id, True, sets_plainly(said), asks(said), matter, measures)
