"""The statements of a search: who takes part, their nearness, their words, their surroundings, their signals.

Written as SQL text, since a question needs a dozen and building each anew takes time; the predicates of the scope and
the selection are in predicates.py. candidates.py combines the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.core.arrays.ragged import distinct
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode, to_micros
from engramforge.store.given import PLANNED_ONCE
from engramforge.store.postgres.search import posting_rows
from engramforge.store.postgres.search.fields import Field
from engramforge.store.postgres.search.found import Found
from engramforge.store.postgres.search.predicates import Predicate, of_selected, of_time
from engramforge.store.postgres.search.scoring import Positions, Postings, Rows
from engramforge.store.postgres.search.vector_index import VectorIndex, rough
from engramforge.store.postgres.wire import Integers
from engramforge.store.reading.predicates import shape_of
from engramforge.store.scoring.strength import NO_SESSION, Floats

_SESSION: Final = " LEFT JOIN session ON session.tenant = memory.tenant AND session.seq = memory.session_seq"
_VECTOR: Final = (
    " LEFT JOIN embedding_semantic v"
    " ON v.tenant = memory.tenant AND v.memory_seq = memory.seq AND v.encoder_seq = %(meaning)s"
)
_WORDS: Final = (
    " LEFT JOIN embedding_words w"
    " ON w.tenant = memory.tenant AND w.memory_seq = memory.seq AND w.encoder_seq = %(encoder)s"
)
_DISTANCE: Final = "v.vector <=> CAST(%(probe)s AS halfvec)"
# The distance to a zero vector is NaN.
_MEANING: Final = f"CAST(coalesce(1 - nullif({_DISTANCE}, CAST('NaN' AS double precision)), 0) AS real)"

_ROWS: Final = (
    "SELECT array_agg(memory.seq), array_agg(coalesce(memory.session_seq, -1)),"
    " array_agg(coalesce(memory.sequence, 0)), array_agg(memory.length), array_agg(memory.valid_at),"
    " array_agg({meaning}), array_agg(coalesce(memory.speaker = ANY(%(speakers)s), false)){distances}"
    " FROM memory{joined} WHERE {wanted}"
)
_ROW_KINDS: Final = (*(np.int64,) * 5, np.float32, np.bool_)
_SIGNALS: Final = (
    "SELECT memory.seq, coalesce(memory.session_seq, -1), coalesce(memory.sequence, 0), memory.length,"
    " memory.valid_at, memory.project_seq, memory.created_at, memory.kind, memory.speaker, memory.epistemic_tier,"
    " halfvec_send(v.vector), w.tokens, w.terms, w.counts, w.cues, w.intervals{columns}"
    " FROM memory{joined} WHERE {wanted} AND memory.seq = ANY(%(positions)s) ORDER BY memory.seq"
)
_SIGNAL_COLUMNS: Final = 16
_COUNTED: Final = (
    "SELECT count(*) FROM (SELECT 1 FROM memory{joined} WHERE {wanted} LIMIT %(most)s) AS counted"
)
_NEAR: Final = (
    " FROM {table} v JOIN memory ON memory.tenant = v.tenant AND memory.seq = v.memory_seq{joined}"
    " WHERE {rows} AND {more} AND {wanted}"
)
_SOME: Final = "SELECT 1 FROM {table} v WHERE {rows} AND {more} LIMIT %(most)s"
# Materialised, so that the planner does not use an index scan that stops before it has found all.
_NEAREST: Final = (
    "WITH each AS MATERIALIZED (SELECT v.memory_seq AS seq, memory.level, {distance} AS distance"
    + _NEAR
    + ")"
    " SELECT seq, level FROM each ORDER BY distance LIMIT %(most)s"
)
_MENTIONING: Final = (
    "SELECT array_agg(seq) FROM (SELECT memory.seq FROM mention m"
    " JOIN memory ON memory.tenant = m.tenant AND memory.seq = m.memory_seq{joined}"
    " WHERE m.tenant = %(tenant)s AND m.entity_seq IN ({entities}) AND {wanted}"
    " GROUP BY memory.seq ORDER BY count(*) DESC, memory.seq DESC LIMIT %(most)s) AS named"
)
ENTITIES: Final = (
    "SELECT entity.seq FROM entity WHERE entity.tenant = %(tenant)s"
    " AND entity.name = ANY(CAST(%(entities)s AS text[]))"
)
_MENTIONS: Final = (
    "SELECT array_agg(m.memory_seq) FROM mention m"
    " JOIN memory ON memory.tenant = m.tenant AND memory.seq = m.memory_seq{joined}"
    " WHERE m.tenant = %(tenant)s AND m.entity_seq IN ({entities}) AND {wanted}"
)
_SIDE: Final = (
    "SELECT side.seq FROM memory one, LATERAL (SELECT memory.seq FROM memory WHERE memory.tenant = one.tenant"
    " AND memory.session_seq = one.session_seq"
    " AND (coalesce(memory.sequence, 0), memory.seq) {than} (coalesce(one.sequence, 0), one.seq) AND {timely}"
    " ORDER BY coalesce(memory.sequence, 0) {order}, memory.seq {order} LIMIT %(width)s) AS side"
    " WHERE one.tenant = %(tenant)s AND one.seq = ANY(%(positions)s)"
)
_PLACES: Final = (
    "SELECT array_agg(memory.seq), array_agg(memory.session_seq), array_agg(coalesce(memory.sequence, 0))"
    " FROM memory WHERE memory.session_seq = ANY(%(sessions)s) AND {timely}"
)


@dataclass
class Asked:
    """A question to the store, with names resolved.

    Parameters
    ----------
    connection : in a read transaction of the scope's tenant.
    vector : the probe's vector as pgvector reads it, or None.
    meaning : what it is compared with.
    encoder : the key of the encoder whose words count; -1 when the store has none of it.
    speakers : names as memories have them.
    projects : keys of the scope's projects, or None for all.
    confirm : refuses what was made of the mark of active encoders, which is read with the postings, if that is another.
    """

    connection: Connection
    scope: Scope
    selection: Selection
    vector: str | None
    meaning: Field
    encoder: int
    speakers: tuple[str, ...]
    projects: tuple[int, ...] | None
    confirm: Callable[[str | None], None]

    @cached_property
    def _values(self) -> dict[str, Any]:
        return {
            "tenant": self.scope.tenant,
            "agent": self.scope.agent,
            "probe": self.vector,
            "meaning": self.meaning.encoder,
            "encoder": self.encoder,
            "speakers": list(self.speakers),
        }

    @property
    def _session(self) -> str:
        return "" if self.selection.session_id is self.selection.exclude_session is None else _SESSION

    @property
    def is_filtered(self) -> bool:
        """Whether the selection narrows more than time does."""
        chosen = self.selection
        sessions = (chosen.session_id, chosen.exclude_session)
        narrow = (chosen.kinds, *sessions, chosen.valid_range, chosen.min_tier)
        named = chosen.tags or chosen.statuses or chosen.conversations
        return bool(named) or chosen.names_writers or any(each is not None for each in narrow)

    @cached_property
    def _wanted(self) -> str:
        """The predicate of selected memories; its values are added to the question's."""
        return self._told_by(of_selected)

    @cached_property
    def _timely(self) -> str:
        """The predicate of scope and time only, for surroundings."""
        return self._told_by(of_time)

    def _told_by(self, predicate: Callable[[Scope, Selection], Predicate]) -> str:
        shape = shape_of(self.selection)
        text, prefix, values = predicate(replace(self.scope, projects=None), shape.selection)
        told = {**values, **{name: value for name, value in shape.values.items() if name in values}}
        self._values.update({f"{prefix}_{name}": value for name, value in told.items()})
        if self.projects is not None:
            text += " AND memory.project_seq = ANY(%(projects)s)"
            self._values["projects"] = Integers(np.array(self.projects, np.int64))
        return text

    def _fetch(self, statement: str, **more: Any) -> sa.CursorResult[Any]:
        return self.connection.exec_driver_sql(statement, {**self._values, **more})

    def _looked_up(self, statement: str, positions: Positions, **more: Any) -> sa.CursorResult[Any]:
        """The same of a statement that looks up some `positions`."""
        values = {**self._values, "positions": Integers(positions), **more}
        return self.connection.exec_driver_sql(statement, values, execution_options=PLANNED_ONCE)

    def ask(self, statement: str, **more: Any) -> list[NDArray[Any]]:
        """Aggregated columns of a statement about the tenant; empty if there are no rows."""
        return _arrays(self._fetch(statement, **more).one())

    def ask_at(self, positions: Positions, statement: str, **more: Any) -> list[NDArray[Any]]:
        """The same of a statement about the memories at some `positions`."""
        return _arrays(self._looked_up(statement, positions, **more).one())

    def counted(self, most: int) -> int:
        """How many memories take part, counted up to `most` + 1."""
        statement = _COUNTED.format(joined=self._session, wanted=self._wanted)
        return int(self._fetch(statement, most=most + 1).scalar_one())

    def whole(
        self,
        terms: NDArray[np.uint32],
        fields: Sequence[Field],
        beside: Sequence[str] = (),
        **values: Any,
    ) -> tuple[Rows, Postings, list[Floats], list[NDArray[Any]]]:
        """Every memory that takes part with the postings of the probe's terms, by a single statement.

        `fields`, `values`: also each memory's distance to `probe_0`, ... in these, NaN without one. `beside`: also the
        aggregated columns of further statements, as they come.
        """
        distances, joined = "", ""
        for number, field in enumerate(fields):
            distance, join = field.beside(f"p{number}", f"probe_{number}")
            distances += f", array_agg(coalesce(CAST({distance} AS real), 'NaN'))"
            joined += join
        every = self._every_row(distances, joined)
        told, words = self._postings()
        tables = ", ".join(f"({each}) AS s{number}" for number, each in enumerate((words, every, *beside)))
        statement = f"{told}SELECT * FROM {tables}"
        row = self._fetch(statement, terms=Integers(terms.view(np.int32)), **values).one()
        postings = self._postings_of(row[: posting_rows.POSTING_COLUMNS], terms)
        columns = _arrays(row[posting_rows.POSTING_COLUMNS :])
        rows, order = _rows_of(columns)
        ends = len(_ROW_KINDS) + len(fields)
        return rows, postings, [each[order] for each in columns[len(_ROW_KINDS) : ends]], columns[ends:]

    def _every_row(self, distances: str = "", joined: str = "") -> str:
        """The statement for what choosing needs of memories that take part; further conditions go behind it."""
        meaning, join = (_MEANING, _VECTOR) if self.vector else ("CAST(0 AS real)", "")
        joined = self._session + join + joined
        return _ROWS.format(meaning=meaning, distances=distances, joined=joined, wanted=self._wanted)

    def rows(self, positions: Positions) -> Rows:
        """What choosing needs of those of some memories that take part."""
        if not len(positions):
            return _rows_of(_arrays([None] * len(_ROW_KINDS)))[0]
        some = f"{self._every_row()} AND memory.seq = ANY(%(positions)s)"
        return _rows_of(self.ask_at(positions, some))[0]

    def rows_around(self, positions: Positions, width: int) -> Rows:
        """The same of the memories up to `width` places before and after these in their sessions."""
        sides = " UNION ALL ".join(
            f"({_SIDE.format(than=than, order=order, timely=self._timely)})"
            for than, order in (("<", "DESC"), (">", "ASC"))
        )
        # As an array, so that the planner looks the few up by their key.
        some = f"{self._every_row()} AND memory.seq = ANY(ARRAY({sides}))"
        return _rows_of(self.ask_at(positions, some, width=width))[0]

    def signals(
        self, positions: Positions, beside: Sequence[str], **values: Any
    ) -> tuple[Found, list[NDArray[Any]]]:
        """Those of some memories that take part, with all their signals, ascending; with the aggregated columns of
        further statements beside, as they come, by a single one."""
        if not len(positions):
            return Found.of([]), []
        names = [f"b{number}" for number in range(len(beside))]
        each = (f"{name} AS MATERIALIZED ({select})" for name, select in zip(names, beside, strict=True))
        # They come with the first memory alone.
        joined = self._session + _VECTOR + _WORDS
        joined += "".join(f" LEFT JOIN {name} ON memory.seq = %(first)s" for name in names)
        columns = "".join(f", {name}.*" for name in names)
        signals = _SIGNALS.format(columns=columns, joined=joined, wanted=self._wanted)
        whole = f"WITH {', '.join(each)} {signals}"
        rows = self._looked_up(whole, positions, first=int(positions[0]), **values).all()
        return Found.of([row[:_SIGNAL_COLUMNS] for row in rows]), _arrays(rows[0][_SIGNAL_COLUMNS:])

    def having(self, groups: Sequence[NDArray[np.uint32]], most: int) -> list[NDArray[Any]]:
        """Memories that take part and have every term of one of these groups, the first by `Having`'s order: their
        positions, kinds and valid times, and the place of a group that each has, once for each. The server puts the
        postings together, so that those of a common word are not sent."""
        counts = [len(group) for group in groups]
        its = (self._its_projects(), self._may_want_ended(), counts, self._session, self._wanted)
        statement = posting_rows.having(self.scope, *its)
        terms = {f"terms_{place}": Integers(group.view(np.int32)) for place, group in enumerate(groups)}
        row = self._fetch(statement, most=most, **terms).one()
        self.confirm(row[0])
        return _arrays(row[1:])

    def nearest(self, most: int, more: str, **values: Any) -> Positions:
        """Positions of the memories nearest in meaning that take part, all of them compared.

        `more`, `values`: a further condition and its parameters.
        """
        if self.vector is None:
            return np.empty(0, np.int64)
        return self.nearest_of([self.compared(more, self.meaning)], most, **values)

    def nearest_of(self, statements: Sequence[str], most: int, **values: Any) -> Positions:
        """Positions that some of the statements below find, by a single one."""
        each = (f"SELECT seq FROM ({statement}) AS n{number}" for number, statement in enumerate(statements))
        whole = f"SELECT array_agg(seq) FROM ({' UNION ALL '.join(each)}) AS near"
        return self.ask(whole, most=most, rough=rough(most), **values)[0].astype(np.int64)

    def compared(self, more: str, field: Field) -> str:
        """A statement for the memories nearest in a field that take part and fulfil a further condition, one by one."""
        near = {"table": field.table, "rows": field.rows, "distance": field.distance}
        return _NEAREST.format(joined=self._session, more=more, wanted=self._wanted, **near)

    def indexed(self, index: VectorIndex, field: Field) -> str:
        """The same for those in the range of an index, as that finds them."""
        near = {"table": field.table, "rows": field.rows}
        source = _NEAR.format(joined=self._session, more=index.condition, wanted=self._wanted, **near)
        return index.ordered(source, field)

    def counted_in(self, field: Field, ranges: Sequence[VectorIndex], most: int) -> list[int]:
        """How many vectors of the tenant each range holds, counted up to `most` + 1: all tenants share an index."""
        if not ranges:
            return []
        some = [_SOME.format(table=field.table, rows=field.rows, more=index.condition) for index in ranges]
        counts = ", ".join(f"(SELECT count(*) FROM ({each}) AS held)" for each in some)
        return list(self._fetch(f"SELECT {counts}", most=most + 1).one())

    def mentioning(self, names: Sequence[str], most: int) -> Positions:
        """Positions of memories that take part and mention entities: most of them first, then the newest."""
        statement = _MENTIONING.format(entities=ENTITIES, joined=self._session, wanted=self._wanted)
        return self.ask(statement, entities=list(names), most=most)[0].astype(np.int64)

    @property
    def every_mention(self) -> str:
        """A statement for the positions of memories that take part, once for each of `entities` that they mention."""
        return _MENTIONS.format(entities=ENTITIES, joined=self._session, wanted=self._wanted)

    def postings(self, terms: NDArray[np.uint32], of_probe: NDArray[np.uint32]) -> Postings:
        """Where some of the probe's terms occur, in ended versions too where the selection may want them."""
        row = self._fetch("".join(self._postings()), terms=Integers(terms.view(np.int32))).one()
        return self._postings_of(row, of_probe)

    def _postings_of(self, row: Sequence[Any], of_probe: NDArray[np.uint32]) -> Postings:
        """Postings from their row, which begins with the mark of active encoders, with terms of a probe."""
        self.confirm(row[0])
        position, session, length, term, times = _arrays(row[1:])
        return Postings(
            position=position.astype(np.int64),
            session=session.astype(np.int64),
            length=length.astype(np.int64),
            term=np.searchsorted(of_probe, term.astype(np.int32).view(np.uint32)),
            times=times.astype(np.uint8),
        )

    def _postings(self) -> tuple[str, str]:
        """The statement for the postings of `terms`, and what stands before it."""
        return posting_rows.of_terms(self.scope, self._its_projects(), self._may_want_ended(), self._timely)

    def _its_projects(self) -> str | None:
        """The parameter with the keys of the scope's projects as postings have them."""
        if self.projects is None:
            return None
        self._values["its_projects"] = Integers(np.array(self.projects, np.int32))
        return "%(its_projects)s"

    def _may_want_ended(self) -> str:
        """Whether versions ended on either axis can be selected: in history, or before an end still to come."""
        point = self.selection.as_of
        if self.selection.mode is not TemporalMode.CURRENT or point is None or point.valid is None:
            return "true"
        self._values["now"] = to_micros(point.valid)
        return posting_rows.ENDS_LATER

    def of_sessions(self, rows: Rows) -> tuple[str, dict[str, Any]]:
        """The statement for what `session_places` reads, with its values."""
        sessions = distinct(rows.session[rows.session != NO_SESSION]).values
        return _PLACES.format(timely=self._timely), {"sessions": Integers(sessions)}


def _rows_of(columns: Sequence[NDArray[Any]]) -> tuple[Rows, NDArray[np.int64]]:
    """Rows ascending by position, from the first columns of their statement, and the order that makes them so."""
    order = np.argsort(columns[0])
    named = zip(columns, _ROW_KINDS, strict=False)
    return Rows(*(each[order].astype(kind) for each, kind in named)), order


def _arrays(columns: Sequence[Any]) -> list[NDArray[Any]]:
    """Aggregated columns, of which one without rows is null."""
    return [np.empty(0, np.int64) if values is None else values for values in columns]
