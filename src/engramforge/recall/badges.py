"""Temporal context of memories against the moment of asking: badges that describe a hit and never produce one.

Raw cosines of E2, E3 and E4 (spaces/temporal), judged by core/ranking/temporal_context.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from engramforge.core.ranking.temporal_context import TemporalContext, badges, is_one_date
from engramforge.model.memory import Memory
from engramforge.model.spaces import Space
from engramforge.model.time import to_micros
from engramforge.spaces.temporal import temporal_encoder


def badges_of(
    memories: Sequence[Memory],
    now: datetime,
    session_id: str | None = None,
    places: NDArray[np.int64] | None = None,
    session_size: int | None = None,
) -> list[tuple[str, ...]]:
    """The badges of each memory against now.

    `session_id`: the asking session; None if unknown, so that only nearness in time counts. `places`: shape (n,): how
    many memories of its session stand before each (`Candidates.session_place`). `session_size`: how many memories the
    asking session has; now is the place after its last.
    """
    if not memories:
        return []
    moments = np.array([to_micros(memory.told_at) for memory in memories], np.int64)
    recent = temporal_encoder(Space.TEMPORAL_RECENT).compare(to_micros(now), moments)
    dated = [is_one_date(now, memory.told_at) for memory in memories]
    periodic = None  # only asked of what is of the same date
    if any(dated):
        periodic = temporal_encoder(Space.TEMPORAL_PERIODIC).compare(to_micros(now), moments)
    positional = None
    if places is not None and session_size is not None:
        positional = temporal_encoder(Space.TEMPORAL_POSITIONAL).compare(session_size, places)
    found = []
    for place, memory in enumerate(memories):
        context = TemporalContext(
            one_session=session_id is not None and memory.session_id == session_id,
            one_date=dated[place],
            recent=float(recent[place]),
            periodic=None if periodic is None else float(periodic[place]),
            positional=None if positional is None else float(positional[place]),
        )
        found.append(tuple(str(each) for each in badges(context)))
    return found
