"""By which indexes PostgreSQL answers what would else go through all memories."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from tests.conformance.conftest import ENCODER, NOW, at, entry

from engramforge.model.memory import Kind, ResolutionState
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Felt
from engramforge.store.postgres.store import open_postgres

SCOPE = Scope()


def test_threads_are_found_by_their_index(postgres_url: str) -> None:
    door = open_postgres(postgres_url, "default", lambda: ENCODER.id)
    told = [(f"Note {number}.", Kind.NOTE) for number in range(40)] + [("The thread of notes.", Kind.THREAD)]
    door.write(SCOPE, lambda writes: writes.insert([entry(text, kind=kind) for text, kind in told]))
    sent: list[tuple[str, Any]] = []

    def noted(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        sent.append((statement, parameters))

    sa.event.listen(door._engine, "before_cursor_execute", noted)
    chosen = replace(at(NOW), kinds=(Kind.THREAD,), felt=Felt(states=(ResolutionState.IN_PROGRESS,)))
    (found,) = door.asking(SCOPE).by_energy(chosen, 100)
    sa.event.remove(door._engine, "before_cursor_execute", noted)
    assert found.content == "The thread of notes."
    statement, parameters = next(each for each in sent if "ORDER BY memory.energy" in each[0])
    with door.reading(SCOPE) as connection:
        # So few memories are gone through sooner than any index.
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        plan = connection.exec_driver_sql(f"EXPLAIN {statement}", parameters).scalars().all()
    assert any("memory_thread" in line for line in plan), plan
    door.close()
