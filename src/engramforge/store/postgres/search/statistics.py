"""Live statistics of a scope: in how many memories each term occurs, who speaks, how long memories and sessions are.

Counted from the memories' words and the memory table, and kept by the process until enough has changed (any change in a
small scope, 1 % of the memories in a large one), so that questions need not recount all postings after every write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.core.arrays.ragged import places_among
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import CALIBRATIONS_MARK, Corpus, Profile
from engramforge.model.time import EPOCH_ORDINAL, MICROS_PER_DAY
from engramforge.store.postgres.schema import LENGTH, posting
from engramforge.store.postgres.search.posting_rows import hidden, level_codes
from engramforge.store.postgres.wire import among, fetch_arrays
from engramforge.store.reading.encoders import ENCODERS_MARK
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
_NAMED: Final = "project.tenant = %(tenant)s AND project.name = ANY(CAST(%(names)s AS text[]))"
_NEWEST_OF_PROJECTS: Final = (
    "SELECT greatest(max(written.change), max(removed.change), 0) FROM project,"
    " LATERAL (SELECT max(change) AS change FROM memory"
    " WHERE memory.tenant = project.tenant AND memory.project_seq = project.seq) AS written,"
    " LATERAL (SELECT max(change) AS change FROM removal"
    f" WHERE removal.tenant = project.tenant AND removal.project_seq = project.seq) AS removed WHERE {_NAMED}"
)
_OF_PROJECTS: Final = f" AND project_seq IN (SELECT project.seq FROM project WHERE {_NAMED})"
_CHANGED: Final = (
    "(SELECT count(*) FROM (SELECT 1 FROM {table} WHERE tenant = %(tenant)s AND change > %(since)s{within}"
    " LIMIT %(most)s) AS changed)"
)
_MARK: Final = "(SELECT value FROM mark WHERE tenant = %(tenant)s AND key = '{key}')"
_STATE: Final = (
    "SELECT ({newest}), {changed}, {encoders}, {calibrations},"
    " (SELECT jsonb_object_agg(id, seq) FROM encoder WHERE tenant = %(tenant)s), {projects},"
    " (SELECT max(seq) FROM memory WHERE tenant = %(tenant)s)"
)
_KEYS_OF_PROJECTS: Final = f"(SELECT jsonb_object_agg(name, seq) FROM project WHERE {_NAMED})"
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
    def is_small(self) -> bool:
        """Whether every change is counted at once."""
        return self.profile.total < AT_ONCE_ROWS

    @property
    def most_changed(self) -> int:
        """How many rows may have changed since, where not every change is counted at once."""
        return int(self.profile.total * TOLERANCE)

    @property
    def mean_session_length(self) -> float:
        """Mean term occurrences of a session; a memory without one is one."""
        return self.corpus.length / max(len(self.sessions) + self.apart, 1)

    def lengths_of(self, sessions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Term occurrences of these sessions; the mean for one that is newer than the count."""
        lengths = np.append(self.session_lengths, int(self.mean_session_length))
        return lengths[places_among(self.sessions, sessions)]


@dataclass(frozen=True, slots=True)
class State:
    """What a search looks at before it asks, as of one moment.

    Parameters
    ----------
    newest : the number of the newest change in the scope's projects.
    changed : how much of the scope changed since the kept statistics, as `is_fresh` compares it.
    encoders, calibrations : the marks of the active encoders and of the calibrations, None where there is none.
    encoder_keys : every encoder's id -> its key for the tenant.
    projects : keys of the scope's projects, or None for all.
    last : the tenant's last position, so not fewer than it has memories, ended ones included.
    """

    newest: int
    changed: int
    encoders: str | None
    calibrations: str | None
    encoder_keys: Mapping[str, int]
    projects: tuple[int, ...] | None
    last: int

    def reach(self, scope: Scope, words: str) -> Reach:
        """The scope with its names looked up; `words`: id of the encoder whose words count."""
        return Reach(scope, self.projects, self.encoder_keys.get(words, -1))


def state_statement(scope: Scope, known: Statistics | None) -> tuple[str, dict[str, Any]]:
    """The statement for a `State` beside kept statistics, and its values; `state_of` reads its row."""
    values: dict[str, Any] = {"tenant": scope.tenant}
    newest, within, projects = _NEWEST, "", "NULL"
    if scope.projects is not None:
        values["names"] = list(scope.projects)
        newest, within, projects = _NEWEST_OF_PROJECTS, _OF_PROJECTS, _KEYS_OF_PROJECTS
    changed = "0"
    if known is not None and (known.recent is not None or not known.is_small):
        # A slow write may have committed since the count under a number before the newest one.
        back = _RECENT_CHANGES if known.is_small else 0
        values |= {"since": known.change - back, "most": None if known.is_small else known.most_changed + 1}
        changed = " + ".join(_CHANGED.format(table=table, within=within) for table in ("memory", "removal"))
    encoders, calibrations = (_MARK.format(key=key) for key in (ENCODERS_MARK, CALIBRATIONS_MARK))
    parts = {"newest": newest, "changed": changed, "encoders": encoders, "calibrations": calibrations}
    return _STATE.format(**parts, projects=projects), values


def state_of(row: Sequence[Any], scope: Scope) -> State:
    """The state from the row of its statement."""
    newest, changed, encoders, calibrations, keys, projects, last = row
    named = None if scope.projects is None else tuple(sorted((projects or {}).values()))
    return State(int(newest or 0), int(changed), encoders, calibrations, keys or {}, named, int(last or 0))


def is_fresh(known: Statistics, state: State) -> bool:
    """Whether kept statistics still serve."""
    if known.is_small:
        return known.change == state.newest and known.recent in (None, state.changed)
    return known.change == state.newest or state.changed <= known.most_changed


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
        posting.c.tenant == reach.scope.tenant,
        posting.c.closed.is_(False),
        posting.c.level.in_(level_codes(reach.scope)),
    )
    if reach.projects is not None:
        counted = counted.where(among(posting.c.project_seq, np.array(reach.projects, np.int32)))
    its = {"tenant": reach.scope.tenant, "agent": reach.scope.agent}
    if connection.exec_driver_sql(f"SELECT {hidden(reach.scope)}", its).scalar_one():
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
