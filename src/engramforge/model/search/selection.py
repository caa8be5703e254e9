"""Which memories take part in a retrieval: the filters that run inside the store's scan, never after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engramforge.model.memory import Kind, ResolutionState, Source
from engramforge.model.time import AsOf, TemporalMode, TimeRange


class SearchScope(StrEnum):
    """What a search looks through."""

    MEMORIES = "memories"
    THREADS = "threads"
    DECISIONS = "decisions"
    LINEAGE = "lineage"
    TOPICS = "topics"


@dataclass(frozen=True, slots=True)
class Felt:
    """Filters on what memories feel like and are for.

    Parameters
    ----------
    goals : only those with one of these goals, as `core/streams/weights.goal_key` writes them; None for any.
    states : only those in one of these states of resolution; empty for any.
    energy : least and most energy, either None for any. min_confidence : least confidence, None for any.
    emotions : names of emotions, as `core/emotions/emotion_names` writes them, which must all be felt.
    is_pursued : only what somebody is after: it has a goal or more energy than nobody gave it, or is a thread.
    """

    goals: tuple[str, ...] | None = None
    states: tuple[ResolutionState, ...] = ()
    energy: tuple[float | None, float | None] = (None, None)
    min_confidence: float | None = None
    emotions: tuple[str, ...] = ()
    is_pursued: bool = False


@dataclass(frozen=True, slots=True)
class Selection:
    """Filters on memories; the default selects everything that is current.

    Parameters
    ----------
    kinds, session_id : None for all.
    tags : every one of these tags must be present.
    valid_range : only memories whose `valid_at` lies in this range.
    mode : how the two time axes are treated. `current`: valid and recorded now. `point_in_time`: as of `as_of`.
        `evolution`: every version whose recorded interval overlaps `recorded_range`. `full_history`: all.
    as_of : the point for `point_in_time`; refused without one.
    recorded_range : the range for `evolution`, either end open.
    statuses : only entries of the registries with one of these statuses; empty for all memories.
    conversations : only entries of the registries that one of these conversations mentions; likewise.
    min_tier : least epistemic tier, 0..1; None for any.
    exclude_session : a session that takes no part, such as the one that asks; None for none.
    excluded_from : only what became true of that session from then on takes no part; None: all of it.
    writer, speaker : only what this agent wrote, only what this speaker said, in upper or lower case; None for all.
    source : only what came in so; None for all.
    answering : only answers of this model, as their metadata name it (`model`), in upper or lower case; None for all.
    felt : only what feels so; None for all.
    """

    kinds: tuple[Kind, ...] | None = None
    session_id: str | None = None
    tags: tuple[str, ...] = ()
    valid_range: TimeRange | None = None
    mode: TemporalMode = TemporalMode.CURRENT
    as_of: AsOf | None = None
    recorded_range: TimeRange | None = None
    statuses: tuple[str, ...] = ()
    conversations: tuple[str, ...] = ()
    min_tier: float | None = None
    exclude_session: str | None = None
    excluded_from: datetime | None = None
    writer: str | None = None
    speaker: str | None = None
    source: Source | None = None
    answering: str | None = None
    felt: Felt | None = None

    @property
    def names_writers(self) -> bool:
        """Whether it asks for what somebody wrote or said, or how it came in."""
        return any(each is not None for each in (self.writer, self.speaker, self.source, self.answering))
