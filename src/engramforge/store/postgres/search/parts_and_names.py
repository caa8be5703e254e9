"""The parts and names of a probe, besides meaning and words, looked up on the server.

few:  scores of every memory that takes part, made by the server
many: the nearest of each space by its vector indexes, those that mention a name; their parts scored here
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.model.embeddings.part import PartBatch, QueryPart
from engramforge.model.search.candidates import FOUND_BY_ENTITY, FOUND_BY_SPACE, Probe
from engramforge.model.spaces import Space
from engramforge.store.postgres.search import vector_index
from engramforge.store.postgres.search.fields import Field, has_one_weight, is_packed, is_scanned, probe_of
from engramforge.store.postgres.search.queries import Asked
from engramforge.store.postgres.search.scoring import Positions
from engramforge.store.postgres.search.vector_index import VectorIndex
from engramforge.store.postgres.wire import Integers
from engramforge.store.scoring.parts import best_of_way, part_batch, part_scores
from engramforge.store.scoring.strength import Floats

_STORED = (
    "SELECT v.space, array_agg(v.memory_seq), array_agg(v.rows), array_agg(octet_length(v.vector)),"
    " string_agg(v.vector, CAST('' AS bytea)) FROM embedding_part v WHERE v.tenant = %(tenant)s"
    " AND v.memory_seq = ANY(%(positions)s) AND v.vector IS NOT NULL AND ({fields}) GROUP BY v.space"
)
_DISTANCES = (
    "SELECT array_agg(v.memory_seq), array_agg(CAST({distance} AS real)) FROM embedding_part v"
    " WHERE {rows} AND v.memory_seq = ANY(%(positions)s)"
)
_MENTIONED = (
    "SELECT array_agg(m.memory_seq) FROM mention m WHERE m.tenant = %(tenant)s"
    " AND m.entity_seq = ANY(%(entities)s) AND m.memory_seq = ANY(%(positions)s)"
)

Stored = dict[Space, dict[int, tuple[int, bytes]]]
"""Of each space the parts of some memories: position -> rows and bytes."""


@dataclass(frozen=True, slots=True)
class Beside:
    """n memories scored by a probe's parts and names.

    `scores`: one for each part of the probe: float32 (n,); None where it does not scan. `mentioned`: float32 (n,):
    share of the probe's names that each mentions; None if it has none.
    """

    scores: tuple[Floats | None, ...] = ()
    mentioned: Floats | None = None

    def at(self, places: Positions) -> Beside:
        """The memories at some places."""
        return Beside(
            tuple(None if score is None else score[places] for score in self.scores),
            None if self.mentioned is None else self.mentioned[places],
        )

    def ways(self, probe: Probe, strength: Floats, position: Positions) -> list[tuple[int, Positions]]:
        """The best of each space that scans, and of those that mention a name, with the bit of the way."""
        found = [
            (FOUND_BY_SPACE.get(part.space, 0), best_of_way(score, strength, position, probe.per_way))
            for part, score in zip(probe.parts, self.scores, strict=True)
            if score is not None
        ]
        if self.mentioned is not None:
            found.append((FOUND_BY_ENTITY, best_of_way(self.mentioned, strength, position, probe.per_way)))
        return found


@dataclass(frozen=True, slots=True)
class BesideQueries:
    """The statements about a probe's parts and names.

    `asked`: the question. `fields`: what each part of the probe is compared with; None if the store has nothing by its
    encoder. `entities`: keys of the probe's names that the store knows.
    """

    asked: Asked
    probe: Probe
    fields: Sequence[Field | None]
    entities: NDArray[np.int64]

    def scores(self, positions: Positions) -> Beside:
        """Scores of memories given ascending, computed by the server if possible."""
        scores = [
            self._scores(part, field, positions) if part.scans else None
            for part, field in zip(self.probe.parts, self.fields, strict=True)
        ]
        return Beside(tuple(scores), self.mentioned(positions))

    def _scores(self, part: QueryPart, field: Field | None, positions: Positions) -> Floats:
        found = np.zeros(len(positions), np.float32)
        if field is None or not len(positions):
            return found
        if not (is_scanned(part.space) and has_one_weight(part)):
            return self._exact(part, self.stored(positions), positions)
        statement = _DISTANCES.format(distance=field.distance, rows=field.rows)
        seq, distance = self.asked.ask(statement, positions=Integers(positions), probe=probe_of(part))
        score = -distance
        if is_packed(part.space):
            rows = len(part.values)
            score = part.weights[0] * (rows - distance * rows / field.size)
        found[np.searchsorted(positions, seq.astype(np.int64))] = score.astype(np.float32)
        return found

    def exact(self, stored: Stored, positions: Positions) -> Beside:
        """Scores of memories given ascending, from what they have stored."""
        scores = [self._exact(part, stored, positions) if part.scans else None for part in self.probe.parts]
        return Beside(tuple(scores), self.mentioned(positions))

    def _exact(self, part: QueryPart, stored: Stored, positions: Positions) -> Floats:
        return part_scores(part, self._batch(part, stored, positions))

    def _batch(self, part: QueryPart, stored: Stored, positions: Positions) -> PartBatch:
        its = stored.get(part.space, {})
        return part_batch(part.space, [its.get(position) for position in positions.tolist()], part)

    def batches(self, stored: Stored, positions: Positions) -> Mapping[Space, PartBatch]:
        """Memories in every space that was asked."""
        return {part.space: self._batch(part, stored, positions) for part in self.probe.parts}

    def stored(self, positions: Positions) -> Stored:
        """The parts of some memories in the spaces that were asked."""
        fields = [field for field in self.fields if field is not None]
        if not fields or not len(positions):
            return {}
        wanted = " OR ".join(
            f"v.space = '{field.space}' AND v.encoder_seq = {field.encoder}" for field in fields
        )
        rows = self.asked.rows_of(_STORED.format(fields=wanted), positions=Integers(positions))
        found: Stored = {}
        for space, seqs, counts, sizes, raw in rows:
            ends = np.cumsum(sizes)
            parts = (
                bytes(raw[end - size : end]) for size, end in zip(sizes.tolist(), ends.tolist(), strict=True)
            )
            found[Space(space)] = dict(
                zip(seqs.tolist(), zip(counts.tolist(), parts, strict=True), strict=True)
            )
        return found

    def mentioned(self, positions: Positions) -> Floats | None:
        """The share of the probe's names that each memory, given ascending, mentions."""
        names = len(set(self.probe.entities))
        if not names:
            return None
        if not len(self.entities) or not len(positions):
            return np.zeros(len(positions), np.float32)
        values = {"positions": Integers(positions), "entities": Integers(self.entities)}
        (seqs,) = self.asked.ask(_MENTIONED, **values)
        places = np.searchsorted(positions, seqs.astype(np.int64))
        return (np.bincount(places, minlength=len(positions)) / names).astype(np.float32)

    def nearest(
        self, ranges: Sequence[VectorIndex], most: int, compared: int, mentioning: int, filled: set[str]
    ) -> Positions:
        """Positions of the nearest in each space that scans, and of those that mention names.

        `ranges`: the vector indexes that stand. `most`, `mentioning`: how many of each space, and of those that mention
        a name, most names first. `compared`: up to how many of the tenant's parts in the range of an index are compared
        one by one. `filled`: as in `nearest_in`.
        """
        found = [np.empty(0, np.int64)]
        for part, field in zip(self.probe.parts, self.fields, strict=True):
            if field is not None and part.scans and is_scanned(part.space):
                mine = vector_index.of_field(ranges, field)
                found += nearest_in(self.asked, field, mine, most, compared, filled, probe=probe_of(part))
        if len(self.entities):
            found.append(self.asked.mentioning(self.entities, mentioning))
        return distinct(np.concatenate(found)).values


def nearest_in(
    asked: Asked,
    field: Field,
    ranges: Sequence[VectorIndex],
    most: int,
    compared: int,
    filled: set[str],
    **values: object,
) -> list[Positions]:
    """Positions of the nearest in a field, range by range and after the last.

    `filled`: names of indexes known to hold more than `compared` of the tenant's; these stay so, so only others are
    counted, and added.
    """
    unknown = [index for index in ranges if index.name not in filled]
    counts = dict(zip(unknown, asked.counted_in(field, unknown, compared), strict=True))
    found = []
    for index in ranges:
        held = counts.get(index, compared + 1)
        if held > compared:
            filled.add(index.name)
            found.append(asked.nearest_by(index, field, most, **values))
        elif held:
            # Other tenants' vectors fill the range, and an index scan would pass through all of them for these few.
            found.append(asked.nearest(most, index.condition, field=field, **values))
    last = ranges[-1].upto if ranges else -1
    found.append(asked.nearest(most, "v.memory_seq > %(last)s", field=field, last=last, **values))
    return found
