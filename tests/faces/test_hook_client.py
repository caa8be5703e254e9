"""The hook client as Claude Code runs it: a process of its own, an event on standard input, a peer on a socket."""

from __future__ import annotations

import hashlib
import json
import os
import runpy
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.peer_daemon import Peer, deaf, listening

from engramforge.capture.live.events import event_id_of
from engramforge.faces.connections.claude_code import CLIENT, LAUNCHER

TOOL_MS = 500.0


class Ran(NamedTuple):
    """What one run of the client printed, and how long it took."""

    out: bytes
    ms: float


def run(event: str, home: Path, stdin: object, file: Path = LAUNCHER) -> Ran:
    """Run the client once; a mapping on its standard input is written as JSON. It must be silent and exit 0."""
    given = stdin if isinstance(stdin, bytes) else json.dumps(stdin).encode()
    command = [sys.executable, "-I", "-S", "-E", str(file), event, "--home", str(home)]
    began = time.perf_counter()
    done = subprocess.run(command, input=given, capture_output=True, timeout=30, check=False, cwd="/")
    ms = (time.perf_counter() - began) * 1_000
    assert (done.returncode, done.stderr) == (0, b"")
    return Ran(done.stdout, ms)


def event(name: str = "PostToolUse", **more: Any) -> dict[str, Any]:
    """An event as Claude Code writes it."""
    return {"session_id": "s1", "cwd": "/srv/shop", "hook_event_name": name, **more}


def spooled(home: Path) -> list[dict[str, Any]]:
    """The lines of all files in the spool, which have to be ours alone."""
    files = sorted((home / "spool").glob("client-*.jsonl"))
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def log(home: Path) -> str:
    """The log of hooks, empty where there is none."""
    file = home / "log" / "hooks.log"
    return file.read_text() if file.exists() else ""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A connected home whose daemon nobody has to start."""
    folder = tmp_path / "h"
    (folder / "run").mkdir(parents=True, mode=0o700)
    (folder / "connect.json").write_text("{}")
    (folder / "run" / "started-by-hook").touch(0o600)
    return folder


def test_an_event_reaches_the_daemon_and_its_answer_claude(home: Path) -> None:
    said = '{"hookSpecificOutput":{"additionalContext":"Wir liefern donnerstags."}}'
    with listening(home / "run", Peer(lambda _: said)) as peer:
        ran = run("UserPromptSubmit", home, event("UserPromptSubmit", prompt="When do we ship? ☂"))
    assert ran.out.decode() == said
    assert peer.events == [event("UserPromptSubmit", prompt="When do we ship? ☂")]
    assert not (home / "spool").exists() and log(home) == ""


@pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "Stop"])
def test_a_home_that_was_disconnected_is_left_alone(name: str, home: Path, tmp_path: Path) -> None:
    run(name, tmp_path / "purged", event(name))
    (home / "connect.json").unlink()
    with listening(home / "run", Peer(lambda _: "known")) as peer:
        assert run(name, home, event(name, prompt="x" * 200_000)).out == b""
    assert peer.events == [] and not (tmp_path / "purged").exists()
    assert sorted(each.name for each in home.iterdir()) == ["run"]


@pytest.mark.parametrize("name", ["Stop", "SubagentStop", "SessionEnd", "PreCompact"])
def test_what_would_stop_or_prolong_a_session_is_not_printed(name: str, home: Path) -> None:
    with listening(home / "run", Peer(lambda _: '{"decision":"block"}')) as peer:
        ran = run(name, home, event(name))
    assert ran.out == b"" and len(peer.events) == 1


def test_nothing_to_say_prints_nothing(home: Path) -> None:
    with listening(home / "run", Peer()):
        assert run("PreToolUse", home, event("PreToolUse")).out == b""


def test_without_a_daemon_the_event_is_in_the_spool(home: Path) -> None:
    sent = event(tool_use_id="toolu_1", tool_input={"command": "make"})
    run("PostToolUse", home, sent)
    (line,) = spooled(home)
    assert line["event"] == sent
    second = line["received_at"][:19]
    assert line["id"] == hashlib.sha256(f"PostToolUse\ns1\nNone\ntoolu_1\n{second}".encode()).hexdigest()[:32]
    assert line["received_at"].endswith("+00:00") and len(line["received_at"]) == 32
    assert log(home) == ""


def test_many_at_once_are_all_in_the_spool(home: Path) -> None:
    command = [sys.executable, "-I", "-S", "-E", str(LAUNCHER), "Stop", "--home", str(home)]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE) for _ in range(12)]
    for number, each in enumerate(running):
        each.communicate(json.dumps(event("Stop", last_assistant_message=f"turn {number}")).encode())
    said = {line["event"]["last_assistant_message"] for line in spooled(home)}
    assert said == {f"turn {number}" for number in range(12)}
    assert not list((home / "spool").glob(".*"))


@pytest.mark.timed
def test_the_end_of_a_session_is_kept_within_what_claude_code_gives(home: Path) -> None:
    with listening(home / "run", Peer(hangs=True)):
        assert run("SessionEnd", home, event("SessionEnd")).ms < 1_500
    assert [line["event"]["hook_event_name"] for line in spooled(home)] == ["SessionEnd"]


@pytest.mark.timed
def test_a_hung_daemon_costs_half_a_second_and_loses_nothing(home: Path) -> None:
    with listening(home / "run", Peer(hangs=True)):
        # The best of three: what else the machine does is not the client's.
        best_ms = min(run("PostToolUse", home, event()).ms for _ in range(3))
    assert best_ms < TOOL_MS
    assert [line["event"] for line in spooled(home)] == [event()] * 3
    assert "no answer in time" in log(home) or "timed out" in log(home)


@pytest.mark.timed
def test_a_daemon_that_takes_no_connection_costs_half_a_second(home: Path) -> None:
    with deaf(home / "run"):
        waiting = []
        for _ in range(3):  # until its queue is full
            waiting.append(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            waiting[-1].settimeout(0.05)
            waiting[-1].connect_ex(str(home / "run" / "daemon.sock"))
        best_ms = min(run("PreToolUse", home, event("PreToolUse")).ms for _ in range(3))
        for each in waiting:
            each.close()
    assert best_ms < TOOL_MS and len(spooled(home)) == 3


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"no JSON", "not JSON"),
        (b'["a list"]', "no JSON object"),
        (b"", "not JSON"),
        (b"[" * 200_000, "not JSON"),
    ],
)
def test_what_is_no_event_is_a_line_in_the_log(raw: bytes, said: str, home: Path) -> None:
    run("PostToolUse", home, raw)
    assert said in log(home) and spooled(home) == []


def test_binary_output_and_half_a_surrogate_are_kept(home: Path) -> None:
    run("PostToolUse", home, b'{"hook_event_name":"PostToolUse","tool_response":"\xff\xfe \\ud83d"}')
    assert spooled(home)[0]["event"]["tool_response"] == "\ufffd\ufffd \ud83d"


def test_a_long_answer_of_a_tool_is_cut_and_says_so(home: Path) -> None:
    sent = event(
        tool_input={"content": "x" * 30_000}, tool_response={"stdout": ["é" * 25_000]}, note="y" * 30_000
    )
    with listening(home / "run", Peer()) as peer:
        run("PostToolUse", home, sent)
    (got,) = peer.events
    assert got["tool_input"]["content"] == "x" * 20_000 + " [engramforge cut 10000 characters]"
    assert got["tool_response"]["stdout"] == ["é" * 20_000 + " [engramforge cut 5000 characters]"]
    assert got["note"] == sent["note"]


@pytest.mark.timed
def test_fifty_megabytes_become_one_line(home: Path) -> None:
    with listening(home / "run", Peer()) as peer:
        ran = run("PostToolUse", home, event(tool_response={"stdout": "line of output\n" * 3_300_000}))
    kept = peer.events + [line["event"] for line in spooled(home)]
    assert len(kept) == 1 and len(json.dumps(kept[0])) < 30_000
    assert ran.ms < 3_000


@pytest.mark.parametrize(
    "response", [["z" * 15_000] * 200, list(range(300_000))], ids=["many texts", "many numbers"]
)
def test_no_line_is_longer_than_a_megabyte(response: list[object], home: Path) -> None:
    run("PostToolUse", home, event(tool_response=response, tool_use_id="toolu_2"))
    assert spooled(home)[0]["event"]["tool_use_id"] == "toolu_2"
    assert next((home / "spool").glob("client-*")).stat().st_size < 1_001_000


def test_more_than_is_read_is_refused_and_said(home: Path) -> None:
    run("PostToolUse", home, event(tool_response="w" * 65_000_000))
    assert "bytes was not kept" in log(home) and spooled(home) == []


def test_a_full_spool_takes_no_more(home: Path) -> None:
    (home / "spool").mkdir(mode=0o700)
    with (home / "spool" / "live.jsonl").open("wb") as file:
        file.truncate(65_000_000)
    run("Stop", home, event("Stop"))
    assert "the spool holds" in log(home) and spooled(home) == []


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o777])
def test_a_folder_that_others_may_enter_is_not_used(mode: int, home: Path) -> None:
    with listening(home / "run", Peer(lambda _: "secret")) as peer:
        (home / "run").chmod(mode)
        assert run("PreToolUse", home, event("PreToolUse")).out == b""
        (home / "run").chmod(0o700)
    assert peer.events == [] and len(spooled(home)) == 1
    assert "not a folder of this user alone" in log(home)


def test_a_link_in_place_of_the_folder_is_not_followed(home: Path, tmp_path: Path) -> None:
    (home / "run").rename(tmp_path / "elsewhere")
    (home / "run").symlink_to(tmp_path / "elsewhere")
    with listening(tmp_path / "elsewhere", Peer()) as peer:
        run("PreToolUse", home, event("PreToolUse"))
    assert peer.events == []


_OTHER_USER = """
import os, socket, sys
os.setresuid(65534, 65534, 65534)
server = socket.socket(fileno=int(sys.argv[1]))
server.listen(1)
print("listens", flush=True)
connection, _ = server.accept()
sys.exit(1 if connection.recv(10) else 0)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_socket_of_another_user_is_not_spoken_to(home: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(str(home / "run" / "daemon.sock"))
        number = str(server.fileno())
        command = [sys.executable, "-I", "-S", "-c", _OTHER_USER, number]
        other = subprocess.Popen(command, pass_fds=[server.fileno()], stdout=subprocess.PIPE, cwd="/")
        assert other.stdout is not None and other.stdout.readline() == b"listens\n"
        ran = run("PreToolUse", home, event("PreToolUse"))
        assert other.wait(10) == 0 and ran.out == b""
        other.stdout.close()
    assert "belongs to another user" in log(home) and len(spooled(home)) == 1


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 500 Oops\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
        b"",
        b"SSH-2.0-x\r\n",
    ],
)
def test_an_answer_that_is_none_is_not_printed(answer: bytes, home: Path) -> None:
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(str(home / "run" / "daemon.sock"))
    server.listen(1)
    child = os.fork()
    if not child:
        connection, _ = server.accept()
        connection.recv(1_000_000)
        connection.sendall(answer)
        connection.shutdown(socket.SHUT_RDWR)
        os._exit(0)
    ran = run("PreToolUse", home, event("PreToolUse"))
    os.waitpid(child, 0)
    server.close()
    assert ran.out == b"" and len(spooled(home)) == 1 and log(home)


def test_a_home_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    run("Stop", tmp_path / "file", event("Stop"))
    assert (tmp_path / "file").read_text() == "no folder"


def test_the_log_is_kept_at_a_megabyte(home: Path) -> None:
    (home / "log").mkdir()
    (home / "log" / "hooks.log").write_text("an old line\n" * 90_000)
    run("Stop", home, b"{")
    found = log(home)
    assert len(found) < 260_000 and found.startswith("an old line\n") and "not JSON" in found.splitlines()[-1]


_DAEMON = """
import os, socket, sys
home = sys.argv[1]
server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
server.bind(home + "/run/daemon.sock")
server.listen(5)
with open(home + "/seen", "w") as file:
    print(sorted(os.listdir("/proc/self/fd")), os.getsid(0) == os.getpid(), os.getcwd(), file=file)
    print(*sorted(name for name in os.environ if name.startswith("CLAUDE")), file=file)
connection, _ = server.accept()
connection.close()
connection, _ = server.accept()
connection.recv(65536)
connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 7\\r\\n\\r\\nwelcome")
"""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the descriptors are read in /proc")
def test_a_session_starts_a_daemon_that_shares_nothing_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "h"
    home.mkdir()
    serve = [sys.executable, "-c", _DAEMON, str(home)]
    (home / "connect.json").write_text(json.dumps({"serve": serve}))
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", "/srv/shop")
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    command = [sys.executable, "-I", "-S", "-E", str(LAUNCHER), "SessionStart", "--home", str(home)]
    done = subprocess.run(
        command,
        input=json.dumps(event("SessionStart", source="startup")).encode(),
        capture_output=True,
        close_fds=False,
        check=True,
    )
    os.close(writing)
    assert done.stdout == b"welcome", log(home)
    assert os.read(reading, 1) == b""  # nobody holds the other end any more
    descriptors, variables = (home / "seen").read_text().splitlines()
    assert eval(descriptors.partition("]")[0] + "]") == ["0", "1", "2", "3", "4", "5"]
    assert descriptors.endswith("False /") and variables == ""
    assert stat.S_IMODE((home / "run").stat().st_mode) == 0o700
    assert not (home / "spool").exists()


@pytest.mark.timed
def test_a_prompt_is_answered_by_the_daemon_that_it_starts(tmp_path: Path) -> None:
    serve = [sys.executable, "-c", _DAEMON, str(tmp_path)]
    (tmp_path / "connect.json").write_text(json.dumps({"serve": serve}))
    assert run("UserPromptSubmit", tmp_path, event()).out == b"welcome", log(tmp_path)
    assert spooled(tmp_path) == []


@pytest.mark.timed
def test_a_prompt_waits_no_longer_than_it_may_for_a_daemon_that_does_not_come(tmp_path: Path) -> None:
    (tmp_path / "connect.json").write_text(json.dumps({"serve": ["/bin/false"]}))
    ran = run("UserPromptSubmit", tmp_path, event())
    assert ran.out == b"" and ran.ms < 1_800 and len(spooled(tmp_path)) == 1


def test_connect_s_file_says_how_a_daemon_is_started_once_in_thirty_seconds(tmp_path: Path) -> None:
    home = tmp_path / "h"
    home.mkdir()
    count = home / "count"
    serve = ["/bin/sh", "-c", f"echo started >> {count}"]
    (home / "connect.json").write_text(json.dumps({"serve": serve}))
    for _ in range(3):
        run("PostToolUse", home, event())
    deadline = time.monotonic() + 5
    while not count.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert count.read_text() == "started\n" and len(spooled(home)) == 3


def test_a_path_too_long_for_a_socket_is_in_tmp(tmp_path: Path) -> None:
    home = tmp_path / ("long" * 30)
    home.mkdir()
    (home / "connect.json").write_text("{}")
    above = Path(f"/tmp/engramforge-{os.getuid()}")
    new = not above.exists()
    above.mkdir(mode=0o700, exist_ok=True)
    folder = above / hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    with listening(folder, Peer(lambda _: "found")):
        assert run("PreToolUse", home, event("PreToolUse")).out == b"found"
    folder.rmdir()
    if new:
        above.rmdir()


def test_the_home_is_the_one_that_the_package_takes(tmp_path: Path) -> None:
    environment = {"PATH": "/nowhere", "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
    code = "import runpy, sys; print(runpy.run_path(sys.orig_argv[-1])['home_folder'](None))"
    for more in ({}, {"ENGRAMFORGE_HOME": str(tmp_path / "mine")}, {"XDG_DATA_HOME": " "}):
        given = {**environment, **more}
        found = subprocess.run(
            [sys.executable, "-c", code, str(CLIENT)], env=given, capture_output=True, text=True, check=True
        )
        asked = "import os, engramforge.settings as s; print(s.read_settings(None, os.environ).home)"
        given["PYTHONPATH"] = os.pathsep.join(sys.path)
        ours = subprocess.run(
            [sys.executable, "-c", asked], env=given, capture_output=True, text=True, check=True
        )
        assert found.stdout == ours.stdout


@pytest.mark.parametrize(
    "more",
    [
        {"prompt": "Caf\u00e9?", "prompt_id": "p1"},
        {"prompt": "half \ud800", "prompt_id": "\udc00"},
        {"tool_use_id": "t1", "agent_id": "a"},
        {"tool_use_id": 7, "tool_response": {"b": [1, None], "a": 2.5}},
    ],
)
def test_it_names_an_event_as_who_takes_it_in(more: dict[str, Any]) -> None:
    fields = {**event("PostToolUse"), **more}
    at = "2026-05-04T10:00:00.000001+00:00"
    assert runpy.run_path(str(CLIENT))["event_id"](fields, at) == event_id_of(fields, at)


def test_it_imports_little(home: Path) -> None:
    code = (
        "import sys, posix; posix._exit = lambda n: print(*sys.modules); sys.argv = sys.argv[1:];"
        "exec(compile(open(sys.argv[0]).read(), 'client', 'exec'))"
    )
    with listening(home / "run", Peer()):
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-E", "-c", code, str(CLIENT), "Stop", "--home", str(home)],
            input=json.dumps(event("Stop")).encode(),
            capture_output=True,
            check=True,
        )
    loaded = set(done.stdout.decode().split())
    assert "_socket" in loaded
    assert not loaded & {
        "os", "__future__", "socket", "json", "hashlib", "typing", "subprocess", "selectors", "http.client", "site"
    }  # fmt: skip


def test_it_runs_with_its_bytecode_without_and_with_what_is_spoilt(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hook"
    folder.mkdir()
    for file in (CLIENT, LAUNCHER):
        (folder / file.name).write_bytes(file.read_bytes())
    kept = folder / "__pycache__"
    kept.write_text("no folder can be made here")
    run("Stop", home, event("Stop"), file=folder / "launch.py")
    assert kept.is_file()
    kept.unlink()
    run("Stop", home, event("Stop"), file=folder / "launch.py")
    (bytecode,) = kept.iterdir()
    whole = bytecode.read_bytes()
    bytecode.write_bytes(whole[:-100])
    run("Stop", home, event("Stop"), file=folder / "launch.py")
    source = folder / "client.py"
    source.write_text(source.read_text().replace("def take(", "def take_no_more("))
    run("Stop", home, event("Stop"), file=folder / "launch.py")
    assert len(spooled(home)) == 3 and "NameError" in log(home)


def test_older_pythons_run_it() -> None:
    import ast

    for file in (CLIENT, LAUNCHER):
        ast.parse(file.read_text(), feature_version=(3, 8))
