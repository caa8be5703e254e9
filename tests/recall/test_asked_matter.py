"""Who asks for whatever is known of something is told its own facts first, however the question is put."""

from __future__ import annotations

import pytest

from engramforge.core.streams.asked_matter import matter_of
from engramforge.forge import Forge
from engramforge.model.streams.ways import Tier

ASKED = (
    "tell me about {}",
    "Can you tell me everything about {}?",
    "what do you know about {}?",
    "what do we know of {}",
    "what is known of {}?",
    "What can you tell me about {}?",
    "do you know anything about {}?",
    "everything we have on {}",
    "all about {}",
)
OTHERWISE = (
    "tell me about how the pump was mended",
    "what do you know about it?",
    "what do you know?",
    "what does Jonas know about the leak?",
    "who told Marta about the leak?",
    "tell me where the pump is",
    "describe",
    "what about the pump?",
    "What did we decide about the pump?",
)


@pytest.mark.parametrize("form", ASKED)
def test_what_is_asked_about_as_a_whole(form: str) -> None:
    for matter in ("Marta Voss", "the red pump", "RFC 7540"):
        assert matter_of(form.format(matter)) == matter


@pytest.mark.parametrize("question", OTHERWISE)
def test_any_other_question_is_asked_as_it_stands(question: str) -> None:
    assert matter_of(question) == question


def test_the_facts_of_what_is_asked_about_come_first(forge: Forge) -> None:
    own = (
        "Marta Voss is the harbour master.",
        "Marta Voss lives in Kelby and plays the cello.",
        "Marta Voss was born in 1971.",
    )
    others = (
        "Jonas told Marta Voss about the leak, as you know.",
        "You know, everything about the pier is known.",
        "Tell the crew what you know about the regatta.",
    )
    forge.remember_many(
        {"content": text, "energy": 0.9 if text in others else 0.3} for text in (*others, *own)
    )
    for form in (*ASKED, "{}"):
        question = form.format("Marta Voss")
        stream = forge.streams.by_intention(question)
        focus = [each.memory.content for each in stream.tiers[Tier.FOCUS]]
        assert stream.query == question and stream.answered
        assert set(focus[: len(own)]) == set(own), question
        assert focus[len(own)] == others[0], question
        said = forge.consult(question)
        assert said.answered and all(text in said.answer for text in own), question
    # Who asks for something else is answered that.
    assert (
        forge.streams.by_intention("who told Marta Voss about the leak?")
        .tiers[Tier.FOCUS][0]
        .memory.content.startswith("Jonas")
    )


def test_what_is_called_so_comes_before_what_has_more_energy(forge: Forge) -> None:
    forge.remember("Thornmere is a farm.", name="Thornmere", kind="entity", near=False, energy=0.2)
    forge.remember("Birchley sells milk and butter to Thornmere.", kind="entity", near=False, energy=0.9)
    for form in (*ASKED, "{}"):
        stream = forge.streams.by_intention(form.format("Thornmere"))
        assert stream.tiers[Tier.FOCUS][0].memory.name == "Thornmere", form
