"""Decisions through the facade: made, revised, superseded, ended, returned."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from engramforge.errors import Conflict, InvalidContent, InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.limits import LISTED_PER_ENTRY
from engramforge.model.link import Relation
from engramforge.model.registries.entry import DecisionStatus
from engramforge.registries.decisions.decision_view import decision_draft

ACTIVE, REVISED, SUPERSEDED, INVALIDATED = DecisionStatus
A_YEAR_AGO = datetime.now(UTC) - timedelta(days=365)


@pytest.mark.each_engine
def test_a_decision_with_all_its_fields(em: Forge) -> None:
    base = em.decisions.create("The ledger is append only", project="ledger")
    made = em.decisions.create(
        "Store the ledger in one file",
        rationale="Backups become a copy",
        tier=0.8,
        project="ledger",
        conversation="talk-1",
        local_id="D001",
        dependencies=[base.id],
        alternatives_rejected=["a cluster", "a spreadsheet"],
        tags=["storage"],
        valid_at="2026-01-02",
        recorded_at=A_YEAR_AGO,
    )
    assert made.id == "dec_" + made.memory_id[-12:]
    assert (made.decision, made.rationale) == ("Store the ledger in one file", "Backups become a copy")
    assert (made.epistemic_tier, made.status, made.version) == (0.8, ACTIVE, 1)
    assert (made.originated_in, made.conversation_ids, made.revised_in) == ("talk-1", ("talk-1",), None)
    assert (made.local_id, made.tags, made.project) == ("D001", ("storage",), "ledger")
    assert (made.dependencies, made.alternatives_rejected) == ((base.id,), ("a cluster", "a spreadsheet"))
    assert made.created_at == made.last_validated == A_YEAR_AGO
    assert (made.validation_count, made.hops, made.superseded_by) == (0, 0, None)
    assert made.valid_at == datetime(2026, 1, 2, tzinfo=UTC)
    memory = em.get(made.memory_id)
    assert memory.content == (
        "Store the ledger in one file\n\nRationale: Backups become a copy\nRejected: a cluster; a spreadsheet"
    )
    for named in (made.id, made.id.upper(), made.memory_id, memory.id):
        assert em.decisions.get(named) == made
    assert em.decisions.get("D001", conversation="talk-1") == made
    assert em.decisions.get(base.id).dependents == (made.id,)
    # A recall finds it by why, and by what was not chosen.
    for asked in ("backups become a copy", "spreadsheet"):
        assert em.recall(asked, project="ledger", limit=1).hits[0].memory.logical_id == made.memory_id


def test_a_local_id_belongs_to_its_conversation(em: Forge) -> None:
    decision = em.decisions.create("Ship weekly", conversation="talk-a", local_id="D003")
    other = em.decisions.create("Ship daily", conversation="talk-b", local_id="D003")
    assert em.decisions.get("D003", conversation="talk-a").id == decision.id
    assert em.decisions.get("D003", conversation="talk-b").id == other.id
    assert {found.id for found in em.decisions.search("D003")} == {decision.id, other.id}
    assert [found.id for found in em.decisions.search("d003", conversation="talk-b")] == [other.id]
    told = f"names several decisions: .*{decision.id} of the project 'default' in the conversation 'talk-a'"
    with pytest.raises(InvalidValue, match=told):
        em.decisions.get("D003")
    with pytest.raises(InvalidValue, match="without its conversation"):
        em.decisions.create("Ship hourly", local_id="D004")
    with pytest.raises(NotFound, match="no decision 'D003' in the conversation 'talk-c'"):
        em.decisions.get("D003", conversation="talk-c")
    em.decisions.create("Ship at night", conversation="talk-a", local_id="D003")
    with pytest.raises(InvalidValue, match=f"names several decisions: .*{decision.id}"):
        em.decisions.get("D003", conversation="talk-a")


def test_a_local_id_that_one_entry_has_is_enough(em: Forge) -> None:
    made = em.decisions.create("Moor upstream", conversation="talk-a", local_id="ADR-0030")
    assert em.decisions.get("adr-0030").id == made.id
    assert em.decisions.revise("ADR-0030", "Moor downstream").id == made.id
    em.decisions.invalidate("ADR-0030")
    assert em.decisions.get("ADR-0030").status == "invalidated"
    with pytest.raises(NotFound, match="There is no decision 'ADR-0031'"):
        em.decisions.get("ADR-0031")
    with pytest.raises(InvalidValue, match="is no id of a decision"):
        em.decisions.get("moor upstream")


def test_what_is_no_decision(em: Forge) -> None:
    note = em.remember("the sky was red")
    with pytest.raises(Conflict, match="is a note, not a decision"):
        em.decisions.get(note.id)
    for unknown in ("dec_0123456789ab", "01a1fc42-e35e-73f4-b6da-e6bfc7f6f558"):
        with pytest.raises(NotFound, match="There is no decision"):
            em.decisions.get(unknown)
    for named in ("thr_0123456789ab", "", "dec_1", None, 3):
        with pytest.raises(InvalidValue):
            em.decisions.get(named)  # type: ignore[arg-type]


@pytest.mark.each_engine
def test_revise_keeps_the_id_and_what_is_not_given(em: Forge) -> None:
    made = em.decisions.create(
        "Paint the hull white",
        rationale="It is seen from afar",
        tier=0.6,
        alternatives_rejected=["red"],
        tags=["paint"],
        conversation="yard-1",
        recorded_at=A_YEAR_AGO,
    )
    new = em.decisions.revise(made.id, "Paint the hull grey", tier=0.7, conversation="yard-2")
    assert (new.id, new.memory_id, new.version, new.status) == (made.id, made.memory_id, 2, ACTIVE)
    assert (new.decision, new.rationale) == ("Paint the hull grey", "It is seen from afar")
    assert (new.alternatives_rejected, new.tags, new.epistemic_tier) == (("red",), ("paint",), 0.7)
    assert (new.originated_in, new.revised_in) == ("yard-1", "yard-2")
    assert new.conversation_ids == ("yard-1", "yard-2")
    assert new.valid_at == made.valid_at and new.last_validated > A_YEAR_AGO + timedelta(days=364)
    bare = em.decisions.revise(made.id, rationale="", alternatives_rejected=[], tags=[])
    assert (bare.rationale, bare.alternatives_rejected, bare.tags) == ("", (), ())
    assert em.get(made.memory_id).content == "Paint the hull grey"
    assert [(each.version, each.status) for each in em.decisions.history(made.id)] == [
        (1, REVISED),
        (2, REVISED),
        (3, ACTIVE),
    ]
    assert em.decisions.history(made.id)[0].decision == "Paint the hull white"
    assert {link.relation for link in em.links(made.memory_id)} == {"REVISES"}
    with pytest.raises(InvalidValue, match="changes nothing"):
        em.decisions.revise(made.id, conversation="yard-3")
    with pytest.raises(Conflict, match="at version 3, not 2"):
        em.decisions.revise(made.id, "Paint it black", expected_version=2)
    assert em.decisions.revise(made.id, "Paint it black", expected_version=3).version == 4


@pytest.mark.each_engine
def test_a_superseded_decision_is_closed_and_names_its_successor(em: Forge) -> None:
    old = em.decisions.create(
        "Sail on Monday",
        project="trip",
        tags=["tide"],
        valid_at="2026-01-01",
        recorded_at="2026-01-01T00:00Z",
    )
    new = em.decisions.supersede(
        old.id, "Sail on Friday", rationale="The tide", at="2026-02-01", conversation="quay"
    )
    assert (new.project, new.rationale, new.valid_at) == (
        "trip",
        "The tide",
        datetime(2026, 2, 1, tzinfo=UTC),
    )
    closed = em.decisions.get(old.id)
    assert (closed.status, closed.superseded_by, closed.invalid_at) == (SUPERSEDED, new.id, new.valid_at)
    assert closed.conversation_ids == ("quay",) and new.originated_in == "quay"
    (link,) = (each for each in em.links(old.memory_id) if each.relation == Relation.SUPERSEDES)
    assert (link.source_id, link.target_id) == (new.memory_id, old.memory_id)
    assert {memory.content for memory in em.memories(project="trip")} == {
        "Sail on Friday\n\nRationale: The tide"
    }
    then = em.memories(project="trip", as_of_valid="2026-01-15")
    assert [memory.content for memory in then] == ["Sail on Monday"]
    assert em.recall("when do we sail", project="trip", as_of_valid="2026-01-15").hits[0].memory.content == (
        "Sail on Monday"
    )
    why = em.decisions.why(new.id)
    assert [decision.id for decision in why.superseded] == [old.id] and why.superseded_by is None
    assert em.decisions.why(old.id).superseded_by == em.decisions.get(new.id)
    for change in (
        lambda: em.decisions.revise(old.id, "Sail on Tuesday"),
        lambda: em.decisions.supersede(old.id, "Sail on Tuesday"),
        lambda: em.decisions.invalidate(old.id),
        lambda: em.decisions.validate(old.id),
    ):
        with pytest.raises(Conflict, match=f"is superseded by {new.id}.*reinstate {old.id} first"):
            change()


def test_an_existing_decision_takes_the_place(em: Forge) -> None:
    old, new = (em.decisions.create(text, project="fleet") for text in ("Rent the boat", "Buy the boat"))
    assert em.decisions.supersede(old.id, by=new.id) == em.decisions.get(new.id)
    assert em.decisions.get(old.id).superseded_by == new.id
    assert em.decisions.get(new.id).version == 1
    with pytest.raises(InvalidValue, match="supersede itself"):
        em.decisions.supersede(new.id, by=new.id)
    with pytest.raises(Conflict, match="superseded by"):
        em.decisions.supersede(new.id, by=old.id)
    with pytest.raises(InvalidValue, match="Either a new decision or an existing one"):
        em.decisions.supersede(new.id)
    with pytest.raises(InvalidValue, match="fields of a new one"):
        em.decisions.supersede(new.id, by=old.id, rationale="cheaper")


def test_times_that_cannot_be(em: Forge) -> None:
    made = em.decisions.create("Keep the old mast", valid_at="2026-03-01")
    with pytest.raises(InvalidTime, match="is not after"):
        em.decisions.supersede(made.id, "Step a new mast", at="2026-02-01")
    with pytest.raises(InvalidTime, match="lies in the future"):
        em.decisions.invalidate(made.id, at=datetime.now(UTC) + timedelta(days=1))
    with pytest.raises(InvalidTime, match="lies in the future"):
        em.decisions.create("Sell it", recorded_at=datetime.now(UTC) + timedelta(days=1))
    assert em.decisions.get(made.id) == made


@pytest.mark.each_engine
def test_what_ended_returns_as_a_new_version(em: Forge) -> None:
    made = em.decisions.create("Anchor in the bay", rationale="It is calm", tags=["anchor"], tier=0.9)
    ended = em.decisions.invalidate(made.id, reason="the bay is closed", conversation="night")
    assert (ended.status, ended.version, ended.superseded_by) == (INVALIDATED, 1, None)
    assert ended.invalid_at is not None and ended.conversation_ids == ("night",)
    assert em.audit_log(1)[0].reason == "the bay is closed"
    with pytest.raises(Conflict, match=r"is invalidated\. Reinstate it first"):
        em.decisions.revise(made.id, "Anchor outside")
    back = em.decisions.reinstate(made.id, reason="the bay is open again")
    assert (back.id, back.version, back.status, back.invalid_at) == (made.id, 2, ACTIVE, None)
    assert (back.decision, back.rationale, back.tags, back.epistemic_tier) == (
        "Anchor in the bay",
        "It is calm",
        ("anchor",),
        0.9,
    )
    assert back.valid_at >= ended.invalid_at
    assert [each.status for each in em.decisions.history(made.id)] == [INVALIDATED, ACTIVE]
    with pytest.raises(Conflict, match="is active"):
        em.decisions.reinstate(made.id)
    # Ended once more, by another decision: each version knows what ended it.
    new = em.decisions.supersede(made.id, "Anchor in the harbour")
    assert [(each.status, each.superseded_by) for each in em.decisions.history(made.id)] == [
        (INVALIDATED, None),
        (SUPERSEDED, new.id),
    ]
    again = em.decisions.reinstate(made.id)
    assert (again.version, again.superseded_by) == (3, None)
    assert em.decisions.get(new.id).status is ACTIVE


def test_one_that_was_written_as_ended_returns_too(em: Forge) -> None:
    draft = decision_draft("Moor to the buoy", status=SUPERSEDED, recorded_at=A_YEAR_AGO, rationale="No quay")
    (memory,) = em.remember_many([draft])
    made = em.decisions.get(memory.id)
    assert (made.status, made.superseded_by) == (SUPERSEDED, None)
    assert em.decisions.search("moor to the buoy", limit=1)[:1] != [made]
    with pytest.raises(Conflict, match="is superseded"):
        em.decisions.revise(made.id, "Moor to the pier")
    back = em.decisions.reinstate(made.id)
    assert (back.status, back.version, back.rationale) == (ACTIVE, 2, "No quay")
    assert [each.status for each in em.decisions.history(made.id)] == [SUPERSEDED, ACTIVE]
    em.undo()
    assert em.decisions.get(made.id).status is SUPERSEDED


@pytest.mark.each_engine
def test_dependencies_exist_and_make_no_circle(em: Forge) -> None:
    first = em.decisions.create("Use steel")
    second = em.decisions.create("Weld the frame", dependencies=first.id)
    third = em.decisions.create("Test the welds", dependencies=[second.id, second.memory_id])
    assert third.dependencies == (second.id,)
    with pytest.raises(InvalidValue, match=f"{first.id} would depend on itself, over"):
        em.decisions.revise(first.id, dependencies=[third.id])
    with pytest.raises(InvalidValue, match="would depend on itself"):
        em.decisions.revise(first.id, dependencies=[first.id])
    with pytest.raises(NotFound):
        em.decisions.create("Paint it", dependencies=["dec_0123456789ab"])
    with pytest.raises(InvalidValue, match=f"more than {LISTED_PER_ENTRY}"):
        em.decisions.create("Paint it", dependencies=[first.id] * (LISTED_PER_ENTRY + 1))
    moved = em.decisions.revise(third.id, dependencies=[first.id])
    assert moved.dependencies == (first.id,)
    assert em.decisions.get(second.id).dependents == ()
    assert set(em.decisions.get(first.id).dependents) == {second.id, third.id}
    assert [each.dependencies for each in em.decisions.history(third.id)] == [(second.id,), (first.id,)]
    # The way is free now.
    assert em.decisions.revise(second.id, dependencies=[third.id]).dependencies == (third.id,)
    (graph,) = (space for space in em.embeddings(third.memory_id).spaces if space.space == "graph")
    assert graph.abstains is None
    why = em.decisions.why(third.id)
    assert [decision.id for decision in why.dependencies] == [first.id]
    assert [decision.id for decision in why.dependents] == [second.id]
    em.link(
        em.remember("Steel is cheap this year").id,
        third.memory_id,
        "JUSTIFIES",
        energy=0.5,
        confidence=0.5,
        emotion_vector={},
        goal="g",
        mindstate="m",
    )
    assert [link.relation for link in em.decisions.why(third.id).links] == ["JUSTIFIES"]


def test_secrets_and_private_parts_stay_out_of_every_field(em: Forge) -> None:
    key = "AKIA" + "QY3LPMN5HFIQR7XY"
    made = em.decisions.create(
        f"Rotate the key {key} <private>at dawn</private>",
        rationale=f"Somebody printed {key}",
        alternatives_rejected=[f"keep {key}", "<private>bribe</private> the guard"],
    )
    told = str(made) + em.get(made.memory_id).content
    assert key not in told and "dawn" not in told and "bribe" not in told
    assert made.rationale == "Somebody printed [REDACTED:aws-access-key]"
    assert made.decision.startswith("Rotate the key [REDACTED:")
    new = em.decisions.revise(made.id, rationale=f"It was {key}")
    assert key not in str(new) and "[REDACTED:" in new.rationale
    with pytest.raises(InvalidContent, match="Nothing of the content is left"):
        em.decisions.create("<private>nobody</private>", rationale="said so")


@pytest.mark.parametrize(
    "wrong",
    [
        {"decision": " "},
        {"decision": 7},
        {"tier": 1.5},
        {"rationale": 3},
        {"rationale": "nul \0"},
        {"alternatives_rejected": [""]},
        {"alternatives_rejected": ["x"] * (LISTED_PER_ENTRY + 1)},
        {"tags": 3},
        {"conversation": ""},
        {"conversation": "c", "local_id": "D" * 201},
        {"project": "\n"},
        {"level": "cosmic"},
        {"valid_at": "2026-01-01T00:00"},
    ],
)
def test_bad_input_changes_nothing(em: Forge, wrong: dict[str, object]) -> None:
    before = em.stats().versions
    with pytest.raises((InvalidValue, InvalidContent, InvalidTime)):
        em.decisions.create(**{"decision": "Row ashore", **wrong})  # type: ignore[arg-type]
    assert em.stats().versions == before
