"""Conflicts: found within and across projects, kept, dismissed for good, undone; told by recalls and archives."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from engramforge.errors import InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.lenses.conflict import Conflict

KAFKA = "Use Kafka as the event bus"
RABBIT = "RabbitMQ as the event bus"


@pytest.fixture
def told(em: Forge) -> Forge:
    em.decisions.create(KAFKA, rationale="It keeps what was sent.", project="atlas", conversation="c1")
    em.decisions.create(RABBIT, rationale="The team knows it.", project="orion", tier=0.9)
    em.decisions.create("Sessions are stored in PostgreSQL", rationale="One store.", project="atlas")
    em.decisions.create("Keep user sessions in Redis", rationale="It is fast.", project="atlas")
    em.threads.create("Which event bus does the demo need?", project="atlas")
    em.threads.create("Who paints the fence?", project="orion")
    em.decisions.create("The fence is green", project="orion")
    return em


def texts(conflict: Conflict) -> set[str]:
    return {conflict.newer.text, conflict.older.text}


@pytest.mark.each_engine
def test_found_within_a_project_and_across_projects_with_both_reasons(told: Forge) -> None:
    report = told.conflicts.detect()
    assert report.compared == 5 and report.pairs <= 10
    found = {frozenset(texts(each)): each for each in report.found}
    assert set(found) == {
        frozenset((KAFKA, RABBIT)),
        frozenset(("Sessions are stored in PostgreSQL", "Keep user sessions in Redis")),
    }
    across = found[frozenset((KAFKA, RABBIT))]
    assert {across.newer.rationale, across.older.rationale} == {
        "It keeps what was sent.",
        "The team knows it.",
    }
    assert across.signals == ("other_choice", "lower_tier") and across.newer.text == RABBIT
    assert across.score > 0.7 and across.since == across.newer.at
    (link,) = [each for each in told.links(across.newer.id) if each.relation == "CONTRADICTS"]
    assert link.id == across.id and link.energy == across.score
    assert link.extra["signals"] == list(across.signals)


def test_a_second_detection_finds_only_what_is_new(told: Forge) -> None:
    first = told.conflicts.detect()
    again = told.conflicts.detect()
    assert (again.compared, again.found) == (0, ())
    told.decisions.create("Sessions are stored in Memcached", project="orion")
    later = told.conflicts.detect()
    assert later.compared == 1 and len(later.found) >= 1
    assert all("Sessions are stored in Memcached" in texts(each) for each in later.found)
    assert len(told.conflicts.list()) == len(first.found) + len(later.found)
    assert told.conflicts.detect(anew=True).found == ()


def test_projects_narrow_the_list_and_the_detection(told: Forge) -> None:
    assert told.conflicts.detect("orion").found == ()
    told.conflicts.detect()
    assert len(told.conflicts.list("orion")) == 1 and len(told.conflicts.list("atlas")) == 2
    with pytest.raises(NotFound):
        told.conflicts.list("nowhere")


@pytest.mark.each_engine
def test_a_dismissed_conflict_stays_dismissed_and_can_be_opened_again(told: Forge) -> None:
    told.conflicts.detect()
    before = told.conflicts.list()
    with pytest.raises(InvalidValue):
        told.conflicts.dismiss(before[0].id, "")
    done = told.conflicts.dismiss(before[0].id, "two systems that never meet")
    assert done.dismissed == "two systems that never meet" and done.dismissed_at is not None
    assert told.conflicts.detect(anew=True).found == ()
    assert [texts(each) for each in told.conflicts.list()] == [texts(each) for each in before[1:]]
    assert [each.dismissed for each in told.conflicts.list(dismissed=True)] == [done.dismissed]
    with pytest.raises(NotFound, match="dismissed already: two systems that never meet"):
        told.conflicts.dismiss(before[0].id, "again")
    told.undo()
    assert [texts(each) for each in told.conflicts.list()] == [texts(each) for each in before]
    assert [each.id for each in told.conflicts.list()] == [each.id for each in before]
    assert told.conflicts.dismiss(before[0].id, "once more").id == before[0].id
    told.undo()
    assert told.conflicts.list(dismissed=True) == []


@pytest.mark.each_engine
def test_a_detection_is_undone_as_a_whole(told: Forge) -> None:
    report = told.conflicts.detect()
    assert told.undo().links == len(report.found)
    assert told.conflicts.list() == []
    assert told.redo().links == len(report.found) == len(told.conflicts.list())
    assert told.conflicts.detect().found == ()
    told.undo()
    assert {frozenset(texts(each)) for each in told.conflicts.detect().found} == {
        frozenset(texts(each)) for each in report.found
    }


def test_what_was_changed_is_settled_or_brought_up_again(told: Forge) -> None:
    told.conflicts.detect()
    by_text = {each.decision: each.id for each in told.decisions.browse(project="atlas")}
    told.decisions.revise(by_text["Keep user sessions in Redis"], "Keep the search index in Redis")
    report = told.conflicts.detect()
    assert report.settled == 1 and len(told.conflicts.list()) == 1
    (left,) = told.conflicts.list()
    told.conflicts.dismiss(left.id, "not now")
    told.decisions.revise(by_text[KAFKA], "Use NATS as the event bus")
    assert {frozenset(texts(each)) for each in told.conflicts.detect().found} == {
        frozenset(("Use NATS as the event bus", RABBIT))
    }


def test_what_was_revised_is_compared_again_before_the_next_detection(told: Forge) -> None:
    told.conflicts.detect()
    by_text = {each.decision: each.id for each in told.decisions.browse(project="atlas")}
    redis, kafka = by_text["Keep user sessions in Redis"], by_text[KAFKA]
    told.decisions.revise(redis, "Keep the search index in Redis")
    assert [texts(each) for each in told.conflicts.list()] == [{KAFKA, RABBIT}]
    assert told.conflicts.of(redis) == []
    told.decisions.revise(kafka, "Use Pulsar as the event bus")
    (left,) = told.conflicts.list()
    assert texts(left) == {"Use Pulsar as the event bus", RABBIT} and "Pulsar" in left.why
    assert told.conflicts.detect().settled == 1


def test_what_forbids_a_text_is_told_first(em: Forge) -> None:
    em.decisions.create("Flares are lit on the jetty by Wiebke", project="quay", tier=0.9)
    em.decisions.create("We never light flares inside the shed", project="quay")
    em.decisions.create("Flares inside the shed are lit manually", project="quay", tier=0.95)
    found = em.conflicts.check("Flares inside the shed are lit automatically on Mondays.", 0.5)
    assert [each.older.text for each in found] == [
        "We never light flares inside the shed",
        "Flares inside the shed are lit manually",
    ]


def test_detected_are_holders_versions_and_what_a_page_promises(em: Forge) -> None:
    pairs = [
        ("Wiebke owns the tide table.", "Jonte is in charge of the tide table."),
        (
            "The viewer runs on Android 10 and later.",
            "Anything older than Android 13 is turned away at the gate.",
        ),
        (
            "Crew photos are kept for two years.",
            "The leaflet promises that crew photos are erased after 30 days.",
        ),
        ("At Aarhus the pilots start after nine.", "At Esbjerg the pilots start before seven."),
    ]
    for one, other in pairs:
        em.remember(one, project="quay")
        em.remember(other, project="sound")
    found = {frozenset(texts(each)) for each in em.conflicts.detect().found}
    assert found == set(map(frozenset, pairs[:3]))


def test_what_was_superseded_conflicts_no_more(told: Forge) -> None:
    told.conflicts.detect()
    kafka = next(each for each in told.decisions.browse(project="atlas") if each.decision == KAFKA)
    told.decisions.invalidate(kafka.id)
    assert len(told.conflicts.list()) == 1


def test_a_text_is_checked_without_being_kept(told: Forge) -> None:
    found = told.conflicts.check("NATS is our event bus", 0.9)
    assert {each.older.text for each in found} == {KAFKA, RABBIT} and found[0].id == ""
    assert told.conflicts.check("NATS is our event bus", project="orion")[0].older.text == RABBIT
    rejecting = told.conflicts.check("The bus for events is NATS", rejected=["Kafka"])
    assert rejecting[0].signal == "rejected_alternative"
    assert told.conflicts.check("The gulls were loud on the quay") == ()
    assert told.conflicts.list() == []


def test_salience_is_the_strongest_open_conflict(told: Forge) -> None:
    def salience() -> dict[str, float]:
        hits = told.recall("event bus fence").hits
        return {hit.memory.content.split("\n")[0]: hit.parts.conflict_salience for hit in hits}

    assert set(salience().values()) == {0.0}
    told.conflicts.detect()
    (across,) = told.conflicts.of(told.conflicts.list("orion")[0].newer.id)
    after = salience()
    assert after[KAFKA] == after[RABBIT] == pytest.approx(across.score, abs=1e-6)
    assert after["The fence is green"] == 0
    told.conflicts.dismiss(across.id, "no")
    assert set(salience().values()) == {0.0}
    told.undo()
    told.roles.assign("atlas", "navigator")
    told.roles.assign("orion", "critic")
    lenses = told.orchestrate("which event bus?").per_lens
    assert lenses["critic"].results[0].parts.conflict_salience == pytest.approx(across.score, abs=1e-6)


def test_an_archive_tells_of_conflicts_of_any_project_with_both_reasons(told: Forge) -> None:
    told.decisions.create(
        "NATS carries the event bus of the demo", project="atlas", rationale="Small.", conversation="c2"
    )
    told.conflicts.detect()
    text = told.archives.compress("c1", project="atlas").text
    (row,) = [line for line in text.splitlines() if RABBIT in line]
    assert "It keeps what was sent." in row and "The team knows it." in row and "orion" in row
    (across,) = told.conflicts.list("orion")
    told.conflicts.dismiss(across.id, "two systems")
    again = told.archives.compress("c1", project="atlas").text
    assert not [line for line in again.splitlines() if RABBIT in line and "against" in line]


def test_a_memory_and_the_entry_read_from_it_are_one(local: Forge) -> None:
    local.remember("We decided: all times are stored in UTC.", project="atlas", kind="note")
    local.remember("We decided: all times are stored in local time.", project="atlas", kind="note")
    found = local.conflicts.detect().found
    assert len(found) == 1 and found[0].newer.entry_id is not None


def test_a_link_that_somebody_made_is_a_conflict(em: Forge) -> None:
    one = em.remember("The mill closes at six.", project="town")
    other = em.remember("Ask the miller, he is there in the evening.", project="town")
    felt = {"energy": 0.8, "confidence": 0.7, "emotion_vector": {}, "goal": "know", "mindstate": "calm"}
    em.link(one.id, other.id, "CONTRADICTS", **felt)
    (found,) = em.conflicts.list()
    assert (found.signal, found.score) == ("stated", 0.7)
    assert em.conflicts.detect(anew=True).settled == 0
    em.conflicts.dismiss(found.id, "he stays late")
    assert em.conflicts.list() == []


def test_pairs_are_compared_without_a_store(local: Forge) -> None:
    found = local.conflicts.compare([(KAFKA, RABBIT), (KAFKA, "The fence is green")])
    assert found[0] is not None and found[0][0] == "other_choice" and found[1] is None
    with pytest.raises(InvalidValue):
        local.conflicts.compare([("one",)])  # type: ignore[list-item]
    for odd in ((1, 2), ("one", None), 7):
        with pytest.raises(InvalidValue):
            local.conflicts.compare([odd])  # type: ignore[list-item]


def test_work_grows_with_the_memories(local: Forge) -> None:
    def compared(begin: int, end: int) -> int:
        local.remember_many(
            {"content": f"Pier {n} takes boats of type {n % 97} on day {n % 31}.", "project": f"p{n % 7}"}
            for n in range(begin, end)
        )
        return local.conflicts.detect(anew=True).pairs

    few = compared(0, 100)
    assert compared(100, 400) <= 4.5 * max(few, 100 * 6)


def test_lenses_are_silent_about_what_was_dismissed(told: Forge) -> None:
    told.roles.assign("atlas", "navigator")
    told.roles.assign("orion", "critic")

    def direction() -> set[frozenset[str]]:
        apart = told.orchestrate("which event bus?").divergence
        return {
            frozenset(
                each.memory.content.split("\n")[0] for each in (one.item_a, one.item_b) if each is not None
            )
            for one in apart
            if one.type == "conflicting_direction"
        }

    told.conflicts.detect()
    assert frozenset((KAFKA, RABBIT)) in direction()
    (across,) = told.conflicts.list("orion")
    told.conflicts.dismiss(across.id, "two systems that never meet")
    assert frozenset((KAFKA, RABBIT)) not in direction()
    told.undo()
    assert frozenset((KAFKA, RABBIT)) in direction()


def test_upkeep_goes_on_with_a_detection_that_was_asked_for(told: Forge) -> None:
    notes = [{"content": f"The gate {at} of the harbour was painted in colour {at}"} for at in range(60)]
    told.remember_many([{**each, "kind": "note", "project": "harbour"} for each in notes])
    assert "conflicts" not in told.due()
    told.conflicts.detect()
    assert "conflicts" not in told.due()
    told.remember_many([{**each, "kind": "note", "project": "quay"} for each in notes[:49]])
    told.decisions.create("NATS is the event bus", project="orion")
    assert "conflicts" in told.due()
    assert "conflicts" in told.upkeep()
    assert any("NATS is the event bus" in texts(each) for each in told.conflicts.list())
    assert "conflicts" not in told.due() and told.conflicts.detect().compared == 0


def test_undo_passes_over_what_upkeep_detected(told: Forge) -> None:
    told.conflicts.detect()
    notes = [{"content": f"The gate {at} of the harbour is open", "kind": "note"} for at in range(60)]
    told.remember_many([{**each, "project": "harbour"} for each in notes])
    redone = told.decisions.create("NATS is the event bus", project="orion")
    last = told.remember("The quay is closed on Sunday.", project="orion")
    assert "conflicts" in told.upkeep()
    (against,) = [each for each in told.conflicts.of(redone.id) if "RabbitMQ" in str(texts(each))]
    done = told.undo()
    assert [each.id for each in done.taken_back] == [last.id] and done.links == 0
    assert against in told.conflicts.list(), "what was found stands"
    assert [each.content for each in told.redo().restored] == ["The quay is closed on Sunday."]
    told.undo()
    told.undo()
    assert against not in told.conflicts.list(), "its statement is gone"
    assert [each.action for each in told.audit_log(20)].count("conflict") >= 1


def test_a_bounded_detection_leaves_the_rest_to_the_next(told: Forge) -> None:
    first, second = (told.conflicts.detect(most=3) for _ in range(2))
    assert (first.compared, first.left, second.compared, second.left) == (3, 2, 2, 0)
    assert told.conflicts.detect().compared == 0 and len(told.conflicts.list()) == 2
    for asked in ({"most": 0}, {"most": 3, "project": "atlas"}):
        with pytest.raises(InvalidValue):
            told.conflicts.detect(**asked)  # type: ignore[arg-type]


@pytest.mark.each_engine
def test_what_is_forgotten_meanwhile_keeps_nothing_of_the_others_back(told: Forge) -> None:
    stages = told._stages
    doomed = next(each.id for each in told.decisions.browse() if "Redis" in each.decision)

    def clock() -> datetime:
        told.forget([doomed])  # between the comparison and the write
        return stages.clock()

    detection = replace(stages.conflict_detection, clock=clock)
    detection.detect(told._scope)
    assert [texts(each) for each in told.conflicts.list()] == [{KAFKA, RABBIT}]
    assert told.conflicts.detect().compared == 0


def test_a_dismissal_holds_while_both_texts_say_the_same(told: Forge) -> None:
    told.conflicts.detect()
    (across,) = told.conflicts.list("orion")
    kafka = next(each for each in told.decisions.browse(project="atlas") if each.decision == KAFKA)
    assert told.conflicts.dismiss(across.id, "two systems").id == across.id
    told.decisions.revise(kafka.id, KAFKA.upper())
    assert told.conflicts.detect().found == ()
    told.decisions.invalidate(kafka.id)
    told.decisions.reinstate(kafka.id)
    assert told.conflicts.detect().found == ()
    told.decisions.revise(kafka.id, "Kafka is the event bus of all services")
    told.undo()
    assert told.conflicts.detect(anew=True).found == () and told.conflicts.list("orion") == []
    assert [each.id for each in told.conflicts.list(dismissed=True)] == [across.id]
    told.decisions.revise(kafka.id, "NATS is the event bus")
    assert len(told.conflicts.detect().found) == 1 == len(told.conflicts.list("orion"))
    assert told.conflicts.list(dismissed=True) == []


def test_a_declared_replacement_is_no_open_conflict(em: Forge) -> None:
    old = em.decisions.create("ADR 7: Format of the ferry log", project="quay")
    em.decisions.create(
        "ADR 9: Boxes for the ferry log", rationale="This replaces the lines of ADR 7.", project="quay"
    )
    report = em.conflicts.detect()
    assert (report.found, report.replaced) == ((), 1)
    assert em.conflicts.list() == [] == em.conflicts.of(old.id) == em.conflicts.list(dismissed=True)
    (pair,) = em.conflicts.list(replaced=True)
    assert pair.signal == "replacement" and [pair.id] == [
        x.id for x in em.conflicts.of(old.id, replaced=True)
    ]
    again = em.conflicts.detect(anew=True)
    assert (again.found, again.replaced, again.settled) == ((), 0, 0)


def test_a_pair_is_found_however_it_is_asked_for(local: Forge) -> None:
    local.decisions.create("Timestamps are stored in UTC.", project="atlas")
    local.decisions.create("Timestamps are stored in the local time of the branch.", project="orion")
    local.remember_many(
        {"content": f"{thing} have timestamps, stored beside them.", "kind": "note", "project": "logs"}
        for thing in ("Orders", "Carts", "Users", "Visits", "Bills", "Parcels", "Letters", "Ships", "Boxes")
    )
    whole = [texts(each) for each in local.conflicts.detect().found]
    local.undo()
    narrow = [texts(each) for each in local.conflicts.detect(["atlas", "orion"]).found]
    assert len(narrow) == 1 and narrow == whole


def test_a_decision_says_at_once_what_stands_against_it(em: Forge) -> None:
    there = em.decisions.create("Access tokens expire after 15 minutes.", project="atlas")
    assert there.contradicts == ()
    made = em.decisions.create("Access tokens are valid for 24 hours.", project="orion")
    (line,) = made.contradicts
    assert there.id in line and "atlas" in line and "15 minutes" in line
    assert (
        em.decisions.create("Access tokens live for two days.", project="orion", near=False).contradicts == ()
    )
    near = em.remember("Access tokens are good for 3 hours.", kind="decision", project="atlas").near
    assert any(each.contradicts for each in near)


def test_a_long_record_conflicts_by_its_heading(local: Forge) -> None:
    why = " It was weighed for long, with many words on cost, on care and on who is called at night." * 5
    local.decisions.create(f"One cluster for all environments: we went with it.{why}", project="quay")
    local.decisions.create(f"Multi-cluster: we split it.{why} Nobody minded.", project="quay")
    (found,) = local.conflicts.detect().found
    assert found.signal == "other_choice"
