"""What PostgreSQL is sent: a list is one parameter of it, and a question to a level reads its postings alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from tests.conformance.conftest import ENCODER, NOW, at, entry
from tests.conformance.test_candidates import probe

from engramforge.model.scope import Level, Scope
from engramforge.store.door import View
from engramforge.store.postgres.search.candidates import SearchOptions
from engramforge.store.postgres.store import PostgresStore, open_postgres

SCOPE = Scope(every_agent=True)


@pytest.fixture
def store(postgres_url: str) -> Iterator[PostgresStore]:
    opened = open_postgres(postgres_url, "default", lambda: ENCODER.id, SearchOptions(exact_memories=0))
    made = [
        entry(f"copper note {number}", level=level, agent=agent, session_id="talk")
        for number in range(20)
        for level in Level
        for agent in ("ada", "bo")
    ]
    opened.write(SCOPE, lambda writes: writes.insert(made))
    yield opened
    opened.close()


@contextmanager
def heard(store: PostgresStore) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are sent meanwhile, with their values."""
    told: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, values: Any, *___: Any) -> None:
        told.append((statement, values))

    sa.event.listen(store._engine, "before_cursor_execute", note)
    yield told
    sa.event.remove(store._engine, "before_cursor_execute", note)


@pytest.mark.parametrize(
    "asks",
    [
        lambda view, ids, positions: view.fetch_at(positions),
        lambda view, ids, positions: view.fetch_with_entries(positions),
        lambda view, ids, positions: view.held(at(NOW), ids),
        lambda view, ids, positions: view.steps(at(NOW), ids, 5),
        lambda view, ids, positions: view.relations_at(at(NOW), ids),
        lambda view, ids, positions: view.steps_by(at(NOW), ids, ["CAUSES"], 5),
    ],
)
def test_a_longer_list_makes_no_longer_statement(
    store: PostgresStore, asks: Callable[[View, list[str], Any], object]
) -> None:
    ids = [each.logical_id for each in store.asking(SCOPE).browse(at(NOW), 100)]
    sent = []
    for count in (3, 90):
        with heard(store) as told:
            asks(store.asking(SCOPE), ids[:count], np.arange(1, count + 1))
        sent.append(
            [statement for statement, _ in told if "FROM memory" in statement or "FROM link" in statement]
        )
    assert sent[0] and sent[0] == sent[1]


def test_a_question_to_a_level_reads_its_postings_alone(store: PostgresStore) -> None:
    def asked(scope: Scope) -> tuple[str, Any]:
        with heard(store) as told:
            assert len(store.asking(scope).candidates(at(NOW), probe("copper note 3")))
        (of_postings,) = [each for each in told if "FROM posting" in each[0]]
        return of_postings

    statement, values = asked(Scope(agent="ada", levels=(Level.ECOSYSTEM,)))
    assert "JOIN memory" not in statement
    with store.reading(SCOPE) as connection:
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        plan = "\n".join(connection.exec_driver_sql(f"EXPLAIN {statement}", values).scalars())
        (row,) = connection.exec_driver_sql(statement, values).all()
    assert "using posting_term" in plan
    (condition,) = [line for line in plan.splitlines() if "Index Cond" in line and "term =" in line]
    assert "level = ANY" in condition
    assert len(set(row[1].tolist())) == 40, "what one of three levels holds"
    # Other agents' personal memories are not told by their level.
    assert "JOIN memory" in asked(Scope(agent="ada", levels=(Level.PERSONAL,)))[0]
    assert "JOIN memory" not in asked(Scope(levels=(Level.PERSONAL,), every_agent=True))[0]


def test_what_is_nearest_is_looked_for_once_for_all_levels(store: PostgresStore) -> None:
    asked = replace(probe("copper note 3"), terms=np.empty(0, np.uint32), closeness=np.empty(0, np.float32))
    asked = replace(asked, owners=np.empty(0, np.int32))
    every = store.asking(SCOPE)
    every.ground()
    near = every.near_of_levels(at(NOW), asked)
    assert set(near) == set(Level)
    for level in Level:
        view = store.asking(replace(SCOPE, levels=(level,)))
        by_itself = view.candidates(at(NOW), asked)
        with heard(store) as told:
            found = view.candidates(at(NOW), replace(asked, near=partial(near.get, level)))
        assert len(found) and found.position.tolist() == by_itself.position.tolist()
        assert not [statement for statement, _ in told if "FROM embedding_semantic" in statement]


def test_a_level_that_others_crowd_out_looks_for_itself(store: PostgresStore) -> None:
    store._search.options = replace(store._search.options, nearest=2)
    store.write(SCOPE, lambda writes: writes.insert([entry("tin", level=Level.COLLECTIVE) for _ in range(8)]))
    view = store.asking(SCOPE)
    view.ground()
    assert set(view.near_of_levels(at(NOW), probe("tin"))) == {Level.COLLECTIVE}
