"""Live statistics of a scope: in how many memories each term occurs, who speaks, how long memories and sessions are.

Counted from the memories' words and the memory table, and kept by the process until enough has changed (any change in a
small scope, 1 % of the memories in a large one), so that questions need not recount all postings after every write.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.core.arrays.ragged import places_among
from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import Corpus, Profile
from engramforge.model.time import EPOCH_ORDINAL, MICROS_PER_DAY
from engramforge.store.postgres.schema import LENGTH, posting
from engramforge.store.postgres.wire import Integers, among, fetch_arrays
from engramforge.store.reading.predicates import CURRENT, together, visible
from engramforge.store.schema import embedding_words, memory, removal

AT_ONCE_ROWS: Final = 10_000
"""Up to how many memories every change counts at once."""
_RECENT_CHANGES: Final = 1_000
"""How many change numbers back to look for a write that was numbered before others but committed after them."""
TOLERANCE: Final = 0.01
"""What share of a larger scope may have changed before it is counted again."""


_NEWEST: Final = (
    "SELECT greatest((SELECT max(change) FROM memory WHERE tenant = %(tenant)s),"
    " (SELECT max(change) FROM removal WHERE tenant = %(tenant)s), 0)"
)
_NEWEST_OF_PROJECTS: Final = (
    "SELECT greatest(max(written.change), max(removed.change), 0) FROM unnest(%(projects)s) AS key,"
    " LATERAL (SELECT max(change) AS change FROM memory"
    " WHERE memory.tenant = %(tenant)s AND memory.project_seq = key) AS written,"
    " LATERAL (SELECT max(change) AS change FROM removal"
    " WHERE removal.tenant = %(tenant)s AND removal.project_seq = key) AS removed"
)
_COUNTED_HERE: Final = 1_000_000
"""Up to this many memories, terms are counted in this process, which is faster but transfers all of them."""


@dataclass(frozen=True, slots=True)
class Reach:
    """A scope with its names looked up.

    `projects`: keys of the scope's projects, or None for all. `encoder`: the key of the encoder whose words count.
    """

    scope: Scope
    projects: tuple[int, ...] | None
    encoder: int

    def admits(self) -> list[sa.ColumnElement[bool]]:
        """The scope's predicate on the memory table."""
        return [visible(replace(self.scope, projects=None)), *self.within(memory)]

    def within(self, table: sa.Table) -> list[sa.ColumnElement[bool]]:
        """Whose rows of a table with projects."""
        whose: list[sa.ColumnElement[bool]] = [table.c.tenant == self.scope.tenant]
        if self.projects is not None:
            whose.append(among(table.c.project_seq, np.array(self.projects, np.int64)))
        return whose


@dataclass(frozen=True, slots=True)
class Statistics:
    """What was counted of a scope's current memories.

    Parameters
    ----------
    change : the newest change included.
    recent : how many rows had one of the newest change numbers, if writes were under way; None if none were.
    raw_speakers : folded name -> the names as they are written.
    sessions, session_lengths : int64, ascending session keys and their term occurrences.
    apart : memories without a session.
    """

    change: int
    recent: int | None
    profile: Profile
    corpus: Corpus
    raw_speakers: dict[str, tuple[str, ...]]
    sessions: NDArray[np.int64]
    session_lengths: NDArray[np.int64]
    apart: int

    @property
    def mean_session_length(self) -> float:
        """Mean term occurrences of a session; a memory without one is one."""
        return self.corpus.length / max(len(self.sessions) + self.apart, 1)

    def lengths_of(self, sessions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Term occurrences of these sessions; the mean for one that is newer than the count."""
        lengths = np.append(self.session_lengths, int(self.mean_session_length))
        return lengths[places_among(self.sessions, sessions)]


def newest_change(connection: Connection, reach: Reach) -> int:
    """The number of the newest change in the scope's projects."""
    values: dict[str, Any] = {"tenant": reach.scope.tenant}
    if reach.projects is None:
        return int(connection.exec_driver_sql(_NEWEST, values).scalar_one())
    values["projects"] = Integers(np.array(reach.projects, np.int64))
    return int(connection.exec_driver_sql(_NEWEST_OF_PROJECTS, values).scalar_one() or 0)


def is_fresh(connection: Connection, reach: Reach, known: Statistics, newest: int) -> bool:
    """Whether kept statistics still serve."""
    is_small = known.profile.total < AT_ONCE_ROWS
    if known.change == newest:
        return known.recent is None or not is_small or known.recent == _recent(connection, reach, newest)
    if is_small:
        return False
    most = int(known.profile.total * TOLERANCE)
    changed = 0
    for table in (memory, removal):
        since = sa.select(sa.literal(1)).where(*reach.within(table), table.c.change > known.change)
        counted = sa.select(sa.func.count()).select_from(since.limit(most + 1).subquery())
        changed += int(connection.execute(counted).scalar_one())
    return changed <= most


def _recent(connection: Connection, reach: Reach, newest: int) -> int:
    """How many rows have one of the newest change numbers, which grows if a slow write has committed since."""
    found = 0
    for table in (memory, removal):
        numbered = (*reach.within(table), table.c.change > newest - _RECENT_CHANGES)
        found += int(connection.execute(sa.select(sa.func.count()).where(*numbered)).scalar_one())
    return found


def count(connection: Connection, reach: Reach, newest: int) -> Statistics:
    """Count a scope's current memories."""
    # Days are counted from year 1, since division rounds towards zero.
    day = (memory.c.valid_at + EPOCH_ORDINAL * MICROS_PER_DAY) // MICROS_PER_DAY - EPOCH_ORDINAL
    key = sa.func.coalesce(memory.c.session_seq, -1)
    grouped = (
        sa.select(key, memory.c.speaker, day, sa.func.count(), sa.func.sum(LENGTH))
        .where(*CURRENT, *reach.admits())
        .group_by(sa.text("1"), sa.text("2"), sa.text("3"))
    )
    # Transactions under way, which this snapshot does not see, may have change numbers already.
    others_write = connection.exec_driver_sql("SELECT EXISTS (SELECT pg_snapshot_xip(pg_current_snapshot()))")
    recent = _recent(connection, reach, newest) if others_write.scalar_one() else None
    rows = connection.execute(grouped).all()
    lengths: dict[int, int] = {}
    speakers: dict[str, set[str]] = {}
    days = set()
    total = apart = 0
    for session, speaker, day, number, length in rows:
        lengths[session] = lengths.get(session, 0) + int(length)
        days.add(int(day))
        total += number
        apart += number if session < 0 else 0
        if speaker:
            speakers.setdefault(speaker.casefold(), set()).add(speaker)
    length = sum(lengths.values())
    lengths.pop(-1, None)
    keys = sorted(lengths)
    years = np.array(sorted(days), "datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970
    return Statistics(
        change=newest,
        recent=recent,
        profile=Profile(total, tuple(sorted(speakers)), tuple(dict.fromkeys(years.tolist()))),
        raw_speakers={name: tuple(sorted(names)) for name, names in speakers.items()},
        corpus=Corpus(total, length, *_term_counts(connection, reach, total)),
        sessions=np.array(keys, np.int64),
        session_lengths=np.array([lengths[key] for key in keys], np.int64),
        apart=apart,
    )


def _term_counts(
    connection: Connection, reach: Reach, total: int
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """Terms of current memories, ascending, and in how many each occurs."""
    if total > _COUNTED_HERE:
        return _term_counts_there(connection, reach)
    words = embedding_words
    its_words = sa.and_(together(words.c.memory_seq, memory.c.seq), words.c.encoder_seq == reach.encoder)
    every = (
        sa.select(sa.func.string_agg(words.c.terms, sa.literal_column("CAST('' AS bytea)")))
        .select_from(memory.join(words, its_words))
        .where(*CURRENT, *reach.admits())
    )
    # A memory has each of its terms once, so a term's occurrences equal its number of memories.
    terms = np.sort(np.frombuffer(connection.execute(every).scalar() or b"", np.uint32))
    ends = np.flatnonzero(np.append(terms[1:] != terms[:-1], len(terms) > 0))
    return terms[ends], np.diff(ends, prepend=-1).astype(np.int64)


def _term_counts_there(connection: Connection, reach: Reach) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The same, counted by the server from postings."""
    counted = sa.select(posting.c.term, sa.func.count().label("number")).where(
        posting.c.tenant == reach.scope.tenant, posting.c.closed.is_(False)
    )
    if reach.projects is not None:
        counted = counted.where(among(posting.c.project_seq, np.array(reach.projects, np.int32)))
    if has_hidden(connection, reach.scope):
        counted = counted.join(memory, together(memory.c.seq, posting.c.memory_seq)).where(*reach.admits())
    grouped = counted.group_by(posting.c.term).subquery()
    arrays = fetch_arrays(
        connection,
        {"term": grouped.c.term, "number": grouped.c.number},
        sa.select(sa.literal(1)).select_from(grouped),
    )
    terms = arrays["term"].astype(np.int32).view(np.uint32)
    order = np.argsort(terms)
    return terms[order], arrays["number"].astype(np.int64)[order]


def has_hidden(connection: Connection, scope: Scope) -> bool:
    """Whether the tenant has memories that the scope does not admit, whatever their project."""
    whose = memory.c.tenant == scope.tenant
    hidden: list[sa.ColumnElement[bool]] = []
    for level in Level:
        if level not in scope.levels:
            hidden.append(memory.c.level == str(level))
        elif level is Level.PERSONAL and not scope.every_agent:
            hidden.append(sa.and_(memory.c.level == str(level), memory.c.agent < scope.agent))
            hidden.append(sa.and_(memory.c.level == str(level), memory.c.agent > scope.agent))
    # Each by itself, so that an index can answer it; together they take a single round trip.
    each = [sa.exists().where(whose, element) for element in hidden]
    return bool(each) and bool(connection.execute(sa.select(sa.or_(*each))).scalar_one())
