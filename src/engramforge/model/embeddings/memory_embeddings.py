"""A memory in each of the thirteen spaces: numbers about its embeddings, no vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engramforge.model.spaces import Space


@dataclass(frozen=True, slots=True)
class SpaceEmbedding:
    """One memory in one space.

    Parameters
    ----------
    number : of the space, E1 to E13.
    encoder : id of the encoder; None where the space has none in this store.
    rows, size : shape of the embedding: its number of rows (tokens, terms, names, or 1) and of dimensions or bits.
    norm : length of the embedding as it is kept, integers as 127ths; of bits the root of how many are set. None where
        it abstains.
    calibrations : direction -> id of the calibration of its similarities; without one they stay raw.
    surprise : delta S, 0..1; None where it abstains.
    abstains : why the memory has no signal here; None if it has one.
    details : whatever else the encoder knows: for code the languages and whether it parsed, for E11 the names.
    """

    number: str
    space: Space
    encoder: str | None
    rows: int
    size: int
    norm: float | None
    calibrations: Mapping[str, str]
    surprise: float | None
    abstains: str | None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MemoryEmbeddings:
    """One memory in all thirteen spaces, in the registry's order.

    `memory_id`: id of the version. `around`: how many other memories its surprise was measured against.
    """

    memory_id: str
    around: int
    spaces: tuple[SpaceEmbedding, ...]
