"""What persons have warned of for good: told to a session that starts, before it comes to the tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

import numpy as np

from engramforge.answer.injection.naming import Asked, with_names
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer, answering
from engramforge.core.detection.whose.speakers import voice_of
from engramforge.core.injection.inputs.echoes import stems_of, things_in
from engramforge.core.injection.lifting import callings, lifts
from engramforge.core.injection.warnings import files_in, standing_warning
from engramforge.core.text.words import words_of
from engramforge.model.injection import COMPACT, Reason, Section
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.detection import Voice
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf
from engramforge.recall.outcomes import outcomes
from engramforge.store.door import View

_SAID: Final = (Kind.PROMPT, Kind.MESSAGE, Kind.NOTE)
_LOOKED_AT: Final = 60
"""How far back turns are looked at: each costs a session that starts a tenth of a millisecond."""
_MOST: Final = 4
_MOST_ABOUT: Final = 2
_LEAST_PRIORITY: Final = 0.001
"""Of the first; all stand behind what was decided."""


def warned_offers(view: View, asked: Occasion, as_of: AsOf) -> list[Offer]:
    """The newest warnings of a project that hold, at most four; after a compaction those of the session, too."""
    own = None if asked.cause == COMPACT else asked.session
    turns = view.browse(Selection(kinds=_SAID, exclude_session=own, as_of=as_of), _LOOKED_AT)
    said = [each for each in turns if voice_of(each) is Voice.OWN]
    found = [each for _, each in zip(range(_MOST), _warnings(said), strict=False)]
    if not found:
        return []
    places = list(view.places_of([memory.id for memory, _ in found]).values())
    _, entries = view.fetch_with_entries(np.array(places, np.int64))
    ended = outcomes(view, entries)
    return [
        Offer(memory, Section.DECIDED, Reason.HOLDS, _LEAST_PRIORITY / place, told)
        for place, (memory, told) in enumerate(found, 1)
        if memory.logical_id not in ended
    ]


def warned_about(view: View, selection: Selection, query: str, now: datetime) -> list[Offer]:
    """What persons have warned of for good, at most two, in a sentence that names a thing of a prompt that asks what
    must not be done. One look into the postings, at such prompts alone."""
    words = things_in(query)
    if not words:
        return []
    turns, entries = with_names(view, replace(selection, kinds=_SAID), Asked(words, _LOOKED_AT))
    ended = outcomes(view, entries)
    said = [each for each in turns if voice_of(each) is Voice.OWN]
    asked = stems_of(words)
    about = [
        (len(shared), memory, told)
        for memory, told in _warnings(said)
        if (shared := stems_of(words_of(told.casefold())) & asked) and memory.logical_id not in ended
    ]
    best = sorted(about, key=lambda each: -each[0])[:_MOST_ABOUT]
    return [answering(memory, now, told) for shared, memory, told in best if shared == best[0][0]]


def _warnings(said: Sequence[Memory]) -> Iterator[tuple[Memory, str]]:
    """Turns with the sentence in which each warns, the newest first, without what a later turn lifts."""
    told: set[str] = set()
    for place, memory in enumerate(said):
        warning = standing_warning(memory.content)
        if warning is None or warning.casefold() in told or _is_lifted(warning, said[:place]):
            continue
        told.add(warning.casefold())
        yield memory, warning


def _is_lifted(warning: str, later: Sequence[Memory]) -> bool:
    names = files_in(warning)
    words = {part for parts in callings(names) for part in parts}
    return any(
        lifts(each.content, warning, names)
        for each in later
        if any(word in each.content.casefold() for word in words)
    )
