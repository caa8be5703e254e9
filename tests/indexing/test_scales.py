"""On which scale cosines are read: the store's calibration, else the model's own; the static preset as they are."""

from __future__ import annotations

import numpy as np
import pytest

from engramforge.core.similarity.calibration import Direction, fit_alone
from engramforge.core.similarity.cosine_scale import STATIC_BACKGROUNDS
from engramforge.indexing.calibrations import CalibrationSet, Measure, scales_of, shipped_set
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.spaces import ROW_BY_SPACE, Space

MODEL = ActiveEncoder("openai:m", "semantic-1/openai:m/64", 64, 0.6)


def unread() -> CalibrationSet:
    raise AssertionError("the static preset needs no calibration for its scale")


def test_the_static_preset_has_none_and_reads_nothing() -> None:
    assert scales_of({}, unread) == {}
    assert scales_of({Space.SEMANTIC: ActiveEncoder("static", "static-1/x/256", 256)}, unread) == {}


def test_the_models_own_background() -> None:
    (found,) = scales_of({Space.SEMANTIC: MODEL, Space.CAUSAL: MODEL}, shipped_set).values()
    assert (found.background, found.static) == (0.6, STATIC_BACKGROUNDS[Space.SEMANTIC])


def test_the_stores_calibration_goes_before_it() -> None:
    rng, direction = np.random.default_rng(3), Direction.QUERY_TO_MEMORY
    samples = [rng.normal(0.7, 0.05, 900), rng.normal(0.7, 0.05, 300)]
    samples += [np.zeros(0), np.zeros(0)]
    fitted = fit_alone(samples, ROW_BY_SPACE[Space.SEMANTIC], MODEL.id, direction)
    assert fitted is not None
    calibrations = CalibrationSet({Measure(Space.SEMANTIC, direction, MODEL.id): fitted})
    found = scales_of({Space.SEMANTIC: MODEL}, lambda: calibrations)[Space.SEMANTIC]
    assert found.background == pytest.approx(0.7, abs=0.01)
    assert found.of(np.array([found.background, 1.0])) == pytest.approx([found.static, 1.0])
