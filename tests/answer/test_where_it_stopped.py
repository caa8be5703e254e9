"""Where the last session stopped is told by what was of the work, not by remarks made beside it."""

from __future__ import annotations

from tests.answer.test_injections import started

from engramforge.forge import Forge


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
