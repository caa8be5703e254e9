"""What is shown of a memory that is found: the passages of its text that answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.text.excerpts import Cover, passage_within
from engramforge.model.memory import Kind, Memory

_GIST: Final = 225
"""Characters of a hit that show what answers: three lines of a terminal."""
_TITLED: Final = (Kind.DECISION, Kind.NOTE, Kind.ARTIFACT)
"""Kinds whose texts begin with what they are about."""


@dataclass(frozen=True, slots=True)
class Passages:
    """Cuts texts by the weights of a question's words and by how well pieces of a text cover these."""

    weights: NDArray[np.float32]
    cover: Cover

    def of(self, memory: Memory, room: int) -> str:
        """The passage of a memory, of so many characters at most."""
        has_title = memory.kind in _TITLED
        return passage_within(memory.content, room, self.weights, self.cover, has_title=has_title)

    def gist(self, text: str) -> str:
        """The passage of a text that is a few lines long."""
        return passage_within(text, _GIST, self.weights, self.cover)
