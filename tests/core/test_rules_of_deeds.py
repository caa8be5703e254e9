"""Which rules are of what a tool or an order is about to do, though they name no file and no program."""

from __future__ import annotations

from typing import Any

import pytest

from engramforge.core.injection.inputs.deeds import deed_of, deed_ordered, rule_of
from engramforge.core.injection.inputs.pins import bumps_in, changes_pin, pin_of
from engramforge.core.injection.tool_names import named_in
from engramforge.core.injection.warnings import holds_for_good, standing_warning, warning_in

RELEASE = "dont ever release on a sunday, nobody is on call"
VALVE = "never open the valve in the simulator tests, it is plumbed in"
REBASE = "we always merge by rebase, no merge commits"
SEED = "never deploy the seed job from a laptop"
RESEED = "never run reseed on the live box, it wiped the recipes"
WINCH = "never lower the winch while the crane swings"
PRETTIER = "prettier is pinned at 2.8, dont upgrade it"


def given(tool: str, said: str) -> dict[str, Any]:
    return {"command" if tool == "Bash" else "file_path": said}


@pytest.mark.parametrize(
    ("rule", "tool", "said"),
    [
        (RELEASE, "Bash", "./tools/release.sh 1.2"),
        (RELEASE, "Bash", "npm run release"),
        (VALVE, "Write", "/p/tests/valve_test.py"),
        (VALVE, "Bash", "pytest tests/test_valve.py"),
        (REBASE, "Bash", "gh pr merge 3 --merge"),
        (SEED, "Bash", "make deploy-seed"),
        ("nobody may restart the broker during a shift", "Bash", "sudo systemctl restart broker"),
        ("Always publish from ci.", "Bash", "cargo publish"),
        ("never migrate before the backup ran", "Bash", "bin/rails db:migrate"),
        ("never deploy to prod after lunch", "Bash", "./deploy-prod.sh"),
        (WINCH, "Bash", "python -m harbour.lower --winch"),
        (WINCH, "Bash", "./winch.sh --lower"),
    ],
)
def test_a_rule_is_of_a_deed(rule: str, tool: str, said: str) -> None:
    assert rule_of(f"ok. {rule}", deed_of(tool, given(tool, said))) == rule


@pytest.mark.parametrize(
    ("rule", "tool", "said"),
    [
        (RELEASE, "Bash", "cat tools/release.sh"),
        (RELEASE, "Bash", "git commit -m 'release script'"),
        (RELEASE, "Edit", "tools/release.sh"),
        (RELEASE, "Bash", "./tools/release.sh --dry-run"),
        ("we never released on a sunday so far", "Bash", "make release"),
        ("should we never release on a sunday?", "Bash", "make release"),
        ("never mind the release", "Bash", "make release"),
        (VALVE, "Edit", "/p/src/valve.py"),
        (VALVE, "Bash", "pytest tests/test_pump.py"),
        (REBASE, "Bash", "gh pr merge 3 --rebase"),
        ("it always fails when we merge", "Bash", "gh pr merge 3"),
        ("i have always deployed at noon", "Bash", "make deploy"),
        (SEED, "Bash", "make deploy-web"),
        ("never deploy to staging by hand", "Bash", "./deploy-prod.sh"),
        (WINCH, "Bash", "python -m harbour.status --winch"),
        (WINCH, "Bash", "python -m harbour.lower --boom"),
    ],
)
def test_a_rule_of_another_deed_is_none(rule: str, tool: str, said: str) -> None:
    assert rule_of(rule, deed_of(tool, given(tool, said))) is None


@pytest.mark.parametrize(
    ("rule", "prompt", "is_told"),
    [
        (RELEASE, "release it", True),
        (RELEASE, "can i release now?", True),
        ("no lodash pls, i cant stand it", "use lodash for the sorting", True),
        ("no moment here please", "install moment and format the dates", True),
        ("fiber and pgx. i hate viper", "read the settings with viper", True),
        ("no lodash pls, i cant stand it", "remove lodash from the sorting", False),
        ("i hate viper but it works", "read the settings with viper", False),
        ("no luck with moment here please", "use moment for the dates", False),
        (VALVE, "write a test for the valve driver", False),
        (RELEASE, "write the notes for the sunday paper", False),
    ],
)
def test_a_rule_is_of_what_a_prompt_orders(rule: str, prompt: str, is_told: bool) -> None:
    assert (rule_of(rule, deed_ordered(prompt)) is not None) is is_told


@pytest.mark.parametrize(
    ("rule", "tool", "said", "is_told"),
    [
        (PRETTIER, "Bash", "npm i -D prettier@3.0.0", True),
        (PRETTIER, "Edit", ('"prettier": "^2.8.1"', '"prettier": "^3.0.0"'), True),
        ("we stay on node 18 until the addon is ported", "Edit", ("FROM node:18", "FROM node:22"), True),
        ("never upgrade numpy, the c ext breaks", "Bash", "pip install numpy==2.1.0", True),
        (
            "the acme-fmt version is pinned to 3.1",
            "Bash",
            "go install fmt.acme.org/cmd/acme-fmt@v3.2.0",
            True,
        ),
        (PRETTIER, "Bash", "npm i -D prettier@2.8.8", False),
        (PRETTIER, "Bash", "npm i -D eslint@9", False),
        ("prettier is no longer pinned", "Bash", "npm i prettier@3.1.0", False),
        ("is prettier pinned to 2.8?", "Bash", "npm i prettier@3.1.0", False),
        ("update prettier please", "Bash", "npm i prettier@3.1.0", False),
        ("keep the retries at 3", "Edit", ("retries = 3", "retries = 5"), False),
        ("we stay on node 18", "Edit", ("FROM node:18.1", "FROM node:18.2"), False),
    ],
)
def test_a_version_that_is_pinned(rule: str, tool: str, said: str | tuple[str, str], is_told: bool) -> None:
    edit = given(tool, said) if isinstance(said, str) else {"old_string": said[0], "new_string": said[1]}
    assert (pin_of(rule, bumps_in(tool, edit)) is not None) is is_told


def test_a_later_version_ends_a_pin() -> None:
    bumps = bumps_in("Bash", {"command": "npm i prettier@3.1.0"})
    assert changes_pin("upgraded prettier to 3.0", bumps)
    assert not changes_pin("prettier broke the build again", bumps)
    assert not changes_pin("mypy went to 1.9", bumps)


@pytest.mark.parametrize(
    ("rule", "command", "is_told"),
    [
        (RESEED, "bin/rails reseed", True),
        (RESEED, "DATABASE_URL=$LIVE npm run reseed", True),
        (RESEED, "python manage.py reseed --noinput", True),
        (RESEED, "npm run reseed-cache", False),
        (RESEED, "ENVIRONMENT=staging python manage.py reseed", False),
        (RESEED, "git commit -m 'run reseed'", False),
        ("the reseed of may was fine", "npm run reseed", False),
        ("no viper here please", "go get github.com/spf13/viper/v2", True),
        ("i hate viper", "go get github.com/spf13/viper", True),
        ("i hate viper but we need it", "go get github.com/spf13/viper", False),
    ],
)
def test_a_task_and_a_package_are_called_by_their_last_words(rule: str, command: str, is_told: bool) -> None:
    assert (warning_in(rule, named_in("Bash", {"command": command})) is not None) is is_told


@pytest.mark.parametrize(
    ("said", "is_standing"),
    [
        (RESEED, True),
        ("go 1.22, fiber. no viper pls", True),
        ("no lodash here please", True),
        (PRETTIER, True),
        ("no nested ternaries please", True),
        ("no more changes please", False),
        ("no explanation please, just the code", False),
        ("no luck with moment here please", False),
        ("no tests for now pls", False),
        ("prettier is no longer pinned to 2.8", False),
        ("prettier is pinned to 2.8 for now", False),
        ("no wait please", False),
    ],
)
def test_what_a_session_that_starts_is_told_of(said: str, is_standing: bool) -> None:
    assert (standing_warning(said) is not None) is is_standing


@pytest.mark.parametrize(
    ("rule", "line", "is_told"),
    [
        ("scans land in /srv/scans and never get edited in place", "mogrify -flip /srv/scans/a.tif", True),
        ("dumps go to var/dumps, they must never be deleted", "rm var/dumps/a.sql", True),
        ("we keep masters in /srv/masters, which never get renamed", "mv /srv/masters/a.wav b.wav", True),
        ("scans land in /srv/scans and never get edited in place", "cat /srv/scans/a.tif", False),
        ("scans land in /srv/scans and never get edited in place", "rm /srv/prints/a.tif", False),
        ("logs land in var/log and never got deleted", "rm var/log/a", False),
        ("sums in out/x get deleted every night", "rm out/x/a", False),
    ],
)
def test_what_never_gets_changed_in_a_folder_is_told_there(rule: str, line: str, is_told: bool) -> None:
    assert (warning_in(rule, named_in("Bash", given("Bash", line))) is not None) is is_told
    assert holds_for_good(rule) is ("never get " in rule or "never be " in rule)
