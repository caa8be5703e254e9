"""The command line as a real process: pipes, terminals, signals and the time a cold start takes."""

from __future__ import annotations

import json
import os
import pty
import resource
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.runtime.forked import FORKED

import engramforge

from .conftest import Cli

COMMAND = (sys.executable, "-m", "engramforge.entry.console")
# Several commands in one process, a mark before each of them; the last one with NO_COLOR.
_IN_TURN = """
import json, os, sys
from engramforge.entry.console import COMMANDS
from engramforge.faces.cli.program import run
commands = json.loads(sys.argv[1])
for place, command in enumerate(commands):
    if place == len(commands) - 1:
        os.environ["NO_COLOR"] = "1"
    print("=====", flush=True)
    run(command, COMMANDS)
"""


def _run(home: Path, *arguments: str, stdin: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "ENGRAMFORGE_HOME": str(home), **more}
    return subprocess.run(
        [*COMMAND, *arguments], input=stdin, capture_output=True, env=environment, timeout=120
    )


def _forked(home: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run with standard output and standard error in files, without a start of its own."""
    return FORKED.run(arguments, b"", {**os.environ, "ENGRAMFORGE_HOME": str(home)})


def _on_terminal(home: Path, *command: str) -> str:
    """Run with standard output and standard error on a terminal; what appears there."""
    leader, follower = pty.openpty()
    environment = {
        **os.environ,
        "ENGRAMFORGE_HOME": str(home),
        "TERM": "xterm-256color",
        "COLUMNS": "100",
    }
    environment.pop("NO_COLOR", None)
    with subprocess.Popen(
        command, stdin=follower, stdout=follower, stderr=follower, env=environment
    ) as child:
        os.close(follower)
        seen = b""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            ready, _, _ = select.select([leader], [], [], 0.2)
            if ready:
                try:
                    part = os.read(leader, 65_536)
                except OSError:
                    break
                if not part:
                    break
                seen += part
            elif child.poll() is not None:
                break
    os.close(leader)
    return seen.decode()


@pytest.fixture(scope="module")
def filled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a memory in it, to be copied."""
    home = tmp_path_factory.mktemp("filled") / "home"
    with engramforge.open(home) as forge:
        forge.remember("We ship on Thursdays.", project="shop")
    return home


@pytest.fixture
def filled(home: Path, filled_once: Path) -> Path:
    """A home with a memory in it."""
    shutil.copytree(filled_once, home)
    return home


def test_the_installed_command(filled: Path) -> None:
    script = Path(sys.executable).with_name("engramforge")
    environment = {**os.environ, "ENGRAMFORGE_HOME": str(filled)}
    done = subprocess.run(
        [script, "recall", "when do we ship?", "--json"], capture_output=True, env=environment
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["hits"][0]["memory"]["content"] == "We ship on Thursdays."
    assert done.stderr == b""


@pytest.mark.timed
def test_cold_recall_is_quick(filled: Path, record_property: pytest.RecordProperty) -> None:
    """The bar is 700 ms on a machine of one's own. A machine that others use too runs slower by any factor, so where
    the bar is missed the recall is held against bare imports of its libraries in the same minute: it may take three
    times as long (it takes a little over twice)."""
    bare = [sys.executable, "-c", "import numpy, sqlalchemy, tokenizers, safetensors"]
    recalls, imports = [], []
    for _ in range(5):
        recalls.append(_processor_seconds(lambda: _run(filled, "recall", "when do we ship?")))
        record_property("cold_recall_cpu_ms", min(recalls) * 1_000)
        if min(recalls) < 0.7:
            return
        imports.append(_processor_seconds(lambda: subprocess.run(bare, check=True, capture_output=True)))
    assert min(recalls) < 3 * min(imports)


def _processor_seconds(work: Callable[[], subprocess.CompletedProcess[bytes]]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert work().returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_imports_no_command_and_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from engramforge.faces.cli.program import run\n"
        "run(['--help'])\n"
        "heavy = {'numpy', 'sqlalchemy', 'rich', 'mcp', 'alembic', 'dateparser', 'tokenizers', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)), [m for m in sys.modules if '.commands.' in m], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[] []"


def test_recall_leaves_out_what_it_does_not_need(filled: Path) -> None:
    code = (
        "import sys\n"
        "from engramforge.faces.cli.program import run\n"
        "assert run(['recall', 'when do we ship?']) == 0\n"
        "heavy = {'rich', 'mcp', 'alembic', 'detect_secrets', 'wordllama', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    environment = {**os.environ, "ENGRAMFORGE_HOME": str(filled)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stderr.strip() == "[]"


def test_a_closed_pipe_is_quiet(filled: Path) -> None:
    environment = {**os.environ, "ENGRAMFORGE_HOME": str(filled)}
    with subprocess.Popen(
        [*COMMAND, "list", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as child:
        assert child.stdout is not None
        child.stdout.close()
        assert child.stderr is not None
        assert child.stderr.read() == b""
        assert child.wait(60) == 0


def test_undecodable_bytes_as_arguments(filled: Path) -> None:
    environment: Mapping[str, str] = {**os.environ, "ENGRAMFORGE_HOME": str(filled)}
    done = subprocess.run([*COMMAND, "remember", b"caf\xe9", "--json"], capture_output=True, env=environment)
    assert done.returncode == 2
    assert json.loads(done.stderr)["error"] == "InvalidContent"


def test_a_terminal_that_knows_only_ascii(home: Path) -> None:
    done = _run(home, "remember", "-", "--json", stdin="Grüße ☀".encode(), PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert json.loads(done.stdout)["memory"]["content"] == "Grüße ☀"
    done = _run(home, "recall", "gruss", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.isascii()


def test_colour_on_a_terminal_only(filled: Path) -> None:
    recall = ("recall", "when do we ship?")
    commands = (recall, ("projects",), ("doctor",), recall)
    shown = _on_terminal(filled, sys.executable, "-c", _IN_TURN, json.dumps(commands))
    before, *seen, without = shown.split("=====")
    assert before == ""
    for command, said, says in zip(commands[:-1], seen, ("We ship on", "shop", ""), strict=True):
        assert "\x1b[" in said, command
        assert says in said, command
    # Whether there may be colour is decided in one place for all commands.
    assert "\x1b[3" not in without
    assert "We ship on" in without
    assert b"\x1b" not in _forked(filled, *recall).stdout


def test_a_terminal_is_asked_before_forgetting(filled: Path, cli: Cli) -> None:
    id_ = cli("list", "--json").json["memories"][0]["id"]
    leader, follower = pty.openpty()
    environment = {**os.environ, "ENGRAMFORGE_HOME": str(filled)}
    for answer in (b"n\n", b"y\n"):
        with subprocess.Popen(
            [*COMMAND, "forget", id_],
            stdin=follower,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        ) as child:
            os.write(leader, answer)
            out, err = child.communicate(timeout=60)
        assert child.returncode == 0, err
        assert b"We ship on Thursdays." in err
        assert (b"Nothing was removed" in err) == (answer == b"n\n")
        assert (b"nothing of it is left" in out) == (answer == b"y\n")
    os.close(leader)
    os.close(follower)
    assert cli("stats", "--json").json["memories"] == 0


def test_progress_on_a_terminal_only(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text("".join(json.dumps({"content": f"Record {number}."}) + "\n" for number in range(600)))
    seen = _on_terminal(home, *COMMAND, "import", str(path), "--project", "p")
    assert "600" in seen
    assert "\x1b[" in seen
    done = _forked(home, "import", str(path), "--project", "q")
    assert done.returncode == 0
    # What was found is said before it starts, on one line; a bar is for people who look on.
    assert done.stderr.startswith(b"found ")
    assert done.stderr.count(b"\n") == 1
    assert b"\x1b[" not in done.stderr


def test_an_interrupt_keeps_whole_batches_and_says_so(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_text("".join(json.dumps({"content": f"Record {number}."}) + "\n" for number in range(30_000)))
    environment = {**os.environ, "ENGRAMFORGE_HOME": str(home)}
    command = [*COMMAND, "import", str(path), "--project", "p"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as child:
        while child.poll() is None and not _memories(home):
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert child.returncode == 130, err
    assert out == b""
    kept = _memories(home)
    assert 0 < kept < 30_000
    assert f"Written, and kept: {kept:,} memories" in err.decode()


def _memories(home: Path) -> int:
    """How many memories the store holds, as its file says; 0 while there is none."""
    if not (home / "memory.db").exists():
        return 0
    connection = sqlite3.connect(f"file:{quote(str(home / 'memory.db'))}?mode=ro", uri=True)
    try:
        return int(connection.execute("SELECT count(*) FROM memory").fetchone()[0])
    except sqlite3.OperationalError:
        return 0  # its tables are being made
    finally:
        connection.close()
