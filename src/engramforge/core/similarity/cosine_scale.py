"""Maps a model's cosines to the scale of the static encoder's, for which signals, floors and weights were fitted.

Models differ in how alike they find unrelated texts: the static model about 0.05, some others 0.6. The background b,
the median cosine of unrelated texts, becomes the static one s, and 1 stays 1:

    c' = s + (c - b) (1 - s) / (1 - b)

The order by cosine is kept, and values below b mean nothing, as they should. b belongs to the encoder, not to the
candidates: these are a selection of the best, so their median says nothing about unrelated texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.model.spaces import Space

STATIC_BACKGROUNDS: Final[Mapping[Space, float]] = MappingProxyType({Space.SEMANTIC: 0.05, Space.CODE: 0.035})
"""Median cosine of a question with an unrelated memory by the static encoders (spaces/backgrounds.json, over all
lengths), of the spaces whose cosines are signals."""
MOST: Final = 0.95
"""The largest background that is used: beyond it the model barely distinguishes texts, and differences must not be
magnified without limit."""


@dataclass(frozen=True, slots=True)
class CosineScale:
    """How to read the cosines of one encoder.

    `background`: median cosine of unrelated texts; None: the cosines are on the static scale as they are. `static`: the
    same of the static encoder.
    """

    background: float | None = None
    static: float = 0.0

    def of(self, cosines: NDArray[Any]) -> NDArray[Any]:
        """Cosines on the static scale, of any shape; unchanged if the scale is static already."""
        if self.background is None:
            return cosines
        base = min(self.background, MOST)
        stretched = self.static + (cosines - base) * ((1 - self.static) / (1 - base))
        return stretched.astype(cosines.dtype)


AS_THEY_ARE: Final = CosineScale()


def scale_for(space: Space, background: float | None) -> CosineScale:
    """The scale of an encoder with this background; of a space whose cosines are no signals as they are."""
    if background is None or space not in STATIC_BACKGROUNDS or not np.isfinite(background):
        return AS_THEY_ARE
    return CosineScale(background, STATIC_BACKGROUNDS[space])
