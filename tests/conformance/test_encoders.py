"""Encoders: E1 of another beside the first, completeness before activation, and no answer that mixes two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.conformance.conftest import ENCODER, NOW, Opener, at, days, entry
from tests.conformance.spaces import asked, encoder_of, nothing_but, part, plain, with_signals

from engramforge.errors import Conflict, EncoderChanged, InvalidValue
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.embeddings.part import Part
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import FOUND_BY_MEANING, Probe
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry
from engramforge.model.time import InvalidationReason
from engramforge.store.door import Door

SCOPE = Scope()
EVERYBODY = Scope(every_agent=True)
CURRENT = at(NOW)
LARGE = ActiveEncoder("local:/somewhere", "noise-large/640", 640)
OTHER = ActiveEncoder("openai:noise", "noise-other/96", 96)
WORDS = ActiveEncoder("static", ENCODER.id, 256)


def vector(number: int, size: int) -> NDArray[np.int8]:
    """A vector of noise."""
    return np.random.default_rng(number).integers(-127, 128, size).astype(np.int8)


def question(of: NDArray[np.int8] | None, encoder: str | None) -> Probe:
    """Asks for what is alike to a vector."""
    asks = nothing_but()
    unit = None if of is None else (of / np.linalg.norm(of.astype(np.float32))).astype(np.float32)
    return replace(asks, vector=unit, encoder=encoder)


def by(encoder: ActiveEncoder, row: Entry, of: NDArray[np.int8] | None) -> Entry:
    """The entry with E1 of an encoder."""
    return replace(row, embedding=replace(row.embedding, vector=of, vector_encoder=encoder.id))


def embedded(door: Door, encoder: ActiveEncoder, skip: Sequence[int] = ()) -> list[int]:
    """Give every memory that lacks it E1 of an encoder, in portions, but the positions to skip."""
    placed: list[int] = []
    after = 0
    while portion := door.tending(EVERYBODY).unencoded(Space.SEMANTIC, encoder.id, 7, after):
        after = portion[-1][0]
        positions = [at for at, _ in portion if at not in skip]
        with door.transaction(EVERYBODY) as writes:
            vectors = [vector(position, encoder.size) for position in positions]
            writes.place_vectors(np.array(positions, np.int64), encoder.id, vectors)
        placed += positions
    return placed


def moved(door: Door, encoder: ActiveEncoder) -> None:
    """Embed everything and activate."""
    embedded(door, encoder)
    with door.transaction(EVERYBODY) as writes:
        writes.activate(Space.SEMANTIC, encoder)


def refused(door: Door, *entries: Entry) -> None:
    before = door.tending(SCOPE).count().versions
    with pytest.raises(EncoderChanged), door.transaction(SCOPE) as writes:
        writes.insert(entries)
    assert door.tending(SCOPE).count().versions == before


def test_a_store_moves_to_another_encoder_of_another_size(opener: Opener) -> None:
    first, other = opener(), opener()
    entries = [plain(number) for number in range(20)]
    with first.transaction(SCOPE) as writes:
        writes.insert(entries)
        writes.expire(entries[0].memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
    assert first.asking(SCOPE).encoders() == {}
    words = ENCODER.encode_query("note number 3")
    asks = replace(question(None, None), vector=words.vector)
    assert words.vector is not None
    assert other.asking(SCOPE).candidates(CURRENT, asks).vector.shape == (19, 256)
    assert first.tending(SCOPE).unencoded(Space.SEMANTIC, ENCODER.id, 100) == []

    lacking = first.tending(SCOPE).unencoded(Space.SEMANTIC, LARGE.id, 100)
    assert [memory.id for _, memory in lacking] == [row.memory.id for row in entries], "ended ones too"
    assert [at for at, _ in lacking] == sorted(at for at, _ in lacking)
    left_out = lacking[5][0]
    assert len(embedded(first, LARGE, [left_out])) == 19
    with pytest.raises(Conflict) as caught, first.transaction(SCOPE) as writes:
        writes.activate(Space.SEMANTIC, LARGE)
    assert not isinstance(caught.value, EncoderChanged)
    assert other.asking(SCOPE).candidates(CURRENT, asks).vector.shape == (19, 256), "nothing has changed yet"
    with first.transaction(SCOPE) as writes:
        # One that has nothing to say is not lacking; positions that are no more are passed over.
        writes.place_vectors(np.array([left_out, 10**8]), LARGE.id, [None, vector(1, 640)])
        writes.activate(Space.SEMANTIC, LARGE)
    for door in (first, other):
        assert door.asking(SCOPE).encoders() == {Space.SEMANTIC: LARGE}
        assert door.tending(SCOPE).unencoded(Space.SEMANTIC, LARGE.id, 100) == []
        with pytest.raises(EncoderChanged):
            door.asking(SCOPE).candidates(CURRENT, asks)
        wanted = lacking[9][0]
        found = door.asking(SCOPE).candidates(CURRENT, question(vector(wanted, 640), LARGE.id))
        assert found.vector.shape == (len(found), 640) and found.vector.dtype == np.int8
        where = found.position.tolist()
        place = where.index(wanted)
        assert np.array_equal(found.vector[place], vector(wanted, 640))
        assert found.found[place] & FOUND_BY_MEANING
        # An engine that searches by indexes alone does not meet what has no vector.
        assert left_out not in where or not found.vector[where.index(left_out)].any()
    told = first.asking(SCOPE).signals(np.array([wanted, left_out])).embeddings
    assert told[wanted].meaning_encoder == LARGE.id and told[wanted].encoder == ENCODER.id
    assert told[wanted].vector is not None and told[left_out].vector is None


def test_a_store_that_moves_between_the_ground_and_the_candidates(opener: Opener) -> None:
    door, mover = opener(), opener()
    door.write(SCOPE, lambda writes: writes.insert([plain(number) for number in range(5)]))
    asks = replace(question(None, None), vector=ENCODER.encode_query("note number 3").vector)
    for _ in range(2):
        assert door.asking(SCOPE).ground().encoders == {}
    with door.asking(SCOPE) as view:
        assert view.ground().encoders == {}
        moved(mover, LARGE)
        with pytest.raises(EncoderChanged):
            view.candidates(CURRENT, asks)


def test_every_write_is_by_the_active_encoder(door: Door) -> None:
    with door.transaction(SCOPE) as writes:
        writes.insert([plain(1)])
    refused(door, by(LARGE, plain(2), vector(2, 640)))
    moved(door, LARGE)
    refused(door, plain(2))
    refused(door, plain(2), by(LARGE, plain(3), vector(3, 640)))
    refused(door, by(OTHER, plain(2), vector(2, 96)))
    # Who embedded by another encoder and got nothing does not know what this one would say.
    refused(door, by(OTHER, plain(2), None))
    later = by(LARGE, plain(4), vector(4, 640))
    with door.transaction(SCOPE) as writes:
        writes.insert([later, by(LARGE, plain(5), None)])
    found = door.asking(SCOPE).candidates(CURRENT, question(vector(4, 640), LARGE.id))
    best = door.asking(SCOPE).fetch_at(found.position[(found.found & FOUND_BY_MEANING) > 0])
    assert later.memory.id in {memory.id for memory in best.values()}
    assert door.tending(SCOPE).unencoded(Space.SEMANTIC, LARGE.id, 9) == []
    # The way back: what came since lacks the first encoder's.
    lacking = door.tending(SCOPE).unencoded(Space.SEMANTIC, ENCODER.id, 9)
    assert [memory.content for _, memory in lacking] == ["note number 4", "note number 5"]
    moved(door, WORDS)
    assert door.asking(SCOPE).encoders() == {Space.SEMANTIC: WORDS}
    refused(door, by(LARGE, plain(6), vector(6, 640)))
    with door.transaction(SCOPE) as writes:
        writes.insert([plain(6)])
    asks = ENCODER.encode_query("note number")
    found = door.asking(SCOPE).candidates(CURRENT, replace(nothing_but(), vector=asks.vector))
    assert found.vector.shape == (4, 256)


def test_a_probe_without_a_vector_is_never_by_the_wrong_encoder(door: Door) -> None:
    with door.transaction(SCOPE) as writes:
        writes.insert([entry("copper lantern"), entry("violet")])
    moved(door, LARGE)
    query = ENCODER.encode_query("lantern")
    owners = np.zeros(len(query.terms), np.int32)
    asks = Probe(None, query.terms, np.ones(len(query.terms), np.float32), owners, query.weights)
    assert len(door.asking(SCOPE).candidates(CURRENT, asks)) >= 1
    with pytest.raises(EncoderChanged):
        door.asking(SCOPE).candidates(CURRENT, replace(asks, encoder=ENCODER.id))
    assert len(door.asking(SCOPE).candidates(CURRENT, replace(asks, encoder=LARGE.id))) >= 1


def test_vectors_placed_for_the_active_encoder_are_seen_at_once(opener: Opener) -> None:
    first, other = opener(), opener()
    with first.transaction(SCOPE) as writes:
        writes.insert([plain(number) for number in range(3)])
    moved(first, OTHER)
    asks = question(vector(77, 96), OTHER.id)
    before = other.asking(SCOPE).candidates(CURRENT, asks)
    where = before.position[1]

    def held(door: Door) -> NDArray[np.int8]:
        found = door.asking(SCOPE).candidates(CURRENT, asks)
        kept: NDArray[np.int8] = found.vector[found.position == where]
        return kept

    with first.transaction(SCOPE) as writes:
        writes.place_vectors(np.array([where]), OTHER.id, [vector(77, 96)])
    for door in (first, other):
        assert held(door).tolist() == [vector(77, 96).tolist()]
    with first.transaction(SCOPE) as writes:
        writes.place_vectors(np.array([where]), OTHER.id, [None])
    for door in (first, other):
        assert not held(door).any()


def test_an_encoder_that_is_not_active_is_dropped(door: Door) -> None:
    with door.transaction(SCOPE) as writes:
        writes.insert([plain(number) for number in range(5)])
    with pytest.raises(Conflict), door.transaction(SCOPE) as writes:
        writes.drop_encoder(Space.SEMANTIC, ENCODER.id)
    moved(door, OTHER)
    with pytest.raises(Conflict), door.transaction(SCOPE) as writes:
        writes.drop_encoder(Space.SEMANTIC, OTHER.id)
    with door.transaction(SCOPE) as writes:
        assert writes.drop_encoder(Space.SEMANTIC, ENCODER.id) == 5
        assert writes.drop_encoder(Space.SEMANTIC, "never there") == 0
    assert len(door.tending(SCOPE).unencoded(Space.SEMANTIC, ENCODER.id, 9)) == 5
    assert len(door.asking(SCOPE).candidates(CURRENT, question(vector(1, 96), OTHER.id)).vector) == 5
    assert door.check() == []


def test_a_space_of_parts_moves_to_another_encoder(door: Door) -> None:
    rng = np.random.default_rng(5)
    first, second = encoder_of(Space.CODE), encoder_of(Space.CODE, 2)
    query = asked(Space.CODE, rng)
    with door.transaction(SCOPE) as writes:
        writes.insert([with_signals(plain(number), [part(Space.CODE, rng)]) for number in range(6)])
        writes.insert([plain(6)])
    assert door.tending(SCOPE).unencoded(Space.CODE, first, 9)[0][1].content == "note number 6"
    lacking = door.tending(SCOPE).unencoded(Space.CODE, second, 9)
    assert len(lacking) == 7
    made: list[Part | None] = [part(Space.CODE, rng, version=2) for _ in lacking[:-1]]
    positions = np.array([at for at, _ in lacking])
    active = ActiveEncoder("local:/code", second, query.values.shape[1])
    with pytest.raises(Conflict), door.transaction(SCOPE) as writes:
        writes.activate(Space.CODE, active)
    with door.transaction(SCOPE) as writes:
        writes.place_parts(positions, Space.CODE, second, [*made, None])
        # Until it is active the first one's are told.
    assert {
        embedding.parts[Space.CODE].encoder
        for embedding in door.asking(SCOPE).signals(positions[:6]).embeddings.values()
    } == {first}
    with door.transaction(SCOPE) as writes:
        writes.activate(Space.CODE, active)
    assert {
        embedding.parts[Space.CODE].encoder
        for embedding in door.asking(SCOPE).signals(positions[:6]).embeddings.values()
    } == {second}
    with pytest.raises(EncoderChanged):
        door.asking(SCOPE).candidates(CURRENT, nothing_but(query))
    asks = replace(query, encoder=second)
    found = door.asking(SCOPE).candidates(CURRENT, nothing_but(asks))
    assert found.parts[Space.CODE].present.sum() == 6
    refused(door, with_signals(plain(9), [part(Space.CODE, rng)]))
    with door.transaction(SCOPE) as writes:
        writes.insert([with_signals(plain(9), [part(Space.CODE, rng, version=2)]), plain(10)])
        assert writes.drop_encoder(Space.CODE, first) == 6
    assert door.tending(SCOPE).unencoded(Space.CODE, second, 9) == [], "what came since and has none abstains"
    assert len(door.tending(SCOPE).unencoded(Space.CODE, first, 100)) == 9
    assert door.asking(SCOPE).encoders() == {Space.CODE: active}


def test_what_others_wrote_may_lack_it_too(door: Door) -> None:
    """A scope sees its own that lack an embedding; activation asks for everybody's."""
    for agent in ("default", "ann"):
        with door.transaction(Scope(agent=agent)) as writes:
            writes.insert([plain(1, agent=agent)])
    mine = door.tending(SCOPE).unencoded(Space.SEMANTIC, OTHER.id, 9)
    assert [memory.agent for _, memory in mine] == ["default"]
    with door.transaction(SCOPE) as writes:
        places = np.array([at for at, _ in door.tending(EVERYBODY).unencoded(Space.SEMANTIC, OTHER.id, 9)])
        # What the scope does not admit is passed over.
        writes.place_vectors(places, OTHER.id, [vector(1, 96), vector(2, 96)])
    assert door.tending(SCOPE).unencoded(Space.SEMANTIC, OTHER.id, 9) == []
    assert [memory.agent for _, memory in door.tending(EVERYBODY).unencoded(Space.SEMANTIC, OTHER.id, 9)] == [
        "ann"
    ]
    with pytest.raises(Conflict), door.transaction(SCOPE) as writes:
        writes.activate(Space.SEMANTIC, OTHER)


@pytest.mark.parametrize("size", [0, -1, 1025])
def test_sizes_that_no_space_takes_are_refused(door: Door, size: int) -> None:
    with pytest.raises(InvalidValue), door.transaction(SCOPE) as writes:
        writes.activate(Space.SEMANTIC, ActiveEncoder("static", "x", size))


def test_nobody_but_activate_says_which_encoder_is_active(door: Door) -> None:
    said: dict[str, Any] = {"semantic": {"spec": "static", "id": "x", "size": 3}}
    with pytest.raises(InvalidValue), door.transaction(SCOPE) as writes:
        writes.save_mark("encoders", said)
    assert door.asking(SCOPE).encoders() == {}
