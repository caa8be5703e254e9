"""All thirteen spaces of a store: words and meaning of every text, and the parts of the spaces that have a signal.

    items -> words and E1 (the static model's, or the store's own) -> parts of E5, E7, E9, E10 -> names of E11

The store says which encoders are active (`ActiveEncoder`); here they are made once and kept. E2-E4 are computed from
times, E8 from links when these change (upkeep), so neither is here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from engramforge.core.entities.naming import name_key, names_in
from engramforge.errors import ModelUnavailable
from engramforge.indexing.encode import TextEncoder
from engramforge.model.embeddings.embedding import Embedding, QueryEmbedding
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.embeddings.part import Part, QueryPart
from engramforge.model.search.candidates import Corpus
from engramforge.model.spaces import Space
from engramforge.spaces.encoder import Item, PartEncoder
from engramforge.spaces.words.word_table import WordTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engramforge.spaces.chosen.model_parts import ModelMeaning
    from engramforge.spaces.model_workshop import ModelWorkshop

STATIC: Final = "static"
Active = Mapping[Space, ActiveEncoder]
NO_CHOICE: Active = {}


class Encoders:
    """Encodes memories and questions in all spaces; models load at their first use.

    `workshop`: makes encoders that are not of the static preset; None where there can be none.
    """

    def __init__(self, workshop: ModelWorkshop | None = None) -> None:
        self.words = TextEncoder()
        self._workshop = workshop
        self._meanings: dict[str, ModelMeaning] = {}
        self._parts: dict[str, PartEncoder] = {}

    @property
    def id(self) -> str:
        """Id of the encoder of words, and of E1 where the store has no other."""
        return self.words.id

    @property
    def table(self) -> WordTable:
        """The word table; loads the static model at first use. Raises ModelUnavailable."""
        return self.words.table

    @cached_property
    def static_parts(self) -> Mapping[Space, PartEncoder]:
        """The part encoders of the static preset."""
        from engramforge.spaces.presets import static_part_encoders

        return static_part_encoders()

    def part_encoders(self, active: Active = NO_CHOICE) -> dict[Space, PartEncoder]:
        """The part encoder of every space that has one."""
        chosen: dict[Space, PartEncoder] = {
            space: self._part(space, encoder)
            for space, encoder in active.items()
            if space is not Space.SEMANTIC and encoder.spec != STATIC
        }
        return {**self.static_parts, **chosen}

    def encode(
        self, items: Sequence[Item], moments: Sequence[datetime] | None = None, active: Active = NO_CHOICE
    ) -> list[Embedding]:
        """The embedding of each item; `moments` as in `TextEncoder.encode`."""
        found = self.words.encode([item.text for item in items], moments)
        meaning = self._meaning(active)
        if meaning is not None:
            vectors = meaning.encode([item.text for item in items])
            found = [
                replace(embedding, vector=vector, vector_encoder=meaning.id)
                for embedding, vector in zip(found, vectors, strict=True)
            ]
        known = [replace(item, embedding=embedding) for item, embedding in zip(items, found, strict=True)]
        parts: list[dict[Space, Part]] = [{} for _ in items]
        for space, encoder in self.part_encoders(active).items():
            for place, values in enumerate(encoder.encode(known)):
                if values is not None:
                    parts[place][space] = Part(space, encoder.id, values)
        return [
            replace(embedding, parts=each, entities=self.names_of(item))
            for embedding, each, item in zip(found, parts, items, strict=True)
        ]

    def names_of(self, item: Item) -> tuple[str, ...]:
        """The names that an item mentions, distinct, in order: E11."""
        return tuple(dict.fromkeys((*map(name_key, item.names), *names_in(item.text))))

    def vectors(self, texts: Sequence[str], encoder: ActiveEncoder) -> list[NDArray[np.int8] | None]:
        """E1 alone, by any encoder."""
        meaning = self._meaning({Space.SEMANTIC: encoder})
        if meaning is not None:
            return list(meaning.encode(texts))
        return [embedding.vector for embedding in self.words.encode(texts)]

    def encode_query(
        self, item: Item, corpus: Corpus | None = None, named: Sequence[str] = (), active: Active = NO_CHOICE
    ) -> QueryEmbedding:
        """The embedding of a question; `corpus` and `named` as in `TextEncoder.encode_query`."""
        query = self.words.encode_query(item.text, corpus, named)
        about = self.words.encode_query(item.text, corpus) if named else None
        meaning = self._meaning(active)
        parts: dict[Space, QueryPart] = {}
        for space, encoder in self.part_encoders(active).items():
            part = encoder.encode_query(item)
            if part is not None:
                parts[space] = part
        if meaning is not None:
            vector = meaning.encode_query(item.text)
            query = replace(query, vector=vector, vector_encoder=meaning.id)
            about = about and replace(about, vector=vector, vector_encoder=meaning.id)
        names = names_in(item.text)
        about = about and replace(about, parts=parts, entities=names)
        return replace(query, parts=parts, entities=names, about=about)

    def _meaning(self, active: Active) -> ModelMeaning | None:
        """E1's encoder where the store has another than the static model's."""
        chosen = active.get(Space.SEMANTIC)
        if chosen is None or chosen.id == self.id:
            return None
        if chosen.id not in self._meanings:
            self._meanings[chosen.id] = self._made().meaning(chosen)
        return self._meanings[chosen.id]

    def _part(self, space: Space, active: ActiveEncoder) -> PartEncoder:
        if active.id not in self._parts:
            self._parts[active.id] = self._made().part(space, active)
        return self._parts[active.id]

    def _made(self) -> ModelWorkshop:
        if self._workshop is None:
            raise ModelUnavailable(
                "The store compares by a model, and none can be made here", "Open it by engramforge.open"
            )
        return self._workshop
