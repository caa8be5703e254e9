"""Transactions that meet on PostgreSQL: races of real threads on real connections, and what each promises."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from tests.conformance.conftest import ENCODER, NOW, START, days, entry
from tests.conformance.test_links import link_of

from engramforge.errors import EngramforgeError, NotFound
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry, Erasure, Extent
from engramforge.model.time import InvalidationReason, TemporalMode
from engramforge.store.door import Transaction
from engramforge.store.postgres.search import vector_index
from engramforge.store.postgres.search.vector_index import IndexOptions
from engramforge.store.postgres.store import PostgresStore, open_postgres

SCOPE = Scope()
WRONG = InvalidationReason.DISCOVERED_FALSE
EVERYTHING = Selection(mode=TemporalMode.FULL_HISTORY)


@pytest.fixture
def door(postgres_url: str) -> Iterator[PostgresStore]:
    """A store with a pool for many threads."""
    store = open_postgres(postgres_url, "default", lambda: ENCODER.id, pool_size=10)
    yield store
    store.close()


def wrote(door: PostgresStore, *entries: Entry) -> tuple[Entry, ...]:
    """Write them."""
    door.write(SCOPE, lambda writes: writes.insert(entries))
    return entries


def contents(door: PostgresStore) -> list[str]:
    """What every version says, oldest first."""
    return [memory.content for memory in door.asking(SCOPE).browse(EVERYTHING, 1_000, newest_first=False)]


def meeting(
    door: PostgresStore, first: Callable[[Transaction], Any], second: Callable[[Transaction], Any]
) -> Future[Any]:
    """The first work is done and held open until the second waits or is done; then the first commits."""
    begun, over = threading.Event(), threading.Event()

    def held(writes: Transaction) -> None:
        first(writes)
        begun.set()
        assert over.wait(20)

    with ThreadPoolExecutor(2) as pool:
        task = pool.submit(door.write, SCOPE, held)
        assert begun.wait(20)
        other = pool.submit(door.write, SCOPE, second)
        with suppress(TimeoutError):
            other.exception(0.5)
        over.set()
        task.result(30)
        other.exception(30)
    return other


def test_two_who_remember_one_origin_write_it_once(door: PostgresStore) -> None:
    key = b"k" * 16
    together = threading.Barrier(8)

    def remember(number: int) -> bool:
        def work(writes: Transaction) -> bool:
            if key in writes.known_origins("atlas", [key]):
                return False
            writes.insert([entry(f"Told by {number}.", origin=key)])
            return True

        together.wait()
        return door.write(SCOPE, work)

    with ThreadPoolExecutor(8) as pool:
        wrote_it = list(pool.map(remember, range(8)))
    assert sum(wrote_it) == 1
    assert len(contents(door)) == 1


def test_a_version_is_expired_once(door: PostgresStore) -> None:
    (row,) = wrote(door, entry("True for now."))
    both = [lambda writes: writes.expire(row.memory.id, days(1), WRONG)] * 2
    error = meeting(door, *both).exception()
    assert isinstance(error, NotFound)
    assert len(door.asking(SCOPE).versions(row.memory.logical_id)) == 1


def test_a_link_is_ended_once(door: PostgresStore) -> None:
    first, other = wrote(door, entry("Rain."), entry("Wet streets."))
    link = link_of(first, other)
    door.write(SCOPE, lambda writes: writes.link([link]))
    both = [lambda writes: writes.expire_link(link.id, days(1), WRONG)] * 2
    assert isinstance(meeting(door, *both).exception(), NotFound)


def test_a_link_to_what_is_being_forgotten_does_not_stay(door: PostgresStore) -> None:
    for forget_first in (True, False):
        left, other = wrote(door, entry("Rain."), entry("Wet streets."))

        def linked(writes: Transaction, first: Entry = left, other: Entry = other) -> None:
            writes.link([link_of(first, other)])

        def forgotten(writes: Transaction, row: Entry = left) -> None:
            writes.forget(Extent([row.memory.logical_id]), NOW)

        first, second = (forgotten, linked) if forget_first else (linked, forgotten)
        error = meeting(door, first, second).exception()
        assert isinstance(error, NotFound) if forget_first else error is None
        assert door.tending(SCOPE).count().links == 0


def test_a_copy_that_changes_while_its_original_is_forgotten_goes_too(door: PostgresStore) -> None:
    original, copy = wrote(door, entry("The secret itself."), entry("A summary of the secret."))
    door.write(SCOPE, lambda writes: writes.link([link_of(copy, original, relation="DERIVED_FROM")]))

    def revised(writes: Transaction) -> None:
        writes.fetch([copy.memory.logical_id])
        writes.expire(copy.memory.id, days(1), WRONG)
        new = entry("A better summary of the secret.", logical_id=copy.memory.logical_id, version=2)
        writes.insert([new])

    error = meeting(
        door, revised, lambda writes: writes.forget(Extent([original.memory.logical_id]), NOW)
    ).exception()
    assert error is None
    assert contents(door) == []
    assert door.check() == []


def test_forgetting_a_sessions_last_memory_meets_a_new_one(door: PostgresStore) -> None:
    for forget_first in (True, False):
        (last,) = wrote(door, entry("The last of it.", session_id="talk", sequence=1))
        new = entry("A new one.", session_id="talk", sequence=2)

        def forgotten(writes: Transaction, last: Entry = last) -> None:
            writes.forget(Extent([last.memory.logical_id]), NOW)

        def added(writes: Transaction, new: Entry = new) -> None:
            writes.insert([new])

        first, second = (forgotten, added) if forget_first else (added, forgotten)
        assert meeting(door, first, second).exception() is None
        (there,) = door.asking(SCOPE).browse(Selection(mode=TemporalMode.FULL_HISTORY, session_id="talk"), 10)
        assert there.content == "A new one."
        door.write(SCOPE, lambda writes, there=there: writes.forget(Extent([there.logical_id]), NOW))


def test_two_who_wait_crosswise_both_get_through(door: PostgresStore) -> None:
    first, other = wrote(door, entry("One."), entry("Other."))
    together = threading.Barrier(2)

    def work(order: list[Entry]) -> int:
        tries = 0

        def crosswise(writes: Transaction) -> None:
            nonlocal tries
            tries += 1
            writes.fetch([order[0].memory.id])
            if tries == 1:
                together.wait(20)
            writes.fetch([order[1].memory.id])

        door.write(SCOPE, crosswise)
        return tries

    with ThreadPoolExecutor(2) as pool:
        tries = list(pool.map(work, ([first, other], [other, first])))
    assert sum(tries) == 3


def test_statistics_notice_a_write_that_was_numbered_first_and_committed_last(door: PostgresStore) -> None:
    wrote(door, entry("A harbour."))
    assert door.asking(SCOPE).ground().corpus.total == 1
    asked: list[int] = []

    def second(writes: Transaction) -> None:
        writes.insert([entry("Another harbour.")])

    def first(writes: Transaction) -> None:
        writes.insert([entry("The slow harbour.", speaker="Ada")])
        door.write(SCOPE, second)
        asked.append(door.asking(SCOPE).ground().corpus.total)

    door.write(SCOPE, first)
    assert asked == [2]
    assert door.asking(SCOPE).ground().corpus.total == 3
    assert door.asking(SCOPE).ground().profile.speakers == ("ada",)


def cut_off(server: Any, url: str, statement: str) -> None:
    """Wait until a statement is at work in the database, then end its connection."""
    asked = (
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
        f"WHERE datname = '{server.name_of(url)}' AND pid <> pg_backend_pid() AND query LIKE '{statement}%'"
    )
    for _ in range(2_000):
        if server.run(asked)[0][0]:
            return
        time.sleep(0.01)
    raise AssertionError(f"no {statement} was seen")


def test_what_follows_a_commit_never_repeats_it(postgres_url: str, postgres_server: Any) -> None:
    options = IndexOptions(1, looked_after=1)
    door = open_postgres(postgres_url, "default", lambda: ENCODER.id, None, options, pool_size=10)
    tries: list[str] = []
    row = entry("Written once.")

    def insert(writes: Transaction) -> None:
        tries.append("insert")
        writes.insert([row])

    def forget(writes: Transaction) -> None:
        tries.append("forget")
        writes.forget(Extent([row.memory.logical_id]), NOW)

    with ThreadPoolExecutor(1) as pool, psycopg.connect(postgres_url) as other:
        # An old snapshot lets the making of an index wait; there its connection is ended.
        other.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        other.execute("SELECT count(*) FROM memory")
        writing = pool.submit(door.write, SCOPE, insert)
        cut_off(postgres_server, postgres_url, "CREATE INDEX CONCURRENTLY")
        writing.result(30)
        other.rollback()
        assert contents(door) == ["Written once."]
        # What the cut left half-made is no index to anybody, and goes with the next.
        with door.reading(SCOPE) as connection:
            assert vector_index.standing(connection) == []
        # A lock on a table holds up the erasure, which is made up for once it is free.
        other.execute("LOCK TABLE audit IN SHARE UPDATE EXCLUSIVE MODE")
        pool.submit(door.write, SCOPE, forget).result(30)
        assert any("audit" in each for each in door.finish_erasure())
        other.rollback()
        assert door.finish_erasure() == []
    assert tries == ["insert", "forget"]
    assert contents(door) == []
    wrote(door, *(entry(f"note {number}") for number in range(5)))
    with door.reading(SCOPE) as connection:
        names = [name for name, _ in vector_index._every(connection)]
        assert names == [index.name for index in vector_index.standing(connection)] != []
    door.close()


def test_positions_drawn_before_an_index_and_committed_after_it_are_found(postgres_url: str) -> None:
    door = open_postgres(
        postgres_url, "default", lambda: ENCODER.id, None, IndexOptions(50, looked_after=50), pool_size=10
    )
    inserted, over = threading.Event(), threading.Event()
    late = entry("The zeppelin came late.")

    def slow(writes: Transaction) -> None:
        writes.insert([late])
        inserted.set()
        assert over.wait(30)

    with ThreadPoolExecutor(2) as pool:
        task = pool.submit(door.write, SCOPE, slow)
        assert inserted.wait(20)
        # Waits for the slow one, as the making of an index does.
        other = pool.submit(
            door.write, SCOPE, lambda writes: writes.insert([entry(f"note {n}") for n in range(80)])
        )
        with suppress(TimeoutError):
            other.result(1)
        over.set()
        task.result(30)
        other.result(60)
    with door.reading(SCOPE) as connection:
        (index,) = vector_index.standing(connection)
        assert index.after == 0
        assert index.upto >= 81
        found = connection.exec_driver_sql(
            "SELECT count(*) FROM embedding_semantic WHERE memory_seq <= %s", (index.upto,)
        ).scalar_one()
    assert found == 81
    assert START in {memory.valid_at for memory in door.asking(SCOPE).browse(EVERYTHING, 100)}
    door.close()


def test_closing_while_others_work(postgres_url: str) -> None:
    door = open_postgres(postgres_url, "default", lambda: ENCODER.id)
    wrote(door, entry("Here."))
    going = threading.Event()

    def work(number: int) -> str:
        while True:
            try:
                if number % 2:
                    wrote(door, entry(f"{number}"))
                else:
                    door.asking(SCOPE).ground()
                going.set()
            except EngramforgeError as error:
                return error.fault

    with ThreadPoolExecutor(4) as pool:
        faults = [pool.submit(work, number) for number in range(4)]
        assert going.wait(20)
        door.close()
        assert {"was closed" in fault.result(30) for fault in faults} == {True}


def test_a_forget_leaves_a_vector_index_to_the_sweep(postgres_url: str) -> None:
    """It is built anew with its table, which takes seconds, and readers of whatever tenant wait for that."""
    door = open_postgres(postgres_url, "default", lambda: ENCODER.id, None, IndexOptions(1, looked_after=1))
    rows = [entry(f"Row {number}.") for number in range(20)]

    def file_of() -> object:
        with psycopg.connect(postgres_url) as other:
            return other.execute("SELECT pg_relation_filenode('embedding_semantic')").fetchone()

    def forget(writes: Transaction) -> Erasure:
        writes.forget(Extent([rows[0].memory.logical_id]), NOW)
        return writes.erasure

    door.write(SCOPE, lambda writes: writes.insert(rows))
    before = file_of()
    told = door.write(SCOPE, forget)
    assert told.queued and "embedding_semantic" in {held.name for held in told.found}
    assert file_of() == before
    assert door.finish_erasure() == [] and file_of() != before
    door.close()
