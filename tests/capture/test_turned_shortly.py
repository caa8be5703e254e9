"""Half sentences that decide, replace or end something, and as many that only sound like it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import engramforge
from engramforge.forge import Forge

REPLACED = (
    ("we decided that mails go through postmark", "brevo then, because gdpr"),
    ("we decided that mails go through postmark", "mailgun now, postmark keeps bouncing"),
    ("we decided to keep the tickets in jira", "ok asana then, because jira wants a card"),
    ("we decided that thumbs are png", "jpeg thumbs then"),
    ("we decided to send monthly digests", "ok, weekly digests then"),
    ("we decided on blue badges for the crew", "green badges then"),
    ("we decided to use a French scale for grades", "grades as plain numbers now"),
    ("we decided to use local time for the dates", "dates as iso strings from now on"),
    ("we decided to use borg for the backups", "ok backups with restic now"),
)
NOT_REPLACED = (
    ("we decided that mails go through postmark", "brevo then?"),
    ("we decided that mails go through postmark", "brevo then, just for today"),
    ("we decided that mails go through postmark", "brevo for the newsletters then"),
    ("we decided that mails go through postmark", "stripe then, because gdpr"),
    ("we decided that thumbs are png", "big thumbs then"),
    ("we decided that covers are png", "jpeg thumbs then"),
    ("we decided on blue badges for the crew", "green then"),
    ("we decided to use a French scale for grades", "names as plain text now"),
    ("we decided to use a French scale for grades", "are grades plain numbers now?"),
    ("we decided that guests can book", "no guests anymore, they all left"),
    ("we decided to show hints", "no more hints, they're all gone"),
    ("we decided to sell posters", "no posters any more, they sold out"),
    ("we decided to add ratings", "ratings were a stupid idea but we keep them"),
    ("we decided to add ratings", "were the ratings a stupid idea?"),
    ("we decided to use redis for the cache", "redis is too slow today, kill it and start again"),
    ("we decided to use a cache for the tiles", "the cache is broken, drop it"),
)
ENDED = (
    ("we decided to add ratings", "ratings were a stupid idea, take them out again"),
    ("we decided to add ratings", "the ratings were a terrible idea, remove them"),
    ("we decided to have a forum", "the forum was a dumb idea, throw it out"),
    ("we decided to show ads", "ads were a poor choice, out with them"),
    ("we decided that guests can book", "no guests anymore, they made a mess"),
    ("we decided to show hints", "no more hints, it annoys people"),
)
LIFTED = (
    ("we decided: hands off the members table", "you can touch the members table again"),
    ("we decided: hands off the members table", "the members table may be changed again"),
    ("we decided: hands off the members table", "the members table is free again"),
    ("we decided that nobody edits the members table", "everyone can edit the members table again"),
    ("we decided: hands off the members table", "hands off the members table is over"),
    ("we decided: the price list is off limits", "the price list is ok to edit now"),
)
NOT_LIFTED = (
    ("we decided: hands off the members table", "you can read the members table now"),
    ("we decided: hands off the members table", "you can touch the members view again"),
    (
        "we decided: hands off the members table",
        "you can touch the members table again once the audit is done",
    ),
    ("we decided: hands off the members table", "can we touch the members table again?"),
    ("we decided: hands off the members table", "the members table is broken again"),
)
DECIDED = (
    "ah no, slate instead of tiles then",
    "hm no, oak instead of larch",
    "green badges rather than stickers please",
    "jpeg thumbs then",
    "plain text mails then, because gdpr",
    "ok, weekly digests then",
    "mum can edit the recipes, nobody else",
)
NOT_DECIDED = (
    "got slate instead of tiles",
    "it shows slate instead of tiles",
    "why slate instead of tiles then",
    "maybe slate instead of tiles then",
    "good night then",
    "see you monday then",
    "back to work then",
    "ok tomorrow morning then",
    "what about jpeg thumbs then?",
    "asked mum, dinner is at 7, so thats settled",
    "told my wife we skip the party, final",
    "dad picks the kids up at lunch, agreed",
)
NOT_EVEN_WAITING = (
    "asked mum, dinner is at 7, so thats settled",
    "lets plan the client",
    "ok lets start on the parser",
    "lets look at the labels next",
)


@pytest.fixture(scope="module")
def em(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    with engramforge.open(tmp_path_factory.mktemp("home")) as forge:
        yield forge


@pytest.fixture
def project(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def say(em: Forge, project: str, *turns: str) -> None:
    for number, turn in enumerate(turns):
        session = f"{project} {number}"
        em.remember(turn, kind="prompt", project=project, session_id=session, speaker="user")


def statuses(em: Forge, project: str) -> dict[str, str]:
    return {each.decision: str(each.status) for each in em.decisions.browse(project=project, status=None)}


@pytest.mark.parametrize(("decided", "said"), REPLACED)
def test_what_is_taken_by_its_name_replaces_what_is_such(
    em: Forge, project: str, decided: str, said: str
) -> None:
    say(em, project, decided, said)
    found = statuses(em, project)
    assert found.pop(decided) == "superseded"
    assert list(found.values()) == ["active"]


@pytest.mark.parametrize(("decided", "said"), NOT_REPLACED)
def test_a_decision_stands(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, decided, said)
    assert statuses(em, project)[decided] == "active"


def test_where_two_are_such_none_is_replaced(em: Forge, project: str) -> None:
    decided = ("we decided that mails go through postmark", "we decided on mailjet for the newsletters")
    say(em, project, *decided, "brevo then, because gdpr")
    assert [statuses(em, project)[each] for each in decided] == ["active", "active"]


@pytest.mark.parametrize(("decided", "said"), ENDED)
def test_a_decision_ends(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, decided, said)
    assert statuses(em, project)[decided] in ("invalidated", "superseded")


@pytest.mark.parametrize(("decided", "said"), LIFTED)
def test_what_was_forbidden_is_permitted(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, decided)
    (old,) = statuses(em, project)
    say(em, project, decided, said)
    assert statuses(em, project)[old] in ("invalidated", "superseded")


@pytest.mark.parametrize(("decided", "said"), NOT_LIFTED)
def test_what_is_forbidden_stays_so(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, decided)
    (old,) = statuses(em, project)
    say(em, project, decided, said)
    assert statuses(em, project)[old] == "active"


@pytest.mark.parametrize("said", DECIDED)
def test_a_few_words_decide(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    assert list(statuses(em, project).values()) == ["active"]


@pytest.mark.parametrize("said", NOT_DECIDED)
def test_a_few_words_decide_nothing(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    assert not statuses(em, project)


@pytest.mark.parametrize("said", NOT_EVEN_WAITING)
def test_what_is_next_or_private_does_not_wait(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    assert not statuses(em, project) and not em.review.pending(project=project)
