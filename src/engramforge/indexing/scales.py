"""The scale of a store's model cosines: by its own calibration, else as measured when the model was chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engramforge.core.similarity.calibration import LADDER, Calibration, Direction
from engramforge.core.similarity.cosine_scale import STATIC_BACKGROUNDS, CosineScale, scale_for
from engramforge.indexing.calibrations import CalibrationSet
from engramforge.indexing.encoders import STATIC, Active
from engramforge.model.spaces import Space

_MEDIAN: Final = LADDER.index(0.5)


def scales_of(active: Active, calibrations: Callable[[], CalibrationSet]) -> dict[Space, CosineScale]:
    """The scale of every space that a model compares and whose cosines are signals; never one of the static preset."""
    found: dict[Space, CosineScale] = {}
    for space in STATIC_BACKGROUNDS:
        chosen = active.get(space)
        if chosen is None or chosen.spec == STATIC:
            continue
        calibration = calibrations().find(space, Direction.QUERY_TO_MEMORY, chosen.id)
        own = None if calibration is None else _median(calibration)
        found[space] = scale_for(space, chosen.background if own is None else own)
    return found


def _median(calibration: Calibration) -> float | None:
    """The median similarity of unrelated pairs of the store, all lengths together; None where it has none."""
    live = [each for each in calibration.live if each is not None]
    pairs = sum(each.pairs for each in live)
    return sum(each.quantiles[_MEDIAN] * each.pairs for each in live) / pairs if pairs else None
