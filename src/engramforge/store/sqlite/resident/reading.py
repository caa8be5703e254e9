"""Reads the signals of versions from their rows, in the form in which a shard takes them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy.engine import Connection

from engramforge.model.search.selection import Selection
from engramforge.store.rows import KIND_CODE, LEVEL_CODE
from engramforge.store.sqlite.resident.shard import OPEN_END, ShardRows

_LOAD_ROWS: Final = 20_000
ALL_PROJECTS: Final = 0
"""The key of the shard over all projects; projects' own keys begin at 1."""
CURRENT: Final = "current"
CLOSED: Final = "closed"
"""The two states of versions; each has shards of its own."""


def shard_name(project: int, state: str) -> str:
    """What a shard is called beside the store and in it."""
    return f"{project}-{state}"


_SIGNALS: Final = f"""
SELECT m.seq, m.project_seq, COALESCE(m.session_seq, -1), COALESCE(m.sequence, 0), m.kind,
       COALESCE(m.speaker, ''), m.level, m.agent, m.valid_at, COALESCE(m.invalid_at, {OPEN_END}),
       m.created_at, COALESCE(m.expired_at, {OPEN_END}),
       m.epistemic_tier, COALESCE(r.status, ''), COALESCE(v.vector, x''), COALESCE(w.tokens, x''),
       COALESCE(w.terms, x''), COALESCE(w.counts, x''), COALESCE(w.cues, 0), COALESCE(w.intervals, x'')
FROM memory m
LEFT JOIN registry r ON r.memory_seq = m.seq
LEFT JOIN embedding_semantic v ON v.memory_seq = m.seq
     AND v.encoder_seq = (SELECT seq FROM encoder WHERE id = :meaning)
LEFT JOIN embedding_words w ON w.memory_seq = m.seq
     AND w.encoder_seq = (SELECT seq FROM encoder WHERE id = :encoder)
WHERE """  # noqa: S608 - the only value put in is a constant
_OF_PROJECT: Final = (
    "m.project_seq IN (SELECT seq FROM project WHERE :project IN (seq, 0)) AND m.change > :since"
)
# A full load is read in the order of the keys; by the index it would have to be sorted.
_EVERYTHING: Final = ":project = :project AND m.change > :since"
_IN_STATE: Final = {
    CURRENT: " AND m.expired_at IS NULL AND m.invalid_at IS NULL",
    CLOSED: " AND (m.expired_at IS NOT NULL OR m.invalid_at IS NOT NULL)",
}
_IN_ORDER: Final = " ORDER BY m.seq"


@dataclass(slots=True)
class Names:
    """Names and their numbers in columns; new ones get the next."""

    speaker: dict[str, int] = field(default_factory=lambda: {"": 0})
    agent: dict[str, int] = field(default_factory=dict)
    status: dict[str, int] = field(default_factory=lambda: {"": 0})

    def numbers(self, selection: Selection) -> tuple[list[int], int, int]:
        """Numbers of a selection's statuses, without those that nothing has, of its writer and of its speaker; -1 where
        nothing has it."""
        statuses = [self.status[each] for each in selection.statuses if each in self.status]
        speaker = (selection.speaker or "").casefold()
        return statuses, self.agent.get(selection.writer or "", -1), self.speaker.get(speaker, -1)


def read_rows(
    reader: Connection, project: int, state: str, since: int, encoders: tuple[str, str], names: Names
) -> Iterator[ShardRows]:
    """Signals of a project's versions in a state that changed after `since`, in bounded portions.

    `encoders`: ids of those whose words and E1 are read.
    """
    wanted = _EVERYTHING if project == ALL_PROJECTS and since < 0 else _OF_PROJECT
    result = reader.connection.execute(
        _SIGNALS + wanted + _IN_STATE[state] + _IN_ORDER,
        {"encoder": encoders[0], "meaning": encoders[1], "project": project, "since": since},
    )
    while rows := result.fetchmany(_LOAD_ROWS):
        columns = list(zip(*rows, strict=True))
        columns[4] = tuple(map(KIND_CODE.__getitem__, columns[4]))
        columns[5] = _interned(columns[5], names.speaker, str.casefold)
        columns[6] = tuple(map(LEVEL_CODE.__getitem__, columns[6]))
        columns[7] = _interned(columns[7], names.agent, str)
        columns[13] = _interned(columns[13], names.status, str)
        yield ShardRows(*columns)


def changed_since(reader: Connection, since: int) -> set[int]:
    """Keys of the shards with what changed after a change: the projects' own, and that over all."""
    touched = (
        "SELECT p.seq FROM project p "
        "WHERE EXISTS (SELECT 1 FROM memory m WHERE m.project_seq = p.seq AND m.change > ?1) "
        "UNION SELECT project_seq FROM removal WHERE change > ?1"
    )
    projects = set(reader.exec_driver_sql(touched, (since,)).scalars())
    return projects | {ALL_PROJECTS} if projects else projects


def removed_since(reader: Connection, project: int, since: int) -> list[int]:
    """Positions of a project's versions that were forgotten after a change."""
    its = "SELECT memory_seq FROM removal WHERE change > ? AND ? IN (project_seq, ?)"
    return list(reader.exec_driver_sql(its, (since, project, ALL_PROJECTS)).scalars())


def latest_end(reader: Connection, project: int) -> int:
    """The latest valid end among a project's versions still on record (they may hold until then)."""
    row = reader.exec_driver_sql(
        "SELECT COALESCE(MAX(invalid_at), 0) FROM memory "
        "WHERE project_seq IN (SELECT seq FROM project WHERE ? IN (seq, ?)) "
        "AND expired_at IS NULL AND invalid_at IS NOT NULL",
        (project, ALL_PROJECTS),
    )
    return int(row.scalar_one())


def _interned(names: Sequence[str], numbers: dict[str, int], folded: Callable[[str], str]) -> tuple[int, ...]:
    """Each name's number."""
    known = {name: numbers.setdefault(folded(name), len(numbers)) for name in dict.fromkeys(names)}
    return tuple(map(known.__getitem__, names))
