"""Clusters, topics and who is of which: on both axes, for those who may see them; a forget leaves no name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conformance.conftest import NOW, Opener, entry
from tests.conformance.test_forgetting import traces
from uuid_utils import uuid7

from engramforge.model.memory import Kind
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Extent
from engramforge.model.time import TimeRange
from engramforge.model.topics.topic import FEATURES, Topic, TopicQuery, TopicRow
from engramforge.store.door import Door

SCOPE = Scope()
EVERYBODY = Scope(every_agent=True)
pytestmark = pytest.mark.asks_no_candidates
SPACES = 10


def written(door: Door, *texts: str, **fields: Any) -> dict[str, int]:
    """Memories of these texts in one project, a day apart; logical id -> position, in order."""
    made = [
        entry(text, project="atlas", valid_at=NOW + timedelta(days=number), **fields)
        for number, text in enumerate(texts)
    ]
    door.write(SCOPE, lambda writes: writes.insert(made))
    places = door.asking(EVERYBODY).places_of([each.memory.id for each in made])
    return {each.memory.logical_id: places[each.memory.id] for each in made}


def row(name: str, agent: str | None = None, **fields: Any) -> TopicRow:
    return TopicRow(str(uuid7()), name, agent, NOW, details={"agreement": 3.0, "phase": "stable"}, **fields)


def placed(
    door: Door, of: TopicRow, positions: dict[str, int], at_day: int = 0, agreement: float = 3.0
) -> None:
    each = list(positions.values())
    door.write(EVERYBODY, lambda writes: writes.save_topics("atlas", [of]))
    at = NOW + timedelta(days=at_day)
    door.write(
        EVERYBODY,
        lambda writes: writes.place_members(at, each, [of.id] * len(each), [agreement] * len(each)),
    )


def topics(door: Door, scope: Scope = SCOPE, **asked: Any) -> list[Topic]:
    return door.asking(scope).topics(TopicQuery(**asked))


def test_clusters_are_kept_as_they_were_and_replaced(opener: Opener) -> None:
    door = opener()
    positions = np.array(list(written(door, "kiln one", "kiln two").values()), np.int64)
    labels = np.arange(2 * SPACES, dtype=np.int32).reshape(2, SPACES) - 5
    beyond = np.append(positions, 10**6), np.vstack([labels, labels[:1]])
    door.write(EVERYBODY, lambda writes: writes.place_clusters(*beyond))
    door.write(EVERYBODY, lambda writes: writes.place_clusters(positions[:1], labels[1:]))
    held = opener().tending(EVERYBODY).gathered([Kind.NOTE, *Kind])
    assert held.labels.tolist() == [labels[1].tolist(), labels[1].tolist()]
    of = door.asking(SCOPE).clusters_at([*map(int, positions), 10**6])
    assert {place: each.tolist() for place, each in of.items()} == dict.fromkeys(of, labels[1].tolist())
    assert of.keys() == set(positions.tolist())
    assert held.is_clustered.all() and held.topics == (None, None)
    assert len(door.tending(EVERYBODY).gathered([Kind.ARCHIVE]).positions) == 0


def test_a_topic_is_told_with_three_memories_and_more_and_as_of_then(opener: Opener) -> None:
    door = opener()
    its = written(door, "kiln one", "kiln two", "kiln three", "kiln four")
    clay = row("kiln, clay")
    placed(door, clay, dict(list(its.items())[:2]))
    assert topics(door) == []
    placed(door, clay, dict(list(its.items())[2:]), at_day=10)
    (found,) = topics(door)
    assert (found.id, found.name, found.size, found.project) == (clay.id, "kiln, clay", 4, "atlas")
    assert (found.first_at, found.last_at) == (NOW, NOW + timedelta(days=3))
    assert topics(door, project="atlas") and not topics(door, project="bistro")
    # What was known by then, and what became true in a time.
    assert topics(door, recorded_at=NOW + timedelta(days=5)) == []
    (then,) = topics(door, valid=TimeRange(NOW + timedelta(days=3)))
    assert then.size == 1
    # From now on of another: what it was of before stays on record.
    glaze = row("glaze")
    placed(door, glaze, its, at_day=20)
    assert [each.id for each in topics(door)] == [glaze.id]
    assert [each.id for each in topics(door, recorded_at=NOW + timedelta(days=15))] == [clay.id]
    (first, *_) = its.values()
    assert door.asking(SCOPE).topics_at([first]) == {first: (glaze.id, 3.0)}
    of_clay = door.asking(SCOPE).topic_members([clay.id], TopicQuery(recorded_at=NOW + timedelta(days=15)))
    assert sorted(place for _, place, _ in of_clay) == sorted(its.values())


def test_what_only_has_to_do_with_a_topic_counts_for_none(opener: Opener) -> None:
    door = opener()
    its = written(door, "kiln one", "kiln two", "kiln three", "kiln four")
    clay = row("kiln")
    own = dict(list(its.items())[:3])
    placed(door, clay, own)
    placed(door, clay, dict(list(its.items())[3:]), agreement=1.5)
    assert [each.size for each in topics(door)] == [3]
    view = door.asking(SCOPE)
    assert len(view.topic_members([clay.id], TopicQuery())) == 3
    assert view.topic_sizes([*Kind]) == {clay.id: 3, None: 1}
    assert [agreed for _, _, agreed in view.topic_members([clay.id], TopicQuery(), 1.0)] == [3.0] * 3 + [1.5]


def test_who_sees_too_few_memories_sees_no_topic_and_no_name_with_words_of_others(opener: Opener) -> None:
    door = opener()
    mine = written(door, "kiln one", "kiln two", "kiln three")
    other = replace(SCOPE, agent="another")
    placed(door, row("kiln", agent="default"), mine)
    assert [each.name for each in topics(door)] == ["kiln"] and topics(door, other) == []
    shared = written(door, "glaze one", "glaze two", "glaze three", level="collective")
    placed(door, row("glaze, secret", agent="default"), shared)
    assert [each.name for each in topics(door, other)] == [""]
    assert {each.name for each in topics(door)} == {"kiln", "glaze, secret"}


def test_a_forget_takes_the_name_of_a_topic_and_the_last_one_the_topic(
    opener: Opener, files: Callable[[], Path]
) -> None:
    door = opener()
    its = written(door, "kiln one", "kiln two", "kiln three", "kiln four")
    placed(door, row("kiln, verdigris"), its)
    first, *others = its
    door.write(SCOPE, lambda writes: writes.forget(Extent(ids=(first,)), NOW))
    (left,) = topics(door)
    assert (left.name, left.size) == ("", 3)
    assert traces(files(), ["verdigris"]) == []
    door.write(SCOPE, lambda writes: writes.forget(Extent(ids=tuple(others)), NOW))
    # A topic of a project that is gone is written nowhere.
    door.write(EVERYBODY, lambda writes: writes.save_topics("bistro", [row("nothing")]))
    assert topics(door) == []
    assert door.asking(SCOPE).topic_members([left.id], TopicQuery()) == []


def test_what_was_forgotten_meanwhile_is_noticed_where_topics_are_written(opener: Opener) -> None:
    door = opener()
    first, *_ = its = written(door, "kiln one", "kiln two", "kiln three")
    features = {"topics": ["x"], "rarities": {"kiln": 0.5}}

    def are_there(asked: list[int], known: dict[str, Any] | None) -> bool:
        return door.write(EVERYBODY, lambda writes: writes.is_unforgotten("atlas", asked, known))

    places = list(its.values())
    assert are_there(places, None) and not are_there(places, features)
    door.write(EVERYBODY, lambda writes: writes.save_mark(FEATURES + "atlas", features))
    assert are_there(places, features) and not are_there(places, {"topics": []}) and are_there([], None)
    door.write(SCOPE, lambda writes: writes.forget(Extent(ids=(first,)), NOW))
    assert are_there(places[1:], None)
    assert not are_there(places, None) and not are_there(places[1:], features)


def test_all_topics_end_but_those_that_stand(opener: Opener) -> None:
    door = opener()
    its = written(door, *(f"kiln {number}" for number in range(9)))
    kiln, glaze, tax = row("kiln"), row("glaze", agent="default"), row("tax")
    for number, each in enumerate((kiln, glaze, tax)):
        placed(door, each, dict(list(its.items())[3 * number : 3 * number + 3]))
    door.write(EVERYBODY, lambda writes: writes.save_topics("atlas", [row("of nothing")]))
    at = NOW + timedelta(days=1)

    def end() -> int:
        return door.write(
            EVERYBODY, lambda writes: writes.end_topics("atlas", [kiln.id], {tax.id: kiln.id}, at)
        )

    assert (end(), end()) == (2, 0)
    found = {each.id: (each.name, each.expired_at, each.merged_into) for each in topics(door)}
    assert found == {
        kiln.id: ("kiln", None, None),
        glaze.id: ("glaze", at, None),
        tax.id: ("tax", at, kiln.id),
    }
    # Whose words a name has is as before.
    own = [each.name for each in topics(door, replace(SCOPE, agent="another"))]
    assert own == [] and [each.name for each in topics(door) if each.id == glaze.id] == ["glaze"]


def test_a_clock_that_jumped_back_loses_no_membership(opener: Opener) -> None:
    door = opener()
    its = written(door, "kiln one", "kiln two", "kiln three")
    first, second = row("first"), row("second")
    placed(door, first, its, at_day=10)
    placed(door, second, its, at_day=3)
    assert [each.id for each in topics(door)] == [second.id]
    then = [topics(door, recorded_at=NOW + timedelta(days=day)) for day in (5, 10, 11)]
    assert [[each.id for each in found] for found in then] == [[], [first.id], [second.id]]
