"""From a probe to candidates on the server: exact where few memories take part, by indexes where many do.

    few:  every memory that takes part -> strength -> candidates
    many: nearest by HNSW, best by postings, those of the asked days and speakers -> strength -> candidates

Both end in the same strength and choice as the other engine's scan. The process keeps only statistics, so a cold one
answers at once. The statements are in queries.py.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.core.arrays.ragged import distinct
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import CALIBRATIONS_MARK, Candidates, Ground, Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.time import EPOCH_ORDINAL, MICROS_PER_DAY, TemporalMode
from engramforge.store.postgres.search import statistics, vector_index
from engramforge.store.postgres.search.fields import Field, field_of
from engramforge.store.postgres.search.found import Found
from engramforge.store.postgres.search.parts_and_names import Beside, BesideQueries, Stored, nearest_in
from engramforge.store.postgres.search.queries import Asked
from engramforge.store.postgres.search.scoring import Means, Positions, Rows, Scores, choose, score
from engramforge.store.postgres.search.statistics import Reach, Statistics
from engramforge.store.postgres.wire import vector_text
from engramforge.store.reading.encoders import ENCODERS_MARK, check_encoders, encoders_of
from engramforge.store.schema import DIMENSION, entity, project
from engramforge.store.schema import encoder as encoder_table
from engramforge.store.scoring.parts import in_turns
from engramforge.store.scoring.strength import (
    WITH_ONE,
    bits_of,
    in_order,
    nearest_of,
    quantise,
    strongest,
    ways_found,
    with_mentions,
)

_NOTHING: Final[dict[str, NDArray[Any]]] = {
    "session_place": np.empty(0, np.int64),
    "session_size": np.empty(0, np.int64),
    "session_words": np.empty(0, np.float32),
    "session_speaks": np.empty(0, np.bool_),
    "found": np.empty(0, np.uint16),
}
_MARKS: Final = "SELECT key, value FROM mark WHERE tenant = %(tenant)s AND key = ANY(%(keys)s)"
DAYS_AFTER: Final = 20
"""How many days after an asked day memories still gain enough by it to be looked for."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """When a search uses indexes instead of exact comparison.

    Parameters
    ----------
    exact_memories : up to this many selected memories, all are scored.
    most_postings : the most postings read for a question's words; the least telling terms are left out.
    compared : up to how many vectors of the tenant in the range of an index are compared one by one.
    nearest : how many of the nearest in meaning are taken.
    best_words : how many of the best by words are taken.
    of_days, of_speakers : how many of the nearest among those of the asked days, and by the named speakers.
    """

    exact_memories: int = 10_000
    most_postings: int = 25_000
    compared: int = 3_000
    nearest: int = 100
    best_words: int = 350
    of_days: int = 100
    of_speakers: int = 100


class PostgresSearch:
    """Searches of one store.

    `encoder`: gives the id of the encoders whose embeddings may be compared. `options`: see `SearchOptions`.
    """

    def __init__(self, encoder: Callable[[], str], options: SearchOptions) -> None:
        self._encoder = encoder
        self.options = options
        self._lock = threading.Lock()
        self._known: dict[Scope, Statistics] = {}
        self._keys: dict[tuple[str, str, str], int] = {}
        self._filled: set[str] = set()

    def statistics(self, connection: Connection, scope: Scope) -> Statistics:
        """A scope's statistics, recounted once enough has changed."""
        reach = self._reach(connection, scope)
        newest = statistics.newest_change(connection, reach)
        with self._lock:
            known = self._known.get(scope)
        if known is None or not statistics.is_fresh(connection, reach, known, newest):
            known = statistics.count(connection, reach, newest)
            with self._lock:
                self._known[scope] = known
        return known

    def candidates(
        self, connection: Connection, scope: Scope, selection: Selection, probe: Probe, known: Statistics
    ) -> Candidates:
        """The probe's candidates, weighed by statistics; see `Probe` and `Candidates`."""
        probe = in_order(probe)
        vector = None if probe.vector is None else quantise(probe.vector)
        asked = self._asked(connection, scope, selection, probe, _raw_speakers(probe, known))
        beside = self._beside(connection, scope, asked, probe)
        asks_nothing = vector is None and not len(probe.terms) and not probe.entities
        if asks_nothing and not any(part.scans for part in probe.parts):
            nothing = np.empty(0, np.int64)
            mentioned = np.empty(0, np.float32) if probe.entities else None
            empty = {**_NOTHING, "mentioned": mentioned}
            return asked.signals(nothing).candidates(nothing, beside.batches({}, nothing), **empty)
        if self._is_few(asked, selection, known):
            return _by_all(asked, beside, probe)
        return self._by_indexes(connection, asked, beside, probe, vector, known)

    def nearest(
        self, connection: Connection, scope: Scope, selection: Selection, probe: Probe
    ) -> dict[int, float]:
        """The memories nearest to a probe's vector; see the door."""
        asked = self._asked(connection, scope, selection, probe)
        if probe.vector is None:
            return {}
        ranges = vector_index.of_field(vector_index.standing(connection, [Space.SEMANTIC]), asked.meaning)
        near = nearest_in(asked, asked.meaning, ranges, probe.most, self.options.compared, self._filled)
        rows = asked.signals(distinct(np.concatenate(near)).values).rows(quantise(probe.vector), ())
        return nearest_of(rows.position, rows.meaning, probe.most)

    def _asked(
        self,
        connection: Connection,
        scope: Scope,
        selection: Selection,
        probe: Probe,
        speakers: tuple[str, ...] = (),
    ) -> Asked:
        """The question with its names resolved."""
        active = encoders_of(read_marks(connection, scope.tenant).get(ENCODERS_MARK))
        check_encoders(probe, active, self._encoder())
        reach = self._reach(connection, scope)
        return Asked(
            connection,
            scope,
            selection,
            vector=None if probe.vector is None else vector_text(quantise(probe.vector)),
            meaning=self._meaning(connection, scope, probe, active),
            encoder=reach.encoder,
            speakers=speakers,
            projects=reach.projects,
        )

    def _meaning(
        self, connection: Connection, scope: Scope, probe: Probe, active: Mapping[Space, ActiveEncoder]
    ) -> Field:
        chosen = active.get(Space.SEMANTIC)
        encoder = self._encoder() if chosen is None else chosen.id
        key = self._key_of(connection, scope, encoder_table.c.id, encoder)
        size = DIMENSION if chosen is None else chosen.size
        if probe.vector is not None:
            size = len(probe.vector)
        return field_of(Space.SEMANTIC, -1 if key is None else key, encoder, 1, size)

    def _beside(self, connection: Connection, scope: Scope, asked: Asked, probe: Probe) -> BesideQueries:
        """What is asked beyond meaning and words, with encoders and names looked up."""
        fields: list[Field | None] = []
        for part in probe.parts:
            key = self._key_of(connection, scope, encoder_table.c.id, part.encoder)
            shape = (len(part.values), part.values.size)
            fields.append(None if key is None else field_of(part.space, key, part.encoder, *shape))
        entities = np.empty(0, np.int64)
        if probe.entities:
            named = entity.c.name == sa.func.any(sa.cast(list(set(probe.entities)), sa.ARRAY(sa.Text)))
            keys = sa.select(entity.c.seq).where(entity.c.tenant == scope.tenant, named)
            entities = np.array(list(connection.execute(keys).scalars()), np.int64)
        return BesideQueries(asked, probe, fields, entities)

    def _reach(self, connection: Connection, scope: Scope) -> Reach:
        """The scope with its names resolved; resolved names are cached."""
        encoder = self._key_of(connection, scope, encoder_table.c.id, self._encoder())
        if scope.projects is None:
            return Reach(scope, None, -1 if encoder is None else encoder)
        keys = [self._key_of(connection, scope, project.c.name, name) for name in scope.projects]
        projects = tuple(key for key in keys if key is not None)
        return Reach(scope, projects, -1 if encoder is None else encoder)

    def _key_of(self, connection: Connection, scope: Scope, column: sa.Column[str], name: str) -> int | None:
        known = (scope.tenant, column.table.name, name)
        if known not in self._keys:
            whose = (column.table.c.tenant == scope.tenant, column == name)
            found = connection.execute(sa.select(column.table.c.seq).where(*whose)).scalar()
            if found is None:
                return None
            self._keys[known] = int(found)
        return self._keys[known]

    def _is_few(self, asked: Asked, selection: Selection, known: Statistics) -> bool:
        """Whether scoring every memory that takes part costs less than asking indexes."""
        most, total = self.options.exact_memories, known.profile.total
        if selection.mode is TemporalMode.CURRENT and (total <= most or not asked.is_filtered):
            return total <= most
        return asked.counted(most) <= most

    def _by_indexes(
        self,
        connection: Connection,
        asked: Asked,
        beside: BesideQueries,
        probe: Probe,
        vector: NDArray[np.int8] | None,
        known: Statistics,
    ) -> Candidates:
        """The best of each way and the neighbours of the strongest, scored together."""
        means = Means(known.corpus.mean_length, known.mean_session_length, known.lengths_of)
        speakers = _raw_speakers(probe, known)
        postings = asked.postings(self._telling(probe, known), probe.terms)
        near = self._near(connection, asked, beside, probe, speakers)
        found = self._best_of_each(asked, near, postings.best(probe, means))
        rows, stored = found.rows(vector, speakers), beside.stored(found.position)
        others = beside.exact(stored, found.position)
        scores = score(rows, postings, probe, means, others.scores)
        if probe.window and len(rows):
            ranked, _ = strongest(scores.strength, rows.position, WITH_ONE)
            around = asked.neighbours(rows.position[ranked[:WITH_ONE]], min(probe.window, 2))
            missing = rows.missing(around)
            if len(missing):
                more = asked.signals(missing)
                found = found.joined(more)
                rows = found.rows(vector, speakers)
                for space, parts in beside.stored(more.position).items():
                    stored.setdefault(space, {}).update(parts)
                others = beside.exact(stored, found.position)
                scores = score(rows, postings, probe, means, others.scores)
        return _chosen(asked, beside, probe, rows, scores, others, found, stored)

    def _telling(self, probe: Probe, known: Statistics) -> NDArray[np.uint32]:
        """The probe's terms, ascending: the most telling ones, as many as the bound on postings lets in."""
        weights = probe.closeness * probe.word_weights[probe.owners]
        order = np.argsort(-weights, kind="stable")
        costs = np.cumsum(known.corpus.frequencies(probe.terms[order]))
        # The first is used whatever it costs, or nothing would be found by words at all.
        kept = order[(costs <= self.options.most_postings) | (np.arange(len(order)) == 0)]
        return np.sort(probe.terms[kept])

    def _near(
        self,
        connection: Connection,
        asked: Asked,
        beside: BesideQueries,
        probe: Probe,
        speakers: tuple[str, ...],
    ) -> Positions:
        """Positions of the nearest in meaning (of all, of the asked days, by the named speakers) and in other ways."""
        options = self.options
        spaces = [Space.SEMANTIC, *(part.space for part in probe.parts if part.scans)]
        ranges = vector_index.standing(connection, spaces)
        most, compared = options.nearest, options.compared
        found = [beside.nearest(ranges, most, compared, options.best_words, self._filled)]
        if probe.vector is not None:
            mine = vector_index.of_field(ranges, asked.meaning)
            found += nearest_in(asked, asked.meaning, mine, most, compared, self._filled)
            for start, end in probe.days:
                begin = (start - 1 - EPOCH_ORDINAL) * MICROS_PER_DAY
                after = (end + DAYS_AFTER - EPOCH_ORDINAL) * MICROS_PER_DAY
                days = "memory.valid_at >= %(begin)s AND memory.valid_at < %(after)s"
                found.append(asked.nearest(options.of_days, days, begin=begin, after=after))
            if speakers:
                found.append(asked.nearest(options.of_speakers, "memory.speaker = ANY(%(speakers)s)"))
        return distinct(np.concatenate(found)).values

    def _best_of_each(self, asked: Asked, near: Positions, best: Positions) -> Found:
        """The nearest in meaning and the best by words, going further down the list while filters leave too few."""
        wanted = self.options.best_words
        found = asked.signals(distinct(np.concatenate((near, best[:wanted]))).values)
        got = int(np.isin(found.position, best[:wanted]).sum())
        begin, size = wanted, wanted * 4
        while begin < len(best) and got < wanted:
            more = asked.signals(np.sort(best[begin : begin + size]))
            found, got = found.joined(more), got + len(more)
            begin, size = begin + size, size * 4
        return found


@dataclass(slots=True)
class ViewSearch:
    """The search of one view, by one set of statistics.

    `reading`: gives a connection at a moment of the scope.
    """

    search: PostgresSearch
    scope: Scope
    reading: Callable[[Scope], AbstractContextManager[Connection]]
    known: Statistics | None = None
    told: Ground | None = None

    def ground(self) -> Ground:
        """What has to be known before a question is asked; read once."""
        if self.told is None:
            with self.reading(self.scope) as connection:
                self.known = self.search.statistics(connection, self.scope)
                marks = read_marks(connection, self.scope.tenant)
            active = encoders_of(marks.get(ENCODERS_MARK))
            calibrations = json.loads(marks.get(CALIBRATIONS_MARK, "null"))
            self.told = Ground(self.known.profile, self.known.corpus, active, calibrations)
        return self.told

    def candidates(self, connection: Connection, selection: Selection, probe: Probe) -> Candidates:
        """The candidates of a probe."""
        if self.known is None:
            self.known = self.search.statistics(connection, self.scope)
        return self.search.candidates(connection, self.scope, selection, probe, self.known)

    def nearest(self, connection: Connection, selection: Selection, probe: Probe) -> dict[int, float]:
        """The memories nearest to a probe's vector."""
        return self.search.nearest(connection, self.scope, selection, probe)


def read_marks(connection: Connection, tenant: str) -> dict[str, str]:
    """The marks of active encoders and calibrations, by a statement that is not built anew each time."""
    values = {"tenant": tenant, "keys": [ENCODERS_MARK, CALIBRATIONS_MARK]}
    return dict(connection.exec_driver_sql(_MARKS, values).all())


def _raw_speakers(probe: Probe, known: Statistics) -> tuple[str, ...]:
    """The probe's speakers, as written in memories."""
    return tuple(raw for name in probe.speakers for raw in known.raw_speakers.get(name, ()))


def _by_all(asked: Asked, beside: BesideQueries, probe: Probe) -> Candidates:
    """Every memory that takes part, scored."""
    rows = asked.rows()
    postings = asked.postings(probe.terms, probe.terms).of(rows.position)
    others = beside.scores(rows.position)
    scores = score(rows, postings, probe, Means.over(rows), others.scores)
    return _chosen(asked, beside, probe, rows, scores, others)


def _chosen(
    asked: Asked,
    beside: BesideQueries,
    probe: Probe,
    rows: Rows,
    scores: Scores,
    others: Beside,
    found: Found | None = None,
    stored: Stored | None = None,
) -> Candidates:
    """The candidates among scored rows as a batch, with what they scored.

    `found`, `stored`: signals and parts of all rows, where they were read before; else those of the chosen are read.
    """
    ways = others.ways(probe, scores.strength, rows.position)
    chosen, around = choose(rows, scores, probe, in_turns([places for _, places in ways]))
    rows, scores, mentioned = rows.at(chosen), scores.at(chosen), others.at(chosen).mentioned
    batches = beside.batches(beside.stored(rows.position) if stored is None else stored, rows.position)
    found = asked.signals(rows.position) if found is None else found.at(chosen)
    places, sizes = asked.session_places(rows)
    is_neighbour = np.isin(chosen, around)
    bits = ways_found(rows.meaning, scores.words, is_neighbour, probe.per_way, bits_of(ways, chosen))
    if mentioned is not None:
        bits = with_mentions(bits, mentioned)
    return found.candidates(
        np.arange(len(found)),
        batches,
        session_place=places,
        session_size=sizes,
        session_words=scores.session_words,
        session_speaks=scores.session_speaks,
        found=bits,
        mentioned=mentioned,
    )
