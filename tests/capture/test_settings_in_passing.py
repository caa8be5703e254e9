"""Settings that a person states as facts are decisions or wait for review; what somebody only sees is neither."""

from __future__ import annotations

import pytest
from tests.capture.talk import decisions, say

from engramforge.forge import Forge


@pytest.mark.parametrize(
    "said",
    [
        "pump key is F9 and it has to work even if the hub hangs",
        "pump hotkey is ctrl+shift+p",
        "no right to left scripts in v1",
        "no dark mode in the first version",
        "android 9 and up, nothing older",
        "python 3.11 and newer, we dont support anything older",
        "we moved the docs over to mkdocs",
        "we switched the charts to uPlot last night",
        "we migrated the db to postgres last week",
        "make the labels a6",
        "make letters go out 9 days before, 14 is too early says the box office",
        "make the lessons 45 minutes long",
        "make refunds due after 14 days",
        "make the backups weekly",
    ],
)
def test_a_setting_is_decided(em: Forge, said: str) -> None:
    say(em, said, said)
    assert decisions(em, said) == {said: "active"}


@pytest.mark.parametrize(
    "said",
    [
        "valve box talks MQTT to the hub, port 1883",
        "dims: 200 ms up, 150 ms down",
        "port is 9200",
        "the port for the hub is 9200",
        "heartbeat every 500 ms",
        "hub sends a heartbeat every 2 s, 3 missed and the lamp turns red",
        "backups every night",
        "readings go into a duckdb file on the pi. no cloud",
        "bed numbers in steps of 10 so we can add one later",
        "labels are black on yellow",
        "node 20 and up",
    ],
)
def test_what_may_be_a_setting_waits(em: Forge, said: str) -> None:
    say(em, said, said)
    assert decisions(em, said) == {}
    (waiting,) = em.review.pending(project=said)
    assert waiting.text in said


SEEN = [
    "make the header 20 px",
    "make the test sleep 5 s",
    "make 3 copies",
    "make the demo 5 minutes",
    "make the jingle 2 s for now",
    "make the export 20 % faster",
    "make it 20 minutes",
    "the log is 3 GB",
    "-- -- --",
    "in what timezone is the farm",
    "the test takes 30 s",
    "the port is taken",
    "port is 9200 right now",
    "why is port 9200 taken",
    "font is ugly, 16px is too big",
    "heartbeat every 500 ms is too slow",
    "it crashes every 500 ms",
    "he calls every 2 days",
    "the hub drops the connection every 5 minutes",
    "latency: 200 ms in, 150 ms out",
    "times: 20 s cold, 4 s warm",
    "ui is slow",
    "ui is broken since 5",
    "server is at 80 percent",
    "requests go into the queue, no answer",
    "mails go into a folder, no idea why",
    "the api talks http, it says",
    "the license is expired",
    "the limit is 3 per person they say",
    "limit is 5 at the moment",
    "errors are red on black, unreadable",
    "steps of 10 are annoying",
    "the server is node 18 on his machine",
    "no bugs in v1",
    "no changes in v2",
    "no errors in version 3",
    "no idea in v1",
    "nothing new in the first version",
    "the key is F9 on his keyboard, i think",
    "api key is missing",
    "the enter key is broken",
    "primary key is id",
    "windows 10 and up crashes",
    "floor 3 and up are empty",
    "python 3.11 and newer fails",
    "we moved the meeting to monday",
    "we moved the file to src",
    "we moved the tests to tests/unit",
    "i moved my desk to the window",
    "we switched the tv to channel 4",
    "they moved the db to postgres",
    "we moved the card to done",
    "we moved the cursor to line 5",
]


def test_what_somebody_sees_is_no_setting(em: Forge) -> None:
    for number, said in enumerate(SEEN):
        say(em, "seen", said, session=str(number))
    assert decisions(em, "seen") == {}
    assert [each.text for each in em.review.pending(project="seen")] == []


@pytest.mark.parametrize(
    "said",
    [
        "final decision: i marry whoever wrote this test",
        "decision: i need more coffee",
        "decision: we need pizza",
        "decision: lunch first",
        "decided: coffee",
        "decision: i retire to the woods",
        "final decision: i quit",
        "decision: more coffee",
    ],
)
def test_a_joke_is_no_decision(em: Forge, said: str) -> None:
    say(em, said, said)
    assert decisions(em, said) == {}
    assert em.review.pending(project=said) == []


@pytest.mark.parametrize(
    "said",
    [
        "coffee orders go to the bar printer",
        "we need two pumps per bed",
        "we order the seeds in march",
        "i want the labels in latin",
        "we retire the old firmware",
        "we quit using Airtable",
        "lunch menus are printed weekly",
        "we take the tea room for the seedlings",
        "i go with the second pump",
        "we eat the cost of the pumps",
    ],
)
def test_a_decision_of_the_work_is_one(em: Forge, said: str) -> None:
    say(em, said, f"Decision: {said}")
    assert decisions(em, said) == {said: "active"}
