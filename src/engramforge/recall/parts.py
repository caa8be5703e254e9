"""A question's parts against those of the candidates: one comparison per space in which both have a signal."""

from __future__ import annotations

from collections.abc import Mapping

from engramforge.model.embeddings.embedding import QueryEmbedding
from engramforge.model.search.candidates import Candidates
from engramforge.model.spaces import Space
from engramforge.spaces.encoder import Similarities
from engramforge.spaces.part_encoder import PartEncoder


def compare_parts(
    query: QueryEmbedding, candidates: Candidates, encoders: Mapping[Space, PartEncoder]
) -> dict[Space, Similarities]:
    """The raw similarity of the question with all n candidates in every space for which they have parts."""
    return {
        space: encoders[space].query_to_memories(query.parts[space], batch.values, batch.present)
        for space, batch in candidates.parts.items()
        if space in query.parts and space in encoders
    }
