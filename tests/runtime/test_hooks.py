"""Hook events through the daemon: durable before they are acknowledged, captured at once, never an error."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import engramforge
from engramforge.faces.connections.claude_code import CLIENT
from engramforge.runtime.client import ask
from engramforge.runtime.spool import line_of
from engramforge.runtime.starting import health

from .conftest import Home, wait_for


@pytest.fixture
def served(home: Home) -> Iterator[Home]:
    """A home whose daemon captures into a file."""
    with _served(home):
        yield home


@contextmanager
def _served(home: Home) -> Iterator[None]:
    """A daemon that is killed at the end of the block."""
    command = [sys.executable, "-m", "tests.runtime.wired", str(home.folder)]
    with subprocess.Popen(command, env=home.environment, cwd=Path(__file__).parents[2]) as child:
        wait_for(lambda: health(home.places))
        yield
        child.kill()


def _captured(home: Home) -> list[dict[str, Any]]:
    place = home.folder / "captured"
    return [json.loads(line)["event"] for line in place.read_text().splitlines()] if place.exists() else []


def _hook(home: Home, **event: Any) -> tuple[int, Any]:
    return ask(home.places.socket, "POST", "/hook", {"session_id": "s1", **event})


def test_events_are_captured_and_what_is_injected_follows_them(served: Home) -> None:
    for number in range(5):
        event = {"hook_event_name": "PostToolUse", "tool_use_id": str(number)}
        assert _hook(served, **event) == (204, None)
    # What was accepted before is captured before the answer is made.
    status, said = _hook(served, hook_event_name="UserPromptSubmit", prompt="what now?")
    # The prompt itself may be captured by then, too.
    assert status == 200 and said["hookSpecificOutput"]["additionalContext"] in ("5 before", "6 before")
    assert _hook(served, hook_event_name="UserPromptSubmit", prompt="silence") == (204, None)
    assert _hook(served, hook_event_name="Stop") == (204, None)
    wait_for(lambda: len(_captured(served)) == 8)
    said = wait_for(lambda: (found := health(served.places)) and not found["waiting"] and found)
    assert said["writable"]


def _posted(home: Home, body: bytes, header: str = "") -> None:
    """Post a body to the hook, which answers that it has nothing to say."""
    with socket.socket(socket.AF_UNIX) as ends:
        ends.connect(home.places.socket)
        head = f"POST /hook HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{header}Content-Length: {len(body)}\r\n\r\n"
        ends.sendall(head.encode() + body)
        assert ends.makefile("rb").readline().split()[1] == b"204"


def test_an_odd_event_is_no_error(served: Home) -> None:
    bodies = (b"", b"no json", b"[1]", b"\xff\xfe", b"null", b'{"a": ' + b"[" * 90_000, b"x" * 3_000_000)
    for number, body in enumerate(bodies, 1):
        _posted(served, body)
        assert served.log().count("dropped") == number, body
    assert _captured(served) == []
    assert _hook(served, hook_event_name="Never heard of", more={"a": "\ud800\x00"})[0] == 204
    outcome = {"tool_use_id": "long", "tool_response": {"stdout": "x" * 3_000_000}}
    assert _hook(served, hook_event_name="PostToolUse", **outcome)[0] == 204
    wait_for(lambda: len(_captured(served)) == 2)
    assert "characters cut" in _captured(served)[1]["tool_response"]["stdout"]


def test_what_waits_at_a_kill_is_captured_by_the_next_once(home: Home) -> None:
    with _served(home):
        for number in range(20):
            _hook(home, hook_event_name="PostToolUse", tool_use_id=str(number), slow_s=0.08)
    client = home.folder / "spool" / "client-1-1.jsonl"
    client.write_bytes(line_of({"hook_event_name": "Stop", "tool_use_id": "of a client"}, datetime.now(UTC)))
    with _served(home):
        # The first session after it knows all of it.
        _, said = _hook(home, hook_event_name="SessionStart", tool_use_id="20")
        assert said["hookSpecificOutput"]["additionalContext"] in ("21 before", "22 before")
        wait_for(lambda: len(_captured(home)) == 22)
        wait_for(lambda: not health(home.places)["waiting"])  # type: ignore[index]
    assert sorted(event["tool_use_id"] for event in _captured(home)) == sorted(
        [*map(str, range(21)), "of a client"]
    )


@pytest.fixture
def small_disk(home: Home) -> Iterator[Path]:
    """The home lies on a disk of 16 MB."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(home.folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a disk")
    yield home.folder
    home.kill()
    subprocess.run(["umount", "-l", str(home.folder)], check=True)


def _fill(place: Path) -> None:
    with suppress(OSError), place.open("wb") as file:
        while True:
            file.write(b"x" * 4_096)
            file.flush()


def test_a_full_disk_is_told_and_nothing_that_was_acknowledged_is_lost(home: Home, small_disk: Path) -> None:
    daemon = home.start()
    assert home.run("remember", "Before the disk was full.").returncode == 0
    kept, numbers = [], iter(range(1_000))

    def prompt(padding: str = "") -> int:
        said = f"prompt-{next(numbers)} {padding}"
        status, _ = _hook(home, hook_event_name="UserPromptSubmit", prompt=said, prompt_id=said[:12])
        kept.extend([said.split()[0]] if status in (200, 204) else [])
        return status

    assert prompt() in (200, 204)
    _fill(small_disk / "filling")
    # Room for an event in the spool, and for little more: what the daemon does meanwhile may take a page of it.
    for _ in range(8):
        os.truncate(small_disk / "filling", (small_disk / "filling").stat().st_size - 4_096)
        if prompt() in (200, 204):
            break
    else:
        pytest.fail("no event was kept")
    refused = home.run("remember", "No room for this. " * 2_000, "--json")
    assert refused.returncode == 5, refused
    assert json.loads(refused.stderr)["error"] == "StoreFull"
    # Questions are answered; an event that fits nowhere is refused, and the hook lets the session go on.
    assert b"Before the disk" in home.run("recall", "disk").stdout
    assert prompt() in (200, 204, 507) and prompt("y " * 9_000) == 507
    event = json.dumps({"hook_event_name": "Stop", "last_assistant_message": "y " * 9_000}).encode()
    hook = [sys.executable, "-I", "-S", "-E", str(CLIENT), "Stop"]
    ran = subprocess.run(hook, input=event, env=home.environment, capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")
    said = health(home.places)
    assert said is not None and not said["writable"] and "space" in said["fault"]
    (small_disk / "filling").unlink()
    assert prompt() in (200, 204)
    assert home.run("remember", "Room again.").returncode == 0
    said = wait_for(lambda: (found := health(home.places)) and not found["waiting"] and found)
    assert said["writable"] and home.daemon().pid == daemon.pid
    with engramforge.open(home.folder) as forge:
        captured = [each.content.split()[0] for each in forge.memories(kinds="prompt", limit=100)]
    assert sorted(captured) == sorted(kept)


def test_what_a_dropped_event_would_have_been_told_is_told_to_the_next(home: Home) -> None:
    home.start()
    home.run("remember", "Never run make deploy without the --dry-run flag.", "--project", "quay")
    spool, aside = home.folder / "spool", home.folder / "spool.aside"

    def deploy(number: int) -> int:
        fields = {"tool_name": "Bash", "tool_input": {"command": "make deploy"}, "tool_use_id": str(number)}
        status, _ = _hook(home, hook_event_name="PreToolUse", session_id="w", project="quay", **fields)
        return status

    if spool.exists():
        spool.rename(aside)
    spool.write_text("no folder")
    assert deploy(1) == 507
    spool.unlink()
    assert deploy(2) == 200


def test_a_hung_daemon_is_left_alone(served: Home) -> None:
    served.run("remember", "A fact of before.")
    daemon = served.daemon()
    daemon.suspend()
    ran = served.run_alone("remember", "Said once.", "--json", ENGRAMFORGE_DAEMON="on")
    assert ran.returncode == 0
    assert b"A fact of before" in served.run_alone("list", ENGRAMFORGE_DAEMON="on").stdout
    daemon.resume()
    # What the client gave up is not done by the daemon when it goes on.
    wait_for(lambda: health(served.places))
    time.sleep(0.3)
    assert served.run("list").stdout.count(b"Said once") == 1


@pytest.mark.timed
def test_a_hung_daemon_costs_half_a_second(served: Home) -> None:
    code = (
        "import sys, time; from engramforge.entry import thin; begin = time.monotonic();"
        "assert thin.run(['list'], '0.1.0') is None; print(time.monotonic() - begin)"
    )
    daemon = served.daemon()
    daemon.suspend()
    ran = subprocess.run(
        [sys.executable, "-c", code], env=served.environment, capture_output=True, check=True
    )
    assert float(ran.stdout) < 0.7


def test_many_requests_leave_nothing_behind(served: Home) -> None:
    served.run("remember", "A lighthouse.")
    asked = {"version": "0.1.0", "argv": ["recall", "lighthouse"], "cwd": "/", "home": str(served.folder)}
    daemon = served.daemon()

    def open_now() -> tuple[int, int]:
        return daemon.num_fds(), len(daemon.children(recursive=True))

    def ask_all(count: int) -> None:
        for number in range(count):
            assert ask(served.places.socket, "POST", "/cli", asked)[0] == 200
            _hook(served, hook_event_name="PostToolUse", tool_use_id=str(number))
            ask(served.places.socket, "GET", "/health")

    ask_all(30)
    before = wait_for(open_now)
    ask_all(60)
    time.sleep(0.5)
    after = open_now()
    assert after[0] <= before[0] + 2
    assert after[1] == 0


@pytest.mark.timed
def test_idle_costs_nothing(served: Home) -> None:
    """A machine may take the memory of idle processes away: then whatever wakes pays for it. There three looks of a
    daemon, which ask for more, may take some times as long as three small questions after as long a sleep."""
    daemon = served.daemon()
    # What a young daemon does once, such as compiling long patterns, it does when nobody asks.
    time.sleep(8)
    before = daemon.cpu_times()
    time.sleep(6)
    after = daemon.cpu_times()
    spent = after.user + after.system - before.user - before.system
    if spent > 0.03:
        assert spent <= 0.03 + 8 * _woken_seconds(served, 3)


def _woken_seconds(served: Home, times: int) -> float:
    """Processor seconds of small questions to a store, each after a sleep."""
    spent = 0.0
    with engramforge.open(served.folder) as forge:
        forge.hooks.switches()
        for _ in range(times):
            time.sleep(2)
            before = time.thread_time()
            forge.hooks.switches()
            spent += time.thread_time() - before
    return spent


def test_twenty_at_once_get_their_own_answers(served: Home) -> None:
    for number in range(4):
        served.run("remember", f"Word{number} is a word.", "--project", f"p{number}")

    def one(number: int) -> None:
        project = f"p{number % 4}"
        argv = ["list", "--project", project]
        asked = {"version": "0.1.0", "argv": argv, "cwd": "/", "home": str(served.folder)}
        for _ in range(10):
            status, said = ask(served.places.socket, "POST", "/cli", asked, wait_s=30)
            assert status == 200 and said["exit"] == 0, said
            assert f"Word{number % 4}" in said["out"] and said["out"].count("is a word") == 1

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(one, range(20)))


def test_what_was_injected_is_seen_soon_and_what_was_refused_is_in_the_log(home: Home) -> None:
    walrus = "We call the walrus gateway from the seal worker."
    home.run_alone("remember", walrus, "--project", "inj", "--kind", "decision")
    home.start()
    status, said = _hook(home, hook_event_name="SessionStart", cwd="/projects/inj", source="startup")
    assert status == 200 and "walrus" in json.dumps(said)
    wait_for(lambda: b"SessionStart" in home.run("injected").stdout, 10)
    secret = "sk-ant-api03-" + "A1b2C3d4" * 11 + "AA"
    assert _hook(home, hook_event_name="Stop", last_assistant_message="said", session_id=secret)[0] == 204
    assert _hook(home, prompt="an event without a name")[0] == 204
    wait_for(lambda: "no hook_event_name" in home.log() and "Stop: " in home.log())
    assert secret not in home.log()


def test_what_a_hook_left_is_taken_while_the_daemon_runs_and_what_it_sent_too_once(served: Home) -> None:
    received_at = datetime.now(UTC)
    event = {"hook_event_name": "SubagentStop", "session_id": "s", "prompt_id": "p", "agent_id": "one"}
    _posted(served, json.dumps(event).encode(), f"X-Received-At: {received_at.isoformat()}\r\n")
    wait_for(lambda: _captured(served))
    place = served.folder / "spool" / "client-1-1.jsonl"
    place.write_bytes(line_of(event, received_at) + line_of({**event, "agent_id": "two"}, received_at))
    wait_for(lambda: not place.exists() and len(_captured(served)) >= 2)
    assert [each["agent_id"] for each in _captured(served)] == ["one", "two"]
