"""How alike memories are to each other, on the calibrated scale: what lenses and scans over projects compare."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engramforge.core.similarity.calibration import Direction
from engramforge.indexing.calibrations import CalibrationSet
from engramforge.indexing.comparing import MemoryBatch
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.spaces import Space
from engramforge.spaces.presets import static_preset
from engramforge.spaces.words.word_table import WordTable


def likeness(
    table: WordTable,
    embeddings: Sequence[Embedding | None],
    calibrations: CalibrationSet,
    compared: int | None = None,
) -> NDArray[np.float64]:
    """Calibrated similarities in E1 of n memories to each other, shape (n, n), 0..1; of so many of the first to all
    where `compared` says so, shape (compared, n).

    0 on the diagonal, where one of the two has no vector or one of another encoder than most, and where nothing is
    known of what chance gives by their encoder.
    """
    alike = np.zeros((len(embeddings) if compared is None else compared, len(embeddings)))
    foreign = {each.vector_encoder for each in embeddings if each is not None and each.vector is not None}
    encoder = next(iter(sorted(each for each in foreign if each is not None)), None)
    held = [
        (at, each)
        for at, each in enumerate(embeddings)
        if each is not None and each.vector is not None and each.vector_encoder == encoder
    ]
    by = encoder or static_preset()[Space.SEMANTIC].id
    calibration = calibrations.find(Space.SEMANTIC, Direction.MEMORY_TO_MEMORY, by)
    if len(held) < 2 or calibration is None:
        return alike
    rows = np.array([at for at, _ in held])
    asking = slice(None if compared is None else int(np.count_nonzero(rows < compared)))
    lengths = MemoryBatch.of(table, [each for _, each in held]).lengths
    vectors = np.array([each.vector for _, each in held], np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    cosines = vectors[asking] @ vectors.T
    shorter = np.minimum(lengths[asking, None], lengths[None, :])
    similarity = calibration.apply(cosines.ravel(), shorter.ravel()).similarity
    alike[np.ix_(rows[asking], rows)] = similarity.reshape(cosines.shape)
    np.fill_diagonal(alike, 0.0)
    return alike
