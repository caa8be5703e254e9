"""The resident index with parts: what is loaded when, what a change reloads, what stays in memory."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.conformance.conftest import ENCODER, NOW, at, days
from tests.conformance.spaces import asked, encoder_of, nothing_but, part, plain, score, with_signals

from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.embeddings.part import Part, QueryPart
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry, Extent
from engramforge.model.time import InvalidationReason, TemporalMode
from engramforge.store.scoring.parts import part_scores
from engramforge.store.sqlite.resident.parts import PartRows, ResidentParts
from engramforge.store.sqlite.resident.shard import Shard, ShardRows
from engramforge.store.sqlite.store import SqliteStore, open_sqlite

SCOPE = Scope()
CURRENT = at(NOW)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_sqlite(tmp_path / "memory.db", "default", lambda: ENCODER.id)
    yield opened
    opened.close()


def loads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Fills with space and beginning of every read of parts from now on."""
    read: list[tuple[str, int]] = []
    real = ResidentParts._read

    def watched(self: ResidentParts, project: int, query: QueryPart, since: int) -> object:
        read.append((str(query.space), since))
        return real(self, project, query, since)

    monkeypatch.setattr(ResidentParts, "_read", watched)
    return read


def shard_of(count: int) -> Shard:
    """A shard of empty versions at positions 1 to count."""
    zeros, blank = [0] * count, [b""] * count
    shard = Shard()
    numbers: list[object] = [list(range(1, count + 1)), *([zeros] * 13), *([blank] * 4), zeros, blank]
    shard.add(ShardRows(*numbers))  # type: ignore[arg-type]
    return shard


def test_parts_are_read_when_a_probe_first_asks_and_only_then(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)
    read = loads(monkeypatch)
    with store.transaction(SCOPE) as writes:
        writes.insert([with_signals(plain(number), [part(Space.CODE, rng)]) for number in range(5)])
    store.asking(SCOPE).candidates(CURRENT, nothing_but(entities=("Ada",)))
    assert read == []
    query = asked(Space.CODE, rng)
    for _ in range(3):
        store.asking(SCOPE).candidates(CURRENT, nothing_but(query))
    assert read == [("code", -1)]
    store.asking(SCOPE).candidates(CURRENT, nothing_but(query, asked(Space.CAUSAL, rng, scans=False)))
    assert read[1:] == [("causal", -1)]
    with store.transaction(SCOPE) as writes:
        writes.insert([plain(9)])
    store.asking(SCOPE).candidates(CURRENT, nothing_but(query))
    assert len(read) == 3 and read[2][0] == "code" and read[2][1] > 0, "only what has changed since"
    place = store.asking(SCOPE).positions(CURRENT, 1)
    with store.transaction(SCOPE) as writes:
        writes.place_parts(place, Space.CAUSAL, encoder_of(Space.CAUSAL), [part(Space.CAUSAL, rng)])
    store.asking(SCOPE).candidates(CURRENT, nothing_but(query))
    assert read[3:][0][1] > 0, "placed in another space: nothing to read anew"
    with store.transaction(SCOPE) as writes:
        writes.place_parts(place, Space.CODE, query.encoder, [part(Space.CODE, rng)])
    found = store.asking(SCOPE).candidates(CURRENT, nothing_but(query))
    assert read[-1] == ("code", -1)
    assert found.parts[Space.CODE].present.all()


def test_embeddings_of_encoders_that_are_not_active_are_not_loaded(store: SqliteStore) -> None:
    with store.transaction(SCOPE) as writes:
        writes.insert([plain(number) for number in range(4)])
    places = store.asking(SCOPE).positions(CURRENT, 9)
    with store.transaction(SCOPE) as writes:
        writes.place_vectors(places, "large/900", [np.full(900, 3, np.int8)] * 4)
    asks = ENCODER.encode_query("note number")
    probe = replace(nothing_but(), vector=asks.vector)
    before = store.asking(SCOPE).candidates(CURRENT, probe)
    shard = store._resident._loaded[0].current
    assert shard.vectors.shape == (4, 256)
    with store.transaction(SCOPE) as writes:
        writes.place_vectors(places, "large/900", [np.full(900, 4, np.int8)] * 4)
    assert np.array_equal(store.asking(SCOPE).candidates(CURRENT, probe).vector, before.vector)
    assert store._resident._loaded[0].current is shard, "nothing of what is resident has changed"
    with store.transaction(SCOPE) as writes:
        writes.activate(Space.SEMANTIC, ActiveEncoder("local:/large", "large/900", 900))
    large = replace(nothing_but(), vector=np.ones(900, np.float32) / 30, encoder="large/900")
    assert store.asking(SCOPE).candidates(CURRENT, large).vector.tolist() == [[4] * 900] * 4
    assert store._resident._loaded[0].current.vectors.shape == (4, 900)


def test_a_long_random_history_is_scanned_as_a_fresh_process_scans_it(
    store: SqliteStore, tmp_path: Path
) -> None:
    rng, noise = random.Random(7), np.random.default_rng(7)
    queries = [asked(space, noise) for space in (Space.CODE, Space.HYPERDIMENSIONAL)]
    held: list[Entry] = []
    probe = nothing_but(*queries, entities=("Ada", "Bo"), per_way=15)
    history = Selection(mode=TemporalMode.FULL_HISTORY)
    for step in range(60):
        with store.transaction(SCOPE) as writes:
            deed = rng.choice(("insert", "expire", "forget", "place", "mention")) if held else "insert"
            if deed == "insert":
                made = [
                    with_signals(
                        plain(number, project=f"p{number % 3}"),
                        [part(query.space, noise) for query in queries if rng.random() < 0.6],
                        tuple(rng.sample(("Ada", "Bo", "Cy"), rng.randint(0, 2))),
                    )
                    for number in range(rng.choice((1, 7, 40)))
                ]
                writes.insert(made)
                held += made
            elif deed == "expire":
                found = held.pop(rng.randrange(len(held)))
                writes.expire(found.memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
            elif deed == "forget":
                writes.forget(Extent([held.pop(rng.randrange(len(held))).memory.logical_id]), NOW)
            else:
                places = np.array(rng.sample(range(1, 200), 9))
                if deed == "mention":
                    writes.place_mentions(
                        places, [rng.sample(("Ada", "Bo"), rng.randint(0, 2)) for _ in places]
                    )
                else:
                    made_parts = [rng.choice((part(Space.CODE, noise), None)) for _ in places]
                    writes.place_parts(places, Space.CODE, encoder_of(Space.CODE), made_parts)
        if step % 4:
            continue
        fresh = open_sqlite(tmp_path / "memory.db", "default", lambda: ENCODER.id)
        for selection in (CURRENT, history):
            for scope in (SCOPE, SCOPE.within("p1")):
                found = store.asking(scope).candidates(selection, probe)
                other = fresh.asking(scope).candidates(selection, probe)
                assert found.position.tolist() == other.position.tolist()
                assert found.found.tolist() == other.found.tolist()
                assert found.mentioned is not None and other.mentioned is not None
                assert found.mentioned.tolist() == other.mentioned.tolist()
                for space, batch in found.parts.items():
                    assert np.array_equal(batch.values, other.parts[space].values)
                    assert np.array_equal(batch.present, other.parts[space].present)
        fresh.close()
    assert store.check() == []


def test_parts_of_different_heights_lie_side_by_side() -> None:
    """As late interaction has them: as many rows as the text has words."""
    rng = np.random.default_rng(2)
    shard = shard_of(6)
    parts = PartRows(shard, Space.LATE_INTERACTION)
    values = [rng.integers(-90, 90, (height, 8)).astype(np.int8) for height in (2, 5, 1)]
    parts.add([1, 3], [2, 5], [value.tobytes() for value in values[:2]])
    parts.add([4, 99], [1, 1], [values[2].tobytes(), bytes(8)])
    query = QueryPart(
        Space.LATE_INTERACTION,
        "e",
        rng.standard_normal((5, 8)).astype(np.float32),
        np.array([1, 0.5, 0.25, 0, 1], np.float32),
    )
    fits = np.array([1, 1, 1, 1, 0, 1], np.bool_)
    scores = parts.scores(query, fits)
    for row, item in ((0, values[0]), (2, values[1]), (3, values[2])):
        unit = query.values / np.linalg.norm(query.values, axis=1, keepdims=True)
        kept = QueryPart(query.space, "e", unit[: len(item)], query.weights[: len(item)])
        assert scores[row] == pytest.approx(score(kept, item), abs=0.02)
    assert scores[[1, 4, 5]].tolist() == [0, 0, 0]
    batch = parts.batch(np.array([3, 1, 0]), query)
    assert batch.values.shape == (3, 2, 8) and batch.present.tolist() == [True, False, True]
    assert np.array_equal(batch.values[2], values[0]) and not batch.values[0, 1].any()
    # A part that takes another's place counts alone.
    parts.add([3], [2], [values[0].tobytes()])
    assert parts.scores(query, fits)[2] == pytest.approx(scores[0])


def test_a_selective_filter_and_a_wide_one_score_alike() -> None:
    rng = np.random.default_rng(3)
    shard = shard_of(400)
    for space in (Space.CAUSAL, Space.HYPERDIMENSIONAL):
        parts = PartRows(shard, space)
        made: list[Part] = [part(space, rng) for _ in range(400)]
        parts.add(
            range(1, 401), [len(item.values) for item in made], [item.values.tobytes() for item in made]
        )
        query = asked(space, rng, weights=[0.7, 0.2][: len(made[0].values)])
        every = parts.scores(query, np.ones(400, np.bool_))
        few = np.zeros(400, np.bool_)
        few[[3, 77, 300]] = True
        assert np.array_equal(parts.scores(query, few)[few], every[few])
        assert not parts.scores(query, few)[~few].any()
        whole = part_scores(query, parts.batch(np.arange(400), query))
        assert np.allclose(whole, every, atol=1e-6)
        assert every[5] == pytest.approx(score(query, made[5].values), abs=0.02)


def test_stored_bytes_that_make_no_part_are_passed_over() -> None:
    parts = PartRows(shard_of(3), Space.CAUSAL)
    parts.add([1, 2, 3], [2, 2, 0], [bytes(range(8)), bytes(5), b""])
    query = QueryPart(Space.CAUSAL, "e", np.ones((2, 4), np.float32) / 2, np.ones(2, np.float32))
    batch = parts.batch(np.arange(3), query)
    assert batch.present.tolist() == [True, False, False]
    assert np.isfinite(parts.scores(query, np.ones(3, np.bool_))).all()


def test_the_order_of_sessions_is_kept_as_a_sort_of_all_would_make_it() -> None:
    drawn = random.Random(4)
    shard, position = Shard(), 0
    for _ in range(200):
        count = drawn.choice((1, 1, 2, 5, 60))
        again = drawn.sample(range(1, position + 1), min(position, drawn.choice((0, 0, 1, 3))))
        places = [*range(position + 1, position + 1 + count), *again]
        position += count
        sessions = [drawn.randrange(-1, 6) for _ in places]
        sequences = [drawn.choice((0, -1, position, drawn.randrange(position + 1))) for _ in places]
        zeros, blank = [0] * len(places), [b""] * len(places)
        numbers: list[object] = [places, zeros, sessions, sequences, *([zeros] * 10), *([blank] * 4)]
        shard.add(ShardRows(*numbers, zeros, blank))  # type: ignore[arg-type]
        if drawn.random() < 0.3:
            shard.drop(drawn.sample(range(1, position + 1), 1))
        keys = (shard.column("position"), shard.column("sequence"), shard.column("session"), ~shard.alive)
        assert shard._session_order()[: shard.living].tolist() == np.lexsort(keys)[: shard.living].tolist()
        assert shard._session_rank()[shard._session_order()].tolist() == list(range(len(shard)))
