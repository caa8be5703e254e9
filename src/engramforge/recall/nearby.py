"""What a new memory comes near to: memories of its project that say the same already, or the opposite; and what of any
project contradicts a decision.

Asked by the vector that the write has just made, before it begins, so that nothing is embedded twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.ranking.twins import Twins
from engramforge.core.similarity.cosine_scale import AS_THEY_ARE
from engramforge.core.text.portions import excerpt_within
from engramforge.core.text.words import STOP_WORDS, words_of
from engramforge.indexing.calibrations import Calibrations, scales_of
from engramforge.model.memory import Kind, Memory, Near
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import CALIBRATIONS_MARK, Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry
from engramforge.model.time import AsOf
from engramforge.store.door import Door, View

NEAR: Final = 0.72
"""The cosine from which two memories say the same, on the static encoder's scale (docs/measurements/words.md)."""
MOST_NEAR: Final = 3
_MAY_OPPOSE: Final = 0.3
"""The cosine from which a memory may contradict another."""
_LOOKED_AT: Final = 8
"""Of the nearest; an entry and the sentence that it was read from are one."""
_CHECKED: Final = 24
"""Of the nearest of all projects, where a decision is held against them."""
_EXCERPT: Final = 120
_STATEMENT: Final = 400
"""Characters of a text that says one thing; longer ones agree here and disagree there."""
_LEAST_WORDS: Final = 2
"""Words with a meaning of their own; "thanks a lot" repeats nothing."""
_KINDS: Final = tuple(kind for kind in Kind if kind not in (Kind.LINEAGE, Kind.ARCHIVE, Kind.TOOL_USE))
_NO_TERMS: Final = (
    np.empty(0, np.uint32),
    np.empty(0, np.float32),
    np.empty(0, np.int32),
    np.empty(0, np.float32),
)


@dataclass(frozen=True, slots=True)
class Nearby:
    """Finds what is near to entries about to be written.

    `door`: the store. `calibrations`: of the store, by which the cosines of models are read. `against`: why each of
    some memories contradicts a decision, for what is not as near; None for nobody who says so.
    """

    door: Door
    calibrations: Calibrations
    against: Callable[[Memory, Sequence[Memory]], Sequence[str | None]] | None = None

    def near(self, scope: Scope, entry: Entry, now: datetime) -> tuple[Near, ...]:
        """Up to three memories that hold `now`, nearest first: of the entry's project those that say the same or
        contradict it, and of the other projects in scope what contradicts a decision, which is left out last."""
        memory = entry.memory
        if entry.embedding.vector is None or _says_little(memory):
            return ()
        against = self.against if memory.kind is Kind.DECISION else None
        found = self._held(
            scope.within(memory.project), entry, now, _LOOKED_AT, _MAY_OPPOSE if against else NEAR
        )
        if against:
            everywhere = self._held(scope, entry, now, _CHECKED, _MAY_OPPOSE)
            found += [each for each in everywhere if each[0].project != memory.project]
        others = [other for other, _ in found]
        told = against(memory, others) if against and others else [None] * len(others)
        near = [
            (why is None, cosine, each)
            for (other, cosine), why in zip(found, told, strict=True)
            if (why is not None or (cosine >= NEAR and other.project == memory.project))
            and (each := _near(memory, other, cosine, why)) is not None
        ]
        kept = sorted(near, key=lambda x: (x[0], -x[1]))[:MOST_NEAR]
        return tuple(each for *_, each in sorted(kept, key=lambda x: -x[1]))

    def _held(
        self, scope: Scope, entry: Entry, now: datetime, most: int, least: float
    ) -> list[tuple[Memory, float]]:
        """At most so many of the nearest that hold now, with their cosines; what was read from another is one with
        it."""
        vector, encoder = entry.embedding.vector, entry.embedding.vector_encoder
        assert vector is not None
        held_now = Selection(kinds=_KINDS, as_of=AsOf(now, now))
        with self.door.asking(scope) as view:
            cosines = nearest_to(view, held_now, vector.astype(np.float32), encoder, most, self.calibrations)
            cosines = {place: cosine for place, cosine in cosines.items() if cosine >= least}
            held = view.fetch_at(np.array(list(cosines), np.int64)) if cosines else {}
        seen = Twins()
        return [
            (held[place], cosine)
            for place, cosine in cosines.items()
            if place in held and seen.of(held[place], held[place].content) is None
        ]


def nearest_to(
    view: View,
    selection: Selection,
    vector: NDArray[np.float32],
    encoder: str | None,
    most: int,
    calibrations: Calibrations,
) -> dict[int, float]:
    """At most so many memories of a selection, nearest first: position -> cosine on the static encoder's scale.

    `vector`: shape (d,), in E1. `encoder`: of the vector, where it is another than the words'.
    """
    found = view.nearest(selection, Probe(vector, *_NO_TERMS, most=most, encoder=encoder))
    if encoder is None or not found:
        return found
    head = view.mark(CALIBRATIONS_MARK)
    scales = scales_of(view.encoders(), lambda: calibrations.named_by(head, view))
    scaled = scales.get(Space.SEMANTIC, AS_THEY_ARE).of(np.array(list(found.values())))
    return dict(zip(found, scaled.tolist(), strict=True))


def _says_little(memory: Memory) -> bool:
    return len(set(words_of(memory.content[:_STATEMENT])) - STOP_WORDS) < _LEAST_WORDS


def _near(memory: Memory, other: Memory, cosine: float, why: str | None) -> Near | None:
    """How another memory is near, or None if it is not. `why`: it contradicts the other, however near."""
    are_statements = max(len(memory.content), len(other.content)) <= _STATEMENT and why is None
    seen = disagreement(memory.content, other.content, is_one_matter=True) if are_statements else None
    contradicts = why or (seen and seen.why)
    if contradicts and other.project != memory.project:
        contradicts += f"; project {other.project}"
    if _says_little(other):
        return None
    said = excerpt_within(" ".join(other.content.split()), _EXCERPT, least=1) or ""
    return Near(other.id, said, min(round(cosine, 3), 1.0), contradicts)
