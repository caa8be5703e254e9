"""What others hold, or what does not hold, takes no room in a stream; and a step that is too slow says so."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import Engine

import engramforge
from engramforge.assembly.stages import WiredStages
from engramforge.forge import Forge
from engramforge.model.search.selection import Selection
from engramforge.model.streams.stream import Stream
from engramforge.model.time import AsOf
from engramforge.recall.intention import goal_likeness
from engramforge.recall.intention.optional.kept_streams import KeptStreams
from engramforge.recall.intention.time_limit import tried

SOUND: Final[dict[str, Any]] = {
    "confidence": 0.9,
    "emotion_vector": {},
    "goal": "quiet",
    "mindstate": "calm",
}
SHARED: Final[dict[str, Any]] = {"project": "harbour", "level": "collective"}
CROWD: Final = 60
"""More links than are read at a memory."""
MENTIONED: Final = 201
"""More mentions than are looked at of a name."""


@dataclass
class House:
    """A store of two agents."""

    alice: Forge
    bob: Forge


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    home = str(tmp_path) if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with engramforge.open(home, agent="alice") as alice, engramforge.open(home, agent="bob") as bob:
        yield House(alice, bob)


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[Forge]:
    """A store of one, where the engine makes no difference."""
    with engramforge.open(tmp_path) as opened:
        yield opened


def hide(house: House, drafts: Sequence[dict[str, Any]]) -> list[tuple[Forge, list[str]]]:
    """Who wrote what: of another agent, of another project, and not true yet in 2021; a crowd of each."""
    crowds: list[tuple[Forge, dict[str, Any]]] = [
        (house.bob, {"project": "harbour", "level": "personal", "valid_at": "2020-01-01"}),
        (house.alice, {**SHARED, "project": "quarry", "valid_at": "2020-01-01"}),
        (house.alice, {**SHARED, "valid_at": "2022-01-01"}),
    ]
    return [
        (forge, [each.logical_id for each in forge.remember_many({**draft, **where} for draft in drafts)])
        for forge, where in crowds
    ]


def asked(house: House, question: str, **more: Any) -> Stream:
    """What Alice is told of the harbour as it was in 2021."""
    return house.alice.streams.by_intention(question, project="harbour", as_of_valid="2021-01-01", **more)


def along_links(stream: Stream) -> set[str]:
    items = [each for level in stream.levels.values() for each in (*level.graph, *level.spread)]
    return {each.memory.content for each in items}


def true_of_old(house: House, content: str) -> str:
    return house.alice.remember(content, **SHARED, valid_at="2020-01-01").logical_id


def test_links_to_what_is_not_seen_leave_room_for_others(house: House) -> None:
    hub = true_of_old(house, "Corvane is a harbour.")
    known, far = true_of_old(house, "A bell is rung."), true_of_old(house, "Tolls were doubled.")
    old = {**SOUND, "valid_at": "2020-01-01"}
    house.alice.link(hub, known, "RINGS", energy=0.5, **old)
    house.alice.link(hub, far, "RAISES", energy=0.4, **old)
    # Parallel links count once also beside what is not seen.
    house.alice.link_many(
        {"source_id": hub, "target_id": known, "relation": f"RINGS_{number}", "energy": 0.45, **old}
        for number in range(CROWD)
    )
    ways: list[dict[str, Any]] = [
        {},
        {"graph_way": "pagerank"},
        {"spreading": True, "max_results_per_level": 1},
    ]
    before = [along_links(asked(house, "What of Corvane?", **way)) for way in ways]
    assert all("Tolls were doubled." in each for each in before[:2])
    for writer, others in hide(house, [{"content": f"Zebra {number}."} for number in range(CROWD)]):
        assert len(set(others)) == CROWD
        writer.link_many(
            {end: hub, other: each, "relation": "HIDES", "energy": 1.0, **old}
            for end, other in (("source_id", "target_id"), ("target_id", "source_id"))
            for each in others
        )
    assert [along_links(asked(house, "What of Corvane?", **way)) for way in ways] == before


def test_mentions_that_are_not_seen_leave_room_for_others(house: House) -> None:
    start, far = true_of_old(house, "Velmora Institute."), true_of_old(house, "Gulls broke the pump.")
    house.alice.link(start, far, "CAUSES", energy=0.9, **SOUND, valid_at="2020-01-01")
    question = "What did they order in spring from Velmora Institute?"
    house.alice.remember_many(
        {"content": f"What did they order in spring, {number}? Rope.", **SHARED, "valid_at": "2020-01-01"}
        for number in range(40)
    )

    scope = replace(house.alice._scope, projects=("harbour",))
    then = Selection(as_of=AsOf(datetime(2021, 1, 1, tzinfo=UTC), datetime.now(UTC) + timedelta(days=1)))

    def found() -> tuple[set[str], list[str]]:
        with house.alice._stages.door.asking(scope) as view:
            mentioning = [one for _, one, *_ in view.mentioning(then, ["velmora institute"], 20)]
        return along_links(asked(house, question, max_results_per_level=2)), mentioning

    before = found()
    assert "Gulls broke the pump." in before[0] and before[1] == [start]
    hide(house, [{"content": f"Velmora Institute in spring, case {number}."} for number in range(MENTIONED)])
    assert found() == before


def test_goals_of_others_and_of_what_ended_leave_room_for_ones_own(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goal_likeness, "MOST_COMPARED", 6)
    monkeypatch.setattr(goal_likeness, "_MOST_LIKE", 3)
    own = {"project": "harbour", "resolution_state": "blocked", "energy": 0.9}
    house.alice.remember("We wait for the crane.", goal="zz open the pier by May", **own)

    def found() -> list[str]:
        stream = house.alice.streams.by_state(current_energy=0.5, current_goal="open the pier")
        return [each.content for each in stream.memories]

    assert found() == ["We wait for the crane."]
    theirs = {"project": "harbour", "level": "personal", "resolution_state": "blocked"}
    house.bob.remember_many(
        {"content": f"Plan {number}.", "goal": f"aa open the pier {number}", **theirs} for number in range(12)
    )
    assert found() == ["We wait for the crane."]
    for number in range(12):
        made = house.alice.remember(f"Idea {number}.", goal=f"bb open the pier {number}", **own)
        house.alice.invalidate(made.id)
    assert found() == ["We wait for the crane."]


def test_goals_are_found_by_their_words_however_many_are_newer(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goal_likeness, "MOST_COMPARED", 3)
    own = {"project": "harbour", "resolution_state": "blocked", "energy": 0.9}
    goals = ["zz open the pier by May", "zz open", "the pier", "zz open the piers", "zz_50%_off \\ now"]
    house.alice.remember_many({"content": f"Plan {goal}.", "goal": goal, **own} for goal in goals)
    others = [f"a{number} z50 xoff" for number in range(5)]
    house.alice.remember_many({"content": f"Note {goal}.", "goal": goal, **own} for goal in others)

    def found(goal: str, **more: Any) -> tuple[set[str], str]:
        stream = house.alice.streams.by_state(current_energy=0.5, current_goal=goal, **more)
        return {str(each.goal) for each in stream.memories}, stream.note

    said = "Only the newest 3 goals were compared by what they mean, all of them by their words"
    assert found("zz open the pier") == (set(goals[:3]), said)
    assert found("Zz-open") == ({goals[0], goals[1], goals[3]}, said)
    # Signs that SQL has for any letters stand for themselves.
    assert found("50%")[0] == {goals[4]}
    assert found("off \\")[0] == {goals[4]}
    assert found("%")[0] == found("z%")[0] == found("5_%")[0] == set()
    monkeypatch.setattr(goal_likeness, "MOST_COMPARED", 10)
    assert found("zz open the pier") == (set(goals[:4]), "")


def test_one_goal_is_compared_in_portions_and_in_proportion(
    forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, scope = forge._stages.by_state.goals, forge._scope
    others = [f"matter {number}" for number in range(3_000)]
    whole = stage.of(scope, "matter 7", others)
    assert max(whole) == whole[7] > 0.9
    monkeypatch.setattr(goal_likeness, "_COMPARED", 5_000)
    tracemalloc.start()
    assert stage.of(scope, "matter 7", others) == pytest.approx(whole)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # A number for each pair of them takes 72 MB, one vector each 3 MB.
    assert most < 30_000_000


def test_comparing_goals_ends_when_the_time_is_up(forge: Forge) -> None:
    stage, scope = forge._stages.by_state.goals, forge._scope
    others = [f"matter {number}" for number in range(3_000)]
    stage.of(scope, "quiet", others)
    late = tried(1e-3, lambda: stage.of(scope, "quiet", others), [])
    assert late.answer == [] and late.took_ms < 400 and "longer than its limit of 0.001 s" in str(late.fault)


def test_a_step_that_answers_too_late_is_told() -> None:
    late = tried(0.3, lambda: time.sleep(0.4) or "answer", "")
    assert late.answer == "answer"
    assert str(late.fault) == "It took longer than its limit of 0.3 s. Ask for less, or again later."
    assert tried(5.0, lambda: "answer", "").fault is None


@contextmanager
def slowed(part: str) -> Iterator[None]:
    """Before each statement with this in it the server counts for long."""
    count = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 400000000) SELECT count(*) FROM c"

    def wait(_: Any, cursor: Any, statement: str, *more: Any) -> None:
        if part in statement:
            cursor.execute(count)

    sa.event.listen(Engine, "before_cursor_execute", wait)
    try:
        yield
    finally:
        sa.event.remove(Engine, "before_cursor_execute", wait)


def kept_by(forge: Forge, **more: Any) -> KeptStreams:
    stages = forge._stages
    assert isinstance(stages, WiredStages)
    return KeptStreams(stages.door, **more)


def test_asking_whether_a_kept_stream_holds_has_a_limit(house: House) -> None:
    alice = house.alice
    alice.remember("The pump is loud.")
    kept = kept_by(alice, way_s=0.3)

    def get() -> Stream:
        return kept.get(alice._scope, {}, lambda: alice.streams.by_intention("pump"))

    first = get()
    assert get() is first
    with slowed("FROM audit"):
        begun = time.monotonic()
        late = get()
        assert time.monotonic() - begun < 5
    assert late is not first and [each.content for each in late.memories] == ["The pump is loud."]
    assert get() is first


def test_a_stream_begun_before_something_was_forgotten_is_not_kept(forge: Forge) -> None:
    forge.remember("The pump is loud.")
    kept = kept_by(forge)

    def make() -> Stream:
        stream = forge.streams.by_intention("pump")
        kept.clear()
        return stream

    kept.get(forge._scope, {}, make)
    assert len(kept) == 0
    kept.get(forge._scope, {}, lambda: forge.streams.by_intention("pump"))
    assert len(kept) == 1
