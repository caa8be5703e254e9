"""What perhaps takes a decision's place waits for review, and is told beside the decision wherever that is."""

from __future__ import annotations

from tests.capture.talk import decisions, say_apart

from engramforge.forge import Forge


def _told(em: Forge, project: str, prompt: str = "") -> list[str]:
    event = {"session_id": f"{project} {prompt}", "cwd": f"/projects/{project}"}
    event |= {"hook_event_name": "UserPromptSubmit", "prompt": prompt} if prompt else {"source": "startup"}
    found = em.injections.for_event({"hook_event_name": "SessionStart", **event})
    lines = [] if found is None else [each.text for each in found.memories]
    return [line.partition("] ")[2] for line in lines if ", decision, " in line]


def test_another_choice_is_told_beside_the_one_that_it_may_replace(em: Forge) -> None:
    # By its name alone it makes no entry; said as a choice it is one, and the older one is not ended by it.
    em.decisions.create("receipts go to the shelf", project="cellar")
    say_apart(em, "cellar", "plain boxes for the receipts")
    said = 'receipts go to the shelf (may be replaced: "plain boxes for the receipts" waits for review)'
    assert decisions(em, "cellar") == {"receipts go to the shelf": "active"}
    assert _told(em, "cellar") == [said]
    assert _told(em, "cellar", "where do receipts go?") == [said]

    say_apart(em, "bakery", "we use wheat for the rolls", "we use spelt for the rolls")
    assert set(decisions(em, "bakery", "active")) == {
        "we use wheat for the rolls",
        "we use spelt for the rolls",
    }
    beside = 'we use wheat for the rolls (may be replaced: "we use spelt for the rolls" waits for review)'
    assert beside in _told(em, "bakery")

    # Once it is accepted, nothing is left to say of the older one.
    (waiting,) = em.review.pending(project="cellar")
    em.review.accept(waiting.id)
    assert list(decisions(em, "cellar", "active")) == ["plain boxes for the receipts"]
    assert said not in _told(em, "cellar", "so where do receipts go?")

    # Another matter, or no choice at all, waits for nothing.
    say_apart(
        em,
        "harbour",
        "we use tar for the ropes",
        "thanks for the ropes",
        "oak for the masts",
        "salt for the ropes too",
    )
    assert not em.review.pending(project="harbour")


def test_a_change_of_mind_ends_one_thing_and_keeps_what_is_refused_beside(em: Forge) -> None:
    say_apart(em, "frames", "we use pine for the frames", "changed my mind about the frames, oak it is")
    assert decisions(em, "frames", "superseded") == {"we use pine for the frames": "superseded"}

    say_apart(em, "oven", "we heat with wood no coal, one stoker per night", "gas rather than wood")
    assert list(decisions(em, "oven", "active")) == ["gas rather than wood, no coal"]
