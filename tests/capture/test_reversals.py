"""A reversal in plain words ends the decision that is meant, waits where that is not clear, and else does nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import engramforge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engramforge.forge import Forge

QUEUE = "We decided to use SQLite for the job queue instead of Postgres."
CACHE = "We decided to use Redis for the cache."


@pytest.fixture(scope="module")
def em(place: str) -> Iterator[Forge]:
    with engramforge.open(place) as forge:
        yield forge


@pytest.fixture
def project(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def say(em: Forge, project: str, *turns: str, speaker: str = "user") -> None:
    kind = "prompt" if speaker == "user" else "response"
    for number, turn in enumerate(turns):
        session = f"{project} {number}"
        em.remember(turn, kind=kind, project=project, session_id=session, speaker=speaker)


def stands(em: Forge, project: str) -> dict[str, str]:
    """The decisions of a project with their statuses."""
    found = em.decisions.browse(project=project, status=None)
    return {each.decision: str(each.status) for each in found}


@pytest.mark.parametrize(
    "turn",
    [
        "let's use Postgres after all",
        "Actually, scrap SQLite, we go with Postgres.",
        "Forget what I said about SQLite. We'll do Postgres.",
        "no wait, go back to Postgres",
        "We're moving the job queue from SQLite to Postgres.",
    ],
)
def test_what_is_meant_ends_with_its_successor(em: Forge, project: str, turn: str) -> None:
    say(em, project, QUEUE, CACHE, turn)
    old = next(
        each for each in em.decisions.browse(project=project, status=None) if "for the job" in each.decision
    )
    assert old.status == "superseded" and old.superseded_by is not None
    new = em.decisions.get(old.superseded_by)
    assert new.status == "active" and "Postgres" in new.decision
    assert stands(em, project)[CACHE.rstrip(".")] == "active"
    em.undo()
    assert set(stands(em, project).values()) == {"active"} and len(stands(em, project)) == 2


@pytest.mark.parametrize(
    "turn",
    [
        "Should we use Postgres after all?",
        "If the disk fills up we scrap SQLite and go with Postgres.",
        "Tom says: scrap SQLite, we go with Postgres.",
        "Don't drop SQLite, we go on with it.",
        "Drop the old rows from the SQLite table, then we start.",
        "Let's use Kafka for the events instead of RabbitMQ.",
        "> scrap SQLite, we go with Postgres\n\nWho wrote this?",
    ],
)
def test_what_turns_from_nothing_ends_nothing(em: Forge, project: str, turn: str) -> None:
    say(em, project, QUEUE, turn)
    assert stands(em, project)[QUEUE.rstrip(".")] == "active"
    assert not [each for each in em.review.pending(project=project) if each.entry_status == "superseded"]


def test_what_is_not_clear_waits_and_does_it_when_accepted(em: Forge, project: str) -> None:
    say(em, project, CACHE, "We decided to use Redis for the sessions.", "Scrap Redis, we go with Memcached.")
    assert "superseded" not in stands(em, project).values()
    (waiting,) = em.review.pending(project=project)
    assert waiting.entry is not None and "Redis" in waiting.entry.text
    assert waiting.why == "it is not clear which decision it ends, or whether"
    em.review.accept(waiting.id)
    ended = [text for text, status in stands(em, project).items() if status == "superseded"]
    assert len(ended) == 1 and "Redis" in ended[0]


def test_an_assistant_reverses_nothing(em: Forge, project: str) -> None:
    say(em, project, QUEUE)
    say(em, project, "Actually, scrap SQLite, we go with Postgres.", speaker="assistant")
    assert stands(em, project)[QUEUE.rstrip(".")] == "active"


def test_there_and_back_again(em: Forge, project: str) -> None:
    say(
        em,
        project,
        CACHE,
        "Scrap Redis, we go with Memcached.",
        "Let's go back to Redis after all.",
    )
    assert list(stands(em, project).values()).count("active") == 1
    (active,) = em.decisions.browse(project=project, status="active")
    assert active.decision.startswith("Let's go back to Redis")
