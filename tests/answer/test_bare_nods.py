"""A nod or a name by itself says nothing of a matter: it is no entry, answers nothing, and no session stopped there."""

from __future__ import annotations

from typing import Any

from tests.capture.talk import holding, say

from engramforge.forge import Forge


def _text(em: Forge, project: str, **event: Any) -> str:
    event = {"session_id": f"asks {project}", "cwd": f"/projects/{project}", **event}
    found = em.injections.for_event(event)
    return "" if found is None else found.text


def test_a_nod_is_neither_told_nor_kept(em: Forge) -> None:
    say(
        em,
        "hatch",
        "oil the hatch with a brush",
        "A: Oiled.",
        "larch ok",
        "A: Good.",
        "run it again",
        "A: All pass.",
    )
    said = _text(em, "hatch", hook_event_name="SessionStart", source="startup")
    assert "oil the hatch" in said
    assert "larch ok" not in said and "run it again" not in said
    assert _text(em, "hatch", hook_event_name="UserPromptSubmit", prompt="larch or pine for the hatch?") == ""

    say(
        em,
        "deck",
        "run it again",
        "A: All pass.",
        "thanks",
        "A: Welcome.",
        "same for the other one",
        "A: Done.",
    )
    assert _text(em, "deck", hook_event_name="SessionStart", source="startup") == ""

    for place, name in enumerate(("larch it is", "pine it is then", "so, oak it is!")):
        say(em, f"mast {place}", "I read about the mast", "A: Nice book.", name)
        assert holding(em, f"mast {place}") == []
        (waits,) = em.review.pending(project=f"mast {place}")
        assert waits.why == "it does not say of what"

    # With its matter, or in the place of another one, it holds.
    say(em, "roof", "which wood for the roof?", "A: Larch or pine. Which one?", "larch it is")
    assert len(holding(em, "roof")) == 1
    say(em, "rail", "the rail is too rough for the hands. cork it is")
    assert holding(em, "rail") == ["cork it is (the rail is too rough for the hands)"]
