"""Warnings of hosts by number or by name, of pushes by force, and of services: where they come, and where not."""

from __future__ import annotations

from typing import Final

import pytest
from tests.core.test_warnings import warned

from engramforge.core.injection.inputs.hosts import hosts_in

_BOARD: Final = "dont send anything to 10.7.0.4, thats the live board"
_OFF: Final = "10.7.0.4 is off limits"
_TOWER: Final = "never ssh into the tower-mac during a run"
_FORCE: Final = "no force pushes on main. ever"
_LIFT: Final = "dont ever restart lift-agent while guests ride, not even a systemctl reload"
_PURGE: Final = "never run tools/purge.sh without --dry-run"
_BRANCH: Final = "never push to release/lyon, that one runs"
BRINGS: Final = {
    _BOARD: (
        "curl http://10.7.0.4/x",
        "curl -X POST http://10.7.0.4:8080 -d 1",
        "nc 10.7.0.4 9000 < a",
        "ping -c 3 10.7.0.4",
        "scp a.toml board@10.7.0.4:/tmp",
        "python send.py --host 10.7.0.4",
        "python send.py --host=10.7.0.4",
        "rsync -a x/ 10.7.0.4:/srv",
        "ssh root@10.7.0.4",
    ),
    _OFF: ("curl 10.7.0.4", "ssh root@10.7.0.4", "ping 10.7.0.4", "nc -z 10.7.0.4 22"),
    _TOWER: ("ssh tower-mac", "ssh root@tower-mac uptime", "ssh -p 22 tower-mac 'ls'", "sudo ssh tower-mac"),
    _FORCE: (
        "git push --force origin main",
        "git push origin +main",
        "git push -f",
        "git push --force-with-lease origin main",
        "git push -uf origin main",
        "git push origin +HEAD:main",
    ),
    "never force-push to main": ("git push -f origin main", "git push origin +main"),
    "no pushes to main with --force": ("git push -f origin main",),
    "no force pushes": ("git push -f origin dev", "git push origin +dev"),
    "never push to main, not even with force": ("git push origin main",),
    _LIFT: ("systemctl restart lift-agent", "systemctl reload lift-agent", "sudo systemctl stop lift-agent"),
    "never restart lift-agent": ("service lift-agent restart",),
    _PURGE: ("tools/purge.sh", "bash tools/purge.sh --all"),
    _BRANCH: ("git push origin release/lyon", "git push origin :release/lyon"),
    "never push to origin/lyon": ("git push origin lyon",),
}
BRINGS_NOTHING: Final = {
    _BOARD: (
        "curl http://10.7.0.40/x",
        "curl http://10.7.0.9/x",
        "ping 110.7.0.4",
        "echo 10.7.0.4",
        "grep -rn 10.7.0.4 src",
        "git commit -m 'no 10.7.0.4'",
        "nc 127.0.0.1 80",
        "curl http://localhost:10704",
        "cat hosts | grep 10.7.0.4",
        "npm install x@10.7.0",
    ),
    _TOWER: (
        "ssh tower-pc",
        "ssh tower",
        "scp a tower-pc:/x",
        "ssh-keygen -t ed25519",
        "ping other-mac",
        "echo tower-mac",
        "ssh build 'uptime'",
        "cat ~/.ssh/config",
        "grep tower-mac x",
        "ssh mac",
    ),
    _FORCE: (
        "git push origin main",
        "git push",
        "git push origin dev",
        "git push -f origin feature/x",
        "git push origin +dev",
        "git push -u origin main",
        "git push --follow-tags origin main",
        "git fetch -f origin main",
        "git checkout -f main",
        "git push -f origin maintenance",
    ),
    "never force-push to main": ("git push origin main", "git push -f origin dev"),
    "no force pushes": ("git push origin main",),
    "no pushes to main with --force": ("git push origin main",),
    _LIFT: (
        "systemctl status lift-agent",
        "systemctl restart nginx",
        "systemctl --failed",
        "systemctl is-active lift-agent",
        "systemctl cat lift-agent",
        "systemctl show lift-agent",
        "journalctl -u lift-agent",
        "service lift-agent status",
        "systemctl reload --help",
        "systemctl restart lift-agent2",
    ),
    "never restart lift-agent": ("systemctl restart nginx", "service nginx restart"),
    _PURGE: ("tools/purge.sh --help", "bash tools/purge.sh --help", "tools/purge.sh --version"),
    "never run terraform destroy": ("terraform destroy --help",),
    _BRANCH: (
        "git push origin lyon",
        "git push origin release/paris",
        "git push origin lyon/release",
        "git push origin release",
        "git push origin HEAD:lyon",
        "git push origin prerelease/lyon",
        "git checkout release/lyon",
        "git fetch origin release/lyon",
        "git log release/lyon",
        "git push origin release/lyon2",
    ),
    "never write to the db": ("ssh db uptime",),
}


@pytest.mark.parametrize("said", BRINGS)
def test_a_warning_comes_before_what_it_is_of(said: str) -> None:
    assert [each for each in BRINGS[said] if warned(said, "Bash", each) is None] == []


@pytest.mark.parametrize("said", BRINGS_NOTHING)
def test_it_does_not_come_before_what_is_near_to_that(said: str) -> None:
    assert [each for each in BRINGS_NOTHING[said] if warned(said, "Bash", each) is not None] == []


def test_hosts_by_number_are_read_from_options_too() -> None:
    words = ["--host=10.7.0.4", "wall@10.7.0.5:/tmp", "1.2.3", "0.0.0.0:80"]
    assert [host for host, _ in hosts_in("python", words)] == ["10.7.0.4", "10.7.0.5"]
