"""Where, when and for whom statements hold, and what is said of it in other words: what is a conflict, and what not."""

from __future__ import annotations

import pytest

from engramforge.core.conflicts.asked_matter import answers_against
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.matters.pairing import pairs_of_one_matter
from engramforge.core.conflicts.signals import Signal

APART = [
    # A digest is no amount, and nobody chose it.
    ("The map was drawn at commit 5c1707ab91f2.", "The map was drawn at commit 80e15d9977aa."),
    ("Release 12 is the digest 1f9a88b04c.", "Release 12 is the digest 7730bcd1e5."),
    # Another place.
    ("At Aarhus the pilots start after nine.", "At Esbjerg the pilots start before seven."),
    ("The pilots start at nine at Aarhus.", "At Esbjerg the pilots start at seven."),
    ("For Iceland we keep receipts seven years.", "For Peru we keep receipts five years."),
    ("On Tuesdays the quay opens at six.", "On Saturdays the quay opens at ten."),
    # Periods that do not meet.
    ("Until the end of May we rent the barge by the day.", "From June on we rent the barge by the week."),
    ("Before 2020 the logs were written on paper.", "Since 2020 the logs are written in the app."),
    ("In July we rent the barge by the hour as a trial.", "We rent the barge by the week."),
    ("Seats in the first row cost 40 euros.", "Seats in the second row cost 30 euros."),
    # Exceptions.
    ("All ships except the tugs need a pilot.", "The tugs need no pilot."),
    ("No bikes are let in apart from folding bikes.", "Folding bikes are let in."),
    ("Nobody other than members votes.", "Members vote."),
    ("Every crane except the blue one is oiled.", "The blue crane is not oiled."),
    # Times are no places.
    ("Nets are dried on Mondays.", "Nets are dried on the pier every Thursday."),
    # Other things, other holders, other verbs.
    ("Wiebke owns the tide table.", "Jonte owns the tide chart."),
    ("Wiebke owns the tide table.", "Jonte and Wiebke own the tide table."),
    ("The mate decides which rope is cut.", "The cook decides which bread is cut."),
    ("The viewer runs on Android 10 and later.", "Phones older than iOS 14 are refused."),
    ("The viewer runs on Android 10 and later.", "Phones older than Android 9 are refused."),
    ("A pilot takes at most three vessels a shift.", "A tug takes at most nine vessels a shift."),
    ("The lock is greased every night.", "The lock is painted every year."),
    ("The folder says that crew photos are burned after a week.", "Crew lists are burned after a year."),
]
AGAINST = [
    (Signal.OPPOSITE, "Buoys are lit automatically by the dusk sensor.", "Buoys are lit manually by the keeper."),
    (Signal.NUMBER, "A pilot takes at most three vessels a shift.", "One pilot can take up to five vessels a shift."),
    (Signal.NUMBER, "The hull takes at least two coats.", "The hull takes at least four coats."),
    (Signal.NUMBER, "The viewer runs on Android 10 and later.", "Anything older than Android 13 is turned away."),
    (Signal.NUMBER, "The charts are backed up every night.", "Backups of the charts are taken weekly."),
    (Signal.NUMBER, "The pump is greased every Sunday.", "The pump is greased once a day."),
    (Signal.CHOICE, "Wiebke owns the tide table.", "Jonte is in charge of the tide table."),
    (Signal.CHOICE, "The mate decides when a rope is cut.", "The cook decides when a rope is cut."),
    (Signal.NEGATION, "Flares must never be thrown overboard.", "We threw flares overboard in the drill."),
    (Signal.NEGATION, "Crew lists cannot be printed.", "Crew lists are printed for the customs."),
    (Signal.NEGATION, "All ships need a pilot.", "The ships of the navy need no pilot."),
    (Signal.NEGATION, "All ships except the tugs need a pilot.", "The tugs require a pilot."),
    (Signal.CHOICE, "The skipper signs the manifest on paper.", "The manifest is signed by the skipper in the app."),
    (Signal.CHOICE, "Catches are weighed in ounces.", "All catches are weighed in grams."),
    (Signal.NUMBER, "Crew photos are kept for two years.", "The folder says that crew photos are erased after a week."),
    (Signal.CHOICE, "We rent the barge by the week.", "From June on we rent the barge by the day."),
]  # fmt: skip

DEEDS_APART = [
    # Other deeds, states, times, ages, parts and options; what is said of another thing in words of the same shape.
    ("Sails are washed every 40 miles.", "Ropes are checked every 90 miles."),
    ("Gulls are counted at 30 percent cloud.", "If the cloud is above 80 percent, the lamp lights itself."),
    ("A barge is painted every 400 hours.", "Barges are scrubbed after 90 hours."),
    ("The kiln alarm sounds above 900 degrees.", "Bricks leave the kiln at 200 degrees."),
    ("Two years ago a berth cost 4 euros.", "A berth costs 6 euros."),
    ("On 12 March the ferry needed 40 minutes to Aarhus.", "The ferry needs 25 minutes to Aarhus."),
    ("Until May the lock needed a key.", "The lock needs no key."),
    ("The mooring fee is 30 dollars.", "The mooring fee is 35 dollars from June on."),
    ("Formerly the crew had 12 sailors.", "The crew has 9 sailors."),
    ("People under 16 may not row.", "People of 16 years and over may row."),
    ("Children up to 6 years pay no fare.", "Children over 6 pay a fare."),
    ("Guests younger than 18 must not dive.", "Adults from 21 years on may dive."),
    ("Skippers may moor at the pier.", "Skippers may moor at the buoy."),
    ("Members can sign with a pen.", "Members can sign with a fingerprint."),
    ("Rowers may train in the morning.", "Rowers may train in the evening."),
    ("The pump reports every 5 minutes during a storm.", "The pump reports every 3 hours in calm weather."),
    ("The pump reports every 5 minutes during a storm.", "The pump reports every 3 hours during a calm."),
    (
        "When the gate is open, the lamp blinks every 2 seconds.",
        "When the gate is shut, the lamp blinks every 9 seconds.",
    ),
    ("The first dive lasts 20 minutes.", "Dives last 45 minutes."),
    ("The last ferry sails at 23:00.", "The ferry sails at 9:00."),
    ("Maybe the crane is rented.", "The crane is not rented."),
    ("Bikes are parked in the yard.", "Bikes are not parked in the chapel."),
    ("Berths for rowers cost 3 euros.", "Berths cost 9 euros."),
    ("Keys of the guests expire after 2 days.", "Keys expire after 30 days."),
    ("We sail to Aarhus on Mondays.", "We sail to Esbjerg on Fridays."),
    ("The kiosk is open on Mondays.", "The kiosk is open on Fridays."),
    ("The nets are inspected on Tuesdays.", "The nets are washed on Wednesdays."),
    ("The nets are inspected on Tuesdays.", "The nets may also be inspected on Fridays."),
    ("The kiosk is closed on Sundays.", "The kiosk is open on Saturdays."),
    ("The kiosk is closed on Sundays.", "The café is open every day."),
    ("The kiosk is closed on Mondays.", "The kiosk is open every day except Mondays."),
    ("The tide log is backed up every night.", "The crew list is backed up on Sundays only."),
    ("We sail on Tuesdays.", "We do not sail on Thursdays."),
    ("We sail on Tuesdays and Thursdays.", "We sail on Thursdays."),
    ("We hire by the week.", "We pay by the hour."),
    ("Berths are charged by the metre.", "Rooms are charged by the night."),
    ("We rent by the day.", "We stand by the day."),
    ("Ruth writes Python.", "Ines writes Python."),
    ("Ruth writes the log.", "Ruth and Ines write the log."),
    ("Kafka writes the log.", "Redis writes the log."),
    ("Ruth writes the newsletters.", "Ines writes the newsletters."),
    ("The newsletter is written in Danish.", "The newsletter is written by Ruth."),
    ("Ruth writes the harbour guide.", "Ines writes the crew guide."),
    ("At most 8 crates go onto one cart.", "A ship may hold up to 1200 crates."),
    ("At most 8 crates go onto one cart.", "A cart may hold up to 3 sacks."),
    ("At most 8 crates go onto one cart.", "A cart may hold up to 8 crates."),
    ("At most 8 crates go onto one cart.", "A cart is weighed with up to 12 crates at the ramp."),
    ("Contact lists must not leave the tablet.", "The tablet uploads contact settings to the cloud."),
    ("Contact lists must not leave the tablet.", "The tablet reads contact lists from the cloud."),
    ("Contact lists must not leave the tablet.", "The tablet sends anonymised contact lists to the cloud."),
    ("Contact lists must not leave the tablet.", "The tablet does not send contact lists to the server."),
    ("Contact lists must not leave the tablet.", "The tablet prints contact lists."),
    ("Health data never leaves the watch.", "The watch sends the time to our server."),
    ("Crew photos must not be stored.", "We take a photo of each crew's boat."),
    ("Everything we run is hosted on Azure", "The staging map is hosted on AWS."),
    ("Everything we run is hosted on Azure", "The tide map is no longer hosted on AWS."),
    ("All mail is hosted on Azure", "The tide map is hosted on AWS."),
    ("The tide map is hosted on Azure", "The shop is hosted on AWS."),
    ("Everything we sell is on the site.", "The shop runs on AWS."),
    ("The tower is free.", "The lift costs 4 euros."),
    ("The tower is free for children.", "The tower costs 4 euros."),
    ("There is no entry fee.", "The entry fee was 5 dollars."),
    ("The tower is free.", "The guide of the tower costs 4 euros."),
    ("There is no deposit for keys.", "The deposit is 50 euros."),
    ("The wiki is public.", "The ledger is for staff only."),
    ("The wiki is public.", "The wiki is for beginners."),
    ("The draft of the wiki is internal.", "The wiki is public."),
    ("Rowers need a licence.", "Swimmers may swim without a licence."),
    ("Rowers need a licence.", "Rowers may row without a helmet."),
    ("The buoys are updated over the air.", "The buoys are painted by hand."),
    ("The buoys are updated over the air.", "The gauges are updated by hand."),
    ("We want two reviewers for a merge.", "Three reviewers are invited to dinner."),
    ("Up to 4 divers fit into one boat.", "A boat carries at most 6 crates."),
    ("Rest is 8 hours when the sea is calm.", "Rest is 12 hours when the sea is rough."),
    ("Possibly the pier is painted.", "The pier is not painted."),
    ("Smoking is allowed on deck four.", "Smoking is not allowed on deck two."),
    ("Sails are mended in the loft.", "Sails are never mended in the yard."),
    ("The third coat dries 9 hours.", "Coats dry 4 hours."),
]
DEEDS_AGAINST = [
    (Signal.CHOICE, "Mollie is our payment provider", "Payments go through Stripe, at sea as well as ashore."),
    (Signal.NUMBER, "The winch is oiled every 40 miles.", "We oil the winch every 90 miles."),
    (Signal.NUMBER, "Tanks are refilled at 20 percent.", "We refill the tanks at 35 percent."),
    (Signal.NUMBER, "Nets are replaced after 300 hauls.", "We replace the nets every 500 hauls."),
    (Signal.NUMBER, "The ferry needs 40 minutes to Aarhus.", "The ferry needs 25 minutes to Aarhus."),
    (Signal.NUMBER, "In May 2019 the ferry carried 400 people.", "In May 2019 the ferry carried 700 people."),
    (Signal.NUMBER, "The mooring fee is 30 dollars.", "The mooring fee is 35 dollars."),
    (Signal.NEGATION, "People under 16 may not row.", "People from 14 years on may row."),
    (Signal.NEGATION, "Nobody under 10 is let aboard.", "Children aged 8 and over are let aboard."),
    (Signal.NEGATION, "Only visitors over 18 get a glass.", "Visitors from 16 years on get a glass."),
    (Signal.CHOICE, "Skippers may pay by card only.", "Skippers may pay by voucher only."),
    (Signal.CHOICE, "Skippers pay by card.", "Skippers pay by voucher."),
    (Signal.NUMBER, "Pumps report every 5 minutes while it rains.", "Pumps report every 9 minutes while it rains."),
    (Signal.NUMBER, "The first dive lasts 20 minutes.", "The first dive lasts 45 minutes."),
    (Signal.NUMBER, "Berths for rowers cost 3 euros.", "All berths cost 9 euros."),
    (Signal.NUMBER, "Berths for rowers cost 3 euros.", "Berths for rowers cost 5 euros."),
    (Signal.NEGATION, "Smoking is allowed in the hall.", "Smoking is not allowed in the hall."),
    (Signal.NUMBER, "We sail to Aarhus on Mondays.", "Sailings to Aarhus happen on Fridays."),
    (Signal.NUMBER, "The nets are inspected on Tuesdays.", "Inspection of the nets takes place on Wednesdays."),
    (Signal.NUMBER, "The tide log is backed up every night.", "The tide log backup runs on Saturdays only."),
    (Signal.NUMBER, "The kiosk is open every day.", "The kiosk is closed on Sundays."),
    (Signal.NUMBER, "The kiosk opens on weekdays.", "The kiosk is closed on Fridays."),
    (Signal.CHOICE, "We rent by the day.", "We rent by the week."),
    (Signal.CHOICE, "Berths are charged by the metre.", "Berths are charged by the night."),
    (Signal.CHOICE, "We pay the pickers by the basket.", "We pay the pickers by the hour."),
    (Signal.CHOICE, "Ruth edits the harbour guide.", "The harbour guide is edited by Pavel."),
    (Signal.CHOICE, "Ines leads the dive course.", "Tomasz leads the dive course."),
    (Signal.CHOICE, "Ruth organises the regatta.", "The regatta is organised by Ines."),
    (Signal.NUMBER, "At most 8 crates go onto one cart.", "A cart may hold up to 12 crates."),
    (Signal.NUMBER, "Up to 4 divers fit into one boat.", "A boat can take at most 6 divers."),
    (Signal.NUMBER, "One tray holds at most 20 eggs.", "Up to 30 eggs go into one tray."),
    (Signal.NEGATION, "Contact lists must not leave the tablet.", "The tablet uploads contact lists to the cloud."),
    (Signal.NEGATION, "The voice of a caller never leaves the device.", "The voice of the caller is streamed to us."),
    (Signal.NEGATION, "Health data never leaves the watch.", "The watch sends health data to a provider."),
    (Signal.NEGATION, "Passport scans may not be kept.", "We keep a scan of every guest's passport."),
    (Signal.NEGATION, "Crew photos must not be stored.", "We store a photo of each crew's faces."),
    (Signal.CHOICE, "Everything we run is hosted on Azure in Ghent", "The tide map is hosted on AWS."),
    (Signal.CHOICE, "All our services run on Kubernetes.", "The tide map runs on Nomad."),
    (Signal.CHOICE, "We host everything on premises.", "The shop is hosted on AWS."),
    (Signal.OPPOSITE, "The tower is free.", "The tower costs 4 euros."),
    (Signal.OPPOSITE, "There is no entry fee.", "The entry fee is 5 dollars."),
    (Signal.OPPOSITE, "We take no booking fee.", "We take a booking fee of 3 euros."),
    (Signal.OPPOSITE, "The wiki is public.", "The wiki is for staff only."),
    (Signal.CHOICE, "The tide table is open to everybody.", "The tide table is internal."),
    (Signal.OPPOSITE, "The log is public.", "The log is confidential."),
    (Signal.OPPOSITE, "Rowers need a licence.", "Rowers may row without a licence."),
    (Signal.OPPOSITE, "Divers need the consent of a doctor.", "Divers can dive without the consent of a doctor."),
    (Signal.OPPOSITE, "A guest requires a ticket.", "Guests may enter without a ticket."),
    (Signal.CHOICE, "The buoys are updated over the air.", "The buoys are updated by hand."),
    (Signal.CHOICE, "Gauges are flashed over the air.", "Gauges are flashed by cable."),
    (Signal.NUMBER, "We want two reviewers for a merge.", "One reviewer is enough for a merge."),
    (Signal.NUMBER, "Two approvers are needed to merge.", "A merge needs one approver."),
    (Signal.CHOICE, "The mill is closed on Tuesdays.", "The mill is open on Tuesdays."),
    (Signal.NUMBER, "We sail on Mondays.", "We sail on Fridays."),
    (Signal.NUMBER, "The second coat dries 4 hours.", "The second coat dries 9 hours."),
]  # fmt: skip


@pytest.mark.parametrize("pair", [*APART, *DEEDS_APART])
def test_scopes_that_do_not_meet_are_no_conflict(pair: tuple[str, str]) -> None:
    one, other = pair
    assert disagreement(one, other) is None
    assert disagreement(other, one) is None


@pytest.mark.parametrize(("signal", "one", "other"), [*AGAINST, *DEEDS_AGAINST])
def test_what_excludes_each_other_in_other_words(signal: Signal, one: str, other: str) -> None:
    for pair in ((one, other), (other, one)):
        found = disagreement(*pair)
        assert found is not None and found.signal is signal, (pair, found)


def test_what_one_project_rejected_is_chosen_beside_what_it_alone_took() -> None:
    autumn, spring = (
        disagreement(
            f"Rafts are allowed in the {race} race.", "Kayaks only for the autumn race.", (), ["rafts"]
        )
        for race in ("autumn", "spring")
    )
    assert autumn is not None and autumn.signal is Signal.REJECTED
    assert spring is None


def test_an_exception_is_no_other_answer() -> None:
    query = "Do the tugs need a pilot?"
    assert (
        answers_against(query, "All ships except the tugs need a pilot.", "The tugs need no pilot.") is None
    )
    assert answers_against(query, "The tugs need a pilot.", "The tugs need no pilot.") is not None


def test_what_was_so_or_is_said_of_a_part_is_another_even_in_one_matter() -> None:
    for told in (
        ("Until May the lock needed a key.", "The lock needs no key."),
        ("Berths for rowers cost 3 euros.", "Berths cost 9 euros."),
        ("Maybe the crane is rented.", "The crane is not rented."),
        ("People under 16 may not row.", "People of 16 years and over may row."),
    ):
        assert disagreement(*told, is_one_matter=True) is None


def test_a_day_on_which_something_happened_is_told_where_both_speak_of_one_matter() -> None:
    told = "The old lock was closed in March.", "The old lock is a ruin that was closed in May."
    assert disagreement(*told, is_one_matter=True) is not None


@pytest.mark.parametrize(
    ("signal", "one", "other"),
    # Sentences that are the same but for a word are neighbours anyway.
    [each for each in DEEDS_AGAINST if "pay by" not in each[1]],
)
def test_what_contradicts_in_other_words_meets_however_many_others_there_are(
    signal: Signal, one: str, other: str
) -> None:
    others = {f"n{at}": [f"The harbour {at} has {at} piers."] for at in range(60)}
    assert ("a", "b") in pairs_of_one_matter({**others, "a": [one], "b": [other]}, {"a"})
