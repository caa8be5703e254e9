"""Work that takes long is done by a process of its own while nobody asks, and is over with its daemon."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import psutil
import pytest

import engramforge
from engramforge.runtime.upkeep import AGAIN_S, UpkeepChild

from .conftest import wait_for


def _filled(home: Path, memories: int) -> None:
    with engramforge.open(home) as forge:
        forge._stages.calibrating._written_until_due = 10**9  # as after a fit that failed
        drafts = [
            {"content": f"Ada Brook keeps ledger {number} at the old pier.", "session_id": f"s{number // 9}"}
            for number in range(memories)
        ]
        for begin in range(0, memories, 1_000):
            forge.remember_many(drafts[begin : begin + 1_000])


class Kept:
    """An upkeep on a thread of its own."""

    def __init__(self, home: Path, due: Sequence[str], asked_s: float = 60.0) -> None:
        self.asked_at = time.monotonic() - asked_s
        self.looked = 0
        self.ending = threading.Event()
        self._due = due
        upkeep = UpkeepChild(str(home), self._told, lambda: self.asked_at)
        self._thread = threading.Thread(target=upkeep.run, args=[self.ending, 0.05, 5.0])
        self._thread.start()

    def _told(self) -> Sequence[str]:
        self.looked += 1
        return self._due

    def close(self) -> None:
        self.ending.set()
        self._thread.join(20)
        assert not self._thread.is_alive()


def _children() -> list[psutil.Process]:
    return [each for each in psutil.Process().children() if "engramforge.entry.upkeep" in each.cmdline()]


def test_what_is_due_is_done_once_by_a_process_that_gives_way(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = tmp_path / "home"
    _filled(home, 2_100)
    with engramforge.open(home) as forge:
        assert forge.due() == ("calibrations", "relations", "topics")
    with caplog.at_level(logging.INFO), closing(Kept(home, ("calibrations", "relations", "topics"))) as kept:
        child = wait_for(lambda: next(iter(_children()), None))
        wait_for(lambda: not child.is_running() or child.nice() == 19)
        wait_for(lambda: "is done" in caplog.text, 60)
        time.sleep(0.3)
        # Nothing was asked since, so nothing is looked for.
        assert kept.looked == 1
        kept.asked_at += 1
        wait_for(lambda: kept.looked == 2)
    with engramforge.open(home) as forge:
        assert forge.due() == ()
        assert forge.calibration().fitted_memories == 2_100
    assert _children() == []


def test_nothing_is_looked_for_while_somebody_asks(tmp_path: Path) -> None:
    with closing(Kept(tmp_path / "home", ("relations",), asked_s=0.0)) as kept:
        time.sleep(0.5)
        assert kept.looked == 0


def test_it_is_looked_again_once_it_was_quiet_for_minutes(tmp_path: Path) -> None:
    # What is restless for five minutes is dreamt of, though nobody has asked anything since.
    with closing(Kept(tmp_path / "home", (), asked_s=AGAIN_S - 1.5)) as kept:
        wait_for(lambda: kept.looked == 1)
        wait_for(lambda: kept.looked == 2)
        time.sleep(0.3)
        assert kept.looked == 2


def test_it_ends_with_its_daemon(tmp_path: Path) -> None:
    home = tmp_path / "home"
    _filled(home, 2_100)
    kept = Kept(home, ("relations",))
    child = wait_for(lambda: next(iter(_children()), None))
    kept.close()
    assert not child.is_running()
    with engramforge.open(home) as forge:
        assert forge.check() == [] and forge.stats().memories == 2_100


def test_a_home_that_cannot_be_opened_is_told_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "memory.db").write_bytes(os.urandom(5_000))
    with closing(Kept(home, ("relations",))):
        wait_for(lambda: "ended with 5" in caplog.text)
