"""What people type to an agent in half sentences: matters that this opens and closes, and as much that does neither."""

from __future__ import annotations

import pytest
from tests.capture.talk import say_apart, threads

from engramforge.forge import Forge

OPENED = (
    "gotta order the hinges",
    "we have to renew the certificate",
    "still gotta call the printer",
    "must chase the invoice for the tents",
    "need to find out if the scale reports stones",
    "we should find out whether the buzzer works outside",
    "gotta figure out if two clubs can share a slot",
    "we have to find out who signs the permits",
    "we need a dutch translation by january",
    "i need the posters before the launch",
    "two more testers needed by friday",
    "leave the prices open til march",
    "keep the club name open for now",
    "lets leave the colours undecided until ana is back",
    "we should ask ravi about the refunds",
    "gotta check with legal how long we keep the scans",
    "whats still missing is a lid for the vat",
)
NOT_OPENED = (
    "and whats left to do",
    "ok so whats still outstanding",
    "whos still missing on the list",
    "hm, wheres still something to do",
    "alright and whats still undecided.",
    "gotta run, bye",
    "need to call it a day",
    "gotta call you back",
    "i have to buy a present for lena",
    "you have to order the hinges",
    "i need to cancel my card",
    "do we need to order the hinges?",
    "no need to find out if it works",
    "need to know if you can do that",
    "we need a table by the window",
    "we need a function by that name",
    "i need you to finish this by friday",
    "leave the door open til i'm back",
    "keep your options open",
    "keep the connection open until the end",
    "the parser crashes when a line is empty, fix it",
    "the parser crashes when a line is empty. can you look at it?",
    "cool. dog needs out, later",
    "kid needs lunch, see you tomorrow",
    "baby needs a bath, brb",
    "put that on the list",
    "add it to the backlog please",
    "ok put those on my todo list",
)
LISTED = (
    ("put the broken lamp on the list", "lamp"),
    ("the export is slow with many rows. put that on the list", "export"),
    ("the labels smear when wet. add it to the backlog", "labels"),
)
WAITING = (
    "the csv index breaks when two rows match",
    "the map freezes if i zoom out twice",
    "our worker hangs when the queue is empty",
)
CLOSED = (
    ("we still need to dedupe the members before the import", "dedupe is done"),
    ("todo: backfill the old orders in the warehouse table", "backfill is done"),
    ("todo: merge the two price tables in staging", "merge done"),
    ("we still have to write the seed script for the demo data", "seed script works"),
    ("we still need to fix the login redirect", "login redirect works now"),
    ("todo: build the badge printer for the fair", "the badge printer runs now"),
    ("we should ask ravi about deleting members", "asked ravi about deleting: yes, soft delete"),
    ("we should ask ravi if members get deleted for real", "asked ravi: soft delete"),
)
STILL_OPEN = (
    ("todo: document how the seed script works", "seed script works"),
    ("we still need to write the seed script", "how the seed script works"),
    ("we still need to write the seed script", "the seed script works but is slow"),
    ("we still need to write the seed script", "hope the seed script works"),
    ("todo: write tests for the parser", "the parser is done"),
    ("todo: migrate the accounts to the new schema", "accounts are done"),
    ("todo: backfill the old orders in the warehouse table", "backfill is half done"),
    ("we should ask ravi about deleting members", "asked ana about deleting: yes, soft delete"),
)


@pytest.mark.parametrize("said", OPENED)
def test_a_matter_is_opened(em: Forge, project: str, said: str) -> None:
    say_apart(em, project, said)
    assert list(threads(em, project).values()) == ["open"]


@pytest.mark.parametrize("said", NOT_OPENED)
def test_no_matter_is_opened(em: Forge, project: str, said: str) -> None:
    say_apart(em, project, said)
    assert not threads(em, project)


@pytest.mark.parametrize(("said", "word"), LISTED)
def test_what_is_put_on_a_list_is_named(em: Forge, project: str, said: str, word: str) -> None:
    say_apart(em, project, said)
    (title,) = threads(em, project)
    assert word in title


@pytest.mark.parametrize("said", WAITING)
def test_a_fault_that_is_told_waits(em: Forge, project: str, said: str) -> None:
    say_apart(em, project, said)
    assert not threads(em, project)
    (waiting,) = em.review.pending(project=project)
    assert waiting.kind == "thread"


@pytest.mark.parametrize(("opened", "said"), CLOSED)
def test_a_short_line_closes_the_only_matter_that_it_names(
    em: Forge, project: str, opened: str, said: str
) -> None:
    say_apart(em, project, opened, said)
    assert list(threads(em, project).values()) == ["resolved"]


@pytest.mark.parametrize(("opened", "said"), STILL_OPEN)
def test_a_matter_stays_open(em: Forge, project: str, opened: str, said: str) -> None:
    say_apart(em, project, opened, said)
    assert "open" in threads(em, project).values()


def test_where_two_matters_have_the_word_none_is_closed(em: Forge, project: str) -> None:
    say_apart(em, project, "todo: dedupe the members", "todo: dedupe the invoices", "dedupe is done")
    assert list(threads(em, project).values()) == ["open", "open"]
