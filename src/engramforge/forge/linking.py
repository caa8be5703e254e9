"""Verbs of links between memories."""

from __future__ import annotations

from engramforge.forge.parts import ForgePart
from engramforge.model.link import Link


class Linking(ForgePart):
    """The edges of the graph."""

    def links(self, memory_id: str) -> list[Link]:
        """Links that begin or end at a memory. Raises NotFound."""
        return self._parts.door.links(self._scope, [self.get(memory_id).logical_id])
