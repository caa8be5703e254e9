"""E1, E6, E12 and E13: what they encode, when they abstain, how they compare."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engramforge.errors import InvalidValue
from engramforge.indexing.encode import TextEncoder
from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.spaces import Space
from engramforge.spaces.encoder import Documents, Encoder
from engramforge.spaces.presets import comparing_spaces, static_preset
from engramforge.spaces.semantic import SemanticEncoder
from engramforge.spaces.sparse import MOST_ACTIVE

ENCODER = TextEncoder()
MEMORIES = (
    "We repaired the old lighthouse near the harbour",
    "The puppy learned to fetch a stick in the park",
    "Our database migration failed because of a missing index",
    "!!!",
    "the of and",
    "漢字",
)
SPACES = comparing_spaces(static_preset())


def embedded(*texts: str) -> list[Embedding]:
    return ENCODER.encode(texts)


def batch(*texts: str) -> Documents:
    return Documents.of(ENCODER.table, embedded(*texts))


def compare(space: Space, query: str, *texts: str) -> tuple[list[float], list[bool]]:
    found = static_preset()[space].query_to_memories(ENCODER.encode_query(query), batch(*texts))
    return found.values.tolist(), found.present.tolist()


@pytest.mark.parametrize("space", SPACES)
def test_the_fitting_memory_is_the_most_similar(space: Space) -> None:
    for query, best in (
        ("repairing a lighthouse", 0),
        ("puppies fetching sticks", 1),
        ("failed index migrations", 2),
    ):
        values, present = compare(space, query, *MEMORIES)
        assert int(np.argmax(values)) == best
        assert present[:3] == [True] * 3


@pytest.mark.parametrize("space", SPACES)
def test_a_text_without_words_abstains_on_either_side(space: Space) -> None:
    encoder = static_preset()[space]
    values, present = compare(space, "lighthouse", *MEMORIES)
    assert not present[3]
    assert values[3] == 0
    assert encoder.encode(embedded("!!!")[0]) is None
    assert (
        not static_preset()[space]
        .query_to_memories(ENCODER.encode_query("?!"), batch(*MEMORIES))
        .present.any()
    )
    assert not encoder.memory_to_memories(embedded("")[0], batch(*MEMORIES)).present.any()


@pytest.mark.parametrize("space", SPACES)
def test_values_stay_in_range(space: Space) -> None:
    low = -1 if space is Space.SEMANTIC else 0
    encoder = static_preset()[space]
    for entry in embedded(*MEMORIES):
        found = encoder.memory_to_memories(entry, batch(*MEMORIES))
        assert np.isfinite(found.values).all()
        assert ((found.values >= low) & (found.values <= 1 + 1e-6)).all()


@pytest.mark.parametrize("space", [Space.SEMANTIC, Space.SPARSE_LEXICAL, Space.LATE_INTERACTION])
def test_a_memory_is_wholly_similar_to_itself_and_comparison_is_symmetric(space: Space) -> None:
    encoder = static_preset()[space]
    ones = embedded(*MEMORIES[:3])
    matrix = np.array([encoder.memory_to_memories(item, batch(*MEMORIES[:3])).values for item in ones])
    assert np.diag(matrix) == pytest.approx([1, 1, 1], abs=1e-3)
    assert matrix == pytest.approx(matrix.T, abs=2e-3)


def test_expansion_meets_other_words_of_the_same_meaning() -> None:
    exact, _ = compare(Space.SPARSE_LEXICAL, "dog", "the puppy and the pet", "a new database index")
    wide, _ = compare(Space.SPARSE_EXPANSION, "dog", "the puppy and the pet", "a new database index")
    assert exact == [0, 0]
    assert wide[0] > wide[1]


@pytest.mark.parametrize("space", SPACES)
def test_an_empty_batch_is_compared_with_nothing(space: Space) -> None:
    assert compare(space, "lighthouse") == ([], [])
    assert len(static_preset()[space].memory_to_memories(embedded("boat")[0], batch()).values) == 0


def test_stop_words_find_only_their_own_kind() -> None:
    values, present = compare(Space.LATE_INTERACTION, "the of", "the of and", "lighthouse keeper")
    assert present == [True, True]
    assert values[0] > 0.9
    assert values[1] < 0.5


def test_e1_is_a_unit_vector_at_any_prefix() -> None:
    memory = embedded(MEMORIES[0])[0]
    for size in (1, 64, 128, 256):
        vector = SemanticEncoder("model", size).encode(memory)
        assert vector is not None
        assert vector.shape == (size,)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    for size in (0, 257):
        with pytest.raises(InvalidValue, match="dimensions"):
            SemanticEncoder("model", size)


def test_prefixes_rank_like_the_whole() -> None:
    query = ENCODER.encode_query("repairing a lighthouse")
    for size in (64, 128, 256):
        values = SemanticEncoder("model", size).query_to_memories(query, batch(*MEMORIES)).values
        assert int(np.argmax(values)) == 0


def test_sparse_dimensions_are_few_and_within_the_declared_size() -> None:
    long = " ".join(f"word{number}a" for number in range(4_000))
    lexical, expansion = static_preset()[Space.SPARSE_LEXICAL], static_preset()[Space.SPARSE_EXPANSION]
    for text in (MEMORIES[0], long):
        active = lexical.encode(embedded(text)[0])
        assert 0 < len(active) <= MOST_ACTIVE
        assert (np.diff(active.astype(np.int64)) > 0).all()
        assert active.max() < 30_000
        places, weights = expansion.encode(embedded(text)[0])
        assert len(places) == len(weights) <= MOST_ACTIVE
        assert places.max() < 30_000
        assert ((weights > 0) & (weights <= 1)).all()
    assert len(expansion.encode(embedded(MEMORIES[0])[0])[0]) > len(lexical.encode(embedded(MEMORIES[0])[0]))


def test_e12_keeps_one_vector_a_word() -> None:
    vectors = static_preset()[Space.LATE_INTERACTION].encode(embedded("the lighthouse and the boat")[0])
    assert vectors.shape == (2, 128)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)


@pytest.mark.parametrize("space", SPACES)
def test_what_a_memory_is_does_not_depend_on_its_batch(space: Space) -> None:
    encoder: Encoder[Any] = static_preset()[space]
    alone = embedded(MEMORIES[1])[0]
    among = embedded(*MEMORIES)[1]
    first, second = encoder.encode(alone), encoder.encode(among)
    parts = zip(*((each if isinstance(each, tuple) else (each,)) for each in (first, second)), strict=True)
    assert all(np.array_equal(left, other) for left, other in parts)
