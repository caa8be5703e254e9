"""One level searched by vectors: a recall within the level, and the nearest of what it finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.model.limits import RECALL_HITS
from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import CANDIDATES, Near, Probe
from engramforge.model.search.hit import Hit
from engramforge.model.streams.asked import RetrievalIntention
from engramforge.model.streams.stream import StreamItem
from engramforge.model.streams.ways import Way, way_name
from engramforge.recall.intention.fitting import fits, wanted
from engramforge.recall.request import RecallRequest, Shown
from engramforge.recall.retrieval import Retriever, Shared
from engramforge.store.door import Door

_SPARE: Final = 1.5
"""How many times as many hits as are told: the graph begins from more."""
_SCORED: Final = 8
"""How many times as many candidates as are told are compared in every space."""


@dataclass(frozen=True, slots=True)
class VectorSearch:
    """Searches levels for an intention.

    `aliased`: the known names that the question means and writes otherwise. `shared`: the question, embedded once for
    all levels.
    """

    retriever: Retriever
    scope: Scope
    intention: RetrievalIntention
    aliased: tuple[str, ...]
    shared: Shared
    now: datetime

    def near(self, door: Door) -> Mapping[Level, NDArray[np.int64]]:
        """Of each level what is nearest in meaning, where the store looks for that in all levels at once."""
        embedding, nothing = self.shared.embedding, np.empty(0, np.float32)
        words = nothing.astype(np.uint32), nothing, nothing.astype(np.int32), nothing
        probe = Probe(embedding.vector, *words, encoder=embedding.meaning_encoder)
        return door.asking(self.scope).near_of_levels(wanted(self.intention), probe)

    def hits(self, level: Level, *, fitting: bool, near: Near | None = None) -> list[Hit]:
        """What a recall within a level finds; `fitting`: only what is as the intention wants it. `near`: as of a
        `Probe`."""
        most = round(_SPARE * self.intention.max_results_per_level)
        request = RecallRequest(
            query=self.intention.query_text,
            selection=wanted(self.intention) if fitting else self.intention.selection,
            now=self.now,
            budget=None,
            limit=min(RECALL_HITS, most),
            min_score=0.0,
            # By its words a name is found anyway, and those that mention it would crowd out what answers.
            shown=Shown(entities=self.aliased),
            most=CANDIDATES if self.aliased else _SCORED * self.intention.max_results_per_level,
            explained=False,
            # What typically causes such things says nothing of whether it has to do with the question.
            supposing=False,
            near=near,
        )
        found = self.retriever.recall(replace(self.scope, levels=(level,)), request, self.shared.embedding)
        return [each for each in found.hits if not fitting or fits(each.memory, self.intention)]

    def items(self, level: Level, hits: Sequence[Hit]) -> list[StreamItem]:
        """The nearest of a level's hits."""
        source = way_name(level, Way.VECTOR)
        ordered = sorted(hits, key=lambda each: -each.parts.similarity)
        return [
            StreamItem(
                each.memory, source, min(1.0, each.parts.similarity), each.excerpt, answers=each.relevant
            )
            for each in ordered[: self.intention.max_results_per_level]
        ]
