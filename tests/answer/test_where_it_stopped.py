"""Where the last session stopped is told by what was of the work, not by remarks made beside it."""

from __future__ import annotations

from tests.answer.test_injections import started

from engramforge.forge import Forge
from engramforge.model.injection import Section


def said(em: Forge, *texts: str) -> None:
    for number, text in enumerate(texts):
        em.remember(text, project="atlas", kind="prompt", session_id="before", sequence=number)


def test_remarks_at_the_end_do_not_tell_where_it_stopped(em: Forge) -> None:
    said(
        em,
        "why does the gate jam when it snows?",
        "write a guard for tower.py",
        "the old ski hut kept its tickets in a shoe box, unbelievable",
        "wouldnt mind moving to a standing desk some day. bye",
    )
    found = started(em)
    assert found is not None
    assert "gate jam" in found.text and "tower.py" in found.text
    assert "shoe box" not in found.text and "standing desk" not in found.text


def test_what_was_decided_of_last_is_told_before_remarks(em: Forge) -> None:
    said(
        em,
        "move the ticket reader into its own box?",
        "we decided that the lifts close at four",
        "the fog was thick on the summit yesterday evening, odd",
    )
    found = started(em)
    assert found is not None and "ticket reader" in found.text and "fog" not in found.text


def test_where_all_are_remarks_the_last_are_told(em: Forge) -> None:
    said(em, "the fog was thick on the summit, odd", "the old hut kept its tickets in a shoe box")
    found = started(em)
    assert found is not None and "shoe box" in found.text


def talked(em: Forge, *turns: str) -> None:
    for number, text in enumerate(turns):
        kind = "response" if number % 2 else "prompt"
        em.remember(text, project="atlas", kind=kind, session_id="before", sequence=number)


def test_what_came_of_a_session_is_told_before_its_questions(em: Forge) -> None:
    talked(
        em,
        "the tickets are for 3 days", "OK.",
        "how long do tickets last?", "3 days.",
        "no wait, 5", "Set the tickets to 5 days.",
        "how many cabins are there?", "40.",
        "why is slate grey", "Graphite.",
    )  # fmt: skip
    found = started(em)
    assert found is not None
    stopped = [
        each.text.partition("] ")[2] for each in found.memories if each.section is Section.LAST_SESSION
    ]
    assert "Set the tickets to 5 days." in stopped
    assert not any("?" in each or "slate" in each or "Graphite" in each for each in stopped)
