"""E1 by an encoder that the user chose.

The static model's E1 comes with the words (indexing/encode) and is not made here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised
from engramforge.model.embeddings.active_encoders import ActiveEncoder
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.chosen.background import background_of
from engramforge.spaces.chosen.model_vectors import SizedVectors, VectorModel


class ModelMeaning:
    """E1 by a model, which loads at first use; safe to share between threads.

    `dimensions`: the size to which vectors are cut; None: as the space declares. `setting`: what errors name. `known`:
    what a store says about its encoder; answers that contradict it are refused.

    Raises ModelUnavailable: no model, no network, a wrong key, an answer that makes no sense; the setting is named.
    Raises SpendingCapReached: the next call would cost more than the user allows.
    """

    def __init__(
        self, model: VectorModel, dimensions: int | None, setting: str, known: ActiveEncoder | None = None
    ) -> None:
        self._vectors = SizedVectors(ROW_BY_SPACE[Space.SEMANTIC], model, dimensions, setting, known)

    @property
    def id(self) -> str:
        """Name, version and dimension; vectors of different ids are never compared. May load the model."""
        return self._vectors.id

    @property
    def size(self) -> int:
        """Dimension of its vectors, at most the space's declared size. May load the model."""
        return self._vectors.size

    def background(self) -> float | None:
        """How similar it finds unrelated texts (spaces/chosen/background). Asks the model."""
        return background_of(Space.SEMANTIC, self._vectors)

    def encode(self, texts: Sequence[str]) -> list[NDArray[np.int8] | None]:
        """int8, shape (size,), of each text, which depends on it alone; None for a text without signal."""
        return [row if row.any() else None for row in quantised(self._vectors.of(texts))]

    def encode_query(self, text: str) -> NDArray[np.float32] | None:
        """float32, shape (size,), unit length; None for a text without signal."""
        vector = self._vectors.of([text], is_query=True)[0]
        return vector if vector.any() else None
