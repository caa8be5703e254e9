"""The resident index: what a process keeps of a SQLite store so that a recall scans arrays and not rows.

A shard per project and state (current, closed), and one over all projects, is loaded at its first use and brought up to
date before a query when another connection has committed since (PRAGMA data_version): changed versions are read by
their change number, removed ones from the removal table. The file stays the only truth; nothing here is written back.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection, Engine

from engramforge.core.arrays.ragged import distinct
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import CALIBRATIONS_MARK, Candidates, Corpus, Ground, Probe, Profile
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.time import TemporalMode, to_micros
from engramforge.store.reading.encoders import ENCODERS_MARK, check_encoders, encoders_of
from engramforge.store.rows import KIND_CODE, LEVEL_CODE
from engramforge.store.schema import DIMENSION
from engramforge.store.scoring.strength import in_order
from engramforge.store.sqlite.connection import translated
from engramforge.store.sqlite.ledger import PLACED
from engramforge.store.sqlite.resident.filters import Filters, admitted, named, session_keys
from engramforge.store.sqlite.resident.parts import ResidentParts, ShardKey
from engramforge.store.sqlite.resident.postings import count_terms, summed_counts
from engramforge.store.sqlite.resident.scan import Beside, nearest, scan
from engramforge.store.sqlite.resident.shard import OPEN_END, Shard, ShardRows

_SEEN: Final = "SELECT (SELECT value FROM store WHERE key = 'change'), (SELECT value FROM mark WHERE key = ?)"
_LOAD_ROWS: Final = 20_000
ALL_PROJECTS: Final = 0
"""The key of the shard over all projects; projects' own keys begin at 1."""

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
_CURRENT: Final = " AND m.expired_at IS NULL AND m.invalid_at IS NULL"
_CLOSED: Final = " AND (m.expired_at IS NOT NULL OR m.invalid_at IS NOT NULL)"
_IN_ORDER: Final = " ORDER BY m.seq"


@dataclass(slots=True)
class _Loaded:
    """What is resident of one project, or of all; `closed` is None until history is asked for."""

    current: Shard
    closed: Shard | None = None
    latest_end: int = 0


class ResidentIndex:
    """Shards of one store.

    `engine`, `path`: the store. `encoder`: gives the id of the encoders whose embeddings may be compared; called at the
    first scan, because it may have to load a model.
    """

    def __init__(self, engine: Engine, path: Path, encoder: Callable[[], str]) -> None:
        self._engine = engine
        self._path = path
        self._encoder = encoder
        self._lock = threading.RLock()
        self._connection: Connection | None = None
        self._seen_version = -1
        self._seen_change = 0
        self._seen: tuple[str | None, str | None] = ("0", None)
        self._projects: dict[str, int] = {}
        self._loaded: dict[int, _Loaded] = {}
        self._agents: dict[str, int] = {}
        self._speakers: dict[str, int] = {"": 0}
        self._statuses: dict[str, int] = {"": 0}
        self._counts: dict[Scope, Corpus] = {}
        self._profiles: dict[Scope, Profile] = {}
        self._active: dict[Space, ActiveEncoder] = {}
        self._calibrations: Mapping[str, Any] | None = None
        self._parts = ResidentParts(self._reader)

    def ground(self, scope: Scope) -> Ground:
        """What has to be known before a question is asked; loads the current shards in scope."""
        with self._lock, translated(self._path):
            self._refresh()
            if scope not in self._profiles:
                shards, masks = self._current(scope)
                total = int(sum(mask.sum() for mask in masks))
                self._profiles[scope] = Profile(total, self._speaking(shards, masks), _years(shards, masks))
            return Ground(self._profiles[scope], self._terms(scope), self._active, self._calibrations)

    def corpus(self, scope: Scope) -> Corpus:
        """The terms of a scope: of the shards where these are loaded, else counted from the file."""
        with self._lock, translated(self._path):
            self._refresh()
            return self._terms(scope)

    def _terms(self, scope: Scope) -> Corpus:
        if scope not in self._counts:
            if all(seq in self._loaded for seq in self._in_scope(scope)):
                self._counts[scope] = self._count(*self._current(scope))
            else:
                self._counts[scope] = count_terms(self._reader(), scope, self._encoder())
        return self._counts[scope]

    def _current(self, scope: Scope) -> tuple[list[Shard], list[NDArray[np.bool_]]]:
        """The current shards in scope, and which of their rows it admits."""
        shards = [self._load(seq).current for seq in self._in_scope(scope)]
        agent = self._agents.get(scope.agent, -1)
        return shards, [shard.alive & admitted(shard, scope, agent) for shard in shards]

    @staticmethod
    def _count(shards: Sequence[Shard], masks: Sequence[NDArray[np.bool_]]) -> Corpus:
        found = [shard.postings.document_frequencies(mask) for shard, mask in zip(shards, masks, strict=True)]
        found.append((np.empty(0, np.uint32), np.empty(0, np.int64)))
        total = int(sum(mask.sum() for mask in masks))
        length = sum(int(shard.lengths[mask].sum()) for shard, mask in zip(shards, masks, strict=True))
        return Corpus(total, length, *summed_counts(*zip(*found, strict=True)))

    def candidates(
        self, connection: Connection, scope: Scope, selection: Selection, probe: Probe
    ) -> Candidates:
        """The probe's candidates at the moment of a view's connection."""
        probe = in_order(probe)
        with self._lock, translated(self._path):
            self._meet(connection)
            keyed, masks = self._selected(scope, selection, probe)
            shards = [shard for _, shard in keyed]
            agent = self._agents.get(scope.agent, -1)
            seen = [admitted(shard, scope, agent) for shard in shards]
            asks_more = bool(probe.parts or probe.entities)
            beside = [self._beside(key, shard, probe) for key, shard in keyed] if asks_more else []
            return scan(shards, masks, probe, tuple(self._speakers), seen, beside, self._dimension)

    def nearest(
        self, connection: Connection, scope: Scope, selection: Selection, probe: Probe
    ) -> dict[int, float]:
        """The memories nearest to a probe's vector at the moment of a view's connection."""
        with self._lock, translated(self._path):
            self._meet(connection)
            keyed, masks = self._selected(scope, selection, probe)
            return nearest([shard for _, shard in keyed], masks, probe)

    def _selected(
        self, scope: Scope, selection: Selection, probe: Probe
    ) -> tuple[list[tuple[ShardKey, Shard]], list[NDArray[np.bool_]]]:
        """The shards that a selection touches, and which of their rows take part."""
        check_encoders(probe, self._active, self._encoder())
        keyed = list(self._shards_for(scope, selection))
        filters = Filters(
            scope,
            selection,
            self._agents.get(scope.agent, -1),
            session_keys(self._reader(), selection.session_id),
            session_keys(self._reader(), selection.exclude_session),
            named(self._reader(), selection),
            [self._statuses[each] for each in selection.statuses if each in self._statuses],
        )
        return keyed, [filters.mask(shard) for _, shard in keyed]

    def _beside(self, key: ShardKey, shard: Shard, probe: Probe) -> Beside:
        """What lies beside a shard's rows, of what a probe asks for."""
        names = tuple(dict.fromkeys(probe.entities))
        return Beside(
            tuple(self._parts.beside(key, shard, query, self._seen_change) for query in probe.parts),
            self._parts.mentioned(shard, names) if names else None,
        )

    @property
    def _dimension(self) -> int:
        chosen = self._active.get(Space.SEMANTIC)
        return DIMENSION if chosen is None else chosen.size

    def close(self) -> None:
        """Give the connection and the arrays back."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            self._loaded.clear()
            self._parts.clear()

    def _reader(self) -> Connection:
        """The one connection whose data_version is watched."""
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _meet(self, connection: Connection) -> None:
        """Let the shards and a view see the same state; a view overtaken by another question continues from now."""
        while (seen := tuple(connection.exec_driver_sql(_SEEN, (ENCODERS_MARK,)).one())) != self._seen:
            self._refresh()
            if seen == self._seen:
                return
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("BEGIN")

    def _refresh(self) -> None:
        """Bring loaded shards up to date when somebody has committed since."""
        reader = self._reader()
        version = reader.exec_driver_sql("PRAGMA data_version").scalar_one()
        if version == self._seen_version:
            return
        reader.exec_driver_sql("BEGIN")
        try:
            newest, chosen = self._read_state(reader)
            self._projects = dict(reader.exec_driver_sql("SELECT name, seq FROM project ORDER BY seq").all())
            removed: dict[int, list[int]] = {}
            for seq, project in reader.exec_driver_sql(
                "SELECT memory_seq, project_seq FROM removal WHERE change > ?", (self._seen_change,)
            ):
                for key in (project, ALL_PROJECTS):
                    removed.setdefault(key, []).append(seq)
            for project, loaded in list(self._loaded.items()) if newest != self._seen_change else ():
                self._update(reader, project, loaded, removed.get(project, ()))
        finally:
            reader.exec_driver_sql("COMMIT")
        self._seen_version = version
        if newest != self._seen_change:
            self._counts.clear()
            self._profiles.clear()
        self._seen_change, self._seen = newest, (str(newest), chosen)

    def _read_state(self, reader: Connection) -> tuple[int, str | None]:
        """The newest change, and the mark of the active encoders; drops what is by another or re-embedded since."""
        kept: dict[str, str] = dict(
            reader.exec_driver_sql(
                f"SELECT key, value FROM store WHERE key = 'change' OR key LIKE '{PLACED}%'"  # noqa: S608 - a constant
            ).all()
        )
        newest = int(kept.pop("change", 0))
        said = "SELECT key, value FROM mark WHERE key IN (?, ?)"
        marks: dict[str, str] = dict(reader.exec_driver_sql(said, (ENCODERS_MARK, CALIBRATIONS_MARK)).all())
        active = encoders_of(marks.get(ENCODERS_MARK))
        self._calibrations = json.loads(marks.get(CALIBRATIONS_MARK, "null"))
        placed: dict[str, int] = {}
        for key, change in kept.items():
            space = key.split(":")[1]
            placed[space] = max(placed.get(space, 0), int(change))
        is_other = active.get(Space.SEMANTIC) != self._active.get(Space.SEMANTIC)
        self._active = active
        if is_other or (self._loaded and self._is_placed(reader, kept)):
            self._loaded.clear()
        if newest != self._seen_change:
            self._parts.notice(placed)
        return newest, marks.get(ENCODERS_MARK)

    def _is_placed(self, reader: Connection, kept: dict[str, str]) -> bool:
        """Whether embeddings of the resident E1 were placed since the last refresh."""
        fresh = {
            int(key.rpartition(":")[2])
            for key, change in kept.items()
            if key.startswith(f"{PLACED}{Space.SEMANTIC}:") and int(change) > self._seen_change
        }
        its = "SELECT seq FROM encoder WHERE id = ?"
        return bool(fresh) and reader.exec_driver_sql(its, (self._meaning,)).scalar() in fresh

    @property
    def _meaning(self) -> str:
        """Id of the active encoder of E1."""
        chosen = self._active.get(Space.SEMANTIC)
        return self._encoder() if chosen is None else chosen.id

    def _update(self, reader: Connection, project: int, loaded: _Loaded, removed: Sequence[int]) -> None:
        """Take in one project's changes since the last refresh."""
        for shard in (loaded.current, loaded.closed):
            if shard is not None:
                for position in removed:
                    shard.drop(position)
        for rows in self._read(reader, project, self._seen_change, _CLOSED):
            for position in rows.position:
                loaded.current.drop(position)
            if loaded.closed is not None:
                loaded.closed.add(rows)
        for rows in self._read(reader, project, self._seen_change, _CURRENT):
            loaded.current.add(rows)
        loaded.latest_end = self._latest_end(reader, project)
        if loaded.current.wants_rebuild or (loaded.closed is not None and loaded.closed.wants_rebuild):
            del self._loaded[project]

    def _load(self, project: int) -> _Loaded:
        """A project's current shard, read at first use."""
        loaded = self._loaded.get(project)
        if loaded is None:
            loaded = _Loaded(Shard(self._dimension))
            reader = self._reader()
            for rows in self._read(reader, project, -1, _CURRENT):
                loaded.current.add(rows)
            loaded.latest_end = self._latest_end(reader, project)
            self._loaded[project] = loaded
        return loaded

    def _shards_for(self, scope: Scope, selection: Selection) -> Iterator[tuple[ShardKey, Shard]]:
        """The shards that a selection has to scan; history only where it may matter."""
        for project in self._in_scope(scope):
            loaded = self._load(project)
            yield (project, False), loaded.current
            now = selection.as_of.valid if selection.as_of is not None else None
            ended_later = now is not None and loaded.latest_end > to_micros(now)
            if selection.mode is not TemporalMode.CURRENT or ended_later:
                if loaded.closed is None:
                    loaded.closed = Shard(self._dimension)
                    for rows in self._read(self._reader(), project, -1, _CLOSED):
                        loaded.closed.add(rows)
                yield (project, True), loaded.closed

    def _in_scope(self, scope: Scope) -> list[int]:
        """Keys of the shards to scan for a scope, in order of creation; unknown names are ignored.

        All projects together have a shard of their own, since a question over hundreds of small ones would spend its
        time on switching.
        """
        if scope.projects is None:
            return [ALL_PROJECTS]
        return sorted({self._projects[name] for name in scope.projects if name in self._projects})

    def _read(self, reader: Connection, project: int, since: int, state: str) -> Iterator[ShardRows]:
        """Signals of a project's versions that changed after `since`, in bounded portions."""
        wanted = _EVERYTHING if project == ALL_PROJECTS and since < 0 else _OF_PROJECT
        result = reader.connection.execute(
            _SIGNALS + wanted + state + _IN_ORDER,
            {"encoder": self._encoder(), "meaning": self._meaning, "project": project, "since": since},
        )
        while rows := result.fetchmany(_LOAD_ROWS):
            columns = list(zip(*rows, strict=True))
            columns[4] = tuple(map(KIND_CODE.__getitem__, columns[4]))
            columns[5] = _interned(columns[5], self._speakers, str.casefold)
            columns[6] = tuple(map(LEVEL_CODE.__getitem__, columns[6]))
            columns[7] = _interned(columns[7], self._agents, str)
            columns[13] = _interned(columns[13], self._statuses, str)
            yield ShardRows(*columns)

    def _latest_end(self, reader: Connection, project: int) -> int:
        """The latest valid end among versions still on record (they may hold until then)."""
        row = reader.exec_driver_sql(
            "SELECT COALESCE(MAX(invalid_at), 0) FROM memory "
            "WHERE project_seq IN (SELECT seq FROM project WHERE ? IN (seq, ?)) "
            "AND expired_at IS NULL AND invalid_at IS NOT NULL",
            (project, ALL_PROJECTS),
        )
        return int(row.scalar_one())

    def _speaking(self, shards: list[Shard], masks: list[NDArray[np.bool_]]) -> tuple[str, ...]:
        """Names of those who speak in these rows."""
        names = list(self._speakers)
        found: set[int] = set()
        for shard, mask in zip(shards, masks, strict=True):
            found.update(np.flatnonzero(np.bincount(shard.column("speaker")[mask])).tolist())
        return tuple(sorted(names[code] for code in found if names[code]))


def _years(shards: list[Shard], masks: list[NDArray[np.bool_]]) -> tuple[int, ...]:
    """The years of the shards' valid times, ascending."""
    found: set[int] = set()
    for shard, mask in zip(shards, masks, strict=True):
        valid = shard.column("valid_at")[mask].view("datetime64[us]").astype("datetime64[Y]")
        found.update(int(year) + 1970 for year in distinct(valid.astype(np.int64)).values)
    return tuple(sorted(found))


def _interned(names: Sequence[str], numbers: dict[str, int], folded: Callable[[str], str]) -> tuple[int, ...]:
    """Each name's number; new names get the next one."""
    known = {name: numbers.setdefault(folded(name), len(numbers)) for name in dict.fromkeys(names)}
    return tuple(map(known.__getitem__, names))
