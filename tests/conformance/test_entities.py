"""Entities: names that texts mention, who may know of them, what finds by them, and that they vanish with the last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.conformance.conftest import NOW, Opener, at, days, entry
from tests.conformance.spaces import nothing_but, with_signals

from engramforge.errors import Conflict, InvalidValue
from engramforge.model.embeddings.encoder_spec import ActiveEncoder
from engramforge.model.scope import Level, Scope
from engramforge.model.search.candidates import FOUND_BY_ENTITY, Candidates
from engramforge.model.spaces import Space
from engramforge.model.storing.record import Entry, Extent
from engramforge.model.time import InvalidationReason
from engramforge.store.door import Door

SCOPE = Scope()
CURRENT = at(NOW)
TRAINED = ActiveEncoder("static", "translation-1/8", 8)


def naming(content: str, *names: str, **fields: object) -> Entry:
    """An entry that mentions names."""
    return with_signals(entry(content, **fields), entities=names)


def told(door: Door, scope: Scope = SCOPE) -> dict[str, set[str]]:
    """Name -> contents of the memories that mention it."""
    found = door.tending(scope).mentions()
    memories = door.asking(scope).fetch_at(found.positions)
    said: dict[str, set[str]] = {name: set() for name in found.names}
    for position, place in zip(found.positions.tolist(), found.entities.tolist(), strict=True):
        said[found.names[place]].add(memories[position].content)
    assert list(found.names) == sorted(found.names)
    alone = door.asking(scope).signals(np.empty(0, np.int64), ["Nobody", *found.names, *found.names]).entities
    assert (alone.names, alone.encoder) == (found.names, found.encoder)
    assert np.array_equal(alone.vectors, found.vectors)
    return said


def contents(door: Door, found: Candidates, bit: int | None = None) -> list[str]:
    """Of the candidates, or of those that a way has found."""
    memories = door.asking(SCOPE).fetch_at(found.position)
    pairs = zip(found.position.tolist(), found.found.tolist(), strict=True)
    return [memories[position].content for position, bits in pairs if bit is None or bits & bit]


def test_which_names_memories_mention(door: Door) -> None:
    with door.transaction(SCOPE) as writes:
        writes.insert(
            [
                naming("one", "Zoë", "Ada"),
                naming("two", "Ada", project="other"),
                naming("three", "Ada", level=Level.PERSONAL, agent="somebody else"),
                entry("four"),
            ]
        )
    everyone = Scope(every_agent=True)
    positions = door.asking(everyone).positions(CURRENT, 9).tolist()
    four, three, two, one = positions
    view = door.asking(SCOPE)
    assert view.named_at([*positions, 10_000]) == [(one, "Ada"), (one, "Zoë"), (two, "Ada")]
    assert view.named_at([four, three]) == view.named_at([]) == []
    assert door.asking(SCOPE.within("atlas")).named_at(positions) == [(one, "Ada"), (one, "Zoë")]
    assert door.asking(everyone).named_at([three]) == [(three, "Ada")]


def test_names_are_kept_in_order_and_told(door: Door) -> None:
    with door.transaction(SCOPE) as writes:
        writes.insert([naming("one", "Zoë", "Ada", "Berlin"), naming("two", "Ada"), entry("three")])
    positions = door.asking(SCOPE).positions(CURRENT, 9)
    assert [door.asking(SCOPE).signals(positions).embeddings[at].entities for at in positions.tolist()] == [
        (),
        ("Ada",),
        ("Zoë", "Ada", "Berlin"),
    ]
    assert told(door) == {"Ada": {"one", "two"}, "Berlin": {"one"}, "Zoë": {"one"}}
    assert door.asking(SCOPE).signals(np.empty(0, np.int64), ["Ada", "Ada", "Nobody"]).entities.names == (
        "Ada",
    )
    assert door.asking(SCOPE).signals(np.empty(0, np.int64), []).entities.names == ()
    found = door.tending(SCOPE).mentions()
    assert found.vectors.shape == (3, 0) and found.encoder is None


def test_names_that_only_others_mention_are_not_told(door: Door) -> None:
    for agent, level, name in (
        ("ann", Level.PERSONAL, "Secret"),
        ("ann", Level.COLLECTIVE, "Shared"),
        ("default", Level.PERSONAL, "Own"),
    ):
        with door.transaction(Scope(agent=agent)) as writes:
            item = naming(f"{agent} {level}", name, "Both", agent=agent, level=level, project=str(level))
            writes.insert([item])
    assert set(told(door)) == {"Shared", "Own", "Both"}
    assert told(door)["Both"] == {"ann collective", "default personal"}
    assert set(told(door, Scope(agent="ann"))) == {"Secret", "Shared", "Both"}
    assert set(told(door, Scope(levels=(Level.COLLECTIVE,)))) == {"Shared", "Both"}
    assert set(told(door, SCOPE.within("collective"))) == {"Shared", "Both"}
    assert told(door, SCOPE.within("nowhere")) == {}
    assert door.asking(SCOPE).signals(np.empty(0, np.int64), ["Secret"]).entities.names == ()
    found = door.asking(SCOPE).candidates(CURRENT, nothing_but(entities=("Secret", "Both")))
    assert found.mentioned is not None
    assert dict(zip(contents(door, found), found.mentioned.tolist(), strict=True)) == {
        "ann collective": 0.5,
        "default personal": 0.5,
    }
    with door.transaction(SCOPE) as writes:
        # A name that the scope does not see takes a vector, for whoever sees it.
        writes.place_entities("t/2", ["Secret", "Nobody"], np.ones((2, 2), np.int8))
    assert door.tending(SCOPE).mentions().encoder is None
    assert door.asking(Scope(agent="ann")).signals(
        np.empty(0, np.int64), ["Secret"]
    ).entities.vectors.tolist() == [[1, 1]]


def test_memories_are_found_by_what_they_mention(opener: Opener) -> None:
    first, other = opener(), opener()
    with first.transaction(SCOPE) as writes:
        writes.insert([naming("both", "Ada", "Bo"), naming("first", "Ada", "Cy"), naming("none", "Cy")])
        writes.insert([entry(f"filler {number}") for number in range(30)])
    asks = nothing_but(entities=("Ada", "Bo", "Ada"), per_way=10, most=5)
    for door in (first, other):
        found = door.asking(SCOPE).candidates(CURRENT, asks)
        assert 2 <= len(found) <= 5
        assert found.mentioned is not None and found.mentioned.dtype == np.float32
        share = dict(zip(contents(door, found), found.mentioned.tolist(), strict=True))
        assert share["both"] == 1.0 and share["first"] == 0.5
        assert sorted(contents(door, found, FOUND_BY_ENTITY)) == ["both", "first"]
        assert sum(share.values()) == 1.5
        # The best by their share where not all have a place.
        few = door.asking(SCOPE).candidates(CURRENT, nothing_but(entities=("Ada", "Bo"), per_way=1, most=1))
        assert contents(door, few) == ["both"]
    with first.transaction(SCOPE) as writes:
        later = naming("later", "Bo")
        writes.insert([later])
    assert "later" in contents(other, other.asking(SCOPE).candidates(CURRENT, asks), FOUND_BY_ENTITY)
    with first.transaction(SCOPE) as writes:
        writes.forget(Extent([later.memory.logical_id]), NOW)
    assert "later" not in contents(other, other.asking(SCOPE).candidates(CURRENT, asks))


def test_ended_memories_mention_nothing_now(door: Door) -> None:
    row = naming("one", "Ada")
    with door.transaction(SCOPE) as writes:
        writes.insert([row])
        writes.expire(row.memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
    assert told(door) == {}
    assert contents(door, door.asking(SCOPE).candidates(CURRENT, nothing_but(entities=("Ada",)))) == []


def test_vectors_belong_to_entities(door: Door) -> None:
    with door.transaction(SCOPE) as writes:
        writes.insert([naming("one", "Ada", "Bo"), naming("two", "Cy"), entry("three")])
    lacking = door.tending(SCOPE).unencoded(Space.ENTITY, TRAINED.id, 9)
    assert [memory.content for _, memory in lacking] == ["one", "two"], "who mentions nobody lacks nothing"
    vectors = np.arange(24, dtype=np.int8).reshape(3, 8)
    with door.transaction(SCOPE) as writes:
        writes.place_entities(TRAINED.id, ["Bo", "Nobody", "Ada"], vectors)
    assert [memory.content for _, memory in door.tending(SCOPE).unencoded(Space.ENTITY, TRAINED.id, 9)] == [
        "two"
    ]
    with pytest.raises(Conflict), door.transaction(SCOPE) as writes:
        writes.activate(Space.ENTITY, TRAINED)
    with door.transaction(SCOPE) as writes:
        writes.place_entities(TRAINED.id, ["Cy"], vectors[1:2])
        writes.activate(Space.ENTITY, TRAINED)
    found = door.tending(SCOPE).mentions()
    assert found.names == ("Ada", "Bo", "Cy") and found.encoder == TRAINED.id
    assert found.vectors.dtype == np.int8
    assert found.vectors.tolist() == [vectors[2].tolist(), vectors[0].tolist(), vectors[1].tolist()]
    with door.transaction(SCOPE) as writes:
        writes.insert([naming("four", "Dee")])
    assert door.asking(SCOPE).signals(np.empty(0, np.int64), ["Dee", "Ada"]).entities.vectors.tolist() == [
        vectors[2].tolist(),
        [0] * 8,
    ]
    with pytest.raises(InvalidValue), door.transaction(SCOPE) as writes:
        writes.place_entities(TRAINED.id, ["Ada"], vectors)
    with door.transaction(SCOPE) as writes:
        newer = ActiveEncoder("static", "translation-2/4", 4)
        writes.place_entities(newer.id, ["Ada", "Bo", "Cy", "Dee"], np.ones((4, 4), np.int8))
        writes.activate(Space.ENTITY, newer)
        assert writes.drop_encoder(Space.ENTITY, TRAINED.id) == 0
    assert door.tending(SCOPE).mentions().vectors.tolist() == [[1] * 4] * 4


def test_names_are_put_beside_older_memories(door: Door) -> None:
    with door.transaction(SCOPE) as writes:
        writes.insert([entry("one"), naming("two", "Old", "Kept"), naming("three", "Kept")])
    places = np.append(door.asking(SCOPE).positions(CURRENT, 9)[::-1], 10**8)
    with door.transaction(SCOPE) as writes:
        writes.place_mentions(places, [("New", "Ada"), ("Ada",), ("Kept", "Kept"), ("Nobody",)])
    assert told(door) == {"Ada": {"one", "two"}, "Kept": {"three"}, "New": {"one"}}
    assert door.asking(SCOPE).signals(places).embeddings[int(places[0])].entities == ("New", "Ada")
    assert (
        contents(
            door, door.asking(SCOPE).candidates(CURRENT, nothing_but(entities=("Old",))), FOUND_BY_ENTITY
        )
        == []
    )
    found = door.asking(SCOPE).candidates(CURRENT, nothing_but(entities=("New",)))
    assert contents(door, found, FOUND_BY_ENTITY) == ["one"]


def test_a_forgotten_name_is_in_no_file(door: Door, files: Callable[[], Path]) -> None:
    """An entity's row goes with its last mention, from every page."""

    def holding(*names: str) -> set[str]:
        held = [path.read_bytes() for path in files().rglob("*") if path.is_file()]
        return {name for name in names if any(name.encode() in item for item in held)}

    names = ("Zephyrina Quixot", "Wombatine Plovdiv", "Sharedname Xylo")
    secret = naming("The first thing.", *names)
    with door.transaction(SCOPE) as writes:
        writes.insert([secret, naming("The second thing.", names[2])])
        writes.insert(
            [naming(f"Filler {number}", f"Name{number}", f"Other{number}") for number in range(300)]
        )
        writes.place_entities(TRAINED.id, names, np.ones((3, 8), np.int8))
    assert holding(*names) == set(names)
    with door.transaction(SCOPE) as writes:
        writes.forget(Extent([secret.memory.logical_id]), NOW)
    assert door.asking(SCOPE).signals(np.empty(0, np.int64), list(names)).entities.names == (names[2],)
    assert holding(*names) == {names[2]}
    assert len(door.tending(SCOPE).mentions().names) == 601
    assert door.check() == []


def test_a_history_of_one_memory_keeps_its_name_to_the_last(door: Door) -> None:
    first, second = naming("first", "Ada", "Bo"), naming("second", "Ada")
    with door.transaction(SCOPE) as writes:
        writes.insert([first, second])
        writes.expire(first.memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
    for row, left in ((first, {"Ada"}), (second, set())):
        with door.transaction(SCOPE) as writes:
            writes.forget(Extent([row.memory.logical_id]), NOW)
        assert set(told(door)) == left


def test_which_names_are_seen(door: Door) -> None:
    """Those that a memory in scope mentions, ended or not; none that only others' do, or that are forgotten."""
    every = Scope(every_agent=True)
    told = [
        naming("mine", "Ada", "Eva", level=Level.PERSONAL, agent="ada"),
        naming("theirs", "Ada", "Ivo", level=Level.PERSONAL, agent="ivo"),
        naming("all know", "Mia", project="boats", level=Level.COLLECTIVE),
        naming("ended", "Ulf", level=Level.COLLECTIVE),
    ]
    with door.transaction(every) as writes:
        writes.insert(told)
        writes.expire(told[3].memory.id, NOW, InvalidationReason.DISCOVERED_FALSE)
    names = ["Ada", "Eva", "Ivo", "Mia", "Ulf", "Nobody"]

    def seen(**scope: object) -> set[str]:
        return door.asking(Scope(**scope)).names_seen(names)

    assert seen(agent="ada") == {"Ada", "Eva", "Mia", "Ulf"}
    assert seen(agent="ivo") == {"Ada", "Ivo", "Mia", "Ulf"}
    assert seen(agent="ivo", projects=("boats",)) == {"Mia"}
    assert seen(agent="ivo", levels=(Level.PERSONAL,)) == {"Ada", "Ivo"}
    with door.transaction(every) as writes:
        writes.forget(Extent(ids=[told[2].memory.logical_id]), NOW)
    assert seen(agent="ivo") == {"Ada", "Ivo", "Ulf"}
    view = door.asking(Scope(agent="ivo"))
    came = view.names_after(0, 10)
    assert [view.names_count(key) for key, _ in came] == [1, 2, 3, 4] and view.names_seen(()) == set()
