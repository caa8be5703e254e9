"""A decision is changed by a turn that does not name it, by the talk around it; one that is not clearly meant waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.capture.talk import decisions, holding, say

if TYPE_CHECKING:
    from engramforge.forge import Forge

MARGIN = "we use a margin of 8 mm everywhere"


def _waiting(em: Forge, project: str) -> list[tuple[str, str]]:
    """What waits in a project, with the decision that it would change."""
    pending = em.review.pending(project=project)
    return [(each.sentence, each.entry.text if each.entry else "") for each in pending]


def _told(em: Forge, project: str) -> list[str]:
    """What a session that starts is told to be decided."""
    start = {
        "hook_event_name": "SessionStart",
        "source": "startup",
        "session_id": "new",
        "cwd": f"/srv/{project}",
    }
    injected = em.injections.for_event(start)
    lines = (injected.text if injected else "").splitlines()
    return [each.partition("] ")[2] for each in lines if ", decision, " in each]


def test_what_a_pronoun_is_of_is_told_by_the_turns_before_it(em: Forge) -> None:
    decided = ("lets cool the kiln for 30 minutes", "A: ok, 30 minutes", f"{MARGIN}, decided", "A: ok")
    say(em, "next", *decided, "set it to 12", "A: 12 mm now.")
    assert "we use a margin of 12 mm everywhere" in holding(em, "next")
    assert not _waiting(em, "next")
    # In a later session what was asked just before it tells, or what is answered to it.
    say(em, "asked", *decided)
    say(em, "asked", "which margin do we use?", "A: 8 mm", "14 is nicer, use that", "A: ok", session="two")
    assert "we use a margin of 14 mm everywhere" in holding(em, "asked")
    say(em, "answered", *decided)
    say(em, "answered", "set it to 12", session="two")
    assert MARGIN in holding(em, "answered")
    say(em, "answered", "A: Set the margin to 12 mm.", session="two")
    assert "we use a margin of 12 mm everywhere" in holding(em, "answered")
    assert MARGIN not in holding(em, "answered")


def test_an_undo_of_the_answer_brings_back_what_it_changed(em: Forge) -> None:
    say(em, "undone", f"{MARGIN}, decided")
    say(em, "undone", "set it to 12", "A: Set the margin to 12 mm.", session="two")
    assert holding(em, "undone") == ["we use a margin of 12 mm everywhere"]
    em.undo()
    assert holding(em, "undone") == [MARGIN]


def test_what_an_answer_took_up_changes_what_was_said_right_before(em: Forge) -> None:
    say(em, "dye", "we use rabbitmq for the tags", "A: ok")
    say(em, "dye", "actually nats, far less to babysit", "A: Moved to NATS.")
    assert decisions(em, "dye") == {
        "we use nats for the tags": "active",
        "we use rabbitmq for the tags": "superseded",
    }
    em.undo()
    assert holding(em, "dye") == ["we use rabbitmq for the tags"]
    # In a later session what was asked tells of which it is, and who wants it does not matter.
    say(em, "vat", "we keep the recipes for 7 years", "A: ok", "we keep the ledgers for 9 years", "A: ok")
    asked = ("how long do we keep the recipes?", "A: 7 years.")
    say(em, "vat", *asked, "the guild says 10", "A: Retention is 10 years.", session="two")
    assert sorted(holding(em, "vat")) == [
        "we keep the ledgers for 9 years",
        "we keep the recipes for 10 years",
    ]
    # What is not taken up, is of another kind, or has no place in its words does not change it.
    say(em, "loom", "we use rabbitmq for the tags", "A: ok", "nah, teal", "A: Teal is the colour now.")
    say(
        em,
        "loom",
        "we use rabbitmq for the tags",
        "A: ok",
        "nah, nats",
        "A: That does not work yet.",
        session="two",
    )
    assert holding(em, "loom") == ["we use rabbitmq for the tags"]
    assert not _waiting(em, "loom")
    say(em, "mill", "releases every two weeks", "A: ok", "weekly from january on", "A: ok")
    assert ("weekly from january on", "releases every two weeks") in _waiting(em, "mill")


def test_a_figure_is_of_what_was_asked_for(em: Forge) -> None:
    decided = ("letters go out 48 hours before the show, decided", "A: ok")
    say(em, "box", *decided, "how many letters do we send?", "A: 4.", "make it 14", "A: MAX_LETTERS = 14.")
    assert holding(em, "box") == ["letters go out 48 hours before the show"]
    assert not _waiting(em, "box")


def test_what_was_spoken_of_in_between_is_meant(em: Forge) -> None:
    say(em, "between", f"{MARGIN}, decided", "A: ok", "...and the gutter? set it to 12", "A: Done.")
    say(em, "elsewhere", f"{MARGIN}, decided")
    say(em, "elsewhere", "the gutter looks odd", "A: It is 4 mm.", "set it to 12", "A: Done.", session="two")
    for project in ("between", "elsewhere"):
        assert holding(em, project) == [MARGIN]
        assert not _waiting(em, project)


def test_what_is_not_clear_waits_beside_what_it_may_change(em: Forge) -> None:
    say(em, "kiln", "lets cool the kiln for 30 minutes", "A: ok", f"{MARGIN}, decided")
    say(em, "kiln", "set it to 12", "A: 12 mm now.", session="two")
    assert _told(em, "kiln") == [f'{MARGIN} (may be replaced: "set it to 12" waits for review)']
    (waiting,) = em.review.pending(project="kiln")
    em.review.accept(waiting.id)
    assert "we use a margin of 12 mm everywhere" in holding(em, "kiln")


def test_a_name_alone_waits_beside_what_it_may_be_instead_of(em: Forge) -> None:
    paper = "posters: we go with vellum"
    say(em, "paper", paper, "A: ok", "we use postgres for the orders", "A: ok", "we open on Fridays, decided")
    say(em, "paper", "no wait, kraft", "A: ok, kraft", session="two")
    assert _waiting(em, "paper") == [("no wait, kraft", paper)]
    # Of a kind that is known it is that one's, also a few turns later.
    say(em, "paper", "no wait, mysql", session="three")
    assert _waiting(em, "paper") == [
        ("no wait, mysql", "we use postgres for the orders"),
        ("no wait, kraft", paper),
    ]
    # Where several may be meant a person shall say which.
    say(em, "several", paper, "A: ok", "seals: we go with beeswax", "A: ok")
    say(em, "several", "no wait, kraft", "A: ok", session="two")
    assert _waiting(em, "several") == [("no wait, kraft", "")]
    assert len(holding(em, "several")) == 2
