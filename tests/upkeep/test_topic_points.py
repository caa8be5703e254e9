"""Memories as points, and their clusters: what each space makes of an embedding, within which bounds."""

from __future__ import annotations

import numpy as np
import pytest

from engramforge.core.arrays.vectors import unit
from engramforge.indexing.encode import TextEncoder
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.embeddings.part import Part
from engramforge.model.spaces import ROW_BY_SPACE, Space
from engramforge.upkeep.topics.clusters import ClusterOptions, _sub_clusters, cluster
from engramforge.upkeep.topics.vectors import PROJECTED, SPACES, Vectorizer

NOTHING = Embedding("e", None, np.zeros(0, np.uint16), np.zeros(0, np.uint32), np.zeros(0, np.uint8))


def with_parts(**values: np.ndarray) -> Embedding:
    parts = {Space(name): Part(Space(name), "e", each) for name, each in values.items()}
    return Embedding("e", None, NOTHING.tokens, NOTHING.terms, NOTHING.counts, parts=parts)


def test_no_temporal_space_makes_points() -> None:
    assert all(ROW_BY_SPACE[space].topic_weight > 0 for space in SPACES) and len(SPACES) == 10


def test_texts_that_share_words_are_nearer_in_every_space_of_words() -> None:
    encoder = TextEncoder()
    texts = ("Fire the kiln at cone six", "The kiln was fired to cone six", "The router drops packets")
    embeddings = encoder.encode(texts)
    points = Vectorizer.of_sample(embeddings).points([*embeddings, NOTHING])
    for space in (Space.SEMANTIC, Space.SPARSE_LEXICAL, Space.LATE_INTERACTION, Space.SPARSE_EXPANSION):
        its = points[space]
        assert its.places.tolist() == [0, 1, 2]
        assert np.allclose(np.linalg.norm(its.vectors, axis=1), 1, atol=1e-5)
        assert its.vectors[0] @ its.vectors[1] > its.vectors[0] @ its.vectors[2] + 0.1, space
    assert points[Space.SPARSE_LEXICAL].vectors.shape[1] == PROJECTED


def test_causes_count_by_both_halves_code_by_the_mean_and_structure_by_its_bits() -> None:
    cause, effect = np.array([[3, 0], [0, 4]], np.int8), np.array([[3, 0], [0, -4]], np.int8)
    code = np.array([[5, 0], [0, 5]], np.int8)
    bits = np.packbits(np.random.default_rng(1).integers(0, 2, (3, 1024), np.uint8), axis=1)
    bits[1] = bits[0]
    made = [
        with_parts(causal=cause, code=code, hyperdimensional=bits[:1]),
        with_parts(causal=effect, code=code[:1], hyperdimensional=bits[1:2]),
        with_parts(causal=cause, code=code, hyperdimensional=bits[2:]),
    ]
    points = Vectorizer.of_sample(made).points(made)
    halves = points[Space.CAUSAL].vectors
    # The halves' cosines are 1 and -1.
    assert halves[0] @ halves[1] == pytest.approx(0, abs=1e-6) and halves[0] @ halves[2] == pytest.approx(1)
    assert points[Space.CODE].vectors[0] == pytest.approx([2**-0.5, 2**-0.5])
    shapes = points[Space.HYPERDIMENSIONAL].vectors
    assert shapes[0] @ shapes[1] == pytest.approx(1, abs=1e-5) and abs(shapes[0] @ shapes[2]) < 0.5


def blobs(count: int, each: int, spread: float, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    ways = unit(rng.normal(size=(count, 64)).astype(np.float32))
    return unit(
        (np.repeat(ways, each, axis=0) + spread * rng.normal(size=(count * each, 64))).astype(np.float32)
    )


def test_clusters_are_those_that_were_planted() -> None:
    found = cluster(blobs(12, 30, 0.04))
    assert found is not None and len(found.centres) == 12
    assert {tuple(np.unique(found.labels[at : at + 30])) for at in range(0, 360, 30)} == {
        (k,) for k in range(12)
    }


@pytest.mark.parametrize(
    "points", [np.zeros((0, 8), np.float32), blobs(1, 1, 0.0), blobs(2, 1, 0.0), blobs(40, 1, 0.0)]
)
def test_what_has_no_clusters_gives_none(points: np.ndarray) -> None:
    found = cluster(points)
    assert found is None or (np.bincount(found.labels[found.labels >= 0]) >= 3).all()


def test_sub_clusters_are_never_more_than_they_may_be_and_the_same_thing_is_one() -> None:
    centres, of_point = _sub_clusters(blobs(500, 2, 0.3), ClusterOptions(radius=0.05, most=100))
    assert len(centres) <= 100 and of_point.max() < len(centres)
    same = np.repeat(blobs(1, 1, 0.0), 5_000, axis=0)
    found = cluster(same)
    assert found is not None and found.labels.tolist() == [0] * 5_000


def test_a_space_that_supports_draws_nothing() -> None:
    points = np.vstack([blobs(6, 20, 0.04), blobs(6, 3, 0.12)])
    support, alone = cluster(points, ClusterOptions(supports=True)), cluster(points)
    assert support is not None and alone is not None
    assert np.count_nonzero(support.binding >= 0) <= np.count_nonzero(alone.binding >= 0)
