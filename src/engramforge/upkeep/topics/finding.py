"""Which topics fit a question: those of what is nearest to it, and those whose names have its words.

    question, read as a memory -> the hundred nearest memories in E1 -> those of the twenty nearest that have a topic
        -> each counts for its topic by the fourth power of its cosine -> shares -> and a tenth for words of the name

Where it is known which spaces count for who asks (core/topics/personal), the hundred are compared in all spaces by
these. What was tried: docs/measurements/topics.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import numpy as np

from engramforge.core.injection.priority import TOPIC
from engramforge.core.text.words import is_stop_word, root_of, words_of
from engramforge.indexing.encoders import Encoders
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.model.time import AsOf
from engramforge.model.topics.told import TopicMatch
from engramforge.model.topics.topic import Topic
from engramforge.spaces.encoder import Item
from engramforge.store.door import Door, View
from engramforge.upkeep.entangling import KINDS
from engramforge.upkeep.topics.vectors import Vectorizer

_LOOKED_AT: Final = 100
_COUNTED: Final = 20
_POWER: Final = 4
_NAME: Final = 0.1
"""What the words of a name add at most."""
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class TopicFinding:
    """Ranks topics for questions."""

    door: Door
    encoder: Encoders
    clock: Callable[[], datetime]

    def find(
        self,
        scope: Scope,
        query: str,
        topics: Sequence[Topic],
        weights: Mapping[Space, float],
        limit: int,
    ) -> list[TopicMatch]:
        """The topics that fit a question best, each with the memories of it that are nearest; best first.

        `topics`: those in scope, with names. `weights`: how much each space counts, empty where that is not known.
        """
        view = self.door.asking(scope)
        known = {each.id: each for each in topics}
        (asked,) = self.encoder.encode([Item(query)], active=view.encoders())
        likeness = self._near(view, asked)
        of = {
            position: topic
            for position, (topic, agreed) in view.topics_at(list(likeness)).items()
            if agreed >= TOPIC and topic in known
        }
        if weights and of:
            likeness = self._compared(view, asked, list(likeness), weights)
        every = sorted(likeness, key=lambda position: (-likeness[position], position))
        nearest = [position for position in every if position in of]
        few = [position for position in every[:_COUNTED] if position in of] or nearest[:1]
        scores, its = _named_by(query, topics), defaultdict(list)
        counted = {position: max(likeness[position], 0.0) ** _POWER for position in few}
        total = sum(counted.values())
        for position in nearest:
            its[of[position]].append(position)
            if total and position in counted:
                scores[of[position]] += counted[position] / total
        best = sorted(scores, key=lambda topic: (-scores[topic], -known[topic].size, topic))[:limit]
        shown = view.fetch_at(np.array([place for topic in best for place in its[topic][:_SHOWN]], np.int64))
        return [
            TopicMatch(
                known[topic],
                min(scores[topic] / (1 + _NAME), 1.0),
                tuple(shown[place] for place in its[topic][:_SHOWN] if place in shown),
            )
            for topic in best
        ]

    def _near(self, view: View, asked: Embedding) -> dict[int, float]:
        """The nearest memories by meaning, position -> cosine; none where the question says nothing."""
        if asked.vector is None or not np.any(asked.vector):
            return {}
        vector = asked.vector.astype(np.float32)
        nothing = np.empty(0, np.uint32), np.empty(0, np.float32), np.empty(0, np.int32)
        weights, encoder = np.empty(0, np.float32), asked.vector_encoder
        probe = Probe(vector, *nothing, weights, most=_LOOKED_AT, encoder=encoder)
        now = self.clock()
        return view.nearest(Selection(kinds=KINDS, as_of=AsOf(now, now)), probe)

    def _compared(
        self, view: View, asked: Embedding, positions: Sequence[int], weights: Mapping[Space, float]
    ) -> dict[int, float]:
        """The weighted mean of the cosines of memories with a question over the spaces in which both have a signal."""
        held = view.signals(np.array(positions, np.int64)).embeddings
        those = [place for place in positions if place in held]
        every = [asked, *(held[place] for place in those)]
        sums, total = np.zeros(len(those), np.float32), 0.0
        for space, points in Vectorizer.of_sample(every).points(every).items():
            weight = ROW_BY_SPACE[space].topic_weight * weights.get(space, 1.0)
            if points.places[0] == 0:
                sums[points.places[1:] - 1] += weight * (points.vectors[1:] @ points.vectors[0])
                total += weight
        found = dict.fromkeys(positions, 0.0)
        return found | dict(zip(those, (sums / max(total, 1e-6)).tolist(), strict=True))


def _named_by(text: str, topics: Sequence[Topic]) -> defaultdict[str, float]:
    """Topic -> what the words of its name that the text has add, by how rare they are among names."""
    names = {each.id: _roots(each.name) for each in topics}
    counts = Counter(root for roots in names.values() for root in roots)
    asked, found = _roots(text), defaultdict[str, float](float)

    def rarity(roots: set[str]) -> float:
        return float(sum(np.log1p(len(names) / counts[root]) for root in roots))

    for topic, roots in names.items():
        if shared := roots & asked:
            found[topic] = _NAME * rarity(shared) / rarity(roots)
    return found


def _roots(text: str) -> set[str]:
    return {root_of(word) for word in words_of(text) if not is_stop_word(word)}
