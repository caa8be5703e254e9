"""From a probe to candidates on the server: exact where few memories take part, by indexes where many do.

    few:  every memory that takes part -> strength -> candidates
    many: nearest by HNSW, best by postings, those of the asked days and speakers -> strength -> candidates

Both end in the same strength and choice as the other engine's scan. The process keeps only statistics, so a cold one
answers at once. The statements are in queries.py.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.core.arrays.ragged import distinct
from engramforge.model.embeddings.part import QueryPart
from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import Candidates, Having, Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.time import EPOCH_ORDINAL, MICROS_PER_DAY, TemporalMode
from engramforge.store.postgres.search import statistics, vector_index
from engramforge.store.postgres.search.fields import Field, field_of
from engramforge.store.postgres.search.found import Found
from engramforge.store.postgres.search.parts_and_names import (
    Beside,
    BesideQueries,
    nearest_in,
    nearest_of_levels,
    stored_of,
)
from engramforge.store.postgres.search.queries import Asked
from engramforge.store.postgres.search.scoring import (
    Means,
    Positions,
    Rows,
    Scores,
    choose,
    score,
    session_places,
)
from engramforge.store.postgres.search.statistics import State, Statistics
from engramforge.store.postgres.wire import vector_text
from engramforge.store.reading.encoders import check_encoders, encoders_of
from engramforge.store.rows import KIND_CODE
from engramforge.store.schema import DIMENSION
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
_ASKS_NOTHING: Final = Probe(
    None, np.empty(0, np.uint32), np.empty(0, np.float32), np.empty(0, np.int32), np.empty(0, np.float32)
)
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
        self._filled: set[str] = set()

    def kept(self, scope: Scope) -> Statistics | None:
        """A scope's statistics as they were last counted."""
        with self._lock:
            return self._known.get(scope)

    def statistics(self, connection: Connection, scope: Scope) -> tuple[Statistics, State]:
        """A scope's statistics, recounted once enough has changed, with what was looked at for that."""
        known = self.kept(scope)
        row = connection.exec_driver_sql(*statistics.state_statement(scope, known)).one()
        state = statistics.state_of(row, scope)
        if known is None or not statistics.is_fresh(known, state):
            known = statistics.count(connection, state.reach(scope, self._encoder()), state.newest)
            with self._lock:
                self._known[scope] = known
        return known, state

    def candidates(
        self,
        connection: Connection,
        scope: Scope,
        selection: Selection,
        probe: Probe,
        known: Statistics,
        state: State,
    ) -> Candidates:
        """The probe's candidates, weighed by statistics; see `Probe` and `Candidates`."""
        probe = in_order(probe)
        asked = self._asked(connection, scope, selection, probe, state, _raw_speakers(probe, known))
        beside = BesideQueries(asked, probe, [_field_of(part, state) for part in probe.parts])
        asks_nothing = probe.vector is None and not len(probe.terms) and not probe.entities
        if asks_nothing and not any(part.scans for part in probe.parts):
            nothing = np.empty(0, np.int64)
            return Found.of([]).candidates(beside.batches({}, nothing), **_NOTHING)
        if state.last <= self.options.exact_memories or self._is_few(asked, selection, known):
            return _by_all(asked, beside)
        return self._by_indexes(connection, asked, beside, probe, known)

    def nearest(
        self, connection: Connection, scope: Scope, selection: Selection, probe: Probe
    ) -> dict[int, float]:
        """The memories nearest to a probe's vector; see the door."""
        row = connection.exec_driver_sql(*statistics.state_statement(scope, None)).one()
        state = statistics.state_of(row, scope)
        asked = self._asked(connection, scope, selection, probe, state)
        if probe.vector is None:
            return {}
        ranges = vector_index.of_field(vector_index.standing(connection, [Space.SEMANTIC]), asked.meaning)
        near = nearest_in(asked, asked.meaning, ranges, probe.most, self.options.compared, self._filled)
        rows = asked.rows(distinct(near).values)
        return nearest_of(rows.position, rows.meaning, probe.most)

    def near_of_levels(
        self, connection: Connection, scope: Scope, selection: Selection, probe: Probe
    ) -> dict[Level, Positions]:
        """What is nearest to a probe's vector in each level that is large; see the door."""
        known = self.kept(scope)
        if probe.vector is None or known is None or known.profile.total <= self.options.exact_memories:
            return {}
        row = connection.exec_driver_sql(*statistics.state_statement(scope, None)).one()
        asked = self._asked(connection, scope, selection, probe, statistics.state_of(row, scope))
        ranges = vector_index.of_field(vector_index.standing(connection, [Space.SEMANTIC]), asked.meaning)
        bounds = self.options.nearest, self.options.compared
        return nearest_of_levels(asked, asked.meaning, ranges, *bounds, self._filled)

    def having(
        self,
        connection: Connection,
        scope: Scope,
        selection: Selection,
        groups: Sequence[NDArray[np.uint32]],
        most: int,
    ) -> Having:
        """Memories that have every term of one of these groups; see the door."""
        row = connection.exec_driver_sql(*statistics.state_statement(scope, None)).one()
        asked = self._asked(connection, scope, selection, _ASKS_NOTHING, statistics.state_of(row, scope))
        position, kind, valid_at, group = asked.having(groups, most)
        found = distinct(position.astype(np.int64))
        has = np.zeros((len(groups), len(found.values)), np.bool_)
        has[group.astype(np.int64), found.places] = True
        kinds, since = np.zeros(len(found.values), np.uint8), np.zeros(len(found.values), np.int64)
        kinds[found.places] = [KIND_CODE[each] for each in kind]
        since[found.places] = valid_at
        return Having(found.values, kinds, since, has)

    def _asked(
        self,
        connection: Connection,
        scope: Scope,
        selection: Selection,
        probe: Probe,
        state: State,
        speakers: tuple[str, ...] = (),
    ) -> Asked:
        """The question with its names resolved."""

        def confirm(mark: str | None) -> None:
            check_encoders(probe, encoders_of(mark), self._encoder())

        confirm(state.encoders)
        reach = state.reach(scope, self._encoder())
        return Asked(
            connection,
            scope,
            selection,
            vector=None if probe.vector is None else vector_text(quantise(probe.vector)),
            meaning=self._meaning(probe, state),
            encoder=reach.encoder,
            speakers=speakers,
            projects=reach.projects,
            confirm=confirm,
        )

    def _meaning(self, probe: Probe, state: State) -> Field:
        chosen = encoders_of(state.encoders).get(Space.SEMANTIC)
        encoder = self._encoder() if chosen is None else chosen.id
        size = DIMENSION if chosen is None else chosen.size
        if probe.vector is not None:
            size = len(probe.vector)
        return field_of(Space.SEMANTIC, state.encoder_keys.get(encoder, -1), encoder, 1, size)

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
        known: Statistics,
    ) -> Candidates:
        """The best of each way and the neighbours of the strongest, scored together."""
        means = Means(known.corpus.mean_length, known.mean_session_length, known.lengths_of)
        speakers = _raw_speakers(probe, known)
        postings = asked.postings(self._telling(probe, known), probe.terms)
        near = self._near(connection, asked, beside, probe, speakers)
        rows = self._best_of_each(asked, near, postings.best(probe, means))
        stored = beside.stored(rows.position)
        others = beside.exact(stored, rows.position)
        scores = score(rows, postings, probe, means, others.scores)
        if probe.window and len(rows):
            ranked, _ = strongest(scores.strength, rows.position, WITH_ONE)
            around = asked.rows_around(rows.position[ranked[:WITH_ONE]], min(probe.window, 2))
            missing = rows.missing(around.position)
            if len(missing):
                rows = rows.joined(around)
                for space, parts in beside.stored(missing).items():
                    stored.setdefault(space, {}).update(parts)
                others = beside.exact(stored, rows.position)
                scores = score(rows, postings, probe, means, others.scores)
        return _chosen(asked, beside, rows, scores, others)

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
        known = None if probe.near is None else probe.near()
        spaces = [*beside.scanned, *([Space.SEMANTIC] if known is None else [])]
        ranges = vector_index.standing(connection, spaces) if spaces else []
        most, compared = options.nearest, options.compared
        found = [beside.nearest(ranges, most, compared, options.best_words, self._filled)]
        if probe.vector is not None:
            if known is None:
                mine = vector_index.of_field(ranges, asked.meaning)
                known = nearest_in(asked, asked.meaning, mine, most, compared, self._filled)
            found.append(known)
            for start, end in probe.days:
                begin = (start - 1 - EPOCH_ORDINAL) * MICROS_PER_DAY
                after = (end + DAYS_AFTER - EPOCH_ORDINAL) * MICROS_PER_DAY
                days = "memory.valid_at >= %(begin)s AND memory.valid_at < %(after)s"
                found.append(asked.nearest(options.of_days, days, begin=begin, after=after))
            if speakers:
                found.append(asked.nearest(options.of_speakers, "memory.speaker = ANY(%(speakers)s)"))
        return distinct(np.concatenate(found)).values

    def _best_of_each(self, asked: Asked, near: Positions, best: Positions) -> Rows:
        """The nearest in meaning and the best by words, going further down the list while filters leave too few."""
        wanted = self.options.best_words
        found = asked.rows(distinct(np.concatenate((near, best[:wanted]))).values)
        got = int(np.isin(found.position, best[:wanted]).sum())
        begin, size = wanted, wanted * 4
        while begin < len(best) and got < wanted:
            more = asked.rows(best[begin : begin + size])
            found, got = found.joined(more), got + len(more)
            begin, size = begin + size, size * 4
        return found


def _field_of(part: QueryPart, state: State) -> Field | None:
    """What a part of a probe is compared with; None if the store has nothing by its encoder."""
    key = state.encoder_keys.get(part.encoder)
    shape = (len(part.values), part.values.size)
    return None if key is None else field_of(part.space, key, part.encoder, *shape)


def _raw_speakers(probe: Probe, known: Statistics) -> tuple[str, ...]:
    """The probe's speakers, as written in memories."""
    return tuple(raw for name in probe.speakers for raw in known.raw_speakers.get(name, ()))


def _by_all(asked: Asked, beside: BesideQueries) -> Candidates:
    """Every memory that takes part, scored."""
    rows, postings, others = beside.whole()
    scores = score(rows, postings, beside.probe, Means.over(rows), others.scores)
    return _chosen(asked, beside, rows, scores, others)


def _chosen(asked: Asked, beside: BesideQueries, rows: Rows, scores: Scores, others: Beside) -> Candidates:
    """The candidates among scored rows as a batch, with what they scored; all their signals are read now."""
    probe = beside.probe
    ways = others.ways(probe, scores.strength, rows.position)
    chosen, around = choose(rows, scores, probe, in_turns([places for _, places in ways]))
    rows, scores, mentioned = rows.at(chosen), scores.at(chosen), others.at(chosen).mentioned
    sessions, values = asked.of_sessions(rows)
    selects = [select for select in (sessions, beside.every_part) if select]
    found, columns = asked.signals(rows.position, selects, **values)
    in_sessions, stored = columns[:3], stored_of(columns[3:]) if columns[3:] else {}
    places, sizes = session_places(rows, in_sessions)
    batches = beside.batches(stored, rows.position)
    is_neighbour = np.isin(chosen, around)
    bits = ways_found(rows.meaning, scores.words, is_neighbour, probe.per_way, bits_of(ways, chosen))
    if mentioned is not None:
        bits = with_mentions(bits, mentioned)
    return found.candidates(
        batches,
        session_place=places,
        session_size=sizes,
        session_words=scores.session_words,
        session_speaks=scores.session_speaks,
        found=bits,
        mentioned=mentioned,
    )
