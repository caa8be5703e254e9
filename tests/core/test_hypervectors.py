"""The laws of the algebra, and that folding keeps similarity."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engramforge.core.arrays.hypervectors import (
    BITS,
    FOLDED_BITS,
    bind,
    fold,
    fold_sums,
    item_vectors,
    permute,
    sign,
)

Packed = NDArray[np.uint8]
symbols = st.text(min_size=1, max_size=12)


def distance(vectors: Packed, others: Packed) -> NDArray[np.float64]:
    """Hamming distance along the last axis as a share of the bits, in [0, 1]; 0.5 is what chance gives."""
    share: NDArray[np.float64] = np.bitwise_count(vectors ^ others).sum(axis=-1) / (vectors.shape[-1] * 8)
    return share


@given(symbols, symbols)
@settings(max_examples=50, deadline=None)
def test_binding_is_its_own_inverse_and_hides_both(first: str, other: str) -> None:
    a, b = item_vectors([first, other])
    assert np.array_equal(bind(bind(a, b), b), a)
    if first != other:
        assert abs(float(distance(bind(a, b), a)) - 0.5) < 0.04


@given(symbols, symbols, st.integers(-2_000, 2_000))
@settings(max_examples=50, deadline=None)
def test_permutation_keeps_distances_and_comes_back(first: str, other: str, steps: int) -> None:
    a, b = item_vectors([first, other])
    assert distance(permute(a, steps), permute(b, steps)) == distance(a, b)
    assert np.array_equal(permute(permute(a, steps), -steps), a)
    if steps % (BITS // 8):
        assert abs(float(distance(permute(a, steps), a)) - 0.5) < 0.04


def bundle(vectors: Packed) -> Packed:
    """The majority of whole vectors, without a fold; ties fall as they do in a fold."""
    sums = (np.unpackbits(vectors, axis=1, bitorder="little")[:, :BITS].astype(int) * 2 - 1).sum(axis=0)
    ties = np.unpackbits(item_vectors(["a tie"])[0], bitorder="little")[:BITS]
    return np.packbits(np.where(sums == 0, ties, sums > 0), bitorder="little")


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
        item = [*range(start, start + 16)]
        other = [*range(start, start + shared), *range(start + 16, start + 32 - shared)]
        before.append(float(distance(bundle(vectors[item]), bundle(vectors[other]))))
        sums = np.stack([folded[item].sum(axis=0), folded[other].sum(axis=0)]).astype(np.int32)
        bits = sign(sums)
        after.append(float(distance(bits[0], bits[1])))
    assert np.corrcoef(before, after)[0, 1] > 0.99
    # Both are of the angle; bits of a fold vary by 1 / (2 sqrt 1024) = 0.016 around it.
    assert max(abs(x - y) for x, y in zip(before, after, strict=True)) < 0.07
    assert after[-1] == 0
    assert after[0] > 0.44


@pytest.mark.parametrize("sizes", [[3], [1, 0, 7], [0, 0], [32, 31, 2, 1]])
def test_the_sums_of_folds_are_those_of_each_vector_folded(sizes: list[int]) -> None:
    vectors = item_vectors([f"symbol {place}" for place in range(sum(sizes))]).reshape(-1, 1250)
    ends = np.cumsum(sizes)
    by_hand = [
        fold(vectors[end - size : end]).sum(axis=0).tolist() for end, size in zip(ends, sizes, strict=True)
    ]
    assert fold_sums(vectors, np.array(sizes)).tolist() == by_hand
