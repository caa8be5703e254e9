"""Decisions that end by a bare name, another value or a rule that is lifted; open matters that are said in passing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.capture.talk import decisions, holding, say, say_apart

if TYPE_CHECKING:
    from engramforge.forge import Forge

ENDED = (
    (
        "casein plates as labels",
        "forget the casein plates, nfc buttons, he bought 200 of them",
        "nfc buttons",
    ),
    ("we use mosquitto as the broker", "scrap mosquitto, nanomq, its half the size", "nanomq"),
    (
        "vellum for the invitations",
        "forget about the vellum, kraft paper - they had none left anyway",
        "kraft paper",
    ),
    (
        "we decided to use gulp for the builds",
        "nah forget gulp, npm scripts, we dont need more",
        "npm scripts",
    ),
    ("paypal for the donations", "ditch paypal, stripe because the fees are lower", "stripe"),
    ("beeswax for the seals", "never mind the beeswax, soy wax, my sister is vegan", "soy wax"),
    ("dogs only in room 4", "dogs are ok everywhere now, the club changed its mind", "everywhere"),
    ("dogs only in room 4", "scrap the dogs rule, theyre ok everywhere", ""),
    ("no shoes in the studio", "shoes are allowed in the studio again", "again"),
    ("photos only in the lobby", "photos are fine anywhere now", "anywhere"),
    ("members may swim only from 8 to 10", "members can swim any time now, new lifeguard", "any time"),
    ("only admins may post", "everyone can post now", "everyone"),
    ("no music after 10 in the yard", "drop the music rule, nobody lives there any more", ""),
    ("no guests in the lab without a badge", "we lift the guests rule", ""),
    ("only two books per reader", "the two books limit is gone, cancel the books limit", ""),
    ("the cancel deadline is 3 days", "cancel deadline 5 days from now on, not 3", "5 days"),
    ("the loan period is 14 days", "the loan period is 21 days now, not 14", "21"),
    ("the entry fee is 12 euros", "entry fee 15 euros starting in march, not 12 anymore", "15"),
    ("we fire the glaze at 1220 degrees", "we fire the glaze at 1240 degrees, not 1220", "240"),
    ("max 6 players per table", "max 8 players per table, not 6", "8"),
    (
        "the newsletter goes out on mondays",
        "the newsletter goes out on fridays from now on, not mondays",
        "fridays",
    ),
    ("passwords need 8 characters", "passwords need 12 characters now, not 8", "12"),
    ("a dark background for the kiosk", "white background after all, nobody could read it", "white"),
    ("a dark background for the kiosk", "background white instead, dark is unreadable in the sun", "white"),
    ("a dark background for the kiosk", "we switch the kiosk to a white background", "white"),
    ("a serif font for the headings", "sans font for the headings after all", "sans"),
    ("a sqlite store for the drafts", "redis store for the drafts instead", "redis"),
    ("english comments in the code", "german comments after all", "german"),
    ("we poll the sensors every 5 minutes", "5 min is too often, eats the batteries. make it 15", "15"),
    ("we poll the sensors every 5 minutes", "5 mins is overkill, make it 20 minutes", "20"),
    ("the lamp turns off after 30 seconds", "30 sec is too short, i stood in the dark. lets do 90", "90"),
    ("tokens expire after 2 hours", "2 hours is way too long, go with 1", "1"),
    ("we keep the backups for 30 days", "30 days is too short. 60 it is", "60"),
    ("the beds get watered every 2 days", "every 2 days is too often, they rot. 4 is enough", "4"),
    ("rotate the keys every 6 months", "6 months is too long, better 3", "3"),
    ("the meeting takes 60 minutes", "60 min is too long, make it 45 min", "45"),
    ("we allow 2 beds of overbooking", "no overbooking anymore", "overbooking"),
    ("we accept cheques", "no cheques any more", "no cheques any more"),
    (
        "we send a printed programme to members",
        "no printed programme from now on, costs too much",
        "no printed programme from now on",
    ),
    ("we offer a discount for students", "no more student discounts", "no more student discounts"),
    ("we sell gift cards", "ok no gift cards any longer", "no gift cards any longer"),
    ("fullcalendar for the calendar", "nah no fullcalendar, a plain table", "plain table"),
    ("we use lottie for the intro", "hm no lottie, a gif", "gif"),
    ("a carousel on the front page", "nope, no carousel, just one photo", "one photo"),
    ("we go with auth0 for the login", "no auth0 after all, a magic link", "magic link"),
    ("a spreadsheet for the shifts", "actually no spreadsheet, a whiteboard", "whiteboard"),
    ("leather for the straps", "nah no leather, only hemp", "hemp"),
    ("the covers are 300px high", "make the covers 450", "the covers are 450px high"),
    ("the covers are 300px high", "make em 450, nobody can read the spine", "the covers are 450px high"),
    ("vouchers are valid for 12 months", "limit the vouchers to 6 months", "6 months"),
    ("we store the scans for 90 days", "keep the scans for 30 days only", "30 days"),
    ("we hold 20 seats for walk-ins", "keep 12 seats instead of 20", "we hold 12 seats for walk-ins"),
    ("the trial takes 14 days", "make the trial 21 days", "21 days"),
    ("at most 5 devices per account", "raise the devices to 8, families need more", "8"),
    ("the siren sounds for 60 seconds", "cut the siren to 20", "the siren sounds for 20 seconds"),
    ("we keep invoices for 10 years", "we keep the invoices for 7 years only", "7 years"),
)
"""What was decided, what is said, and what holds then; "" for nothing."""
STANDING = (
    ("a dark background for the kiosk", "a white background for the flyer instead"),
    ("blue buttons on the checkout page", "big buttons on the landing page instead"),
    ("blue buttons on the checkout page", "green buttons would be nicer after all?"),
    ("english comments in the code", "english docs after all"),
    ("a paper map for the hall", "for the flyer a digital map instead"),
    ("we use mosquitto as the broker", "forget mosquitto, my mistake, i meant the log"),
    ("we use mosquitto as the broker", "should we forget mosquitto, nanomq, it is half the size?"),
    ("vellum for the invitations", "forget the vellum samples, monday, they are closed today"),
    ("we use mosquitto as the broker", "drop mosquitto, run the tests, it takes a minute"),
    ("we use mosquitto as the broker", "don't drop mosquitto, nanomq, it is not ready"),
    ("paypal for the donations", "if the fees go up drop paypal, stripe, they are cheaper"),
    ("dogs only in room 4", "cats are ok everywhere now"),
    ("dogs only in room 4", "are dogs ok everywhere now?"),
    ("dogs only in room 4", "he said dogs are ok everywhere now"),
    ("dogs only in room 4", "if the club agrees dogs are ok everywhere now"),
    ("dogs only in room 4", "dogs are ok in the garden now"),
    ("dogs only in room 4", "dogs are not ok everywhere"),
    ("we use eslint for the linting", "drop the eslint rule for the quotes"),
    ("members may swim only from 8 to 10", "members can eat any time now"),
    ("no shoes in the studio", "shoes are fine in the kitchen now"),
    ("uploads go to the s3 bucket", "scrap the upload limit, it was never used"),
    ("dogs only in room 4", "scrap the cats rule, theyre ok everywhere"),
    ("the cancel deadline is 3 days", "it took 5 days, not 3"),
    ("the cancel deadline is 3 days", "is the cancel deadline 5 days, not 3?"),
    ("the cancel deadline is 3 days", "the refund deadline is 5 days, not 3"),
    ("the cancel deadline is 3 days", "maybe the cancel deadline should be 5 days, not 3"),
    ("the cancel deadline is 3 days", "lisa says the cancel deadline is 5 days, not 3"),
    ("we fire the glaze at 1220 degrees", "the oven shows 1240 degrees, not 1220"),
    ("max 6 players per table", "max 8 players per table at the championship, not 6"),
    ("we poll the sensors every 5 minutes", "5 min is too often for a smoke test, but we leave it"),
    ("we poll the sensors every 5 minutes", "5 min is too often for the smoke test, make it 15"),
    ("we poll the sensors every 5 minutes", "is 5 min too often? make it 15 if you think so"),
    ("we poll the sensors every 5 minutes", "10 min is too often, make it 15"),
    ("we poll the sensors every 5 minutes", "5 kg is too heavy, make it 3"),
    ("we poll the sensors every 5 minutes", "5 min is too often, maybe make it 15?"),
    ("we poll the sensors every 5 minutes", "5 min is too long to wait for you, hurry"),
    ("we poll the sensors every 5 minutes", "5 min is too often, lets talk about it at 15"),
    ("we allow 2 beds of overbooking", "is there no overbooking anymore?"),
    ("we log crashes to the console", "no crashes anymore"),
    ("we allow 2 beds of overbooking", "no overbooking today"),
    ("we allow 2 beds of overbooking", "there is no overbooking error anymore"),
    ("we accept cheques", "no cheques anymore would be a pity"),
    ("we accept cheques", "no more cheques for this month"),
    ("no overbooking at all", "no overbooking anymore"),
    ("we accept cheques", "tom says no cheques anymore"),
    ("fullcalendar for the calendar", "no fullcalendar in the build, a white page"),
    ("fullcalendar for the calendar", "hm no fullcalendar on my screen, just a blank page"),
    ("fullcalendar for the calendar", "nah no fullcalendar update, check the lockfile"),
    ("a carousel on the front page", "nah, no idea, a carousel maybe"),
    ("fullcalendar for the calendar", "nah no fullcalendar theme, a plain one"),
    ("fullcalendar for the calendar", "no fullcalendar, a plain table?"),
    ("the covers are 300px high", "make the banner 450"),
    ("the covers are 300px high", "make the covers 150 dpi"),
    ("the covers are 300px high", "make 3 covers for the spring list"),
    ("the covers are 300px high", "make em 4, i have only so much paper"),
    ("the covers are 300px high", "the lines wrap after 400 signs. make it 450"),
    ("the covers are 300px high", "should we make the covers 450?"),
    ("the covers are 300px high", "if she complains make the covers 450"),
    ("the covers are 300px high", "make the covers 450 just for this page"),
    ("vouchers are valid for 12 months", "limit the query to 6 months"),
    ("we store the scans for 90 days", "keep the scans of the deeds for 30 days only"),
    ("we store the scans for 90 days", "keep 30 days of logs instead of 90"),
    ("we hold 20 seats for walk-ins", "keep 12 seats instead of 15"),
    ("the trial takes 14 days", "we tested the trial for 21 days only"),
    ("the siren sounds for 60 seconds", "he said cut the siren to 20"),
    ("masking tape for the edges", "masking tape rips the paint, no more of that brand"),
    (
        "masking tape for the edges",
        "the cat rips the paper, no more of that. edges get done by hand with a liner",
    ),
    ("masking tape for the edges", "he says masking tape rips the paint, no more of that"),
    ("masking tape for the edges", "masking tape rips the paint. more of that later"),
    ("readers can review books", "should we drop the reviews?"),
    ("readers can review books", "we drop the reviews for now"),
    ("readers can review books", "we don't drop the reviews"),
    ("readers can review books", "we drop the old reviews table"),
    ("readers can review books", "if nobody writes any we drop the reviews"),
    ("members can tag their photos", "we drop the tags from the export"),
    ("raffle tickets at the door", "he said we drop the raffle"),
)
"""What was decided, and what only sounds as if it ended it."""


GIVEN_UP = (
    (
        "masking tape for the edges",
        "masking tape rips the paint, no more of that. edges get done by hand with a liner",
        "edges get done by hand with a liner",
    ),
    (
        "tesseract for the receipts",
        "tesseract eats the umlauts, no more of that. receipts get typed in by hand",
        "receipts get typed in by hand",
    ),
    (
        "bone glue for the joints",
        "bone glue stains the maple, enough of that. we go with hide glue for the joints",
        "hide glue",
    ),
    ("readers can review books", "we drop the reviews", "we drop the reviews"),
    ("members can tag their photos", "we drop the tags, nobody uses them", "we drop the tags"),
    (
        "a loyalty stamp for every tenth coffee",
        "we're dropping the stamps for good",
        "we're dropping the stamps",
    ),
    ("guests can rent towels", "we scrap towels because they never come back", ""),
    ("raffle tickets at the door", "we're getting rid of the raffle", ""),
)
"""The same of what ends without a word for what takes its place; `then`: "" where nothing does."""


@pytest.mark.parametrize(("decided", "said", "then"), ENDED)
def test_a_decision_ends(em: Forge, project: str, decided: str, said: str, then: str) -> None:
    say(em, project, f"Decision: {decided}")
    (old,) = decisions(em, project)
    say(em, project, said, session="two")
    assert decisions(em, project)[old] in ("superseded", "invalidated")
    assert not then or any(then in each for each in holding(em, project))


@pytest.mark.parametrize(("decided", "said", "then"), GIVEN_UP)
def test_what_is_given_up_ends(em: Forge, project: str, decided: str, said: str, then: str) -> None:
    say_apart(em, project, f"Decision: {decided}", said)
    found = decisions(em, project)
    assert found.pop(decided) == ("superseded" if then else "invalidated")
    assert [then in each for each in found] == ([True] if then else [])


@pytest.mark.parametrize(("decided", "said"), STANDING)
def test_a_decision_stands(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, f"Decision: {decided}")
    (old,) = decisions(em, project)
    say(em, project, said, session="two")
    assert decisions(em, project)[old] == "active"


@pytest.mark.parametrize(
    ("decided", "said"),
    [
        (("dogs only in room 4", "dogs only in the yard after six"), "dogs are ok everywhere now"),
        (
            ("the covers are 300px high", "the spines are 100px wide"),
            "make em 150, nobody can read them",
        ),
        (
            ("the lamp turns off after 5 minutes", "we poll the meter every 5 minutes"),
            "5 min is too much, make it 9",
        ),
        (
            ("the loan of books is 14 days", "the loan of games is 14 days"),
            "the loan is 21 days from now on, not 14",
        ),
    ],
)
def test_where_two_may_be_meant_none_ends(
    em: Forge, project: str, decided: tuple[str, ...], said: str
) -> None:
    say(em, project, *(f"Decision: {each}" for each in decided))
    say(em, project, said, session="two")
    assert set(decided) <= set(holding(em, project))


def test_another_amount_is_told_of_its_matter(em: Forge, project: str) -> None:
    say(em, project, "Decision: we poll the sensors every 5 minutes")
    say(em, project, "5 min is too often, eats the batteries. make it 15", session="two")
    assert holding(em, project) == ["we poll the sensors every 15 minutes"]


@pytest.mark.parametrize(
    ("said", "echo", "then"),
    [
        (
            "im going with a dark background",
            "Dark it is, I changed style.css",
            "scrap the dark background, light",
        ),
        (
            "i'm going with a dark background",
            "Dark it is, I changed style.css",
            "actually no, light background",
        ),
        ("ill go with oak for the frame", "Oak it is, I noted it in materials.md", "nah no oak, ash"),
    ],
)
def test_an_echo_is_kept_in_the_words_of_the_person(
    em: Forge, project: str, said: str, echo: str, then: str
) -> None:
    say(em, project, said, f"A: {echo}")
    assert holding(em, project) == [said]
    say(em, project, then)
    assert said not in holding(em, project) and len(holding(em, project)) == 1


def test_an_answer_to_a_question_is_no_echo(em: Forge, project: str) -> None:
    say(em, project, "should i go with oak for the frame?", "A: Oak it is, I noted it in materials.md")
    assert holding(em, project) == ["Oak it is, I noted it in materials.md"]


@pytest.mark.parametrize(
    "said",
    [
        "we still gotta find out why the printer drops every 3rd label",
        "i have to ask reto if he wants the weekly mail",
        "the search box crashes when you type an umlaut, look at that later",
        "the header is ugly on tablets, gotta fix that some time",
        "still gotta figure out where the humidity spikes come from",
        "i gotta ask the baker whether he delivers on sundays",
        "need to check with anna how many chairs we have",
        "i must ask the council about the permit for the stall",
        "the csv import chokes on semicolons, have to look at it at some point",
        "the gate squeaks again, we should fix that one day",
        "the preview is upside down on android, deal with it later",
        "the second pump rattles, need to look into that sometime",
    ],
)
def test_a_matter_is_open(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    assert [each.title for each in em.threads.browse(project=project, status="open")] == [said]


@pytest.mark.parametrize(
    "said",
    [
        "do i have to ask reto if he wants the weekly mail?",
        "i always have to ask reto if he wants to eat with us",
        "i had to ask reto if he wants the weekly mail",
        "you don't have to ask me if it works",
        "i fixed the header, look at that",
        "if it crashes again we look at that later",
        "should we look at that later?",
        "i have to ask: why is this so slow?",
        "i have to ask you how this works",
        "the search box is great, look at that",
    ],
)
def test_nothing_is_open(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    assert not em.threads.browse(project=project, status=None)
