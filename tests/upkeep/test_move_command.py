"""`engramforge migrate` on the command line: what it says, its exit codes, Ctrl-C, and no password anywhere."""

from __future__ import annotations

import json
import signal
from pathlib import Path

from tests.children import ENVIRONMENT, Child
from tests.runtime.forked import FORKED
from tests.upkeep.conftest import FEW_LINES, Command, Completed, Rich, exported

STOPPED = """
import os, signal, sys, engramforge
from engramforge.faces.cli.program import run
real = engramforge.migrate
def migrate(*places, progress, **options):
    def step(section, done, total):
        if section == "memories":
            os.kill(os.getpid(), signal.SIGINT)
        progress(section, done, total)
    return real(*places, progress=step, **options)
engramforge.migrate = migrate
sys.exit(run(["migrate", *sys.argv[1:]]))
"""


def migrate(*arguments: object, code: str = "") -> Completed:
    """The command in a process of its own."""
    if not code:
        ran = FORKED.run(["migrate", *map(str, arguments)], b"", ENVIRONMENT)
        return Completed(ran.args, ran.returncode, ran.stdout.decode(), ran.stderr.decode())
    running = Child(code, *arguments)
    out, err = running.communicate(120)
    return Completed(arguments, running.wait(), out, err)


def test_it_moves_and_says_so(brief: Rich, place: str, command: Command) -> None:
    ran = migrate(brief.home, place)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Moved: ")
    assert "Every count and checksum is the same on both sides." in ran.stdout
    again = command("migrate", f"sqlite://{brief.home}", place, "--json")
    report = json.loads(again.stdout)
    assert sum(report["moved"].values()) == 0
    assert report["counts"]["embeddings"] == report["counts"]["memories"] > FEW_LINES
    assert command("migrate", brief.home, place).stdout.startswith("Nothing was left to move")


def test_the_password_is_never_shown(brief: Rich, owned_url: str, tmp_path: Path, command: Command) -> None:
    secret = owned_url.partition("://")[2].partition("@")[0].partition(":")[2]
    assert len(secret) > 8
    runs = [
        command("migrate", brief.home, owned_url, "--json"),
        command("migrate", owned_url, tmp_path / "back"),
        command("migrate", owned_url, owned_url),
        command("migrate", owned_url, owned_url, "--json"),
        command("migrate", owned_url, tmp_path / "other", "--tenant", "nobody"),
        migrate(owned_url.replace("/engramforge_test", "/no_such"), tmp_path / "other"),
    ]
    assert [ran.returncode for ran in runs] == [0, 0, 2, 2, 3, 5]
    for ran in runs:
        assert secret not in ran.stdout + ran.stderr
        assert "p@ss:w/rd" not in ran.stdout + ran.stderr
    assert not (tmp_path / "other").exists()


def test_what_is_refused_changes_nothing(brief: Rich, tmp_path: Path, command: Command) -> None:
    nowhere = command("migrate", tmp_path / "nowhere", tmp_path / "target", "--json")
    assert nowhere.returncode == 3
    assert json.loads(nowhere.stderr)["error"] == "NotFound"
    assert command("migrate", "mysql://host/one", tmp_path / "target").returncode == 2
    assert command("migrate", brief.home, tmp_path / "target", "--tenant", "No Such").returncode == 2
    assert command("migrate", brief.home).returncode == 2
    assert not (tmp_path / "target").exists()


def test_ctrl_c_keeps_what_was_moved(rich: Rich, place: str, command: Command) -> None:
    stopped = migrate(rich.home, place, code=STOPPED)
    assert stopped.returncode == 128 + signal.SIGINT
    assert "Run the same command again" in stopped.stderr
    went_on = command("migrate", rich.home, place, "--json")
    report = json.loads(went_on.stdout)
    assert report["resumed"]
    assert report["moved"]["memories"] == report["counts"]["memories"] - 1_000
    assert exported(place) == exported(rich.home)


def test_the_folder_s_own_name_of_a_file_is_taken(brief: Rich, tmp_path: Path, command: Command) -> None:
    places = (f"sqlite://{brief.home}/memory.db", f"sqlite://{tmp_path}/one.db")
    assert command("migrate", *places).returncode == 0
    assert exported(places[1]) == exported(brief.home)
