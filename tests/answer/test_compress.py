"""Compress: what an archive holds, what it counts, and how it chooses where there is no room for all."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engramforge.core.archive_format.reader import read_archive
from engramforge.errors import InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus

LONG_AGO = datetime(2026, 1, 5, tzinfo=UTC)
TURNS = [
    "Shall we page the list of valves by cursor or by offset?",
    "By cursor, because rows are added all the time.",
    "The migration has to be ready before May 3rd, says Iwona.",
]


def talk(em: Forge, conversation: str = "c1", project: str = "atlas", turns: list[str] = TURNS) -> None:
    """Remember a conversation."""
    em.remember_many(
        {
            "content": text,
            "project": project,
            "kind": "message",
            "session_id": conversation,
            "sequence": number,
            "speaker": ("Ada", "Bo")[number % 2],
        }
        for number, text in enumerate(turns)
    )


def test_a_lossless_archive_says_all_of_it_and_counts_what_it_carries(em: Forge) -> None:
    talk(em)
    em.remember("v1", project="atlas", kind="artifact", session_id="c1", sequence=9, name="plan")
    sure = em.decisions.create(
        "Page the list by cursor",
        rationale="rows are added all the time",
        tier=0.9,
        alternatives_rejected=["offset"],
        project="atlas",
        conversation="c1",
        local_id="D001",
        recorded_at=LONG_AGO,
    )
    stale = em.decisions.create(
        "Pages hold 50 rows", tier=0.4, project="atlas", conversation="c1", recorded_at=LONG_AGO
    )
    gone = em.decisions.create("Use XML", project="atlas", conversation="c1", local_id="D001")
    em.decisions.invalidate(gone.id)
    waiting = em.threads.create("Cut the drift", project="atlas", conversation="c1", priority="high")
    closed = em.threads.create("Choose a format", project="atlas", conversation="c1", local_id="T007")
    em.threads.update(closed.id, status="resolved", resolution="JSON", conversation="c1")

    archive = em.archives.compress("c1", tag="PAGING")

    read = read_archive(archive.text)
    assert read.problems == ()
    assert read.content == archive.content
    content = read.content
    assert [memory.content for memory in content.memories] == TURNS
    assert [artifact.name for artifact in content.artifacts] == ["plan"]
    by_id = {decision.id: decision for decision in content.decisions}
    # Critical before high before low, and two decisions of the same name are two.
    assert [decision.id for decision in content.decisions] == [sure.id, stale.id, gone.id]
    assert len({decision.local_id for decision in content.decisions}) == 3
    assert by_id[sure.id].local_id == "D001"
    assert by_id[sure.id].rationale == "rows are added all the time"
    assert by_id[sure.id].alternatives_rejected == ("offset",)
    assert by_id[gone.id].status is DecisionStatus.INVALIDATED
    assert {thread.id: thread.status for thread in content.threads} == {
        waiting.id: ThreadStatus.OPEN,
        closed.id: ThreadStatus.RESOLVED,
    }
    assert content.threads[0].id == waiting.id
    assert content.external_store["type"] == "engramforge"
    # The stale one is listed and does not count as validated; both are one hop further.
    (row,) = content.revalidation
    assert (row.decision, row.hops) == ("Pages hold 50 rows", 1)
    after = {decision.id: decision for decision in em.decisions.browse(project="atlas", status="active")}
    assert (after[stale.id].hops, after[stale.id].validation_count) == (1, 0)
    assert after[stale.id].last_validated == LONG_AGO
    assert (after[sure.id].hops, after[sure.id].validation_count) == (1, 1)
    assert after[sure.id].last_validated == archive.edge.compressed_at
    for item in after.values():
        said = by_id[item.id]
        counters = (said.hops, said.validation_count, said.last_validated)
        assert counters == (item.hops, item.validation_count, item.last_validated)
    edge = em.lineage.get(archive.edge.id)
    assert set(edge.decisions_carried) == {sure.id, stale.id}
    assert (edge.threads_carried, edge.threads_resolved) == ((waiting.id,), (closed.id,))
    assert edge.target_conversation_id is None
    assert edge.compression_tag == "PAGING"
    assert archive.id is not None
    assert em.archives.get(archive.id).text == archive.text
    assert [memory.id for memory in em.archives.browse(conversation="c1")] == [archive.id]


def test_what_others_decided_is_told_and_conflicts_come_first(em: Forge) -> None:
    em.decisions.create("Pages hold 50 rows", project="atlas", conversation="c1")
    em.decisions.create(
        "Use UUID v7 for ids", project="atlas", conversation="c1", alternatives_rejected=["auto-increment"]
    )
    against = em.decisions.create("Pages hold 100 rows", project="bridge", conversation="x")
    same = em.decisions.create("Every id is a UUID v7", project="bridge", conversation="x")
    em.decisions.create("Paint the hall blue", project="bridge", conversation="x")
    related = em.archives.compress("c1").content.related
    assert [(record.id, record.project, record.conflicts) for record in related] == [
        (against.id, "bridge", True),
        (same.id, "bridge", False),
    ]
    assert all(0 < item.relevance <= 1 for item in related)


def test_undo_takes_a_compression_back_whole(em: Forge) -> None:
    talk(em)
    made = em.decisions.create(
        "Page by cursor", project="atlas", conversation="c1", rationale="rows are added"
    )
    before = em.decisions.get(made.id)
    archive = em.archives.compress("c1")
    em.undo()
    assert em.decisions.get(made.id) == before
    assert em.archives.browse() == []
    with pytest.raises(NotFound):
        em.archives.get(str(archive.id))
    em.redo()
    assert em.archives.get(str(archive.id)).text == archive.text
    assert em.decisions.get(made.id).hops == 1


def test_what_is_forgotten_leaves_the_archives_that_said_it(local: Forge) -> None:
    talk(local)
    secret = local.memories(session_id="c1", kinds="message")[0]
    archive = local.archives.compress("c1")
    local.forget(secret.logical_id)
    with pytest.raises(NotFound):
        local.archives.get(str(archive.id))
    assert local.lineage.get(archive.edge.id).source_conversation_id == "c1"


def test_a_lossy_archive_keeps_within_its_size_and_drops_the_least(em: Forge) -> None:
    talk(em, turns=[f"Turn {number}: Iwona checked valve {number} in Gdansk." for number in range(60)])
    for number in range(12):
        em.decisions.create(
            f"Decision number {number} about valve {number} " + "and its many parts " * 8,
            rationale="it leaks" if number < 3 else "",
            project="atlas",
            conversation="c1",
        )
    em.threads.create("Find the leak", priority="high", project="atlas", conversation="c1")
    em.threads.create("Polish the brass", priority="low", project="atlas", conversation="c1")
    archive = em.archives.compress("c1", "lossy", size=4_000)
    assert len(archive.text) <= 4_000
    content = read_archive(archive.text).content
    assert content == archive.content
    assert sum(bool(decision.rationale) for decision in content.decisions) == 3
    assert [thread.title for thread in content.threads] == ["Find the leak"]
    assert "valve" in content.summary
    assert content.memories == ()
    assert archive.warnings
    assert len(archive.edge.decisions_dropped) == 12 - len(content.decisions) > 0
    whole = em.archives.compress("c1", "lossy", size=40_000)
    assert whole.warnings == ()
    assert len(whole.content.decisions) == 12


def test_a_partial_archive_keeps_what_matches(em: Forge) -> None:
    talk(em, turns=[*TURNS, "Lunch was soup today.", "The cursor has to be opaque."])
    cursor = em.decisions.create("Page the list by cursor", project="atlas", conversation="c1")
    soup = em.decisions.create("Order soup on Mondays", project="atlas", conversation="c1")
    archive = em.archives.compress("c1", "partial", "pagination by cursor")
    assert [decision.id for decision in archive.content.decisions] == [cursor.id]
    said = [memory.content for memory in archive.content.memories]
    assert "The cursor has to be opaque." in said
    assert "Lunch was soup today." not in said
    assert archive.edge.decisions_dropped == (soup.id,)
    assert em.decisions.get(soup.id).hops == 0
    assert archive.content.context == "pagination by cursor"


def test_a_partial_archive_of_nothing_says_so(local: Forge) -> None:
    talk(local)
    archive = local.archives.compress("c1", "partial", "zeppelins over the fjord")
    assert archive.warnings == ("nothing of the conversation matches the context",)
    assert archive.content.memories == ()


def test_only_some_turns(local: Forge) -> None:
    talk(local)
    archive = local.archives.compress("c1", turn_range=(2, 3))
    assert [memory.content for memory in archive.content.memories] == TURNS[1:]
    assert archive.edge.turn_range == (2, 3)
    with pytest.raises(InvalidValue, match="3 turns"):
        local.archives.compress("c1", turn_range=(1, 4))


def test_a_name_that_two_projects_have_needs_the_project(local: Forge) -> None:
    talk(local)
    talk(local, project="bridge", turns=["Another matter."])
    with pytest.raises(InvalidValue, match="Name the project"):
        local.archives.compress("c1")
    assert len(local.archives.compress("c1", project="bridge").content.memories) == 1
    with pytest.raises(NotFound, match="no project"):
        local.archives.compress("c1", project="bridg")
    with pytest.raises(NotFound, match="no conversation"):
        local.archives.compress("c9")


@pytest.mark.parametrize(
    "asked",
    [
        {"mode": "best"},
        {"mode": "partial"},
        {"context": "valves"},
        {"size": 4_000},
        {"mode": "lossy", "size": 100},
        {"turn_range": (3, 1)},
        {"turn_range": "all"},
        {"tag": "x" * 300},
    ],
)
def test_an_unsound_request_changes_nothing(local: Forge, asked: dict[str, object]) -> None:
    talk(local)
    with pytest.raises(InvalidValue):
        local.archives.compress("c1", **asked)  # type: ignore[arg-type]
    assert local.archives.browse() == []


def test_secrets_in_a_tag_are_redacted_everywhere(local: Forge) -> None:
    talk(local)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    archive = local.archives.compress("c1", tag=f"for {secret}")
    assert secret not in archive.text
    assert secret not in str(local.lineage.get(archive.edge.id))


def test_an_archive_that_is_too_large_is_not_kept(local: Forge) -> None:
    talk(local, turns=[f"{number} " + "valve " * 30_000 for number in range(6)])
    archive = local.archives.compress("c1")
    assert archive.id is None
    assert "no copy" in archive.warnings[0]
    assert read_archive(archive.text).content == archive.content
    assert local.lineage.get(archive.edge.id).archive_id is None


def test_hops_make_a_decision_stale_and_validation_makes_it_fresh(local: Forge) -> None:
    made = local.decisions.create("Page by cursor", tier=1.0, project="atlas", conversation="c1")
    listed = [len(local.archives.compress("c1").content.revalidation) for _ in range(4)]
    assert listed == [0, 0, 0, 1]
    after = local.decisions.get(made.id)
    assert (after.hops, after.validation_count) == (4, 3)
    local.decisions.validate(made.id)
    assert local.archives.compress("c1").content.revalidation == ()
    assert local.decisions.get(made.id).hops == 1
    assert local.decisions.get(made.id).last_validated > after.last_validated


def test_a_collective_conversation_is_compressed_too(local: Forge) -> None:
    local.remember("Shared by all.", project="atlas", kind="message", session_id="c1", level="collective")
    assert local.archives.compress("c1").content.memories[0].content == "Shared by all."


SMALL_TALK = [
    f"Small talk {number}: the weather in Gdansk was fine, and Iwona had {number} pierogi."
    for number in range(60)
]


@pytest.mark.parametrize("order", ["oldest first", "newest first"])
def test_a_lossy_archive_drops_by_importance_and_not_by_age(local: Forge, order: str) -> None:
    """What matters most is the oldest, or the newest; at every size the least goes first, and small talk before all."""
    talk(local, turns=SMALL_TALK)

    def decided(number: int, why: str, tier: float) -> str:
        text = (
            f"Choice {number}: valve {number} is of bronze "
            + f"with its gasket{number} and flange{number} " * 3
        )
        where = {"project": "atlas", "conversation": "c1"}
        return local.decisions.create(text, rationale=why, tier=tier, **where).id

    def opened(number: int, priority: str) -> str:
        where = {"project": "atlas", "conversation": "c1"}
        return local.threads.create(
            f"Question {number} of the {priority} ones", priority=priority, **where
        ).id

    made: list[tuple[int, str]] = []
    kinds = [(0, "leaks"), (0, "high"), (1, ""), (1, "medium"), (2, "low"), (2, "low")]
    for rank, what in sorted(kinds * 4, reverse=order == "newest first"):
        number = len(made)
        is_decided = what in ("leaks", "")
        made.append((rank, decided(number, what, 0.5) if is_decided else opened(number, what)))
    seen = set()
    for size in range(2_000, 9_000, 300):
        archive = local.archives.compress("c1", "lossy", size=size)
        content = archive.content
        assert len(archive.text) <= size
        kept = {each.id for each in (*content.decisions, *content.threads)}
        lost = [rank for rank, id_ in made if id_ not in kept]
        assert all(rank <= min(lost) for rank, id_ in made if lost and id_ in kept), (
            "no lower rank before a higher"
        )
        if lost:
            assert len(content.summary) < 400, "only what is no room for an entry is left to small talk"
        seen.add(len(lost))
    assert 0 in seen and len(seen) > 10, "most sizes are too small for all"
    assert "pierogi" in content.summary


def test_of_equal_rank_the_surer_stays(local: Forge) -> None:
    talk(local, turns=SMALL_TALK)
    where = {"project": "atlas", "conversation": "c1"}
    tiers = {
        local.decisions.create(f"Valve {place} is of {'bronze ' * 20}", tier=tier, **where).id: tier
        for place, tier in enumerate((0.2, 0.9, 0.4, 0.7, 0.3, 0.8, 0.5, 0.6))
    }
    content = local.archives.compress("c1", "lossy", size=2_300).content
    kept = sorted((tiers[str(each.id)] for each in content.decisions), reverse=True)
    assert 0 < len(kept) < len(tiers)
    assert kept == sorted(tiers.values(), reverse=True)[: len(kept)]


def test_what_ended_and_artefacts_come_before_small_talk(local: Forge) -> None:
    talk(local, turns=SMALL_TALK)
    where = {"project": "atlas", "session_id": "c1"}
    local.remember("valve = bronze(12)", kind="artifact", name="valve.py", **where, sequence=90)
    old = local.decisions.create("The gasket is of cork", project="atlas", conversation="c1")
    local.decisions.supersede(old.id, "The gasket is of rubber", conversation="c1")
    content = local.archives.compress("c1", "lossy", size=4_000).content
    assert [each.status for each in content.decisions] == ["active", "superseded"]
    assert [each.name for each in content.artifacts] == ["valve.py"]
    assert "pierogi" in content.summary
