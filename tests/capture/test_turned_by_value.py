"""What ends when somebody takes something simpler, another amount, or another carrier, and what an assistant's echo of
it does: it is no decision of its own, and ends with the one that it repeats."""

from __future__ import annotations

import pytest
from tests.capture.talk import say

from engramforge.forge import Forge

TURNED = (
    (
        (
            "lets go with plain ftp over ssh for the scores",
            "A: FTP over SSH it is. I'll make a folder per choir.",
        ),
        "Let's drop ftp for the scores, half of the choirs have no client; they upload over HTTPS with a code from"
        " now on.",
    ),
    (
        ("We'll do the roster with Rails and a MySQL behind it.",),
        "actually scrap mysql, duckdb on the office laptop is plenty",
    ),
    (("We decided to build with Jenkins.",), "drop jenkins, a cron job on the old mac will do"),
    (("We decided to use Mailman for the circulars.",), "let's scrap mailman, a shared sheet is enough"),
    (("We decided to log the kiln with Grafana.",), "Ditch Grafana, a printed table suffices."),
    (
        ("sampling stays at 48 khz", "A: 48 kilohertz it stays; I've put it into the mixer file."),
        "48 khz was a mistake, the files get huge. 44 khz it is",
    ),
    (
        ("wheel speed stays at 30 rpm", "A: 30 revolutions a minute it stays; written into the card."),
        "30 rpm was a mistake, the clay flies off. 25 rpm it is",
    ),
    (
        ("fps stays at 12", "A: 12 frames per second it stays; set in the rig."),
        "12 fps was a mistake, the owls blur. 24 fps it is",
    ),
    (
        ("We keep the tide logs for 30 days.",),
        "Keep the tide logs 60 days, not 30; the harbour asked for it.",
    ),
    (("retention: slides 10 days, then only the prints",), "Keep slides 20 days, not 10."),
    (("Decision: leaflets are printed in 200 copies.",), "Leaflets in 300 copies, not 200."),
    (("covers max 2 mb, shrink em in the app",), "Covers may be 4 MB after all, the 2 MB ones were blurry."),
    (("clips max 90 sec",), "clips may be 120 sec after all"),
)
STANDING = (
    (("We keep the films for 30 days.",), "Keep the tapes 60 days, not 30."),
    (("We decided to use Postgres for the shop.",), "is sqlite plenty?"),
    (("We decided to use Postgres for the shop.",), "maybe scrap postgres, sqlite is plenty"),
    (("covers max 2 mb",), "Posters may be 4 MB after all."),
    (("covers max 2 mb",), "covers may be 4 MB after all?"),
    (("sampling stays at 48 khz",), "the manual says 48 khz was a mistake, 44 khz it is"),
    (("fps stays at 12",), "is 12 fps enough?"),
    (("We keep the tide logs for 30 days.",), "the logs went back 60 days, not 30"),
)


def statuses(em: Forge, project: str) -> dict[str, str]:
    return {each.id: str(each.status) for each in em.decisions.browse(project=project, status=None)}


@pytest.mark.parametrize(("decided", "said"), TURNED)
@pytest.mark.parametrize("session", ["one", "two"])
def test_the_old_one_ends(em: Forge, project: str, decided: tuple[str, ...], said: str, session: str) -> None:
    say(em, project, *decided)
    before = statuses(em, project)
    assert list(before.values()) == ["active"]
    say(em, project, said, session=session)
    after = statuses(em, project)
    assert [after.pop(each) for each in before] == ["superseded"]
    assert list(after.values()) == ["active"]


@pytest.mark.parametrize(("decided", "said"), STANDING)
def test_the_old_one_stands(em: Forge, project: str, decided: tuple[str, ...], said: str) -> None:
    say(em, project, *decided)
    before = statuses(em, project)
    say(em, project, said, session="two")
    assert {each: statuses(em, project)[each] for each in before} == dict.fromkeys(before, "active")
