"""What archives are chosen and named by: sentences that say most, ranks, local ids, cues of disagreement."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engramforge.core.conflicts.disagreement import disagreement
from engramforge.core.registries.archive_priority import Rank, rank_of
from engramforge.core.registries.local_ids import assign_local_ids
from engramforge.core.text.summarising import choose_sentences, sentences_of
from engramforge.model.registries.archive import ArchivedDecision, ArchivedThread
from engramforge.model.registries.entry import DecisionStatus, Priority, ThreadStatus

TALK = [
    "Hi! How are you? Nice to see you again.",
    "I moved to Gdansk on May 3rd with Iwona. What about you?",
    "Wow, that is great! The pump failed at 14 bar. Thanks.",
]


def test_sentences_that_tell_something_are_chosen_in_their_order() -> None:
    chosen = choose_sentences(TALK, 130)
    assert [record.text for record in chosen] == [
        "I moved to Gdansk on May 3rd with Iwona.",
        "The pump failed at 14 bar.",
    ]
    assert [item.place for item in chosen] == [1, 2]


@given(st.lists(st.text(max_size=200), max_size=8), st.integers(0, 400))
def test_a_summary_never_takes_more_than_its_room(texts: list[str], room: int) -> None:
    chosen = choose_sentences(texts, room, cost=3)
    assert sum(len(record.text) + 3 for record in chosen) <= room
    assert all(record.text in sentences_of(texts[record.place]) for record in chosen)
    assert [item.place for item in chosen] == sorted(item.place for item in chosen)


def test_what_was_told_is_not_told_again_and_code_is_not_prose() -> None:
    twice = ["The gate opens at six.", "The gate opens at six!", "```\nimport gate\n```"]
    assert len(choose_sentences(twice, 1_000)) == 1


@given(
    st.lists(st.none() | st.sampled_from(["D001", "D002", "d001", " D003", "", "X", "D9999999"]), max_size=9)
)
def test_local_ids_are_distinct_and_the_first_keeps_its_own(wanted: list[str | None]) -> None:
    names = assign_local_ids(wanted, "D")
    assert len({name.upper() for name in names}) == len(names) == len(wanted)
    seen: set[str] = set()
    for asked, name in zip(wanted, names, strict=True):
        if asked and asked.strip() and asked.strip().upper() not in seen:
            assert name == asked.strip()
        seen.add((asked or "").strip().upper())


@pytest.mark.parametrize(
    ("entry", "rank"),
    [
        (ArchivedDecision(local_id="D1", decision="x", rationale="y"), Rank.CRITICAL),
        (ArchivedDecision(local_id="D1", decision="x"), Rank.HIGH),
        (
            ArchivedDecision(local_id="D1", decision="x", rationale="y", status=DecisionStatus.SUPERSEDED),
            Rank.LOW,
        ),
        (ArchivedThread(local_id="T1", title="x", priority=Priority.HIGH), Rank.CRITICAL),
        (ArchivedThread(local_id="T1", title="x"), Rank.HIGH),
        (ArchivedThread(local_id="T1", title="x", priority=Priority.LOW), Rank.MEDIUM),
        (
            ArchivedThread(local_id="T1", title="x", priority=Priority.HIGH, status=ThreadStatus.RESOLVED),
            Rank.LOW,
        ),
    ],
)
def test_ranks(entry: ArchivedDecision | ArchivedThread, rank: Rank) -> None:
    assert rank_of(entry) is rank


AGAINST = [
    ("Use UUID v7 for all resource ids", "Use auto-increment integers for resource ids"),
    ("Pages hold 50 rows", "Pages hold 100 rows"),
    ("Store all times in UTC", "Store all times in local time"),
    ("Cache API responses in Redis", "Do not cache API responses"),
    ("Enable two-factor login for all users", "Disable two-factor login for guest users"),
    ("Deploy every night automatically", "Deploy manually after a review"),
    ("Backups run daily", "Backups run weekly"),
    ("Logs are kept for 30 days", "Logs are kept for 90 days"),
    ("Never merge without review", "Merge small fixes without review"),
    ("Secrets live in the vault", "Secrets live in environment files"),
    ("Ship the client as a single binary", "Ship the client as a Docker image"),
    ("Passwords are hashed with argon2", "Passwords are hashed with bcrypt"),
    ("Errors are returned as problem documents", "Errors are returned as plain text"),
    ("Meetings are recorded", "Meetings are not recorded"),
    ("Keep old invoices for ten years", "Remove old invoices after two years"),
    ("Feature flags are evaluated on the client", "Feature flags are evaluated on the server"),
    ("Use REST between services", "Use gRPC between services"),
    ("Every pump gets its own controller", "All pumps share one controller"),
    ("Index names are singular", "Index names are plural"),
    ("Payments are retried three times", "Payments are never retried"),
]
BESIDE = [
    ("Use Redis for caching sessions", "Use Redis for caching pages"),
    ("Use UUID v7 for all resource ids", "Log files rotate each night"),
    ("Tests run on every push", "Linters run on every push"),
    ("Use PostgreSQL as the main database", "The main database is PostgreSQL 16"),
    ("Do not log passwords", "Do not log tokens"),
    ("The API is public", "The wiki is public"),
    ("Cache API responses in Redis", "Cache API responses in Redis for ten minutes"),
    ("Enable dark mode", "Disable telemetry"),
    ("Never merge without review", "Every merge needs a review"),
    ("Use tabs in Go files", "Use spaces in Python files"),
    ("Students choose two electives", "Teachers choose two textbooks"),
    ("Ship the client as a single binary", "Sign the binary before shipping"),
    ("Errors are returned as problem documents", "Errors are counted per minute"),
    ("Keep old invoices for ten years", "Keep old logs for one year"),
    ("Allow guests to comment", "Forbid links in profiles"),
    ("Use REST between services", "Use REST for partners"),
    ("Never store card numbers", "Store the last four digits of card numbers encrypted"),
    ("Retry payments three times", "Retry webhooks five times"),
    ("Backups run daily", "Reports run weekly"),
    ("Names are singular in tables", "Names are plural in collections"),
]


def test_disagreement_is_found_more_often_than_imagined() -> None:
    found = [disagreement(*pair, is_one_matter=True) for pair in AGAINST]
    imagined = [pair for pair in BESIDE if disagreement(*pair, is_one_matter=True)]
    assert sum(item is not None for item in found) >= 20
    assert len(imagined) <= 3, imagined


def test_what_the_other_rejected_is_a_disagreement() -> None:
    chosen = ("Every table has auto-increment ids", "Use UUID v7")
    assert disagreement(*chosen, rejected_by_other=("auto-increment",)) is not None
    assert disagreement(*reversed(chosen), rejected=("auto-increment",)) is not None
    assert disagreement("No auto-increment ids", "Use UUID v7", rejected_by_other=("auto-increment",)) is None
