"""A view answers as of one moment, by one set of statistics, and finds nothing that it cannot read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.conformance.conftest import ENCODER, NOW, Opener, at, days, entry
from tests.conformance.test_candidates import probe

from engramforge.errors import OutOfScope, StoreUnavailable
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import CALIBRATIONS_MARK
from engramforge.model.spaces import Space
from engramforge.model.time import InvalidationReason
from engramforge.store.door import Door, View

SCOPE = Scope()
LANTERN = "The copper lantern."


def found(view: View) -> set[str]:
    """The texts that a view finds."""
    positions = view.candidates(at(NOW), probe("copper lantern")).position
    return {memory.content for memory in view.fetch_at(positions).values()}


def wrote(door: Door, text: str) -> str:
    """Write a memory."""
    made = entry(text)
    door.write(SCOPE, lambda writes: writes.insert([made]))
    return made.memory.id


def test_a_view_is_of_one_moment(opener: Opener) -> None:
    door, writer = opener(), opener()
    first = wrote(writer, LANTERN)
    with door.asking(SCOPE) as view:
        assert found(view) == {LANTERN}
        second = wrote(writer, "A second copper lantern.")
        writer.write(SCOPE, lambda writes: writes.save_mark("k", {"v": 1}))
        assert set(view.fetch([first, second])) == {first}
        assert view.mark("k") is None
        assert view.positions(at(NOW), 9).tolist() == view.positions(at(NOW), 1).tolist()
        assert view.project_names() == ["atlas"]
    with door.asking(SCOPE) as view:
        assert found(view) == {LANTERN, "A second copper lantern."}
        assert view.mark("k") == {"v": 1}


def test_what_a_view_finds_it_can_read_whatever_is_written_meanwhile(opener: Opener) -> None:
    door, writer = opener(), opener()
    ids = [wrote(writer, LANTERN)]
    with door.asking(SCOPE) as view:
        assert set(view.fetch(ids)) == set(ids)
        for number in range(3):
            ids.append(wrote(writer, f"Copper lantern {number}."))
            writer.write(
                SCOPE, lambda writes: writes.expire(ids[-2], days(900), InvalidationReason.DISCOVERED_FALSE)
            )
            with door.asking(SCOPE) as other:
                assert len(found(other)) == 1
            candidates = view.candidates(at(NOW), probe("copper lantern"))
            assert len(candidates)
            assert set(view.fetch_at(candidates.position)) == set(candidates.position.tolist())
            assert set(view.signals(candidates.position).embeddings) == set(candidates.position.tolist())


def test_questions_without_a_view_are_each_of_their_own_moment(opener: Opener) -> None:
    door, writer = opener(), opener()
    asked = door.asking(SCOPE)
    assert asked.project_names() == []
    wrote(writer, LANTERN)
    assert asked.project_names() == ["atlas"]
    assert found(asked) == {LANTERN}
    wrote(writer, "Another copper lantern.")
    assert len(found(asked)) == 2


def test_the_ground_is_read_once_and_holds_what_a_question_needs(opener: Opener) -> None:
    door, writer = opener(), opener()
    made = [entry(LANTERN, speaker="Ada"), entry("Fog.", project="other", valid_at=days(400))]
    writer.write(SCOPE, lambda writes: writes.insert(made))
    view = door.asking(SCOPE)
    ground = view.ground()
    assert (ground.profile.total, ground.profile.speakers, ground.profile.years) == (
        2,
        ("ada",),
        (2026, 2027),
    )
    assert (ground.corpus.total, ground.encoders, ground.calibrations) == (2, {}, None)
    chosen = ActiveEncoder("static", "code-9/64", 64)

    def change(writes) -> None:
        writes.insert([entry("Later.")])
        writes.save_mark(CALIBRATIONS_MARK, {"version": 1})
        positions = np.array(sorted(door.asking(SCOPE).places_of([row.memory.id for row in made]).values()))
        writes.place_parts(positions, Space.CODE, chosen.id, [None, None])

    writer.write(SCOPE, change)
    later = door.asking(SCOPE).places_of([door.asking(SCOPE).browse(at(NOW), 1, 1)[0].id])
    assert view.ground() is ground
    fresh = door.asking(SCOPE).ground()
    assert (fresh.profile.total, fresh.corpus.total, fresh.calibrations) == (3, 3, {"version": 1})
    del later
    with door.asking(SCOPE) as view:
        assert view.ground().profile.total == 3
        wrote(writer, "One more.")
        assert view.ground().profile.total == 3
        assert len(view.candidates(at(NOW), replace(probe("fog more"), most=9))) == 4


def test_a_view_is_refused_to_others_and_after_the_end(opener: Opener) -> None:
    door = opener()
    wrote(door, LANTERN)
    with pytest.raises(OutOfScope):
        door.asking(Scope("acme")).ground()
    with pytest.raises(OutOfScope):
        door.tending(Scope("acme")).graph()
    kept = door.asking(SCOPE)
    door.close()
    for ask in (kept.ground, kept.projects, lambda: door.asking(SCOPE).projects(), door.tending(SCOPE).count):
        with pytest.raises(StoreUnavailable):
            ask()


def test_the_corpus_tells_of_terms_that_nobody_used(door: Door) -> None:
    terms = ENCODER.encode_query("lantern").terms
    assert door.asking(SCOPE).ground().corpus.frequencies(terms).tolist() == [0]
    wrote(door, LANTERN)
    assert door.asking(SCOPE).ground().corpus.frequencies(terms).tolist() == [1]
    assert door.tending(SCOPE).corpus().frequencies(terms).tolist() == [1]


def test_there_is_room_for_further_ways_of_being_found(door: Door) -> None:
    asked = replace(probe("copper lantern"), entities=("Lantern",))
    for text in (None, LANTERN):
        if text:
            wrote(door, text)
        for each in (asked, probe("copper lantern"), probe("")):
            assert door.asking(SCOPE).candidates(at(NOW), each).found.dtype == np.uint16
