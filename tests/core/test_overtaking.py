"""What a person says later overtakes what was said before, whether or not it states anything by itself."""

from __future__ import annotations

import pytest

from engramforge.core.detection.endings.reversals import reversals_in
from engramforge.core.detection.endings.turned import turned_from
from engramforge.core.injection.inputs.overtaking import left_standing, looked_for, overtakes, repeats
from engramforge.core.injection.inputs.slots import changes_it
from engramforge.core.registries.changed.standing import Standing
from engramforge.core.registries.changed.turned_values import with_value_turned


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("the gate closes after 8 seconds", "8s is too quick for wheelchairs, 14 will do"),
        ("soak the beans for 12 hours", "12 hours is overkill, make it 6"),
        ("rate limit is 100 requests per minute", "set the rate limit to 40"),
        ("backups are kept 14 days", "backups should be kept 30 days, the auditor asked"),
        ("stir the vat every 20 min, skim it every 90 min", "change: skim it every 45 min, it gets cloudy"),
        ("we send sms through twilio", "twilio keeps blocking us, messagebird does it from now on"),
        ("newsletter goes out on fridays", "fridays nobody reads it, mondays instead"),
        ("wkhtmltopdf renders the reports", "wkhtmltopdf is dead upstream, we render with weasyprint now"),
        (
            "letters go out 9 days before the show",
            "make the letters go out 4 days before, says the box office",
        ),
        ("we build on debian 11", "upgraded the builders to debian 12 today"),
        ("we use ledgers for the stalls", "move the stalls to kiosk, ledgers get wet"),
        ("celery sends the letters", "port the letters over to rq"),
        # An old value that is said to be no more, whatever words an answer had for it.
        ("the oven listens on 7070", "oven is on 7171 now, 7070 is taken by the scale"),
        ("Oven: port 7070.", "7070 clashes with the scale, 7171 then"),
        ("MAX_CREW = 6.", "max crew of 8 from now on, not 6"),
        ("berth fee 12 euro", "fee is 15 now instead of 12"),
        ("the tide gauge is 3.5 m", "the gauge is at 4 m, no longer 3.5"),
        # Another value of the same kind beside a short form of the noun, or a word that tells of no matter.
        ("photographs 900 px high", "photos 1200 px"),
        ("the wiki is https://wiki.harbour.example", "the wiki moved to https://docs.harbour.example"),
        ("ring 4 times then hang up", "6 rings please"),
        ("labels in german", "actually french on the labels"),
        ("depth column is 40 px", "columns 56 px"),
        ("lets switch to vitest", "vitest is out, we switched back to jest"),
        ("we moved the wiki to hugo", "the wiki is moved to docusaurus from now on"),
        ("keys in kebab-case in the yaml", "snake_case in the yaml, the linter wants it"),
        ("nice, leaflet then", "leaflet is a pain on phones. rip it out, static tiles are enough"),
        ("leaflets go out on mondays", "leaflets out on thursdays, mondays nobody reads them"),
    ],
)
def test_a_turn_overtakes(earlier: str, later: str) -> None:
    assert overtakes(later, earlier)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("the gate closes after 8 seconds", "8 people waited at the gate for 20 minutes"),
        ("soak the beans for 12 hours", "maybe we soak the beans 6 hours some day"),
        ("rate limit is 100 requests per minute", "the limit of the upload is 40 mb"),
        ("backups are kept 14 days", "show the backups of the last 3 days in the list"),
        ("backups are kept 14 days", "should the backups be kept 30 days?"),
        ("we send sms through twilio", "the twilio test fails now"),
        ("newsletter goes out on fridays", "can you put a picture into the newsletter now"),
        ("max 3 retries on the webhook", "write 5 tests for the webhook"),
        # A common verb alone makes no two matters one.
        ("lets switch to vitest", "switch the charts to uplot from now on"),
        ("we migrate to hugo for the wiki", "the orders migrated to postgres last week, no longer mysql"),
        ("upgrade the pump firmware", "upgraded the crane to version 4 today"),
        ("we replace the ropes in may", "replace the lamp instead"),
        ("wkhtmltopdf renders the reports", "the reports need page numbers"),
        ("we use ledgers for the stalls", "move the awnings to canvas"),
        ("celery sends the letters", "move the stamps over to rq"),
        ("berth fee 12 euro", "9 boats came, not 12"),
        ("berth fee 12 euro", "/cost berth fee 15 euro"),
        ("the oven listens on 7070", "the mixer log has 7070 lines, 80 of them empty"),
        ("the loaf weighs 750 g", "750 loaves were sold, not 900"),
        ("photographs 900 px high", "the phone photo test fails at 1200 px"),
        ("port of the oven is 7070", "portfolio 8080"),
        ("the wiki is https://wiki.harbour.example", "see https://docs.harbour.example for the wiki syntax"),
        ("ring 4 times then hang up", "6 rings were lost in the sink"),
        ("labels in german", "the french labels are ugly"),
        ("labels in german", "can the labels be in french?"),
        ("depth column is 40 px", "there are 56 columns"),
        ("keys in kebab-case in the yaml", "add a json export of the keys"),
        ("stir the vat every 20 min", "for today stir the vat every 40 min"),
        ("leaflets go out on mondays", "post the ledger on friday"),
    ],
)
def test_other_words_overtake_nothing(earlier: str, later: str) -> None:
    assert not overtakes(later, earlier)


def test_a_later_turn_is_looked_for_by_words_and_amounts() -> None:
    assert {"kiln", "90", "90s"} <= set(looked_for("the kiln beeps for 90 seconds"))


def _ends(said: str, decision: str) -> bool:
    return any(turned_from(turn, [Standing(decision)])[1] for turn in reversals_in(said, ()))


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (
            "we go with leaflet for the map",
            "actually scrap leaflet, the guests want mapbox, must work offline",
        ),
        ("a paper ledger for the stalls", "forget the ledger, the treasurers want a spreadsheet"),
        ("we decided to use tailwind", "bootstrap instead of tailwind plz"),
        ("the lamps stay on for 90 min", "the lamps should stay on for 40 min, the neighbours complain"),
        ("sauna is at 85 degrees", "sauna should be 75 degrees, guests faint"),
        ("lease is 24 months", "lease has to be 12 months, bc of the bank"),
        (
            "choir rehearsal is on mondays",
            "no more monday rehearsals, thursday from now on because of the hall",
        ),
        ("lets use celery for the mails", "celery is overkill, lets use plain threads instead"),
        ("we go with notion for the wiki", "notion is a pain, lets use markdown files instead"),
    ],
)
def test_a_decision_ends(decision: str, said: str) -> None:
    assert _ends(said, decision)


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        ("we go with leaflet for the map", "the guests want a bigger map"),
        (
            "a paper ledger for the stalls",
            "we would scrap the paper ledger, but the treasurers want to keep it",
        ),
        ("sauna heats to 85 degrees", "sauna should be 75 degrees but it is 60"),
        ("sauna cleaning takes 85 degrees of heat", "the sauna should be 75 degrees"),
        ("the lamps stay on for 90 min", "the lamps should stay on for 40 min if it rains"),
        ("lease is 24 months", "should the lease be 12 months?"),
        ("export batch is 500 rows", "the test batch should be 20 rows"),
        ("lets use postgres for the mails", "postgres is slow, lets use indexes"),
        ("choir rehearsal is on mondays", "no more monday blues for me"),
    ],
)
def test_a_decision_stands(decision: str, said: str) -> None:
    assert not _ends(said, decision)


@pytest.mark.parametrize(
    ("later", "earlier", "left"),
    [
        ("gain is too low, 140 it is", "shutter 5 s, gain 100, binning 2x2", "shutter 5 s, binning 2x2"),
        ("the glaze is too thin, 3 coats then", "kiln 1100 degrees; glaze 2 coats", "kiln 1100 degrees"),
        ("set the margin to 12", "page a5: margin 8, gutter 6", "page a5: gutter 6"),
        ("make the timeout 9 s", "timeout 5 s and retries 3", "retries 3"),
        ("retries should be 5", "timeout 5 s, retries 3, backlog 20", "timeout 5 s, backlog 20"),
        ("gain is too low, 140 it is", "gain 100", ""),
        ("140 it is", "shutter 5 s, gain 100", ""),
        ("the gain is too low", "shutter 5 s, gain 100", ""),
        ("should the gain be 140?", "shutter 5 s, gain 100", ""),
        ("for today gain 140", "shutter 5 s, gain 100", ""),
    ],
)
def test_a_changed_value_leaves_those_beside_it(later: str, earlier: str, left: str) -> None:
    assert left_standing([later], earlier) == left


def test_values_that_several_turns_changed_are_left_out_one_by_one() -> None:
    later = ["make the timeout 9 s", "retries should be 5"]
    assert left_standing(later, "timeout 5 s, retries 3, backlog 20") == "backlog 20"


@pytest.mark.parametrize(
    ("later", "earlier", "does"),
    [
        ("shelf 18 looks bare, 30", "the shelf holds 18 loaves", True),
        ("a queue of 50 is far too long, 20", "queue takes 50 jobs", True),
        ("font 11 doesn't read well, 13 then", "the font is 11 pt", True),
        ("the cache of 64 mb costs too much, 32 mb", "cache limit 64 mb", True),
        ("the ramp is too steep, 8 degrees please", "ramp 12 degrees", True),
        ("shelf 18 is broken, 24 too", "the shelf holds 18 loaves", False),
        ("shelf 18 looks bare, why?", "the shelf holds 18 loaves", False),
        ("crate 18 looks bare, 30", "the shelf holds 18 loaves", False),
        ("shelf 20 looks bare, 30", "the shelf holds 18 loaves", False),
        ("shelf 18 looks bare, 30 loaves are missing", "the shelf holds 18 loaves", False),
        ("the ramp is too steep, 14 degrees", "ramp 12 degrees", False),
    ],
)
def test_a_bare_figure_at_the_end_takes_the_place_of_one_found_wrong(
    later: str, earlier: str, does: bool
) -> None:
    assert overtakes(later, earlier) is does


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("shelf 18 looks bare, 30", "we decided that the shelf holds 30 loaves"),
        ("shelf 18 is broken, 24 too", None),
        ("shelf 18 looks bare today, 30", None),
        ("shelf 20 looks bare, 30", None),
    ],
)
def test_a_decision_takes_the_figure(said: str, changed: str | None) -> None:
    found = with_value_turned(["we decided that the shelf holds 18 loaves"], said)
    assert (found and found[1]) == changed
    assert not changed or _ends(said, "we decided that the shelf holds 18 loaves")


@pytest.mark.parametrize(
    ("turn", "earlier", "answer", "is_next", "does"),
    [
        ("set it to 12", "margin 8 mm everywhere", "Set the margin to 12 mm.", True, True),
        ("make that red, #cc0000", "the hull is blue, #0044aa", "Done.", True, True),
        ("hm no, change it to french", "labels in german", "ok", True, True),
        ("set it to -38, too many cuts", "the threshold is -42 dB", "Done.", True, True),
        ("switch them to yaml", "recipes are kept in toml", "Moved the recipes to yaml.", False, True),
        ("set it to 12", "margin 8 mm everywhere", "Done.", False, False),
        ("set it to 12", "margin 8 mm everywhere", "The gutter is 12 mm.", True, False),
        ("set it to 12 s", "margin 8 mm everywhere", "Done.", True, False),
        ("make that red", "margin 8 mm everywhere", "Done.", True, False),
        ("make that hatch red", "the hull is blue", "Done.", True, False),
        ("make it work", "the hull is blue", "Done.", True, False),
        ("set it up on 2 machines", "margin 8 mm everywhere", "Done.", True, False),
    ],
)
def test_a_turn_changes_what_it_does_not_name(
    turn: str, earlier: str, answer: str, is_next: bool, does: bool
) -> None:
    assert changes_it(turn, earlier, answer, is_next=is_next) is does


@pytest.mark.parametrize(
    ("answer", "prompt", "does"),
    [
        ("Port 7070.", "the oven listens on 7070", True),
        ("Noted. " + "The oven is warm. " * 20, "the oven listens on 7070", False),
        ("Noted. " + "The oven is warm. " * 20 + "It listens on 7070.", "the oven listens on 7070", True),
        ("Noted.", "the oven is warm. " * 30, False),
    ],
)
def test_an_answer_repeats_what_it_was_said_to(answer: str, prompt: str, does: bool) -> None:
    assert repeats(answer, prompt) is does
