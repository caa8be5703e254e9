"""What a session begins with, where somebody has said what they want of it."""

from __future__ import annotations

from typing import Any

import pytest

from engramforge.forge import Forge
from engramforge.model.injection import Section


def started(em: Forge, session: str) -> list[str]:
    """The lines of decisions that a session begins with."""
    event: dict[str, Any] = {"hook_event_name": "SessionStart", "session_id": session, "source": "startup"}
    found = em.injections.for_event({**event, "cwd": "/projects/atlas"})
    return [] if found is None else [x.text for x in found.memories if x.section is Section.DECIDED]


def test_what_was_of_no_use_begins_no_session_until_it_is_of_use(em: Forge) -> None:
    for port in range(9000, 9015):
        em.decisions.create(f"The crane listens on port {port}", project="atlas")
    first = started(em, "first")
    assert len(first) == 14, "six, and eight more that are sure"
    told = em.injections.list()[0]
    unwanted = told.memories[0].memory_id
    em.injections.feedback(told.id, useful=False, memory=unwanted)
    later = started(em, "second")
    assert first[0] not in later
    assert len(later) == 14, "another one takes its room"
    em.injections.feedback(told.id, useful=True, memory=unwanted)
    assert first[0] in started(em, "third")


def test_what_a_person_wrote_anew_stands_before_what_was_only_heard(em: Forge) -> None:
    em.remember(
        "We decided to use a cron job for the tide table.",
        kind="prompt",
        project="atlas",
        session_id="before",
        sequence=1,
    )
    (heard,) = em.decisions.browse(project="atlas")
    em.remember_many(
        {
            "content": f"We decided to keep the {thing} in the shed.",
            "kind": "prompt",
            "project": "atlas",
            "session_id": "before",
            "sequence": place,
        }
        for place, thing in enumerate(("winch", "buoy", "anchor", "ladder", "lantern", "rope"), 2)
    )
    em.decisions.revise(heard.id, "A systemd timer writes the tide table.")
    assert started(em, "first")[0].endswith("A systemd timer writes the tide table.")


def test_what_an_undo_and_a_redo_brought_back_counts_as_it_did(em: Forge) -> None:
    said = {"kind": "prompt", "project": "atlas", "session_id": "before", "speaker": "user"}
    em.remember("lets put the winch on the left quay, it may rain", sequence=1, **said)
    before = started(em, "first")
    em.undo(confirmed=True)
    em.redo()
    assert [x.split("]")[1] for x in started(em, "second")] == [x.split("]")[1] for x in before]


def test_what_a_person_orders_for_always_is_told_and_all_that_a_message_decides(em: Forge) -> None:
    def say(text: str, place: int) -> None:
        em.remember(text, kind="prompt", project="atlas", session_id="s", sequence=place, speaker="user")

    say("lets store the tide times as utc everywhere", 1)
    say(
        "hey, lets get the tide page going. we print it on a4 paper only. we keep the old tables for 7 years",
        2,
    )
    say("lets make the header blue", 3)
    told = "\n".join(started(em, "first"))
    assert "utc everywhere" in told
    assert "a4 paper only" in told and "7 years" in told
    assert "going" not in told and "header" not in told


def test_not_all_lines_are_of_one_matter(em: Forge) -> None:
    for thing in ("anchor", "rope", "lamp"):
        em.decisions.create(f"The {thing} hangs in the boathouse", project="atlas")
    for shape in (
        "gives the hour",
        "shows the moon",
        "is printed weekly",
        "starts on Monday",
        "has no colours",
        "folds",
    ):
        em.decisions.create(f"The tide table {shape}", project="atlas")
    told = started(em, "first")
    assert len(told) == 9, "all of them are sure"
    assert sum("tide table" in each for each in told[:6]) < 6


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ("kill oak", False),
        ("scratch that, larch", False),
        ("hm sorry, i meant cleats", False),
        ("kill oak for the rail, pine has less of a grain", True),
        ("drop oak for today", True),
        ("kill the lights", True),
        ("paint the mast", True),
    ],
)
def test_what_few_words_seem_to_leave_is_not_told_before_a_review(
    em: Forge, said: str, is_told: bool
) -> None:
    for place, words in enumerate(("we go with oak for the hatch", "sand the rail", said)):
        em.remember(
            words, kind="prompt", project="atlas", session_id="before", sequence=place, speaker="user"
        )
    assert any("oak for the hatch" in line for line in started(em, "first")) is is_told
