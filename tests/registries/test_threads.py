"""Threads through the facade: opened, waiting, closed, opened again, found."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

import engramforge
from engramforge.errors import Conflict, InvalidContent, InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.link import Relation
from engramforge.model.memory import ResolutionState
from engramforge.model.registries.entry import Priority, ThreadStatus
from engramforge.model.registries.thread import Blocker

OPEN, RESOLVED, SUPERSEDED, ABANDONED = ThreadStatus
A_YEAR_AGO = datetime.now(UTC) - timedelta(days=365)
_numbers = count(1)


@pytest.fixture
def project() -> str:
    """A project of the test's own."""
    return f"threads-{next(_numbers)}"


@pytest.mark.each_engine
def test_a_thread_with_all_its_fields(em: Forge, project: str) -> None:
    base = em.threads.create("Measure the pier", project=project)
    made = em.threads.create(
        "Order the planks",
        "Oak or larch, and how many?",
        priority="high",
        project=project,
        conversation="talk-1",
        local_id="T001",
        blocked_by=[base.id],
        tags=["wood"],
        valid_at="2026-01-02",
        recorded_at=A_YEAR_AGO,
    )
    assert made.id == "thr_" + made.memory_id[-12:]
    assert (made.title, made.content) == ("Order the planks", "Oak or larch, and how many?")
    assert (made.status, made.priority, made.version) == (OPEN, Priority.HIGH, 1)
    assert (made.first_seen_in, made.conversation_ids, made.local_id) == ("talk-1", ("talk-1",), "T001")
    assert (made.resolved_in, made.resolution, made.tags, made.project) == (None, None, ("wood",), project)
    assert made.blocked_by == (Blocker(base.id, "Measure the pier", OPEN),)
    assert made.is_blocked
    assert made.opened_at == made.valid_at == datetime(2026, 1, 2, tzinfo=UTC)
    assert made.created_at == A_YEAR_AGO
    memory = em.get(made.memory_id)
    assert (memory.name, memory.content, memory.session_id) == (made.title, made.content, "talk-1")
    for named in (made.id, made.id.upper(), made.memory_id, memory.id):
        assert em.threads.get(named) == made
    assert em.threads.get("T001", conversation="talk-1") == made
    (link,) = em.links(made.memory_id, relation="BLOCKED_BY")
    assert (link.source_id, link.target_id) == (made.memory_id, base.memory_id)
    assert (base.content, base.priority, base.is_blocked) == ("", Priority.MEDIUM, False)


def test_closing_the_blocker_is_visible_at_once(em: Forge, project: str) -> None:
    first = em.threads.create("Measure", project=project, conversation="talk-2", local_id="T001")
    second = em.threads.create("Order", project=project, conversation="talk-2", blocked_by="T001")
    third = em.threads.create("Build", project=project, blocked_by=[first.id, second.memory_id, first.id])
    assert [thread.id for thread in third.blocked_by] == [first.id, second.id]
    assert [thread.is_blocked for thread in em.threads.active(project)] == [False, True, True]
    em.threads.update(first.id, status="resolved")
    assert em.threads.get(second.id).blocked_by == (Blocker(first.id, "Measure", RESOLVED),)
    assert [thread.is_blocked for thread in em.threads.active(project)] == [False, True]
    em.threads.update(second.id, status="abandoned")
    assert not em.threads.get(third.id).is_blocked
    em.threads.update(first.id, status="open")
    assert em.threads.get(third.id).is_blocked
    # What was forgotten blocks nothing, and is named nowhere.
    em.forget(first.memory_id)
    after = em.threads.get(third.id)
    assert [thread.id for thread in after.blocked_by] == [second.id]
    assert not after.is_blocked
    with pytest.raises(NotFound):
        em.threads.get(first.id)


def test_words_of_one_open_thread_s_title_stand_for_its_id(em: Forge, project: str) -> None:
    tide = em.threads.create("The tide list for the outer quays", project=project)
    em.threads.create("Paint the quays", project=project)
    assert em.threads.update("Tide list", status="resolved", resolution="it hangs there").id == tide.id
    with pytest.raises(InvalidValue):
        em.threads.update("tide list", status="open")
    again = em.threads.create("The tide list for the inner quays", project=project)
    em.threads.update(tide.id, status="open")
    with pytest.raises(InvalidValue, match="names several threads"):
        em.threads.update("tide list", status="resolved")
    assert em.threads.get("the tide list for the INNER quays").id == again.id
    with pytest.raises(InvalidValue, match="is no id of a thread"):
        em.threads.get("ide list")


def test_a_thread_never_waits_for_itself(em: Forge, project: str) -> None:
    chain = [em.threads.create("Step 0", project=project)]
    for number in range(1, 8):
        chain.append(em.threads.create(f"Step {number}", project=project, blocked_by=chain[-1].id))
    for at, waits_for in ((0, 0), (0, 1), (0, 7), (3, 5)):
        with pytest.raises(InvalidValue, match=r"would wait for itself.*Step"):
            em.threads.update(chain[at].id, blocked_by=[chain[waits_for].id])
    assert em.threads.get(chain[0].id) == chain[0]
    assert em.threads.update(chain[7].id, blocked_by=[chain[2].id, chain[0].id]).version == 2
    assert len(em.links(chain[7].memory_id, relation="BLOCKED_BY")) == 2
    # Once it waits for nothing, what waited for it before may be waited for.
    assert em.threads.update(chain[7].id, blocked_by=[]).blocked_by == ()
    assert em.links(chain[7].memory_id, relation="BLOCKED_BY") == []
    em.threads.update(chain[6].id, blocked_by=[chain[7].id])


@pytest.mark.each_engine
def test_two_who_make_two_threads_wait_for_each_other(place: str, em: Forge, project: str) -> None:
    first, other = (em.threads.create(title, project=project) for title in ("Hen", "Egg"))
    begin, faults = threading.Barrier(2), []

    def wait(mine: str, theirs: str) -> None:
        with engramforge.open(place) as forge:
            begin.wait()
            try:
                forge.threads.update(mine, blocked_by=theirs)
            except InvalidValue as error:
                faults.append(error)

    both = [threading.Thread(target=wait, args=ids) for ids in ((first.id, other.id), (other.id, first.id))]
    for each in both:
        each.start()
    for each in both:
        each.join()
    assert len(faults) == 1
    assert sum(thread.is_blocked for thread in em.threads.active(project)) == 1


def test_closed_and_opened_again(em: Forge, project: str) -> None:
    made = em.threads.create(
        "Which port?", "The small or the large one.", project=project, conversation="talk-a"
    )
    closed = em.threads.update(made.id, status="resolved", resolution="The small one.", conversation="talk-b")
    assert (closed.id, closed.version, closed.status) == (made.id, 2, RESOLVED)
    assert (closed.resolution, closed.resolved_in) == ("The small one.", "talk-b")
    assert closed.conversation_ids == ("talk-a", "talk-b")
    assert (closed.title, closed.content) == (made.title, made.content)
    assert closed.opened_at == made.opened_at < closed.valid_at
    memory = em.get(made.memory_id)
    assert memory.content == "The small or the large one.\n\nResolved: The small one."
    assert memory.resolution_state is ResolutionState.RESOLVED
    # A recall finds it by how it was closed, and shows that it is.
    (hit,) = em.recall("small port", project=project, scope="threads").hits
    assert "Resolved" in hit.memory.content
    before = em.recall("small port", project=project, as_of=made.created_at).hits
    assert [entry.memory.content for entry in before] == [made.content]
    again = em.threads.update(made.id, status="open", conversation="talk-c")
    assert (again.version, again.status, again.resolution, again.resolved_in) == (3, OPEN, None, None)
    assert again.content == made.content
    assert again.conversation_ids == ("talk-a", "talk-b", "talk-c")
    assert em.get(made.memory_id).content == made.content
    history = em.threads.history(made.id)
    assert [(version.version, version.status) for version in history] == [(1, OPEN), (2, RESOLVED), (3, OPEN)]
    assert history[1].resolution == "The small one."
    relations = [link.relation for link in em.links(made.memory_id)]
    assert relations == [Relation.SUPERSEDES, Relation.SUPERSEDES]
    dropped = em.threads.update(made.id, status="abandoned")
    assert (dropped.resolution, em.get(made.memory_id).content) == (
        None,
        f"{made.content}\n\nAbandoned.",
    )


def test_what_changes_is_a_version_and_what_is_said_already_is_none(em: Forge, project: str) -> None:
    made = em.threads.create("Paint", project=project, conversation="talk-p", tags=["a"])
    same = em.threads.update(
        made.id, title="Paint", status="open", priority="medium", tags=["a"], blocked_by=[]
    )
    assert same == made
    mentioned = em.threads.update(made.id, conversation="talk-q")
    assert (mentioned.version, mentioned.conversation_ids) == (1, ("talk-p", "talk-q"))
    assert em.threads.update(made.id, conversation="talk-q") == mentioned
    corrected = em.threads.update(made.id, title="Paint the hull", content="In red.", tags=[])
    assert (corrected.title, corrected.content, corrected.tags) == ("Paint the hull", "In red.", ())
    # A correction: it was so all the time.
    assert (corrected.version, corrected.valid_at) == (2, made.valid_at)
    urgent = em.threads.update(made.id, priority="high", at=made.valid_at + timedelta(microseconds=1))
    assert (urgent.priority, urgent.valid_at) == (Priority.HIGH, made.valid_at + timedelta(microseconds=1))
    assert urgent.opened_at == made.opened_at
    closed = em.threads.update(made.id, status="resolved", resolution="In blue.")
    reworded = em.threads.update(made.id, resolution="In dark blue.")
    assert (reworded.resolution, reworded.valid_at) == ("In dark blue.", closed.valid_at)
    assert [version.version for version in em.threads.history(made.id)] == [1, 2, 3, 4, 5]
    assert em.threads.update(made.id, content="").content == ""
    assert em.get(made.memory_id).content == "Paint the hull\n\nResolved: In dark blue."


@pytest.mark.each_engine
def test_the_most_urgent_first_then_the_oldest(em: Forge, project: str) -> None:
    other = f"{project}-other"
    for title, priority, day in (
        ("low old", "low", 1),
        ("medium old", "medium", 2),
        ("medium new", "medium", 9),
        ("high new", "high", 8),
        ("high old", "high", 3),
    ):
        em.threads.create(title, priority=priority, project=project, valid_at=f"2026-01-0{day}")
    em.threads.create("elsewhere", priority="high", project=other)
    names = ["high old", "high new", "medium old", "medium new", "low old"]
    assert [thread.title for thread in em.threads.active(project)] == names
    assert [thread.title for thread in em.threads.active(project, limit=2)] == names[:2]
    assert "elsewhere" in [thread.title for thread in em.threads.active([project, other])]
    # One that waits, and one that was opened again, are as old as they were.
    em.threads.update(
        em.threads.search("high old", project=project)[0].id, blocked_by=em.threads.active(other)[0].id
    )
    medium = em.threads.search("medium old", project=project)[0].id
    em.threads.update(medium, status="superseded", at="2026-02-01")
    assert [thread.title for thread in em.threads.active(project)] == [
        name for name in names if name != "medium old"
    ]
    em.threads.update(medium, status="open")
    assert [thread.title for thread in em.threads.active(project)] == names
    with pytest.raises(NotFound):
        em.threads.active("no-such-project")


@pytest.mark.each_engine
def test_a_search_filters_inside_the_scan(em: Forge, project: str) -> None:
    for number in range(12):
        closed = em.threads.create(f"Repair the crane number {number}", project=project, conversation="yard")
        em.threads.update(closed.id, status="resolved", resolution="Welded.")
    still = em.threads.create(
        "The crane squeaks", project=project, conversation="quay", local_id="T7", tags=["noise"]
    )
    found = em.threads.search("Repair the crane", project=project, limit=3)
    assert [record.id for record in found] == [still.id]
    assert 0 < (found[0].score or 0) <= 1
    assert len(em.threads.search("crane", project=project, status="resolved", limit=100)) == 12
    assert len(em.threads.search("crane", project=project, status=None, limit=100)) == 13
    assert {
        item.resolution for item in em.threads.search("welded", project=project, status=None, limit=5)
    } == {"Welded."}
    for asked, expected in (
        ({"conversation": "quay"}, [still.id]),
        ({"conversation": "nowhere"}, []),
        ({"tags": "noise"}, [still.id]),
        ({"tags": ["noise", "dust"]}, []),
        ({"until": "2020-01-01"}, []),
        ({"status": "abandoned"}, []),
    ):
        answer = em.threads.search("crane", project=project, **asked)
        assert [record.id for record in answer] == expected
    for named in (still.id, "T7", "t7"):
        (direct,) = em.threads.search(named, project=project)
        assert (direct.id, direct.score) == (still.id, 1.0)
    assert em.threads.search(still.id, status="resolved")[0].id == still.id
    assert em.threads.search("thr_000000000000") == []
    assert em.recall("crane", project=project, scope="decisions").hits == ()


def test_threads_are_listed_as_they_stand(em: Forge, project: str) -> None:
    thread = em.threads.create(
        "One", project=project, conversation="x", local_id="T001", valid_at="2026-01-01"
    )
    two = em.threads.create("Two", project=project, conversation="y", local_id="T001", valid_at="2026-01-02")
    em.threads.update(thread.id, status="resolved", conversation="y", at="2026-01-03")
    em.invalidate(two.memory_id)

    def listed(**asked: str | int) -> list[tuple[str, ThreadStatus]]:
        return [(each.title, each.status) for each in em.threads.browse(project=project, **asked)]  # type: ignore[arg-type]

    # One that ended by a word from outside does not look open.
    assert listed() == [("One", RESOLVED), ("Two", ABANDONED)]
    assert em.threads.get(two.id).status is ABANDONED
    assert em.threads.active(project) == []
    assert listed(status="resolved") == listed(conversation="x") == listed(limit=1) == [("One", RESOLVED)]
    assert listed(offset=1) == [("Two", ABANDONED)]
    assert len(listed(local_id="T001")) == len(listed(conversation="y")) == 2
    with pytest.raises(InvalidValue, match="names several threads"):
        em.threads.get("T001", conversation="y")
    with pytest.raises(Conflict, match="ended"):
        em.threads.update(two.id, resolution="No.")
    back = em.threads.update(two.id, status="open")
    assert (back.status, back.version) == (OPEN, 2)


def test_a_thread_that_was_only_remembered_is_one(em: Forge, project: str) -> None:
    memory = em.remember(
        "Find the key.\nIt opens the shed.", kind="thread", project=project, session_id="talk-k"
    )
    (thread,) = em.threads.active(project)
    assert (thread.memory_id, thread.title) == (memory.logical_id, "Find the key.")
    assert thread.content == memory.content
    assert (thread.status, thread.priority, thread.first_seen_in) == (OPEN, Priority.MEDIUM, "talk-k")
    closed = em.threads.update(thread.id, status="resolved", resolution="Under the mat.")
    assert (closed.title, closed.content) == (thread.title, thread.content)
    assert em.get(memory.logical_id).content == f"{memory.content}\n\nResolved: Under the mat."
    # A change by the verbs of memories keeps the registry's part.
    em.supersede(memory.logical_id, "Find the spare key.")
    assert em.threads.get(thread.id).status is RESOLVED
    assert em.threads.get(thread.id).title == "Find the spare key."


@pytest.mark.each_engine
def test_undo_takes_a_change_back_with_its_links(em: Forge, project: str) -> None:
    base = em.threads.create("Base", project=project)
    made = em.threads.create("Rest", project=project)
    em.threads.update(made.id, blocked_by=base.id)
    em.undo()
    assert em.threads.get(made.id).blocked_by == ()
    assert em.links(made.memory_id, relation="BLOCKED_BY") == []
    em.redo()
    assert em.threads.get(made.id).is_blocked
    em.threads.update(base.id, status="resolved", resolution="Done.")
    em.undo()
    assert (em.threads.get(base.id).status, em.threads.get(made.id).is_blocked) == (OPEN, True)
    extra = em.threads.create("Extra", project=project, blocked_by=base.id)
    em.undo()
    with pytest.raises(NotFound):
        em.threads.get(extra.id)
    assert [thread.title for thread in em.threads.active(project)] == ["Base", "Rest"]


def test_what_is_not_sound_changes_nothing(em: Forge, project: str) -> None:
    made = em.threads.create("Sound", project=project)
    for conversation in ("one", "other"):
        em.threads.create("Twice", project=project, conversation=conversation, local_id="T001")
    decision = em.decisions.create("No thread", project=project)
    refused = [
        (InvalidValue, {}),
        (InvalidValue, {"status": "done"}),
        (InvalidValue, {"priority": "urgent"}),
        (InvalidValue, {"resolution": "It is open."}),
        (InvalidValue, {"title": "two\nlines"}),
        (InvalidValue, {"title": ""}),
        (InvalidValue, {"content": 7}),
        (NotFound, {"blocked_by": "T999"}),
        (InvalidValue, {"blocked_by": [decision.id]}),
        (Conflict, {"blocked_by": [decision.memory_id]}),
        (NotFound, {"blocked_by": ["thr_000000000000"]}),
        (InvalidTime, {"status": "resolved", "at": made.valid_at}),
        (InvalidTime, {"status": "resolved", "at": "2026-01-01T10:00:00"}),
        (InvalidTime, {"status": "resolved", "recorded_at": datetime.now(UTC) + timedelta(days=1)}),
        (InvalidContent, {"status": "resolved", "resolution": "x" * 999_990}),
        (Conflict, {"status": "resolved", "expected_version": 2}),
        (Conflict, {"conversation": "c", "expected_version": 2}),
    ]
    for error, asked in refused:
        with pytest.raises(error):
            em.threads.update(made.id, **asked)  # type: ignore[arg-type]
        assert em.threads.get(made.id) == made, asked
    for error, named in (
        (InvalidValue, "T001"),
        (InvalidValue, ""),
        (InvalidValue, decision.id),
        (Conflict, decision.memory_id),
        (NotFound, "thr_000000000000"),
    ):
        with pytest.raises(error):
            em.threads.get(named)
    with pytest.raises(NotFound):
        em.threads.get("T404", conversation="c")


def test_secrets_do_not_enter_through_a_resolution(em: Forge, project: str) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    made = em.threads.create("Find the key", project=project)
    closed = em.threads.update(made.id, status="resolved", resolution=f"It is {key}.")
    assert key not in (closed.resolution or "")
    assert key not in em.get(made.memory_id).content
    assert closed.content == ""


@pytest.mark.each_engine
def test_another_agent_s_threads_are_not_there(place: str, em: Forge, project: str) -> None:
    mine = em.threads.create("Mine", project=project)
    with engramforge.open(place, agent="bo") as other:
        with pytest.raises(NotFound):
            other.threads.get(mine.id)
        with pytest.raises(NotFound):
            other.threads.create("Theirs", blocked_by=mine.id)
        assert mine.id not in [thread.id for thread in other.threads.browse(limit=1_000)]
