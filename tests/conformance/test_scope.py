"""Who sees what: agents their own personal memories, everybody the collective and the ecosystem."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conformance.conftest import ENCODER, NOW, START, at, entry
from tests.conformance.test_candidates import probe

from engramforge.errors import NotFound
from engramforge.model.link import Link, Relation
from engramforge.model.scope import Level, Scope
from engramforge.model.storing.record import Extent
from engramforge.store.door import Door

ADA, BO = Scope(agent="ada"), Scope(agent="bo")


def test_personal_memories_belong_to_their_agent(door: Door) -> None:
    mine = entry("The secret garden.", agent="ada")
    ours = entry("The secret office.", agent="ada", level=Level.COLLECTIVE)
    world = entry("The secret ocean.", agent="ada", level=Level.ECOSYSTEM)
    with door.transaction(ADA) as writes:
        writes.insert([mine, ours, world])
    identifiers = [row.memory.id for row in (mine, ours, world)]
    for scope, seen in (
        (ADA, [0, 1, 2]),
        (BO, [1, 2]),
        (Scope(agent="ada", levels=(Level.PERSONAL,)), [0]),
        (Scope(agent="bo", levels=(Level.PERSONAL,)), []),
        (Scope(agent="bo", levels=(Level.ECOSYSTEM,)), [2]),
    ):
        expected = {identifiers[index] for index in seen}
        assert set(door.asking(scope).fetch(identifiers)) == expected
        assert {memory.id for memory in door.asking(scope).browse(at(NOW), 10)} == expected
        found = door.asking(scope).candidates(at(NOW), probe("secret garden"))
        assert {memory.id for memory in door.asking(scope).fetch_at(found.position).values()} == expected
        assert len(found) == len(expected)
        corpus = door.asking(scope).ground().corpus
        assert corpus.total == len(expected)
        terms = ENCODER.encode_query("garden secret").terms
        assert corpus.frequencies(terms).max(initial=0) == len(expected)
        assert door.tending(scope).count().memories == len(expected)
        assert {version.id for version in door.asking(scope).versions(mine.memory.logical_id)} == expected & {
            mine.memory.id
        }


def test_what_is_not_seen_moves_no_place_in_a_session(door: Door) -> None:
    """Nor does it count among the corpus: the answers of another agent are the same before and after it."""
    ours = [
        entry(text, agent="bo", session_id="s", sequence=5 + place)
        for place, text in enumerate(("The kitchen is blue.", "Nothing at all."))
    ]
    door.write(BO, lambda writes: writes.insert([*ours, entry("Elsewhere a kitchen.", agent="bo")]))

    def told() -> object:
        found = door.asking(BO).candidates(at(NOW), probe("kitchen"))
        corpus = door.asking(BO).ground().corpus
        places = zip(
            found.position, found.session_place, found.session_size, found.session_words, strict=True
        )
        counts = corpus.frequencies(ENCODER.encode_query("garden kitchen").terms)
        return [tuple(map(float, place)) for place in places], corpus.total, counts.tolist()

    before = told()
    hidden = entry("The secret garden sleeps.", agent="ada", session_id="s", sequence=1)
    door.write(ADA, lambda writes: writes.insert([hidden]))
    assert told() == before


def test_what_is_not_seen_cannot_be_forgotten_or_linked(door: Door) -> None:
    mine = entry("Private.", agent="ada")
    ours = entry("Shared.", agent="ada", level=Level.COLLECTIVE)
    with door.transaction(ADA) as writes:
        writes.insert([mine, ours])
        writes.link([_link(mine.memory.logical_id, ours.memory.logical_id)])
    with door.transaction(BO) as writes:
        assert writes.forget(Extent([mine.memory.logical_id]), NOW) == []
        assert writes.fetch([mine.memory.logical_id]) == {}
    with pytest.raises(NotFound), door.transaction(BO) as writes:
        writes.link([_link(mine.memory.logical_id, ours.memory.logical_id)])
    assert door.asking(ADA).fetch([mine.memory.id])
    assert len(door.asking(ADA).links([ours.memory.logical_id])) == 1
    assert door.asking(BO).links([ours.memory.logical_id]) == []


def test_a_project_scope_narrows_everything(door: Door) -> None:
    first, two = entry("Alpha.", project="a"), entry("Alpha.", project="b")
    with door.transaction(Scope()) as writes:
        writes.insert([first, two])
    narrow = Scope().within("a")
    assert set(door.asking(narrow).fetch([first.memory.id, two.memory.id])) == {first.memory.id}
    assert len(door.asking(narrow).candidates(at(NOW), probe("alpha"))) == 1
    assert len(door.asking(Scope().within("a", "b", "c")).candidates(at(NOW), probe("alpha"))) == 2
    assert door.asking(Scope().within()).ground().corpus.total == 0


@pytest.mark.parametrize("name", ["atlas", 'Ana\'s \\ {x} %s %(tenant)s "q", ü'])
def test_a_project_that_was_forgotten_and_made_again_is_another(door: Door, name: str) -> None:
    its = Scope().within(name)
    for number in range(2):
        told = entry(f"Alpha {number}.", project=name)
        door.write(Scope(), lambda writes, told=told: writes.insert([told]))
        for _ in range(2):
            with door.asking(its) as view:
                assert view.ground().profile.total == 1
                positions = view.candidates(at(NOW), probe("alpha")).position
                assert [memory.id for memory in view.fetch_at(positions).values()] == [told.memory.id]
        door.write(its, lambda writes: writes.forget(Extent(projects=True), NOW))


def _link(source: str, target: str) -> Link:
    import uuid_utils

    return Link(
        id=str(uuid_utils.uuid7()),
        source_id=source,
        target_id=target,
        relation=Relation.RELATES_TO,
        valid_at=START,
        created_at=START,
        energy=0.5,
        confidence=0.9,
        emotion_vector={"joy": 0.2},
        goal="ship",
        mindstate="calm",
        sensory_details="humming",
        extra={"unknown": 1},
    )


def test_links_come_back_as_they_were_written(door: Door) -> None:
    first, two = entry("From."), entry("To.")
    with door.transaction(Scope()) as writes:
        writes.insert([first, two])
        link = _link(first.memory.logical_id, two.memory.logical_id)
        writes.link([link])
    assert door.asking(Scope()).links([first.memory.logical_id]) == [link]
    assert door.asking(Scope()).links([two.memory.logical_id]) == [link]
    assert link.metadata_completeness == pytest.approx(8 / 13)


def test_what_another_agent_said_makes_no_session_stronger(door: Door) -> None:
    """Both speak in one session; the words of the other move nothing of what the one is answered."""
    first, other = Scope(agent="one"), Scope(agent="other")
    shared = {"session_id": "both", "project": "atlas"}
    with door.transaction(first) as writes:
        writes.insert([entry("A copper kettle.", agent="one", sequence=0, **shared)])
    alone = door.asking(first).candidates(at(NOW), probe("copper lantern"))
    with door.transaction(other) as writes:
        writes.insert(
            [entry("A lantern, a copper lantern.", agent="other", sequence=1, speaker="Bo", **shared)]
        )
    beside = door.asking(first).candidates(at(NOW), probe("copper lantern"))
    assert len(alone) == len(beside) == 1
    assert np.allclose(alone.session_words, beside.session_words)
    assert (beside.session_size.tolist(), beside.session_place.tolist()) == ([1], [0])
