"""A link RESOLVED_BY resolves what was open: told, as a new version, and undone together with the link."""

from __future__ import annotations

import pytest

from engramforge.forge import Forge
from engramforge.model.memory import Memory, ResolutionState

SOUND = {"energy": 0.6, "confidence": 0.9, "emotion_vector": {}, "goal": "dry cellars", "mindstate": "calm"}


def state(forge: Forge, memory: Memory) -> str:
    found = forge.get(memory.logical_id)
    assert found is not None
    return str(found.resolution_state)


@pytest.mark.parametrize("before", ["blocked", "in_progress"])
def test_a_link_resolves_what_was_open_and_one_undo_takes_back_both(forge: Forge, before: str) -> None:
    leak = forge.remember("Water stands in the cellar.", resolution_state=before, goal="dry cellars")
    seal = forge.remember("A new seal keeps the cellar dry.")
    linked = forge.link(leak.logical_id, seal.logical_id, "RESOLVED_BY", **SOUND)
    said = f"{leak.logical_id} was {before.replace('_', ' ')} and is resolved now"
    assert sum(each.startswith(said) for each in linked.warnings) == 1
    assert state(forge, leak) == "resolved"
    assert [each.version for each in forge.history(leak.logical_id)] == [1, 1, 2]
    # The same is believed as before, and it was open until then.
    resolved = forge.get(leak.logical_id)
    assert resolved is not None and resolved.valid_at > leak.valid_at
    for when in ({"as_of_recorded": leak.created_at}, {"as_of_valid": leak.valid_at}):
        then = forge.streams.by_intention("cellar water", **when)
        assert [str(each.resolution_state) for each in then.memories] == [before]
    assert forge.streams.by_intention("cellar water", temporal_mode="full_history").dissonances == ()
    forge.undo()
    assert state(forge, leak) == before
    assert forge.links(seal.logical_id) == []
    forge.redo()
    assert state(forge, leak) == "resolved"
    assert [each.relation for each in forge.links(seal.logical_id)] == ["RESOLVED_BY"]
    assert forge.check() == []


def test_before_the_day_of_its_link_it_was_open(forge: Forge) -> None:
    day = "2026-08-{:02}T00:00:00Z".format
    leak = forge.remember("The keg leaks.", resolution_state="blocked", valid_at=day(2), recorded_at=day(2))
    seal = forge.remember("A new seal.", valid_at=day(5), recorded_at=day(5))
    forge.link(leak.logical_id, seal.logical_id, "RESOLVED_BY", valid_at=day(5), **SOUND)
    states = {
        at: [
            str(each.resolution_state)
            for each in forge.memories(as_of_valid=day(at))
            if "keg" in each.content
        ]
        for at in (3, 4, 5, 20)
    }
    assert states == {3: ["blocked"], 4: ["blocked"], 5: ["resolved"], 20: ["resolved"]}


def test_what_stays_as_it_is(forge: Forge) -> None:
    """Other relations, what is to hold later, what is resolved already, an entry of a registry, a link made before."""
    leak = forge.remember("The roof leaks.", resolution_state="blocked")
    done = forge.remember("The gutter was cleaned.", resolution_state="resolved")
    thread = forge.threads.create("Find out why the roof leaks")
    end = forge.remember("Tiles were laid anew.")
    forge.link(leak.logical_id, end.logical_id, "CAUSES", **SOUND)
    forge.link(leak.logical_id, end.logical_id, "RESOLVED_BY", valid_at="2999-01-01", **SOUND)
    forge.link(done.logical_id, end.logical_id, "RESOLVED_BY", **SOUND)
    forge.link(thread.memory_id, end.logical_id, "RESOLVED_BY", **SOUND)
    assert state(forge, leak) == "blocked"
    assert len(forge.history(done.logical_id)) == 1
    assert forge.threads.get(thread.id).status == "open"
    again = forge.link(done.logical_id, end.logical_id, "RESOLVED_BY", **SOUND)
    assert not again.written and not any("resolved now" in each for each in again.warnings)


def test_many_links_resolve_each_memory_once(forge: Forge) -> None:
    leaks = [forge.remember(f"Pipe {number} leaks.", resolution_state="blocked") for number in range(3)]
    ends = [forge.remember(f"Patch {number} holds.") for number in range(2)]
    forge.link_many(
        {"source_id": leak.id, "target_id": end.id, "relation": "RESOLVED_BY", **SOUND}
        for leak in leaks
        for end in ends
    )
    assert [state(forge, each) for each in leaks] == ["resolved"] * 3
    assert {len(forge.history(each.logical_id)) for each in leaks} == {3}


def test_a_turn_that_says_so_resolves_what_was_called_blocked(forge: Forge) -> None:
    turn = {"kind": "message", "session_id": "s", "speaker": "Ada"}
    blocked = forge.remember("PUMP-12 stops every night.", resolution_state="blocked", **turn)
    other = forge.remember("PUMP-13 hums.", **turn)
    said = forge.remember("This fixes PUMP-12.", **turn)
    forge.remember("This fixes PUMP-13.", **turn)
    assert [(each.id, each.status) for each in said.consequences] == [(blocked.logical_id, "resolved")]
    assert state(forge, blocked) == ResolutionState.RESOLVED
    assert state(forge, other) == ResolutionState.IN_PROGRESS
    forge.undo()
    forge.undo()
    assert state(forge, blocked) == ResolutionState.BLOCKED
    assert forge.get(said.id).expired_at is not None


NIGHTLY = "The gateway reboots every night; nobody knows the reason."


def open_threads(forge: Forge) -> list[str]:
    return [each.title for each in forge.threads.active()]


def resolve(
    forge: Forge, memory: Memory, by: str = "A worn fuse was replaced.", **more: str
) -> tuple[str, ...]:
    end = forge.remember(by, near=False, **more)
    return forge.link(memory.logical_id, end.logical_id, "RESOLVED_BY", **SOUND, **more).warnings


def test_the_thread_that_a_note_opened_is_resolved_with_it(forge: Forge) -> None:
    note = forge.remember(NIGHTLY)
    (thread,) = forge.threads.active()
    assert any(thread.id in each and "resolved with it" in each for each in resolve(forge, note))
    assert (open_threads(forge), forge.threads.get(thread.id).status) == ([], "resolved")
    assert not forge.streams.by_state(current_energy=0.5, query_mode="find_what_i_was_doing").items
    forge.undo()
    assert (open_threads(forge), state(forge, note)) == ([thread.title], "in_progress")
    before = forge.threads.get(thread.id)
    assert (before.content, before.valid_at) == (thread.content, thread.valid_at)
    forge.redo()
    assert (open_threads(forge), state(forge, note)) == ([], "resolved")
    assert forge.check() == []


def test_the_thread_is_resolved_on_the_day_of_the_link(forge: Forge) -> None:
    day = "2026-08-{:02}T00:00:00Z".format
    note = forge.remember(NIGHTLY, valid_at=day(2), recorded_at=day(2))
    resolve(forge, note, valid_at=day(5))
    states = {
        at: [str(each.resolution_state) for each in forge.memories(kinds=["thread"], as_of_valid=day(at))]
        for at in (3, 5)
    }
    assert states == {3: ["in_progress"], 5: ["resolved"]}


def test_other_threads_of_a_note_stay_open(forge: Forge) -> None:
    note = forge.remember("Open question: who orders the sand? The boat leaks and the pier is closed.")
    assert open_threads(forge) == ["who orders the sand?"]
    resolve(forge, note, "The boat was mended.")
    assert state(forge, note) == "resolved"
    assert open_threads(forge) == ["who orders the sand?"]


def test_a_thread_that_is_about_something_else_by_now_stays_open(forge: Forge) -> None:
    note = forge.remember(NIGHTLY)
    (thread,) = forge.threads.active()
    forge.threads.update(thread.id, title="Buy a better gateway", content="It is ten years old.")
    resolve(forge, note)
    assert open_threads(forge) == ["Buy a better gateway"]


def test_a_thread_that_was_closed_before_stays_as_it_is(forge: Forge) -> None:
    note = forge.remember(NIGHTLY)
    (thread,) = forge.threads.active()
    forge.threads.update(thread.id, status="abandoned")
    assert not any("with it;" in each for each in resolve(forge, note))
    assert forge.threads.get(thread.id).status == "abandoned"


def test_links_made_at_once_resolve_the_threads_of_each(forge: Forge) -> None:
    notes = [forge.remember(text) for text in (NIGHTLY, "TODO: paint the pier before May.")]
    assert len(open_threads(forge)) == 2
    end = forge.remember("Done.")
    forge.link_many(
        {"source_id": note.id, "target_id": end.id, "relation": "RESOLVED_BY", **SOUND} for note in notes
    )
    assert [state(forge, note) for note in notes] == ["resolved"] * 2
    assert open_threads(forge) == []
    forge.undo()
    assert len(open_threads(forge)) == 2


DAY = "2026-{:02}-01T00:00:00Z".format


def told(forge: Forge, text: str, month: int = 1, **fields: object) -> Memory:
    return forge.remember(text, near=False, valid_at=DAY(month), recorded_at=DAY(month), **fields)


def states(forge: Forge, memory: Memory, *months: int) -> list[str]:
    """A memory's state in the middle of months of 2026."""
    return [
        str(each.resolution_state)
        for month in months
        for each in forge.memories(as_of_valid=f"2026-{month:02}-15T00:00:00Z")
        if each.logical_id == memory.logical_id
    ]


def batch(forge: Forge, leak: Memory, *ends: tuple[Memory, dict[str, object]]) -> list[tuple[str, ...]]:
    links = [
        {"source_id": leak.id, "target_id": end.id, "relation": "RESOLVED_BY", **SOUND, **more}
        for end, more in ends
    ]
    return [each.warnings for each in forge.link_many(links)]


@pytest.mark.parametrize("linked", ["2026-01-01", "2025-06-01"], ids=["the same day", "before it"])
def test_what_is_linked_as_of_its_own_day_is_resolved_from_then_on(forge: Forge, linked: str) -> None:
    leak = forge.remember(
        "The pipe leaks.", resolution_state="blocked", valid_at="2026-01-01", recorded_at="2026-01-01"
    )
    seal = told(forge, "The pipe was sealed.")
    forge.link(leak.id, seal.id, "RESOLVED_BY", valid_at=linked, **SOUND)
    assert states(forge, leak, 1, 3, 5) == ["resolved"] * 3
    of_the_day = forge.memories(as_of_valid="2026-01-01", as_of_recorded="2999-01-01")
    assert [str(each.resolution_state) for each in of_the_day if each.logical_id == leak.logical_id] == [
        "resolved"
    ]
    assert forge.check() == []


def test_what_has_a_later_version_is_resolved_from_that_one_on(forge: Forge) -> None:
    sail = told(forge, "The sail is torn.", resolution_state="blocked")
    forge.supersede(sail.logical_id, "The sail is torn badly.", at=DAY(5))
    mended = told(forge, "The sail was mended.")
    forge.link(sail.logical_id, mended.id, "RESOLVED_BY", valid_at=DAY(3), **SOUND)
    assert states(forge, sail, 4, 5, 6) == ["blocked", "resolved", "resolved"]


@pytest.mark.parametrize("order", [(3, 5), (5, 3)])
def test_of_two_links_the_first_to_hold_resolves(forge: Forge, order: tuple[int, int]) -> None:
    pump = told(forge, "The pump is broken.", resolution_state="blocked")
    ends = [told(forge, f"The pump was repaired, number {number}.") for number in order]
    batch(forge, pump, *((end, {"valid_at": DAY(month)}) for end, month in zip(ends, order, strict=True)))
    assert states(forge, pump, 2, 4, 6) == ["blocked", "resolved", "resolved"]


def test_a_link_that_may_not_resolve_keeps_none_from_it_that_may(forge: Forge) -> None:
    crane = told(forge, "The crane is stuck.", resolution_state="blocked", level="collective")
    freed = told(forge, "The crane was freed.", level="collective")
    own = told(forge, "A note of mine about the crane.", level="personal")
    batch(forge, crane, (freed, {"valid_at": DAY(5)}), (own, {"valid_at": DAY(3)}))
    assert (state(forge, crane), states(forge, crane, 4, 6)) == ("resolved", ["blocked", "resolved"])


def test_why_a_link_resolves_nothing_is_told(forge: Forge) -> None:
    def said(end: Memory, **more: object) -> str:
        gate = told(forge, "The gate is stuck.", resolution_state="blocked", level="collective")
        warnings = forge.link(gate.id, end.logical_id, "RESOLVED_BY", **SOUND, **more).warnings
        assert state(forge, gate) == "blocked"
        (why,) = (each for each in warnings if each.startswith(f"{gate.logical_id} is not resolved by it: "))
        return why.partition(": ")[2]

    freed = told(forge, "The gate was freed.", level="collective")
    assert said(freed, valid_at="2999-03-01").startswith("the link holds only from 2999-03-01")
    ended = {"valid_at": DAY(3), "invalid_at": DAY(4)}
    assert said(freed, **ended) == "the link held only until 2026-04-01"
    own = told(forge, "A note of mine about the gate.", level="personal")
    assert said(own).startswith("it is collective, and what resolves it is personal")
    later = forge.remember("The gate will be new.", valid_at="2999-06-01", level="collective", near=False)
    assert said(later).startswith("what resolves it holds only from 2999-06-01")
    wrong = told(forge, "The gate was painted.", level="collective")
    forge.invalidate(wrong.logical_id, reason="it was not")
    assert said(wrong) == "what would resolve it was invalidated"


def test_a_link_that_ends_later_resolves_as_others_do(forge: Forge) -> None:
    lamp = told(forge, "The lamp flickers.", resolution_state="blocked")
    wire = told(forge, "A wire was put round it.")
    more = {"valid_at": DAY(3), "invalid_at": "2999-04-01"}
    warnings = forge.link(lamp.id, wire.id, "RESOLVED_BY", **SOUND, **more).warnings
    assert states(forge, lamp, 2, 4) == ["blocked", "resolved"]
    assert "it stays resolved when the link ends on 2999-04-01" in warnings


def test_what_ended_before_its_link_is_linked_and_not_resolved(forge: Forge) -> None:
    tide = told(forge, "The tide is too high.", resolution_state="blocked", invalid_at=DAY(2))
    wall = told(forge, "A wall was built.")
    warnings = forge.link(tide.id, wall.id, "RESOLVED_BY", valid_at=DAY(3), **SOUND).warnings
    assert any(each.endswith("it held only until 2026-02-01") for each in warnings)
    assert [each.relation for each in forge.links(wall.id)] == ["RESOLVED_BY"]


def test_the_thread_of_a_note_is_resolved_on_its_own_day_with_it(forge: Forge) -> None:
    note = forge.remember(NIGHTLY, valid_at=DAY(1), recorded_at=DAY(1))
    resolve(forge, note, valid_at=DAY(1))
    found = forge.memories(kinds=["thread"], as_of_valid="2026-02-01T00:00:00Z")
    assert [str(each.resolution_state) for each in found] == ["resolved"]
