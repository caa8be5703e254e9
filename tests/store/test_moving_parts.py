"""A move brings everything of every space: parts, entities and their vectors, E1 of another encoder, what is active."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.conformance.conftest import ENCODER, NOW, at, days
from tests.conformance.spaces import asked, encoder_of, nothing_but, part, plain, same, with_signals

from engramforge.core.rows.row_digest import digested
from engramforge.errors import Conflict
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.scope import Scope
from engramforge.model.spaces import Space
from engramforge.model.storing.section import Section, StoredMemory
from engramforge.model.time import InvalidationReason
from engramforge.store.door import Door
from engramforge.store.sqlite.store import open_sqlite
from engramforge.upkeep.store_moving import move

SCOPE = Scope(every_agent=True)
LARGE = ActiveEncoder("local:/large", "large/512", 512)
TRAINED = ActiveEncoder("static", "translation-1/4", 4)


def stores(folder: Path, *names: str) -> Iterator[Door]:
    for name in names:
        yield open_sqlite(folder / f"{name}.db", "default", lambda: ENCODER.id)


def filled(door: Door) -> None:
    """Memories with everything, of which some have ended, in a store that has moved to another E1."""
    rng = np.random.default_rng(3)
    entries = [
        with_signals(
            plain(number, agent=("default", "ann")[number % 2]),
            [part(space, rng) for space in (Space.CAUSAL, Space.HYPERDIMENSIONAL) if rng.random() < 0.6],
            ("Zoë", "Ada", f"Name {number}")[: number % 4],
        )
        for number in range(40)
    ]
    with door.transaction(SCOPE) as writes:
        writes.insert(entries)
        writes.expire(entries[3].memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
    lacking = door.tending(SCOPE).unencoded(Space.SEMANTIC, LARGE.id, 100)
    vectors = [rng.integers(-99, 99, 512).astype(np.int8) if at % 5 else None for at, _ in lacking]
    names = door.tending(SCOPE).mentions().names
    with door.transaction(SCOPE) as writes:
        writes.place_vectors(np.array([at for at, _ in lacking]), LARGE.id, vectors)
        writes.activate(Space.SEMANTIC, LARGE)
        writes.place_entities(TRAINED.id, names, rng.integers(-99, 99, (len(names), 4)).astype(np.int8))
        writes.activate(Space.ENTITY, TRAINED)


def memories(door: Door) -> list[StoredMemory]:
    with door.tending(SCOPE) as shot:
        rows = shot.portion(Section.MEMORIES, None, 1_000).rows
    return [row for row in rows if isinstance(row, StoredMemory)]


def test_there_and_back_is_equal(tmp_path: Path) -> None:
    first, second, third = stores(tmp_path, "first", "second", "third")
    filled(first)
    report = move(first, second, "default")
    assert report.counts["entities"] == len(first.tending(SCOPE).mentions().names)
    move(second, third, "default")
    assert len(memories(first)) == 40
    for left, other in zip(memories(first), memories(third), strict=True):
        assert left.memory == other.memory and left.write == other.write
        assert same(left.embedding.parts, other.embedding.parts)
        assert left.embedding.entities == other.embedding.entities
        assert left.embedding.meaning_encoder == other.embedding.meaning_encoder
        assert (left.embedding.vector is None) == (other.embedding.vector is None)
        assert left.embedding.vector is None or np.array_equal(left.embedding.vector, other.embedding.vector)
    before, after = first.tending(SCOPE).mentions(), third.tending(SCOPE).mentions()
    assert before.names == after.names and before.encoder == after.encoder == TRAINED.id
    assert np.array_equal(before.vectors, after.vectors) and before.vectors.any()
    assert (
        first.asking(SCOPE).encoders()
        == third.asking(SCOPE).encoders()
        == {Space.SEMANTIC: LARGE, Space.ENTITY: TRAINED}
    )
    query = asked(Space.CAUSAL, np.random.default_rng(1))
    probe = nothing_but(query, entities=("Ada",))
    left, other = (door.asking(SCOPE).candidates(at(NOW), probe) for door in (first, third))
    assert left.found.tolist() == other.found.tolist()
    assert np.array_equal(left.parts[Space.CAUSAL].values, other.parts[Space.CAUSAL].values)
    assert left.vector.shape == other.vector.shape == (39, 512) and np.array_equal(left.vector, other.vector)
    for door in (first, second, third):
        assert door.check() == []
        door.close()


@pytest.mark.parametrize("what", ["part", "entity", "order", "encoder", "trained"])
def test_a_difference_in_any_of_it_is_noticed(tmp_path: Path, what: str) -> None:
    first, second = stores(tmp_path, "first", "second")
    filled(first)
    move(first, second, "default")
    second.close()
    (second,) = stores(tmp_path, "second")  # it is the first's store now
    entry = next(
        row
        for row in memories(second)
        if Space.CAUSAL in row.embedding.parts and len(row.embedding.entities) > 1
    )
    places = second.asking(SCOPE).positions(at(NOW), 100)
    by_id = {memory.id: place for place, memory in second.asking(SCOPE).fetch_at(places).items()}
    place = np.array([by_id[entry.memory.id]])
    names = entry.embedding.entities
    with second.transaction(SCOPE) as writes:
        if what == "part":
            writes.place_parts(place, Space.CAUSAL, encoder_of(Space.CAUSAL), [None])
        elif what == "entity":
            writes.place_mentions(place, [names[:1]])
        elif what == "order":
            writes.place_mentions(place, [names[::-1]])
        elif what == "encoder":
            writes.place_vectors(place, LARGE.id, [np.full(512, 9, np.int8)])
        else:
            writes.place_entities(TRAINED.id, names[:1], np.full((1, 4), 9, np.int8))
    with pytest.raises(Conflict) as caught:
        move(first, second, "default")
    assert ("entities" if what == "trained" else "embeddings") in str(caught.value)
    for door in (first, second):
        door.close()


def test_what_is_thrown_away_leaves_no_name(tmp_path: Path) -> None:
    first, second = stores(tmp_path, "first", "second")
    filled(first)
    move(first, second, "default")
    with second.transaction(SCOPE) as writes:
        writes.discard()
    with second.tending(SCOPE) as shot:
        assert sum(shot.counts().values()) == 0
    assert second.tending(SCOPE).mentions().names == () and second.asking(SCOPE).encoders() == {}
    for door in (first, second):
        door.close()


def test_checksums_of_plain_memories_are_as_ever(tmp_path: Path) -> None:
    """A move that an earlier version began ends under this one."""
    (first,) = stores(tmp_path, "first")
    with first.transaction(SCOPE) as writes:
        writes.insert([plain(1)])
    (signals,) = digested(Section.MEMORIES, tuple(memories(first)))["embeddings"]
    held = memories(first)[0].embedding
    arrays = (held.vector, held.tokens, held.terms, held.counts)
    assert signals.endswith(b"".join(array.tobytes() for array in arrays if array is not None) + b"-")
    first.close()
