"""Rules and settings that people state in plain speech, without a word of deciding; and what only sounds like them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import engramforge
from engramforge.forge import Forge

WHOLE = (
    "Member addresses never go to the printer or into any newsletter.",
    "Phone numbers never appear on the public list.",
    "A boat only counts as seaworthy if two wardens have checked it.",
    "A loan is only valid if the card was stamped.",
    "A parcel can't be handed out before the label has been scanned.",
    "An order must not be shipped until the invoice is paid.",
    "Nobody changes a tuning chart by hand.",
    "Every barrel is weighed at the gate, and nobody writes a weight down by hand.",
    "Recordings are at most 90 seconds.",
    "The key hangs on the board, not in the office.",
    "The lamps stay at 40 percent.",
    "Covers are saved as AVIF, quality 60.",
    "Naming: moorings have two letters and a digit, and that's it.",
    "Sizes in the catalogue are metric only, inches may come later.",
    "A refund can only be paid after a second person has signed it.",
)
CARELESS = (
    "scout names never go on the website or in any mail. first names at most",
    "guest emails never leave the box",
    "a catch only counts if its measured on the board",
    "a rehearsal only counts as held if at least five singers came",
    "kiln cant be opened before its under 80 degrees",
    "nobody edits the rota by hand",
    "every hive is weighed at the stand, nobody guesses a weight",
    "clips max 90 sec, cut em in the app",
    "covers max 3 mb",
    "max 4 guests per canoe",
    "icons as svg, 24 px",
    "posters as pdf, size a3",
    "price on the shelf tag not the bottle",
    "naming: kegs are two digits and a letter, thats it",
    "measures in metric only, inches later maybe",
    "volume stays at 70",
    "bpm stays at 120, dont let the band talk you into 130",
)
NOT_SET = (
    "the parser never returns on empty files",
    "the build never finishes on my laptop",
    "my tests never pass on fridays",
    "he never goes to the gym",
    "the mail never arrives in the inbox",
    "i can't deploy before lunch",
    "we can't test it before the cable arrives",
    "the app can't connect before the vpn is up",
    "you can't open it before you log in",
    "the login only works if cookies are on",
    "it only crashes if the list is empty",
    "does a match only count if both teams turn up?",
    "nobody knows why the lamp flickers",
    "nobody answered my mail yet",
    "nobody reads the manual anyway",
    "every test is failing on main",
    "every second request is slow",
    "every page is rendered twice, no idea why",
    "the fan stays at 100 percent since the update",
    "the counter stays at 0 after a reset",
    "the sum stays at 12 even if i add an item",
    "i'm at 12 fps max, why so slow",
    "it took 5 minutes max",
    "fuel max would be what, 40 litres?",
    "the bug is in the cart not the checkout",
    "works on my phone not the tablet",
    "error in the footer not the header",
    "the file opens as binary garbage, 200 lines",
    "can you save the drawing as pdf?",
    "naming: still no idea",
    "The manual says names never go on a label.",
    "if nobody edits the rota by hand we're fine",
    "maybe covers max 3 mb",
    "maybe icons as svg?",
    "messages never get to the queue",
    "every guest is registered with a wrong date",
)
OVER = (
    ("Let's send the backups over SFTP.", ()),
    ("lets go with plain ftp over ssh for the scores", ()),
    ("We decided to talk to the gauges over LoRa.", ()),
    ("The choirs upload over HTTPS with a code from now on.", ()),
    ("We decided on a glass lid over Pump B.", ()),
    ("We chose MQTT over TLS for the gauges.", ()),
    ("We chose Kotlin over Java for the app.", ("Java",)),
    ("we picked larch over oak for the deck", ("oak",)),
    ("Decision: paper tags are preferred over stickers.", ("stickers",)),
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


@pytest.mark.parametrize("said", (*WHOLE, *CARELESS))
def test_a_rule_is_a_decision(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    (decision,) = em.decisions.browse(project=project)
    assert said.startswith(decision.decision[:12])


@pytest.mark.parametrize("said", NOT_SET)
def test_what_is_told_or_asked_is_none(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    assert em.decisions.browse(project=project) == []


@pytest.mark.parametrize("said", ("covers max 3 mb", "volume stays at 70", "posters as pdf, size a3"))
def test_an_assistant_sets_nothing_with_so_few_words(em: Forge, project: str, said: str) -> None:
    say(em, project, said, "assistant")
    assert em.decisions.browse(project=project) == []


@pytest.mark.parametrize(("said", "rejected"), OVER)
def test_over_rejects_only_behind_a_preference(
    em: Forge, project: str, said: str, rejected: tuple[str, ...]
) -> None:
    say(em, project, said)
    (decision,) = em.decisions.browse(project=project)
    assert decision.alternatives_rejected == rejected
