"""Clauses, headings and sources of statements: each clause is compared for itself, and a heading tells for what."""

from __future__ import annotations

import pytest

from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.scopes.clauses import clauses_of, heading_of
from engramforge.core.conflicts.signals import Signal

AGAINST = [
    # A side clause takes nothing away from what is claimed, wherever it stands.
    (Signal.NUMBER, "We keep lock footage for 40 days, the master asks for it.", "Lock footage is kept for 10 days."),
    (Signal.NUMBER, "Hulls dry six days, masts are varnished every 2 years.", "Masts are varnished every 5 years."),
    (Signal.NUMBER, "Trucks are oiled daily and trailers are greased every month.", "Trailers are greased every week."),
    (Signal.NUMBER, "Tides are read hourly - the pilots want it.", "Tides are read daily."),
    (Signal.CHOICE, "Ferry events go over Kafka.", "We move ferry events to NATS, running Kafka costs our evenings."),
    # So does no source, nor the label of a record.
    (Signal.NUMBER, "The underwriter says: pumps are tested twice a year", "Pumps are tested once a year."),
    (Signal.NUMBER, "Agreed with the union: gulls are counted every hour", "Gulls are counted every day."),
    (Signal.NUMBER, "According to the yard, cranes are oiled every week.", "Cranes are oiled every month."),
    (Signal.NEGATION, "The poster promises: berth vouchers never expire", "Berth vouchers expire after a season."),
    (Signal.NUMBER, "ADR-12: charts are printed every month", "Charts are printed every week."),
    (Signal.NEGATION, "According to the union, all lockers need locks.", "The lockers in the annex need no locks."),
    (Signal.NEGATION, "The pier closes at six, and all lockers need keys.", "Lockers in the annex need no keys."),
    # A topic and its value are a sentence.
    (Signal.CHOICE, "Owner of the checks: Wiebke.", "Jonte owns the checks."),
    (Signal.NUMBER, "Speed of the canal barge: 9 knots.", "Speed of the canal barge: 12 knots."),
    (Signal.NUMBER, "Call limit of the tide API: 50 calls a minute.", "The tide API call limit is 80 calls a minute."),
    (Signal.CHOICE, "Owner of the tide table: Wiebke.", "Owner of the tide table: Jonte."),
    (Signal.CHOICE, "Owner of the tide table: Wiebke.", "Jonte owns the tide table."),
    # What goes and comes back, versions, people, and what is rejected in so many words.
    (Signal.OPPOSITE, "The night ferry is dropped from the plan.", "The night ferry comes back into the plan."),
    (Signal.OPPOSITE, "We retire the paper log.", "The paper log stays."),
    (Signal.NUMBER, "The viewer runs on iOS 13 and later.", "Tablets with iOS older than 15 are turned away."),
    (Signal.NUMBER, "One reviewer is enough for a chart change.", "A chart change is signed by two people."),
    (Signal.REJECTED, "We ruled out GraphQL, proxies cannot cache it.", "The skippers' app talks GraphQL."),
    (Signal.CHOICE, "Fares are integer cents, no floating point.", "Fares are doubles in the kiosk."),
]  # fmt: skip
APART = [
    # One clause agrees, and what the other one says is about something else.
    ("Trucks are greased daily, trailers are greased monthly.", "Trailers are greased monthly."),
    ("Trucks are greased daily, trailers are greased monthly.", "Trucks are greased daily."),
    ("Pilots pay 20 euros, rowers pay 8 euros.", "Skippers pay 30 euros."),
    ("The winch pulls 900 kilos, the small winch 300.", "The small winch pulls 300 kilos."),
    ("We use REST, the gauges use gRPC.", "The gauges use gRPC."),
    ("Gauges report every minute, we store a mean every hour.", "Gauges report every minute."),
    ("One hand ties the knot, two hands lift the anchor.", "Two hands lift the anchor."),
    ("Wiebke owns the tide table, Jonte owns the log.", "The log is owned by Jonte."),
    # Conditions, exceptions and ellipses belong to the whole.
    ("Boats leave every hour, on Sundays every two hours.", "Boats leave every hour."),
    ("Nets dry outside, unless it rains.", "Nets dry outside."),
    # What was so takes nothing from what else is told.
    ("The pumps are oiled daily, the old log had a page for each tide.", "The log has no page for a tide."),
    # Headings of other groups, places and things.
    ("Adults: the crossing costs 12 euros.", "Children: the crossing costs 6 euros."),
    ("Basic plan: 3 berths a month.", "Gold plan: 9 berths a month."),
    ("Depth of the north lock: 4 metres.", "Depth of the south lock: 6 metres."),
    ("Owner of the tide table: Wiebke.", "Owner of the chart room: Jonte."),
    ("Owner of the tide table: Wiebke.", "Deputy owner of the tide table: Jonte."),
    ("Supported charts: Baltic, Kattegat.", "Supported charts: Kattegat, Skagerrak."),
    # What there is, and what is new.
    ("Existing barges run on diesel.", "New barges run on gas."),
    ("Existing berths cost 10 euros.", "New berths cost 12 euros."),
    ("The old gauges send XML.", "New gauges send JSON."),
    # Questions and suppositions claim nothing.
    ("Should we keep lock footage for 40 days?", "Lock footage is kept for 10 days."),
    ("Perhaps lock footage is kept for 40 days.", "Lock footage is kept for 10 days."),
    # What a heading disowns is not claimed, nor what hardly anybody says.
    ("Myth: lock footage is kept.", "Lock footage is never kept."),
    ("Rejected: lock footage is kept for 40 days.", "Lock footage is kept for 10 days."),
    ("Former rule: lock footage is kept for 40 days.", "Lock footage is kept for 10 days."),
    ("Hardly anyone says: lock footage is never kept.", "Lock footage is kept for 10 days."),
    # Another thing goes, or from another place.
    ("The night crossing is dropped.", "The day crossing comes back."),
    ("The kiosk is removed from the pier.", "The kiosk comes back into the hall."),
    ("The viewer runs on iOS 13 and later.", "Tablets with iOS older than 12 are turned away."),
    ("We ruled out GraphQL for the gauges.", "The skippers' app talks GraphQL."),
    ("We ruled out GraphQL.", "All our APIs are REST."),
]


@pytest.mark.parametrize(("signal", "one", "other"), AGAINST)
def test_what_stands_beside_a_claim_hides_no_conflict(signal: Signal, one: str, other: str) -> None:
    for pair in ((one, other), (other, one)):
        found = disagreement(*pair)
        assert found is not None and found.signal is signal


@pytest.mark.parametrize(("one", "other"), APART)
def test_clauses_and_headings_of_other_things_are_no_conflict(one: str, other: str) -> None:
    assert disagreement(one, other) is None
    assert disagreement(other, one) is None


def test_what_exists_and_what_is_new_are_two_even_in_one_matter() -> None:
    told = "Existing berths cost 10 euros.", "New berths cost 12 euros."
    assert disagreement(*told, is_one_matter=True) is None
    assert disagreement("New York berths cost 10 euros.", "New York berths cost 12 euros.") is not None


def test_what_is_found_by_clause_is_found_where_both_speak_of_one_matter() -> None:
    for _, one, other in AGAINST:
        assert disagreement(one, other, is_one_matter=True) is not None


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("Locks, weirs and dams are painted.", ("Locks, weirs and dams are painted.",)),
        ("In spring, the locks are painted.", ("In spring, the locks are painted.",)),
        ("Locks are painted, which takes a week.", ("Locks are painted",)),
        ("Locks are painted, the old paint was lead.", ("Locks are painted",)),
        ("Use the lift: it is new.", ("Use the lift: it is new.",)),
        ("Status of the lift: closed.", ("Status of the lift: closed.",)),
        ("Is the lift closed?", ()),
    ],
)
def test_only_clauses_that_stand_alone_are_told_apart(text: str, clauses: tuple[str, ...]) -> None:
    assert clauses_of(text) == clauses


def test_a_heading_is_neither_a_source_nor_a_sentence() -> None:
    headings = (
        "Winter: ice is cut.",
        "The yard says: ice is cut.",
        "We cut ice: it pays.",
        "Use saws: they cut.",
    )
    assert [heading_of(each) for each in headings] == ["Winter", "", "", ""]
    for who in ("We", "You", "I", "They"):
        assert heading_of(f"{who} moor at the quay: nine ropes are taken.") == ""


def test_a_reason_tells_each_word_once_and_the_newer_value_first() -> None:
    newer, older = (
        "Berth passes are valid for 9 days, berth guards ask.",
        "Berth passes are valid for 4 days.",
    )
    found = disagreement(newer, older, is_one_matter=True)
    assert found is not None and found.why == "9 days against 4 days for berth, passes, valid"
    kinds = "Tern is a Kotlin service.", "Tern is a tiny Python library that the night watch wrote."
    told = disagreement(*kinds), disagreement(*kinds[::-1])
    assert [each and each.why for each in told] == [
        "tern is kotlin against python",
        "tern is python against kotlin",
    ]
