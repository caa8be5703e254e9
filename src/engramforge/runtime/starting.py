"""Starting a daemon, so that however many try at once there is one. Standard library only.

Whoever wants to start one takes its lock first and hands it on to the process that it starts; whoever does not get the
lock waits for the daemon of the other. The lock goes with the process that holds it, so nothing has to be cleaned up.
"""

from __future__ import annotations

import os
import sys
import time

from engramforge.runtime.client import NoDaemon, Unanswered, ask, object_in
from engramforge.runtime.lock import take_lock
from engramforge.runtime.places import Places, open_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

STARTS_S = 20.0
"""How long a new daemon may take to answer on a busy machine; it takes less than a second."""
_LOOK_S = 0.02
_RECORD_BYTES = 65_536
_MOST_PID = 2**31 - 1
_OURS = ("ENGRAMFORGE_", "_ENGRAMFORGE_")


class CannotStart(Exception):
    """No daemon could be started; the message says why."""


def health(places: Places, wait_s: float = 0.5) -> dict[str, Any] | None:
    """What a live daemon says of itself; None where none answers."""
    try:
        status, said = ask(places.socket, "GET", "/health", wait_s=wait_s, works_s=wait_s)
    except (NoDaemon, Unanswered):
        return None
    return said if status == 200 and isinstance(said, dict) and said.get("name") == "engramforge" else None


def recorded(places: Places) -> dict[str, Any] | None:
    """What the daemon wrote of itself when it started; it may be gone since."""
    try:
        with open_plain(places.record) as file:
            return object_in(file.read(_RECORD_BYTES))
    except OSError:
        return None


def pid_in(said: dict[str, Any] | None) -> int | None:
    """The process that a record names; None where what stands there is none: no signal ever goes to another."""
    pid = said.get("pid") if said else None
    return pid if type(pid) is int and 0 < pid <= _MOST_PID else None


def port_in(said: dict[str, Any] | None) -> int | None:
    """The port that a record names; None where what stands there is none."""
    port = said.get("port") if said else None
    return port if type(port) is int and 0 < port < 65_536 else None


def hung(places: Places) -> dict[str, Any] | None:
    """What the daemon that holds the lock and does not answer wrote of itself; None while a new one starts."""
    said = recorded(places)
    pid = pid_in(said)
    if pid is None:
        return None
    try:
        os.kill(pid, 0)
    except OSError:
        return None  # an earlier one wrote it
    return said


def start(home: str, wait_s: float = STARTS_S, self_started: bool = True, port: int = 0) -> dict[str, Any]:
    """Have a daemon for a home: the health of the one that runs, or of a new one.

    `self_started`: it is to end by itself when nobody needs it for long. `port`: on loopback; 0 for any that is free.

    Raises CannotStart.
    """
    places = Places(home)
    until = time.monotonic() + wait_s
    spawned = False
    try:
        places.make()
        while time.monotonic() < until:
            if (said := health(places)) is not None:
                return said
            if not spawned and (lock := take_lock(places.lock)) is not None:
                try:
                    _spawn(places, lock, self_started, port)
                finally:
                    os.close(lock)
                spawned = True
            elif spawned and (lock := take_lock(places.lock)) is not None:
                os.close(lock)
                raise CannotStart(f"It ended as it started; {places.log} says why")
            time.sleep(_LOOK_S)
    except OSError as error:
        raise CannotStart(f"{error.filename or home}: {error.strerror or error}") from error
    raise CannotStart(f"No answer within {wait_s:g} s; see {places.log}")


def bare_environment() -> dict[str, str]:
    """The environment without settings of ours, for a process that serves everybody who asks at a home."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}


def _spawn(places: Places, lock: int, self_started: bool, port: int) -> None:
    """Start the process that becomes the daemon; it forks once more, so the one that is waited for ends at once."""
    import subprocess

    command = [sys.executable, "-P", "-m", "engramforge.entry.daemon", "--home", places.home]
    command += ["--lock", str(lock), "--port", str(port)]
    command += ["--self-started"] if self_started else []
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
    log = os.open(places.log, flags, 0o600)
    try:
        child = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd="/",
            env=bare_environment(),
            start_new_session=True,
            pass_fds=(lock,),
        )
    finally:
        os.close(log)
    child.wait(STARTS_S)


def stop(places: Places, wait_s: float = 30.0) -> bool:
    """Ask the daemon to end and wait until its lock is free; whether it ended."""
    from contextlib import suppress

    from engramforge.runtime.lock import is_held

    until = time.monotonic() + wait_s
    is_asked = False
    while True:
        # One that is starting does not listen yet.
        with suppress(NoDaemon, Unanswered):
            is_asked = is_asked or ask(places.socket, "POST", "/stop") is not None
        if not is_held(places.lock):
            return True
        if time.monotonic() > until:
            return False
        time.sleep(_LOOK_S)
