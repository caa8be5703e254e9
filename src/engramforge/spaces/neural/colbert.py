"""E12 by a ColBERT model: a vector for each token, compared by MaxSim (Khattab, Zaharia 2020).

A part's rows are the tokens' vectors, so their number differs by memory. It scores what other spaces found and does not
search: a scan by tokens would read a hundred times as much as E1's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised, unit
from engramforge.errors import ModelUnavailable
from engramforge.model.embeddings.encoder_spec import EncoderKind
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.encoder import Item, Similarities
from engramforge.spaces.neural.dense import readable
from engramforge.spaces.neural.loading import NeuralSpace, check_gives_vectors, explained, load

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Values

MOST_TOKENS: Final = 180
"""How many tokens of a memory are kept: what ColBERT reads of a document by default."""
_BATCH: Final = 16
_COMPARED: Final = 32
"""Memories compared at once, so that their tokens' vectors take some MB and not some hundred."""


class NeuralLateInteraction(NeuralSpace):
    """E12. Abstains for a blank text."""

    row = ROW_BY_SPACE[Space.LATE_INTERACTION]

    @property
    def shape(self) -> tuple[int, int]:
        """(-1, dimension of a token's vector); loads the model."""
        self._loaded()
        return (-1, self._size)

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """int8, shape (tokens, size), of each item."""
        places = [place for place, item in enumerate(items) if item.text.strip()]
        places.sort(key=lambda place: len(items[place].text))
        found: list[Values | None] = [None] * len(items)
        made = self._embed([items[place].text for place in places])
        for place, rows in zip(places, made, strict=True):
            found[place] = quantised(rows[:MOST_TOKENS]) if rows.any() else None
        return found

    def encode_query(self, item: Item) -> QueryPart | None:
        """float32, shape (tokens, size); the model pads a short question with masks, which ask for likely words."""
        if not item.text.strip():
            return None
        model = self._loaded()
        with explained(self._spec, self._setting, "used"):
            rows = np.array(next(iter(model.query_embed(readable(item.text)))), np.float32)
        rows = unit(self._checked(rows))
        shares = np.full(len(rows), 1 / len(rows), np.float32)
        return QueryPart(self.row.space, self.id, rows, shares, scans=False)

    def query_to_memories(self, query: QueryPart, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """Mean over the question's tokens of the best cosine with a memory's token, in [-1, 1]."""
        return _compare(query.values.astype(np.float32), values, present)

    def memory_to_memories(self, memory: Values, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """The same from a memory's tokens."""
        rows = memory[memory.any(axis=1)].astype(np.float32)
        if not len(rows):
            return Similarities.absent(len(values))
        return _compare(unit(rows), values, present)

    def _embed(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        model = self._loaded()
        with explained(self._spec, self._setting, "used"):
            made = list(model.embed([readable(text) for text in texts], batch_size=_BATCH))
        return [self._checked(np.array(rows, np.float32)) for rows in made]

    def _checked(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        if rows.ndim != 2 or not np.isfinite(rows).all() or rows.shape[1] > self.row.declared_size:
            raise ModelUnavailable(
                f"The model {self._spec} of {self._setting} gives no vectors of up to {self.row.declared_size}"
                " numbers for tokens",
                f"Let {self._setting} name a ColBERT model of at most {self.row.declared_size} dimensions",
            )
        return rows

    def _made(self) -> tuple[Any, str, int, str]:
        from fastembed import LateInteractionTextEmbedding
        from fastembed.common.model_description import DenseModelDescription
        from fastembed.late_interaction.colbert import Colbert

        made = (LateInteractionTextEmbedding, Colbert, DenseModelDescription)
        model, name = load(self._spec, self._setting, *made, dim=self.row.declared_size)
        if self._spec.kind is EncoderKind.LOCAL:
            check_gives_vectors(model, self._spec, self._setting)
            if len(model.model.get_outputs()[0].shape) == 2:
                raise ModelUnavailable(
                    f"The model {self._spec} of {self._setting} gives one vector for a text, not one for each token",
                    f"Let {self._setting} name a ColBERT model",
                )
        size = self._checked(np.array(next(iter(model.embed(["size"]))), np.float32)).shape[1]
        return model, name, size, str(size)


def _compare(query: NDArray[np.float32], values: Values, present: NDArray[np.bool_]) -> Similarities:
    scores = np.zeros(len(values), np.float32)
    for start in range(0, len(values), _COMPARED):
        part = values[start : start + _COMPARED].astype(np.float32)
        cosines = unit(part) @ query.T
        # Rows that only fill up the batch match nothing.
        cosines = np.where((np.abs(part).max(axis=2) > 0)[:, :, None], cosines, np.float32(-1))
        scores[start : start + _COMPARED] = cosines.max(axis=1, initial=-1).mean(axis=1)
    has = present & values.any(axis=(1, 2)) if len(values) else present
    return Similarities.where(has, np.clip(scores, -1, 1))
