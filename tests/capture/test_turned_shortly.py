"""Half sentences that decide, replace or end something, and as many that only sound like it."""

from __future__ import annotations

import pytest
from tests.capture.talk import decisions, say_apart

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
    (
        "we decided to use mongo for the tides",
        "scrap mongo, the box ran out of memory. mariadb on the shed server",
    ),
    ("we decided to use mongo for the tides", "forget mongo, mariadb on the shed server"),
    ("we decided to use mongo for the tides", "scrap mongo. sqlite on the buoy"),
    ("we decided to use mongo for the tides", "ditch mongo, we go with mariadb on the shed server"),
    ("we decided that the feed bins open at 7 in the morning", "feed bins at 5 in the morning from now on"),
    ("we decided that the kiln starts at 10", "kiln at 10 wakes the baby, sorry. the kiln moves to 8"),
    ("we decided that the stirrer runs at 90 rpm", "stirrer down to 60 rpm, 90 makes foam"),
    ("we decided to feed the koi every third day", "feed the koi every day from now on"),
    ("we decided to use copper pipes", "change the pipes to steel, copper gets stolen"),
    ("we decided that the map font is lato", "change the map font to inter"),
)
NOT_REPLACED = (
    ("we decided to use mongo for the tides", "scrap mongo and go back to csv or what"),
    ("we decided to use mongo for the tides", "scrap mongo, we go with mariadb, wdyt"),
    ("we decided to use mongo for the tides", "so we take mariadb instead of mongo, right"),
    ("we decided to use mongo for the tides", "we go with mariadb instead of mongo. thoughts"),
    ("we decided to use mongo for the tides", "back to mariadb or not"),
    ("we decided to use mongo for the tides", "scrap mongo, breakfast on the pier"),
    ("we decided to use mongo for the tides", "scrap mongo, errors on the pier all night"),
    ("we decided that the feed bins open at 7 in the morning", "choir at 5 in the evening from now on"),
    ("we decided that the stirrer runs at 90 rpm", "the fan is up to 60 rpm"),
    ("we decided that the stirrer runs at 90 rpm", "stirrer down to 60 rpm today"),
    ("we decided to feed the koi every third day", "water the ferns every day from now on"),
    ("we decided to use copper pipes", "change the branch to steel"),
    ("we decided to use copper pipes", "change the pipes tomorrow, copper gets stolen"),
    ("we decided to use rabbitmq for the bells", "rabbitmq is too heavy. the clock stays as it is"),
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


@pytest.mark.parametrize(("decided", "said"), REPLACED)
def test_what_is_taken_by_its_name_replaces_what_is_such(
    em: Forge, project: str, decided: str, said: str
) -> None:
    say_apart(em, project, decided, said)
    found = decisions(em, project)
    assert found.pop(decided) == "superseded"
    assert list(found.values()) == ["active"]


@pytest.mark.parametrize(("decided", "said"), NOT_REPLACED)
def test_a_decision_stands(em: Forge, project: str, decided: str, said: str) -> None:
    say_apart(em, project, decided, said)
    assert decisions(em, project)[decided] == "active"


def test_where_two_are_such_none_is_replaced(em: Forge, project: str) -> None:
    decided = ("we decided that mails go through postmark", "we decided on mailjet for the newsletters")
    say_apart(em, project, *decided, "brevo then, because gdpr")
    assert [decisions(em, project)[each] for each in decided] == ["active", "active"]


@pytest.mark.parametrize(("decided", "said"), ENDED)
def test_a_decision_ends(em: Forge, project: str, decided: str, said: str) -> None:
    say_apart(em, project, decided, said)
    assert decisions(em, project)[decided] in ("invalidated", "superseded")


@pytest.mark.parametrize(("decided", "said"), LIFTED)
def test_what_was_forbidden_is_permitted(em: Forge, project: str, decided: str, said: str) -> None:
    say_apart(em, project, decided)
    (old,) = decisions(em, project)
    say_apart(em, project, decided, said)
    assert decisions(em, project)[old] in ("invalidated", "superseded")


@pytest.mark.parametrize(("decided", "said"), NOT_LIFTED)
def test_what_is_forbidden_stays_so(em: Forge, project: str, decided: str, said: str) -> None:
    say_apart(em, project, decided)
    (old,) = decisions(em, project)
    say_apart(em, project, decided, said)
    assert decisions(em, project)[old] == "active"


@pytest.mark.parametrize("said", DECIDED)
def test_a_few_words_decide(em: Forge, project: str, said: str) -> None:
    say_apart(em, project, said)
    assert list(decisions(em, project).values()) == ["active"]


@pytest.mark.parametrize("said", NOT_DECIDED)
def test_a_few_words_decide_nothing(em: Forge, project: str, said: str) -> None:
    say_apart(em, project, said)
    assert not decisions(em, project)


@pytest.mark.parametrize("said", NOT_EVEN_WAITING)
def test_what_is_next_or_private_does_not_wait(em: Forge, project: str, said: str) -> None:
    say_apart(em, project, said)
    assert not decisions(em, project) and not em.review.pending(project=project)


BOTH = "we decided to take a belt for the tower and a chain for the gate"


@pytest.mark.parametrize(
    ("decided", "said", "stands"),
    [
        (
            BOTH,
            "the chain is too loud. we use a rope for the gate, the tower stays as it is",
            "a rope for the gate",
        ),
        (BOTH, "we use a rope for the gate, the chain is too loud. the tower stays", "a rope for the gate"),
        (BOTH, "the chain is too loud for the neighbours. we use a rope there", "a rope for the gate"),
        (
            "we decided to use travis for ci and gitlab for the code",
            "codeberg for the code from now on, travis stays",
            "travis for ci and codeberg for the code",
        ),
    ],
)
def test_only_the_part_that_is_named_changes(
    em: Forge, project: str, decided: str, said: str, stands: str
) -> None:
    say_apart(em, project, decided, said)
    found = decisions(em, project)
    assert found.pop(decided) == "superseded"
    ((new, status),) = found.items()
    assert stands in new and status == "active"
    assert "belt for the tower" in new or decided is not BOTH


@pytest.mark.parametrize(
    "said",
    [
        "the chain is too loud. we use a rope for the flag",
        "the chain is too loud today. we use a rope for the gate",
        "should we use a rope for the gate, the chain is too loud?",
    ],
)
def test_no_part_changes(em: Forge, project: str, said: str) -> None:
    say_apart(em, project, BOTH, said)
    assert decisions(em, project)[BOTH] == "active"
