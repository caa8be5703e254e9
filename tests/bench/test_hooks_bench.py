"""The benchmark of hooks, against a small server in the daemon's place, and without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench.harness import Options, run
from tests.peer_daemon import Peer, listening

from bench import hooks
from engramforge.errors import InvalidValue

if TYPE_CHECKING:
    from pathlib import Path


def test_each_event_is_sent_by_the_client_beside_a_bare_one(tmp_path: Path) -> None:
    with listening(tmp_path / "run", Peer()) as peer:
        outcome = run("hooks", [], Options(limit=2, home=str(tmp_path)))
    real = [event["hook_event_name"] for event in peer.events if event]
    rounds = 2 + 3  # with those that warm up
    assert real == list(hooks.EVENTS) * rounds
    bare = sum(not event for event in peer.events)
    assert bare == len(hooks.EVENTS) * rounds
    for event in hooks.EVENTS:
        ours, theirs = outcome.metrics[event], outcome.baselines["bare_client"][event]
        assert 0 < ours["p50_ms"] <= ours["p95_ms"]
        assert ours["p50_of_bare"] == pytest.approx(ours["p50_ms"] / theirs["p50_ms"])
    assert 0 < outcome.baselines["nothing"]["p50_ms"] <= outcome.baselines["nothing"]["p95_ms"]
    assert not (tmp_path / "spool").exists()


def test_events_are_of_one_session_and_never_the_same_twice() -> None:
    first, second = (list(hooks.events("Where is the queue?", 1).values()) for _ in range(2))
    assert len({event["session_id"] for event in first}) == 1
    assert {event.get("tool_use_id") for event in first if "tool_name" in event}.isdisjoint(
        event.get("tool_use_id") for event in second
    )


def test_files_are_not_for_it(tmp_path: Path) -> None:
    with pytest.raises(InvalidValue):
        run("hooks", [tmp_path], Options())
