"""E11: training on from earlier vectors, unseen names, comparing what two sides mention."""

from __future__ import annotations

import numpy as np

from engramforge.model.entity import Triple
from engramforge.spaces.entity import EntityEncoder, TransE, quantised, scale_for

TEAMS = {"harbour": ["ada", "bo", "cleo", "dan"], "orchard": ["eve", "finn", "gus", "hana"]}
TRIPLES = [Triple(name, "WORKS_AT", place) for place, names in TEAMS.items() for name in names] + [
    Triple(name, "KNOWS", other)
    for names in TEAMS.values()
    for name in names
    for other in names
    if name != other
]


def test_colleagues_are_nearer_than_strangers() -> None:
    model = TransE.seeded("transe-1/test").trained(TRIPLES)
    vectors = model.vectors_of(["ada", "bo", "eve"])
    assert np.abs(vectors[0] - vectors[1]).sum() < np.abs(vectors[0] - vectors[2]).sum()


def test_a_left_out_link_is_predicted() -> None:
    model = TransE.seeded("transe-1/test").trained([item for item in TRIPLES if item != TRIPLES[0]])
    order, distance = model.ranked_tails("ada", "WORKS_AT")
    names = [model.entities[place] for place in order]
    assert names.index("harbour") < names.index("orchard")
    assert (np.diff(distance) >= 0).all()
    heads = [model.entities[place] for place in model.ranked_heads("WORKS_AT", "harbour")[0]]
    assert heads.index("ada") < heads.index("eve")


def test_training_goes_on_from_what_is_known() -> None:
    first = TransE.seeded("transe-1/test").trained(TRIPLES)
    again = first.trained([*TRIPLES, Triple("ivy", "WORKS_AT", "harbour"), Triple("ivy", "KNOWS", "bo")])
    assert again.encoder == first.encoder
    assert again.entities[: len(first.entities)] == first.entities
    fresh = TransE.seeded("transe-1/other").trained(TRIPLES)
    moved = np.abs(again.vectors_of(first.entities) - first.vectors.entities).mean()
    unrelated = np.abs(first.vectors.entities - first.vectors.entities[::-1]).mean()
    assert moved < unrelated / 2
    assert np.array_equal(fresh.vectors.entities, first.vectors.entities)
    order, _ = again.ranked_tails("ivy", "WORKS_AT")
    names = [again.entities[place] for place in order]
    assert names.index("harbour") < names.index("orchard")


def test_unseen_names_have_a_vector_of_their_own() -> None:
    model = TransE.seeded("transe-1/test").trained(TRIPLES)
    first, same, other = model.vectors_of(["zoe", "zoe", "yan"])
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


def test_one_scale_keeps_the_proportions_of_distances() -> None:
    vectors = TransE.seeded("transe-1/test").trained(TRIPLES).vectors.entities
    scale = scale_for(vectors)
    back = quantised(vectors, scale).astype(np.float32) * scale
    assert np.abs(back - vectors).max() <= scale
    assert scale_for(np.zeros((2, 3), np.float32)) == 1


def test_names_that_are_the_same_and_names_that_are_near() -> None:
    names = ["ada", "bo", "eve", "harbour"]
    held = TransE.seeded("transe-1/test").trained(TRIPLES).vectors_of(names)
    vectors = dict(zip(names, quantised(held, scale_for(held)), strict=True))
    memories = [("ada",), ("bo",), ("eve",), (), ("nobody",), ("eve", "ada")]
    found = EntityEncoder().compare(["ada"], memories, vectors)
    assert found.present.tolist() == [True, True, True, False, True, True]
    same, colleague, stranger, _, unknown, best = found.values.tolist()
    assert same == best == 1
    assert 1 / 3 <= stranger < colleague < 1
    assert unknown == 0


def test_asked_entities_are_averaged() -> None:
    found = EntityEncoder().compare(["ada", "new name"], [("ada", "new name"), ("ada",), ("new name",)], {})
    assert found.values.tolist() == [1, 0.5, 0.5]


def test_without_entities_on_either_side_nothing_is_compared() -> None:
    encoder = EntityEncoder()
    assert not encoder.compare([], [("ada",)], {}).present.any()
    assert not encoder.compare(["ada"], [(), ()], {}).present.any()
    assert encoder.compare(["ada"], [], {}).values.shape == (0,)
