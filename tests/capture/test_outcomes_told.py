"""A matter ends where a person tells what became of it, and by nothing that only speaks of the same things."""

from __future__ import annotations

import pytest
from tests.capture.talk import say_apart, threads

from engramforge.forge import Forge

REPLIED = (
    (
        "I still have to ask Mr. Olsen which size the crates come in",
        "olsen answered: two sizes, 40 and 60 cm",
    ),
    ("TODO: ask Bertha what happens with torn sails", "asked bertha: torn sails are paid by the crew"),
    (
        "TODO: ask Frau Kruse for the layout of the seat list",
        "frau kruse told me the layout of the seat list, it's csv",
    ),
    (
        "todo: ask the landlord about the roof",
        "the landlord got back to me, the roof gets a new cover in spring",
    ),
    ("todo: call the printer about the paper weight", "called the printer: the paper weight is 120 g"),
    ("todo: ask Otto whether the pump has a warranty", "heard back from otto: two years on the pump"),
    ("we have to ask Nora which port the scale uses", "nora says the scale uses port 4"),
)
NOT_REPLIED = (
    (
        "I still have to ask Mr. Olsen which size the crates come in",
        "olsen answered that he has to check first",
    ),
    ("I still have to ask Mr. Olsen which size the crates come in", "olsen says the bus is late on mondays"),
    ("TODO: ask Bertha what happens with torn sails", "asked bertha, no answer yet"),
    ("TODO: ask Bertha what happens with torn sails", "kurt answered: torn sails are paid by the crew"),
    ("TODO: ask Bertha what happens with torn sails", "has bertha answered: are torn sails paid?"),
    ("TODO: ask Bertha what happens with torn sails", "once bertha answered: we know who pays torn sails"),
    ("todo: ask Otto whether the pump has a warranty", "otto answered about the filter: it costs 9 euros"),
    ("todo: ask Otto whether the pump has a warranty", "otto told me a joke about frogs"),
    ("todo: ask Otto whether the pump has a warranty", "otto answered: no idea, ask the shop"),
    ("todo: fix the pump that Otto sold us", "otto answered: the pump is five years old"),
)
THERE = (
    (
        "todo: get the 900 labels from the old sheet over into sqlite",
        "btw the 900 labels are all in sqlite since last night",
    ),
    ("todo: move the labels to sqlite", "the labels are moved to sqlite now"),
    ("todo: import the member list into the crm", "the member list is now in the crm"),
    ("todo: migrate the orders to the new server", "the orders are migrated to the new server, took an hour"),
    ("todo: copy the photos onto the nas", "all the photos are on the nas now"),
)
NOT_THERE = (
    (
        "todo: get the 900 labels from the old sheet over into sqlite",
        "half of the 900 labels are in sqlite now",
    ),
    (
        "todo: get the 900 labels from the old sheet over into sqlite",
        "the 900 labels are all in the drawer now",
    ),
    ("todo: move the labels to sqlite", "the labels are moved to postgres now"),
    ("todo: move the labels to sqlite", "are the labels moved to sqlite now?"),
    ("todo: import the member list into the crm", "the price list is now in the crm"),
    ("todo: import the member list into the crm", "the member list is not in the crm yet"),
    ("todo: copy the photos onto the nas", "when the photos are on the nas now and then, it beeps"),
)
MENDED = (
    (
        "test/shop/cart_test.exs:88 fails every tenth run or so, no clue why. somebody should look into that",
        "found the cart test thing, was the timezone. fixed",
    ),
    ("todo: fix the flaky login test", "tracked down the login test, it was the clock. fixed now"),
    ("todo: the upload worker hangs after an hour", "found out why the upload worker hangs, a lock. solved"),
    ("todo: the label printer jams on fridays", "the label printer problem was a worn roller. repaired"),
)
NOT_MENDED = (
    (
        "test/shop/cart_test.exs:88 fails every tenth run or so, no clue why. somebody should look into that",
        "found the login test thing, was the timezone. fixed",
    ),
    ("todo: fix the flaky login test", "tracked down the login test, it is the clock. not fixed yet"),
    ("todo: fix the flaky login test", "found the login test in the wrong folder"),
    ("todo: the label printer jams on fridays", "the label printer problem is a worn roller."),
    ("todo: the upload worker hangs after an hour", "found the download worker bug, a lock. solved"),
)
CLEARED = (
    (
        "somebody has to check the ferry ramp in Husum, it's closed every morning",
        "I called the port about Husum: we add ten minutes for the ramp, then it's fine. Done.",
    ),
    (
        "theres a guest with a guide dog in Husum. no idea how we plan that yet, keep it on the list",
        "the guide dog guest gets a cabin, the club pays. so that's settled",
    ),
    ("todo: figure out how to label the frozen samples", "the frozen samples get blue lids. settled"),
    (
        "somebody has to find out who cleans the boat shed",
        "the scouts take the boat shed every spring. So that's sorted.",
    ),
)
NOT_CLEARED = (
    (
        "somebody has to check the ferry ramp in Husum, it's closed every morning",
        "I called the port about Emden: we add ten minutes for the bridge, then it's fine. Done.",
    ),
    (
        "theres a guest with a guide dog in Husum. no idea how we plan that yet, keep it on the list",
        "the guest list is printed for Emden. Done.",
    ),
    (
        "todo: figure out how to label the frozen samples",
        "the frozen samples are still in the lab, I'll ask. Done.",
    ),
    ("todo: write the ferry ramp importer", "I renamed two fields of the ferry ramp model. Done."),
    ("somebody has to find out who cleans the boat shed", "I put the boat shed on the agenda. Done."),
)
DECIDED = (
    (
        "Open question for the board: who may delete a boat, the board or everybody with a key?",
        "board met yesterday: only the board deletes boats, everybody else archives",
    ),
    ("Open question: who may lock the shed?", "we decided that only the harbour master locks the shed"),
    ("Open question: how long do we keep the old logs?", "we decided to keep the old logs for 90 days"),
    ("Open question: which port do the scales use, 80 or 8080?", "we decided that the scales use port 8080"),
)
NOT_DECIDED = (
    (
        "Open question: who may delete a boat, the board or everybody with a key?",
        "we decided to delete old boats after a year",
    ),
    (
        "Open question: who may delete a boat, the board or everybody with a key?",
        "we decided that only the board deletes tickets",
    ),
    ("Open question: how long do we keep the old logs?", "we decided to keep the old logs in a folder"),
    (
        "Open question: which port do the scales use, 80 or 8080?",
        "we decided that the scales use port forwarding",
    ),
    ("Open question: who may lock the shed?", "should only the harbour master lock the shed?"),
)
ENDED = (*REPLIED, *THERE, *MENDED, *CLEARED, *DECIDED)
STAYS = (*NOT_REPLIED, *NOT_THERE, *NOT_MENDED, *NOT_CLEARED, *NOT_DECIDED)


@pytest.mark.parametrize(("opened", "said"), ENDED)
def test_what_became_of_a_matter_ends_it(em: Forge, project: str, opened: str, said: str) -> None:
    say_apart(em, project, opened, said)
    assert list(threads(em, project).values()) == ["resolved"]


@pytest.mark.parametrize(("opened", "said"), STAYS)
def test_a_matter_stays_open(em: Forge, project: str, opened: str, said: str) -> None:
    say_apart(em, project, opened)
    (title,) = threads(em, project)
    say_apart(em, project, said)
    assert threads(em, project)[title] == "open"


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        (
            ("todo: ask Otto whether the pump has a warranty", "todo: ask Otto for the key of the shed"),
            "otto answered: two years",
        ),
        (
            ("todo: move the labels to sqlite", "todo: move the old labels to sqlite before the fair"),
            "the labels are all in sqlite now",
        ),
    ],
)
def test_where_two_matters_may_be_meant_both_stay_open(
    em: Forge, project: str, opened: tuple[str, ...], said: str
) -> None:
    say_apart(em, project, *opened, said)
    assert list(threads(em, project).values()) == ["open", "open"]


def test_a_deed_that_ends_a_matter_is_no_decision(em: Forge, project: str) -> None:
    say_apart(em, project, "todo: move the labels to sqlite", "the labels are moved to sqlite now")
    assert not em.decisions.browse(project=project, status=None)
    assert not em.review.pending(project=project)


def test_a_title_that_only_points_back_says_what_it_is_about(em: Forge, project: str) -> None:
    say_apart(
        em,
        project,
        "theres a guest with a guide dog in Husum. no idea how we plan that yet, keep it on the list",
    )
    (title,) = threads(em, project)
    assert title.startswith("theres a guest with a guide dog in Husum")
