"""A command that starts a command that starts a command has an end, however long it is."""

from __future__ import annotations

import pytest
from tests.timing import assert_in_proportion, repeated

from engramforge.core.injection.tool_names import names_in

ENDLESS = [
    "npx ",
    "sudo ",
    "env A=1 ",
    "exec command ",
    "ssh db ",
    "uv run ",
    "npm exec -- ",
    "python -m ",
    "docker exec x ",
    "docker compose exec x ",
    "pnpm ",
    "xargs time nohup ",
    "npx -y -p ",
    "bundle exec ",
]


@pytest.mark.parametrize("unit", ENDLESS)
def test_a_command_that_starts_itself_ends(unit: str) -> None:
    for count in (10, 100, 1_000, 5_000):
        assert len(names_in("Bash", {"command": unit * count})) <= 6
        assert len(names_in("Bash", {"command": f"{unit * count}alembic upgrade head"})) <= 6


@pytest.mark.parametrize("unit", ["npx ", "sudo ", "bash -c '", 'ssh db "', "&& npx ", "A=1 "])
def test_it_takes_time_as_the_command_is_long(unit: str) -> None:
    assert_in_proportion(lambda text: names_in("Bash", {"command": text}), repeated(unit), 40_000)


@pytest.mark.parametrize(
    "command",
    [
        "sudo env A=1 alembic upgrade head",
        "sudo nohup time npx alembic upgrade head",
        "ssh db 'sudo -u app env A=1 alembic upgrade head'",
        "docker compose exec web sudo alembic upgrade head",
        "bash -c 'ssh db \"sudo alembic upgrade head\"'",
        "sudo env nohup time exec command alembic upgrade head",
    ],
)
def test_what_is_started_a_few_steps_down_is_named(command: str) -> None:
    assert "alembic" in names_in("Bash", {"command": command})
