"""A command says the same through a daemon as in its own process: bytes, errors and exit codes."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

import engramforge
from engramforge.runtime.client import ask

from .conftest import CONSOLE, Home

_ID = re.compile(
    rb"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|(?:dec|thr|lin)_[0-9a-f]{6,}"
)
_TIME = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)?")
_MEASURED = re.compile(
    rb'"(?:exposure_count|mass|freshness|as_of|embed|candidates|score|attend|fetch|explain)": [^\n]*'
)
"""What differs between two questions at different times: the clock, counts of uses and milliseconds."""

READING: Sequence[tuple[str, ...]] = (
    ("recall", "why SQLite?"),
    ("recall", "why SQLite?", "--json"),
    ("recall", "queue", "--limit", "1"),
    ("recall", "--project", "nowhere", "queue"),
    ("recall", "--project", "nowhere", "queue", "--json"),
    ("recall",),
    ("recall", ""),
    ("recall", "x" * 20_000),
    ("recall", "queue", "--limit", "nine"),
    ("recall", "queue", "--nonsense"),
    ("recall", "queue", "--as-of", "yesterday-ish"),
    ("recall", "--", "--home"),
    ("list",),
    ("list", "--json", "--agent", "somebody"),
    ("list", "--agent", ""),
    ("--agent", "default", "list", "--project", "atlas"),
    ("show", "0000000"),
    ("show",),
    ("history", "0000000", "--json"),
    ("timeline",),
    ("links", "0000000"),
    ("context", "queue"),
    ("context", "queue", "--text"),
    ("context", "--state", "find_what_i_was_doing"),
    ("conversations", "--json"),
    ("projects",),
    ("stats",),
    ("decisions",),
    ("decisions", "search", "queue"),
    ("decisions", "nonsense"),
    ("threads", "--json"),
    ("lineage",),
    ("review",),
    ("consult", "why SQLite?"),
    ("consult", "why SQLite?", "--as-of", "yesterday-ish"),
    ("orchestrate", "the queue", "--lenses", '[{"project": "atlas", "role": "builder"}]'),
    ("orchestrate", "the queue", "--lens", "nowhere"),
    ("injected",),
)
WRITING: Sequence[tuple[str, ...]] = (
    ("remember", "The caf\u00e9 opens at nine.", "--project", "town", "--json"),
    ("remember", "My token is ghp_abcdefghijklmnopqrstuvwxyz0123456789AB."),
    ("remember", ""),
    ("remember", "x", "--emotion", "joy"),
    ("remember", "x", "--metadata", "{"),
    ("revise", "0000000", "y"),
    ("decisions", "add", "Use Postgres for the ledger", "--rationale", "transactions"),
    ("undo",),
    ("undo", "--json"),
    ("redo",),
    ("link", "0000000", "1111111"),
    ("threads", "add", "Measure the ledger"),
    ("conflicts",),
    ("conflicts", "detect"),
    ("roles", "assign", "atlas", "builder"),
    ("lenses", "save", "both", '[{"project": "atlas"}]'),
    ("patterns", "add", "Measure before a change"),
    ("flags",),
    ("priming", "territories"),
    ("scratch", "put", "seen", "nothing"),
    ("scratch", "get", "seen"),
    ("stream", "--goal", "measure the queue"),
    ("list", "--json"),
)  # fmt: skip


@pytest.fixture
def filled(home: Home) -> Home:
    with engramforge.open(home.folder) as forge:
        forge.remember(
            "We chose SQLite for the queue, since nobody runs a server.", project="atlas", session_id="c1"
        )
        forge.remember("The queue is drained every second.", project="atlas", session_id="c1")
        forge.threads.create("Measure the queue", conversation="c1")
        forge.lineage.link("c1", "c2")
    return home


def _said(ran: subprocess.CompletedProcess[bytes]) -> tuple[int, bytes, bytes]:
    return ran.returncode, ran.stdout, ran.stderr


def test_reading_says_the_same(filled: Home) -> None:
    filled.start()
    asked = _requests(filled)
    for command in READING:
        alone = filled.run_alone(*command)
        through = filled.run(*command)
        said = [(code, _MEASURED.sub(b"", out), err) for code, out, err in map(_said, (alone, through))]
        assert said[0] == said[1], command
    # All of them were answered by the daemon.
    assert _requests(filled) - asked == len(READING)


def test_writing_does_and_says_the_same(filled: Home, another: Home) -> None:
    shutil.copytree(filled.folder, another.folder, dirs_exist_ok=True)
    filled.start()
    for command in WRITING:
        alone, through = another.run_alone(*command), filled.run(*command)
        said = [
            (code, _TIME.sub(b"TIME", _ID.sub(b"ID", out)), _ID.sub(b"ID", err))
            for code, out, err in map(_said, (alone, through))
        ]
        assert said[0] == said[1], command


@pytest.mark.parametrize("content", [b"From a pipe: caf\xc3\xa9.\n", b"", b"caf\xe9", b"x" * 1_000_001])
def test_standard_input_is_sent_along(filled: Home, another: Home, content: bytes) -> None:
    shutil.copytree(filled.folder, another.folder, dirs_exist_ok=True)
    filled.start()
    for command in (("remember", "-"), ("remember",), ("recall", "-")):
        alone, through = another.run_alone(*command, stdin=content), filled.run(*command, stdin=content)
        assert alone.returncode == through.returncode, command
        assert _ID.sub(b"ID", alone.stdout) == _ID.sub(b"ID", through.stdout)
        assert alone.stderr == through.stderr


def test_a_terminal_sees_the_same(filled: Home) -> None:
    filled.start()

    def seen(**more: str) -> bytes:
        leader, follower = pty.openpty()
        with subprocess.Popen(
            [*CONSOLE, "recall", "why SQLite?"], stdin=follower, stdout=follower, stderr=follower,
            env={**filled.environment, "TERM": "xterm-256color", "COLUMNS": "60", **more},
        ) as child:  # fmt: skip
            os.close(follower)
            found = b""
            try:
                while part := os.read(leader, 65_536):
                    found += part
            except OSError:
                pass
            assert child.wait(60) == 0
        os.close(leader)
        return found

    coloured = seen()
    assert coloured == seen(ENGRAMFORGE_DAEMON="off") and b"\x1b[" in coloured
    plain = seen(NO_COLOR="1")
    assert plain == seen(NO_COLOR="1", ENGRAMFORGE_DAEMON="off") and b"\x1b[" not in plain


def test_another_encoding_gets_the_same_bytes(filled: Home) -> None:
    filled.run_alone("remember", "Caf\u00e9 \u2026 \U0001f600", "--project", "town")
    filled.start()
    for command in (("list", "--project", "town"), ("list", "--project", "town", "--json")):
        variables = {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
        assert _said(filled.run(*command, **variables)) == _said(filled.run(*command, off=True, **variables))


def test_what_names_files_or_settings_stays_in_the_caller_s_process(filled: Home, tmp_path: Path) -> None:
    filled.start()
    before = _requests(filled)
    for words in (
        ("remember", "A picture", "--image", str(tmp_path / "none.png")),
        ("--url", f"sqlite://{tmp_path}/other", "list"),
        ("list", "--home", str(tmp_path / "elsewhere")),
        ("recall", "--help"),
    ):
        filled.run_alone(*words, ENGRAMFORGE_DAEMON="on")
    filled.run_alone("recall", "queue", ENGRAMFORGE_DAEMON="on", ENGRAMFORGE_HALF_LIFE_DAYS="3")
    assert _requests(filled) == before


def test_a_home_that_is_named_is_the_one_that_answers(filled: Home, tmp_path: Path) -> None:
    filled.start()
    before = _requests(filled)
    elsewhere = str(tmp_path / "elsewhere")
    for words in (("--home", str(filled.folder), "list"), ("list", f"--home={filled.folder}")):
        assert b"SQLite" in filled.run(*words, ENGRAMFORGE_HOME=elsewhere).stdout
    assert _requests(filled) == before + 2
    # The value of another option that looks like it is no home: the daemon sees that, and leaves it to the client.
    ran = filled.run("remember", "x", "--name", "--home=/nowhere", "--json")
    assert ran.returncode == 0 and json.loads(ran.stdout)["memory"]["name"] == "--home=/nowhere"


def test_agents_see_their_own(filled: Home) -> None:
    filled.start()
    filled.run("remember", "Ada's secret plan.", ENGRAMFORGE_AGENT="ada")
    assert b"secret plan" in filled.run("list", "--agent", "ada").stdout
    assert b"secret plan" in filled.run("list", ENGRAMFORGE_AGENT="ada").stdout
    assert b"secret plan" not in filled.run("list").stdout


def test_a_changed_settings_file_counts_at_once(filled: Home) -> None:
    filled.start()
    assert b"SQLite" in filled.run("list").stdout
    (filled.folder / "engramforge.toml").write_text('agent = "ada"\n')
    assert b"SQLite" not in filled.run("list").stdout
    (filled.folder / "engramforge.toml").write_text("nonsense = 1\n")
    assert _said(filled.run("list")) == _said(filled.run_alone("list"))


def test_a_store_that_is_replaced_is_opened_again(filled: Home, another: Home) -> None:
    another.run_alone("remember", "From the other store.")
    filled.start()
    assert b"SQLite" in filled.run("list").stdout
    for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
        (filled.folder / name).unlink(missing_ok=True)
    shutil.copy(another.folder / "memory.db", filled.folder / "memory.db")
    assert b"From the other store" in filled.run("list").stdout
    (filled.folder / "memory.db").write_bytes(b"no database" * 1_000)
    assert _said(filled.run("list")) == _said(filled.run_alone("list"))


def test_another_version_is_told_apart(filled: Home) -> None:
    filled.start()
    status, said = ask(filled.places.socket, "POST", "/cli", {"version": "0.0.0", "argv": ["list"]})
    assert (status, said["version"]) == (409, engramforge.__version__)
    for body in ({}, [], "x", {"argv": "list"}):
        assert ask(filled.places.socket, "POST", "/cli", body)[0] == 400


def test_what_is_no_command_of_a_daemon_is_not_run_in_one(filled: Home) -> None:
    filled.start()
    for argv in (["export"], ["import", "/etc"], ["forget", "--yes", "x"], ["--version"], [], ["mcp"]):
        said = ask(filled.places.socket, "POST", "/cli", {"version": engramforge.__version__, "argv": argv})
        assert said == (200, {"elsewhere": "it is no command of a daemon"}), argv


def _requests(home: Home) -> int:
    """How many command lines the daemon answered."""
    status, said = ask(home.places.socket, "GET", "/health")
    assert status == 200
    return int(said["commands"])
