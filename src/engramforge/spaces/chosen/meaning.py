"""E1 by an encoder that the user chose.

The static model's E1 comes with the words (indexing/encode) and is not made here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.vectors import quantised
from engramforge.model.embeddings.active_encoders import ActiveEncoder
from engramforge.model.embeddings.encoder_spec import EncoderSpec
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.spaces.chosen.background import background_of
from engramforge.spaces.chosen.model_vectors import SizedVectors, VectorModel

Vector: TypeAlias = NDArray[np.int8]


class ModelMeaning:
    """E1 of texts by a model, loaded at first use; safe to share between threads.

    Parameters
    ----------
    dimensions : the size to which vectors are cut; None: as the space declares.
    setting : what errors name.
    known : what a store says about its encoder; answers that contradict it are refused.
    """

    def __init__(
        self,
        spec: EncoderSpec,
        model: VectorModel,
        dimensions: int | None,
        setting: str,
        known: ActiveEncoder | None = None,
    ) -> None:
        self._spec, self._setting, self._known = spec, setting, known
        self._vectors = SizedVectors(ROW_BY_SPACE[Space.SEMANTIC], model, dimensions, setting, known)

    @property
    def spec(self) -> EncoderSpec:
        """How it was chosen."""
        return self._spec

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

    def encode(self, texts: Sequence[str]) -> list[Vector | None]:
        """int8, shape (size,), of each text: a unit vector times 127/peak; None for a text without signal.

        Depends on each text alone.

        Raises
        ------
        ModelUnavailable : no model, no network, a wrong key, an answer that makes no sense; the setting is named.
        SpendingCapReached : the next call would cost more than the user allows.
        """
        vectors = self._vectors.of(texts)
        return [row if row.any() else None for row in quantised(vectors)]

    def encode_query(self, text: str) -> NDArray[np.float32] | None:
        """float32, shape (size,), unit length; None for a text without signal. Raises as `encode`."""
        vector = self._vectors.of([text], is_query=True)[0]
        return vector if vector.any() else None
