"""What a person leaned to or asked is told with what they said next of it, and not alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import engramforge
from engramforge.forge import Forge

TALKS = {
    "font": [
        ("font for the labels.. arial i guess", "Arial is everywhere."),
        ("nope, inter, the printer has it built in", "Inter then."),
    ],
    "queue": [
        ("job queue lib? i was thinking celery", "Celery needs a broker. huey or rq are lighter."),
        ("huey then", "huey it is, on one file."),
    ],
    "horn": [
        ("should the foghorn go by relay or by radio?", "A relay is simpler."),
        ("both. radio only in storms", "Noted."),
    ],
    "cache": [
        ("i was thinking redis for the session cache", "A fine choice."),
        ("the ramp light flickers on mondays", "Hm."),
    ],
}


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    with engramforge.open(tmp_path_factory.mktemp("talks")) as forge:
        for name, turns in TALKS.items():
            base = {"session_id": name, "cwd": f"/projects/{name}", "transcript_path": ""}
            for asked, answer in turns:
                forge.hooks.take([{**base, "hook_event_name": "UserPromptSubmit", "prompt": asked}])
                forge.hooks.take([{**base, "hook_event_name": "Stop", "last_assistant_message": answer}])
        yield forge


@pytest.mark.parametrize(
    ("project", "asked", "told"),
    [
        ("font", "which font do the labels use?", 'nope, inter, the printer has it built in (to: "font for'),
        ("queue", "which job queue lib do we use?", 'huey then (to: "job queue lib?'),
        ("horn", "does the foghorn go by relay?", 'both. radio only in storms (to: "should'),
        (
            "cache",
            "what do we use for the session cache?",
            "user] i was thinking redis for the session cache",
        ),
    ],
)
def test_what_was_said_next_is_told_with_it(talks: Forge, project: str, asked: str, told: str) -> None:
    event = {"hook_event_name": "UserPromptSubmit", "session_id": f"later {project}", "prompt": asked}
    found = talks.injections.for_event({**event, "cwd": f"/projects/{project}"})
    assert found is not None and told in found.text
