"""How similar goals are in meaning. What was encoded once is kept, since goals come again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engramforge.indexing.likeness import likeness
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.stopping import check_wanted
from engramforge.recall.retrieval import Retriever
from engramforge.spaces.encoder import Item
from engramforge.store.door import Door

_KEPT: Final = 20_000
_AT_ONCE: Final = 256
_COMPARED: Final = 1_024
"""How many are encoded, and compared, between two looks at the time."""


class GoalLikeness:
    """Compares goals in E1 on the calibrated scale."""

    def __init__(self, door: Door, retriever: Retriever) -> None:
        self._door = door
        self._retriever = retriever
        self._read: dict[tuple[str | None, str], Embedding] = {}

    def clear(self) -> None:
        """Keep no goal any more."""
        self._read = {}

    def of(self, scope: Scope, goal: str, others: Sequence[str]) -> list[float]:
        """How similar each of the others is to a goal, 0..1."""
        if not others:
            return []
        view = self._door.asking(scope)
        ground = view.ground()
        chosen = ground.encoders.get(Space.SEMANTIC)
        by = None if chosen is None else chosen.id
        texts = [goal, *others]
        if len(self._read) + len(texts) > _KEPT:
            self.clear()
        # Another thread may clear what is kept.
        kept = self._read
        unknown = [each for each in dict.fromkeys(texts) if (by, each) not in kept]
        encoder = self._retriever.encoder
        for begin in range(0, len(unknown), _AT_ONCE):
            # Thousands of new goals take a model long; what is encoded when the time is up is kept.
            check_wanted()
            some = unknown[begin : begin + _AT_ONCE]
            if chosen is None:
                made = encoder.words.encode(some)
            else:
                made = encoder.encode([Item(each) for each in some], None, {Space.SEMANTIC: chosen})
            kept.update(((by, each), read) for each, read in zip(some, made, strict=True))
        calibrations = self._retriever.calibrations.named_by(ground.calibrations, view)
        found: list[float] = []
        for begin in range(0, len(others), _COMPARED):
            check_wanted()
            read = [kept[by, each] for each in (goal, *others[begin : begin + _COMPARED])]
            alike = likeness(self._retriever.table, read, calibrations, compared=1)
            found += alike[0, 1:].tolist()
        return found
