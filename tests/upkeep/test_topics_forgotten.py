"""A forget while topics are updated: no word of what was forgotten comes back, on either engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Thread
from typing import Any

import pytest
from tests.upkeep.test_topics import told

import engramforge
from engramforge.forge import Forge
from engramforge.model.scope import Scope
from engramforge.model.topics.topic import FEATURES, TopicQuery, TopicRow
from engramforge.store.door import Transaction

RARE = "aaquokka"


@dataclass
class Interrupted:
    """A door at which something happens before the first write, and `skipped` writes later."""

    door: Any
    act: Callable[[], object]
    skipped: int = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.door, name)

    def write(self, *args: Any, **kwargs: Any) -> Any:
        self.skipped -= 1
        if self.skipped == -1:
            self.act()
        return self.door.write(*args, **kwargs)


def rare(forge: Forge, count: int, seed: int = 0) -> list[str]:
    drafts = [
        {"content": f"The {RARE} {RARE}berg aaclover item {seed}{number}.", "project": "studio"}
        for number in range(count)
    ]
    return [each.logical_id for each in forge.remember_many(drafts)]


def updated(forge: Forge, act: Callable[[], object], skipped: int = 0, **asked: Any) -> list[Any]:
    upkeep = forge._stages.topic_upkeep
    return replace(upkeep, door=Interrupted(upkeep.door, act, skipped)).update(Scope(), "studio", **asked)


def said_of_it(forge: Forge) -> list[str]:
    """Names and features that have the forgotten word."""
    view = forge._stages.door.asking(Scope(every_agent=True))
    names = [each.name for each in view.topics(TopicQuery())]
    return [each for each in (*names, str(view.mark(FEATURES + "studio"))) if RARE in each]


@pytest.fixture
def forge(place: str) -> Any:
    with engramforge.open(place) as opened:
        for theme in ("kiln", "router", "passport"):
            told(opened, theme, 8)
        yield opened


def forget_while_clustered(forge: Forge, ids: list[str]) -> None:
    (report,) = updated(forge, lambda: forge.forget(ids, confirmed=True), anew=True)
    assert report.batch
    view = forge._stages.door.asking(Scope())
    named = [each.name for each in view.topics(TopicQuery())]
    assert named and not any(named) and view.mark(FEATURES + "studio") is None


def test_a_forget_while_everything_is_clustered(forge: Forge) -> None:
    gone = rare(forge, 12)
    # For the first time, and where there are features that are built upon.
    forget_while_clustered(forge, gone[:1])
    forge.topics.update("studio", anew=True)
    assert said_of_it(forge)
    forget_while_clustered(forge, gone[1:])
    assert said_of_it(forge) == [] and forge.check() == []
    told(forge, "kiln", 1, seed=1)
    forge.topics.update()
    named = [each.name for each in forge._stages.door.asking(Scope()).topics(TopicQuery())]
    assert named and all(named) and said_of_it(forge) == []


def test_a_forget_while_newcomers_join(forge: Forge) -> None:
    for theme in ("kiln", "router", "passport"):
        told(forge, theme, 30, seed=2)
    forge.topics.update()
    before = {each.id for each in forge.topics.browse()}
    gone = rare(forge, 14)
    assert updated(forge, lambda: forge.forget(gone, confirmed=True)) == []
    assert said_of_it(forge) == [] and {each.id for each in forge.topics.browse()} == before
    # What is left is looked at by the next update; so it is where the features are made again.
    gone = rare(forge, 14)
    told(forge, "kiln", 1, seed=3)
    assert updated(forge, lambda: forge.forget(gone, confirmed=True)) == []
    assert said_of_it(forge) == []
    forge.topics.update()
    assert said_of_it(forge) == [] and "topics" not in forge.due() and forge.check() == []


def test_a_forget_waits_for_names_that_are_being_written(forge: Forge, place: str) -> None:
    gone = rare(forge, 12)
    forge.topics.update("studio", anew=True)
    everybody = Scope(every_agent=True)
    door = forge._stages.door
    topic = next(each for each in door.asking(everybody).topics(TopicQuery()) if RARE in each.name)
    places = [position for _, position, _ in door.asking(everybody).topic_members([topic.id], TopicQuery())]
    with engramforge.open(place) as other:
        forgetting = Thread(target=lambda: other.forget(gone[0], confirmed=True))

        def work(writes: Transaction) -> bool:
            is_whole = writes.is_unforgotten("studio", places, None)
            forgetting.start()
            forgetting.join(0.5)
            writes.save_topics("studio", [TopicRow.of(topic, f"{RARE} again", None)])
            return is_whole and forgetting.is_alive()

        assert door.write(everybody, work)
        forgetting.join(30)
    assert not forgetting.is_alive() and said_of_it(forge) == []
