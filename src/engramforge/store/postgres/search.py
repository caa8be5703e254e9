"""From a probe to candidates on the server: exact where few memories take part, by indexes where many do.

    few:  every memory that takes part -> strength -> candidates
    many: nearest by HNSW, best by postings, those of the asked days and speakers -> strength -> candidates

Both ways end in the same strength and the same choice as the other engine's scan. No state but statistics is kept in
the process, so that a cold one answers at once. What must not enter: SQL (queries.py), the final ranking.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.core.ragged import distinct, take_rows
from engramforge.model.candidates import Candidates, Corpus, Probe, Profile
from engramforge.model.scope import Scope
from engramforge.model.selection import Selection
from engramforge.model.time import TemporalMode
from engramforge.store.postgres import statistics, vector_index
from engramforge.store.postgres.queries import Asked
from engramforge.store.postgres.scoring import Means, Positions, Postings, Rows, Scores, choose, score
from engramforge.store.postgres.statistics import Statistics
from engramforge.store.postgres.wire import vector_text
from engramforge.store.schema import embedding_semantic, memory
from engramforge.store.schema import encoder as encoder_table
from engramforge.store.strength import (
    EPOCH_ORDINAL,
    MICROS_PER_DAY,
    WITH_ONE,
    quantise,
    strongest,
    ways_found,
)

DAYS_AFTER: Final = 20
"""How long after an asked day memories still gain by it enough to be looked for."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Where a search goes from exact to indexes.

    Parameters
    ----------
    exact_memories : up to how many memories that take part every one is scored.
    most_postings : how many postings of a question's words are read at most; the least telling terms are left out.
    nearest : how many of the nearest in meaning are taken.
    best_words : how many of the best by words are taken.
    of_days, of_speakers : how many of the nearest among those of the asked days, and by the named speakers.
    """

    exact_memories: int = 10_000
    most_postings: int = 60_000
    nearest: int = 300
    best_words: int = 1_000
    of_days: int = 300
    of_speakers: int = 300


class PostgresSearch:
    """Searches of one store.

    Parameters
    ----------
    encoder : gives the id of the encoders whose embeddings may be compared.
    options : see `SearchOptions`.
    """

    def __init__(self, encoder: Callable[[], str], options: SearchOptions) -> None:
        self._encoder = encoder
        self.options = options
        self._lock = threading.Lock()
        self._known: dict[Scope, Statistics] = {}
        self._encoder_keys: dict[str, int] = {}

    def corpus(self, connection: Connection, scope: Scope, terms: NDArray[np.uint32]) -> Corpus:
        """Live statistics of the scope's current memories for these terms."""
        known = self.statistics(connection, scope)
        return Corpus(known.profile.total, known.mean_length, known.frequencies_of(terms))

    def profile(self, connection: Connection, scope: Scope) -> Profile:
        """What the scope's current memories are like."""
        return self.statistics(connection, scope).profile

    def statistics(self, connection: Connection, scope: Scope) -> Statistics:
        """A scope's statistics, counted again when enough has changed."""
        newest = statistics.newest_change(connection, scope.tenant)
        with self._lock:
            known = self._known.get(scope)
        if known is None or not statistics.is_fresh(connection, scope, known, newest):
            known = statistics.count(connection, scope, newest)
            with self._lock:
                self._known[scope] = known
        return known

    def candidates(
        self, connection: Connection, scope: Scope, selection: Selection, probe: Probe
    ) -> Candidates:
        """The probe's candidates; see `Probe` and `Candidates`."""
        known = self.statistics(connection, scope)
        ascending = np.argsort(probe.terms, kind="stable")
        probe = replace(
            probe,
            terms=probe.terms[ascending],
            closeness=probe.closeness[ascending],
            owners=probe.owners[ascending],
        )
        asked = Asked(
            scope,
            selection,
            None if probe.vector is None else vector_text(quantise(probe.vector)),
            self._encoder_key(connection, scope),
            tuple(raw for name in probe.speakers for raw in known.raw_speakers.get(name, ())),
            projects=statistics.project_keys(connection, scope),
        )
        if probe.vector is None and not len(probe.terms):
            rows = asked.rows(connection, np.empty(0, np.int64))
            return self._gathered(
                connection, asked, probe, rows, score(rows, _no_postings(), probe, Means.over(rows))
            )
        if self._is_few(connection, asked, known):
            rows = asked.rows(connection)
            postings = asked.postings(connection, probe.terms, probe.terms).of(rows.position)
            scores = score(rows, postings, probe, Means.over(rows))
            return self._gathered(connection, asked, probe, rows, scores)
        return self._by_indexes(connection, asked, probe, known)

    def _encoder_key(self, connection: Connection, scope: Scope) -> int:
        name = self._encoder()
        if name not in self._encoder_keys:
            wanted = (encoder_table.c.tenant == scope.tenant, encoder_table.c.id == name)
            found = connection.execute(sa.select(encoder_table.c.seq).where(*wanted)).scalar()
            if found is None:
                return -1
            self._encoder_keys[name] = int(found)
        return self._encoder_keys[name]

    def _is_few(self, connection: Connection, asked: Asked, known: Statistics) -> bool:
        """Whether scoring every memory that takes part costs less than asking indexes."""
        most, total = self.options.exact_memories, known.profile.total
        if asked.selection.mode is TemporalMode.CURRENT and (total <= most or not asked.is_filtered):
            return total <= most
        return asked.counted(connection, most) <= most

    def _by_indexes(
        self, connection: Connection, asked: Asked, probe: Probe, known: Statistics
    ) -> Candidates:
        """The best of each way and the neighbours of the strongest, scored together."""
        means = Means(known.mean_length, known.mean_session_length, known.lengths_of)
        postings = asked.postings(connection, self._telling(probe, known), probe.terms)
        rows = self._best_of_each(connection, asked, probe, postings.best(probe, means))
        scores = score(rows, postings, probe, means)
        if probe.window:
            ranked, _ = strongest(scores.strength, rows.position, WITH_ONE)
            near = asked.neighbours(connection, rows.position[ranked[:WITH_ONE]], min(probe.window, 2))
            missing = rows.missing(near)
            if len(missing):
                rows = rows.joined(asked.rows(connection, missing))
                scores = score(rows, postings, probe, means)
        return self._gathered(connection, asked, probe, rows, scores)

    def _telling(self, probe: Probe, known: Statistics) -> NDArray[np.uint32]:
        """The probe's terms, ascending: the most telling ones, as many as the bound on postings lets in."""
        weights = probe.closeness * probe.word_weights[probe.owners]
        order = np.argsort(-weights, kind="stable")
        costs = np.cumsum(known.frequencies_of(probe.terms[order]))
        # The first is asked whatever it costs: without it nothing would be found by words at all.
        kept = order[(costs <= self.options.most_postings) | (np.arange(len(order)) == 0)]
        return np.sort(probe.terms[kept])

    def _near(self, connection: Connection, asked: Asked, probe: Probe) -> Positions:
        """Positions of the nearest in meaning: of all, of the asked days, by the named speakers."""
        options = self.options
        ranges = vector_index.standing(connection)
        found = [asked.nearest(connection, options.nearest, index=index) for index in ranges]
        beyond = embedding_semantic.c.memory_seq > (ranges[-1].upto if ranges else -1)
        found.append(asked.nearest(connection, options.nearest, more=(beyond,)))
        for start, end in probe.days:
            begin = (start - 1 - EPOCH_ORDINAL) * MICROS_PER_DAY
            after = (end + DAYS_AFTER - EPOCH_ORDINAL) * MICROS_PER_DAY
            days = (memory.c.valid_at >= begin, memory.c.valid_at < after)
            found.append(asked.nearest(connection, options.of_days, more=days))
        if asked.speakers:
            spoken = memory.c.speaker.in_(asked.speakers)
            found.append(asked.nearest(connection, options.of_speakers, more=(spoken,)))
        return distinct(np.concatenate(found)).values

    def _best_of_each(self, connection: Connection, asked: Asked, probe: Probe, best: Positions) -> Rows:
        """The nearest in meaning and the best by words; further down that list while filters leave too few of it."""
        wanted = self.options.best_words
        near = self._near(connection, asked, probe)
        rows = asked.rows(connection, distinct(np.concatenate((near, best[:wanted]))).values)
        got = int(np.isin(rows.position, best[:wanted]).sum())
        begin, size = wanted, wanted * 4
        while begin < len(best) and got < wanted:
            more = asked.rows(connection, np.sort(best[begin : begin + size]))
            rows, got = rows.joined(more), got + len(more)
            begin, size = begin + size, size * 4
        return rows

    def _gathered(
        self, connection: Connection, asked: Asked, probe: Probe, rows: Rows, scores: Scores
    ) -> Candidates:
        """The chosen rows with all their signals, in the order of sessions."""
        chosen, near = choose(rows, scores, probe)
        found = ways_found(rows.meaning[chosen], scores.words[chosen], np.isin(chosen, near), probe.per_way)
        kept = rows.at(chosen)
        places, sizes = asked.session_places(connection, kept)
        order = np.lexsort((kept.position, kept.sequence, kept.session))
        signals = asked.signals(connection, kept)
        ragged = {}
        for name in ("tokens", "terms", "counts", "intervals"):
            flat, lengths = signals.pop(name)
            ragged[name] = take_rows(flat, np.cumsum(lengths), order)
        return Candidates(
            position=kept.position[order],
            session=kept.session[order],
            sequence=kept.sequence[order],
            valid_at=kept.valid_at[order],
            session_place=places[order],
            session_size=sizes[order],
            session_words=scores.session_words[chosen][order],
            session_speaks=scores.session_speaks[chosen][order],
            found=found[order],
            tokens=ragged["tokens"][0],
            token_ends=ragged["tokens"][1],
            terms=ragged["terms"][0],
            term_ends=ragged["terms"][1],
            counts=ragged["counts"][0],
            intervals=ragged["intervals"][0].reshape(-1, 3),
            interval_ends=ragged["intervals"][1] // 3,
            speaker_names=signals.pop("speaker_names"),
            **{name: values[order] for name, values in signals.items()},
        )


def _no_postings() -> Postings:
    nothing = np.empty(0, np.int64)
    return Postings(nothing, nothing, nothing, nothing, np.empty(0, np.uint8))
