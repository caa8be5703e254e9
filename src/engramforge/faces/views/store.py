"""The shapes of a store, its projects and the proof of a forget."""

from __future__ import annotations

from dataclasses import dataclass

from engramforge.faces.views.shape import Shape
from engramforge.model.project import Project
from engramforge.model.storing.record import Forgotten, StoreCounts


@dataclass(frozen=True, slots=True)
class ForgottenView(Shape[Forgotten]):
    """Proof of a forget: what was removed, and that a search of the store found nothing of it."""

    logical_id: str
    versions: int
    links: int
    at: str
    verified: bool


@dataclass(frozen=True, slots=True)
class ProjectView(Shape[Project]):
    """A project and its number of current memories."""

    name: str
    created_at: str
    memories: int


@dataclass(frozen=True, slots=True)
class StoreView(Shape[StoreCounts]):
    """Which store it is, which the counts alone do not say, and how much it holds."""

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
