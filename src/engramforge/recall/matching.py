"""Which spaces match: each hit's calibrated similarity in every space that has a signal (spec chapter 2).

This explains and flags a hit; it never ranks. Only the hits that are shown are compared, so it costs little.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engramforge.core.calibration import Calibration, Direction
from engramforge.core.ragged import take_rows
from engramforge.core.relevance import relevance_score
from engramforge.model.candidates import Candidates
from engramforge.model.embedding import QueryEmbedding
from engramforge.model.hit import SpaceMatch
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.backgrounds import shipped_calibrations
from engramforge.spaces.encoder import Documents
from engramforge.spaces.presets import comparing_spaces, static_preset
from engramforge.spaces.word_table import WordTable


@dataclass(frozen=True, slots=True)
class Match:
    """The spaces that compared the query with one memory, best first, and what they say together."""

    matches: tuple[SpaceMatch, ...]
    relevant: bool
    relevance_score: float


def match_spaces(
    query: QueryEmbedding, candidates: Candidates, rows: NDArray[np.int64], table: WordTable
) -> list[Match]:
    """One match per row of the candidates; abstaining spaces are absent from it."""
    if not len(rows):
        return []
    tokens, token_ends = take_rows(candidates.tokens, candidates.token_ends, rows)
    terms, term_ends = take_rows(candidates.terms, candidates.term_ends, rows)
    documents = Documents(table, candidates.vector[rows], tokens, token_ends, terms, term_ends)
    preset, calibrations = static_preset(), shipped_calibrations()
    found: list[list[SpaceMatch]] = [[] for _ in rows]
    for space in comparing_spaces(preset):
        compared = preset[space].query_to_memories(query, documents)
        calibration = calibrations[space, Direction.QUERY_TO_MEMORY]
        calibrated = calibration.apply(compared.values, documents.lengths).similarity
        for place in np.flatnonzero(compared.present).tolist():
            raw, similarity = float(compared.values[place]), float(calibrated[place])
            found[place].append(_match(space, raw, similarity, calibration))
    return [_together(matches) for matches in found]


def _match(space: Space, raw: float, similarity: float, calibration: Calibration) -> SpaceMatch:
    high = ROW_BY_SPACE[space].high
    return SpaceMatch(space, raw, similarity, calibration.id, high is not None and similarity > high)


def _together(matches: list[SpaceMatch]) -> Match:
    """Best space first; relevant when any is above its high threshold."""
    ordered = tuple(sorted(matches, key=lambda match: -match.calibrated))
    score = relevance_score({match.space: match.calibrated for match in matches})
    return Match(ordered, any(match.high for match in matches), score)
