"""Cosines of models on the scale of the static encoder's."""

from __future__ import annotations

import numpy as np
import pytest

from engramforge.core.ranking.fusion import MATCHING
from engramforge.core.similarity.calibration import LADDER
from engramforge.core.similarity.cosine_scale import AS_THEY_ARE, STATIC_BACKGROUNDS, scale_for
from engramforge.model.spaces import Space
from engramforge.spaces.backgrounds import shipped_calibrations


def test_the_background_becomes_the_static_one_and_one_stays() -> None:
    scale = scale_for(Space.SEMANTIC, 0.6)
    found = scale.of(np.array([0.6, 1.0, 0.8, 0.4], np.float32))
    assert found.dtype == np.float32
    assert found == pytest.approx([0.05, 1.0, 0.525, -0.425], abs=1e-6)
    assert np.all(np.diff(scale.of(np.linspace(-1, 1, 50))) > 0)


def test_static_cosines_are_the_very_same_array() -> None:
    cosines = np.array([0.1, 0.2], np.float32)
    assert AS_THEY_ARE.of(cosines) is cosines
    assert scale_for(Space.SEMANTIC, None).of(cosines) is cosines
    assert scale_for(Space.GRAPH, 0.5).of(cosines) is cosines
    assert scale_for(Space.SEMANTIC, float("nan")).of(cosines) is cosines


def test_a_model_that_tells_nothing_apart_is_not_blown_up() -> None:
    found = scale_for(Space.SEMANTIC, 1.0).of(np.array([0.999, 1.0], np.float32))
    assert np.isfinite(found).all()
    assert found.max() <= 1.0 + 1e-6


@pytest.mark.parametrize("space", list(STATIC_BACKGROUNDS))
def test_the_static_background_is_what_is_shipped(space: Space) -> None:
    (calibration,) = (
        each
        for (its, direction), each in shipped_calibrations().items()
        if its is space and "query" in direction
    )
    medians = [each.quantiles[LADDER.index(0.5)] for each in calibration.shipped if each is not None]
    assert min(medians) <= STATIC_BACKGROUNDS[space] <= max(medians)
    assert STATIC_BACKGROUNDS[space] < MATCHING["cosine"]
