"""The resident index: what a process keeps of a SQLite store so that a recall scans arrays and not rows.

A shard per project and state (current, closed), and one over all projects, is loaded at its first use and brought up to
date before a query when another connection has committed since (PRAGMA data_version): changed versions are read by
their change number, removed ones from the removal table. The columns of a large shard are kept as a file beside the
store, from which they are mapped; the store stays the only truth.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection, Engine

from engramforge.errors import EngramforgeError, Stopped, StoreLocked
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import (
    CALIBRATIONS_MARK,
    Candidates,
    Corpus,
    Ground,
    Having,
    Probe,
    Profile,
)
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.time import TemporalMode, to_micros
from engramforge.store.reading.encoders import ENCODERS_MARK, check_encoders, encoders_of
from engramforge.store.schema import DIMENSION, SCHEMA_REVISION
from engramforge.store.scoring.groups import Terms
from engramforge.store.scoring.strength import in_order
from engramforge.store.sqlite.connection import driver_of, translated, write_transaction
from engramforge.store.sqlite.ledger import PLACED
from engramforge.store.sqlite.resident.counting import counted, profiled
from engramforge.store.sqlite.resident.filters import Touched, admitted, filters_of, touched
from engramforge.store.sqlite.resident.kept import ColumnFiles
from engramforge.store.sqlite.resident.parts import ResidentParts, ShardKey
from engramforge.store.sqlite.resident.postings import count_terms
from engramforge.store.sqlite.resident.reading import (
    ALL_PROJECTS,
    CLOSED,
    CURRENT,
    Names,
    changed_since,
    latest_end,
    read_rows,
    removed_since,
    shard_name,
)
from engramforge.store.sqlite.resident.scan import Beside, having, nearest, scan
from engramforge.store.sqlite.resident.shard import Shard

log = logging.getLogger(__name__)

_SEEN: Final = "SELECT (SELECT value FROM store WHERE key = 'change'), (SELECT value FROM mark WHERE key = ?)"
_KEPT: Final = "columns:"
"""Keys of the store table: which file of a shard's columns is of this store's history; its project and state follow."""
_SAVE_WHICH: Final = (
    "INSERT OR REPLACE INTO store (key, value, tenant) SELECT ?, ?, tenant FROM store WHERE key = 'change'"
)
KEPT_FROM: Final = 20_000
_UNSETTLED_SHARE: Final = 8
_WAIT_MS: Final = 200
"""A shard of so many versions is kept as a file, again once more than this fraction of it has changed."""


@dataclass(slots=True)
class _Loaded:
    """What is resident of one project, or of all: a shard of each state, that of closed ones once history is asked."""

    shards: dict[str, Shard]
    latest_end: int = 0

    @property
    def current(self) -> Shard:
        """The current versions."""
        return self.shards[CURRENT]


class ResidentIndex:
    """Shards of one store.

    `engine`, `path`: the store. `encoder`: gives the id of the encoders whose embeddings may be compared; called at the
    first scan, because it may have to load a model. `kept_from`: how many versions a shard has whose columns are kept
    beside the store, in `files`.
    """

    def __init__(
        self, engine: Engine, path: Path, encoder: Callable[[], str], kept_from: int = KEPT_FROM
    ) -> None:
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
        self._names = Names()
        self.files = ColumnFiles(path)
        self._kept_from = kept_from
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
                self._profiles[scope] = profiled(*self._current(scope), self._names.speaker)
            return Ground(self._profiles[scope], self._terms(scope), self._active, self._calibrations)

    def corpus(self, scope: Scope) -> Corpus:
        """The terms of a scope: of the shards where these are loaded, else counted from the file."""
        with self._lock, translated(self._path):
            self._refresh()
            return self._terms(scope)

    def _terms(self, scope: Scope) -> Corpus:
        if scope not in self._counts:
            if all(seq in self._loaded for seq in self._in_scope(scope)):
                self._counts[scope] = counted(*self._current(scope))
            else:
                self._counts[scope] = count_terms(self._reader(), scope, self._encoder())
        return self._counts[scope]

    def _current(self, scope: Scope) -> tuple[list[Shard], list[NDArray[np.bool_]]]:
        """The current shards in scope, and which of their rows it admits."""
        shards = [self._load(seq).current.ready() for seq in self._in_scope(scope)]
        agent = self._names.agent.get(scope.agent, -1)
        return shards, [shard.alive & admitted(shard, scope, agent) for shard in shards]

    def candidates(
        self, connection: Connection, scope: Scope, selection: Selection, probe: Probe
    ) -> Candidates:
        """The probe's candidates at the moment of a view's connection."""
        probe = in_order(probe)
        with self._taking_part(connection, scope, selection, probe) as (keyed, masks):
            shards = [shard for _, shard in keyed]
            seen = [admitted(shard, scope, self._names.agent.get(scope.agent, -1)) for shard in shards]
            asks_more = bool(probe.parts or probe.entities)
            beside = [self._beside(key, shard, probe) for key, shard in keyed] if asks_more else []
            return scan(shards, masks, probe, tuple(self._names.speaker), seen, beside, self._dimension)

    def having(
        self, connection: Connection, scope: Scope, selection: Selection, groups: Sequence[Terms], most: int
    ) -> Having:
        """Memories that have every term of one of these groups, at the moment of a view's connection."""
        with self._taking_part(connection, scope, selection) as (keyed, masks):
            return having([shard for _, shard in keyed], masks, groups, most)

    def nearest(
        self, connection: Connection, scope: Scope, selection: Selection, probe: Probe
    ) -> dict[int, float]:
        """The memories nearest to a probe's vector at the moment of a view's connection."""
        with self._taking_part(connection, scope, selection, probe) as (keyed, masks):
            return nearest([shard for _, shard in keyed], masks, probe)

    @contextmanager
    def _taking_part(
        self, connection: Connection, scope: Scope, selection: Selection, probe: Probe | None = None
    ) -> Iterator[Touched]:
        """The shards of which a selection touches rows, and which of their rows take part, for a block."""
        with self._lock, translated(self._path):
            self._meet(connection)
            if probe is not None:
                check_encoders(probe, self._active, self._encoder())
            shards = list(self._shards_for(scope, selection))
            yield touched(shards, filters_of(self._reader(), scope, selection, self._names))

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
        """Give the connection and the arrays back; what was removed beside the store is kept for the next process."""
        with self._lock:
            with suppress(EngramforgeError), translated(self._path):
                if self._removed():
                    self._refresh()
                for project, state in self._removed():
                    self._keep(project, state, self._loaded[project].shards[state])
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
        while (seen := driver_of(connection).execute(_SEEN, (ENCODERS_MARK,)).fetchone()) != self._seen:
            self._refresh()
            if seen == self._seen:
                return
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("BEGIN")

    def _refresh(self) -> None:
        """Bring loaded shards up to date when somebody has committed since."""
        reader = self._reader()
        (version,) = driver_of(reader).execute("PRAGMA data_version").fetchone()
        if version == self._seen_version:
            return
        reader.exec_driver_sql("BEGIN")
        try:
            newest, chosen = self._read_state(reader)
            self._projects = dict(reader.exec_driver_sql("SELECT name, seq FROM project ORDER BY seq").all())
            for project in self._loaded.keys() & changed_since(reader, self._seen_change):
                loaded = self._loaded[project]
                for state, shard in loaded.shards.items():
                    self._update(reader, project, state, shard, self._seen_change)
                loaded.latest_end = latest_end(reader, project)
        finally:
            reader.exec_driver_sql("COMMIT")
        self._seen_version = version
        if newest != self._seen_change:
            self._counts.clear()
            self._profiles.clear()
        self._seen_change, self._seen = newest, (str(newest), chosen)
        for project, loaded in list(self._loaded.items()):
            for state, shard in loaded.shards.items():
                loaded.shards[state] = self._settled(project, state, shard)
            if any(shard.wants_rebuild for shard in loaded.shards.values()):
                del self._loaded[project]

    def _read_state(self, reader: Connection) -> tuple[int, str | None]:
        """The newest change, and the mark of the active encoders; drops what is by another or re-embedded since."""
        told = f"SELECT key, value FROM store WHERE key = 'change' OR key LIKE '{PLACED}%'"  # noqa: S608 - a constant
        kept: dict[str, str] = dict(driver_of(reader).execute(told))
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
        if is_other or (self._loaded and self._is_placed(reader, self._seen_change)):
            self._loaded.clear()
        if newest != self._seen_change:
            self._parts.notice(placed)
        return newest, marks.get(ENCODERS_MARK)

    def _is_placed(self, reader: Connection, since: int) -> bool:
        """Whether embeddings of the active E1 were placed after a change."""
        its = f"SELECT '{PLACED}{Space.SEMANTIC}:' || seq FROM encoder WHERE id = ?"  # noqa: S608 - constants alone
        placed = f"SELECT 1 FROM store WHERE key = ({its}) AND CAST(value AS INTEGER) > ?"  # noqa: S608 - as above
        return reader.exec_driver_sql(placed, (self._meaning, since)).first() is not None

    @property
    def _meaning(self) -> str:
        """Id of the active encoder of E1."""
        chosen = self._active.get(Space.SEMANTIC)
        return self._encoder() if chosen is None else chosen.id

    def _update(self, reader: Connection, project: int, state: str, shard: Shard, since: int) -> None:
        """Take in what changed of a project after a change."""
        encoders = self._encoder(), self._meaning
        shard.drop(removed_since(reader, project, since))
        for rows in read_rows(reader, project, CLOSED, since, encoders, self._names):
            if state == CLOSED:
                shard.add(rows)
            else:
                shard.drop(rows.position)
        if state == CURRENT:
            for rows in read_rows(reader, project, CURRENT, since, encoders, self._names):
                shard.add(rows)

    def _load(self, project: int) -> _Loaded:
        """A project's current shard, read at first use."""
        if project not in self._loaded:
            end = latest_end(self._reader(), project)
            self._loaded[project] = _Loaded({CURRENT: self._made(project, CURRENT)}, end)
        return self._loaded[project]

    def _made(self, project: int, state: str) -> Shard:
        """The shard of a project's versions in a state: of its kept columns, else read row by row."""
        reader = self._reader()
        kept = self.files.read(shard_name(project, state), self._dimension, self._names)
        if (
            kept is not None
            and kept.shard.living >= self._kept_from
            and kept.said == self._said(reader, project, state)
            and not self._is_placed(reader, kept.change)
        ):
            shard = kept.shard
            self._update(reader, project, state, shard, kept.change)
            shard = self._settled(project, state, shard)
            if not shard.wants_rebuild:
                return shard
        shard = Shard(self._dimension)
        for rows in read_rows(reader, project, state, -1, (self._encoder(), self._meaning), self._names):
            shard.add(rows)
        return self._settled(project, state, shard)

    def _said(self, reader: Connection, project: int, state: str) -> dict[str, Any]:
        """By what columns are made that may be used now."""
        token = reader.exec_driver_sql(
            "SELECT value FROM store WHERE key = ?", (_KEPT + shard_name(project, state),)
        )
        by = {"schema": SCHEMA_REVISION, "words": self._encoder(), "meaning": self._meaning}
        return {**by, "dimension": self._dimension, "token": token.scalar()}

    def _settled(self, project: int, state: str, shard: Shard) -> Shard:
        """A large shard of which much has changed, kept as a file and mapped from there; else itself."""
        if shard.living < self._kept_from or shard.unsettled * _UNSETTLED_SHARE <= len(shard):
            return shard
        return self._keep(project, state, shard)

    def _removed(self) -> list[tuple[int, str]]:
        """Shards that were mapped from a file which is gone."""
        return [
            (project, state)
            for project, loaded in self._loaded.items()
            for state, shard in loaded.shards.items()
            if shard.settled
            and shard.living >= self._kept_from
            and not self.files.at(shard_name(project, state)).exists()
        ]

    def _keep(self, project: int, state: str, shard: Shard) -> Shard:
        """A shard kept as a file beside the store; itself where that cannot be, and then it is not tried again."""
        name, reader = shard_name(project, state), self._reader()
        try:
            with self.files.alone(make=True) as is_alone:
                # What was forgotten meanwhile has been removed there, and must not come back.
                gone = "SELECT 1 FROM removal WHERE change > ?"
                if not is_alone or reader.exec_driver_sql(gone, (self._seen_change,)).first() is not None:
                    return shard
                said = {**self._said(reader, project, state), "token": uuid4().hex}
                part = self.files.write(name, shard, self._names, self._seen_change, said)
                with write_transaction(self._engine, self._path, _WAIT_MS) as connection:
                    connection.exec_driver_sql(_SAVE_WHICH, (_KEPT + name, said["token"]))
                    part.replace(self.files.at(name))
            kept = self.files.read(name, self._dimension, self._names)
        except (OSError, EngramforgeError) as error:
            if not isinstance(error, Stopped | StoreLocked):
                log.info("The columns of %s are not kept beside it: %s", self._path, error)
                self._kept_from = sys.maxsize
            return shard
        return shard if kept is None else kept.shard

    def _shards_for(self, scope: Scope, selection: Selection) -> Iterator[tuple[ShardKey, Shard]]:
        """The shards that a selection has to scan; history only where it may matter."""
        for project in self._in_scope(scope):
            loaded = self._load(project)
            yield (project, False), loaded.current
            now = selection.as_of.valid if selection.as_of is not None else None
            ended_later = now is not None and loaded.latest_end > to_micros(now)
            if selection.mode is not TemporalMode.CURRENT or ended_later:
                if CLOSED not in loaded.shards:
                    loaded.shards[CLOSED] = self._made(project, CLOSED)
                yield (project, True), loaded.shards[CLOSED]

    def _in_scope(self, scope: Scope) -> list[int]:
        """Keys of the shards to scan for a scope, in order of creation; unknown names are ignored.

        All projects together have one of their own: over hundreds of small ones, switching would take the time."""
        if scope.projects is None:
            return [ALL_PROJECTS]
        return sorted({self._projects[name] for name in scope.projects if name in self._projects})
