"""What the project has decided about the matter that a prompt asks about, in whatever words.

A recall finds what shares words with a question; "which language are the buttons in" and "UI texts are German" share
none. The decisions that hold are few, so each is compared with the question by meaning, and those are told that stand
out among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np

from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer, answering
from engramforge.answer.injection.weighing import weights_of
from engramforge.core.injection.gate import standing_out
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.recall.nearby import nearest_to
from engramforge.recall.request import PRESENT, in_time
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door, View

_COMPARED: Final = 12


@dataclass(frozen=True, slots=True)
class Decided:
    """Compares a question with the decisions that hold."""

    door: Door
    retriever: Retriever
    clock: Callable[[], datetime]

    def offers(self, scope: Scope, question: QueryEmbedding, asked: Occasion, now: datetime) -> list[Offer]:
        """The decisions that stand out, at most two; `scope`: narrowed to the project."""
        if question.vector is None:
            return []
        chosen = replace(asked.not_in_context((Kind.DECISION,)), statuses=(str(DecisionStatus.ACTIVE),))
        with self.door.asking(scope) as view:
            near = nearest_to(
                view,
                in_time(chosen, PRESENT, self.clock()),
                question.vector,
                question.vector_encoder,
                _COMPARED,
                self.retriever.calibrations,
            )
            told = _worth_telling(view, list(near)[: standing_out(list(near.values()))])
        return [answering(each, now) for each in told]


def _worth_telling(view: View, places: Sequence[int]) -> list[Memory]:
    if not places:
        return []
    fetched = view.fetch_at(np.array(places, np.int64))
    found = [fetched[place] for place in places if place in fetched]
    weights = weights_of(view, found)
    return [each for each in found if weights[each.logical_id]]
