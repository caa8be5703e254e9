"""Streams kept for who asks again: given while nobody wrote, by either engine, this process or another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

import engramforge
from engramforge.assembly.stages import WiredStages
from engramforge.forge import Forge
from engramforge.model.scope import Scope
from engramforge.model.streams.stream import Stream
from engramforge.recall.intention.optional.kept_streams import KEPT, LIFE_S, KeptStreams

pytestmark = pytest.mark.each_engine

ASKED = "what does Ada Lund say of the ferry queue?"
FELT: dict[str, Any] = {"energy": 0.8, "confidence": 0.9, "emotion_vector": {}, "goal": "g", "mindstate": "m"}


@pytest.fixture
def two(place: str) -> Iterator[tuple[Forge, Forge]]:
    """One store opened twice, as two processes would."""
    with engramforge.open(place) as here, engramforge.open(place) as there:
        yield here, there


def test_any_write_ends_what_is_kept(two: tuple[Forge, Forge]) -> None:
    here, there = two

    def ask() -> Stream:
        return here.streams.by_intention(ASKED, cache=True)

    def links(stream: Stream) -> set[str]:
        return {each.link.id for each in stream.traversal_graph.links}

    def found(stream: Stream) -> set[str]:
        return {each.content for each in stream.memories}

    queue = here.remember("The ferry queue of Ada Lund blocks the pier.")
    first = ask()
    again = ask()
    assert again.items is first.items
    assert again.id != first.id
    assert again.latency_ms < first.latency_ms

    gate = there.remember("A second gate would shorten the ferry queue.")
    assert gate.content in found(ask())
    made = there.link(queue.id, gate.id, "CAUSES", **FELT)
    linked = ask()
    assert made.link.id in links(linked)
    assert ask().items is linked.items
    there.unlink(made.link.id)
    assert made.link.id not in links(ask())
    there.revise(gate.id, "A third gate would shorten the ferry queue.")
    assert "A third gate would shorten the ferry queue." in found(ask())
    there.streams.by_intention(ASKED, cache=True)
    assert len(there._stages.kept_streams) == 1
    there.forget(gate.id)
    assert len(there._stages.kept_streams) == 0
    assert not any("gate" in each for each in found(ask()))
    here.remember("Ada Lund leaves the ferry queue.")
    assert "Ada Lund leaves the ferry queue." in found(ask())
    there.undo()
    assert "Ada Lund leaves the ferry queue." not in found(ask())


def test_only_the_same_question_of_the_same_asker_is_the_same(two: tuple[Forge, Forge]) -> None:
    here, _ = two
    here.remember("The ferry queue of Ada Lund is long.", project="harbour")
    first = here.streams.by_intention(ASKED, cache=True)
    others: list[dict[str, Any]] = [
        {"query_levels": ["N1"]},
        {"min_energy": 0.1},
        {"current_emotions": {"joy": 0.5}},
        {"project": "harbour"},
        {"agent": "someone"},
        {"spreading": True},
        {"graph_way": "pagerank"},
        {"reality_pressure": 0.9},
    ]
    for each in others:
        assert here.streams.by_intention(ASKED, cache=True, **each).items is not first.items, each
    assert here.streams.by_intention(ASKED).items is not first.items
    named = here.streams.by_intention(ASKED, cache=True, intention_id="one", generated_by="me")
    assert named.items is first.items
    assert named.id == "one"


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_they_live_five_minutes_and_the_oldest_give_way(tmp_path: Path) -> None:
    clock = _Clock()
    with engramforge.open(tmp_path) as forge:
        forge.remember("The ferry queue is long.")
        stages = forge._stages
        assert isinstance(stages, WiredStages)
        kept, made = KeptStreams(stages.door, clock), []

        def make() -> Stream:
            made.append(forge.streams.by_intention("ferry"))
            return made[-1]

        def get(number: int) -> Stream:
            return kept.get(Scope(), {"number": number}, make)

        first = get(0)
        clock.now = LIFE_S - 1
        assert get(0) is first
        clock.now = LIFE_S
        assert get(0) is not first
        for number in range(1, KEPT):
            get(number)
        count = len(made)
        get(0)
        assert len(made) == count
        get(KEPT)
        get(0)
        assert len(made) == count + 1
        get(1)
        assert len(made) == count + 2


def test_what_commits_after_others_that_it_was_numbered_before_is_noticed(postgres_url: str) -> None:
    line = "INSERT INTO audit (tenant, at, action, subject, agent, reason) VALUES ('default', 0, 'link', 'x', 'y', '')"
    with engramforge.open(postgres_url) as forge, psycopg.connect(postgres_url) as slow:
        forge.remember("The ferry queue is long.")
        view = forge._stages.door.asking(Scope())
        slow.execute(line)
        before = view.stamp()
        assert before == view.stamp()
        forge.remember("The ferry queue is short.")
        between = view.stamp()
        slow.commit()
        assert len({before, between, view.stamp()}) == 3
