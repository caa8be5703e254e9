"""What another project did, pasted or calls by the same words is no related work of this one."""

from __future__ import annotations

from typing import Any

import pytest

import engramforge
from engramforge.forge import Forge

_LOG = (
    "got this tonight:\n2026-11-30T22:14:03 ERROR gate.relay timeout after 31 s\n"
    "2026-11-30T22:14:09 INFO gate: relay closes too slow\nTraceback (most recent call last):\n"
    '  File "/opt/gate/relay.py", line 88, in close\nTimeoutError\n'
)


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with engramforge.open(tmp_path_factory.mktemp("harbour")) as forge:
        for words in (
            _LOG,
            "never dock the ferry while the gate moves",
            "we dock the redesign for now",
            "the office is above a dry dock lol",
            "dock lights stay on until 23:00",
            "backups of the invoices go to the granite box",
            "the crane api listens on 8099 now, 8085 clashes with the scanner",
        ):
            forge.remember(words, kind="prompt", project="pier", session_id="pier", speaker="user")
        for call in ("Write: /pier/src/dock.py def dock(): ...", "Bash: git rm src/lib/old_import.ts"):
            forge.remember(call, kind="tool_use", project="pier", session_id="pier", speaker="assistant")
        for answer in (
            "The crane api listens on 8099 now.",
            "No pg_config: psycopg needs libpq-dev to build.",
        ):
            forge.remember(answer, kind="response", project="pier", session_id="pier", speaker="assistant")
        forge.remember(
            "we use svelte for the shop", kind="prompt", project="shop", session_id="shop", speaker="user"
        )
        yield forge


def _told(forge: Forge, project: str, prompt: str) -> str:
    event = {"hook_event_name": "UserPromptSubmit", "session_id": f"{project} {prompt}", "prompt": prompt}
    found = forge.injections.for_event({**event, "cwd": f"/projects/{project}"})
    return "" if found is None else found.text


@pytest.mark.parametrize(
    "prompt",
    [
        "gate relay is replaced, closes in 14 s now",
        "don't touch src/lib/old_import.ts",
        "what does src/dock.py do?",
        "todo: look at the gate relay, it closes too slow",
    ],
)
def test_no_call_and_no_log_of_another_project_is_told(harbour: Forge, prompt: str) -> None:
    assert _told(harbour, "shop", prompt) == ""


def test_an_order_is_told_what_is_of_its_matter_alone(harbour: Forge) -> None:
    told = _told(harbour, "pier", "write the dock routine")
    assert "dock lights stay on" in told
    assert "redesign" not in told and "dry dock" not in told
    assert "dry dock" not in _told(harbour, "pier", "write dock.py")


def test_how_it_is_in_another_project_is_told_of_that_project_alone(harbour: Forge) -> None:
    for said in (
        "the crane api listens on 8085",
        "do the backups of the invoices go to the granite box?",
        "set the crane api port to 7070",
    ):
        assert _told(harbour, "shop", said) == ""
    assert "granite box" in _told(
        harbour, "shop", "do the pier backups of the invoices go to the granite box?"
    )
    assert "granite box" in _told(harbour, "pier", "where do the invoice backups go?")
    assert _told(harbour, "shop", "psycopg does not build, pg_config is missing") == ""
    asked = "psycopg does not build, pg_config is missing, how was that in the other project?"
    assert "libpq-dev" in _told(harbour, "shop", asked)
    assert _told(harbour, "new", "when do the dock lights go off?") == "", "a new project has nothing yet"


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("in pier, until when do the dock lights stay on?", "23:00"),
        ("where do the backups go in pier", "granite box"),
        ("what does pier use for the backups of invoices?", "granite box"),
        ("which port does the crane api have at pier?", "8099"),
    ],
)
def test_a_question_that_names_another_project_is_answered_from_it(
    harbour: Forge, prompt: str, told: str
) -> None:
    found = _told(harbour, "shop", prompt)
    assert told in found and ", pier, " in found


@pytest.mark.parametrize("prompt", ["when does the dock close in shop?", "is there a dock light on a pier?"])
def test_one_that_names_none_is_not(harbour: Forge, prompt: str) -> None:
    assert ", pier, " not in _told(harbour, "shop", prompt)
