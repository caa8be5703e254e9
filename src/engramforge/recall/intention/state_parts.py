"""What a state's times, emotions and resolutions are reckoned by."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from engramforge.core.emotions.emotion_names import normalised
from engramforge.model.link import Link
from engramforge.model.search.selection import Felt, Selection
from engramforge.model.streams.asked import TemporalScope
from engramforge.model.streams.stream import Path
from engramforge.model.time import AsOf, TimeRange

RECENT: Final = timedelta(days=30)
_EARLIEST: Final = datetime.min.replace(tzinfo=UTC) + RECENT


def selection_of(
    now: datetime,
    felt: Felt | None = None,
    reach: TemporalScope = TemporalScope.ALL_TIME,
    *,
    is_older: bool = False,
) -> Selection:
    """What holds and is on record now. `is_older`: only what is too old for a recent one."""
    since = max(now, _EARLIEST) - RECENT
    span = TimeRange(since, None) if reach is TemporalScope.RECENT else None
    return Selection(
        valid_range=TimeRange(None, since) if is_older else span, as_of=AsOf(now, now), felt=felt
    )


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
