"""A home has one daemon, whoever starts it and however an earlier one ended."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import psutil
import pytest

from engramforge.runtime.client import NoDaemon, ask, connect
from engramforge.runtime.lock import is_held, take_lock
from engramforge.runtime.places import LONGEST_SOCKET, find_home
from engramforge.runtime.starting import CannotStart, health, recorded, start
from engramforge.runtime.transports.loopback import LOOPBACK_CONNECTIONS

from .conftest import Home, wait_for


def _starts(home: Home, count: int) -> set[int]:
    code = "import sys; from engramforge.runtime.starting import start; print(start(sys.argv[1])['pid'])"

    def one(_: int) -> int:
        command = [sys.executable, "-c", code, str(home.folder)]
        ran = subprocess.run(command, capture_output=True, env=home.environment, check=False)
        assert ran.returncode == 0, ran.stderr.decode()
        return int(ran.stdout)

    with ThreadPoolExecutor(count) as pool:
        return set(pool.map(one, range(count)))


def test_starts_at_once_give_one_daemon(home: Home) -> None:
    assert _starts(home, 5) == {home.daemon().pid}
    # The process of the starter is no parent of it, and holds nothing of it.
    assert home.daemon().ppid() == 1 or home.daemon().parent().name() != "python"


@pytest.mark.parametrize("after_s", [0.0, 0.03, 0.15, 0.4, 0.8, None])
def test_after_a_kill_the_next_start_finds_the_way_free(home: Home, after_s: float | None) -> None:
    home.places.make()
    lock = take_lock(home.places.lock)
    assert lock is not None
    command = [sys.executable, "-P", "-m", "engramforge.entry.daemon", "--home", str(home.folder)]
    with subprocess.Popen(
        [*command, "--lock", str(lock)], pass_fds=(lock,), env=home.environment, start_new_session=True
    ) as child:
        os.close(lock)
        if after_s is None:
            wait_for(lambda: health(home.places))
        else:
            time.sleep(after_s)
        # The whole session: the process that was started, and the daemon that it became.
        os.killpg(child.pid, signal.SIGKILL)
    wait_for(lambda: not is_held(home.places.lock))
    assert start(str(home.folder))["pid"] == home.daemon().pid


def test_a_starter_that_is_killed_leaves_nothing(home: Home) -> None:
    Path(home.places.run).mkdir(mode=0o700)
    code = (
        "import os, sys; from engramforge.runtime.lock import take_lock;"
        "take_lock(sys.argv[1]); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, home.places.lock], env=home.environment, check=False)
    assert not is_held(home.places.lock)
    assert home.start().is_running()


def test_two_homes_have_a_daemon_each(home: Home, another: Home) -> None:
    assert home.start().pid != another.start().pid
    home.run("remember", "The lighthouse is red.", "--project", "coast")
    assert b"lighthouse" in home.run("recall", "lighthouse").stdout
    assert b"lighthouse" not in another.run("recall", "lighthouse").stdout


def test_it_inherits_nothing(home: Home) -> None:
    with socket.socket() as listening, Path(os.devnull).open() as file:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        for each in (listening.fileno(), file.fileno()):
            os.set_inheritable(each, True)
        port = listening.getsockname()[1]
        start(str(home.folder))
        daemon = home.daemon()
    assert port not in {each.laddr.port for each in daemon.net_connections() if each.laddr}
    assert daemon.cwd() == "/"
    assert os.getsid(daemon.pid) != os.getsid(0)
    places = {os.path.realpath(f"/proc/{daemon.pid}/fd/{number}") for number in (0, 1, 2)}
    assert places == {os.devnull, os.path.realpath(home.places.log)}


def test_a_second_one_in_the_foreground_is_refused(home: Home) -> None:
    daemon = home.start()
    ran = home.run("serve", "--json")
    assert ran.returncode == 4 and b"serves" in ran.stderr
    assert home.daemon().pid == daemon.pid


def test_stop_and_status(home: Home) -> None:
    assert b"No daemon" in home.run("status").stdout
    assert home.run("stop").returncode == 0
    daemon = home.start_by_command()
    assert str(daemon.pid).encode() in home.run("status", "--json").stdout
    assert b"ended" in home.run("stop").stdout
    wait_for(lambda: not daemon.is_running())
    assert {*Path(home.places.run).iterdir()} == {Path(home.places.lock), Path(home.places.token)}
    # http hooks have the token in their settings: the next daemon takes it again.
    token = Path(home.places.token).read_text()
    home.start()
    assert Path(home.places.token).read_text() == token


def test_what_others_left_in_an_open_run_folder_is_gone_before_a_token_is_written(home: Home) -> None:
    run = Path(home.places.run)
    run.mkdir()
    run.chmod(0o777)
    victim = home.folder / "victim"
    victim.write_text("precious")
    Path(f"{home.places.token}.part").symlink_to(victim)
    Path(f"{home.places.record}.part").mkdir()
    Path(home.places.token).write_text("a token that somebody planted, of length enough")
    Path(home.places.token).chmod(0o600)
    with Path(home.places.lock).open("w") as planted:
        home.start()
        assert victim.read_text() == "precious"
        assert "planted" not in Path(home.places.token).read_text()
        assert os.fstat(planted.fileno()).st_nlink == 0
    assert run.stat().st_mode & 0o777 == 0o700


def test_a_stale_socket_and_an_unreadable_token_are_no_hindrance(home: Home) -> None:
    Path(home.places.run).mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(home.places.socket)
    token = Path(home.places.token)
    token.write_text("old")
    token.chmod(0)
    with pytest.raises(NoDaemon):
        connect(home.places.socket)
    home.start()
    assert token.stat().st_mode & 0o777 == 0o600
    assert len(token.read_text()) > 40


def test_what_cannot_be_started_says_why(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no folder")
    with pytest.raises(CannotStart, match="home"):
        start(str(tmp_path / "home"), 2.0)


def test_a_long_path_has_a_short_folder_for_sockets(tmp_path: Path) -> None:
    home = Home(tmp_path / ("long" * 30))
    assert len(os.fsencode(home.places.socket)) < LONGEST_SOCKET
    try:
        home.start()
        assert home.run("remember", "It is far away.").returncode == 0
        assert home.run("disconnect", "claude-code", "--purge", "--purge", "--yes").returncode == 0
        assert not is_held(home.places.lock) and not Path(home.places.run).exists()
        assert not home.folder.exists()
    finally:
        home.kill()
        shutil.rmtree(home.places.run, ignore_errors=True)


def test_homes_are_found_as_the_settings_find_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from engramforge.settings import read_settings

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    for given, variables in (
        (None, {}), ("here", {}), ("~/there", {}), (None, {"ENGRAMFORGE_HOME": "rel/x"}),
        ("/a/b", {"ENGRAMFORGE_HOME": "/c"}),
    ):  # fmt: skip
        assert find_home(given, variables) == str(read_settings(given, variables).home)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert find_home(None, os.environ) == str(read_settings(None, {}).home)
    assert find_home("", {}) is None


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_another_user_s_socket_is_not_spoken_to(home: Home) -> None:
    place = Path(home.places.run)
    place.mkdir()
    os.chown(place, 65534, 65534)
    child = os.fork()
    if not child:
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(home.places.socket)
        os.setuid(65534)
        listening.listen()
        while True:
            taken, _ = listening.accept()
            os.write(1, b"SPOKEN" if taken.recv(10) else b"")
    try:
        wait_for(Path(home.places.socket).exists)
        with pytest.raises(NoDaemon, match="another user"):
            connect(home.places.socket)
        with pytest.raises(CannotStart, match="not a folder of this user"):
            start(str(home.folder), 5.0)
        # Commands work without one.
        assert home.run("remember", "In my own process.").returncode == 0
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_an_idle_one_ends_unless_a_person_started_it(home: Home, another: Home) -> None:
    # Longer than between two looks for watched folders, which are not use by anybody.
    for each in (home, another):
        (each.folder / "engramforge.toml").write_text("daemon_idle_minutes = 0.05\n")
    daemon = another.start()
    pid = start(str(home.folder))["pid"]
    wait_for(lambda: not is_held(home.places.lock), 20)
    wait_for(lambda: not psutil.pid_exists(pid))
    assert "nothing was asked" in home.log()
    assert another.daemon().pid == daemon.pid


def test_it_ends_with_its_home(home: Home) -> None:
    home.start()
    told = recorded(home.places)
    assert told is not None
    shutil.rmtree(home.folder)
    wait_for(lambda: not psutil.pid_exists(told["pid"]), 20)


def test_an_older_one_yields_to_a_newer_client(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    from engramforge.entry import thin

    home.run_alone("remember", "A fact.")
    home.start()
    for name in [name for name in os.environ if name.startswith("ENGRAMFORGE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ENGRAMFORGE_HOME", str(home.folder))
    assert thin.run(["list"], "0.0.1") is None
    assert health(home.places) is not None
    assert thin.run(["list"], "99.0.0") is None
    wait_for(lambda: not is_held(home.places.lock))


def test_on_loopback_it_asks_for_a_token(home: Home) -> None:
    home.start()
    told = recorded(home.places)
    assert told is not None
    token = Path(home.places.token).read_text().strip()
    host = f"127.0.0.1:{told['port']}"

    def status(**headers: str) -> int:
        with socket.create_connection(("127.0.0.1", told["port"]), 5) as ends:
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            ends.sendall(f"GET /health HTTP/1.1\r\nConnection: close\r\n{lines}\r\n".encode())
            return int(ends.makefile("rb").readline().split()[1])

    assert status(Host=host, Authorization=f"Bearer {token}") == 200
    assert status(Host=host) == 401
    assert status(Host=host, Authorization="Bearer wrong") == 401
    assert status(Host="evil.example", Authorization=f"Bearer {token}") == 403
    assert status(Host=host, Authorization=f"Bearer {token}", Origin="http://evil.example") == 403
    assert ask(home.places.socket, "GET", "/health")[0] == 200


def test_a_call_on_loopback_that_is_reset_at_once_needs_the_token_too(home: Home) -> None:
    home.start()
    told = recorded(home.places)
    assert told is not None
    body = b'{"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "from a stranger"}'
    for route in (b"/hook", b"/stop"):
        head = b"POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (route, len(body))
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", told["port"]), 5) as ends:
                # Closing resets: by the time the daemon looks, nobody is at the other end.
                ends.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                ends.sendall(head + body)
    line = wait_for(lambda: [line for line in home.log().splitlines() if "refused" in line])
    assert home.daemon().pid == told["pid"]
    assert len(line) == 1
    assert b"stranger" not in home.run("list").stdout


def test_connections_that_ask_nothing_are_closed(home: Home) -> None:
    daemon = home.start()
    told = recorded(home.places)
    assert told is not None

    def open_now() -> int:
        return sum(
            each.laddr[1:] == (told["port"],) and bool(each.raddr) for each in daemon.net_connections()
        )

    with ExitStack() as held:
        ends = [
            held.enter_context(socket.create_connection(("127.0.0.1", told["port"]), 10))
            for _ in range(LOOPBACK_CONNECTIONS + 36)
        ]
        for each in ends[::2]:
            with suppress(OSError):
                each.sendall(b"POST /hook HTTP/1.1\r\nHost: x\r\nContent-Le")
        wait_for(lambda: open_now() <= LOOPBACK_CONNECTIONS)
        wait_for(lambda: not open_now())
    assert health(home.places) is not None
    assert home.log().count("WARNING") == 1


def test_settings_of_the_environment_are_refused(home: Home) -> None:
    ran = home.run("serve", "--background", ENGRAMFORGE_PRESET="neural")
    assert ran.returncode == 2 and b"engramforge.toml" in ran.stderr
    (home.folder / "engramforge.toml").write_text("daemon = false\n")
    ran = home.run("serve", "--background")
    assert ran.returncode == 2 and b"daemon is off" in ran.stderr


def test_places_are_ours_alone(home: Home) -> None:
    home.start()
    for folder in (Path(home.places.run), Path(home.places.log).parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    for file in (home.places.socket, home.places.mcp_socket, home.places.token, home.places.record):
        assert Path(file).stat().st_mode & 0o777 == 0o600
