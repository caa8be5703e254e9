"""The shapes of a link, of writing one and of ending one. What must not enter: printing, anything of one face alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engramforge.faces.views.memory import moment

if TYPE_CHECKING:
    from engramforge.model.link import Link, Linked, Unlinked


@dataclass(frozen=True, slots=True)
class LinkView:
    """One link between two memories, by their logical ids, with its metadata; `extra` holds unknown fields."""

    id: str
    source_id: str
    target_id: str
    relation: str
    valid_at: str
    invalid_at: str | None
    created_at: str
    expired_at: str | None
    invalidation_reason: str | None
    energy: float
    confidence: float
    emotion_vector: dict[str, float]
    goal: str
    mindstate: str
    energy_transfer_coefficient: float
    resolution_state: str
    formation_trigger: str | None
    felt_quality: str | None
    emotion_description: str | None
    body_sensation: str | None
    spatial_context: str | None
    sensory_details: str | dict[str, str] | None
    extra: dict[str, Any]
    metadata_completeness: float


@dataclass(frozen=True, slots=True)
class LinkedView:
    """What became of a link: `written` is false when the very same link was there already."""

    link: LinkView
    written: bool
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class UnlinkedView:
    """Proof that a link is no longer on record; it stays in history."""

    link_id: str
    at: str
    reason: str


def view_link(link: Link) -> LinkView:
    """A link as a shape."""
    details = link.sensory_details
    return LinkView(
        id=link.id,
        source_id=link.source_id,
        target_id=link.target_id,
        relation=link.relation,
        valid_at=link.valid_at.isoformat(),
        invalid_at=moment(link.invalid_at),
        created_at=link.created_at.isoformat(),
        expired_at=moment(link.expired_at),
        invalidation_reason=None if link.invalidation_reason is None else str(link.invalidation_reason),
        energy=link.energy,
        confidence=link.confidence,
        emotion_vector=dict(link.emotion_vector),
        goal=link.goal,
        mindstate=link.mindstate,
        energy_transfer_coefficient=link.energy_transfer_coefficient,
        resolution_state=str(link.resolution_state),
        formation_trigger=link.formation_trigger,
        felt_quality=link.felt_quality,
        emotion_description=link.emotion_description,
        body_sensation=link.body_sensation,
        spatial_context=link.spatial_context,
        sensory_details=details if details is None or isinstance(details, str) else dict(details),
        extra=dict(link.extra),
        metadata_completeness=link.metadata_completeness,
    )


def view_linked(linked: Linked) -> LinkedView:
    """What a write of a link gives, as a shape."""
    return LinkedView(view_link(linked.link), linked.written, list(linked.warnings))


def view_unlinked(proof: Unlinked) -> UnlinkedView:
    """The end of a link as a shape."""
    return UnlinkedView(proof.link_id, proof.at.isoformat(), proof.reason)
