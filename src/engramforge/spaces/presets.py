"""Which encoder serves each of the thirteen spaces.

The preset `static` needs no download, no key and no network. A space it has no encoder for is registered as
abstaining: absent from every comparison.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from engramforge.model.spaces import REGISTRY, Space
from engramforge.spaces.causal.causal_encoder import CausalEncoder
from engramforge.spaces.code.code_encoder import CodeEncoder
from engramforge.spaces.encoder import Abstaining, Encoder, PartEncoder
from engramforge.spaces.graph import GraphEncoder
from engramforge.spaces.hyperdimensional import HyperdimensionalEncoder
from engramforge.spaces.late_interaction import LateInteractionEncoder
from engramforge.spaces.multimodal.picture_encoder import MultimodalEncoder
from engramforge.spaces.semantic import SemanticEncoder
from engramforge.spaces.sparse import SparseExpansionEncoder, SparseLexicalEncoder
from engramforge.spaces.temporal import temporal_encoder
from engramforge.spaces.words.vocabulary import vocabulary
from engramforge.spaces.words.word_table import word_table

_TEMPORAL: Final = (Space.TEMPORAL_RECENT, Space.TEMPORAL_PERIODIC, Space.TEMPORAL_POSITIONAL)

Preset = Mapping[Space, Encoder[Any]]


@lru_cache(maxsize=1)
def static_preset() -> Preset:
    """Space -> encoder, all thirteen in the registry's order; loads the static model. Raises ModelUnavailable."""
    words = vocabulary()
    table = words.table
    model_id = table.model.id
    encoders: dict[Space, Encoder[Any]] = {space: temporal_encoder(space) for space in _TEMPORAL}
    encoders[Space.SEMANTIC] = SemanticEncoder(model_id)
    encoders[Space.SPARSE_LEXICAL] = SparseLexicalEncoder()
    encoders[Space.LATE_INTERACTION] = LateInteractionEncoder(model_id, table)
    encoders[Space.SPARSE_EXPANSION] = SparseExpansionEncoder(model_id, words)
    return MappingProxyType({row.space: encoders.get(row.space, Abstaining(row)) for row in REGISTRY})


@lru_cache(maxsize=1)
def static_part_encoders() -> Mapping[Space, PartEncoder]:
    """Space -> encoder of the parts that the static preset stores; what each stands on loads at its first use."""
    encoders: tuple[PartEncoder, ...] = (
        CausalEncoder(word_table()),
        CodeEncoder(),
        GraphEncoder(),
        HyperdimensionalEncoder(),
        MultimodalEncoder(word_table),
    )
    return MappingProxyType({encoder.row.space: encoder for encoder in encoders})


def comparing_spaces(preset: Preset) -> tuple[Space, ...]:
    """The spaces of a preset that compare texts and take part in relevance, in the registry's order."""
    return tuple(
        space for space, encoder in preset.items() if encoder.active and encoder.row.takes_part_in_relevance
    )
