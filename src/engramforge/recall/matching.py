"""Which spaces match: each hit's calibrated similarity in every space that has a signal.

This explains and flags a hit; it never ranks. Only shown hits are compared, so it costs little. A whole answer is
calibrated by a single frozen set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import take_rows
from engramforge.core.ranking.relevance import high_of, relevance_score
from engramforge.core.similarity.calibration import Direction
from engramforge.indexing.calibrations import CalibrationSet
from engramforge.indexing.comparing import (
    NO_ENTITY_VECTORS,
    EntityVectors,
    MemoryBatch,
    PartEncoders,
    compare,
)
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.embeddings.encoder_spec import Signals
from engramforge.model.embeddings.part import Part
from engramforge.model.search.candidates import Candidates
from engramforge.model.search.hit import SpaceMatch
from engramforge.model.spaces import Space
from engramforge.spaces.encoder import Documents
from engramforge.spaces.words.word_table import WordTable

NO_SIGNALS: Final = Signals({})


@dataclass(frozen=True, slots=True)
class Match:
    """The spaces that compared the query with a memory, best first, and by how much they are above their thresholds."""

    matches: tuple[SpaceMatch, ...]
    relevance_score: float


NO_MATCH: Final = Match((), 0.0)
"""The match of a hit when nobody asked which spaces matched."""


def match_spaces(
    query: QueryEmbedding,
    candidates: Candidates,
    rows: NDArray[np.int64],
    table: WordTable,
    signals: Signals,
    part_encoders: PartEncoders,
    calibrations: CalibrationSet,
) -> list[Match]:
    """One match per row of the candidates; abstaining spaces are absent from it.

    `signals`: what the store's encoders made of the memories, and E11's vectors of the names that the query and the
    rows mention; words and E1 come from the candidates. `part_encoders`: space -> its encoder, of every space beyond
    words and E1. `calibrations`: the set of the whole call.
    """
    if not len(rows):
        return []
    batch = _batch_of(query, candidates, rows, table, signals.embeddings)
    entities = NO_ENTITY_VECTORS if signals.entities is None else EntityVectors.of(signals.entities)
    compared = compare(query, batch, part_encoders, entities)
    found: list[list[SpaceMatch]] = [[] for _ in rows]
    highs = calibrations.thresholds.high
    for space, each in compared.items():
        calibration = calibrations.find(space, Direction.QUERY_TO_MEMORY, each.encoder)
        raw, high = each.similarities.values, high_of(space, highs)
        scaled = None if calibration is None else calibration.apply(raw, batch.lengths).similarity
        for place in np.flatnonzero(each.similarities.present).tolist():
            similarity = None if scaled is None else float(scaled[place])
            is_high = high is not None and similarity is not None and similarity > high
            its_id = None if calibration is None else calibration.id
            found[place].append(SpaceMatch(space, float(raw[place]), similarity, its_id, is_high))
    return [_together(matches, highs) for matches in found]


def _batch_of(
    query: QueryEmbedding,
    candidates: Candidates,
    rows: NDArray[np.int64],
    table: WordTable,
    signals: Mapping[int, Embedding],
) -> MemoryBatch:
    """The rows as a batch: words and E1 of the candidates, the parts that are stored."""
    tokens, token_ends = take_rows(candidates.tokens, candidates.token_ends, rows)
    terms, term_ends = take_rows(candidates.terms, candidates.term_ends, rows)
    vectors = candidates.vector[rows]
    own = query.vector_encoder is None
    static = vectors if own else np.zeros((len(rows), table.model.dimensions), np.int8)
    documents = Documents(table, static, tokens, token_ends, terms, term_ends)
    shown = [signals.get(position) for position in candidates.position[rows].tolist()]
    parts: dict[Space, Sequence[Part | None]] = {
        space: [None if each is None else each.parts.get(space) for each in shown]
        for space in {space for each in shown if each is not None for space in each.parts}
    }
    names = [() if each is None else each.entities for each in shown]
    return MemoryBatch(documents, parts, query.vector_encoder, None if own else vectors, names)


def _together(matches: list[SpaceMatch], highs: Mapping[Space, float]) -> Match:
    """Best space first, those without a calibrated value last."""
    ordered = sorted(matches, key=lambda each: (each.calibrated is None, -(each.calibrated or 0.0)))
    known = {each.space: each.calibrated for each in matches if each.calibrated is not None}
    return Match(tuple(ordered), relevance_score(known, highs))
