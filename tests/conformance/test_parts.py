"""Parts: stored and told as they were given, found by a scan as brute force finds them, within every filter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.conformance.conftest import ENCODER, NOW, Opener, at, days, entry
from tests.conformance.spaces import (
    SIZES,
    asked,
    encoder_of,
    nothing_but,
    part,
    plain,
    same,
    score,
    with_signals,
)

from engramforge.errors import InvalidValue
from engramforge.model.embeddings.part import Part, QueryPart
from engramforge.model.memory import Kind
from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import (
    FOUND_BY_CAUSE,
    FOUND_BY_CODE,
    FOUND_BY_MEANING,
    FOUND_BY_SPACE,
    FOUND_BY_WORDS,
    Probe,
)
from engramforge.model.search.selection import Selection
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry, Extent
from engramforge.model.time import AsOf, InvalidationReason, TemporalMode
from engramforge.store.door import Door

SCOPE = Scope()
CURRENT = at(NOW)
SPACES = tuple(SIZES)


def written(door: Door, count: int = 90, seed: int = 4) -> list[Entry]:
    """Entries of which two thirds have a part in each space."""
    rng = np.random.default_rng(seed)
    entries = [
        with_signals(
            plain(
                number,
                project=f"p{number % 2}",
                kind=(Kind.NOTE, Kind.MESSAGE)[number % 3 == 0],
                session_id=f"s{number // 10}",
                sequence=number % 10,
                valid_at=days(number / 10),
            ),
            [part(space, rng) for space in SPACES if rng.random() < 0.67],
        )
        for number in range(count)
    ]
    with door.transaction(SCOPE) as writes:
        writes.insert(entries)
    return entries


def query_probe(text: str, parts: tuple[QueryPart, ...], **options: int) -> Probe:
    """A question in words and in other spaces."""
    query = ENCODER.encode_query(text)
    owners = np.arange(len(query.terms), dtype=np.int32)
    ones = np.ones(len(query.terms), np.float32)
    return Probe(query.vector, query.terms, ones, owners, query.weights, parts=parts, **options)


def test_what_was_written_is_told(door: Door) -> None:
    entries = written(door)
    positions = door.asking(SCOPE).positions(CURRENT, 1_000)[::-1]
    told = door.asking(SCOPE).signals(positions).embeddings
    assert list(told) == positions.tolist()
    for position, row in zip(positions.tolist(), entries, strict=True):
        signals = told[position]
        assert same(signals.parts, row.embedding.parts)
        assert signals.encoder == ENCODER.id and signals.vector_encoder is None
        assert row.embedding.vector is not None and signals.vector is not None
        assert signals.vector.dtype == np.int8
        assert np.array_equal(signals.vector, row.embedding.vector)
        assert np.array_equal(signals.tokens, row.embedding.tokens)
        assert signals.entities == ()


def test_signals_of_others_are_not_told(door: Door) -> None:
    rng = np.random.default_rng(1)
    hers = with_signals(plain(1, agent="ann"), [part(Space.CAUSAL, rng)], ("Ann's secret",))
    with door.transaction(Scope(agent="ann")) as writes:
        writes.insert([hers])
    positions = door.asking(Scope(agent="ann")).positions(CURRENT, 10)
    assert len(positions) == 1
    assert door.asking(SCOPE).signals(positions).embeddings == {}
    assert list(door.asking(Scope(agent="ann")).signals(positions).embeddings) == positions.tolist()
    assert door.asking(Scope(agent="ann")).signals(np.array([10**6])).embeddings == {}


@pytest.mark.parametrize("space", SPACES)
def test_a_scan_finds_the_best_that_brute_force_finds(door: Door, space: Space) -> None:
    entries = written(door)
    rows = SIZES[space][0]
    query = asked(space, np.random.default_rng(9), weights=[0.9, 0.4, 0.2][:rows])
    found = door.asking(SCOPE).candidates(CURRENT, nothing_but(query, per_way=10))
    scores = {
        row.memory.id: score(query, row.embedding.parts[space].values)
        for row in entries
        if space in row.embedding.parts
    }
    ranked = sorted((value for value in scores.values() if value > 0), reverse=True)
    bit = FOUND_BY_SPACE[space]
    memories = door.asking(SCOPE).fetch_at(found.position)
    marked = [memories[int(p)].id for p, f in zip(found.position, found.found, strict=True) if f & bit]
    assert len(marked) == min(10, len(ranked))
    # Stored as int8 and asked in int8, so that neighbours in rank may change places.
    assert min(scores[item] for item in marked) >= ranked[min(9, len(ranked) - 1)] - 0.02
    assert {item for item, value in scores.items() if value > ranked[min(9, len(ranked) - 1)] + 0.02} <= set(
        marked
    )


def test_candidates_carry_their_parts_in_every_space_asked(door: Door) -> None:
    entries = written(door)
    rng = np.random.default_rng(2)
    queries = tuple(asked(space, rng, scans=space is Space.CODE) for space in SPACES)
    found = door.asking(SCOPE).candidates(CURRENT, query_probe("note number 7", queries, most=40))
    assert len(found) == 40
    assert set(found.parts) == set(SPACES)
    by_id = {row.memory.id: row for row in entries}
    memories = door.asking(SCOPE).fetch_at(found.position)
    for space, batch in found.parts.items():
        rows, size = SIZES[space]
        assert batch.values.shape == (40, rows, size) and batch.present.shape == (40,)
        assert batch.values.dtype == (np.uint8 if space is Space.HYPERDIMENSIONAL else np.int8)
        assert 0 < batch.present.sum() < 40
        for place, position in enumerate(found.position.tolist()):
            its = by_id[memories[position].id].embedding.parts.get(space)
            assert bool(batch.present[place]) == (its is not None)
            assert np.array_equal(batch.values[place], 0 if its is None else its.values) or its is None
    others = [bit for space, bit in FOUND_BY_SPACE.items() if space is not Space.CODE]
    assert not (found.found & np.uint8(sum(others))).any(), "spaces that do not scan find nothing"
    assert found.mentioned is None


def test_a_probe_that_asks_for_no_part_gets_none(door: Door) -> None:
    written(door, 20)
    found = door.asking(SCOPE).candidates(CURRENT, query_probe("note number 7", ()))
    assert found.parts == {} and found.mentioned is None
    assert not (found.found & ~np.uint8(FOUND_BY_MEANING | FOUND_BY_WORDS)).any()


def test_nobody_has_a_part(door: Door) -> None:
    with door.transaction(SCOPE) as writes:
        writes.insert([plain(number) for number in range(3)])
    query = asked(Space.CODE, np.random.default_rng(1))
    found = door.asking(SCOPE).candidates(CURRENT, query_probe("note number", (query,)))
    batch = found.parts[Space.CODE]
    assert batch.values.shape == (3, *SIZES[Space.CODE]) and not batch.present.any()
    empty = door.asking(SCOPE.within("nowhere")).candidates(CURRENT, query_probe("note", (query,)))
    assert empty.parts[Space.CODE].values.shape == (0, *SIZES[Space.CODE])


def test_what_a_space_finds_has_a_place_however_weak_its_words(door: Door) -> None:
    rng = np.random.default_rng(3)
    query = asked(Space.CAUSAL, rng)
    alike = Part(Space.CAUSAL, encoder_of(Space.CAUSAL), np.rint(query.values * 127).astype(np.int8))
    near = Part(Space.CAUSAL, alike.encoder, (alike.values.astype(int) * 3 // 10).astype(np.int8))
    opposite = Part(Space.CAUSAL, alike.encoder, -alike.values)
    quiet = [
        with_signals(entry(text), [its])
        for text, its in (("violet", alike), ("indigo", near), ("ochre", opposite))
    ]
    loud = [entry(f"copper lantern {number}") for number in range(60)]
    with door.transaction(SCOPE) as writes:
        writes.insert([*quiet, *loud])
    without = door.asking(SCOPE).candidates(CURRENT, query_probe("copper lantern", (), most=20, window=0))
    asks = query_probe("copper lantern", (query,), most=20, per_way=2, window=0)
    found = door.asking(SCOPE).candidates(CURRENT, asks)
    memories = door.asking(SCOPE).fetch_at(found.position)
    by_cause = {memories[int(p)].content for p in found.position[(found.found & FOUND_BY_CAUSE) > 0]}
    assert by_cause == {"violet", "indigo"}
    assert len(found) == len(without) == 20
    assert not {"violet", "indigo"} & {
        memory.content for memory in door.asking(SCOPE).fetch_at(without.position).values()
    }


def test_filters_hold_for_every_space(door: Door) -> None:
    entries = written(door)
    query = asked(Space.HYPERDIMENSIONAL, np.random.default_rng(5))
    for selection, fits in (
        (Selection(kinds=(Kind.MESSAGE,)), lambda record: record.kind is Kind.MESSAGE),
        (Selection(session_id="s3"), lambda item: item.session_id == "s3"),
    ):
        chosen = replace(selection, as_of=AsOf(NOW, NOW))
        found = door.asking(SCOPE).candidates(chosen, nothing_but(query, per_way=500))
        having = {
            row.memory.id
            for row in entries
            if fits(row.memory) and Space.HYPERDIMENSIONAL in row.embedding.parts
        }
        bit = FOUND_BY_SPACE[Space.HYPERDIMENSIONAL]
        memories = door.asking(SCOPE).fetch_at(found.position[(found.found & bit) > 0]).values()
        assert {memory.id for memory in memories} == having
    inside = door.asking(SCOPE.within("p1")).candidates(CURRENT, nothing_but(query, per_way=500))
    assert {memory.project for memory in door.asking(SCOPE).fetch_at(inside.position).values()} == {"p1"}


def test_parts_of_others_are_not_found(door: Door) -> None:
    rng = np.random.default_rng(6)
    query = asked(Space.CODE, rng)
    alike = Part(Space.CODE, encoder_of(Space.CODE), np.rint(query.values * 127).astype(np.int8))
    for agent, level in (("ann", Level.PERSONAL), ("ann", Level.COLLECTIVE), ("default", Level.PERSONAL)):
        with door.transaction(Scope(agent=agent)) as writes:
            writes.insert([with_signals(entry(f"{agent} {level}", agent=agent, level=level), [alike])])
    found = door.asking(SCOPE).candidates(CURRENT, nothing_but(query))
    assert {memory.content for memory in door.asking(SCOPE).fetch_at(found.position).values()} == {
        "ann collective",
        "default personal",
    }
    assert found.parts[Space.CODE].present.tolist() == [True, True]


def test_another_process_sees_what_was_written_changed_and_placed(opener: Opener) -> None:
    left, other = opener(), opener()
    query = asked(Space.CODE, np.random.default_rng(8))
    values = np.rint(query.values * 127).astype(np.int8)
    alike = Part(Space.CODE, encoder_of(Space.CODE), values)

    def found_by(door: Door, selection: Selection = CURRENT) -> set[str]:
        found = door.asking(SCOPE).candidates(selection, nothing_but(query))
        marked = found.position[(found.found & FOUND_BY_CODE) > 0]
        assert found.parts[Space.CODE].present.sum() == len(marked)
        return {memory.content for memory in door.asking(SCOPE).fetch_at(marked).values()}

    first, bare = with_signals(entry("first"), [alike]), entry("bare")
    with left.transaction(SCOPE) as writes:
        writes.insert([first, bare])
    assert found_by(other) == found_by(left) == {"first"}
    with left.transaction(SCOPE) as writes:
        writes.insert([with_signals(entry("second"), [alike])])
    assert found_by(other) == {"first", "second"}
    # Placed beside an older memory: nothing of the memory changes, and everybody sees it.
    before = other.asking(SCOPE).fetch([bare.memory.id])
    where = {
        memory.content: at
        for at, memory in left.asking(SCOPE).fetch_at(left.asking(SCOPE).positions(CURRENT, 9)).items()
    }
    with left.transaction(SCOPE) as writes:
        places = np.array([where["bare"], where["first"], 10**7])
        writes.place_parts(places, Space.CODE, alike.encoder, [alike, None, alike])
    assert found_by(other) == found_by(left) == {"bare", "second"}
    assert other.asking(SCOPE).fetch([bare.memory.id]) == before
    # Closed versions keep their parts, and are found where history is asked.
    with left.transaction(SCOPE) as writes:
        writes.expire(bare.memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
    assert found_by(other) == {"second"}
    then = replace(at(days(0.5)), mode=TemporalMode.POINT_IN_TIME)
    assert found_by(other, then) == {"bare", "second"}
    with left.transaction(SCOPE) as writes:
        writes.forget(Extent([bare.memory.logical_id]), NOW)
    assert found_by(other, then) == found_by(left, then) == {"second"}
    assert left.check() == []


def test_parts_of_another_encoder_are_not_compared(door: Door) -> None:
    rng = np.random.default_rng(8)
    query = asked(Space.CODE, rng)
    with door.transaction(SCOPE) as writes:
        writes.insert([with_signals(entry("other"), [part(Space.CODE, rng, version=2)])])
        writes.insert([with_signals(entry("own"), [part(Space.CODE, rng)])])
    found = door.asking(SCOPE).candidates(CURRENT, nothing_but(query, per_way=5))
    memories = door.asking(SCOPE).fetch_at(found.position)
    held = {memories[int(p)].content for p in found.position[found.parts[Space.CODE].present]}
    assert held == {"own"}


def test_parts_that_make_no_sense_are_refused(door: Door) -> None:
    rng = np.random.default_rng(1)
    good = part(Space.CAUSAL, rng)
    with door.transaction(SCOPE) as writes:
        writes.insert([plain(1)])
    places = door.asking(SCOPE).positions(CURRENT, 1)
    wrong = Part(Space.CAUSAL, good.encoder, good.values.astype(np.uint8))
    for space, encoder, item in (
        (Space.CAUSAL, good.encoder, wrong),
        (Space.CAUSAL, "another", good),
        (Space.CAUSAL, good.encoder, Part(Space.CAUSAL, good.encoder, good.values[0])),
    ):
        with pytest.raises(InvalidValue), door.transaction(SCOPE) as writes:
            writes.place_parts(places, space, encoder, [item])
    assert door.asking(SCOPE).signals(places).embeddings[int(places[0])].parts == {}
