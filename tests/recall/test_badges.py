"""Badges of hits against the moment of asking."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np

from engramforge.forge import Forge
from engramforge.recall.badges import badges_of

from .conftest import NOW, START


def near(forge: Forge, now: datetime, session: str | None = None) -> dict[str, tuple[str, ...]]:
    found = forge.recall("planted along the fence, and frost", now=now, session_id=session, budget=None)
    return {hit.memory.content: hit.badges for hit in found.hits}


def test_a_hit_of_today_and_of_this_hour(told: Forge) -> None:
    garden = START + timedelta(weeks=2)
    within_the_hour = near(told, garden + timedelta(minutes=10))
    assert within_the_hour["I planted forty tulips along the fence."] == ("same_session", "same_day")
    same_day = near(told, garden + timedelta(hours=9))
    assert same_day["I planted forty tulips along the fence."] == ("same_day",)
    assert near(told, NOW)["I planted forty tulips along the fence."] == ()


def test_a_session_that_is_asked_for_is_the_same_session_and_period(told: Forge) -> None:
    badges = near(told, NOW, "garden")
    assert badges["I planted forty tulips along the fence."] == ("same_session", "same_period")


def test_far_apart_in_the_order_of_one_session_is_another_period(forge: Forge) -> None:
    forge.remember_many(
        {
            "content": f"Gull number {place} sat on the pier.",
            "session_id": "watch",
            "sequence": place,
            "kind": "message",
            "valid_at": START + timedelta(minutes=place),
        }
        for place in range(200)
    )
    hits = forge.recall("Gull on the pier", session_id="watch", limit=200, budget=None, now=NOW).hits
    badges = {hit.memory.sequence: hit.badges for hit in hits}
    assert "same_period" in badges[199]
    assert "same_period" not in badges[0]
    assert all("same_session" in each for each in badges.values())


def test_no_session_no_period(told: Forge) -> None:
    memories = told.memories(limit=4)
    assert badges_of([], NOW) == []
    assert all("same_period" not in each for each in badges_of(memories, memories[0].valid_at))
    asked = badges_of(memories, NOW, memories[0].session_id, np.zeros(4, np.int64), 1)
    assert asked[0] == ("same_session", "same_period")


def test_a_date_is_the_same_in_the_asking_time_zone(told: Forge) -> None:
    memory = told.memories(limit=1)[0]
    before_midnight = datetime(2026, 1, 1, 23, 59, tzinfo=UTC)
    assert badges_of([memory], before_midnight) == [()]
