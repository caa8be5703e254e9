"""Rules about all of a kind, what never happens, who may do a thing, short designs; and what only sounds so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import engramforge
from engramforge.forge import Forge

RULES = (
    "Every recipe has exactly one photo.",
    "Each bus carries 52 seats.",
    "every knot gets a drawing and a name",
    "each tune has its own sheet, no sharing",
    "Every locker gets two keys.",
    "each berth holds one boat",
    "every poem belongs to exactly one author",
    "Every voucher needs a signature.",
    "each lap costs 2 points",
    "The catalogue export never contains prices.",
    "tree numbers never change",
    "a hull number never changes once it's given out",
    "The donor list never leaves the office laptop.",
    "photos of children never leave the phone",
    "the app never asks for a birthday",
    "the feeder never stores addresses",
    "the newsletter never mentions surnames",
    "Rescue calls always go first.",
    "the captain's vote always wins",
    "members always come before guests",
    "drafts always stand last",
    "No boat leaves without a float plan.",
    "no refunds without a reciept",
    "No firing without a second person in the room.",
    "no entry without a year",
    "only the treasurer may see the bank details",
    "Only wardens can close a path.",
    "only the librarian can delete a loan",
    "only members may book a court",
    "only head gardeners can rename a bed",
)
DESIGNS = (
    "room db for storage, each organ its own file",
    "sqlite for the scores, one file per choir",
    "storage: sqlite, one file per organ",
    "database: postgres, one schema per club",
    "exports as csv (semicolons)",
    "lists as xlsx (one per hall)",
    "labels as pdf (a6, landscape)",
    "fixed fields: name, date, weight",
    "required columns: plot, crop, sown",
    "allowed statuses: open, held, done",
)
NEITHER = (
    "every test passes",
    "each run takes about ten minutes",
    "every request gets a 500",
    "every time it has another value",
    "every user has this problem",
    "each click has a delay of a second",
    "every page needs ages to load",
    "every screen has a white bar",
    "each build needs two attempts",
    "every now and then it gets stuck",
    "every other row has no name",
    "does every recipe have a photo?",
    "maybe each bus carries 52 seats",
    "every recipe should have a photo i guess",
    "the readme says every recipe has one photo",
    "every recipe has a photo, right?",
    "each of them has a scratch",
    "every tutorial has a different opinion",
    "Every bus has its tyres changed today.",
    "every row has the wrong colour",
    "the export never finishes",
    "the import never reaches the end",
    "the title never changes when i click",
    "the total never changes",
    "the list never contains the new entry",
    "the app never stores my settings",
    "the page never leaves the loading state",
    "the cursor never leaves the box",
    "the mail never contains a link, why?",
    "it never asks for a password",
    "he never mentions names",
    "does the export ever contain prices?",
    "i think the export never contains prices",
    "the cat never leaves the house",
    "that never changes",
    "some things never change",
    "the spinner always comes first",
    "the wrong one always wins",
    "the error always comes last",
    "family always comes first",
    "my boss always wins",
    "no luck without a cable",
    "no output without the flag",
    "no change without a restart",
    "no sound without headphones",
    "no idea without the log",
    "no way without a rewrite",
    "no day without rain here",
    "no errors without the plugin",
    "no reaction without a reload",
    "no merge without a review?",
    "only the first page can scroll",
    "only you can see this",
    "only i can reproduce it",
    "only time can tell",
    "only chrome can open it",
    "only admins can see it, is that a bug?",
    "only god may judge me",
    "can only members book a court?",
    "who says only members may book a court",
    "thanks for the help, each of you",
    "coffee for lunch, each day the same",
    "log: two warnings, one per page",
    "question: sqlite, one file or two?",
    "result: 4 passed, one skipped",
    "todo: tests, one per module",
    "saved it as csv (for you)",
    "it exports as csv (broken)",
    "missing fields: name, date, weight",
    "fixed bugs: login, date, colours",
    "fixed fields: why three, what for?",
)


@pytest.fixture(scope="module")
def em(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    with engramforge.open(tmp_path_factory.mktemp("home")) as forge:
        yield forge


@pytest.fixture
def project(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def say(em: Forge, project: str, said: str, speaker: str = "user") -> None:
    kind = "prompt" if speaker == "user" else "response"
    em.remember(said, kind=kind, project=project, session_id=project, speaker=speaker)


@pytest.mark.parametrize("said", (*RULES, *DESIGNS))
def test_a_rule_or_design_is_a_decision(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    (decision,) = em.decisions.browse(project=project)
    assert said.startswith(decision.decision[:12])


@pytest.mark.parametrize("said", NEITHER)
def test_what_is_seen_complained_or_asked_is_none(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    assert em.decisions.browse(project=project) == []


@pytest.mark.parametrize("said", (*RULES[:4], *RULES[13:15], *RULES[20:22], *DESIGNS[4:8]))
def test_an_assistant_states_none(em: Forge, project: str, said: str) -> None:
    say(em, project, said, "assistant")
    assert em.decisions.browse(project=project) == []
