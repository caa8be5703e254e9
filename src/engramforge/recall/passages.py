"""What is shown of a memory that is found: the passages of its text that answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.ranking.question import Question
from engramforge.core.text.excerpts import Cover, passage_within
from engramforge.model.causation import AskedDirection
from engramforge.model.memory import Kind, Memory

_GISTS: Final = (820, 320, 220, 220)
"""Characters of the first hits, and of every later one, that show what answers: a dozen lines of a terminal, and three.

Of the questions whose answer is in the first hit, 850 characters show it in .95 and 225 in .76."""
_REASON: Final = re.compile(
    r"(?i)\b(?:because|since|due to|so that|in order to|rationale|reasons?|caused?|therefore|instead of|rather than)\b"
)
_FIGURE: Final = re.compile(r"\d")
_SHARE_OF_REASON: Final = 1.0
_SHARE_OF_FIGURE: Final = 0.6
"""What the kind of answer that is asked for counts, beside the weightiest word of the question."""
_TITLED: Final = (Kind.DECISION, Kind.NOTE, Kind.ARTIFACT)
"""Kinds whose texts begin with what they are about."""


@dataclass(frozen=True, slots=True)
class Passages:
    """Cuts texts by the weights of a question's words and by how well pieces of a text cover these."""

    weights: NDArray[np.float32]
    cover: Cover

    def for_kind(self, question: Question, direction: AskedDirection | None) -> Passages:
        """The same where a reason, a number or a time is asked for: a piece that gives one counts for more."""
        if direction is AskedDirection.CAUSE:
            return self._marked(_REASON, _SHARE_OF_REASON)
        return self._marked(_FIGURE, _SHARE_OF_FIGURE) if question.cues & {"number", "when"} else self

    def _marked(self, mark: re.Pattern[str], share: float) -> Passages:
        worth = np.float32(share * self.weights.max(initial=0))

        def cover(pieces: Sequence[str]) -> NDArray[np.float32]:
            gives = np.array([mark.search(piece) is not None for piece in pieces], np.float32)
            return np.concatenate((self.cover(pieces), gives[None]))

        return Passages(np.append(self.weights, worth), cover)

    def of(self, memory: Memory, room: int) -> str:
        """The passage of a memory, of so many characters at most."""
        return self._within(memory, memory.content, room)

    def gist(self, memory: Memory, text: str, rank: int) -> str:
        """The passage of what is shown of a memory that is a few lines long; `rank` from 0."""
        return self._within(memory, text, _GISTS[min(rank, len(_GISTS) - 1)])

    def _within(self, memory: Memory, text: str, room: int) -> str:
        has_title = memory.kind in _TITLED
        return passage_within(text, room, self.weights, self.cover, has_title=has_title)
