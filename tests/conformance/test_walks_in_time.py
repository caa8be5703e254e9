"""Walks of a stream over a random history of versions and links, against a plain model of them: every mode, both axes,
exactly, on every engine."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import pytest
import uuid_utils
from tests.conformance.conftest import START, entry
from tests.conformance.test_links import link_of

from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.scope import Level, Scope
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry
from engramforge.model.streams.stream import Path
from engramforge.model.time import AsOf, TemporalMode, TimeRange
from engramforge.recall.intention.walking import FAN_OUT, WALKED_FROM, Reached, order_of, walk
from engramforge.store.door import Door

pytestmark = pytest.mark.asks_no_candidates
MEMORIES: Final = 350
RECORDS: Final = 2_000
LINKS: Final = 3_000
SPAN: Final = 400
"""Days in which everything happens."""
SCOPE: Final = Scope(levels=(Level.COLLECTIVE,))


class History:
    """Records of memories and links, with random intervals on both axes."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        ids = [str(uuid_utils.uuid7()) for _ in range(MEMORIES)]
        self.entries = [self._entry(self.rng.choice(ids), place) for place in range(RECORDS)]
        known = sorted({each.memory.logical_id for each in self.entries})
        self.links = [self._link(known) for _ in range(LINKS)]
        self.known = known

    def write(self, door: Door) -> None:
        with door.transaction(SCOPE) as writes:
            writes.insert(self.entries)
            writes.link(self.links)

    def _interval(self) -> tuple[datetime, datetime | None]:
        begin = START + timedelta(days=self.rng.randrange(SPAN), seconds=self.rng.randrange(86_400))
        return begin, None if self.rng.random() < 0.4 else begin + timedelta(days=self.rng.randint(1, SPAN))

    def _entry(self, logical_id: str, place: int) -> Entry:
        (valid, invalid), (created, expired) = self._interval(), self._interval()
        made = entry(f"note {place % 40}", valid_at=valid, created_at=created, level=Level.COLLECTIVE)
        memory = replace(
            made.memory, logical_id=logical_id, version=place + 1, invalid_at=invalid, expired_at=expired
        )
        return replace(made, memory=memory)

    def _link(self, known: Sequence[str]) -> Link:
        source, target = self.rng.sample(known, 2)
        (valid, invalid), (created, expired) = self._interval(), self._interval()
        ends = (
            Entry(_named(source), self.entries[0].embedding),
            Entry(_named(target), self.entries[0].embedding),
        )
        made = link_of(*ends, energy=round(self.rng.random(), 6))
        return replace(
            made,
            confidence=round(self.rng.random(), 6),
            valid_at=valid,
            invalid_at=invalid,
            created_at=created,
            expired_at=expired,
        )

    def selections(self, count: int) -> Iterator[Selection]:
        for _ in range(count):
            moments = sorted(START + timedelta(days=self.rng.randrange(2 * SPAN), hours=7) for _ in range(2))
            yield Selection(mode=TemporalMode.POINT_IN_TIME, as_of=AsOf(*self.rng.sample(moments, 2)))
            yield Selection(mode=TemporalMode.CURRENT, as_of=AsOf(moments[0], moments[0]))
            ends = self.rng.choice((moments, [None, moments[1]], [moments[0], None]))
            yield Selection(mode=TemporalMode.EVOLUTION, recorded_range=TimeRange(*_apart(ends)))
            yield Selection(mode=TemporalMode.FULL_HISTORY)


def _apart(ends: Sequence[datetime | None]) -> tuple[datetime | None, datetime | None]:
    start, end = ends
    return (start, end + timedelta(days=1)) if start is not None and end is not None else (start, end)


def _named(logical_id: str) -> Memory:
    return replace(entry("x").memory, logical_id=logical_id)


def takes(selection: Selection, thing: Memory | Link) -> bool:
    """The model: half-open intervals on both axes."""
    if selection.mode is TemporalMode.FULL_HISTORY:
        return True
    if selection.mode is TemporalMode.EVOLUTION:
        span = selection.recorded_range or TimeRange()
        return (span.end is None or thing.created_at < span.end) and (
            span.start is None or thing.expired_at is None or thing.expired_at > span.start
        )
    point = selection.as_of
    assert point is not None and point.valid is not None and point.recorded is not None
    holds = thing.valid_at <= point.valid and (thing.invalid_at is None or point.valid < thing.invalid_at)
    known = thing.created_at <= point.recorded and (
        thing.expired_at is None or point.recorded < thing.expired_at
    )
    return holds and known


class Model:
    """What a selection takes of a history, held in plain lists."""

    def __init__(self, history: History, selection: Selection) -> None:
        self.held: dict[str, Memory] = {}
        # In the order of writing, so that of records of one moment the later written is the newer.
        for each in sorted((x.memory for x in history.entries), key=lambda memory: memory.created_at):
            if takes(selection, each):
                self.held[each.logical_id] = each
        # Of each memory, the strongest first.
        self.links: dict[str, list[Link]] = defaultdict(list)
        taken = [each for each in history.links if takes(selection, each)]
        for each in sorted(taken, key=lambda link: (link.energy, link.id), reverse=True):
            if {each.source_id, each.target_id} <= self.held.keys():
                self.links[each.source_id].append(each)
                self.links[each.target_id].append(each)

    def walk(self, start: str) -> tuple[dict[str, Path], set[str]]:
        """The strongest paths from a memory, and the ids of the links that were walked."""
        paths, walked = {start: Path(0.0, 0.0, 0, "start", ())}, set()
        for step, most in enumerate(WALKED_FROM):
            here = sorted(
                (one for one, path in paths.items() if path.depth == step),
                key=lambda x: (order_of(paths[x]), x),
            )
            here = here[:most]
            before = {one: paths[one] for one in here}
            for link in self._strongest(here):
                walked.add(link.id)
                for near, far in ((link.source_id, link.target_id), (link.target_id, link.source_id)):
                    if near in before:
                        path = Path(
                            before[near].energy + link.energy,
                            before[near].confidence + link.confidence,
                            step + 1,
                            "start",
                            (*before[near].relations, link.relation),
                        )
                        known = paths.get(far)
                        if known is None or (known.depth > 0 and order_of(path) < order_of(known)):
                            paths[far] = path
        return paths, walked

    def _strongest(self, here: Sequence[str]) -> list[Link]:
        found: dict[str, Link] = {}
        for one in here:
            own = self.links[one]
            others = list(dict.fromkeys(frozenset((each.source_id, each.target_id)) for each in own))[
                :FAN_OUT
            ]
            # Parallel links are one way.
            found.update((each.id, each) for each in own if {each.source_id, each.target_id} in others)
        return list(found.values())


def test_walks_are_those_of_a_plain_model_in_every_mode_and_axis(door: Door) -> None:
    history = History(seed=20261130)
    history.write(door)
    compared = 0
    for selection in history.selections(4):
        model = Model(history, selection)
        view = door.asking(SCOPE)
        everything = {
            one: versions[-1] for one, versions in view.holding(selection, history.known, 100_000).items()
        }
        assert {one: each.id for one, each in everything.items()} == {
            one: each.id for one, each in model.held.items()
        }
        places = view.held(selection, history.known)
        ids = view.places_of([each.id for each in everything.values()])
        assert places == {one: ids[each.id] for one, each in everything.items()}
        for start in history.rng.sample(sorted(model.held), min(4, len(model.held))):
            paths = {start: Reached(places[start], Path(0.0, 0.0, 0, "start", ()))}
            links = walk(view, selection, paths)
            expected, walked = model.walk(start)
            assert {one: (order_of(each.path), each.path.relations) for one, each in paths.items()} == {
                one: (order_of(path), path.relations) for one, path in expected.items()
            }
            assert {one: each.place for one, each in paths.items()} == {one: places[one] for one in expected}
            assert set(links) == walked
            compared += len(expected)
    assert compared > 5_000
