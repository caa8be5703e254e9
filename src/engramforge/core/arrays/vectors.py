"""Vectors brought to unit length, and to int8; the last axis is the vector's."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def unit(vectors: Floats) -> Floats:
    """The vectors at unit length; zero stays zero."""
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(norms > 0, norms, 1)).astype(np.float32)


def quantised(vectors: Floats) -> NDArray[np.int8]:
    """The vectors as int8, each by its own peak; zero stays zero."""
    peaks = np.abs(vectors).max(axis=-1, keepdims=True, initial=0)
    return np.rint(vectors * (127 / np.where(peaks > 0, peaks, 1))).astype(np.int8)
