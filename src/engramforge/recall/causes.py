"""The causal fit of candidates for a question that asks why or what then: which fit as the cause or the effect (E5).

It is absent for any other question, whose ranking it does not affect.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engramforge.core.causes.causation import asked_direction
from engramforge.core.ranking.causal_signals import causal_signals, share_of_knowledge
from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.search.candidates import Candidates
from engramforge.spaces.causal.causal_knowledge import FRAME, causal_knowledge
from engramforge.spaces.words.word_table import WordTable

Floats = NDArray[np.float32]


def causal_signal(
    query: QueryEmbedding,
    candidates: Candidates,
    table: WordTable,
    cover: Floats,
    is_plain: NDArray[np.bool_],
) -> dict[str, Floats]:
    """The signals `causal_fit` and `causal_lead`, float32, shape (n,), in [0, 1].

    Empty if no cause or effect is asked for, or if a candidate has the question's words, which tells more. For talk its
    neighbours are better evidence than typical causes of words, so only texts that stand alone count.

    `cover`: float32, shape (n,): share of the question's words that each candidate covers. `is_plain`: bool, shape
    (n,): whether it stands alone and is not a piece of a file.
    """
    direction = asked_direction(query.text)
    asked = [word for word in query.words if word not in FRAME]
    share = share_of_knowledge(cover)
    if direction is None or not asked or share <= 0 or not is_plain.any():
        return {}
    rows, ends = table.words_of(candidates.tokens, candidates.token_ends)
    counts = ~table.is_stop(rows)
    before = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))
    fits = causal_knowledge().scores(table, table.rows_of(asked), rows[counts], before[ends], direction)
    return causal_signals(fits, is_plain, share)
