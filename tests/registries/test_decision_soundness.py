"""What keeps the registry of decisions sound: undo, generic changes, forgetting, scopes, and two writers at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count

import pytest

import engramforge
from engramforge.errors import Conflict, EngramforgeError, InvalidValue, NotFound, OutOfScope
from engramforge.forge import Forge
from engramforge.model.memory import Kind
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus, EntryQuery
from engramforge.registries.decisions.decision_revision import carry
from engramforge.registries.decisions.decision_view import composed, decision_draft
from engramforge.registries.registered import entry_link, registration_of
from engramforge.store.door import Transaction

ACTIVE, REVISED, SUPERSEDED, INVALIDATED = DecisionStatus
_NUMBERS = count()


@pytest.fixture
def agent(place: str) -> Iterator[Forge]:
    """A forge of an agent of the test's own, whose last change is its own."""
    with engramforge.open(place, agent=f"agent-{next(_NUMBERS)}") as forge:
        yield forge


def seen(em: Forge, decision: Decision) -> Decision | None:
    try:
        return em.decisions.get(decision.id)
    except NotFound:
        return None


def same(first: Decision | None, other: Decision) -> bool:
    """Whether two say the same, versions and record times aside."""
    return first is not None and all(
        getattr(first, name) == getattr(other, name)
        for name in first.__dataclass_fields__
        if name not in ("version", "created_at")
    )


def test_undo_of_a_new_decision(agent: Forge) -> None:
    base = agent.decisions.create("Raise the main sail")
    made = agent.decisions.create(
        "Raise the jib", dependencies=[base.id], conversation="deck", local_id="D001"
    )
    undone = agent.undo()
    assert (undone.action, undone.links) == ("remember", 1)
    assert seen(agent, made) is None and agent.decisions.browse(conversation="deck") == []
    assert agent.decisions.get(base.id).dependents == ()
    agent.redo()
    assert same(seen(agent, made), made) and agent.decisions.get(base.id).dependents == (made.id,)


@pytest.mark.each_engine
def test_undo_of_a_supersession_takes_both_back(agent: Forge) -> None:
    old = agent.decisions.create("Steer north", rationale="The wind", tier=0.7)
    agent.decisions.validate(old.id)
    before = agent.decisions.get(old.id)
    new = agent.decisions.supersede(old.id, "Steer south", conversation="helm")
    for _ in range(2):
        undone = agent.undo()
        assert (len(undone.taken_back), len(undone.restored), undone.links) == (2, 1, 1)
        assert same(seen(agent, old), before) and seen(agent, new) is None
        assert [record.id for record in agent.decisions.search("steer", limit=3)] == [old.id]
        redone = agent.redo()
        assert (redone.action, redone.links) == ("supersede", 1)
        after = seen(agent, old)
        assert after is not None and (after.status, after.superseded_by) == (SUPERSEDED, new.id)
        assert same(seen(agent, new), new)
    assert [version.status for version in agent.decisions.history(old.id)] == [SUPERSEDED, REVISED, REVISED]


def test_undo_of_a_supersession_by_an_existing_one(agent: Forge) -> None:
    old, new = agent.decisions.create("Row"), agent.decisions.create("Sail")
    agent.decisions.supersede(old.id, by=new.id)
    agent.undo()
    assert same(seen(agent, old), old) and seen(agent, new) == new
    assert agent.decisions.why(new.id).superseded == ()


def test_undo_of_a_revision_brings_dependencies_back(agent: Forge) -> None:
    first, two = agent.decisions.create("Buy rope"), agent.decisions.create("Buy tar")
    made = agent.decisions.create("Caulk the hull", dependencies=[first.id])
    agent.decisions.revise(made.id, "Caulk the deck", dependencies=[two.id])
    undone = agent.undo()
    assert (undone.action, undone.links) == ("revise", 2)
    back = seen(agent, made)
    assert back is not None and (back.decision, back.dependencies) == ("Caulk the hull", (first.id,))
    assert agent.decisions.get(two.id).dependents == ()
    agent.redo()
    again = seen(agent, made)
    assert again is not None and (again.decision, again.dependencies) == ("Caulk the deck", (two.id,))


def test_undo_of_an_end_and_of_a_return(agent: Forge) -> None:
    made = agent.decisions.create("Fly the flag")
    agent.decisions.invalidate(made.id, reason="12 records of a storm")
    agent.undo()
    assert same(seen(agent, made), made)
    agent.redo()
    assert agent.decisions.get(made.id).status is INVALIDATED
    agent.decisions.reinstate(made.id, reason="3 records")
    assert agent.undo().action == "reinstate"
    assert agent.decisions.get(made.id).status is INVALIDATED
    assert agent.timeline(made.memory_id).dissonances == ()
    agent.redo()
    assert agent.decisions.get(made.id).status is ACTIVE


def test_undo_of_a_validation(agent: Forge) -> None:
    first, two = (
        agent.decisions.create(f"Check the pump {number}", recorded_at="2026-01-01T00:00Z") for number in "12"
    )
    carried(agent, two)
    before = agent.decisions.get(two.id)
    agent.decisions.validate(first.id, two.id)
    after = agent.decisions.get(two.id)
    assert (before.hops, after.hops, after.validation_count) == (1, 0, 2)
    undone = agent.undo()
    assert (undone.action, undone.uses, undone.taken_back) == ("validate", 2, ())
    assert agent.decisions.get(first.id) == first and agent.decisions.get(two.id) == before
    assert agent.redo().uses == 2
    assert agent.decisions.get(two.id) == after
    agent.undo()
    # Used since: nothing is taken back by mistake.
    agent.decisions.validate(first.id)
    carried(agent, agent.decisions.get(first.id))
    with pytest.raises(Conflict, match="changed or used since"):
        agent.undo()


@pytest.mark.each_engine
def test_undo_of_a_carrying_counts_back(agent: Forge) -> None:
    made = agent.decisions.create("Fill the casks", recorded_at="2026-01-01T00:00Z")
    edge = agent.lineage.link("spring", "summer", decisions_carried=[made.id])
    after = agent.decisions.get(made.id)
    assert (after.hops, after.validation_count) == (1, 1) and after.last_validated > made.last_validated
    assert agent.decisions.why(made.id).carried_by == (edge.id,)
    agent.undo()
    assert agent.decisions.get(made.id) == made and agent.decisions.why(made.id).carried_by == ()
    agent.redo()
    again = agent.decisions.get(made.id)
    assert (again.hops, again.validation_count) == (1, 1)
    assert agent.decisions.why(made.id).carried_by == (edge.id,)
    agent.undo()
    assert agent.decisions.get(made.id) == made


def carried(em: Forge, decision: Decision) -> None:
    """Let an archive carry a decision once."""
    memory = em.get(decision.memory_id)
    em._stages.door.write(em._scope, lambda writes: carry(writes, [memory], (), datetime.now(UTC)))


def test_changes_of_the_memory_are_changes_of_the_decision(em: Forge) -> None:
    made = em.decisions.create(
        "Weigh anchor", rationale="The tide", recorded_at="2026-01-01T00:00Z", tier=0.4
    )
    carried(em, made)
    em.revise(made.memory_id, "Weigh the anchor at dawn", epistemic_tier=0.6)
    new = em.decisions.get(made.id)
    assert (new.decision, new.epistemic_tier, new.version, new.status) == (
        "Weigh the anchor at dawn",
        0.6,
        2,
        ACTIVE,
    )
    assert (new.rationale, new.hops) == ("The tide", 0) and new.last_validated == new.created_at
    em.supersede(made.memory_id, "Weigh the anchor at noon")
    assert [version.status for version in em.decisions.history(made.id)] == [REVISED, REVISED, ACTIVE]
    revised = em.decisions.revise(made.id, rationale="The wind")
    assert em.get(made.memory_id).content == "Weigh the anchor at noon\n\nRationale: The wind"
    assert revised.decision == "Weigh the anchor at noon"
    em.invalidate(made.memory_id)
    ended = em.decisions.get(made.id)
    assert ended.status is INVALIDATED and em.decisions.search("anchor at noon", status="active") == []
    # We were wrong: it has not ended.
    em.revise(made.memory_id, invalid_at=None)
    assert em.decisions.get(made.id).status is ACTIVE
    em.undo()
    assert em.decisions.get(made.id).status is INVALIDATED


def test_any_memory_of_the_kind_is_a_decision(em: Forge) -> None:
    memory = em.remember("We build it of oak", kind="decision", session_id="plan", recorded_at="2026-01-01")
    found = em.decisions.get("dec_" + memory.logical_id[-12:])
    assert (found.decision, found.status, found.originated_in) == ("We build it of oak", ACTIVE, "plan")
    assert found.last_validated == memory.created_at
    assert found in em.decisions.stale(limit=100_000)
    assert em.decisions.supersede(found.id, "We build it of teak").decision == "We build it of teak"
    assert em.get(memory.logical_id).registration.status == SUPERSEDED  # type: ignore[union-attr]


@pytest.mark.each_engine
def test_forgetting_leaves_nothing_and_nothing_dangles(em: Forge) -> None:
    base = em.decisions.create("Moor at the quay")
    old = em.decisions.create(
        "Use two lines", dependencies=[base.id], conversation="mooring", local_id="D009"
    )
    new = em.decisions.supersede(old.id, "Use three lines", conversation="mooring")
    em.forget(new.memory_id)
    closed = em.decisions.get(old.id)
    assert (closed.status, closed.superseded_by) == (SUPERSEDED, None)
    assert em.decisions.why(old.id).superseded_by is None
    with pytest.raises(Conflict, match="Reinstate it first"):
        em.decisions.revise(old.id, "Use four lines")
    with pytest.raises(NotFound):
        em.decisions.get(new.id)
    em.forget(old.memory_id)
    assert em.decisions.get(base.id).dependents == ()
    assert em.decisions.browse(conversation="mooring") == [] and em.decisions.search("D009") == []
    query = EntryQuery(kind=Kind.DECISION, conversations=("mooring",), ended=True)
    assert em._stages.door.asking(em._scope).entries(query) == []


@pytest.mark.each_engine
def test_decisions_of_others_do_not_exist(place: str, em: Forge, agent: Forge) -> None:
    own = agent.decisions.create("Hide the rum", project="hold", conversation="night", local_id="D001")
    shared = agent.decisions.create("Share the bread", project="hold", level="collective")
    for call in (
        lambda: em.decisions.get(own.id),
        lambda: em.decisions.revise(own.id, "Find the rum"),
        lambda: em.decisions.supersede(own.id, "Find the rum"),
        lambda: em.decisions.supersede(shared.id, by=own.id),
        lambda: em.decisions.invalidate(own.id),
        lambda: em.decisions.validate(own.id),
        lambda: em.decisions.reinstate(own.id),
        lambda: em.decisions.history(own.id),
        lambda: em.decisions.why(own.id),
        lambda: em.decisions.get("D001", conversation="night"),
        lambda: em.decisions.create("Find the rum", dependencies=[own.id]),
    ):
        with pytest.raises((NotFound, OutOfScope)):
            call()
    assert em.decisions.search("rum", project="hold") == []
    assert own.id not in [each.id for each in em.decisions.search(own.id)]
    assert [decision.id for decision in em.decisions.browse(project="hold")] == [shared.id]
    # What others cannot see of a decision that they can: its dependencies on personal ones.
    agent.decisions.revise(shared.id, dependencies=[own.id])
    assert em.decisions.get(shared.id).dependencies == ()
    assert agent.decisions.get(shared.id).dependencies == (own.id,)
    taken = em.decisions.supersede(shared.id, "Eat the bread")
    assert agent.decisions.get(shared.id).superseded_by == taken.id
    assert agent.get(taken.memory_id).level == "collective"


@pytest.mark.each_engine
def test_two_at_once_make_no_circle_and_lose_no_count(place: str, em: Forge) -> None:
    with engramforge.open(place) as other, ThreadPoolExecutor(2) as pool:
        for _ in range(3):
            first, two = em.decisions.create("Tack now"), em.decisions.create("Jibe now")
            calls = [
                pool.submit(em.decisions.revise, first.id, dependencies=[two.id]),
                pool.submit(other.decisions.revise, two.id, dependencies=[first.id]),
            ]
            errors = [error for error in (call.exception() for call in calls) if error is not None]
            assert len(errors) <= 1 and all(isinstance(error, InvalidValue | Conflict) for error in errors)
            found = [em.decisions.get(each.id).dependencies for each in (first, two)]
            assert sum(map(len, found)) == 1
        made = em.decisions.create("Count the crew")
        done = [pool.submit(forge.decisions.validate, made.id) for forge in (em, other) for _ in range(4)]
        assert all(each.exception() is None for each in done)
        assert em.decisions.get(made.id).validation_count == 8
        old = em.decisions.create("Turn back")
        calls = [pool.submit(forge.decisions.supersede, old.id, "Go on") for forge in (em, other)]
        errors = [error for error in (call.exception() for call in calls) if error is not None]
        assert len(errors) == 1 and isinstance(errors[0], EngramforgeError)
        assert len(em.decisions.why(old.id).history) == 1


@pytest.mark.each_engine
def test_a_failed_write_leaves_nothing(em: Forge) -> None:
    old = em.decisions.create("Light the lamp", project="lamps")
    changes, head = em._stages.changes, em.get(old.memory_id)
    now = datetime.now(UTC)
    new = changes.new_entries(em._scope, [decision_draft("Light two lamps", project="lamps")], now, composed)
    closing = changes.closed(head, now, registration=registration_of(head))
    link = entry_link("SUPERSEDES", new[0].memory, head, now, trigger="a test")

    def fail(writes: Transaction) -> None:
        assert writes.fetch([new[0].memory.logical_id])
        raise NotFound("The lamp fell")

    with pytest.raises(NotFound, match="The lamp fell"):
        changes.commit(em._scope, [*new, closing], "supersede", links=[link], beside=fail)
    assert em.decisions.browse(project="lamps") == [old] and em.links(old.memory_id) == []
