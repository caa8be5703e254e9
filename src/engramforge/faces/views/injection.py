"""The shapes of what was put before a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from engramforge.faces.views.shape import Shape
from engramforge.model.injection import Injected, Injection

if TYPE_CHECKING:
    from engramforge.model.memory import Memory


@dataclass(frozen=True, slots=True)
class InjectedView(Shape[Injected]):
    """A memory that went in, why, and what became of it. `text`: what it says, null where it is gone."""

    memory_id: str
    version_id: str
    section: str
    reason: str
    priority: float
    used: bool | None
    useful: bool | None
    text: str | None

    @classmethod
    def _derived(cls, value: Injected) -> Mapping[str, object]:
        return {"text": value.text or None}


@dataclass(frozen=True, slots=True)
class InjectionView(Shape[Injection]):
    """What was put before a model at one event. `text`: as it was, where it was made just now."""

    id: str
    event: str
    cause: str
    session: str | None
    project: str | None
    at: str
    tokens: int
    latency_ms: float
    used: bool | None
    note: str
    text: str
    memories: list[InjectedView]

    def with_texts(self, memories: Mapping[str, Memory]) -> Self:
        """The same with what its memories say, by version id."""
        shown = [
            replace(each, text=memories[each.version_id].content if each.version_id in memories else None)
            for each in self.memories
        ]
        return replace(self, memories=shown)
