"""The search of one view: by one set of statistics, counted at its first question or kept from an earlier view's."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.engine import Connection

from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import Candidates, Ground, Having, Probe
from engramforge.model.search.selection import Selection
from engramforge.store.postgres.search import statistics
from engramforge.store.postgres.search.candidates import PostgresSearch
from engramforge.store.postgres.search.statistics import State, Statistics
from engramforge.store.reading.encoders import encoders_of


@dataclass(slots=True)
class ViewSearch:
    """The search of one view, by one set of statistics.

    `reading`: gives a connection at a moment of the scope. `at_once`: gives the rows of a single statement.
    """

    search: PostgresSearch
    scope: Scope
    reading: Callable[[Scope], AbstractContextManager[Connection]]
    at_once: Callable[[Scope, str, dict[str, Any]], list[tuple[Any, ...]]]
    known: Statistics | None = None
    state: State | None = None
    told: Ground | None = None

    def ground(self) -> Ground:
        """What has to be known before a question is asked; read once."""
        if self.told is None:
            self.known, self.state = self._kept() or self._counted()
            active = encoders_of(self.state.encoders)
            calibrations = json.loads(self.state.calibrations or "null")
            self.told = Ground(self.known.profile, self.known.corpus, active, calibrations)
        return self.told

    def _kept(self) -> tuple[Statistics, State] | None:
        """What was counted before, if it still serves."""
        known = self.search.kept(self.scope)
        if known is None:
            return None
        (row,) = self.at_once(self.scope, *statistics.state_statement(self.scope, known))
        state = statistics.state_of(row, self.scope)
        return (known, state) if statistics.is_fresh(known, state) else None

    def _counted(self) -> tuple[Statistics, State]:
        with self.reading(self.scope) as connection:
            return self.search.statistics(connection, self.scope)

    def candidates(self, connection: Connection, selection: Selection, probe: Probe) -> Candidates:
        """The candidates of a probe."""
        if self.known is None or self.state is None:
            self.known, self.state = self.search.statistics(connection, self.scope)
        return self.search.candidates(connection, self.scope, selection, probe, self.known, self.state)

    def having(
        self, connection: Connection, selection: Selection, groups: Sequence[NDArray[np.uint32]], most: int
    ) -> Having:
        """Memories that have every term of one of these groups; see the door."""
        return self.search.having(connection, self.scope, selection, groups, most)

    def near_of_levels(
        self, connection: Connection, selection: Selection, probe: Probe
    ) -> dict[Level, NDArray[np.int64]]:
        """What is nearest to a probe's vector in each level that is large; see the door."""
        return self.search.near_of_levels(connection, self.scope, selection, probe)

    def nearest(self, connection: Connection, selection: Selection, probe: Probe) -> dict[int, float]:
        """The memories nearest to a probe's vector."""
        return self.search.nearest(connection, self.scope, selection, probe)
