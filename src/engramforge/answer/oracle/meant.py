"""The decision that a question means in other words than those that anybody used."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from engramforge.answer.oracle.cited import Cited, beside, statement_of
from engramforge.core.oracle.by_meaning import is_meant
from engramforge.model.memory import Kind
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.recall.candidate_words import cover_of
from engramforge.recall.nearby import nearest_to
from engramforge.recall.retrieval import Retriever
from engramforge.store.door import Door

BY_MEANING: Final = "by meaning alone"
_COMPARED: Final = 12


def meant(retriever: Retriever, door: Door, scope: Scope, query: str, selection: Selection) -> list[Cited]:
    """The standing decision that a question means; none where none stands out (core/oracle/by_meaning).

    `selection`: of the times that are asked for.
    """
    question = retriever.embed(scope, query)
    if question.vector is None or not question.words:
        return []
    with door.asking(scope) as view:
        near = nearest_to(
            view,
            replace(selection, kinds=(Kind.DECISION,), statuses=(str(DecisionStatus.ACTIVE),)),
            question.vector,
            question.vector_encoder,
            _COMPARED,
            retriever.calibrations,
        )
        nearest = list(near)[:1]
        held = view.fetch_at(np.array(nearest, np.int64)) if nearest else {}
    if not held:
        return []
    memory = held[nearest[0]]
    covers = question.weights @ cover_of(question, retriever.table, [statement_of(memory)])
    return [beside(memory, BY_MEANING).said()] if is_meant(list(near.values()), float(covers[0])) else []
