"""Spaces beyond words on PostgreSQL: their indexes are gone through, and no write slips past a change of encoder."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
from tests.conformance.conftest import ENCODER, NOW, at, entry
from tests.conformance.spaces import SIZES, asked, nothing_but, part, with_signals
from tests.conformance.test_candidates import probe

from engramforge.errors import Conflict, EncoderChanged
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.embeddings.part import Part, QueryPart
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import FOUND_BY_MEANING, FOUND_BY_SPACE, Probe
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Extent
from engramforge.model.time import TemporalMode
from engramforge.store.door import Transaction
from engramforge.store.postgres.search.candidates import SearchOptions
from engramforge.store.postgres.search.vector_index import IndexOptions, settings, standing
from engramforge.store.postgres.store import PostgresStore, open_postgres
from engramforge.store.scoring.strength import quantise
from engramforge.store.sqlite.store import open_sqlite

SCOPE = Scope()
EVERYTHING = Selection(mode=TemporalMode.FULL_HISTORY)
MEMORIES = 2_000
BY_INDEXES = (
    SearchOptions(exact_memories=0, compared=0),
    IndexOptions(500, looked_after=500, packed_patience=1),
)
SHAPES = {Space.CAUSAL: (2, 64), Space.HYPERDIMENSIONAL: (1, 128), Space.SEMANTIC: (1, 64)}
OTHER = ActiveEncoder("local:/model", "model/64", 64)


def opened(url: str, *options: Any) -> PostgresStore:
    return open_postgres(url, "default", lambda: ENCODER.id, *options, pool_size=10)


def bare(url: str, *options: Any, count: int = MEMORIES) -> PostgresStore:
    """A store of memories without words and E1."""
    door = opened(url, *options)
    nothing = np.empty(0, np.uint32)
    silent = replace(
        ENCODER.encode(["copper"])[0], vector=None, terms=nothing, counts=nothing.astype(np.uint8)
    )
    made = [replace(entry("copper"), embedding=silent) for _ in range(count)]
    door.write(SCOPE, lambda writes: writes.insert(made))
    return door


def clouds(
    rng: np.random.Generator, shape: tuple[int, int], centres: int = 40
) -> tuple[np.ndarray, np.ndarray]:
    """Centres, and memories around them, as texts are: evenly spread vectors have no neighbours to speak of."""
    middle = rng.normal(size=(centres, *shape))
    return middle, np.repeat(middle, MEMORIES // centres, axis=0) + 0.6 * rng.normal(size=(MEMORIES, *shape))


def values_of(space: Space, cloud: np.ndarray) -> list[Any]:
    if space is Space.HYPERDIMENSIONAL:
        signs = np.repeat(cloud, 8, axis=2) > 0
        return list(np.packbits(signs, axis=2))
    return [np.array([quantise(row) for row in item.astype(np.float32)]) for item in cloud]


def question(space: Space, cloud: np.ndarray) -> QueryPart:
    (values,) = values_of(space, cloud[None])
    weights = np.array([0.7, 0.3][: len(values)], np.float32) if len(values) > 1 else np.ones(1, np.float32)
    if space is not Space.HYPERDIMENSIONAL:
        values = values.astype(np.float32)
        values /= np.linalg.norm(values, axis=1, keepdims=True)
    return QueryPart(space, f"{space}/1", values, weights)


def exact_scores(query: QueryPart, values: Sequence[np.ndarray]) -> np.ndarray:
    whole = np.array(values)
    if query.space is Space.HYPERDIMENSIONAL:
        return -np.bitwise_count(whole ^ query.values).sum(axis=(1, 2)).astype(float)
    unit = whole / np.linalg.norm(whole.astype(float), axis=2, keepdims=True)
    return np.einsum("nrs,rs,r->n", unit, query.values, query.weights)


@pytest.mark.parametrize("space", list(SHAPES))
def test_an_index_of_each_kind_is_used_and_finds_the_nearest(postgres_url: str, space: Space) -> None:
    rng = np.random.default_rng(7)
    door = bare(postgres_url, *BY_INDEXES)
    places = door.asking(SCOPE).positions(EVERYTHING, MEMORIES)[::-1].copy()
    centres, cloud = clouds(rng, SHAPES[space])
    values = values_of(space, cloud)
    for begin in range(0, MEMORIES, 500):
        some = slice(begin, begin + 500)

        def place(writes: Transaction, some: slice = some) -> None:
            if space is Space.SEMANTIC:
                writes.place_vectors(places[some], OTHER.id, [value[0] for value in values[some]])
            else:
                parts = [Part(space, f"{space}/1", value) for value in values[some]]
                writes.place_parts(places[some], space, f"{space}/1", parts)

        door.write(SCOPE, place)
    if space is Space.SEMANTIC:
        door.write(SCOPE, lambda writes: writes.activate(space, OTHER))
    with door.reading(SCOPE) as connection:
        indexes = standing(connection)
    assert {item.space for item in indexes} == {space}
    assert indexes[-1].upto == places[-1]
    sent: list[tuple[str, Any]] = []

    def noted(_: Any, __: Any, statement: str, parameters: Any, ___: Any, ____: Any) -> None:
        if " ORDER BY CAST(v." in statement:
            sent.append((statement, parameters))

    sa.event.listen(door._engine, "before_cursor_execute", noted)
    found = 0
    for _ in range(10):
        near = centres[rng.integers(len(centres))] + 0.6 * rng.normal(size=SHAPES[space])
        query = question(space, near)
        sought = nothing_but(query, per_way=50)
        if space is Space.SEMANTIC:
            sought = replace(nothing_but(per_way=50), vector=query.values[0], encoder=OTHER.id)
        batch = door.asking(SCOPE).candidates(at(NOW), sought)
        bit = FOUND_BY_MEANING if space is Space.SEMANTIC else FOUND_BY_SPACE[space]
        got = set(batch.position[(batch.found & bit) > 0].tolist())
        best = np.argsort(-exact_scores(query, values), kind="stable")[:20]
        found += len(got & set(places[best].tolist()))
    sa.event.remove(door._engine, "before_cursor_execute", noted)
    assert found >= 0.9 * 200
    with door.reading(SCOPE) as connection:
        for name, value in settings(100):
            connection.exec_driver_sql(f"SET LOCAL {name} = {value}")
        plans = [
            "\n".join(connection.exec_driver_sql("EXPLAIN " + item, its).scalars()) for item, its in sent[:6]
        ]
    for index in indexes:
        assert any(index.name in plan for plan in plans), plans
    # What was found by an index is gone with its embeddings, and so is the index.
    if space is not Space.SEMANTIC:
        gone = door.write(SCOPE, lambda writes: writes.drop_encoder(space, f"{space}/1"))
        assert gone == MEMORIES
        with door.reading(SCOPE) as connection:
            assert standing(connection) == []
        empty = door.asking(SCOPE).candidates(at(NOW), nothing_but(query))
        assert not empty.parts[space].present.any()
    door.close()


def test_no_write_of_the_old_encoder_slips_past_a_change(postgres_url: str) -> None:
    left, other = opened(postgres_url), opened(postgres_url)
    first, late = entry("first"), entry("late")
    left.write(SCOPE, lambda writes: writes.insert([first]))
    inserted, over = threading.Event(), threading.Event()

    def slow(writes: Transaction) -> None:
        writes.insert([late])
        inserted.set()
        assert over.wait(30)

    def change(writes: Transaction) -> None:
        places = left.asking(SCOPE).positions(EVERYTHING, 10)
        writes.place_vectors(places, OTHER.id, [np.ones(64, np.int8)] * len(places))
        writes.activate(Space.SEMANTIC, OTHER)

    with ThreadPoolExecutor(2) as pool:
        writing = pool.submit(left.write, SCOPE, slow)
        assert inserted.wait(20)
        changing = pool.submit(other.write, SCOPE, change)
        with suppress(TimeoutError):
            changing.result(0.5)
        assert not changing.done(), "it waits for the write that is under way"
        over.set()
        writing.result(30)
        # The late memory lacks the new encoder's embedding, and the change sees it.
        with pytest.raises(Conflict, match="no embedding"):
            changing.result(30)
    assert left.asking(SCOPE).encoders() == {}
    other.write(SCOPE, change)
    assert left.asking(SCOPE).encoders() == {Space.SEMANTIC: OTHER}
    with pytest.raises(EncoderChanged):
        left.write(SCOPE, lambda writes: writes.insert([entry("too late")]))
    assert left.tending(SCOPE).unencoded(Space.SEMANTIC, OTHER.id, 10) == []


def test_a_write_waits_for_a_change_and_is_refused(postgres_url: str) -> None:
    first, other = opened(postgres_url), opened(postgres_url)
    changed, over = threading.Event(), threading.Event()

    def change(writes: Transaction) -> None:
        writes.activate(Space.SEMANTIC, OTHER)
        changed.set()
        assert over.wait(30)

    with ThreadPoolExecutor(2) as pool:
        changing = pool.submit(other.write, SCOPE, change)
        assert changed.wait(20)
        writing = pool.submit(first.write, SCOPE, lambda writes: writes.insert([entry("meanwhile")]))
        with suppress(TimeoutError):
            writing.result(0.5)
        assert not writing.done()
        over.set()
        changing.result(30)
        with pytest.raises(EncoderChanged):
            writing.result(30)
    assert first.tending(SCOPE).count().versions == 0
    vector = np.ones(256, np.float32)
    empty = np.empty(0, np.float32)
    stale = Probe(vector, np.empty(0, np.uint32), empty, np.empty(0, np.int32), empty)
    with pytest.raises(EncoderChanged):
        first.asking(SCOPE).candidates(at(NOW), stale)


def test_a_name_is_mentioned_again_while_its_last_mention_is_forgotten(postgres_url: str) -> None:
    left, other = opened(postgres_url), opened(postgres_url)
    first = with_signals(entry("first"), (), ("Xanadu",))
    again = with_signals(entry("again"), (), ("Xanadu",))
    left.write(SCOPE, lambda writes: writes.insert([first]))
    written, over = threading.Event(), threading.Event()

    def mention(writes: Transaction) -> None:
        writes.insert([again])
        written.set()
        assert over.wait(30)

    with ThreadPoolExecutor(2) as pool:
        writing = pool.submit(left.write, SCOPE, mention)
        assert written.wait(20)
        forgetting = pool.submit(
            other.write, SCOPE, lambda writes: writes.forget(Extent([first.memory.logical_id]), NOW)
        )
        with suppress(TimeoutError):
            forgetting.result(0.5)
        over.set()
        writing.result(30)
        forgetting.result(30)
    found = left.tending(SCOPE).mentions()
    assert found.names == ("Xanadu",) and len(found.positions) == 1
    left.write(SCOPE, lambda writes: writes.forget(Extent([again.memory.logical_id]), NOW))
    with left.reading(SCOPE) as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM entity").scalar_one() == 0


def test_many_who_name_the_same_at_once(postgres_url: str) -> None:
    doors = [opened(postgres_url) for _ in range(4)]
    names = [f"Name {number}" for number in range(60)]

    def work(number: int) -> None:
        door = doors[number % len(doors)]
        order = names if number % 2 else names[::-1]
        made = [with_signals(entry(f"{number} {name}"), (), (name, "All")) for name in order]
        door.write(SCOPE, lambda writes: writes.insert(made))
        if number % 3 == 0:
            gone = [row.memory.logical_id for row in made]
            door.write(SCOPE, lambda writes: writes.forget(Extent(gone), NOW))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(12)))
    found = doors[0].tending(SCOPE).mentions()
    assert set(found.names) == {*names, "All"}
    assert len(found.positions) == 8 * len(names) * 2
    assert doors[0].check() == []


def test_the_same_embeddings_placed_by_two_at_once(postgres_url: str) -> None:
    first, other = bare(postgres_url, count=50), opened(postgres_url)
    places = first.asking(SCOPE).positions(EVERYTHING, 50)
    its = part(Space.CODE, np.random.default_rng(1))

    def place(door: PostgresStore) -> None:
        for _ in range(5):
            door.write(SCOPE, lambda w: w.place_parts(places, its.space, its.encoder, [its] * 50))
            door.write(SCOPE, lambda w: w.place_vectors(places, OTHER.id, [np.ones(64, np.int8)] * 50))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(place, (first, other)))
    assert len(first.asking(SCOPE).signals(places).embeddings) == 50
    with first.reading(SCOPE) as connection:
        counted = "SELECT (SELECT count(*) FROM embedding_part), (SELECT count(*) FROM embedding_semantic)"
        assert tuple(connection.exec_driver_sql(counted).one()) == (50, 50)


def test_both_engines_choose_the_same_by_every_space(postgres_url: str, tmp_path: Path) -> None:
    rng, words = np.random.default_rng(3), ("copper", "iris", "harbor", "dune", "kettle")
    names = ("Ada", "Xanadu", "Pier 7")
    made = [
        with_signals(
            entry(
                f"{' '.join(rng.choice(words, 3))} {number}",
                session_id=f"s{number // 9}",
                sequence=number % 9,
            ),
            [part(space, rng) for space in SIZES if rng.random() < 0.5],
            tuple(name for name in names if rng.random() < 0.1),
        )
        for number in range(300)
    ]
    sqlite = open_sqlite(tmp_path / "memory.db", "default", lambda: ENCODER.id)
    postgres = opened(postgres_url)
    for door in (sqlite, postgres):
        door.write(SCOPE, lambda writes: writes.insert(made))
    for number in range(12):
        parts = tuple(asked(space, rng, scans=rng.random() < 0.7) for space in SIZES if rng.random() < 0.6)
        base = probe(" ".join(rng.choice(words, 2)), per_way=10, window=number % 3, most=60)
        item = replace(base, parts=parts, entities=names[: number % 3])
        mine, other = (door.asking(SCOPE).candidates(at(NOW), item) for door in (sqlite, postgres))
        assert mine.position.tolist() == other.position.tolist()
        assert mine.found.tolist() == other.found.tolist()
        assert (mine.mentioned is None) == (other.mentioned is None)
        assert mine.mentioned is None or np.allclose(mine.mentioned, other.mentioned)
        for space, batch in mine.parts.items():
            assert np.array_equal(batch.present, other.parts[space].present)
            there = batch.present
            assert np.array_equal(batch.values[there], other.parts[space].values[there])
    for door in (sqlite, postgres):
        door.close()
