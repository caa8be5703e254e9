"""The scan: from a probe to candidates, over the shards that a selection touches.

Every row gets a strength from its own score and its session's; the strongest become candidates with their neighbours.
All arrays, no loop over rows. What must not enter: loading, SQL, what the final ranking makes of the candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numkong
import numpy as np
from numpy.typing import NDArray

from engramforge.core.ragged import distinct
from engramforge.model.candidates import (
    FOUND_BY_MEANING,
    FOUND_BY_NEIGHBOUR,
    FOUND_BY_WORDS,
    Candidates,
    Probe,
)
from engramforge.store.filters import Mask
from engramforge.store.shard import Shard

Floats = NDArray[np.float32]
Rows = NDArray[np.int64]

WORD_SHARE: Final = 2.0
SESSION_SHARE: Final = 0.5
SPEAKER_SHARE: Final = 0.3
DAY_SHARE: Final = 0.3
"""What the parts of a row's strength are worth beside its cosine; measured (docs/measurements/ranking.md)."""
WITH_TWO: Final = 60
WITH_ONE: Final = 180
"""How many of the strongest bring two neighbours on each side, and how many bring one."""
LAG_DAYS: Final = 10.0
_MICROS_PER_DAY: Final = 86_400_000_000
_EPOCH_ORDINAL: Final = 719_163


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of every row of a shard.

    Parameters
    ----------
    meaning : cosine to the probe's vector, -1..1; 0 where either abstains.
    words : word score, 0..1.
    session_words : word score of the whole session (its own without one), over the rows that take part.
    session_speaks : whether somebody whom the probe names takes part in the session.
    strength : all of it as one; -inf for rows that do not take part.
    """

    meaning: Floats
    words: Floats
    session_words: Floats
    session_speaks: Mask
    strength: Floats


def scan(
    shards: Sequence[Shard], masks: Sequence[Mask], probe: Probe, speaker_names: tuple[str, ...]
) -> Candidates:
    """The probe's candidates among the rows that the masks let in.

    Parameters
    ----------
    probe : its terms ascend.
    speaker_names : lower-cased; a row's speaker is a place in it.
    """
    speakers = np.array(
        [speaker_names.index(name) for name in probe.speakers if name in speaker_names], np.int64
    )
    lengths = _mean_lengths(shards, masks)
    scored = [
        _score(shard, mask, probe, speakers, *lengths) for shard, mask in zip(shards, masks, strict=True)
    ]
    begins = np.cumsum([0] + [len(shard) for shard in shards])
    chosen, near = _choose(shards, scored, begins, probe)
    bits = _found_by(scored, probe, chosen, near)
    owner = np.searchsorted(begins, chosen, side="right") - 1
    nothing = np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.float32), np.empty(0, np.bool_)
    parts = [Shard().gather(*nothing, speaker_names)]
    for index in distinct(owner).values.tolist():
        inside = owner == index
        rows = chosen[inside] - begins[index]
        one = scored[index]
        parts.append(
            shards[index].gather(
                rows, bits[inside], one.session_words[rows], one.session_speaks[rows], speaker_names
            )
        )
    return _merge(parts)


def quantise(vector: Floats) -> NDArray[np.int8]:
    """A vector as int8 of the same direction; the largest component becomes 127."""
    peak = float(np.abs(vector).max(initial=0.0))
    if peak == 0.0:
        return np.zeros(len(vector), np.int8)
    rounded: NDArray[np.int8] = np.rint(vector * (127.0 / peak)).astype(np.int8)
    return rounded


def _mean_lengths(shards: Sequence[Shard], masks: Sequence[Mask]) -> tuple[float, float]:
    """Mean term occurrences of the rows that take part, and of their sessions (a row without one is one)."""
    total = rows = units = 0
    for shard, mask in zip(shards, masks, strict=True):
        group, count = shard.session_groups()
        total += int(shard.lengths[mask].sum())
        rows += int(mask.sum())
        units += int(np.bincount(group[mask & (group >= 0)], minlength=count).astype(np.bool_).sum())
        units += int((mask & (group < 0)).sum())
    return total / max(rows, 1), total / max(units, 1)


def _score(
    shard: Shard, mask: Mask, probe: Probe, speakers: Rows, mean_length: float, mean_session: float
) -> Scored:
    """All scores of a shard's rows."""
    size = len(shard)
    meaning, words = np.zeros(size, np.float32), np.zeros(size, np.float32)
    speaks = np.zeros(size, np.bool_)
    sessions: Floats = words
    if size and probe.vector is not None:
        query = quantise(probe.vector)[None, :]
        products = np.asarray(numkong.cdist(query, shard.vectors, "dot"), np.float32)[0]
        norm = float(np.linalg.norm(query.astype(np.float32)))
        meaning = (products / np.maximum(shard.norms * norm, 1e-9)).astype(np.float32)
    group, count = shard.session_groups()
    if size and len(probe.terms):
        found = shard.postings.find(probe.terms)
        words = shard.postings.score(found, probe, shard.lengths, mean_length)
        into = np.where(mask, group, -1)
        lengths = np.bincount(into[into >= 0], weights=shard.lengths[into >= 0], minlength=count)
        of_session = shard.postings.score(found, probe, lengths.astype(np.int32), mean_session, into)
        sessions = np.where(group >= 0, np.append(of_session, np.float32(0))[group], words).astype(np.float32)
    if size and len(speakers):
        named = mask & np.isin(shard.column("speaker"), speakers)
        in_session = np.bincount(group[named & (group >= 0)], minlength=count) > 0
        speaks = np.where(group >= 0, np.append(in_session, False)[group], named)
    strength = meaning + WORD_SHARE * words + SESSION_SHARE * sessions + SPEAKER_SHARE * speaks
    for start, end in probe.days:
        strength += DAY_SHARE * _day_fit(shard, start, end)
    return Scored(meaning, words, sessions, speaks, np.where(mask, strength, -np.inf).astype(np.float32))


def _day_fit(shard: Shard, start: int, end: int) -> Floats:
    """1 for a memory of a day within the closed interval, falling after it; 0 before it."""
    days = shard.column("valid_at") // _MICROS_PER_DAY + _EPOCH_ORDINAL
    late = np.clip((days - end) / LAG_DAYS, 0, 700)
    return np.where(days >= start - 1, np.exp(-late), 0).astype(np.float32)


def _choose(
    shards: Sequence[Shard], scored: Sequence[Scored], begins: Rows, probe: Probe
) -> tuple[Rows, Rows]:
    """The candidates as rows of all shards laid end to end, ascending; and those that only neighbours brought in.

    A selection no larger than the probe's bound is taken whole. Equal strengths go to the earlier position, so that
    every process chooses the same.
    """
    strength = np.concatenate([np.empty(0, np.float32), *(one.strength for one in scored)])
    fitting = np.flatnonzero(np.isfinite(strength))
    if not len(fitting) or (probe.vector is None and not len(probe.terms)):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    if len(fitting) <= probe.most:
        return fitting, np.empty(0, np.int64)
    worst = np.partition(strength[fitting], len(fitting) - probe.most)[len(fitting) - probe.most]
    best = fitting[strength[fitting] >= worst]
    position = np.concatenate([shard.column("position") for shard in shards])
    ranked = best[np.lexsort((position[best], -strength[best]))]
    around = _neighbours(shards, scored, begins, ranked, probe.window)
    every = np.concatenate((ranked[:WITH_TWO], around, ranked[WITH_TWO:]))
    first = distinct(every).first
    chosen = every[np.sort(first)][: probe.most]
    is_ranked = np.zeros(len(strength), np.bool_)
    is_ranked[ranked[: probe.most]] = True
    return np.sort(chosen), chosen[~is_ranked[chosen]]


def _neighbours(
    shards: Sequence[Shard], scored: Sequence[Scored], begins: Rows, ranked: Rows, window: int
) -> Rows:
    """The neighbours of the strongest rows: two on each side of the first ones, one of the next."""
    found: list[Rows] = [np.empty(0, np.int64)]
    for part, width in ((ranked[:WITH_TWO], min(window, 2)), (ranked[WITH_TWO:WITH_ONE], min(window, 1))):
        owners = np.searchsorted(begins, part, side="right") - 1
        near = np.full((len(part), 2 * width), -1, np.int64)
        for index in distinct(owners).values.tolist():
            inside = owners == index
            rows = shards[index].neighbours(
                part[inside] - begins[index], np.isfinite(scored[index].strength), width
            )
            near[inside] = np.where(rows >= 0, rows + begins[index], -1)
        found.append(near.T.reshape(-1))
    flat = np.concatenate(found)
    return flat[flat >= 0]


def _found_by(scored: Sequence[Scored], probe: Probe, chosen: Rows, near: Rows) -> NDArray[np.uint8]:
    """By which ways each candidate is among the best `per_way`; a mere neighbour says so."""
    bits = np.zeros(len(chosen), np.uint8)
    for bit, name in ((FOUND_BY_MEANING, "meaning"), (FOUND_BY_WORDS, "words")):
        score = np.concatenate([np.empty(0, np.float32), *(getattr(one, name) for one in scored)])[chosen]
        fitting = np.sort(score[score > 0])
        floor = fitting[-probe.per_way] if len(fitting) > probe.per_way else np.float32(0)
        bits[(score > 0) & (score >= floor)] |= np.uint8(bit)
    bits[np.isin(chosen, near) & (bits == 0)] = FOUND_BY_NEIGHBOUR
    return bits


def _merge(parts: list[Candidates]) -> Candidates:
    """Batches of several shards as one."""
    flats = {"token_ends": "tokens", "term_ends": "terms", "interval_ends": "intervals"}
    fields: dict[str, Any] = {}
    for name in Candidates.__dataclass_fields__:
        if name == "speaker_names":
            fields[name] = parts[0].speaker_names
            continue
        arrays = [getattr(part, name) for part in parts]
        if name in flats:
            offsets = np.cumsum([0] + [len(getattr(part, flats[name])) for part in parts[:-1]])
            arrays = [array + offset for array, offset in zip(arrays, offsets, strict=True)]
        fields[name] = np.concatenate(arrays)
    return Candidates(**fields)
