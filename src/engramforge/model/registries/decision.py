"""A decision as its registry shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from engramforge.model.link import Link
from engramforge.model.memory import DEFAULT_PROJECT
from engramforge.model.registries.entry import DecisionStatus, Evidence, StaleRule


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One version of a decision.

    Parameters
    ----------
    id : global id, dec_ and 12 hexadecimal digits; the same for all versions.
    memory_id : logical id of its memory.
    epistemic_tier : how certain it is, 0..1.
    originated_in, revised_in, conversation_ids : conversations: where it began, where it was last changed, all that
        mention it.
    superseded_by : the global id of the decision that took its place.
    dependencies, dependents : global ids of decisions that it builds on, and of those that build on it.
    last_validated, validation_count, hops : see `Registration`.
    local_id : what its conversation calls it (D001).
    valid_at, invalid_at : when it held; created_at : when this version was recorded.
    confidence : how sure it is that this was decided at all, 0..1; a detection's own.
    evidence : what a detected one was read from.
    score : of a search, 0..1.
    redacted : of a write, how many secrets it replaced; 0 when read later.
    contradicts : of a new one, what stands against it: id, project, text and why, a line each; empty when read later.
    """

    id: str
    memory_id: str
    version: int
    decision: str
    rationale: str = ""
    epistemic_tier: float = 0.5
    status: DecisionStatus = DecisionStatus.ACTIVE
    originated_in: str | None = None
    revised_in: str | None = None
    superseded_by: str | None = None
    conversation_ids: tuple[str, ...] = ()
    project: str = DEFAULT_PROJECT
    dependencies: tuple[str, ...] = ()
    dependents: tuple[str, ...] = ()
    alternatives_rejected: tuple[str, ...] = ()
    last_validated: datetime
    validation_count: int = 0
    hops: int = 0
    tags: tuple[str, ...] = ()
    local_id: str | None = None
    valid_at: datetime
    invalid_at: datetime | None = None
    created_at: datetime
    confidence: float = 0.5
    evidence: Evidence | None = None
    score: float | None = None
    redacted: int = field(default=0, compare=False)
    contradicts: tuple[str, ...] = field(default=(), compare=False)

    def is_stale(self, now: datetime) -> bool:
        """Whether an active one is stale: low tier and long unvalidated, or carried too often."""
        return StaleRule.usual(now).is_met(self.epistemic_tier, self.last_validated, self.hops)


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Why a decision stands, or no longer does.

    Parameters
    ----------
    history : its versions, oldest first, the one asked about among them.
    dependencies, dependents : the decisions that it builds on, and those that build on it, as they are now.
    superseded : decisions that it took the place of; superseded_by : the one that took its own.
    carried_by : global ids of the lineage edges that carried it, oldest first.
    links : other links from and to it (JUSTIFIES, CONTRADICTS, ...).
    """

    decision: Decision
    history: tuple[Decision, ...] = ()
    dependencies: tuple[Decision, ...] = ()
    dependents: tuple[Decision, ...] = ()
    superseded: tuple[Decision, ...] = ()
    superseded_by: Decision | None = None
    carried_by: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
