"""The strength of a memory for a probe, by which a store chooses its candidates: pure array arithmetic.

    strength = cosine + 2 words + 0.5 session words + 0.3 speaker + 0.3 day + 2 (score of each other space that scans)

Both engines choose by it, however they compute the numbers. Words are weighed as BM25 weighs them. Reference: S.
Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; the shares are measured
(docs/measurements/ranking.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.core.ranking.temporal_context import day_fit
from engramforge.model.search.candidates import (
    FOUND_BY_ENTITY,
    FOUND_BY_MEANING,
    FOUND_BY_NEIGHBOUR,
    FOUND_BY_WORDS,
    Probe,
)
from engramforge.model.time import EPOCH_ORDINAL, MICROS_PER_DAY

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Bits = NDArray[np.uint16]
"""Of `Candidates.found`."""

K1: Final = 1.2
"""Saturation of repeated terms, and weight of length: the best measured pair (docs/measurements/ranking.md)."""
B: Final = 0.7
WORD_SHARE: Final = 2.0
SESSION_SHARE: Final = 0.5
SPEAKER_SHARE: Final = 0.3
DAY_SHARE: Final = 0.3
PART_SHARE: Final = 2.0
"""Weights of the parts of a row's strength relative to its cosine; measured (docs/measurements/ranking.md)."""
WITH_TWO: Final = 60
WITH_ONE: Final = 180
"""How many of the strongest bring two neighbours on each side, and how many bring only one."""
LEADING_SHARE: Final = 8
"""This fraction of the candidates comes before those found by ways other than meaning and words."""
NO_SESSION: Final = -1
"""The session of a memory that has none."""


class Occurrences(NamedTuple):
    """Parallel arrays: the row, which of the asked terms, and how often."""

    row: Rows
    term: NDArray[np.int64]
    times: NDArray[np.uint8]


def in_order(probe: Probe) -> Probe:
    """A probe with its terms ascending, as postings are looked up."""
    order = np.argsort(probe.terms, kind="stable")
    return replace(
        probe, terms=probe.terms[order], closeness=probe.closeness[order], owners=probe.owners[order]
    )


def quantise(vector: Floats) -> NDArray[np.int8]:
    """A vector as int8 of the same direction; the largest component becomes 127."""
    peak = float(np.abs(vector).max(initial=0.0))
    if peak == 0.0:
        return np.zeros(len(vector), np.int8)
    rounded: NDArray[np.int8] = np.rint(vector * (127.0 / peak)).astype(np.int8)
    return rounded


def score_words(
    found: Occurrences, probe: Probe, lengths: NDArray[np.int32], mean_length: float, into: Rows | None = None
) -> Floats:
    """The word score (0..1) of every row, or of groups of rows such as sessions.

    `found`: where the probe's terms occur. `lengths`: int32: term occurrences of each row, or group. `mean_length`:
    their mean over the scope. `into`: int64, shape (rows,): which group each row belongs to, -1 for none; None scores
    rows themselves.
    """
    size = len(lengths)
    if not len(probe.terms) or not size:
        return np.zeros(size, np.float32)
    units, terms, counts = found.row, found.term, found.times.astype(np.float32)
    if into is not None:
        inside = into[units] >= 0
        keys = terms[inside] * size + into[units[inside]]
        summed = np.bincount(keys, weights=counts[inside], minlength=len(probe.terms) * size)
        filled = np.flatnonzero(summed)
        units, terms, counts = filled % size, filled // size, summed[filled].astype(np.float32)
    norms = lengths.astype(np.float32) * np.float32(K1 * B / max(mean_length, 1.0)) + np.float32(K1 * (1 - B))
    gains = probe.closeness[terms] * (counts / (counts + norms[units]))
    best = np.zeros((len(probe.word_weights), size), np.float32)
    np.maximum.at(best.reshape(-1), (probe.owners.astype(np.int64) * size)[terms] + units, gains)
    if into is not None and probe.beside:
        best[-probe.beside :] = 0
    scores: Floats = probe.word_weights @ best
    return scores


def strength_of(
    meaning: Floats,
    words: Floats,
    session_words: Floats,
    session_speaks: Mask,
    valid_at: Rows,
    days: Sequence[tuple[int, int]],
) -> Floats:
    """All parts as one; `valid_at` in microseconds, `days` closed intervals of ordinal days."""
    strength = meaning + WORD_SHARE * words + SESSION_SHARE * session_words + SPEAKER_SHARE * session_speaks
    if days:
        own = valid_at // MICROS_PER_DAY + EPOCH_ORDINAL
        for start, end in days:
            strength += DAY_SHARE * day_fit(own, start, end)
    whole: Floats = strength.astype(np.float32)
    return whole


def strongest(strength: Floats, position: Rows, most: int) -> tuple[Rows, bool]:
    """Rows that take part (finite strength), strongest first, and whether these are all of them.

    More than `most` if strengths are equal at the edge. Ties go to the earlier position, so that every process chooses
    the same.
    """
    takes_part = np.isfinite(strength)
    if np.count_nonzero(takes_part) <= most:
        return np.flatnonzero(takes_part), True
    edge = len(strength) - most
    best = np.flatnonzero(strength >= np.partition(strength, edge)[edge])
    return best[np.lexsort((position[best], -strength[best]))], False


def nearest_of(position: Rows, meaning: Floats, most: int) -> dict[int, float]:
    """The rows of the highest cosines above 0, highest first, as position -> cosine; ties as in `strongest`."""
    ranked, _ = strongest(np.where(meaning > 0, meaning, -np.inf).astype(np.float32), position, most)
    ranked = ranked[np.lexsort((position[ranked], -meaning[ranked]))][:most]
    return dict(zip(position[ranked].tolist(), meaning[ranked].tolist(), strict=True))


def with_neighbours(
    ranked: Rows, around: Callable[[Rows, int], Rows], probe: Probe, sure: Rows | None = None
) -> tuple[Rows, Rows]:
    """The probe's candidates of ranked rows, ascending; and those of them that only neighbours brought in.

    `ranked`: rows, strongest first. `around`: rows and a width -> the rows around each, shape (rows, 2 x width),
    nearest first, -1 where there is none. `sure`: rows found by other ways, best first; they come right after the
    strongest.
    """
    near: list[Rows] = [np.empty(0, np.int64)]
    for part, width in (
        (ranked[:WITH_TWO], min(probe.window, 2)),
        (ranked[WITH_TWO:WITH_ONE], min(probe.window, 1)),
    ):
        near.append(around(part, width).T.reshape(-1))
    flat = np.concatenate(near)
    own = ranked[: probe.most]
    first = [ranked[:WITH_TWO]]
    if sure is not None and len(sure):
        leading = min(WITH_TWO, probe.most // LEADING_SHARE)
        first = [ranked[:leading], sure, ranked[leading:WITH_TWO]]
        own = np.concatenate((own, sure))
    every = np.concatenate((*first, flat[flat >= 0], ranked[WITH_TWO:]))
    chosen = every[np.sort(distinct(every).first)][: probe.most]
    return np.sort(chosen), chosen[~np.isin(chosen, own)]


def around_in_sessions(rows: Rows, width: int, session: Rows, order: Rows, rank: Rows) -> Rows:
    """The rows up to `width` places before and after each of these in its session; -1 where there is none.

    Shape (rows, 2 x width): the one before, the one after, the second before, ... `order`: the rows in the order of
    their sessions. `rank`: the place of each row in it.
    """
    near = np.full((len(rows), 2 * width), -1, np.int64)
    for column in range(2 * width):
        step = (column // 2 + 1) * (1 if column % 2 else -1)
        places = rank[rows] + step
        inside = (places >= 0) & (places < len(order)) & (session[rows] != NO_SESSION)
        others = order[np.where(inside, places, 0)]
        fits = inside & (session[others] == session[rows])
        near[fits, column] = others[fits]
    return near


def bits_of(ways: Sequence[tuple[int, Rows]], chosen: Rows) -> Bits:
    """The bits of the ways whose best rows have each chosen row among them."""
    bits = np.zeros(len(chosen), np.uint16)
    for bit, rows in ways:
        bits[np.isin(chosen, rows)] |= np.uint16(bit)
    return bits


def ways_found(meaning: Floats, words: Floats, is_neighbour: Mask, per_way: int, others: Bits) -> Bits:
    """The ways by which each candidate is among the best `per_way`; mere neighbours are marked as such.

    `others` are the bits of the ways beyond meaning and words.
    """
    bits = others.copy()
    for bit, score in ((FOUND_BY_MEANING, meaning), (FOUND_BY_WORDS, words)):
        fitting = np.sort(score[score > 0])
        floor = fitting[-per_way] if len(fitting) > per_way else np.float32(0)
        bits[(score > 0) & (score >= floor)] |= np.uint16(bit)
    bits[is_neighbour & (bits == 0)] = FOUND_BY_NEIGHBOUR
    return bits


def with_mentions(bits: Bits, mentioned: Floats) -> Bits:
    """The ways, with that of mentions added: a mere neighbour that mentions a name was found by it."""
    own = np.where(bits == FOUND_BY_NEIGHBOUR, 0, bits)
    return np.where(mentioned > 0, own | FOUND_BY_ENTITY, bits).astype(np.uint16)
