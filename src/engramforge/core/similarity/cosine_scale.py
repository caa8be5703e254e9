"""A model's cosines on the scale of the static encoder's, by which signals, floors and weights were fitted.

Models differ in how alike they find unrelated texts: the static model about 0.05, some others 0.6. The background b,
the median cosine of unrelated texts, becomes the static one s, and 1 stays 1:

    c' = s + (c - b) (1 - s) / (1 - b)

An order by cosine stays as it is; what is below b says nothing, as it should. b is a number of the encoder, not of the
candidates: of these the best were chosen, so their own median says nothing of unrelated texts.
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
"""A background beyond says that the model tells nothing apart; then differences must not be blown up without end."""


@dataclass(frozen=True, slots=True)
class CosineScale:
    """How to read the cosines of one encoder.

    Parameters
    ----------
    background : median cosine of unrelated texts; None: the cosines are on the static scale as they are.
    static : the same of the static encoder.
    """

    background: float | None = None
    static: float = 0.0

    def of(self, cosines: NDArray[Any]) -> NDArray[Any]:
        """Cosines on the static scale, of any shape; those given where there is nothing to bring."""
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
