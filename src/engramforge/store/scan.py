"""The scan: from a probe to candidates, over the shards that a selection touches.

Every row gets a strength from its own score and its session's; the strongest become candidates with their neighbours.
All arrays, no loop over rows. What must not enter: loading, SQL, what the final ranking makes of the candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numkong
import numpy as np

from engramforge.core.ragged import distinct
from engramforge.model.candidates import Candidates, Probe
from engramforge.store.shard import Shard
from engramforge.store.strength import (
    Floats,
    Mask,
    Rows,
    quantise,
    score_words,
    strength_of,
    strongest,
    ways_found,
    with_neighbours,
)


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
    shards: Sequence[Shard],
    masks: Sequence[Mask],
    probe: Probe,
    speaker_names: tuple[str, ...],
    seen: Sequence[Mask],
) -> Candidates:
    """The probe's candidates among the rows that the masks let in.

    Parameters
    ----------
    probe : its terms ascend.
    speaker_names : lower-cased; a row's speaker is a place in it.
    seen : the rows of each shard that the scope admits, whatever is selected of them: places in sessions count those.
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
    parts = [Shard().gather(*nothing, speaker_names, np.empty(0, np.bool_))]
    for index in distinct(owner).values.tolist():
        inside = owner == index
        rows = chosen[inside] - begins[index]
        one = scored[index]
        parts.append(
            shards[index].gather(
                rows,
                bits[inside],
                one.session_words[rows],
                one.session_speaks[rows],
                speaker_names,
                seen[index],
            )
        )
    return _merge(parts)


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
        words = score_words(found, probe, shard.lengths, mean_length)
        into = np.where(mask, group, -1)
        lengths = np.bincount(into[into >= 0], weights=shard.lengths[into >= 0], minlength=count)
        of_session = score_words(found, probe, lengths.astype(np.int32), mean_session, into)
        sessions = np.where(group >= 0, np.append(of_session, np.float32(0))[group], words).astype(np.float32)
    if size and len(speakers):
        named = mask & np.isin(shard.column("speaker"), speakers)
        in_session = np.bincount(group[named & (group >= 0)], minlength=count) > 0
        speaks = np.where(group >= 0, np.append(in_session, False)[group], named)
    strength = strength_of(meaning, words, sessions, speaks, shard.column("valid_at"), probe.days)
    return Scored(meaning, words, sessions, speaks, np.where(mask, strength, -np.inf).astype(np.float32))


def _choose(
    shards: Sequence[Shard], scored: Sequence[Scored], begins: Rows, probe: Probe
) -> tuple[Rows, Rows]:
    """The candidates as rows of all shards laid end to end, ascending; and those that only neighbours brought in.

    A selection no larger than the probe's bound is taken whole.
    """
    if not shards or (probe.vector is None and not len(probe.terms)):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    strength = np.concatenate([one.strength for one in scored])
    position = np.concatenate([shard.column("position") for shard in shards])
    ranked, is_whole = strongest(strength, position, probe.most)
    if is_whole:
        return ranked, np.empty(0, np.int64)

    def around(rows: Rows, width: int) -> Rows:
        owners = np.searchsorted(begins, rows, side="right") - 1
        near = np.full((len(rows), 2 * width), -1, np.int64)
        for index in distinct(owners).values.tolist():
            inside = owners == index
            fits = np.isfinite(scored[index].strength)
            found = shards[index].neighbours(rows[inside] - begins[index], fits, width)
            near[inside] = np.where(found >= 0, found + begins[index], -1)
        return near

    return with_neighbours(ranked, around, probe)


def _found_by(scored: Sequence[Scored], probe: Probe, chosen: Rows, near: Rows) -> Any:
    """By which ways each candidate was found."""
    nothing = np.empty(0, np.float32)
    meaning = np.concatenate([nothing, *(one.meaning for one in scored)])[chosen]
    words = np.concatenate([nothing, *(one.words for one in scored)])[chosen]
    return ways_found(meaning, words, np.isin(chosen, near), probe.per_way)


def _merge(parts: list[Candidates]) -> Candidates:
    """Batches of several shards as one."""
    flats = {"token_ends": "tokens", "term_ends": "terms", "interval_ends": "intervals"}
    fields: dict[str, Any] = {}
    for name in Candidates.__dataclass_fields__:
        if name == "speaker_names":
            fields[name] = parts[0].speaker_names
            continue
        if name in ("parts", "mentioned"):
            continue
        arrays = [getattr(part, name) for part in parts]
        if name in flats:
            offsets = np.cumsum([0] + [len(getattr(part, flats[name])) for part in parts[:-1]])
            arrays = [array + offset for array, offset in zip(arrays, offsets, strict=True)]
        fields[name] = np.concatenate(arrays)
    return Candidates(**fields)
