"""The shape of a link. What must not enter: printing, anything of one face alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engramforge.model.link import Link


@dataclass(frozen=True, slots=True)
class LinkView:
    """One link between two memories, by their logical ids."""

    id: str
    source_id: str
    target_id: str
    relation: str
    valid_at: str
    created_at: str
    energy: float
    confidence: float


def view_link(link: Link) -> LinkView:
    """A link as a shape."""
    return LinkView(
        id=link.id,
        source_id=link.source_id,
        target_id=link.target_id,
        relation=link.relation,
        valid_at=link.valid_at.isoformat(),
        created_at=link.created_at.isoformat(),
        energy=link.energy,
        confidence=link.confidence,
    )
