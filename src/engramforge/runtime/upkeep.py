"""The work that takes long, in a process of its own at the lowest priority, while nobody asks anything.

Beside a busy thread every answer would wait for the interpreter; beside a busy process none does. The process ends when
the work is done, and with its daemon.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event
from typing import Final

from engramforge.runtime.starting import bare_environment

log = logging.getLogger(__name__)

LOOK_S: Final = 60.0
"""How often it is looked whether something is due."""
QUIET_S: Final = 30.0
"""For how long nobody may have asked anything."""
AGAIN_S: Final = 360.0
"""After so long it is looked once more: what is restless may be dreamt of after five minutes."""
_PACE_S: Final = 0.5


class UpkeepChild:
    """Starts the process where something is due.

    `home`: of the daemon. `due`: which work is due. `asked_at`: when somebody asked last, by `time.monotonic`.
    """

    def __init__(self, home: str, due: Callable[[], Sequence[str]], asked_at: Callable[[], float]) -> None:
        self._home = home
        self._due = due
        self._asked_at = asked_at

    def run(self, ending: Event, look_s: float = LOOK_S, quiet_s: float = QUIET_S) -> None:
        """Look again and again, until the daemon ends; twice after somebody asked, for else nothing becomes due."""
        looked_after, is_late = 0.0, False
        while not ending.wait(look_s):
            asked_at = self._asked_at()
            quiet_for = time.monotonic() - asked_at
            if quiet_for < quiet_s or (asked_at == looked_after and (is_late or quiet_for < AGAIN_S)):
                continue
            looked_after, is_late = asked_at, quiet_for >= AGAIN_S
            try:
                if due := self._due():
                    self._work(due, ending)
            except Exception as error:  # noqa: BLE001 - it is tried again when something was asked
                log.warning("Upkeep failed: %s", error)

    def _work(self, due: Sequence[str], ending: Event) -> None:
        kept = bare_environment()
        command = [sys.executable, "-P", "-m", "engramforge.entry.upkeep", "--home", self._home]
        quiet = subprocess.DEVNULL
        with subprocess.Popen(  # noqa: S603 - our own interpreter and module
            command, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE, cwd="/", env=kept, text=True
        ) as child:
            fault = None
            while fault is None:
                with suppress(subprocess.TimeoutExpired):
                    fault = child.communicate(timeout=_PACE_S)[1].strip()
                if ending.is_set():
                    child.terminate()
        if child.returncode == 0:
            log.info("Upkeep of %s is done", " and ".join(due))
        elif not ending.is_set():
            log.warning("Upkeep of %s ended with %d: %s", " and ".join(due), child.returncode, fault[-500:])
