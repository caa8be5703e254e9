"""The shipped backgrounds: what unrelated pairs score in each space of the static preset, before a store has its own.

They are quantiles measured by scripts/measure_backgrounds.py; the file names the encoders.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from engramforge.core.similarity.calibration import (
    BUCKETS,
    Background,
    Calibration,
    Direction,
    background_from_mapping,
    fit,
)
from engramforge.errors import ModelUnavailable
from engramforge.model.spaces import ROW_BY_SPACE, Space

FILE: Final = "backgrounds.json"


@lru_cache(maxsize=1)
def shipped_calibrations() -> dict[tuple[Space, Direction], Calibration]:
    """Calibrations of every space that compares texts, in both directions, without live samples.

    Raises ModelUnavailable: the file is missing or damaged.
    """
    try:
        content: dict[str, Any] = json.loads((files(__package__) / FILE).read_text("utf-8"))
        found: dict[tuple[Space, Direction], Calibration] = {}
        for name, measured in content["spaces"].items():
            row = ROW_BY_SPACE[Space(name)]
            for direction in Direction:
                backgrounds = _four(measured[direction])
                found[row.space, direction] = fit((), backgrounds, row, str(measured["encoder"]), direction)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelUnavailable(
            f"The shipped backgrounds cannot be read ({error!r})", "Reinstall engramforge"
        ) from error
    return found


def _four(measured: list[dict[str, Any]]) -> tuple[Background, ...]:
    if len(measured) != BUCKETS:
        raise ValueError(f"{len(measured)} length buckets, not {BUCKETS}")
    return tuple(background_from_mapping(each) for each in measured)
