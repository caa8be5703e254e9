"""The statements of a search: which memories take part, their nearness, their words, their surroundings, their signals.

Each returns arrays. The scope's predicate and the selection's are those of store/reading.py. What must not enter: what
is made of the numbers (search.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.core.ragged import distinct
from engramforge.model.scope import Scope
from engramforge.model.selection import Selection
from engramforge.model.time import TemporalMode, to_micros
from engramforge.store.columns import decode_ragged
from engramforge.store.filters import KIND_CODE
from engramforge.store.postgres.schema import DIMENSION, LENGTH, HalfVector, posting
from engramforge.store.postgres.scoring import NO_SESSION, Positions, Postings, Rows
from engramforge.store.postgres.vector_index import VectorIndex
from engramforge.store.postgres.wire import among, fetch_arrays, int8_vectors
from engramforge.store.reading import in_time, selected, together, visible
from engramforge.store.schema import embedding_semantic, embedding_words, memory, session

_NOT_A_NUMBER: Final[sa.ColumnElement[float]] = sa.literal_column("CAST('NaN' AS double precision)", sa.Float)
"""The distance to a zero vector."""
_ORDER: Final = sa.func.coalesce(memory.c.sequence, 0)


@dataclass(frozen=True)
class Asked:
    """A question to the store, with names looked up.

    Parameters
    ----------
    vector : the probe's vector as pgvector reads it, or None.
    encoder : the key of the encoder whose embeddings count; -1 when the store has none of it.
    speakers : names as memories have them.
    projects : keys of the scope's projects, or None for all.
    """

    scope: Scope
    selection: Selection
    vector: str | None
    encoder: int
    speakers: tuple[str, ...]
    projects: tuple[int, ...] | None

    @property
    def is_filtered(self) -> bool:
        """Whether the selection narrows more than time does."""
        chosen = self.selection
        narrow = (chosen.kinds, chosen.session_id, chosen.valid_range)
        return bool(chosen.tags) or any(one is not None for one in narrow)

    @cached_property
    def _frame(self) -> sa.FromClause:
        if self.selection.session_id is None:
            return memory
        return memory.outerjoin(session, together(session.c.seq, memory.c.session_seq))

    @cached_property
    def _in_scope(self) -> list[sa.ColumnElement[bool]]:
        """The scope's predicate, its projects by their keys."""
        wanted = [visible(replace(self.scope, projects=None))]
        if self.projects is not None:
            wanted.append(among(memory.c.project_seq, np.array(self.projects, np.int64)))
        return wanted

    @cached_property
    def _wanted(self) -> list[sa.ColumnElement[bool]]:
        return [*self._in_scope, *selected(self.selection)]

    @cached_property
    def _its_vector(self) -> sa.ColumnElement[bool]:
        vector = embedding_semantic
        return sa.and_(together(vector.c.memory_seq, memory.c.seq), vector.c.encoder_seq == self.encoder)

    @cached_property
    def _distance(self) -> sa.ColumnElement[float]:
        probe = sa.cast(sa.literal(self.vector, sa.Text), HalfVector())
        return embedding_semantic.c.vector.op("<=>", return_type=sa.Float)(probe)

    def counted(self, connection: Connection, most: int) -> int:
        """How many memories take part, counted up to `most` + 1."""
        some = sa.select(sa.literal(1)).select_from(self._frame).where(*self._wanted).limit(most + 1)
        return int(connection.execute(sa.select(sa.func.count()).select_from(some.subquery())).scalar_one())

    def rows(self, connection: Connection, positions: Positions | None = None) -> Rows:
        """The memories that take part: all of them, or those among some positions."""
        frame = sa.select(sa.literal(1)).select_from(self._frame).where(*self._wanted)
        meaning: sa.ColumnElement[Any] = sa.cast(sa.literal(0), sa.REAL)
        if self.vector is not None:
            frame = (
                sa.select(sa.literal(1))
                .select_from(self._frame.outerjoin(embedding_semantic, self._its_vector))
                .where(*self._wanted)
            )
            meaning = sa.cast(sa.func.coalesce(1 - sa.func.nullif(self._distance, _NOT_A_NUMBER), 0), sa.REAL)
        if positions is not None:
            frame = frame.where(among(memory.c.seq, positions))
        speaks = sa.func.coalesce(memory.c.speaker.in_(self.speakers), sa.false())
        columns = {
            "position": memory.c.seq,
            "session": sa.func.coalesce(memory.c.session_seq, NO_SESSION),
            "sequence": _ORDER,
            "length": LENGTH,
            "valid_at": memory.c.valid_at,
            "meaning": meaning,
            "speaks": speaks if self.speakers else sa.false(),
        }
        found = fetch_arrays(connection, columns, frame)
        order = np.argsort(found["position"])
        types = dict.fromkeys(found, np.int64) | {"meaning": np.float32, "speaks": np.bool_}
        return Rows(**{name: values[order].astype(types[name]) for name, values in found.items()})

    def nearest(
        self,
        connection: Connection,
        most: int,
        index: VectorIndex | None = None,
        more: Sequence[sa.ColumnElement[bool]] = (),
    ) -> Positions:
        """Positions of the memories nearest in meaning that take part, under further conditions.

        Parameters
        ----------
        index : the index to go by; None compares every memory that fulfils the conditions.
        """
        if self.vector is None:
            return np.empty(0, np.int64)
        frame = self._frame.join(embedding_semantic, self._its_vector)
        near = sa.select(embedding_semantic.c.memory_seq).select_from(frame).where(*self._wanted, *more)
        if index is None:
            # Materialised, so that the planner does not go through an index which stops before it has found them all.
            each = near.add_columns(self._distance.label("distance")).cte("each").prefix_with("MATERIALIZED")
            found = sa.select(each.c.memory_seq).order_by(each.c.distance).limit(most)
        else:
            found = index.ordered(near, self.vector, most)
        return _positions(connection, found)

    def postings(
        self, connection: Connection, terms: NDArray[np.uint32], of_probe: NDArray[np.uint32]
    ) -> Postings:
        """Where some of the probe's terms occur, in ended versions too where the selection may want them."""
        posted = posting.c
        frame = sa.select(sa.literal(1)).where(
            posted.tenant == self.scope.tenant,
            posted.closed.in_([False, True])
            if self._may_want_ended(connection)
            else posted.closed.is_(False),
            among(posted.term, terms.view(np.int32)),
        )
        if self.projects is not None:
            frame = frame.where(posted.project_seq.in_(self.projects))
        names = ("memory_seq", "session_seq", "length", "term", "times")
        found = fetch_arrays(connection, {name: posted[name] for name in names}, frame)
        return Postings(
            position=found["memory_seq"].astype(np.int64),
            session=found["session_seq"].astype(np.int64),
            length=found["length"].astype(np.int64),
            term=np.searchsorted(of_probe, found["term"].astype(np.int32).view(np.uint32)),
            times=found["times"].astype(np.uint8),
        )

    def _may_want_ended(self, connection: Connection) -> bool:
        """Whether versions that ended on either axis can take part: in history, and before an end still to come."""
        point = self.selection.as_of
        if self.selection.mode is not TemporalMode.CURRENT or point is None or point.valid is None:
            return True
        ends_later = sa.exists().where(
            memory.c.tenant == self.scope.tenant,
            memory.c.expired_at.is_(None),
            memory.c.invalid_at.is_not(None),
            memory.c.invalid_at > to_micros(point.valid),
        )
        return bool(connection.execute(sa.select(ends_later)).scalar_one())

    def neighbours(self, connection: Connection, positions: Positions, width: int) -> Positions:
        """The memories up to `width` places before and after these in their sessions, of the selection's time."""
        one, near = memory.alias("one"), memory
        place = sa.tuple_(_ORDER, near.c.seq)
        own_place = sa.tuple_(sa.func.coalesce(one.c.sequence, 0), one.c.seq)
        wanted = sa.and_(one.c.tenant == self.scope.tenant, among(one.c.seq, positions))
        sides = []
        for is_before in (True, False):
            order = [column.desc() if is_before else column.asc() for column in (_ORDER, near.c.seq)]
            side = (
                sa.select(near.c.seq.label("who"))
                .where(
                    near.c.tenant == one.c.tenant,
                    near.c.session_seq == one.c.session_seq,
                    place < own_place if is_before else place > own_place,
                    *in_time(memory, self.selection),
                )
                .order_by(*order)
                .limit(width)
                .lateral()
            )
            sides.append(sa.select(side.c.who).select_from(one.join(side, sa.true())).where(wanted))
        both = sa.union_all(*sides).subquery()
        return _positions(connection, sa.select(both.c.who))

    def session_places(self, connection: Connection, rows: Rows) -> tuple[Positions, Positions]:
        """How many memories of the selected time stand before each in its session, and how many there are."""
        places, sizes = np.zeros(len(rows), np.int64), np.ones(len(rows), np.int64)
        inside = rows.session != NO_SESSION
        if not inside.any():
            return places, sizes
        asked = distinct(rows.session[inside]).values
        found = fetch_arrays(
            connection,
            {"seq": memory.c.seq, "session": memory.c.session_seq, "sequence": _ORDER},
            sa.select(sa.literal(1)).where(
                among(memory.c.session_seq, asked), *self._in_scope, *in_time(memory, self.selection)
            ),
        )
        order = np.lexsort((found["seq"], found["sequence"], found["session"]))
        in_order = found["session"][order]
        begins = np.searchsorted(in_order, rows.session[inside], side="left")
        sizes[inside] = np.searchsorted(in_order, rows.session[inside], side="right") - begins
        by_position = np.argsort(found["seq"][order])
        at = np.searchsorted(found["seq"][order], rows.position[inside], sorter=by_position)
        places[inside] = by_position[at] - begins
        return places, sizes

    def signals(self, connection: Connection, rows: Rows) -> dict[str, Any]:
        """The signals of these memories, in their order, as the arrays of `Candidates` want them."""
        vector, words = embedding_semantic, embedding_words
        its_words = sa.and_(together(words.c.memory_seq, memory.c.seq), words.c.encoder_seq == self.encoder)
        statement = (
            sa.select(
                memory.c.seq,
                memory.c.project_seq,
                memory.c.kind,
                memory.c.speaker,
                memory.c.created_at,
                memory.c.epistemic_tier,
                sa.func.halfvec_send(vector.c.vector),
                words.c.tokens,
                words.c.terms,
                words.c.counts,
                words.c.cues,
                words.c.intervals,
            )
            .select_from(memory.outerjoin(vector, self._its_vector).outerjoin(words, its_words))
            .where(memory.c.tenant == self.scope.tenant, among(memory.c.seq, rows.position))
            .order_by(memory.c.seq)
        )
        found = connection.execute(statement).all()
        columns: list[Any] = list(zip(*found, strict=True)) if found else [()] * 12
        names = [(speaker or "").casefold() for speaker in columns[3]]
        speaker_names = ("", *sorted({name for name in names if name}))
        code = {name: place for place, name in enumerate(speaker_names)}
        tokens, token_lengths = decode_ragged([one or b"" for one in columns[7]], np.uint16)
        terms, term_lengths = decode_ragged([one or b"" for one in columns[8]], np.uint32)
        counts, _ = decode_ragged([one or b"" for one in columns[9]], np.uint8)
        intervals, interval_lengths = decode_ragged([one or b"" for one in columns[11]], np.int32)
        return {
            "project": np.array(columns[1], np.int64),
            "kind": np.array([KIND_CODE[kind] for kind in columns[2]], np.uint8),
            "speaker": np.array([code[name] for name in names], np.int32),
            "speaker_names": speaker_names,
            "created_at": np.array(columns[4], np.int64),
            "epistemic_tier": np.array(columns[5], np.float32),
            "vector": int8_vectors(columns[6], DIMENSION),
            "tokens": (tokens, token_lengths),
            "terms": (terms, term_lengths),
            "counts": (counts, term_lengths),
            "cues": np.array([one or 0 for one in columns[10]], np.uint8),
            "intervals": (intervals, interval_lengths),
        }


def _positions(connection: Connection, statement: sa.Select[Any]) -> Positions:
    """The one column of a statement, positions, as an array."""
    (name,) = statement.selected_columns.keys()
    whole = statement.subquery()
    return fetch_arrays(connection, {"it": whole.c[name]}, sa.select(sa.literal(1)).select_from(whole))[
        "it"
    ].astype(np.int64)
