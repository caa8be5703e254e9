"""The rules of conflicts, each by itself and together: what contradicts, and what only looks like it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engramforge.core.conflicts.alignment import align
from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.conflicts.judging import Verdict, judged
from engramforge.core.conflicts.negation import negation
from engramforge.core.conflicts.replacement import replaced_by_name, same_title
from engramforge.core.conflicts.signals import LEAST_STRENGTH, Disagreement, Signal
from engramforge.core.conflicts.statements import read_statement
from engramforge.core.conflicts.tiers import lower_tier

FOUND = [
    (Signal.NEGATION, "Meetings are recorded", "Meetings are not recorded"),
    (Signal.NEGATION, "The build runs without a network", "The build runs with a network"),
    (Signal.NEGATION, "Guests may upload files", "Guests are forbidden to upload files"),
    (Signal.NEGATION, "The pump is tested", "The pump is untested"),
    (Signal.NUMBER, "Logs are kept for 30 days", "Logs are kept for 90 days on the server"),
    (Signal.NEGATION, "Deploys on Fridays are fine", "No deploys on Fridays"),
    (Signal.NEGATION, "We use Kafka", "RabbitMQ as the event bus, not Kafka"),
    (Signal.NUMBER, "Keep audit logs for seven years", "Audit logs are kept for 90 days"),
    (Signal.CHOICE, "Passwords are hashed with bcrypt", "Hash passwords with Argon2"),
    (Signal.CHOICE, "Secrets are stored in Vault", "Store secrets in AWS Secrets Manager"),
    (Signal.NUMBER, "The ferry sailed in May 2019", "The ferry sailed in June 2019"),
    (Signal.NUMBER, "Format of the export file", "Format of the export file v2"),
    (Signal.CHOICE, "Use Kafka as the event bus", "The event bus is RabbitMQ"),
    (Signal.CHOICE, "Sessions are stored in PostgreSQL", "Keep user sessions in Redis"),
    (Signal.CHOICE, "Harbourline is a shipping company", "Harbourline is a puppet theatre in Ghent"),
    (Signal.ROLES, "Northwind acquired Tidewater", "Northwind was acquired by Tidewater"),
    (Signal.OPPOSITE, "Releases are built manually", "On Mondays all releases are built automatically"),
]
BESIDE = [
    ("Use Kafka as the event bus", "Use Kafka as the audit log"),
    ("Do not log passwords", "Do not log tokens"),
    ("Retry payments three times", "Retry webhooks five times"),
    ("The Python 3.11 image is built nightly", "The Python 3.12 image is built nightly"),
    ("A man is not asleep", "The ferry leaves at noon"),
    ("Northwind and Tidewater met in Ghent", "Tidewater and Northwind met in Ghent"),
    ("The ferry was built on 15 July 2006", "The ferry was built on July 15th, 2006"),
    ("The log keeps at least 30 days", "The log keeps 90 days"),
    ("Cache responses in Redis", "Cache responses in Redis for ten minutes"),
    ("Tests run in CI", "Load tests do not run in CI"),
    ("Use the managed database instead of our own", "The database is hosted abroad"),
    ("The cluster runs in eu-west-2", "The staging cluster runs in eu-west-1"),
    ("Backups are kept for 7 days", "Backups are kept for one week"),
    ("The 2020 election of the board", "The 2021 election of the board"),
    ("Add a queue for the mail", "Add a cache for the mail"),
]


@pytest.mark.parametrize(("signal", "one", "other"), FOUND)
def test_each_signal_is_seen_from_both_sides(signal: Signal, one: str, other: str) -> None:
    for pair in ((one, other), (other, one)):
        found = disagreement(*pair)
        assert found is not None and found.signal is signal, (pair, found)
        assert LEAST_STRENGTH <= found.strength <= 1 and found.why


@pytest.mark.parametrize("pair", BESIDE)
def test_neighbouring_matters_do_not_contradict(pair: tuple[str, str]) -> None:
    assert disagreement(*pair) is None
    assert disagreement(*reversed(pair)) is None


def test_words_of_like_meaning_meet() -> None:
    def like(words: Sequence[str], others: Sequence[str]) -> np.ndarray:
        same = {frozenset(("hound", "dog")), frozenset(("barks", "yelps"))}
        return np.array([[float(frozenset((a, b)) in same) for b in others] for a in words])

    pair = "The hound barks", "The dog never yelps"
    assert disagreement(*pair) is None
    found = disagreement(*pair, like=like)
    assert found is not None and found.signal is Signal.NEGATION


def test_a_negation_counts_by_what_it_reaches() -> None:
    def strength(one: str, other: str) -> float:
        told = read_statement(one), read_statement(other)
        found = negation(*told, align(*told))
        return 0.0 if found is None else found.strength

    whole = strength("Invoices are kept for ten years", "Invoices are not kept for ten years")
    beside = strength("Invoices are kept, but reminders are not sent", "Invoices are kept")
    assert whole > LEAST_STRENGTH > beside
    assert (
        strength("Nobody sends invoices without a stamp", "Invoices without a stamp are sent by nobody")
        < whole
    )


def test_a_record_that_says_so_takes_another_ones_place() -> None:
    told = "Sessions move to the edge. RFC 42 stays for a year. Then it will be removed."
    assert replaced_by_name(told, [("rfc", "42")]) is not None
    assert replaced_by_name("See RFC 42 for the format.", [("rfc", "42")]) is None
    assert replaced_by_name(told, [("rfc", "43")]) is None
    assert replaced_by_name("RFC 42 deprecated the old keys.", [("rfc", "42")]) is None
    assert replaced_by_name("With RFC 41, this supersedes RFC 42.", [("rfc", "41")]) is None
    taken = replaced_by_name("Obsoleted by RFC 41, RFC 42.", [("rfc", "42")])
    assert taken is not None and taken.why == "one says that RFC 42 takes its place"
    assert same_title("Format of logs", [("rfc", "1")], "Format of logs", [("adr", "2")]) is None


def test_the_tier_joins_what_was_found() -> None:
    found = Disagreement(Signal.NUMBER, "", 0.75)
    assert lower_tier(found, 0.5, 0.6) is None
    joined = lower_tier(found, 0.2, 0.9)
    assert joined is not None and joined.strength > found.strength


def test_a_judge_goes_before_wording_but_not_before_what_was_said() -> None:
    said, seen = Disagreement(Signal.REJECTED, "", 0.9), Disagreement(Signal.NEGATION, "", 0.6)
    no, yes = Verdict(0.1, 0.8), Verdict(0.8, 0.1)
    assert judged(said, no, "it") is said
    assert judged(seen, no, "it") is None
    assert judged(seen, yes, "it") == seen._replace(strength=0.8)
    assert judged(None, no, "it") is None


@example("0", "\u2776")
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_are_judged_the_same_from_both_sides(one: str, other: str) -> None:
    found, turned = disagreement(one, other), disagreement(other, one)
    assert (found is None) is (turned is None)
    assert found is None or (turned is not None and abs(found.strength - turned.strength) < 1e-9)


@given(st.text(max_size=200))
def test_nothing_contradicts_itself(text: str) -> None:
    assert disagreement(text, text) is None
