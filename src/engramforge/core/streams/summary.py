"""A stream at a glance. Source: spec chapter 5, "The stream"; document 003, component 4."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from engramforge.core.emotions.emotion_names import normalised
from engramforge.core.history.beliefs import holds_at
from engramforge.model.memory import Memory
from engramforge.model.streams.stream import StreamSummary

THEMES: Final = 5


def summary_of(
    memories: Sequence[Memory], shown: Sequence[Memory], counts: Mapping[str, int], now: datetime
) -> StreamSummary:
    """The summary of a stream's memories, each once. `shown`: those of focus and periphery, whose feelings are told.
    `counts`: level -> items. `now`: when something is active."""
    total = len(memories)
    felt = Counter(name for each in shown for name in normalised(each.emotion_vector))
    times = [each.told_at for each in memories]
    return StreamSummary(
        average_energy=math.fsum(each.energy for each in memories) / total if total else 0.0,
        average_confidence=math.fsum(each.confidence for each in memories) / total if total else 0.0,
        emotional_themes=tuple(
            name for name, _ in sorted(felt.items(), key=lambda item: (-item[1], item[0]))[:THEMES]
        ),
        earliest=min(times, default=None),
        latest=max(times, default=None),
        counts=dict(counts),
        total=sum(counts.values()),
        memories=total,
        active_ratio=sum(holds_at(each, now, now) for each in memories) / total if total else 1.0,
    )
