"""What a person turns from and to in half sentences: the new holds and the old has ended, or nothing has changed."""

from __future__ import annotations

import pytest
from tests.capture.talk import decisions, say

from engramforge.forge import Forge

NONE_BUT = (
    ("we put Varnish in front of the shop", "no varnish after all, we use the cache they already have"),
    ("we decided to use moment for the dates", "actually no moment, we use plain dates"),
    ("we decided to use resque for the mails", "no resque, we go with the shell script"),
    ("we decided to use borg for the backups", "hm no borg after all, we use rsync"),
)
NONE_OF_ANOTHER = (
    ("we put Varnish in front of the shop", "no rain after all, we use the garden"),
    ("we put Varnish in front of the shop", "no varnish after all?"),
    ("we put Varnish in front of the shop", "no milk after all, we use water"),
    ("we decided to use borg for the backups", "there is no borg update, we use the old docs"),
)
WORN = (
    ("we decided to use resque for the mails", "resque keeps dying, we use plain cron now"),
    ("we decided to use resque for the mails", "resque keeps timing out, we use sidekiq now"),
    ("we decided to use borg for the backups", "borg keeps stalling, we use restic from now on"),
    ("we decided to use moment for the dates", "moment is too heavy, we use luxon now"),
)
NOT_WORN = (
    ("we decided to use resque for the mails", "resque keeps dying, we use a bigger box now"),
    ("we decided to use resque for the mails", "resque keeps dying"),
    ("we decided to use resque for the mails", "sendmail keeps dying, we use postfix now"),
    ("we decided to use borg for the backups", "if borg keeps stalling, we use restic now and then"),
    ("we decided to use borg for the backups", "borg keeps stalling today, we use restic now"),
)
RATHER = (
    ("we go with dark green as the main color", "hm no, rather blue", "we go with blue as the main color"),
    ("we decided on blue badges for the crew", "nah, better red", "we decided on red badges for the crew"),
    ("we decided to save the covers as png", "no, rather webp", "we decided to save the covers as webp"),
    ("we decided to use oak for the shelf", "oh no, rather birch", "we decided to use birch for the shelf"),
)
NOT_RATHER = (
    ("we go with dark green as the main color", "hm no, rather tomorrow"),
    ("we go with dark green as the main color", "would you rather have blue?"),
    ("we decided to send weekly digests", "nah, better not"),
    ("we decided to save the covers as png", "no, rather monday"),
)
BEHIND = (
    ("we decided to use valhalla for the routes", "forget valhalla, the tiles are 11 gb. osrm then"),
    ("we decided to use resque for the mails", "drop resque, the box is too small for it. sidekiq then"),
    ("we decided to use borg for the backups", "scrap borg, nobody here knows it. restic then"),
    ("we decided to use moment for the dates", "ditch moment, it is huge. luxon instead"),
)
NOT_BEHIND = (
    ("we decided to use valhalla for the routes", "forget valhalla, the tiles are 11 gb. osrm then?"),
    ("we decided to use valhalla for the routes", "forget the tiles, they are 11 gb. osrm then"),
    ("we decided to use borg for the backups", "should we scrap borg, nobody knows it? restic then?"),
    ("we decided to use borg for the backups", "scrap borg for today, it hangs. restic then"),
)
WHOLE = (
    (
        "we decided to ship a single binary with the pages embedded",
        "we drop the single binary, we deploy with docker on a linux vm instead",
    ),
    (
        "we decided to use sqlite for the orders",
        "we drop sqlite, we store orders in a hosted postgres instead",
    ),
    ("we decided to print with latex", "scrap latex, we print with weasyprint on the server instead"),
    ("we decided to use borg for the backups", "we ditch borg, we back up with restic at night instead"),
)
NOT_WHOLE = (
    ("we decided to use sqlite for the orders", "we drop sqlite, on the tablets we use duckdb instead"),
    (
        "we decided to print with latex",
        "should we scrap latex, and print with weasyprint on the server instead?",
    ),
    ("we decided to print with latex", "we drop the fonts, we print with weasyprint on the server instead"),
    (
        "we decided to use borg for the backups",
        "we could ditch borg, and back up with restic at night instead",
    ),
)
AMOUNTS = (
    ("we decided that backups run at 3 and are kept 30 days", "make it 60", "at 3 and are kept 60 days"),
    ("we decided that a cart holds 40 items, 2 of a kind", "make it 50", "holds 50 items, 2 of a kind"),
    ("we decided that links live 15 minutes, mails 600", "make it 20", "live 20 minutes, mails 600"),
    ("we decided to keep 7 copies in 90 days", "make that 120", "7 copies in 120 days"),
)
NOT_AMOUNTS = (
    ("we decided that backups run at 3 and are kept 30 days", "make it 9000"),
    ("we decided to keep 20 copies for 30 days", "make it 25"),
    ("we decided that a cart holds 40 items, 2 of a kind", "make it 40 now?"),
    ("we decided that links live 15 minutes, mails 600", "make it pretty"),
)
TURNED = (*NONE_BUT, *WORN, *BEHIND, *WHOLE)
STANDS = (*NONE_OF_ANOTHER, *NOT_WORN, *NOT_RATHER, *NOT_BEHIND, *NOT_WHOLE, *NOT_AMOUNTS)


@pytest.mark.parametrize(("decided", "said"), TURNED)
def test_the_new_holds_and_the_old_has_ended(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, decided, said)
    found = decisions(em, project)
    assert found.pop(decided) == "superseded"
    assert list(found.values()) == ["active"]


@pytest.mark.parametrize(("decided", "said"), STANDS)
def test_a_decision_stands(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, decided, said)
    assert decisions(em, project)[decided] == "active"


@pytest.mark.parametrize(("decided", "said", "now"), RATHER)
def test_another_value_of_its_kind_is_taken_rather(
    em: Forge, project: str, decided: str, said: str, now: str
) -> None:
    say(em, project, decided, "A: ok", said, f"A: {said.split()[-1]} it is")
    assert decisions(em, project) == {decided: "superseded", now: "active"}


@pytest.mark.parametrize(("decided", "said", "now"), AMOUNTS)
def test_an_amount_alone_is_of_what_it_may_be(
    em: Forge, project: str, decided: str, said: str, now: str
) -> None:
    say(em, project, decided, said)
    found = decisions(em, project)
    assert found.pop(decided) == "superseded"
    assert [each for each in found if each.endswith(now)] == list(found) != []


def test_what_takes_the_place_keeps_all_that_was_said_of_it(em: Forge, project: str) -> None:
    say(em, project, *WHOLE[0])
    (new,) = (each for each, status in decisions(em, project).items() if status == "active")
    assert "docker" in new and "linux vm" in new
