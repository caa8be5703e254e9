"""Finding decisions: by words and meaning, by filters that act within the search, and those that are stale."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from engramforge.errors import Conflict, InvalidTime, InvalidValue, NotFound
from engramforge.forge import Forge
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus
from engramforge.registries.decisions.decision_revision import carry

pytestmark = pytest.mark.each_engine

NOW = datetime.now(UTC)


def carry_times(em: Forge, decision: Decision, times: int, for_revalidation: bool = False) -> None:
    """Let archives carry a decision so often."""
    memory = em.get(decision.memory_id)
    listed = {memory.logical_id} if for_revalidation else set()
    for _ in range(times):
        em._stages.door.write(em._scope, lambda writes: carry(writes, [memory], listed, datetime.now(UTC)))


def ids(found: list[Decision]) -> list[str]:
    return [record.id for record in found]


def test_search_finds_by_words_meaning_and_reason(em: Forge) -> None:
    made = em.decisions.create(
        "Use PostgreSQL as the database",
        rationale="Row locks",
        alternatives_rejected=["MongoDB"],
        project="db",
    )
    em.decisions.create("Bake bread on Sundays", project="db")
    em.remember("PostgreSQL is a database", project="db")
    for asked in ("PostgreSQL", "which relational storage engine", "row locks", "mongodb"):
        found = em.decisions.search(asked, project="db")
        assert found[0].id == made.id, asked
        assert found[0].score is not None and 0 < found[0].score <= 1
    assert em.decisions.get(made.id).score is None
    assert ids(em.decisions.search("which database", limit=1)) == [made.id]


def test_an_id_is_found_directly(em: Forge) -> None:
    made = em.decisions.create("Plant oaks", project="wood", conversation="grove", local_id="D042")
    em.decisions.invalidate(made.id)
    for asked in (made.id, f" {made.id.upper()} ", made.memory_id, "D042", "d042"):
        found = em.decisions.search(asked)
        assert ids(found) == [made.id] and found[0].score == 1
    other = em.decisions.create("Plant elms", project="elms")
    assert em.decisions.search(made.id, project="elms") == []
    assert ids(em.decisions.search("D043 elms", project="elms")) == [other.id]


def test_filters_act_within_the_search(em: Forge) -> None:
    made = {}
    for number in range(12):
        made[number] = em.decisions.create(
            f"The harbour light number {number} stays lit",
            project="lights",
            tier=number / 20,
            tags=["even"] if number % 2 == 0 else ["odd", "lamp"],
            conversation="watch-1" if number < 6 else "watch-2",
            valid_at=datetime(2026, 1, 1 + number, tzinfo=UTC),
        )
    em.decisions.revise(made[7].id, rationale="Ships come at night", conversation="watch-1")

    def numbers(**filters: object) -> set[int]:
        found = em.decisions.search("harbour light", project="lights", limit=12, **filters)  # type: ignore[arg-type]
        return {number for number, record in made.items() if record.id in ids(found)}

    assert numbers() == set(range(12))
    assert numbers(tags="even") == {0, 2, 4, 6, 8, 10}
    assert numbers(tags=["odd", "lamp"], conversation="watch-1") == {1, 3, 5, 7}
    assert numbers(min_tier=0.35) == {7, 8, 9, 10, 11}
    assert numbers(since="2026-01-04", until="2026-01-06") == {3, 4}
    assert len(em.decisions.search("harbour light", project="lights", tags="even", limit=3)) == 3
    assert [
        decision.id for decision in em.decisions.browse(project="lights", tags=["odd"], limit=2, offset=1)
    ] == [
        made[9].id,
        made[7].id,
    ]
    assert (
        ids(em.decisions.browse(conversation="watch-1", status="active", project="lights"))[0] == made[7].id
    )
    with pytest.raises(NotFound, match="no project"):
        em.decisions.search("light", project="nowhere")
    with pytest.raises(InvalidValue, match="Did you mean active"):
        em.decisions.search("light", status="activ")
    with pytest.raises(InvalidValue):
        em.decisions.search(" ")
    with pytest.raises(InvalidValue):
        em.decisions.search("light", min_tier=2)
    with pytest.raises(InvalidTime):
        em.decisions.search("light", since="2026-02-01", until="2026-01-01")


def test_each_status_has_its_decisions_and_a_limit_is_filled(em: Forge) -> None:
    olds = [em.decisions.create(f"Rope {number} is made of hemp", project="ropes") for number in range(8)]
    news = [em.decisions.supersede(old.id, "This rope is made of nylon") for old in olds[:6]]
    for old in olds[:4]:
        em.decisions.reinstate(old.id)
    em.decisions.invalidate(olds[6].id)
    em.decisions.revise(olds[7].id, "Rope 7 is made of sisal")

    def found(status: str | None, limit: int = 30) -> list[Decision]:
        return em.decisions.search("rope made of hemp", project="ropes", status=status, limit=limit)

    assert set(ids(found("active"))) == {*ids(olds[:4]), olds[7].id, *ids(news)}
    # Closing records of what was reinstated match better than most, and are no answer.
    assert set(ids(found("superseded", limit=2))) == set(ids(olds[4:6]))
    assert ids(found("invalidated")) == [olds[6].id]
    assert [(decision.id, decision.decision) for decision in found("revised")] == [
        (olds[7].id, "Rope 7 is made of hemp")
    ]
    assert sorted(ids(found(None))) == sorted([*ids(olds), *ids(news)])
    assert len(em.decisions.browse(project="ropes", limit=100)) == 14
    assert ids(em.decisions.browse(project="ropes", status="invalidated")) == [olds[6].id]


@pytest.fixture
def dated(em: Forge, request: pytest.FixtureRequest) -> Callable[..., Decision]:
    """Makes decisions of an age in a project of the test."""
    project = request.node.name

    def make(days: float, tier: float, **fields: object) -> Decision:
        at = datetime.now(UTC) - timedelta(days=days)
        return em.decisions.create(
            f"Decided {days} days ago",
            tier=tier,
            project=project,
            recorded_at=at,
            **fields,  # type: ignore[arg-type]
        )

    return make


def test_stale_by_age_and_tier(em: Forge, dated: Callable[..., Decision]) -> None:
    oldest, old, sure, fresh = dated(400, 0.2), dated(30, 0.7), dated(400, 0.71), dated(29.9, 0.1)
    project = oldest.project
    assert ids(em.decisions.stale(project=project)) == [oldest.id, old.id]
    assert ids(em.decisions.stale(project=project, limit=1)) == [oldest.id]
    assert ids(em.decisions.stale(29, project=project)) == [oldest.id, old.id, fresh.id]
    assert ids(em.decisions.stale(max_tier=1.0, project=project)) == [oldest.id, sure.id, old.id]
    assert em.decisions.stale(401, 1.0, project=project) == []
    assert oldest.id in ids(em.decisions.stale())
    # Everything that makes it anew, or ends it, takes it from the list.
    em.decisions.revise(oldest.id, tier=0.3)
    em.decisions.validate(old.id)
    assert em.decisions.stale(project=project) == []
    em.decisions.invalidate(sure.id)
    em.decisions.supersede(fresh.id, "Decided now")
    assert em.decisions.stale(0.01, 1.0, project=project) == []
    for wrong in ({"days": -1}, {"days": "x"}, {"max_tier": 7}, {"hops": 0}, {"limit": 0}):
        with pytest.raises(InvalidValue):
            em.decisions.stale(**wrong)


def test_stale_by_hops_whatever_the_tier(em: Forge, dated: Callable[..., Decision]) -> None:
    carried, listed = dated(90, 0.95), dated(90, 0.95)
    carry_times(em, carried, 2)
    carry_times(em, listed, 3, for_revalidation=True)
    now = em.decisions.get(carried.id)
    assert (now.hops, now.validation_count) == (2, 2) and now.last_validated > NOW - timedelta(minutes=5)
    then = em.decisions.get(listed.id)
    # Listed for revalidation: one hop more each time, and neither counted nor dated.
    assert (then.hops, then.validation_count, then.last_validated) == (3, 0, listed.last_validated)
    assert ids(em.decisions.stale(project=carried.project)) == [listed.id]
    carry_times(em, carried, 1)
    assert set(ids(em.decisions.stale(project=carried.project))) == {carried.id, listed.id}
    assert ids(em.decisions.stale(hops=4, project=carried.project)) == []
    em.decisions.validate(carried.id)
    em.decisions.revise(listed.id, rationale="Looked at again")
    assert em.decisions.stale(project=carried.project) == []
    assert em.decisions.get(carried.id).validation_count == 4
    assert em.decisions.get(listed.id).hops == 0


def test_validate_counts_all_or_none(em: Forge) -> None:
    first, two = (
        em.decisions.create(f"Keep watch {number}", recorded_at=NOW - timedelta(days=9)) for number in "12"
    )
    done = em.decisions.validate(first.id, two.memory_id, first.id, conversation="dawn")
    assert [(each.id, each.validation_count) for each in done] == [(first.id, 1), (two.id, 1)]
    assert done[0].last_validated > NOW - timedelta(minutes=5)
    assert done[0].conversation_ids == ("dawn",) and done[0].version == 1
    assert ids(em.decisions.browse(conversation="dawn")) == [two.id, first.id]
    em.decisions.invalidate(two.id)
    with pytest.raises(InvalidValue, match="No decision is named"):
        em.decisions.validate()
    with pytest.raises(Conflict, match="is invalidated"):
        em.decisions.validate(first.id, two.id)
    assert em.decisions.get(first.id) == done[0]


def test_statuses_are_words_of_their_own() -> None:
    assert [str(status) for status in DecisionStatus] == ["active", "revised", "superseded", "invalidated"]
