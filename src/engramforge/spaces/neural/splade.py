"""E13 by a SPLADE model: the vocabulary terms that a text activates, with weights (Formal and others 2021).

A part has a row of four numbers for each term, each from 0 to 127: its id in three, its weight in one.
It scores what others found; E6 and the static expansion keep the postings that find by words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.errors import ModelUnavailable
from engramforge.model.embeddings.encoder_spec import EncoderKind
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.encoder import Item, Similarities, Symmetric
from engramforge.spaces.neural.dense import readable
from engramforge.spaces.neural.loading import NeuralSpace, explained, gives_terms, load

if TYPE_CHECKING:
    from engramforge.model.embeddings.part import Asked, Values

MOST_TERMS: Final = 128
"""How many terms of a text are kept, the heaviest: SPLADE activates some dozens, long texts a few hundred."""
STEPS: Final = 32
"""Steps of the stored weight per unit; weights are log(1 + activation), in practice below 4."""
_VOCABULARY: Final = 1 << 16
_BATCH: Final = 16


class NeuralSparseExpansion(NeuralSpace, Symmetric):
    """E13. Abstains for a text that activates nothing."""

    row = ROW_BY_SPACE[Space.SPARSE_EXPANSION]
    shape = (-1, 4)
    """A row for each term."""

    def encode(self, items: Sequence[Item]) -> list[Values | None]:
        """int8, shape (terms, 4), ascending by term: id, its lowest seven bits first, and weight."""
        places = [place for place, item in enumerate(items) if item.text.strip()]
        places.sort(key=lambda place: len(items[place].text))
        found: list[Values | None] = [None] * len(items)
        for place, rows in zip(places, self._embed([items[place].text for place in places]), strict=True):
            found[place] = rows
        return found

    def encode_query(self, item: Item) -> QueryPart | None:
        """Likewise; the weights of a scan do not count, since it does not scan."""
        rows = self._embed([item.text])[0] if item.text.strip() else None
        if rows is None:
            return None
        values = rows.astype(np.float32)
        return QueryPart(self.row.space, self.id, values, np.ones(len(rows), np.float32), scans=False)

    def compare(self, asked: Asked, values: Values, present: NDArray[np.bool_]) -> Similarities:
        """Weighted Jaccard, sum(min)/sum(max) of the weights (Ruzicka 1958), in [0, 1]."""
        rows, theirs = asked.astype(np.int8), values.astype(np.int8)
        weights = np.zeros(_VOCABULARY, np.float32)
        weights[_ids(rows)] = rows[:, 3]
        # Rows of weight 0 only fill up the batch.
        amounts = theirs[:, :, 3].astype(np.float32)
        shared = np.minimum(weights[_ids(theirs)], amounts).sum(axis=1)
        every = weights.sum() + amounts.sum(axis=1) - shared
        similarity = np.divide(shared, every, out=np.zeros_like(shared), where=every > 0)
        return Similarities.where(present & (amounts.sum(axis=1) > 0) & bool(weights.any()), similarity)

    def _embed(self, texts: Sequence[str]) -> list[NDArray[np.int8] | None]:
        model = self._loaded()
        with explained(self._spec, self._setting, "used"):
            made = list(model.embed([readable(text) for text in texts], batch_size=_BATCH))
        return [self._rows(np.asarray(each.indices), np.asarray(each.values, np.float32)) for each in made]

    def _rows(
        self, terms: NDArray[np.int64] | NDArray[np.int32], weights: NDArray[np.float32]
    ) -> NDArray[np.int8] | None:
        if not np.isfinite(weights).all() or terms.max(initial=0) >= _VOCABULARY:
            raise ModelUnavailable(
                f"The model {self._spec} of {self._setting} gives no weights for up to {_VOCABULARY} terms",
                f"Let {self._setting} name a SPLADE model of one language",
            )
        steps = np.clip(np.rint(weights * STEPS), 0, 127).astype(np.int8)
        best = np.argsort(-weights, kind="stable")[:MOST_TERMS]
        kept = np.sort(best[steps[best] > 0])
        if not len(kept):
            return None
        ids = terms[kept]
        return np.stack((ids & 127, ids >> 7 & 127, ids >> 14, steps[kept]), axis=1).astype(np.int8)

    def _made(self) -> tuple[Any, str, int, str]:
        from fastembed import SparseTextEmbedding
        from fastembed.common.model_description import SparseModelDescription
        from fastembed.sparse.splade_pp import SpladePP

        made = (SparseTextEmbedding, SpladePP, SparseModelDescription)
        model, name = load(self._spec, self._setting, *made)
        if self._spec.kind is EncoderKind.LOCAL and gives_terms(model) is False:
            raise ModelUnavailable(
                f"The model {self._spec} of {self._setting} gives vectors, not weights for the terms of its vocabulary",
                f"Let {self._setting} name a SPLADE model",
            )
        return model, name, MOST_TERMS, str(MOST_TERMS)


def _ids(rows: NDArray[np.int8]) -> NDArray[np.int64]:
    wide = rows.astype(np.int64)
    return wide[..., 0] | wide[..., 1] << 7 | wide[..., 2] << 14
