"""Entries with parts and entities, and what a brute force makes of them. The parts are noise with a seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.conformance.conftest import entry

from engramforge.model.embeddings.part import Part, QueryPart
from engramforge.model.search.candidates import Probe
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry

SIZES: Mapping[Space, tuple[int, int]] = {
    Space.CAUSAL: (2, 24),
    Space.CODE: (3, 16),
    Space.HYPERDIMENSIONAL: (1, 32),
    Space.MULTIMODAL: (1, 40),
}


def encoder_of(space: Space, version: int = 1) -> str:
    """The id of a space's encoder."""
    return f"noise-{version}/{space}/{SIZES[space][1]}"


def part(space: Space, rng: np.random.Generator, version: int = 1) -> Part:
    """A part of noise; at times one of its rows has nothing to say."""
    shape = SIZES[space]
    if space is Space.HYPERDIMENSIONAL:
        return Part(space, encoder_of(space, version), rng.integers(0, 256, shape, np.uint8))
    values = rng.integers(-127, 128, shape).astype(np.int8)
    if shape[0] > 1 and rng.random() < 0.3:
        values[rng.integers(shape[0])] = 0
    return Part(space, encoder_of(space, version), values)


def asked(
    space: Space, rng: np.random.Generator, scans: bool = True, weights: Sequence[float] | None = None
) -> QueryPart:
    """A question in a space."""
    rows, size = SIZES[space]
    share = np.array(weights if weights is not None else [1 / rows] * rows, np.float32)
    if space is Space.HYPERDIMENSIONAL:
        return QueryPart(space, encoder_of(space), rng.integers(0, 256, (rows, size), np.uint8), share, scans)
    values = rng.standard_normal((rows, size)).astype(np.float32)
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    return QueryPart(space, encoder_of(space), values, share, scans)


def score(query: QueryPart, values: NDArray[Any]) -> float:
    """The score of one part, by the definition."""
    total = 0.0
    for weight, first, other in zip(query.weights, query.values, values, strict=True):
        if query.space is Space.HYPERDIMENSIONAL:
            apart = int(np.bitwise_count(first ^ other).sum())
            total += float(weight) * (1 - apart / (8 * len(first)))
            continue
        lengths = float(np.linalg.norm(first) * np.linalg.norm(other.astype(np.float32)))
        total += float(weight) * (float(first @ other.astype(np.float32)) / lengths if lengths else 0.0)
    return total


def with_signals(
    row: Entry, parts: Sequence[Part] = (), entities: tuple[str, ...] = (), **more: Any
) -> Entry:
    """The entry with parts and entities."""
    beside = {each.space: each for each in parts}
    return replace(row, embedding=replace(row.embedding, parts=beside, entities=entities, **more))


def plain(number: int, **fields: Any) -> Entry:
    """An entry with words of its own."""
    return entry(f"note number {number}", **fields)


def nothing_but(
    *parts: QueryPart, entities: tuple[str, ...] = (), per_way: int = 10, most: int = 1_000
) -> Probe:
    """A probe for other spaces alone."""
    empty = np.empty(0, np.float32)
    return Probe(
        vector=None,
        terms=np.empty(0, np.uint32),
        closeness=empty,
        owners=np.empty(0, np.int32),
        word_weights=empty,
        per_way=per_way,
        window=0,
        most=most,
        parts=parts,
        entities=entities,
    )


def same(first: Mapping[Space, Part], other: Mapping[Space, Part]) -> bool:
    """Whether two sets of parts are equal, types and shapes too."""
    return set(first) == set(other) and all(
        first[space].encoder == other[space].encoder
        and first[space].values.dtype == other[space].values.dtype
        and np.array_equal(first[space].values, other[space].values)
        for space in first
    )
