"""The parts and names of a probe, besides meaning and words, looked up on the server.

few:  scores of every memory that takes part, made by the server
many: the nearest of each space by its vector indexes, those that mention a name; their parts scored here
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engramforge.core.arrays.ragged import distinct
from engramforge.model.embeddings.part import PartBatch, QueryPart
from engramforge.model.scope import Level
from engramforge.model.search.candidates import FOUND_BY_ENTITY, FOUND_BY_SPACE, Probe
from engramforge.model.spaces import Space
from engramforge.store.postgres.search import vector_index
from engramforge.store.postgres.search.fields import Field, has_one_weight, is_packed, is_scanned, probe_of
from engramforge.store.postgres.search.queries import ENTITIES, Asked
from engramforge.store.postgres.search.scoring import Positions, Postings, Rows
from engramforge.store.postgres.search.vector_index import VectorIndex
from engramforge.store.scoring.parts import best_of_way, part_batch, part_scores
from engramforge.store.scoring.strength import Floats

_STORED = (
    "SELECT array_agg(v.space), array_agg(v.memory_seq), array_agg(v.rows), array_agg(octet_length(v.vector)),"
    " string_agg(v.vector, CAST('' AS bytea)) FROM embedding_part v WHERE v.tenant = %(tenant)s"
    " AND v.memory_seq = ANY(%(positions)s) AND v.vector IS NOT NULL AND ({fields})"
)
_MENTIONED = (
    "SELECT array_agg(m.memory_seq) FROM mention m WHERE m.tenant = %(tenant)s"
    f" AND m.entity_seq IN ({ENTITIES}) AND m.memory_seq = ANY(%(positions)s)"
)

_SPARE: Final = 1.25
"""How many times as many are looked for in several levels as these need."""
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
    encoder.
    """

    asked: Asked
    probe: Probe
    fields: Sequence[Field | None]

    @property
    def _names(self) -> list[str]:
        return list(dict.fromkeys(self.probe.entities))

    @property
    def scanned(self) -> list[Space]:
        """The spaces in which the store looks for candidates."""
        given = zip(self.probe.parts, self.fields, strict=True)
        return [
            part.space for part, field in given if field is not None and part.scans and is_scanned(part.space)
        ]

    @property
    def _compared(self) -> list[tuple[QueryPart, Field]]:
        """The parts that the server compares as they are, with their fields."""
        return [
            (part, field)
            for part, field in zip(self.probe.parts, self.fields, strict=True)
            if field is not None and part.scans and is_scanned(part.space) and has_one_weight(part)
        ]

    def whole(self) -> tuple[Rows, Postings, Beside]:
        """Every memory that takes part, with its postings and its scores, computed by the server if possible."""
        compared, names = self._compared, self._names
        probes = {f"probe_{number}": probe_of(part) for number, (part, _) in enumerate(compared)}
        rows, postings, distances, mentions = self.asked.whole(
            self.probe.terms,
            [field for _, field in compared],
            [self.asked.every_mention] if names else [],
            entities=names,
            **probes,
        )
        near = {part.space: distance for (part, _), distance in zip(compared, distances, strict=True)}
        scores = [
            self._scores(part, field, near.get(part.space), rows.position) if part.scans else None
            for part, field in zip(self.probe.parts, self.fields, strict=True)
        ]
        mentioned = self._shares(mentions[0], rows.position) if names else None
        return rows, postings.of(rows.position), Beside(tuple(scores), mentioned)

    def _scores(
        self, part: QueryPart, field: Field | None, near: Floats | None, positions: Positions
    ) -> Floats:
        if field is None or not len(positions):
            return np.zeros(len(positions), np.float32)
        if near is None:
            return self._exact(part, self.stored(positions), positions)
        score = -near
        if is_packed(part.space):
            rows = len(part.values)
            score = part.weights[0] * (rows - near * rows / field.size)
        return np.where(np.isnan(near), 0, score).astype(np.float32)

    def exact(self, stored: Stored, positions: Positions) -> Beside:
        """Scores of memories given ascending, from what they have stored."""
        scores = [self._exact(part, stored, positions) if part.scans else None for part in self.probe.parts]
        return Beside(tuple(scores), self.mentioned(positions))

    def _exact(self, part: QueryPart, stored: Stored, positions: Positions) -> Floats:
        if not stored.get(part.space):
            return np.zeros(len(positions), np.float32)
        return part_scores(part, self._batch(part, stored, positions))

    def _batch(self, part: QueryPart, stored: Stored, positions: Positions) -> PartBatch:
        its = stored.get(part.space, {})
        return part_batch(part.space, [its.get(position) for position in positions.tolist()], part)

    def batches(self, stored: Stored, positions: Positions) -> Mapping[Space, PartBatch]:
        """Memories in every space that was asked."""
        return {part.space: self._batch(part, stored, positions) for part in self.probe.parts}

    def stored(self, positions: Positions) -> Stored:
        """The parts of some memories in the spaces that were asked."""
        select = self.every_part
        if not select or not len(positions):
            return {}
        return stored_of(self.asked.ask_at(positions, select))

    @property
    def every_part(self) -> str:
        """The statement for the parts of `positions`, which `stored_of` reads; empty if there are none to read."""
        wanted = " OR ".join(
            f"v.space = '{field.space}' AND v.encoder_seq = {field.encoder}"
            for field in self.fields
            if field is not None
        )
        return _STORED.format(fields=wanted) if wanted else ""

    def mentioned(self, positions: Positions) -> Floats | None:
        """The share of the probe's names that each memory, given ascending, mentions."""
        names = self._names
        if not names:
            return None
        if not len(positions):
            return np.zeros(0, np.float32)
        (seqs,) = self.asked.ask_at(positions, _MENTIONED, entities=names)
        return self._shares(seqs, positions)

    def _shares(self, mentions: NDArray[np.int64], positions: Positions) -> Floats:
        places = np.searchsorted(positions, mentions.astype(np.int64))
        return (np.bincount(places, minlength=len(positions)) / len(self._names)).astype(np.float32)

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
                near = nearest_in(self.asked, field, mine, most, compared, filled, probe=probe_of(part))
                found.append(near)
        if self.probe.entities:
            found.append(self.asked.mentioning(self._names, mentioning))
        return distinct(np.concatenate(found)).values


def stored_of(columns: Sequence[NDArray[Any]]) -> Stored:
    """Parts from the columns of their statement."""
    spaces, seqs, counts, sizes, raw = columns
    whole, ends = bytes(raw), np.cumsum(sizes)
    found: Stored = {}
    for space, seq, count, size, end in zip(
        spaces, seqs.tolist(), counts.tolist(), sizes.tolist(), ends.tolist(), strict=True
    ):
        found.setdefault(Space(space), {})[seq] = (count, whole[end - size : end])
    return found


def nearest_in(
    asked: Asked,
    field: Field,
    ranges: Sequence[VectorIndex],
    most: int,
    compared: int,
    filled: set[str],
    **values: object,
) -> Positions:
    """Positions of the nearest in a field: of each range, and after the last.

    `filled`: names of indexes known to hold more than `compared` of the tenant's; these stay so, so only others are
    counted, and added.
    """
    statements = _looking_in(asked, field, ranges, compared, filled)
    return asked.nearest_of(statements, most, **values)


def nearest_of_levels(
    asked: Asked, field: Field, ranges: Sequence[VectorIndex], most: int, compared: int, filled: set[str]
) -> dict[Level, Positions]:
    """The same for each level of a scope, found together; without a level of which less may have been found than by
    itself, since a range was left in the midst of the others."""
    statements = _looking_in(asked, field, ranges, compared, filled)
    wide = round(_SPARE * most * len(asked.scope.levels))
    each = (
        f"SELECT *, {number} AS part FROM ({text}) AS n{number}" for number, text in enumerate(statements)
    )
    whole = (
        f"SELECT array_agg(seq), array_agg(level), array_agg(part) FROM ({' UNION ALL '.join(each)}) AS near"
    )
    seqs, levels, parts = asked.ask(whole, most=wide, rough=vector_index.rough(wide))
    parts, found = parts.astype(np.int64), {}
    is_left = np.bincount(parts, minlength=len(statements)) >= wide
    for level in asked.scope.levels:
        its = np.array([name == level for name in levels], np.bool_)
        own = [seqs[its & (parts == number)] for number in range(len(statements))]
        if all(len(some) >= most or not left for some, left in zip(own, is_left, strict=True)):
            found[level] = np.concatenate([some[:most] for some in own]).astype(np.int64)
    return found


def _looking_in(
    asked: Asked, field: Field, ranges: Sequence[VectorIndex], compared: int, filled: set[str]
) -> list[str]:
    """The statements for the nearest of each range, and after the last."""
    unknown = [index for index in ranges if index.name not in filled]
    counts = dict(zip(unknown, asked.counted_in(field, unknown, compared), strict=True))
    statements = []
    for index in ranges:
        held = counts.get(index, compared + 1)
        if held > compared:
            filled.add(index.name)
            statements.append(asked.indexed(index, field))
        elif held:
            # Other tenants' vectors fill the range, and an index scan would pass through all of them for these few.
            statements.append(asked.compared(index.condition, field))
    last = ranges[-1].upto if ranges else -1
    statements.append(asked.compared(f"v.memory_seq > {last}", field))
    return statements
