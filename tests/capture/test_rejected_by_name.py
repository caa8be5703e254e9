"""What a person rejects in the words of a mood is never told as holding without what they took instead."""

from __future__ import annotations

import pytest
from tests.capture.talk import decisions, say, say_apart

from engramforge.core.detection.endings.disliked import rejected_in
from engramforge.core.detection.endings.reversals import reversals_in
from engramforge.forge import Forge


def _told(em: Forge, project: str) -> list[str]:
    event = {"session_id": f"{project} next", "cwd": f"/projects/{project}", "source": "startup"}
    found = em.injections.for_event({"hook_event_name": "SessionStart", **event})
    lines = [] if found is None else [each.text for each in found.memories]
    return [line.partition("] ")[2] for line in lines if ", decision, " in line]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("im so sick of mapbox, lets go with openlayers", "mapbox"),
        ("linode doubled its prices, hosting on scaleway now", "linode"),
        ("screw dhl, gls from monday", "dhl"),
        ("hello brother printers, zebra is a joke", "zebra"),
        ("i hate jest. switch to vitest please", "jest"),
    ],
)
def test_a_dislike_beside_another_choice_rejects(said: str, left: str) -> None:
    assert [each.text for each in rejected_in(said)] == [left]


@pytest.mark.parametrize(
    "said",
    [
        "flask makes me happy, moving the button to the left",
        "i hate the footer. switch it to grey",
        "if dhl drives us mad we switch to gls",
        "i hate jest but we keep it, run it now",
        "should we leave s3? i'm sick of s3, minio then",
        "the customer hates stripe, switch the label to cards",
    ],
)
def test_a_mood_by_itself_rejects_nothing(said: str) -> None:
    assert rejected_in(said) == []
    assert not any(each.text for each in reversals_in(said, ()))


def test_what_is_rejected_is_ended_or_told_with_what_waits(em: Forge) -> None:
    say_apart(em, "kelp", "we use flask for the admin", "flask makes me cry, moving to fastapi")
    assert decisions(em, "kelp", "superseded") == {"we use flask for the admin": "superseded"}
    say_apart(em, "reef", "payments go to stripe", "we pay via mollie now, stripe locked us out")
    assert decisions(em, "reef", "superseded") == {"payments go to stripe": "superseded"}

    say_apart(em, "bread", "bread goes out via dhl", "screw dhl, gls from monday")
    assert _told(em, "bread") == [
        'bread goes out via dhl (may be replaced: "screw dhl, gls from monday" waits for review)'
    ]
    # Where nothing is read of what is taken, the words that leave it stand beside.
    gone = "scratch twilio, the town has its own gateway, sms.town.lan"
    say_apart(em, "town", "texts go out via twilio", gone)
    assert _told(em, "town") == [f'texts go out via twilio (may be replaced: "{gone}" waits for review)']
    em.decisions.create("we print the labels on vellum", project="labels")
    say_apart(em, "labels", "lets print the labels on kraft instead")
    assert _told(em, "labels") == [
        'we print the labels on vellum (may be replaced: "lets print the labels on kraft instead" waits for review)'
    ]


def test_a_name_alone_behind_a_correction_waits_beside_what_was_said_last(em: Forge) -> None:
    say(em, "maps", "we go with leaflet for the maps", "no wait, cesium")
    assert [each.sentence for each in em.review.pending(project="maps")] == ["no wait, cesium"]
    say(em, "inks", "we go with sepia for the prints", "nope, plain black, i hate both")
    assert [each.sentence for each in em.review.pending(project="inks")] == ["nope, plain black, i hate both"]
    say(em, "stop", "we go with leaflet for the maps", "no wait, stop", session="other")
    assert not em.review.pending(project="stop")
