"""The scan: from a probe to candidates, over the shards that a selection touches.

Every row gets a strength from its own score and its session's; the strongest become candidates with their neighbours.
All arrays, no loop over rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
import simsimd
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import among, distinct
from engramforge.model.memory import Kind
from engramforge.model.search.candidates import FOUND_BY_ENTITY, FOUND_BY_SPACE, Candidates, Having, Probe
from engramforge.store.rows import KIND_CODE
from engramforge.store.schema import DIMENSION
from engramforge.store.scoring.groups import groups_of, terms_of
from engramforge.store.scoring.parts import best_of_way, in_turns, joined_batches, part_batch
from engramforge.store.scoring.strength import (
    PART_SHARE,
    Bits,
    Floats,
    Mask,
    Rows,
    bits_of,
    nearest_of,
    quantise,
    score_words,
    strength_of,
    strongest,
    ways_found,
    with_mentions,
    with_neighbours,
)
from engramforge.store.sqlite.resident.parts import PartRows
from engramforge.store.sqlite.resident.shard import Shard

_FEW: Final = 8
"""Where no more than one row in so many takes part, these are gathered, and no other is compared."""
_NEWEST_NAMED: Final = 2_000
"""Of a name that more memories have, those that came last and all decisions are taken: a common word names little."""
_KEPT_EMPTY: Final = 4
_HAVING: Final = {"position": np.int64, "kind": np.uint8, "valid_at": np.int64}
"""Columns that are told of what has a name."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside a shard's rows for a probe.

    `parts`: one for each part of the probe. `mentioned`: float32, shape (rows,): which share of the probe's entities
    each row mentions; None where none is asked.
    """

    parts: tuple[PartRows, ...] = ()
    mentioned: Floats | None = None


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
    parts : the score in each space of the probe, None where it does not scan.
    mentioned : which share of the probe's entities each row mentions; None where none is asked.
    """

    meaning: Floats
    words: Floats
    session_words: Floats
    session_speaks: Mask
    strength: Floats
    parts: tuple[Floats | None, ...] = ()
    mentioned: Floats | None = None


def scan(
    shards: Sequence[Shard],
    masks: Sequence[Mask],
    probe: Probe,
    speaker_names: tuple[str, ...],
    seen: Sequence[Mask],
    beside: Sequence[Beside] = (),
    dimension: int = DIMENSION,
) -> Candidates:
    """The probe's candidates among the rows that the masks let in.

    `probe`: its terms ascend. `speaker_names`: lower-cased; a row's speaker is a place in it. `seen`: the rows of each
    shard that the scope admits, whatever is selected of them: places in sessions count those. `beside`: of each shard;
    none where the probe asks for neither parts nor entities.
    """
    if not shards:
        return _gathered(_nothing(dimension, speaker_names), probe, ())
    speakers = np.array(
        [speaker_names.index(name) for name in probe.speakers if name in speaker_names], np.int64
    )
    lengths = _mean_lengths(shards, masks)
    scored = [
        _score(shard, mask, probe, speakers, *lengths) for shard, mask in zip(shards, masks, strict=True)
    ]
    if beside:
        scored = [
            _with_beside(entry, mask, probe, each)
            for entry, mask, each in zip(scored, masks, beside, strict=True)
        ]
    begins = np.cumsum([0] + [len(shard) for shard in shards])
    ways = _other_ways(shards, scored, probe) if beside else []
    chosen, near = _choose(shards, scored, begins, probe, in_turns([rows for _, rows in ways]))
    bits = _found_by(scored, probe, chosen, near, ways)
    owner = np.searchsorted(begins, chosen, side="right") - 1
    parts = []
    around: list[tuple[Beside, Rows]] = []
    for index in distinct(owner).values.tolist():
        shard, item = shards[index], scored[index]
        inside = np.flatnonzero(owner == index)
        inside = inside[shard.order_in_sessions(chosen[inside] - begins[index])]
        rows = chosen[inside] - begins[index]
        words, speaks = item.session_words[rows], item.session_speaks[rows]
        parts.append(shard.gather(rows, bits[inside], words, speaks, speaker_names, seen[index]))
        if beside:
            around.append((beside[index], rows))
    if not parts:
        parts.append(_nothing(dimension, speaker_names))
    merged = parts[0] if len(parts) == 1 else _merge(parts)
    return _gathered(merged, probe, around)


@lru_cache(maxsize=_KEPT_EMPTY)
def _nothing(dimension: int, speaker_names: tuple[str, ...]) -> Candidates:
    """No candidates; kept, since of several lenses most have nothing that ended."""
    rows = np.empty(0, np.int64)
    found, words, speaks = np.empty(0, np.uint16), np.empty(0, np.float32), np.empty(0, np.bool_)
    return Shard(dimension).gather(rows, found, words, speaks, speaker_names, np.empty(0, np.bool_))


def having(
    shards: Sequence[Shard], masks: Sequence[Mask], groups: Sequence[NDArray[np.uint32]], most: int
) -> Having:
    """The rows that the masks let in and that have every term of one of these groups, the first by `Having`'s order."""
    terms, within = terms_of(groups)
    columns: list[tuple[NDArray[Any], ...]] = [tuple(np.empty(0, each) for each in _HAVING.values())]
    found: list[tuple[Rows, list[Rows]]] = []
    for shard, mask in zip(shards, masks, strict=True):
        is_decision = shard.column("kind") == KIND_CODE[str(Kind.DECISION)]
        held = [
            _newest(rows[mask[rows]], is_decision) if len(rows) else rows
            for rows in shard.postings.whole(terms, within)
        ]
        found.append((distinct(np.concatenate(held)).values, held))
        columns.append(tuple(shard.column(name)[found[-1][0]] for name in _HAVING))
    position, kind, valid_at = map(np.concatenate, zip(*columns, strict=True))
    first = np.arange(len(position))[::-1]
    if len(position) > most or np.any(position[1:] < position[:-1]):
        first = np.lexsort((-position, kind != KIND_CODE[str(Kind.DECISION)]))[:most]
    return Having(position[first], kind[first], valid_at[first], groups_of(first, found, len(groups)))


def _newest(rows: Rows, is_decision: Mask) -> Rows:
    """Of ascending rows that have a name the last, and all decisions."""
    if len(rows) <= _NEWEST_NAMED:
        return rows
    kept = is_decision[rows]
    kept[-_NEWEST_NAMED:] = True
    return rows[kept]


def nearest(shards: Sequence[Shard], masks: Sequence[Mask], probe: Probe) -> dict[int, float]:
    """The rows that the masks let in and that are nearest to the probe's vector: position -> cosine, above 0."""
    meaning, position = [np.empty(0, np.float32)], [np.empty(0, np.int64)]
    for shard, mask in zip(shards, masks, strict=True):
        rows = np.flatnonzero(mask)
        is_few = _FEW * len(rows) <= len(shard)
        meaning.append(_meaning(shard, probe, rows) if is_few else _meaning(shard, probe)[rows])
        position.append(shard.column("position")[rows])
    return nearest_of(np.concatenate(position), np.concatenate(meaning), probe.most)


def _with_beside(scored: Scored, mask: Mask, probe: Probe, beside: Beside) -> Scored:
    """The scores with those of the probe's other spaces, which count in the strength where they are above 0."""
    parts: list[Floats | None] = []
    strength = scored.strength
    for query, rows in zip(probe.parts, beside.parts, strict=True):
        score = rows.scores(query, mask) if query.scans else None
        parts.append(score)
        if score is not None:
            strength = (strength + PART_SHARE * np.maximum(score, 0)).astype(np.float32)
    return replace(scored, strength=strength, parts=tuple(parts), mentioned=beside.mentioned)


def _other_ways(shards: Sequence[Shard], scored: Sequence[Scored], probe: Probe) -> list[tuple[int, Rows]]:
    """The best rows of each space that scans, and of those that mention an entity, with the bit of the way."""
    if not shards:
        return []
    strength = np.concatenate([each.strength for each in scored])
    position = np.concatenate([shard.column("position") for shard in shards])
    ways: list[tuple[int, Rows]] = []
    for place, query in enumerate(probe.parts):
        each = [each.parts[place] for each in scored]
        scores = [item for item in each if item is not None]
        if scores:
            found = best_of_way(np.concatenate(scores), strength, position, probe.per_way)
            ways.append((FOUND_BY_SPACE.get(query.space, 0), found))
    shares = [each.mentioned for each in scored if each.mentioned is not None]
    if shares:
        found = best_of_way(np.concatenate(shares), strength, position, probe.per_way)
        ways.append((FOUND_BY_ENTITY, found))
    return ways


def _gathered(merged: Candidates, probe: Probe, around: Sequence[tuple[Beside, Rows]]) -> Candidates:
    """The candidates with their parts in every space that was asked, and their share of the probe's entities."""
    if not probe.parts and not probe.entities:
        return merged
    parts = {
        query.space: joined_batches(
            [part_batch(query.space, (), query)]
            + [beside.parts[place].batch(rows, query) for beside, rows in around]
        )
        for place, query in enumerate(probe.parts)
    }
    if not probe.entities:
        return replace(merged, parts=parts)
    shares = [beside.mentioned[rows] for beside, rows in around if beside.mentioned is not None]
    mentioned = np.concatenate([np.empty(0, np.float32), *shares])
    return replace(merged, parts=parts, mentioned=mentioned, found=with_mentions(merged.found, mentioned))


def _mean_lengths(shards: Sequence[Shard], masks: Sequence[Mask]) -> tuple[float, float]:
    """Mean term occurrences of the rows that take part, and of their sessions (a row without one is one)."""
    taking = [shard.taking_part(mask) for shard, mask in zip(shards, masks, strict=True)]
    total, rows = sum(each.length for each in taking), sum(map(np.count_nonzero, masks))
    return total / max(rows, 1), total / max(sum(each.units for each in taking), 1)


def _score(
    shard: Shard, mask: Mask, probe: Probe, speakers: Rows, mean_length: float, mean_session: float
) -> Scored:
    size = len(shard)
    meaning, words = _meaning(shard, probe), np.zeros(size, np.float32)
    speaks = np.zeros(size, np.bool_)
    sessions: Floats = words
    group, count = shard.session_groups()
    if size and len(probe.terms):
        found = shard.postings.find(probe.terms, mask)
        words = score_words(found, probe, shard.lengths, mean_length)
        taking = shard.taking_part(mask)
        of_session = score_words(found, probe, taking.session_lengths, mean_session, taking.session)
        sessions = np.where(group >= 0, np.append(of_session, np.float32(0))[group], words)
    if size and len(speakers):
        named = mask & among(shard.column("speaker"), speakers)
        in_session = np.bincount(group[named & (group >= 0)], minlength=count) > 0
        speaks = np.where(group >= 0, np.append(in_session, False)[group], named)
    strength = strength_of(meaning, words, sessions, speaks, shard.column("valid_at"), probe.days)
    return Scored(meaning, words, sessions, speaks, np.where(mask, strength, -np.inf).astype(np.float32))


def _meaning(shard: Shard, probe: Probe, rows: Rows | None = None) -> Floats:
    """The cosine of every row, or of these, to the probe's vector; 0 where either abstains."""
    vectors = shard.vectors if rows is None else shard.vectors[rows]
    if not len(vectors) or probe.vector is None:
        return np.zeros(len(vectors), np.float32)
    norms = shard.norms if rows is None else shard.norms[rows]
    query = quantise(probe.vector)[None, :]
    cosines: Floats = np.asarray(simsimd.cdist(query, vectors, "dot"), np.float32)[0]
    length = float(np.linalg.norm(query.astype(np.float32)))
    # A row that abstains has products of 0 and no length.
    cosines /= np.maximum(norms * np.float32(length), np.float32(1e-9))
    return cosines


def _choose(
    shards: Sequence[Shard], scored: Sequence[Scored], begins: Rows, probe: Probe, sure: Rows
) -> tuple[Rows, Rows]:
    """The candidates as rows of all shards laid end to end, ascending; and those that only neighbours brought in.

    A selection no larger than the probe's bound is taken whole. `sure` are the best of ways beyond meaning and words.
    """
    asks_nothing = probe.vector is None and not len(probe.terms) and not probe.entities
    if not shards or (asks_nothing and not any(query.scans for query in probe.parts)):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    strength = np.concatenate([each.strength for each in scored])
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

    return with_neighbours(ranked, around, probe, sure)


def _found_by(
    scored: Sequence[Scored], probe: Probe, chosen: Rows, near: Rows, ways: Sequence[tuple[int, Rows]]
) -> Bits:
    nothing = np.empty(0, np.float32)
    meaning = np.concatenate([nothing, *(each.meaning for each in scored)])[chosen]
    words = np.concatenate([nothing, *(each.words for each in scored)])[chosen]
    return ways_found(meaning, words, np.isin(chosen, near), probe.per_way, bits_of(ways, chosen))


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
