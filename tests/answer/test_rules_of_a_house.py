"""What a house does not do, and what it does without, is told where a session starts and at its deed."""

from __future__ import annotations

from typing import Any

import pytest
from tests.capture.talk import say

from engramforge.core.injection.inputs.deeds import deed_of, rule_of
from engramforge.core.injection.warnings import standing_warning
from engramforge.forge import Forge


@pytest.mark.parametrize(
    "rule",
    [
        "no sudo npm here ever",
        "no docker compose ever",
        "we never push to main directly",
        "we never edit anything in vendor/",
        "dont deploy to prod without a snapshot",
        "hands off the .netrc",
    ],
)
def test_a_rule_of_a_house_warns_for_good(rule: str) -> None:
    assert standing_warning(rule) == rule


@pytest.mark.parametrize(
    "said",
    [
        "no luck here ever",
        "no answer ever",
        "we never run into files under gen/",
        "we never update README.md, sorry",
        "we never run the tests in ci/ properly",
        "dont run it without the flag",
        "i never use sudo at home",
    ],
)
def test_what_only_tells_is_no_rule(said: str) -> None:
    assert standing_warning(said) is None


def test_a_rule_is_of_the_call_that_it_names_alone() -> None:
    def ruled(rule: str, command: str) -> bool:
        return rule_of(rule, deed_of("Bash", {"command": command})) is not None

    assert ruled("no sudo pip here ever", "sudo pip install foo")
    assert not ruled("no sudo pip here ever", "pip install foo")
    assert ruled("dont run the migrations on prod without a backup", "ENV=prod ./manage.py migrate")
    assert ruled("dont run the migrations on prod without a backup", "./manage.py migrate --env prod")
    assert not ruled("dont run the migrations on prod without a backup", "ENV=dev ./manage.py migrate")
    assert not ruled("dont run the migrations on prod without a backup", "ENV=prod ./manage.py shell")


def test_rules_are_told_at_the_start_and_again_at_the_deed(em: Forge) -> None:
    rules = ["no sudo pip here ever", "we never edit files under gen/", "hands off the .env file"]
    say(em, "mill", *rules)

    def told(event: str, **given: Any) -> list[str]:
        said = {"session_id": "next", "cwd": "/projects/mill", "hook_event_name": event, **given}
        found = em.injections.for_event(said)
        return [] if found is None else [each.text.partition("] ")[2] for each in found.memories]

    assert set(rules) <= set(told("SessionStart", source="startup"))
    sudo = {"command": "sudo pip install foo"}
    assert told("PreToolUse", tool_name="Bash", tool_input=sudo) == rules[:1]
    edit = {"file_path": "/projects/mill/gen/client.py", "old_string": "a", "new_string": "b"}
    assert told("PreToolUse", tool_name="Edit", tool_input=edit) == rules[1:2]
    assert told("PreToolUse", tool_name="Bash", tool_input={"command": "ls gen/"}) == []
