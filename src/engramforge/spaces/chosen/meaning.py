"""E1 by an encoder that the user chose.

The static model's E1 comes with the words (indexing/encode) and is not made here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised
from engramforge.model.spaces import Space
from engramforge.spaces.chosen.background import background_of
from engramforge.spaces.chosen.model_vectors import SizedVectors


class ModelMeaning(SizedVectors):
    """E1 by a model, which loads at first use; safe to share between threads."""

    def background(self) -> float | None:
        """How similar it finds unrelated texts (spaces/chosen/background). Asks the model."""
        return background_of(Space.SEMANTIC, self)

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.int8] | None]:
        """int8, shape (size,), of each text, which depends on it alone; None for a text without signal."""
        return [row if row.any() else None for row in quantised(self.of(texts))]

    def encode_query(self, text: str) -> NDArray[np.float32] | None:
        """float32, shape (size,), unit length; None for a text without signal."""
        vector = self.of([text], is_query=True)[0]
        return vector if vector.any() else None
