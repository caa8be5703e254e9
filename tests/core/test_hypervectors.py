"""The laws of the algebra, and that folding keeps similarity."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engramforge.core.arrays.hypervectors import (
    BITS,
    FOLDED_BITS,
    bind,
    bundle,
    distance,
    fold,
    item_vectors,
    permute,
    sign,
)

symbols = st.text(min_size=1, max_size=12)
sets = st.lists(symbols, min_size=2, max_size=9, unique=True)


@given(symbols, symbols)
@settings(max_examples=50, deadline=None)
def test_binding_is_its_own_inverse_and_hides_both(one: str, other: str) -> None:
    a, b = item_vectors([one, other])
    assert np.array_equal(bind(bind(a, b), b), a)
    if one != other:
        assert abs(float(distance(bind(a, b), a)) - 0.5) < 0.04


@given(symbols, symbols, st.integers(-2_000, 2_000))
@settings(max_examples=50, deadline=None)
def test_permutation_keeps_distances_and_comes_back(one: str, other: str, steps: int) -> None:
    a, b = item_vectors([one, other])
    assert distance(permute(a, steps), permute(b, steps)) == distance(a, b)
    assert np.array_equal(permute(permute(a, steps), -steps), a)
    if steps % (BITS // 8):
        assert abs(float(distance(permute(a, steps), a)) - 0.5) < 0.04


@given(sets)
@settings(max_examples=50, deadline=None)
def test_a_bundle_is_near_its_members_and_far_from_strangers(names: list[str]) -> None:
    *members, stranger = item_vectors([*names, "".join(names) + "?"])
    held = bundle(np.stack(members))
    assert max(float(distance(held, member)) for member in members) < 0.42
    assert float(distance(held, stranger)) > 0.46


def test_binding_distributes_over_bundling() -> None:
    vectors = item_vectors(["a", "b", "c"])
    key = item_vectors(["key"])[0]
    assert np.array_equal(bind(bundle(vectors), key), bundle(bind(vectors, key)))


def test_ties_fall_the_same_way_each_time() -> None:
    pair = item_vectors(["a", "b"])
    assert np.array_equal(bundle(pair), bundle(pair[::-1]))
    assert abs(float(distance(bundle(pair), pair[0])) - 0.25) < 0.02


def test_weights_count() -> None:
    pair = item_vectors(["a", "b"])
    assert np.array_equal(bundle(pair, [3, 1]), pair[0])


def test_symbols_are_random_and_differ() -> None:
    vectors = item_vectors([f"s{i}" for i in range(60)])
    assert vectors.shape == (60, BITS // 8)
    between = distance(vectors[:, None], vectors[None])[~np.eye(60, dtype=bool)]
    assert between.min() > 0.47
    assert between.max() < 0.53


def test_a_fold_is_linear() -> None:
    vectors = item_vectors(["a", "b", "c"])
    loose = np.unpackbits(vectors, axis=1, bitorder="little")[:, :BITS].astype(int) * 2 - 1
    whole = loose.sum(axis=0)
    by_hand = [whole[group::FOLDED_BITS].sum() for group in range(FOLDED_BITS)]
    assert fold(vectors).sum(axis=0).tolist() == by_hand


def test_folded_similarity_tracks_the_unfolded() -> None:
    """Pairs of bundles that share 0..16 of 16 members: distances before and after the fold rise together."""
    names = [f"s{i}" for i in range(17 * 32)]
    vectors = item_vectors(names)
    folded = fold(vectors)
    before, after = [], []
    for shared in range(17):
        start = 32 * shared
        one = [*range(start, start + 16)]
        other = [*range(start, start + shared), *range(start + 16, start + 32 - shared)]
        before.append(float(distance(bundle(vectors[one]), bundle(vectors[other]))))
        sums = np.stack([folded[one].sum(axis=0), folded[other].sum(axis=0)]).astype(np.int32)
        bits = sign(sums)
        after.append(float(distance(bits[0], bits[1])))
    assert np.corrcoef(before, after)[0, 1] > 0.99
    # Both are of the angle; bits of a fold vary by 1 / (2 sqrt 1024) = 0.016 around it.
    assert max(abs(x - y) for x, y in zip(before, after, strict=True)) < 0.07
    assert after[-1] == 0
    assert after[0] > 0.44
