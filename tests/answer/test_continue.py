"""Continue: the registry is right and the archive is not; archives of other stores; what must be refused."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest

import engramforge
from engramforge.core.archive_format.reader import read_archive
from engramforge.errors import InvalidSource, InvalidValue
from engramforge.forge import Forge
from engramforge.model.registries.archive import Archive, Continuation
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus


def begun(em: Forge) -> Archive:
    """A conversation with two decisions and two threads, compressed."""
    em.remember("Let us page.", project="atlas", kind="message", session_id="c1", sequence=0)
    em.decisions.create(
        "Page by cursor", rationale="rows come", project="atlas", conversation="c1", local_id="D001"
    )
    em.decisions.create("Pages hold 50 rows", project="atlas", conversation="c1", local_id="D002")
    first = em.threads.create("Cut the drift", project="atlas", conversation="c1", local_id="T001")
    em.threads.create(
        "Measure again", project="atlas", conversation="c1", local_id="T002", blocked_by=[first.id]
    )
    return em.archives.compress("c1", tag="PAGING")


def ids(archive: Archive) -> dict[str, str]:
    """Local id -> global id."""
    entries = [*archive.content.decisions, *archive.content.threads]
    return {entry.local_id: str(entry.id) for entry in entries}


def states(found: Continuation) -> dict[str, str]:
    """Id -> status of what a continuation's text says, read back."""
    content = read_archive(found.text).content
    return {str(record.id): str(record.status) for record in (*content.decisions, *content.threads)}


@pytest.mark.each_engine
def test_the_registry_wins_and_the_difference_is_shown(em: Forge) -> None:
    archive = begun(em)
    named = ids(archive)
    em.threads.update(named["T001"], status="resolved", resolution="A new guide rail", conversation="branch")
    taking = em.decisions.supersede(named["D002"], "Pages hold 80 rows", conversation="branch")
    em.decisions.revise(named["D001"], rationale="rows come at night", conversation="branch")

    found = em.archives.continue_from(archive.text, "c2")

    assert {decision.id: decision.status for decision in found.decisions} == {
        named["D001"]: DecisionStatus.ACTIVE,
        taking.id: DecisionStatus.ACTIVE,
    }
    assert [(thread.id, thread.is_blocked) for thread in found.threads] == [(named["T002"], False)]
    told = {(difference.local_id, difference.name): difference for difference in found.differences}
    assert (told["T001", "status"].archive, told["T001", "status"].registry) == ("open", "resolved")
    assert "branch" in told["T001", "status"].because
    assert told["T001", "resolution"].registry == "A new guide rail"
    assert told["D002", "status"].registry == "superseded"
    assert taking.id in told["D002", "status"].because
    assert told["D001", "rationale"].registry == "rows come at night"
    assert told["T002", "blocked_by"].registry == ""
    assert "T001 is resolved" in told["T002", "blocked_by"].because
    # The text to go on with says what the registry says, and nothing that ended.
    assert states(found) == {
        named["D001"]: "active",
        taking.id: "active",
        named["T002"]: "open",
    }
    assert "Changed Since" in found.text
    assert read_archive(found.text).problems == ()
    assert found.problems == ()
    assert em.lineage.get(archive.edge.id).target_conversation_id == "c2"
    assert "c2" in em.decisions.get(named["D001"]).conversation_ids


def test_the_same_call_again_changes_nothing_and_another_conversation_gets_its_own_edge(em: Forge) -> None:
    archive = begun(em)
    first = em.archives.continue_from(archive.text, "c2")
    again = em.archives.continue_from(archive.text, "c2")
    assert again == first
    second = em.archives.continue_from(archive.text, "c3")
    assert second.edge.id != first.edge.id
    assert second.edge.source_conversation_id == "c1"
    assert second.edge.decisions_carried == first.edge.decisions_carried
    assert [item.target_conversation_id for item in em.lineage.trace("c1")] == ["c2", "c3"]
    # An archive is carried when it is made, however many go on from it.
    assert {decision.hops for decision in em.decisions.browse()} == {1}


def test_what_is_inherited_is_compressed_again_as_it_stands(em: Forge) -> None:
    archive = begun(em)
    named = ids(archive)
    em.archives.continue_from(archive.text, "c2")
    em.decisions.create("Rows are sorted by time", project="atlas", conversation="c2")
    em.threads.update(named["T001"], status="abandoned", conversation="elsewhere")
    second = em.archives.compress("c2")
    assert {decision.decision for decision in second.content.decisions} == {
        "Page by cursor",
        "Pages hold 50 rows",
        "Rows are sorted by time",
    }
    assert {thread.id: thread.status for thread in second.content.threads} == {
        named["T001"]: ThreadStatus.ABANDONED,
        named["T002"]: ThreadStatus.OPEN,
    }
    # Inherited entries keep their names; a new one takes the next.
    assert {name: id_ for name, id_ in ids(second).items() if id_ in named.values()} == named
    assert em.decisions.get(named["D001"]).hops == 2
    assert [record.id for record in second.content.lineage] == [archive.edge.id, second.edge.id]
    third = em.archives.continue_from(second.text, "c3")
    assert len(em.lineage.trace("c3")) == 2
    assert {decision.id for decision in third.decisions} == set(second.edge.decisions_carried)


def test_what_an_edge_carried_is_inherited_without_being_mentioned(local: Forge) -> None:
    made = local.decisions.create("Page by cursor", project="atlas", conversation="c1")
    local.lineage.link("c1", "c2", decisions_carried=[made.id], project="atlas")
    assert [decision.id for decision in local.archives.compress("c2").content.decisions] == [made.id]


def test_an_edited_archive_is_read_and_the_registry_still_wins(em: Forge) -> None:
    archive = begun(em)
    named = ids(archive)
    edited = (
        archive.text.replace("### D002: Pages hold 50 rows", "### D002: Pages hold 9 rows")
        .replace("### T001: Cut the drift\n\n", "### T001: Cut the drift\n\nCall Iwona first.\n")
        .replace("## Threads", "### D050: Call the cursor a token\n\n- tier: 0.8\n\n## Threads")
        .replace("\n", "\r\n")
    )
    found = em.archives.continue_from(edited, "c2")
    told = {(difference.local_id, difference.name): difference for difference in found.differences}
    assert told["D002", "decision"].registry == "Pages hold 50 rows"
    assert "was changed since it was written" in told["D002", "decision"].because
    assert any("edited" in problem for problem in found.problems)
    # What a person wrote into it is a new decision, with the archive as its evidence.
    assert any("D050: unknown here; registered" in problem for problem in found.problems)
    (new,) = [decision for decision in found.decisions if decision.id not in named.values()]
    assert (new.decision, new.epistemic_tier, new.local_id) == ("Call the cursor a token", 0.8, "D050")
    assert new.evidence is not None
    assert new.evidence.sentence == "Call the cursor a token"
    assert "D050" in em.get(new.evidence.message_id).content
    again = em.archives.continue_from(edited, "c2")
    assert len(again.decisions) == len(found.decisions)
    assert not any("registered" in problem for problem in again.problems)


def test_a_cut_archive_still_inherits_all_that_its_edge_carried(local: Forge) -> None:
    archive = begun(local)
    found = local.archives.continue_from(archive.text[: archive.text.index("### D002")], "c2")
    assert len(found.decisions) == 2
    assert len(found.threads) == 2
    assert any("cut short" in problem for problem in found.problems)
    assert {difference.local_id for difference in found.differences} == {"D002", "T001", "T002"}


@pytest.mark.each_engine
def test_an_archive_of_another_store_brings_its_entries(another: Callable[[], Forge]) -> None:
    there, here = another(), another()
    archive = begun(there)
    there.threads.update(ids(archive)["T001"], status="resolved", resolution="A rail")
    archive = there.archives.compress("c1", tag="LATER")
    old = here.decisions.create("Never page", project="atlas", conversation="c2", local_id="D001")

    found = here.archives.continue_from(archive.text, "c2")

    assert {decision.decision for decision in found.decisions} == {"Page by cursor", "Pages hold 50 rows"}
    assert [thread.title for thread in found.threads] == ["Measure again"]
    brought = {decision.decision: decision for decision in found.decisions}
    first = brought["Page by cursor"]
    # D001 is the name of another decision of that conversation already.
    assert first.local_id not in (None, "D001")
    assert first.id != old.id
    assert (first.originated_in, first.conversation_ids) == ("c1", ("c1", "c2"))
    assert (first.hops, first.validation_count) == (2, 2)
    assert first.rationale == "rows come"
    assert any("registered" in problem for problem in found.problems)
    (closed,) = here.threads.browse(status="resolved")
    assert (closed.title, closed.resolution) == ("Cut the drift", "A rail")
    # Said again, nothing is new; and what was resolved here since is shown.
    here.threads.update(found.threads[0].id, status="resolved", resolution="Done")
    again = here.archives.continue_from(archive.text, "c2")
    assert (again.edge.id, again.threads) == (found.edge.id, ())
    assert [
        (difference.name, difference.registry)
        for difference in again.differences
        if difference.what == "thread"
    ] == [
        ("status", "resolved"),
        ("resolution", "Done"),
    ]
    other = here.archives.continue_from(archive.text, "c4")
    assert {decision.id for decision in other.decisions} == {decision.id for decision in found.decisions}
    assert len(here.decisions.browse()) == 3


def test_two_archives_with_the_same_names_are_four_decisions(local: Forge) -> None:
    for conversation in ("a", "b"):
        for number in (1, 2):
            local.decisions.create(
                f"Rule {number} of {conversation}",
                project="atlas",
                conversation=conversation,
                local_id=f"D00{number}",
            )
    texts = [local.archives.compress(item).text for item in ("a", "b")]
    for text in texts:
        local.archives.continue_from(text, "c")
    archive = local.archives.compress("c")
    assert len(archive.content.decisions) == 4
    assert len({decision.local_id for decision in archive.content.decisions}) == 4
    foreign = [
        text.replace("conversation: ", "conversation: far-").replace("store_id: ", "store_id: x")
        for text in texts
    ]
    cleaned = ["\n".join(line for line in text.split("\n") if "- id: dec_" not in line) for text in foreign]
    cleaned = [
        text.replace("lineage_id: lin_", "lineage_id: lin_f").replace("Rule", "Law") for text in cleaned
    ]
    for text in cleaned:
        local.archives.continue_from(text, "d")
    assert len({decision.local_id for decision in local.decisions.browse(conversation="d")}) == 4


def test_an_older_tools_archive_is_continued(local: Forge) -> None:
    older = (
        "# Compressed Context: GATE\n\n**Project:** harbour\nSource conversation: 48ff\n\n## Decisions\n\n"
        "- D001 [0.9]: The gate opens at six. Rationale: the tide\n\n## Open Threads\n\n"
        "- T001 [OPEN] (high): Repair the winch\n"
    )
    found = local.archives.continue_from(older, "now")
    assert found.edge.source_conversation_id == "48ff"
    assert (found.decisions[0].decision, found.decisions[0].project) == ("The gate opens at six", "harbour")
    assert found.threads[0].title == "Repair the winch"
    assert local.archives.continue_from(older, "now").edge.id == found.edge.id
    unnamed = older.replace("Source conversation: 48ff\n", "")
    first = local.archives.continue_from(unnamed, "then")
    assert first.edge.source_conversation_id.startswith("unnamed-archive-")
    assert local.archives.continue_from(unnamed, "then").edge.id == first.edge.id


@pytest.mark.each_engine
def test_what_was_forgotten_does_not_come_back(em: Forge) -> None:
    archive = begun(em)
    named = ids(archive)
    em.forget(em.decisions.get(named["D002"]).memory_id)
    em.forget(em.memories(kinds="message")[0].logical_id)
    found = em.archives.continue_from(archive.text, "c2")
    assert [decision.id for decision in found.decisions] == [named["D001"]]
    assert "50 rows" not in found.text.partition("## Decisions")[2]
    assert "Let us page" not in found.text
    assert any("D002: forgotten" in problem for problem in found.problems)
    assert any("M001" in problem and "no longer" in problem for problem in found.problems)
    assert len(em.decisions.browse()) == 1


def test_an_artefact_is_told_in_its_current_version(local: Forge) -> None:
    plan = local.remember("v1", project="atlas", kind="artifact", session_id="c1", name="plan")
    archive = local.archives.compress("c1")
    local.revise(plan.logical_id, "v2")
    found = local.archives.continue_from(archive.text, "c2")
    assert [
        (difference.what, difference.archive, difference.registry) for difference in found.differences
    ] == [("artefact", "1", "2")]
    assert read_archive(found.text).content.artifacts[0].content == "v2"


def test_no_conversation_goes_on_from_itself(em: Forge) -> None:
    archive = begun(em)
    with pytest.raises(InvalidValue, match="from itself"):
        em.archives.continue_from(archive.text, "c1")
    em.archives.continue_from(archive.text, "c2")
    second = em.archives.compress("c2")
    before = em.lineage.get(second.edge.id)
    for text in (second.text, second.text.replace("## Threads", "### D077: New\n\n## Threads")):
        with pytest.raises(InvalidValue, match="goes on"):
            em.archives.continue_from(text, "c1")
    assert em.lineage.get(second.edge.id) == before
    assert len(em.decisions.browse()) == 2
    foreign = second.text.replace(second.edge.id, "lin_0123456789ab")
    with pytest.raises(InvalidValue, match="goes on"):
        em.archives.continue_from(foreign, "c1")


@pytest.mark.parametrize("text", ["", "Good morning.", "x" * 20_000_001])
def test_what_is_no_archive_is_refused(local: Forge, text: str) -> None:
    with pytest.raises(InvalidSource):
        local.archives.continue_from(text, "c2")
    assert local.lineage.browse() == []


def test_an_unknown_version_is_refused_and_a_cut_text_says_so(em: Forge) -> None:
    text = begun(em).text
    edges = em.lineage.browse()
    with pytest.raises(InvalidSource, match="version"):
        em.archives.continue_from(text.replace("engramforge_archive: 1", "engramforge_archive: 99"), "c2")
    assert em.lineage.browse() == edges
    for end in (text.index("\n## "), len(text) // 2):
        assert any("cut short" in each for each in em.archives.continue_from(text[:end], "c2").problems)


def test_undo_takes_a_continuation_back(local: Forge) -> None:
    archive = begun(local)
    local.archives.continue_from(archive.text, "c2")
    mentioned = [decision.conversation_ids for decision in local.decisions.browse()]
    assert any("c2" in each for each in mentioned)
    local.undo()
    assert local.lineage.get(archive.edge.id).target_conversation_id is None
    assert not any("c2" in decision.conversation_ids for decision in local.decisions.browse())
    local.redo()
    assert local.lineage.get(archive.edge.id).target_conversation_id == "c2"
    assert [decision.conversation_ids for decision in local.decisions.browse()] == mentioned


def test_undo_of_a_continuation_takes_mentions_from_ended_decisions_too(local: Forge) -> None:
    ended, kept = (local.decisions.create(text, conversation="c1") for text in ("Dig a well", "Lay a pipe"))
    archive = local.archives.compress("c1")
    local.decisions.supersede(ended.id, "Fetch water")
    local.archives.continue_from(archive.text, "c2")
    counted = []
    for step in (local.undo, local.redo, local.undo):
        counted.append(step().uses)
        mentioned = "c2" in local.decisions.get(ended.id).conversation_ids
        assert mentioned == ("c2" in local.decisions.get(kept.id).conversation_ids) == (len(counted) == 2)
    assert counted == [2, 2, 2]


@pytest.mark.each_engine
def test_another_agent_is_handed_what_the_archive_says_and_nothing_else(place: str) -> None:
    tenant = f"t-{uuid4().hex[:12]}"
    with (
        engramforge.open(place, tenant=tenant, agent="ada") as ada,
        engramforge.open(place, tenant=tenant, agent="bo") as bo,
    ):
        archive = begun(ada)
        later = ada.decisions.create("Kept to myself", project="atlas", conversation="c1")
        found = bo.archives.continue_from(archive.text, "c2")
        assert {decision.decision for decision in found.decisions} == {"Page by cursor", "Pages hold 50 rows"}
        assert not {decision.id for decision in found.decisions} & set(ids(archive).values())
        assert later.decision not in found.text
        # Ada's registry, edge and archive are as they were.
        assert ada.lineage.get(archive.edge.id).target_conversation_id is None
        assert {decision.id for decision in ada.decisions.browse()} == {
            *archive.edge.decisions_carried,
            later.id,
        }
