"""The signals of images and entities, used when a question is asked by an image or by names.

Each is float32, shape (n,), in [0, 1], as in core/ranking/signals; a space that abstains gives 0, which costs nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def image_signal(similarity: Floats, present: NDArray[np.bool_]) -> dict[str, Floats]:
    """How alike the images are."""
    return {"image": np.where(present, np.clip(similarity, 0, 1), 0).astype(np.float32)}


def entity_signal(mentioned: Floats) -> dict[str, Floats]:
    """The share of the asked names that a memory mentions."""
    return {"entity": mentioned}
