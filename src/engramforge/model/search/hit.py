"""What a recall returns: hits that explain their score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.spaces import Space
from engramforge.model.time import TemporalMode
from engramforge.model.topics.told import TopicMatch
from engramforge.model.topics.usage import Usage
from engramforge.model.validation_report import NOTHING_TO_REPORT, ValidationReport


@dataclass(frozen=True, slots=True)
class AttentionParts:
    """The five parts of a memory's mass, each in 0..1."""

    similarity: float
    epistemic_tier: float
    freshness: float
    conflict_salience: float
    category_boost: float

    def as_dict(self) -> dict[str, float]:
        """Name -> value, in the order of the formula."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class SpaceMatch:
    """How one space compared the query with a memory.

    `raw`: the space's own similarity. `calibrated`: on the common scale, 0..1; None while nothing is known of what
    chance gives by this encoder. `calibration`: id of the calibration that made it, or None. `high`: whether it is
    above the space's high threshold.
    """

    space: Space
    raw: float
    calibrated: float | None
    calibration: str | None
    high: bool


_TOLD: Final = 200
"""Characters of what took the place of something."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One recalled memory and why it is here.

    Parameters
    ----------
    mass : the attention score, 0..1.
    signals : what the similarity is made of: signal name -> weighted contribution.
    matches : the spaces that compared, best first; abstaining ones are absent.
    found_by : the ways that found it: meaning, words, the name of a space that looked by itself, neighbour.
    relevant : whether it answers rather than not, by what of the question it says (core/ranking/answering).
    answer_odds : the log-odds of that; relevant is above 0. 0 where nothing is asked in words.
    relevance_score : the weighted excess over the high thresholds of the semantic, relational and structural spaces.
    excerpt : the content, or its best part where the budget cut it. gist : its nearest passage, of a few lines.
    badges : how near in time it is to the moment of asking: same_session, same_day, same_period.
    joined : memories that are one with it and no hits of their own: copies, overlapping pieces of its file, the
        message that an entry was read from or the entry.
    outcome : where no decision or open matter that the memory tells of stands any more, the decision that holds in
        their place, else the first of them as it ended; else None.
    resonates : logical ids of what is with it in a cluster of the last scan over projects; told where several are
        searched.
    usage: how it was used; None where nobody opened it.
    """

    memory: Memory
    mass: float
    parts: AttentionParts
    signals: Mapping[str, float]
    matches: tuple[SpaceMatch, ...]
    found_by: tuple[str, ...]
    relevant: bool
    relevance_score: float
    excerpt: str
    gist: str = ""
    badges: tuple[str, ...] = ()
    joined: tuple[Memory, ...] = ()
    outcome: Memory | None = None
    answer_odds: float = 0.0
    resonates: tuple[str, ...] = ()
    usage: Usage | None = None

    @property
    def logical_ids(self) -> tuple[str, ...]:
        """Of its memory and of those that are one with it."""
        return (self.memory.logical_id, *(each.logical_id for each in self.joined))

    @property
    def source_id(self) -> str:
        """The id of its registry entry, else of its memory, all versions."""
        entry = self.memory.registration
        return entry.entry_id if entry else self.memory.logical_id

    @property
    def but_now(self) -> str:
        """What became of what the memory tells of, in a line; empty without an outcome."""
        entry = self.outcome
        if entry is None or entry.registration is None:
            return ""
        status = entry.registration.status
        if status == DecisionStatus.ACTIVE:
            said = " ".join(entry.content.split())
            cut = said if len(said) <= _TOLD else f"{said[:_TOLD].rstrip()}\u2026"
            return f"superseded by {entry.named_with}: {cut}"
        closing = entry.content.rpartition("\n\n")[2]
        is_told = entry.kind is Kind.THREAD and closing.casefold().startswith(status)
        return (
            f"{entry.named_with}: {' '.join(closing.split())}" if is_told else f"{entry.named_with}: {status}"
        )

    @property
    def where(self) -> str:
        """Where it is from: file and headings, or conversation and time."""
        return self.memory.where


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to one recall: hits ordered best first, within the budget.

    Parameters
    ----------
    searched : how many memories were in scope.
    budget, budget_used : in characters; budget is None when unlimited.
    left_out : hits that the budget or the limit kept out.
    timings_ms : stage -> milliseconds.
    mode : how the two time axes were treated; in evolution and full_history every version is a hit of its own.
    validation : of the hits' memories.
    note : what the caller should know of the answer, such as that a project is not there; empty for nothing.
    topics : where topics were asked for, those that fit the question, best first; then there are no hits.

    It iterates over its hits, has their number as its length, and is false without any.
    """

    query: str
    hits: tuple[Hit, ...]
    searched: int
    budget: int | None
    budget_used: int
    left_out: int
    as_of: datetime
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    mode: TemporalMode = TemporalMode.CURRENT
    validation: ValidationReport = NOTHING_TO_REPORT
    note: str = ""
    topics: tuple[TopicMatch, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether any hit is relevant. What is asked without words (by an image, code or a name) is compared, not
        answered, and this is true."""
        return not self.query or any(hit.relevant for hit in self.hits) or bool(self.topics)

    @property
    def versions(self) -> tuple[str, ...]:
        """The ids of the versions that it shows."""
        return tuple(hit.memory.id for hit in self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)
