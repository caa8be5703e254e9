"""What is asked for by keys is looked up by them: of a project SQLite reads no more than is asked for."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy.engine.default import DefaultDialect

import engramforge
from engramforge.model.search.selection import Selection
from engramforge.model.time import AsOf
from engramforge.store import straight
from engramforge.store.door import View

WHOLE = ("memory_project_change", "memory_valid_at", "memory_agent_change")
"""Indexes by which a statement would go through a project."""


def _browse_session(view: View, ids: list[str], positions: list[int]) -> object:
    at = view.fetch(ids)[ids[0]].created_at
    return view.browse(Selection(session_id="s1", as_of=AsOf(at, at)), 5)


@pytest.mark.parametrize(
    "asks",
    [
        lambda view, ids, positions: view.fetch(ids),
        lambda view, ids, positions: view.fetch(ids[:1]),
        lambda view, ids, positions: view.fetch_at(np.array(positions)),
        lambda view, ids, positions: view.fetch_with_entries(np.array(positions)),
        lambda view, ids, positions: view.versions(ids[0]),
        lambda view, ids, positions: view.signals(np.array(positions), ["Ada"]),
        _browse_session,
    ],
)
def test_keys_are_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asks: Callable[[View, list[str], list[int]], object]
) -> None:
    told: list[tuple[str, Any]] = []
    execute, send = DefaultDialect.do_execute, straight.send

    def heard(self: Any, cursor: Any, statement: str, parameters: Any, context: Any = None) -> None:
        told.append((statement, parameters))
        execute(self, cursor, statement, parameters, context)

    def heard_straight(connection: Any, text: str, values: Any) -> Any:
        told.append((text, values))
        return send(connection, text, values)

    with engramforge.open(tmp_path) as forge:
        made = forge.remember_many(
            [
                {"content": f"Ada keeps ledger {n}.", "project": "farm", "session_id": f"s{n // 9}"}
                for n in range(90)
            ]
        )
        scope = forge._scope.within("farm")
        ids = [each.logical_id for each in made[:40]]
        positions = list(range(1, 41))
        monkeypatch.setattr(DefaultDialect, "do_execute", heard)
        monkeypatch.setattr(straight, "send", heard_straight)
        with forge._stages.door.asking(scope) as view:
            asks(view, ids, positions)
    asked = [(statement, parameters) for statement, parameters in told if "FROM memory" in statement]
    assert asked
    with sqlite3.connect(tmp_path / "memory.db") as store:
        for statement, parameters in asked:
            plan = " ".join(row[3] for row in store.execute(f"EXPLAIN QUERY PLAN {statement}", parameters))
            assert not any(index in plan for index in WHOLE), (plan, statement)
