"""What a state's emotions and resolutions are reckoned by."""

from __future__ import annotations

import math
from collections.abc import Mapping

from engramforge.core.emotions.emotion_names import normalised
from engramforge.model.link import Link
from engramforge.model.streams.stream import Path


def onward_from(first: Mapping[str, Link], path: Path) -> Path:
    """A path from a resolution as one from what it resolved."""
    link = first[path.start]
    return Path(
        link.energy + path.energy,
        link.confidence + path.confidence,
        path.depth + 1,
        link.source_id,
        (link.relation, *path.relations),
    )


def shares_of(emotions: Mapping[str, float]) -> dict[str, float]:
    """Emotions by their names, at length 1; empty where nothing is felt.

    >>> shares_of({"Driven": 0.6, "uncertain": 0.8})
    {'drive': 0.6, 'uncertainty': 0.8}
    """
    felt = normalised(emotions)
    length = math.hypot(*felt.values())
    return {name: strength / length for name, strength in felt.items()}
