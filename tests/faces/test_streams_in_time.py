"""Streams and links of a random history, against a plain model of what held and was known: every mode, each axis
alone and both, exactly, on every engine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.faces.views.stream import StreamView
from engramforge.forge import Forge
from engramforge.model.link import Link
from engramforge.model.memory import Memory

pytestmark = pytest.mark.each_engine

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
DAYS = 600
GAUGES = 16
CHANGES = 45
FELT: dict[str, Any] = {
    "energy": 0.5, "confidence": 0.9, "emotion_vector": {}, "goal": "stay dry", "mindstate": "calm"
}  # fmt: skip
DAY = timedelta(days=1)


@dataclass(frozen=True)
class History:
    """A store, all its records and links, and a source of chance."""

    forge: Forge
    records: list[Memory]
    links: list[Link]
    rng: random.Random

    def moment(self) -> datetime:
        return BEGIN + timedelta(days=self.rng.randrange(DAYS + 60), hours=11)


@pytest.fixture(scope="module")
def history(place: str) -> Iterator[History]:
    rng = random.Random(29)
    with engramforge.open(place) as forge:
        drafts = []
        for number in range(GAUGES):
            began = BEGIN + rng.randrange(DAYS // 2) * DAY
            known = began + rng.randrange(40) * DAY
            said = f"Gauge {number} reads {rng.randint(10, 99)}."
            drafts.append({"content": said, "valid_at": began, "recorded_at": known})
        ids = [each.logical_id for each in forge.remember_many(drafts)]
        _change(forge, rng, ids)
        requests = []
        for number in range(GAUGES * 2):
            source, target = rng.sample(ids, 2)
            began = BEGIN + rng.randrange(DAYS) * DAY
            until = None if rng.random() < 0.5 else began + rng.randint(1, 200) * DAY
            ends = {"source_id": source, "target_id": target, "relation": f"FEEDS_{number}"}
            known = began + rng.randrange(30) * DAY
            requests.append(ends | FELT | {"valid_at": began, "invalid_at": until, "recorded_at": known})
        forge.link_many(requests)
        for each in rng.sample(forge.links(ids[0], depth=4, fan_out=100, mode="full_history"), 10):
            if each.source_id != each.target_id and each.expired_at is None:
                forge.unlink(each.id)
        records = [record for one in ids for record in forge.history(one)]
        links = {link.id: link for one in ids for link in forge.links(one, mode="full_history")}
        yield History(forge, records, list(links.values()), rng)


def _change(forge: Forge, rng: random.Random, ids: list[str]) -> None:
    """Revise, supersede and invalidate at random; what does not go at a moment is left out."""
    for _ in range(CHANGES):
        one = rng.choice(ids)
        head = forge.get(one)
        assert head is not None
        at = max(head.created_at, head.valid_at) + timedelta(days=rng.randint(1, 60))
        says = f"{head.content.split(' reads')[0]} reads {rng.randint(100, 999)}."
        if head.invalidation_reason is not None:
            continue
        chance = rng.random()
        if chance < 0.45:
            forge.revise(one, says, recorded_at=at)
        elif chance < 0.9:
            forge.supersede(one, says, at=at - timedelta(days=rng.randint(0, 1)), recorded_at=at)
        else:
            forge.invalidate(one)


def asked(history: History) -> Iterator[dict[str, Any]]:
    """The arguments of a question in time, in every form."""
    for _ in range(3):
        one, other = history.moment(), history.moment()
        yield {"as_of_time": one}
        yield {"as_of_valid": one}
        yield {"as_of_recorded": one}
        yield {"as_of_valid": one, "as_of_recorded": other}
        start, end = min(one, other), max(one, other) + timedelta(days=1)
        yield {"temporal_mode": "evolution", "time_range_start": start, "time_range_end": end}
        yield {"temporal_mode": "evolution", "time_range_end": end}
        yield {"temporal_mode": "evolution", "time_range_start": start}
    yield {}
    yield {"temporal_mode": "full_history"}


def at_bounds(links: list[Link]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Questions about an end of each link exactly when it begins and ends on either axis."""
    for each in links:
        for axis, times in (
            ("as_of_valid", (each.valid_at, each.invalid_at)),
            ("as_of_recorded", (each.created_at, each.expired_at)),
        ):
            yield from ((each.source_id, {axis: at}) for at in times if at is not None)


def holds(thing: Memory | Link, times: dict[str, Any], now: datetime) -> bool:
    """The model: half-open intervals on both axes."""
    mode = times.get("temporal_mode")
    if mode == "full_history":
        return True
    if mode == "evolution":
        start, end = times.get("time_range_start"), times.get("time_range_end")
        began = end is None or thing.created_at < end
        return began and (start is None or thing.expired_at is None or thing.expired_at > start)
    valid = times.get("as_of_valid") or times.get("as_of_time") or now
    recorded = times.get("as_of_recorded") or times.get("as_of_time") or now
    true_then = thing.valid_at <= valid and (thing.invalid_at is None or valid < thing.invalid_at)
    return (
        true_then
        and thing.created_at <= recorded
        and (thing.expired_at is None or recorded < thing.expired_at)
    )


def newest(records: list[Memory]) -> set[str]:
    """Of each version the id of the record written last: a closing record is one belief with what it closes."""
    held: dict[tuple[str, int], Memory] = {}
    for each in sorted(records, key=lambda record: record.created_at):
        held[each.logical_id, each.version] = each
    return {each.id for each in held.values()}


def test_a_stream_has_exactly_what_held_and_was_known(history: History) -> None:
    compared = 0
    for times in asked(history):
        stream = history.forge.streams.by_intention(
            "what does the gauge read", max_results_per_level=500, **times
        )
        found = {item.memory.id for level in stream.levels.values() for item in level.vector}
        expected = newest([each for each in history.records if holds(each, times, stream.retrieved_at)])
        assert found == expected, times
        compared += len(expected)
    assert compared > 10 * GAUGES


def test_links_of_a_memory_are_exactly_those_that_held_and_were_known(history: History) -> None:
    names = {"as_of_time": "as_of", "temporal_mode": "mode", "time_range_start": "recorded_since",
             "time_range_end": "recorded_until"}  # fmt: skip
    ends = [history.rng.choice(history.links).source_id for _ in range(40)]
    questions = [*zip(ends, asked(history), strict=False), *at_bounds(history.links)]
    compared = 0
    for one, times in questions:
        found = history.forge.links(one, **{names.get(name, name): said for name, said in times.items()})
        now = datetime.now(UTC)
        of_one = [each for each in history.links if one in (each.source_id, each.target_id)]
        assert {each.id for each in found} == {each.id for each in of_one if holds(each, times, now)}, times
        compared += len(found)
    assert compared > 200


def test_a_history_shows_every_version_in_its_order(tmp_path: Path) -> None:
    """Also from a day on at which the second version came: its predecessor's closing record came with it."""
    with engramforge.open(tmp_path) as forge:
        limit = forge.remember(
            "The limit of the lift is 4 crates.", valid_at="2024-01-01", recorded_at="2024-01-01"
        )
        for crates, day in ((6, "2024-02-01"), (9, "2024-03-01")):
            forge.supersede(
                limit.logical_id, f"The limit of the lift is {crates} crates.", at=day, recorded_at=day
            )
        whole = forge.streams.by_intention("limit of the lift", temporal_mode="full_history")
        said = {each.memory.content.split()[-2] for tier in whole.tiers.values() for each in tier}
        assert said == {"4", "6", "9"}
        (node,) = (view := StreamView.of(whole)).traversal_graph.nodes
        (shown,) = (each for each in view.activation_tiers["focus"] if each.id == node.memory_id)
        assert (node.relevance, node.activation_score) == (shown.relevance, shown.activation_score)
        for since in (None, "2024-02-15"):
            stream = forge.streams.by_intention(
                "limit of the lift", temporal_mode="evolution", time_range_start=since
            )
            told = [(each.original, each.corrected) for each in stream.dissonances]
            assert all(int(old.split()[-2]) < int(new.split()[-2]) for old, new in told) and told
