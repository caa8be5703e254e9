"""Synthetic memories that behave like real ones where size and speed are concerned.

Words follow Zipf's law over the static model's own words, names and coined words keep joining (Heaps'
law), texts have 8 to 40 words in sessions of about 20 turns, spread over 20 projects. Everything follows
from the seed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from bench.static_model import whole_words

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECTS: Final = tuple(f"project-{number:02}" for number in range(20))
SCOPED: Final = PROJECTS[0]
"""The project that scoped recalls ask: it is complete in the first quarter, so that its size stays the
same."""

_SEED: Final = 20_240_501
_TURNS: Final = (12, 28)
_WORDS: Final = (8, 40)
_ZIPF: Final = 1.07
_COINED: Final = 0.01
_START: Final = datetime(2023, 1, 1, tzinfo=UTC)
_SYLLABLES: Final = [
    *("ba", "be", "bi", "bo", "da", "de", "di", "do", "fa", "fe", "ga", "go", "ka", "ke", "ki", "ko", "la"),
    *("le", "li", "lo", "ma", "me", "mi", "mo", "na", "ne", "no", "pa", "pe", "ra", "re", "ri", "ro", "sa"),
    *("se", "so", "ta", "te"),
]
_SPEAKERS: Final = ("Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hana")


@dataclass(slots=True)
class Generator:
    """A stream of drafts and of queries about what it has made so far."""

    rng: random.Random = field(default_factory=lambda: random.Random(_SEED))
    words: list[str] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    sessions: int = 0
    topics: dict[str, list[list[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.words = whole_words()
        self.rng.shuffle(self.words)
        self.weights = list(accumulate(1 / (rank + 2.7) ** _ZIPF for rank in range(len(self.words))))

    def drafts(self, counts: dict[str, int]) -> Iterator[dict[str, Any]]:
        """`counts[project]` more memories of each project, session by session, the projects taking turns."""
        left = {project: count for project, count in counts.items() if count > 0}
        while left:
            for project in list(left):
                turns = min(self.rng.randint(*_TURNS), left[project])
                yield from self._session(project, turns)
                left[project] -= turns
                if not left[project]:
                    del left[project]

    def _session(self, project: str, turns: int) -> Iterator[dict[str, Any]]:
        self.sessions += 1
        start = _START + timedelta(minutes=7 * self.sessions)
        topic = self.rng.choices(self.words, cum_weights=self.weights, k=12)
        speakers = self.rng.sample(_SPEAKERS, 2)
        for sequence in range(turns):
            words = self._text(topic)
            if sequence == 0:
                self.topics.setdefault(project, []).append(words)
            speaker = speakers[sequence % 2]
            yield {
                "content": f"{speaker}: {' '.join(words)}",
                "kind": "message",
                "source": "import",
                "project": project,
                "session_id": f"session-{self.sessions}",
                "sequence": sequence,
                "speaker": speaker,
                "valid_at": start + timedelta(seconds=20 * sequence),
                "origin": f"{self.sessions}/{sequence}",
            }

    def _text(self, topic: list[str]) -> list[str]:
        """A text: mostly words at large, some of the session's topic, now and then a word never seen
        before."""
        words = self.rng.choices(self.words, cum_weights=self.weights, k=self.rng.randint(*_WORDS))
        for place in range(len(words)):
            chance = self.rng.random()
            if chance < _COINED:
                words[place] = self._coin()
            elif chance < 0.2:
                words[place] = self.rng.choice(topic)
        return words

    def _coin(self) -> str:
        """A name or number that may turn up again."""
        if self.rng.random() < 0.3:
            return str(self.rng.randint(1, 10_000))
        name = "".join(self.rng.choices(_SYLLABLES, k=self.rng.randint(2, 4))).capitalize()
        if self.rng.random() < 0.2:
            self.words.append(name)
            self.weights.append(self.weights[-1] + 1 / (len(self.words) + 2.7) ** _ZIPF)
        return name

    def queries(self, count: int, project: str | None = None) -> list[str]:
        """Distinct-looking questions of four to nine words, most of them from a text that was made."""
        asked = []
        for _ in range(count):
            place = project or self.rng.choice(list(self.topics))
            words = self.rng.choice(self.topics[place])
            picked = self.rng.sample(words, min(len(words), self.rng.randint(3, 7)))
            asked.append(" ".join(["what", "about", *picked]))
        return asked
