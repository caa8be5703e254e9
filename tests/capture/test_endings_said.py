"""Decisions end and open matters are closed in a person's everyday words, and by nothing that only sounds like it."""

from __future__ import annotations

import pytest
from tests.capture.endings_said import CLOSED, REVERSED, STANDING, STILL_OPEN
from tests.capture.talk import decisions, say, threads

from engramforge.forge import Forge


@pytest.mark.parametrize(("decided", "said"), REVERSED)
def test_a_decision_ends(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, decided)
    (old,) = decisions(em, project)
    say(em, project, said, session="two")
    now = decisions(em, project)
    assert now[old] in ("superseded", "invalidated")
    # Something holds in its place.
    assert "active" in now.values()


@pytest.mark.parametrize(("decided", "said"), STANDING)
def test_a_decision_stands(em: Forge, project: str, decided: str, said: str) -> None:
    say(em, project, decided)
    (old,) = decisions(em, project)
    say(em, project, said, session="two")
    assert decisions(em, project)[old] == "active"


@pytest.mark.parametrize(("opened", "said"), CLOSED)
def test_a_matter_is_closed(em: Forge, project: str, opened: str, said: str) -> None:
    say(em, project, opened)
    (title,) = threads(em, project)
    say(em, project, said, session="two")
    # And none is made that is over from the first.
    assert threads(em, project)[title] in ("resolved", "abandoned") and len(threads(em, project)) == 1


@pytest.mark.parametrize(("opened", "said"), STILL_OPEN)
def test_a_matter_stays_open(em: Forge, project: str, opened: str, said: str) -> None:
    say(em, project, opened)
    (title,) = threads(em, project)
    say(em, project, said, session="two")
    assert threads(em, project)[title] == "open"


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        (("todo: the pump leaks", "todo: the pump stalls at night"), "the pump is fixed"),
        (("todo: order belts for the lathe", "todo: order belts for the mill"), "the belts are ordered"),
        (("todo: call the roofer", "todo: call the roofer about the bill"), "i called the roofer"),
    ],
)
def test_where_two_matters_may_be_meant_both_stay_open(
    em: Forge, project: str, opened: tuple[str, ...], said: str
) -> None:
    say(em, project, *opened)
    say(em, project, said, session="two")
    assert list(threads(em, project).values()) == ["open", "open"]


@pytest.mark.parametrize(
    ("decided", "echo"),
    [
        (
            "we settled on keeping co2 under 800ppm",
            "800 ppm it is, as the upper bound for the fruiting stage.",
        ),
        ("agreed, we go with svelte", "Svelte it is, I'll scaffold it with Vite."),
        ("we decided to use postcard for the messages", "Good, we use postcard for them from now on."),
        ("we decided to use plain threads and channels", "Agreed. I'd go with plain threads, decided."),
        ("we decided to log to a FRAM ring buffer", "FRAM ring buffer it is."),
        ("we decided to store the prices in cents", "Understood, we keep cents everywhere, decided."),
        ("we decided to use sqlite", "Noted: we go with SQLite, in WAL mode for the daemon."),
        ("the fans run on 24V, decided", "24 V it is, I'll wire the rail that way."),
        ("i decided to use tabs", "Tabs it is! I'll reformat the files."),
        ("we decided to host at uberspace", "Great choice, we go with Uberspace then, it has backups."),
    ],
)
def test_an_assistant_that_says_it_again_decides_nothing(
    em: Forge, project: str, decided: str, echo: str
) -> None:
    say(em, project, decided)
    before = decisions(em, project)
    say(em, project, f"A: {echo}")
    assert len(before) == 1 and decisions(em, project) == before


@pytest.mark.parametrize(
    ("decided", "said"),
    [
        ("we decided to use lora for the scales", "We use JSON for the messages, decided."),
        ("we decided to use postgres", "We use Redis for the sessions, decided."),
        ("we decided not to use redis", "We go with Redis, decided."),
        ("agreed, we go with svelte", "Svelte it is, and we use Redis for the cache, decided."),
        ("we decided to use sqlite", "Postgres it is, decided."),
    ],
)
def test_an_assistant_that_says_something_else_is_heard(
    em: Forge, project: str, decided: str, said: str
) -> None:
    say(em, project, decided, f"A: {said}")
    assert len(decisions(em, project)) == 2


def test_what_ends_a_decision_ends_its_echo(em: Forge, project: str) -> None:
    say(em, project, "agreed, we go with svelte")
    say(em, project, "A: Svelte it is, I'll scaffold it with Vite.", session="two")
    assert list(decisions(em, project).values()) == ["active", "active"]
    say(em, project, "svelte didnt work out, lets move to vue after all", session="three")
    now = decisions(em, project)
    assert sorted(now.values()) == ["active", "superseded", "superseded"]
    assert [each for each in now if "vue" in each and now[each] == "active"]


@pytest.mark.parametrize(
    ("decided", "proposed", "ended"),
    [
        (
            "we decided to use lora for the scales",
            "I'd switch to NB-IoT for the scales. Shall I go ahead?",
            True,
        ),
        ("we decided to use sqlite for the jobs", "I'd replace SQLite with DuckDB. Shall I do it?", True),
        (
            "we decided to use sqlite for the jobs",
            "I'd move to Postgres for the jobs. Shall I go ahead?",
            True,
        ),
        (
            "we decided to use sqlite for the jobs",
            "I'd switch to DuckDB for the charts. Shall I go ahead?",
            False,
        ),
        ("we decided to use sqlite for the jobs", "I'd use DuckDB for the charts. Shall I go ahead?", False),
    ],
)
def test_a_yes_to_a_switch_ends_what_stood_for_the_same(
    em: Forge, project: str, decided: str, proposed: str, ended: bool
) -> None:
    say(em, project, decided)
    (old,) = decisions(em, project)
    say(em, project, f"A: {proposed}", "yes", session="two")
    assert (decisions(em, project)[old] == "superseded") is ended
    assert len(decisions(em, project)) == 2


@pytest.mark.parametrize(
    "said",
    [
        "ok here's the thing. duckdb corrupts when the power goes, i lost two days. we're going with plain sqlite",
        "here's the thing: we decided to use sqlite",
        "so the thing is: we decided to use sqlite",
        "update from the meadow: we decided to use sqlite because duckdb corrupts",
        "quick update from the workshop: we decided to use sqlite",
        "here's where we are: we decided to use sqlite",
        "the database question is settled, we take sqlite",
        "well, here's the deal. we decided to use sqlite and nothing else",
    ],
)
def test_what_introduces_ones_own_words_gives_them_to_nobody_else(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    assert [each for each in decisions(em, project) if "sqlite" in each]


@pytest.mark.parametrize(
    "said",
    [
        "here's the thing they sent me: we decided to use sqlite",
        "update from the vendor: we decided to use sqlite",
        "news from the bank: we decided to use sqlite",
        "here's the report: we decided to use sqlite",
        "here is the email: we decided to use sqlite",
    ],
)
def test_what_introduces_others_words_still_does(em: Forge, project: str, said: str) -> None:
    say(em, project, said)
    assert decisions(em, project) == {}
