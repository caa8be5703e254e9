"""How similar goals are, in words and in meaning. What was encoded once is kept, since goals come again and again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engramforge.core.streams.weights import GOAL_WITHIN, SAME_GOAL, SIMILAR_GOAL, goal_key, goal_match
from engramforge.indexing.likeness import likeness
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.stopping import check_wanted
from engramforge.recall.retrieval import Retriever
from engramforge.spaces.encoder import Item
from engramforge.store.door import Door

MOST_COMPARED: Final = 10_000
"""Of how many goals, the newest, the meanings are compared."""
_MOST_LIKE: Final = 500
"""Of how many goals, the most similar, memories are looked for."""
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

    def gather(self, scope: Scope, goal: str, chosen: Selection, found: dict[str, float]) -> str:
        """Add the goals of a selection's memories that are like a goal: goal -> how similar, 0..1; at once those that
        are by their words, should comparing meanings take too long. What is to be said of the search, or nothing."""
        with self._door.asking(scope) as view:
            known = view.goals(chosen, MOST_COMPARED + 1)
            by_words = known
            if len(known) > MOST_COMPARED:
                by_words = view.goals_by_words(chosen, goal_key(goal), MOST_COMPARED)
        within = {
            each: match for each in by_words if (match := goal_match(each, goal)) in (SAME_GOAL, GOAL_WITHIN)
        }
        _keep_nearest(found, within)
        others = [each for each in known[:MOST_COMPARED] if each not in within]
        near = self.of(scope, goal_key(goal), others)
        like = {each: like for each, like in zip(others, near, strict=True) if like > SIMILAR_GOAL}
        _keep_nearest(found, within | like)
        if len(known) <= MOST_COMPARED:
            return ""
        return f"Only the newest {MOST_COMPARED:,} goals were compared by what they mean, all of them by their words"

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


def _keep_nearest(found: dict[str, float], more: Mapping[str, float]) -> None:
    """Keep the most similar of goals, and of more."""
    every = {**found, **more}
    nearest = sorted(every, key=lambda each: (-every[each], each))[:_MOST_LIKE]
    found.clear()
    found.update((each, every[each]) for each in nearest)
