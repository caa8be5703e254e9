"""Homes whose daemons the tests start, with everything that ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from engramforge.runtime.lock import is_held
from engramforge.runtime.places import Places
from engramforge.runtime.starting import health, recorded

from .forked import FORKED

CONSOLE = (sys.executable, "-m", "engramforge.entry.console")


class Home:
    """A home folder, command lines on it, and its daemon."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700)
        self.folder = folder
        self.places = Places(str(folder))
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("ENGRAMFORGE_")},
            "ENGRAMFORGE_HOME": str(folder),
        }

    def run(
        self, *arguments: str, stdin: bytes = b"", off: bool = False, **more: str
    ) -> subprocess.CompletedProcess[bytes]:
        """A command line; `off`: in its own process."""
        environment = {**self.environment, **more, **({"ENGRAMFORGE_DAEMON": "off"} if off else {})}
        command = [*CONSOLE, *arguments]
        return subprocess.run(
            command, input=stdin, capture_output=True, env=environment, timeout=120, check=False
        )

    def run_alone(
        self, *arguments: str, stdin: bytes = b"", **more: str
    ) -> subprocess.CompletedProcess[bytes]:
        """A command line in its own process, which need not load what it needs first."""
        return FORKED.run(arguments, stdin, {**self.environment, "ENGRAMFORGE_DAEMON": "off", **more})

    def start(self) -> psutil.Process:
        """A daemon that answers, which need not load what it needs first."""
        before = health(self.places, 1.0)
        if before is None:
            FORKED.leave(["serve"], self.environment)
            wait_for(lambda: health(self.places, 5.0))
        return self.daemon()

    def start_by_command(self, *options: str) -> psutil.Process:
        """A daemon that answers, started in the background as a person starts it."""
        ran = self.run("serve", "--background", *options)
        assert ran.returncode == 0, ran.stderr.decode()
        return self.daemon()

    def daemon(self) -> psutil.Process:
        """The process of the daemon that answers."""
        said = health(self.places, 5.0)
        assert said is not None, self.log()
        return psutil.Process(said["pid"])

    def log(self) -> str:
        """What the daemons logged."""
        place = Path(self.places.log)
        return place.read_text() if place.exists() else ""

    def kill(self) -> None:
        """kill -9 of the daemon, if there is one."""
        if is_held(self.places.lock) and (told := recorded(self.places)) is not None:
            with suppress(ProcessLookupError):
                os.kill(told["pid"], signal.SIGKILL)
            wait_for(lambda: not is_held(self.places.lock))


def wait_for(condition: Callable[[], Any], seconds: float = 30.0) -> Any:
    """Wait until something holds; what it said."""
    until = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < until, "it did not come about"
        time.sleep(0.02)
    return found


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """A home without a store; its daemon is killed at the end."""
    found = Home(tmp_path / "home")
    yield found
    found.kill()


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Home]:
    """A second home."""
    found = Home(tmp_path / "another")
    yield found
    found.kill()
