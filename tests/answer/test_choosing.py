"""What use makes of an order, in injections and recalls; what is told of it, and what upkeep keeps of topics."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import pytest

import engramforge
from engramforge.answer.choosing import Choosing
from engramforge.answer.injection.occasion import Occasion
from engramforge.answer.injection.offers import Offer
from engramforge.forge import Forge
from engramforge.model.injection import ASKS, EXPLORATION, IMPORTANCE, Reason, Section
from engramforge.model.scope import Scope
from engramforge.model.topics.topic import ARMS

NOW: Final = datetime(2026, 5, 8, tzinfo=UTC)
EVEN: Final = (
    "The nightly export writes its rows to the ledger in Tromso.",
    "The nightly export mails its totals to the office in Bergen.",
    "The nightly export locks its tables for the backup in Hamar.",
)
THEMES: Final = {"glaze": "kiln glaze clay firing cone", "string": "violin string bow rosin tuning"}


@pytest.fixture(scope="module")
def em(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    """A store with three memories that are as near to one question, and two themes of forty."""
    with engramforge.open(tmp_path_factory.mktemp("chosen")) as forge:
        forge.remember_many({"content": text, "project": "jobs", "valid_at": NOW} for text in EVEN)
        for words in THEMES.values():
            first, *others = words.split()
            drafts = [
                f"The {first} and the {each} of piece {n} need care." for n in range(10) for each in others
            ]
            forge.remember_many({"content": text, "project": "studio", "valid_at": NOW} for text in drafts)
        yield forge


def recalled(em: Forge, **more: Any) -> list[str]:
    answer = em.recall("What does the nightly export do?", project="jobs", limit=3, **more)
    return [each.memory.content for each in answer.hits]


def test_what_is_equal_is_recalled_by_importance_and_asking_changes_nothing(em: Forge) -> None:
    before = recalled(em)
    assert sorted(before) == sorted(EVEN)
    masses = [each.mass for each in em.recall("What does the nightly export do?", project="jobs").hits]
    assert masses[0] - masses[1] < 0.001 < masses[0] - masses[2], "two equal ones, and one below"
    (second,) = [each for each in em.memories(project="jobs") if each.content == before[1]]
    known_then = datetime.now(UTC)
    assert recalled(em) == before
    for _ in range(3):
        em.get(second.id)
    em.injections.usage(second.id)
    after = recalled(em)
    assert after == [before[1], before[0], before[2]]
    assert recalled(em) == after
    # A past moment is told as it was told before.
    assert recalled(em, as_of=known_then) == before
    hits = em.recall("What does the nightly export do?", project="jobs", limit=3).hits
    assert hits[0].usage is not None and hits[0].usage.opened == 3 and hits[1].usage is None


def test_usage_counts_openings_and_showings_and_is_none_itself(em: Forge) -> None:
    (memory,) = [each for each in em.memories(project="jobs") if each.content == EVEN[1]]
    before = em.injections.usage(memory.logical_id)
    event = {"hook_event_name": ASKS, "session_id": "u", "project": "jobs"}
    found = em.injections.for_event({**event, "prompt": "What does the nightly export mail, and to whom?"})
    assert found is not None and memory.logical_id in {each.memory_id for each in found.memories}
    em.injections.used("u", "It mails its totals to the office in Bergen.")
    after = em.injections.usage(memory.id)
    assert (after.opened, after.shown) == (before.opened + 1, before.shown + 1)
    assert (
        after.importance > before.importance and after.activity >= 0.99 and after.use_rate > before.use_rate
    )
    assert em.injections.usage(memory.id).opened == after.opened


def offers(em: Forge, memories: list[Any], priority: float = 1.0) -> list[Offer]:
    return [Offer(each, Section.RECENT, Reason.ANSWERS, priority, each.content) for each in memories]


def asking(session: str | None = "s", prompt: str = "p") -> Occasion:
    return Occasion(ASKS, session, "studio", prompt=prompt)


def test_off_is_the_order_of_priorities_and_use_orders_equals(em: Forge) -> None:
    memories = list(em.memories(project="studio", limit=4))
    em.get(memories[2].id)
    em.injections.usage(memories[2].id)
    its = offers(em, [em.get(each.id) for each in memories])
    its[3] = Offer(its[3].memory, Section.RECENT, Reason.ANSWERS, 2.0, its[3].said)
    door, scope = em._stages.door, Scope()
    plain = Choosing(door, ()).in_order(scope, its, asking(), NOW)
    assert plain == [its[3], its[0], its[1], its[2]]
    assert Choosing(door, (IMPORTANCE,)).in_order(scope, its, asking(), NOW) == [
        its[3],
        its[2],
        its[0],
        its[1],
    ]
    start = Occasion("SessionStart", "s", "studio")
    assert Choosing(door, (IMPORTANCE,)).in_order(scope, its, start, NOW) == plain


def test_topics_keep_what_was_used_of_them_and_a_lot_follows_it(em: Forge) -> None:
    memories = list(em.memories(project="studio", limit=100))
    of = {word: [each for each in memories if f"The {word}" in each.content] for word in ("kiln", "violin")}
    em.topics.update("studio")
    door, scope = em._stages.door, Scope()
    door.write(
        scope,
        lambda writes: writes.count_uses(
            {each.id: 5 for each in memories}, {each.id: 4 for each in of["violin"]}, NOW
        ),
    )
    em.topics.update("studio", anew=True)
    arms = door.asking(scope).mark(ARMS + "studio")
    assert arms is not None
    violins = {each.logical_id for each in of["violin"]}
    for topic in em.topics.browse("studio"):
        its = {memory.logical_id for memory, _ in em.topics.memories(topic.id, limit=100)}
        used, unused = arms[topic.id]
        assert used + unused >= 5 * len(its)
        assert used / (used + unused) == pytest.approx(0.8 if its <= violins else 0.0, abs=0.1)
    # More than has room, all alike but for their topic: now and then the last line is of the topic that is used.
    its = offers(em, of["kiln"] + of["violin"])
    choosing = Choosing(door, (EXPLORATION,))
    found = [choosing.in_order(scope, its, asking(f"s{number}"), NOW) for number in range(30)]
    moved = [order for order in found if order != its]
    assert 10 <= len(moved) <= 30
    assert all(sorted(id(each) for each in order) == sorted(map(id, its)) for order in found)
    taken = [next(new for new, old in zip(order, its, strict=True) if new is not old) for order in moved]
    assert sum(each.memory in of["violin"] for each in taken) >= 0.9 * len(taken)
    assert found[0] == choosing.in_order(scope, its, asking("s0"), NOW)
    assert choosing.in_order(scope, its, asking(None), NOW) == its
