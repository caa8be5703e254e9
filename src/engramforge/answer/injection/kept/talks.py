"""How conversations went on behind some moments, as far as a turn of them may change what it does not name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

import numpy as np

from engramforge.answer.injection.offers import SAID
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.inputs.slots import sets_it
from engramforge.core.pointing.anchored import given_in
from engramforge.core.pointing.reported import reported_in
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Voice
from engramforge.model.search.selection import Selection
from engramforge.model.time import TimeRange, to_micros
from engramforge.recall.request import PRESENT, in_time
from engramforge.store.door import View

_KEPT: Final = 8_192
"""Of how many turns it is kept whether they may change what they do not name."""
_ROWS: Final = 600
"""How many turns of all conversations are looked at together."""

Moment = tuple[str, datetime]
"""A conversation, and since when its turns are looked at."""


@dataclass(frozen=True, slots=True)
class Talks:
    """Reads all conversations together. `pointing`: of turns that were read before, by position, whether they may
    change what they do not name; hardly any may, and a conversation without one is not read again."""

    pointing: dict[int, bool] = field(default_factory=dict)

    def after(
        self, view: View, moments: Collection[Moment], most: int, now: datetime
    ) -> dict[Moment, list[Memory]]:
        """Of each moment the turns from it on, at most so many; none where none of them may change anything."""
        if not moments:
            return {}
        since = TimeRange(start=min(at for _, at in moments))
        chosen = in_time(Selection(kinds=(*SAID, Kind.RESPONSE), valid_range=since), PRESENT, now)
        rows = view.went_on(chosen, {session for session, _ in moments}, _ROWS)
        places: dict[Moment, list[int]] = {}
        for session, begin in moments:
            first = to_micros(begin)
            its = [place for name, place, at in rows if name == session and at >= first][:most]
            if len(its) < most and len(rows) == _ROWS:
                own = replace(chosen, session_id=session, valid_range=TimeRange(start=begin))
                turns = view.browse(own, most, newest_first=False)
                known = view.places_of([each.id for each in turns])
                its = [known[each.id] for each in turns]
            places[session, begin] = its
        return self._read(view, places)

    def that_change(self, view: View, places: Collection[int]) -> dict[int, Memory]:
        """Those of the turns at some positions that may change what they do not name, or report a change."""
        read = self._pointing(view, set(places))
        return _fetched(view, {place for place, may_point in read.items() if may_point})

    def _read(self, view: View, places: Mapping[Moment, Sequence[int]]) -> dict[Moment, list[Memory]]:
        every = {place for its in places.values() for place in its}
        pointing = self._pointing(view, every)
        told = {key: its for key, its in places.items() if any(pointing.get(place) for place in its)}
        fetched = _fetched(view, {place for its in told.values() for place in its})
        return {key: [fetched[place] for place in told.get(key, ()) if place in fetched] for key in places}

    def _pointing(self, view: View, places: Set[int]) -> dict[int, bool]:
        """Of the turns at some positions whether they may change something."""
        pointing = {place: known for place in places if (known := self.pointing.get(place)) is not None}
        anew = {place: _may_point(each) for place, each in _fetched(view, places - pointing.keys()).items()}
        if len(self.pointing) + len(anew) > _KEPT:
            self.pointing.clear()
        self.pointing.update(anew)
        return pointing | anew


def _fetched(view: View, places: Collection[int]) -> dict[int, Memory]:
    return view.fetch_at(np.array(sorted(places), np.int64)) if places else {}


def _may_point(turn: Memory) -> bool:
    """Whether a turn may change something that it does not name, or an answer reports that something was changed."""
    if turn.kind is Kind.RESPONSE:
        return reported_in(turn.content) is not None
    if voice_of(turn) is not Voice.OWN:
        return False
    return bool(sets_it(turn.content)) or given_in(turn.content) is not None
