"""The shapes of a link, of writing one and of ending one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engramforge.faces.views.shape import Shape
from engramforge.model.link import Link, Linked, Unlinked, WalkedLink


@dataclass(frozen=True, slots=True)
class LinkView(Shape[Link]):
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
class WalkedLinkView(LinkView):
    """A link that was met on a walk; `depth`: how many links in a row led to its far end."""

    depth: int


def listed_links(links: Iterable[Link]) -> list[LinkView]:
    """Links that were listed; those of a walk with their depths."""
    return [WalkedLinkView.of(each) if isinstance(each, WalkedLink) else LinkView.of(each) for each in links]


@dataclass(frozen=True, slots=True)
class LinkedView(Shape[Linked]):
    """What became of a link: `written` is false when the very same link was there already."""

    link: LinkView
    written: bool
    warnings: list[str]
    redacted: int


@dataclass(frozen=True, slots=True)
class UnlinkedView(Shape[Unlinked]):
    """Proof that a link is no longer on record; it stays in history."""

    link_id: str
    at: str
    reason: str
