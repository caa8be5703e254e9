"""TransE: it learns what translations can say, leaves true answers out of the negatives, and repeats itself."""

from __future__ import annotations

import numpy as np
import pytest

from engramforge.core.arrays.seeded import seeds_of, uniforms
from engramforge.core.arrays.translation import (
    KnownTriples,
    TransEOptions,
    Translations,
    _gradients,
    _State,
    distances,
    train,
)

OPTIONS = TransEOptions(epochs=60, batch=16)


def start(entities: int, relations: int, size: int = 16) -> Translations:
    scale = np.float32(0.1)
    return Translations(
        uniforms(seeds_of([f"e{i}" for i in range(entities)], "entity"), size) * scale,
        uniforms(seeds_of([f"r{i}" for i in range(relations)], "relation"), size) * scale,
    )


def a_line(length: int) -> np.ndarray:
    """Relation 0 goes one step on, relation 1 two."""
    steps = [(i, 0, i + 1) for i in range(length - 1)] + [(i, 1, i + 2) for i in range(length - 2)]
    return np.array(steps, np.int64)


def rank_of(distance: np.ndarray, answer: int) -> int:
    return 1 + int((distance < distance[answer]).sum())


def test_a_left_out_link_is_found_by_the_others() -> None:
    """Four groups of six members; each knows the others of its group. One membership is left out."""
    members = [(group, 4 + 6 * group + i) for group in range(4) for i in range(6)]
    belongs = [(member, 0, group) for group, member in members]
    knows = [
        (item, 1, other)
        for group, item in members
        for its, other in members
        if group == its and item != other
    ]
    for left_out in belongs[::7]:
        triples = np.array([pair for pair in belongs + knows if pair != left_out], np.int64)
        vectors = train(start(28, 2), triples, np.random.default_rng(1), OPTIONS)
        member, _, group = left_out
        tail = distances(vectors.entities[[member]] + vectors.relations[[0]], vectors.entities)[0]
        head = distances(vectors.entities[[group]] - vectors.relations[[0]], vectors.entities)[0]
        assert rank_of(tail[:4], group) == 1
        known = [pair for pair, _, its in belongs if its == group and pair != member]
        head[known] = np.inf
        assert rank_of(head, member) <= 2


def test_the_same_input_gives_the_same_vectors() -> None:
    first, second = (train(start(12, 2), a_line(12), np.random.default_rng(4), OPTIONS) for _ in range(2))
    assert np.array_equal(first.entities, second.entities)
    assert np.array_equal(first.relations, second.relations)
    assert np.isfinite(first.entities).all()


def test_training_leaves_its_start_alone() -> None:
    begun = start(12, 2)
    before = begun.entities.copy()
    found = train(begun, a_line(12), np.random.default_rng(4), OPTIONS)
    assert np.array_equal(begun.entities, before)
    assert not np.array_equal(found.entities, before)


def test_no_triples_change_nothing() -> None:
    begun = start(3, 1)
    found = train(begun, np.zeros((0, 3), np.int64), np.random.default_rng(0))
    assert np.array_equal(found.entities, begun.entities)


def test_known_answers_among_a_pool() -> None:
    triples = np.array([(0, 0, 1), (0, 0, 2), (3, 0, 2), (0, 1, 3)], np.int64)
    known = KnownTriples(triples, 2)
    pool = np.array([3, 2, 1])
    assert known.among(triples[[0, 3]], pool, 4, 0).tolist() == [[False, True, True], [True, False, False]]
    assert known.among(triples[[1]], pool, 4, 1).tolist() == [[True, False, False]]
    assert known.among(np.array([(3, 1, 0)]), pool, 4, 0).tolist() == [[False, False, False]]


def test_gradients_are_those_of_the_loss() -> None:
    """Against finite differences of the cross entropy, in double precision."""
    rng = np.random.default_rng(2)
    triples = np.array([(0, 0, 1), (2, 0, 3), (0, 0, 4)], np.int64)
    begun = Translations(
        rng.standard_normal((6, 5)).astype(np.float32), rng.standard_normal((1, 5)).astype(np.float32)
    )
    state = _State(begun, triples, rng, TransEOptions(sharpness=0.7))
    pool = np.arange(6)
    batch = triples[:2]
    heads, tails = batch[:, 0], batch[:, 2]
    mask = state.mask(batch, pool, 0)

    def loss(entities: np.ndarray) -> float:
        asked = entities[heads] + begun.relations.astype(float)
        true = np.abs(asked - entities[tails]).sum(1)
        others = np.abs(asked[:, None] - entities[None]).sum(2)
        scores = -0.7 * np.concatenate((true[:, None], np.where(mask, np.inf, others)), axis=1)
        return float(-(scores[:, 0] - np.log(np.exp(scores).sum(1))).mean())

    asked = begun.entities[heads] + begun.relations
    by_question, by_answer, by_pool = _gradients(state, asked, tails, pool, batch, 0)
    total = by_pool.astype(float)
    np.add.at(total, heads, by_question)
    np.add.at(total, tails, by_answer)
    step = 1e-6
    for row in range(6):
        for column in range(5):
            moved = begun.entities.astype(float)
            moved[row, column] += step
            slope = (loss(moved) - loss(begun.entities.astype(float))) / step
            assert slope == pytest.approx(total[row, column], abs=2e-3)


def test_distances_are_l1() -> None:
    found = distances(np.array([[1, 2]], np.float32), np.array([[1, 2], [3, 1]], np.float32))
    assert found.tolist() == [[0, 3]]


def test_large_graphs_are_trained_for_a_bounded_time() -> None:
    rng = np.random.default_rng(5)
    triples = np.stack(
        (rng.integers(0, 900, 4_000), rng.integers(0, 3, 4_000), rng.integers(0, 900, 4_000)), axis=1
    )
    few = train(
        start(900, 3),
        triples,
        np.random.default_rng(0),
        TransEOptions(epochs=50, least_steps=0, most_steps=64),
    )
    model = train(start(900, 3), triples, np.random.default_rng(0), TransEOptions(epochs=2, least_steps=0))
    assert np.array_equal(few.entities, model.entities)


def test_small_graphs_have_enough_steps() -> None:
    more = train(start(12, 2), a_line(12), np.random.default_rng(4), TransEOptions(epochs=1, least_steps=30))
    same = train(start(12, 2), a_line(12), np.random.default_rng(4), TransEOptions(epochs=30, least_steps=0))
    assert np.array_equal(more.entities, same.entities)
