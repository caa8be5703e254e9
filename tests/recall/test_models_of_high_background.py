"""A model that finds all texts alike ranks and tells apart as one that does not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.embedding_server import KEY, EmbeddingServer

from engramforge.assembly import open_forge
from engramforge.forge import Forge
from engramforge.model.search.hit import Recall

NOTES = (
    "The automobile needs oil.",
    "A loaf lies in the oven.",
    "The ship leaves at noon.",
    "My physician moved away.",
    "Somebody painted the fence.",
    "Rain fell all night.",
    "The choir sings on Mondays.",
    "We sold the piano.",
)
COMMON = 2.0
"""Of the model with a high background: unrelated texts have cosines above 0.6."""


def opened(home: Path, server: EmbeddingServer, model: str = "openai:small") -> Forge:
    environment = {
        "ENGRAMFORGE_EMBEDDING_BASE_URL": server.url,
        "OPENAI_API_KEY": KEY,
        "ENGRAMFORGE_ENCODER_SEMANTIC": model,
    }
    return open_forge(home, environment=environment)


def filled(home: Path, server: EmbeddingServer, notes: tuple[str, ...] = NOTES) -> Forge:
    forge = opened(home, server)
    for text in notes:
        forge.remember(text, project="p")
    return forge


def contents(recall: Recall) -> list[str]:
    return [hit.memory.content for hit in recall.hits]


def meaning(recall: Recall) -> dict[str, float]:
    """What meaning gave to each hit's log-odds."""
    return {hit.memory.content: hit.signals.get("meaning", 0.0) for hit in recall.hits}


@pytest.mark.parametrize("common", [1e-4, COMMON])
def test_what_is_unrelated_is_no_hit(common: float, server: EmbeddingServer, tmp_path: Path) -> None:
    server.common = common
    with filled(tmp_path, server) as forge:
        raw = {
            hit.memory.content: match.raw
            for hit in forge.recall("vessel", project="p").hits
            for match in hit.matches
            if match.space == "semantic"
        }
        assert next(iter(raw)) == "The ship leaves at noon."
        # Without the scale all eight would be hits: a raw cosine of 0.15 is no sign of anything here.
        assert len(raw) < len(NOTES)
        cosines = [_cosine(server, "vessel", text) for text in NOTES if "ship" not in text]
        assert min(cosines) > 0.6 if common > 1 else max(cosines) < 0.3
        for asked, answer in (("vehicle", NOTES[0]), ("bread", NOTES[1]), ("doctor", NOTES[3])):
            assert contents(forge.recall(asked, project="p"))[0] == answer


def test_meaning_counts_about_the_same(server: EmbeddingServer, tmp_path: Path) -> None:
    with filled(tmp_path / "plain", server) as forge:
        plain = meaning(forge.recall("vessel", project="p"))[NOTES[2]]
    server.common = COMMON
    with filled(tmp_path / "alike", server) as forge:
        alike = meaning(forge.recall("vessel", project="p"))[NOTES[2]]
    assert alike == pytest.approx(plain, rel=0.35)


def test_one_memory_alone(server: EmbeddingServer, tmp_path: Path) -> None:
    """The background is the model's: it needs no other memories to be known."""
    server.common = COMMON
    with filled(tmp_path, server, NOTES[:1]) as forge:
        assert contents(forge.recall("vehicle", project="p")) == [NOTES[0]]
        assert contents(forge.recall("accordion", project="p")) == []


def test_the_background_is_kept(server: EmbeddingServer, tmp_path: Path) -> None:
    server.common = COMMON
    with filled(tmp_path, server) as forge:
        first = meaning(forge.recall("vessel", project="p"))
    server.calls.clear()
    with opened(tmp_path, server) as forge:
        assert meaning(forge.recall("vessel", project="p")) == first
    # Nothing is measured again: one question, one text.
    assert server.texts == ["vessel"]


def _cosine(server: EmbeddingServer, left: str, other: str) -> float:
    first, second = (server.vector(text, server.size, "small") for text in (left, other))
    return float(first @ second / np.linalg.norm(first) / np.linalg.norm(second))
