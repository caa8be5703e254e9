"""What a stream reads beside its memories is bounded, and beyond the bound it says less and nothing wrong."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode, TimeRange
from engramforge.recall.intention.beside.changes import MOST_RECORDS, Changed, changed_beliefs
from engramforge.recall.intention.state_parts import MOST_LINKS, Done, done_of

pytestmark = pytest.mark.each_engine

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
LINK: dict[str, Any] = {
    "energy": 0.5,
    "confidence": 0.9,
    "emotion_vector": {},
    "goal": "sail",
    "mindstate": "calm",
}


@pytest.fixture
def forge(place: str) -> Iterator[Forge]:
    with engramforge.open(place) as opened:
        yield opened


def _belief(forge: Forge, about: str, versions: int) -> Memory:
    """A belief that changes every day: revised, superseded, and so on."""
    said = [f"The {about} weighs {number + 3} tons." for number in range(versions)]
    made = forge.remember(said[0], valid_at=BEGIN, recorded_at=BEGIN, near=False)
    for number, each in enumerate(said[1:], 1):
        at = BEGIN + timedelta(days=number)
        if number % 2:
            forge.revise(made.logical_id, each, recorded_at=at)
        else:
            forge.supersede(made.logical_id, each, at=at, recorded_at=at)
    return made


def _told(changed: Changed, belief: Memory) -> list[tuple[str, str, datetime]]:
    return [
        (each.original, each.corrected, each.held_from)
        for each in changed.beliefs
        if each.belief_id == belief.logical_id
    ]


def test_of_beliefs_with_too_many_records_no_change_is_told_and_it_is_said(forge: Forge) -> None:
    bell, anchor, mast = (
        _belief(forge, about, count) for about, count in (("bell", 4), ("anchor", 9), ("mast", 2))
    )
    ids = [each.logical_id for each in (bell, anchor, mast)]
    later = BEGIN + timedelta(days=3, hours=6)
    with forge._stages.door.asking(Scope()) as view:
        for selection in (
            Selection(mode=TemporalMode.FULL_HISTORY),
            Selection(mode=TemporalMode.EVOLUTION, recorded_range=TimeRange(BEGIN, None)),
            Selection(
                mode=TemporalMode.EVOLUTION, recorded_range=TimeRange(BEGIN + timedelta(days=1), later)
            ),
        ):
            records = view.holding(selection, ids, 99)
            memories = [each for one in ids for each in records[one]]
            ever = len(forge.history(anchor.logical_id))
            whole = changed_beliefs(view, selection, memories, ())
            assert not whole.note and _told(whole, anchor)
            # Exactly enough room is enough.
            every = sum(len(forge.history(one)) for one in ids)
            assert changed_beliefs(view, selection, memories, (), every) == whole
            for most in range(1, ever):
                part = changed_beliefs(view, selection, memories, (), most)
                assert part.note.startswith("No change is told of ")
                for each in (bell, anchor, mast):
                    assert _told(part, each) in ([], _told(whole, each)), (most, selection)
                assert not _told(part, anchor)
                assert part.endings.items() <= whole.endings.items()
                assert part.later.items() <= whole.later.items()
        # One that is left leaves its room to those behind it.
        selection = Selection(mode=TemporalMode.FULL_HISTORY)
        records = view.holding(selection, ids, 99)
        behind = [each for one in ids[1:] for each in records[one]]
        part = changed_beliefs(view, selection, behind, (), ever - 1)
        assert _told(part, mast) and part.note.startswith("No change is told of 1 memory beyond the ")
        # Of what is far no change is told anyway.
        assert not changed_beliefs(view, selection, behind, {anchor.logical_id}, ever - 1).note
    assert MOST_RECORDS == 2_000


def test_an_evolution_that_begins_behind_what_an_undo_brought_back_is_told(forge: Forge) -> None:
    winch = forge.remember("The winch is red.", recorded_at="2024-01-01", valid_at="2024-01-01")
    forge.revise(winch.logical_id, "The winch is blue.", recorded_at="2024-02-01")
    forge.undo()
    forge.revise(winch.logical_id, "The winch is teal.")
    for start in ("2024-01-15", "2024-06-01", None):
        stream = forge.streams.by_intention(
            "winch", temporal_mode="evolution", time_range_start=start, time_range_end=None
        )
        told = [(each.original, each.corrected) for each in stream.dissonances]
        assert told == [("The winch is red.", "The winch is teal.")]
        assert not [each for each in stream.ways if each.fault]


def test_of_a_memory_with_too_many_links_it_is_not_known_whether_it_is_done(forge: Forge) -> None:
    todo = forge.remember("TODO: paint the pier before the feast.", goal="open the pier", near=False)
    (thread,) = (each.id for each in forge.threads.browse() if "pier" in each.title)
    forge.threads.update(thread, status="resolved")
    hub = forge.remember("Sails have to be sewn.", goal="sail", near=False)
    torn = forge.remember("The jib is torn.", goal="sail", near=False)
    tied = forge.remember("The jib is mended.", near=False)
    # What resolves is found however many links there are of another kind.
    forge.link(torn.logical_id, tied.logical_id, "RESOLVED_BY", **LINK)
    said = [forge.remember(f"Sail number {number} is white.", near=False) for number in range(6)]
    forge.link_many(
        {"source_id": each.id, "target_id": hub.id, "relation": "DERIVED_FROM", **LINK} for each in said
    )
    memories = [todo, hub, tied]
    now = datetime.now(UTC) + timedelta(seconds=1)
    with forge._stages.door.asking(Scope()) as view:
        whole = done_of(view, memories, now)
        assert whole == Done(frozenset({todo.logical_id, tied.logical_id}))
        assert len(view.links([hub.logical_id], relation="DERIVED_FROM", most=4)) == 4
        for most in (3, 5):
            part = done_of(view, memories, now, most)
            assert part == Done(whole.ids, is_part=True), most
        assert done_of(view, memories, now, 7) == whole
    assert MOST_LINKS == 5_000
