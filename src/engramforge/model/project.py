"""A project: a named body of memories."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Project:
    """Names are unique per tenant; a project exists from its first memory, its import or its creation."""

    name: str
    created_at: datetime
    memories: int = 0
