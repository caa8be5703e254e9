"""Of what waits for review in a project only the surest is kept."""

from __future__ import annotations

from engramforge.forge import Forge
from engramforge.registries.detected.queue import MOST_WAITING


def pasted(text: str, project: str, session: str = "s") -> dict[str, str]:
    return {
        "content": f"<page>\n{text}\n</page>",
        "kind": "message",
        "session_id": session,
        "project": project,
    }


def waiting(em: Forge, project: str) -> list[tuple[float, str]]:
    pending = em.review.pending(project=project, limit=1_000)
    return [(each.confidence, each.sentence) for each in pending]


def test_what_is_less_sure_gives_way(em: Forge) -> None:
    labels = [f"Decision: paint {number} for the doors of that house." for number in range(30)]
    em.remember_many(pasted(each, "paint") for each in labels)
    before = waiting(em, "paint")
    assert len(before) == MOST_WAITING
    sentence = "TODO: paint the door of the lighthouse"
    em.remember(**pasted(sentence, "paint"))
    after = waiting(em, "paint")
    assert len(after) == MOST_WAITING
    assert after[0][1] == sentence and after[0][0] > before[0][0]
    # One that is no surer than the last of those that wait does not wait, and says nothing again either.
    em.remember(**pasted("Decision: paint 99 for the doors of that house.", "paint"))
    assert waiting(em, "paint") == after


def test_two_hundred_proposals_are_short_enough_to_be_reviewed(em: Forge) -> None:
    em.remember_many(
        pasted(f"TODO: oil hinge {number} of the gate", "gate", f"s{number % 7}") for number in range(200)
    )
    first = waiting(em, "gate")
    assert len(first) == MOST_WAITING
    # What was reviewed makes room.
    em.review.reject(*(each.id for each in em.review.pending(project="gate", limit=5)))
    assert len(waiting(em, "gate")) == MOST_WAITING - 5
    em.remember_many(pasted(f"TODO: oil bolt {number} of the gate", "gate", "t") for number in range(9))
    assert len(waiting(em, "gate")) == MOST_WAITING
