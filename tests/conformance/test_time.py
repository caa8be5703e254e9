"""The bitemporal laws: half-open intervals on both axes, checked against a plain model of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conformance.conftest import ENCODER, START, days, entry

from engramforge.errors import InvalidTime
from engramforge.model.scope import Scope
from engramforge.model.search.candidates import Probe
from engramforge.model.search.selection import Selection
from engramforge.model.storing.record import Entry
from engramforge.model.time import AsOf, InvalidationReason, TemporalMode, TimeRange
from engramforge.store.door import Door
from engramforge.store.sqlite.store import open_sqlite

SCOPE = Scope()
TEXT = "The harbour bridge opens at noon."
SIGNALS = ENCODER.encode([TEXT])[0]


def probe() -> Probe:
    """A probe that finds every memory of the same text."""
    query = ENCODER.encode_query(TEXT)
    return Probe(
        query.vector,
        query.terms,
        np.ones(len(query.terms), np.float32),
        np.arange(len(query.terms), dtype=np.int32),
        query.weights,
        per_way=1000,
    )


@pytest.mark.parametrize("mode", [TemporalMode.CURRENT, TemporalMode.POINT_IN_TIME])
def test_a_point_in_time_needs_its_time(door: Door, mode: TemporalMode) -> None:
    with door.transaction(SCOPE) as writes:
        writes.insert([entry(TEXT)])
    for selection in (Selection(mode=mode), Selection(mode=mode, as_of=AsOf(START))):
        with pytest.raises(InvalidTime):
            door.asking(SCOPE).browse(selection, 10)
        with pytest.raises(InvalidTime):
            door.asking(SCOPE).candidates(selection, probe())


def test_intervals_are_half_open(door: Door) -> None:
    row = entry(TEXT, valid_at=days(1), invalid_at=days(3), created_at=days(2))
    with door.transaction(SCOPE) as writes:
        writes.insert([row])
        writes.expire(row.memory.id, days(5), InvalidationReason.DISCOVERED_FALSE)
    moment = timedelta(microseconds=1)
    for valid, recorded, seen in (
        (days(1), days(2), True),
        (days(1) - moment, days(2), False),
        (days(1), days(2) - moment, False),
        (days(3) - moment, days(5) - moment, True),
        (days(3), days(4), False),
        (days(2), days(5), False),
    ):
        selection = Selection(mode=TemporalMode.POINT_IN_TIME, as_of=AsOf(valid, recorded))
        assert bool(door.asking(SCOPE).browse(selection, 10)) is seen
        assert bool(len(door.asking(SCOPE).candidates(selection, probe()))) is seen


interval = st.tuples(st.integers(0, 9), st.one_of(st.none(), st.integers(1, 6)))
version = st.tuples(interval, interval)


@settings(max_examples=30, deadline=None)
@given(
    versions=st.lists(version, min_size=1, max_size=8),
    points=st.lists(st.tuples(st.integers(0, 16), st.integers(0, 16)), min_size=1, max_size=8),
)
def test_scan_and_statement_agree_with_the_laws(
    versions: list[tuple[tuple[int, int | None], tuple[int, int | None]]], points: list[tuple[int, int]]
) -> None:
    with TemporaryDirectory() as folder:
        store = open_sqlite(Path(folder) / "memory.db", "default", lambda: ENCODER.id)
        entries = [_entry(*item) for item in versions]
        with store.transaction(SCOPE) as writes:
            writes.insert(entries)
        for valid, recorded in points:
            expected = {
                row.memory.id
                for row in entries
                if row.memory.valid_at <= days(valid)
                and (row.memory.invalid_at is None or days(valid) < row.memory.invalid_at)
                and row.memory.created_at <= days(recorded)
                and (row.memory.expired_at is None or days(recorded) < row.memory.expired_at)
            }
            selection = Selection(mode=TemporalMode.POINT_IN_TIME, as_of=AsOf(days(valid), days(recorded)))
            assert _both(store, selection) == (expected, expected)
        span = TimeRange(days(points[0][0]), days(points[0][0] + 2))
        evolution = {
            row.memory.id
            for row in entries
            if row.memory.created_at < days(points[0][0] + 2)
            and (row.memory.expired_at is None or row.memory.expired_at > days(points[0][0]))
        }
        assert _both(store, Selection(mode=TemporalMode.EVOLUTION, recorded_range=span)) == (
            evolution,
            evolution,
        )
        every = {row.memory.id for row in entries}
        assert _both(store, Selection(mode=TemporalMode.FULL_HISTORY)) == (every, every)
        store.close()


def _entry(valid: tuple[int, int | None], recorded: tuple[int, int | None]) -> Entry:
    row = entry(TEXT)
    memory = replace(
        row.memory,
        valid_at=days(valid[0]),
        invalid_at=None if valid[1] is None else days(valid[0] + valid[1]),
        created_at=days(recorded[0]),
        expired_at=None if recorded[1] is None else days(recorded[0] + recorded[1]),
    )
    return Entry(memory, SIGNALS)


def _both(store: Door, selection: Selection) -> tuple[set[str], set[str]]:
    scanned = store.asking(SCOPE).candidates(selection, probe())
    found = store.asking(SCOPE).fetch_at(scanned.position)
    return {memory.id for memory in store.asking(SCOPE).browse(selection, 100)}, {
        record.id for record in found.values()
    }


def test_a_logical_id_gives_what_is_on_record(door: Door) -> None:
    first = entry(TEXT)
    second = replace(
        entry("Corrected.").memory, logical_id=first.memory.logical_id, version=2, created_at=days(1)
    )
    with door.transaction(SCOPE) as writes:
        writes.insert([first])
        writes.expire(first.memory.id, days(1), InvalidationReason.DISCOVERED_FALSE)
        writes.insert([Entry(second, SIGNALS)])
        logical = first.memory.logical_id
        assert writes.fetch([logical])[logical].id == second.id
    assert door.asking(SCOPE).fetch([logical])[logical].id == second.id
    assert [version.version for version in door.asking(SCOPE).versions(logical)] == [1, 2]
    with door.transaction(SCOPE) as writes:
        writes.expire(second.id, days(2), InvalidationReason.REALITY_CHANGED)
    assert door.asking(SCOPE).fetch([logical])[logical].version == 2


def test_what_ends_later_still_holds_until_then(door: Door) -> None:
    item = entry(TEXT, invalid_at=days(10))
    with door.transaction(SCOPE) as writes:
        writes.insert([item])
    for day, seen in ((9, 1), (10, 0)):
        selection = Selection(as_of=AsOf(days(day), days(day)))
        assert len(door.asking(SCOPE).candidates(selection, probe())) == seen
        assert len(door.asking(SCOPE).browse(selection, 5)) == seen
