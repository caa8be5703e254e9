"""The shapes of a store, its projects and the proof of a forget. What must not enter: printing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.model.project import Project
    from engramforge.model.storing.record import Forgotten, StoreCounts, StoreIdentity


@dataclass(frozen=True, slots=True)
class ForgottenView:
    """Proof of a forget: what was removed, and that a search of the store found nothing of it."""

    logical_id: str
    versions: int
    links: int
    at: str
    verified: bool


@dataclass(frozen=True, slots=True)
class ProjectView:
    """A project and its number of current memories."""

    name: str
    created_at: str
    memories: int


@dataclass(frozen=True, slots=True)
class StoreView:
    """Which store it is and how much it holds."""

    store_id: str
    tenant: str
    engine: str
    location: str
    schema: str
    memories: int
    versions: int
    projects: int
    sessions: int
    links: int
    by_kind: dict[str, int]
    by_project: dict[str, int]
    content_bytes: int
    bytes_on_disk: int


def view_forgotten(proof: Forgotten) -> ForgottenView:
    """The proof of a forget as a shape."""
    return ForgottenView(proof.logical_id, proof.versions, proof.links, proof.at.isoformat(), proof.verified)


def view_projects(projects: Sequence[Project]) -> list[ProjectView]:
    """Projects as shapes."""
    return [ProjectView(each.name, each.created_at.isoformat(), each.memories) for each in projects]


def view_store(identity: StoreIdentity, counts: StoreCounts) -> StoreView:
    """A store's identity and counts as one shape."""
    return StoreView(
        store_id=identity.store_id,
        tenant=identity.tenant,
        engine=identity.engine,
        location=identity.location,
        schema=identity.schema,
        memories=counts.memories,
        versions=counts.versions,
        projects=counts.projects,
        sessions=counts.sessions,
        links=counts.links,
        by_kind=dict(counts.by_kind),
        by_project=dict(counts.by_project),
        content_bytes=counts.content_bytes,
        bytes_on_disk=counts.bytes_on_disk,
    )
