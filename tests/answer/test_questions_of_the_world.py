"""What a word means, or how many there are in a country, is told nothing of a project that only sounds like it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import engramforge
from engramforge.forge import Forge
from engramforge.model.injection import Section


@pytest.fixture(scope="module")
def quay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    with engramforge.open(tmp_path_factory.mktemp("quay")) as forge:
        base = {"session_id": "s", "cwd": "/projects/quay", "transcript_path": ""}
        for asked, answer in (
            ("deploys only tue-thu, ever since the monday disaster", "Noted."),
            ("at most 31 trailers on the small ramp", "Noted."),
            ("how do i list open files", "With lsof."),
            ("explain what a race condition is", "Two threads at one value."),
        ):
            prompt = {**base, "hook_event_name": "UserPromptSubmit", "prompt": asked}
            stop = {**base, "hook_event_name": "Stop", "last_assistant_message": answer}
            forge.hooks.take([prompt, stop])
        yield forge


def _told(forge: Forge, **event: Any) -> Any:
    at = {"session_id": str(event), "cwd": "/projects/quay", **event}
    return forge.injections.for_event(at)


@pytest.mark.parametrize(
    ("prompt", "is_told"),
    [
        ("what is a tuple", False),
        ("what does thunk mean", False),
        ("how many trailers are there in austria", False),
        ("how many trailers fit on the small ramp?", True),
        ("on which days do we deploy?", True),
    ],
)
def test_only_a_question_of_the_project_is_answered(quay: Forge, prompt: str, is_told: bool) -> None:
    assert (_told(quay, hook_event_name="UserPromptSubmit", prompt=prompt) is not None) is is_told


def test_where_a_session_stopped_no_question_of_the_world_stands(quay: Forge) -> None:
    found = _told(quay, hook_event_name="SessionStart", source="startup")
    last = [each.text for each in found.memories if each.section is Section.LAST_SESSION]
    assert any("trailers" in each for each in last)
    assert not any(word in each for each in last for word in ("lsof", "open files", "race", "threads"))
