"""kill -9 of the PostgreSQL server in mid-write: what was acknowledged is there, and an open store goes on."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from tests.children import Child

import engramforge
from engramforge.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.postgres import PostgresServer

    from engramforge.forge import Forge

pytestmark = pytest.mark.on_disk

KILLS = 6
WRITERS = 2

WRITER = """
import sys, random, time, engramforge
from engramforge.errors import WorldError
place, name = sys.argv[1:]
rng, held = random.Random(name), []
with engramforge.open(place) as forge:
    for number in range(1_000_000):
        text = f"{rng.random()} number {number} of writer {name}"
        deed = rng.choice(["remember", "remember", "revise", "supersede", "forget"]) if held else "remember"
        chosen = "" if deed == "remember" else held.pop(rng.randrange(len(held)))
        print("begins", deed, chosen, text, sep="|", flush=True)
        try:
            if deed == "remember":
                chosen = forge.remember(text).logical_id
            elif deed == "forget":
                forge.forget(chosen)
            else:
                getattr(forge, deed)(chosen, text)
        except WorldError as error:
            # Whether it was done nobody can say: this memory is left alone from now on.
            assert error.fault and error.mend
            print("unsure", deed, chosen, text, sep="|", flush=True)
            time.sleep(0.02)
            continue
        print("done", deed, chosen, text, sep="|", flush=True)
        if deed != "forget":
            held.append(chosen)
"""


@dataclass
class Ledger:
    """What a writer was told, line by line.

    Attributes
    ----------
    says : what its memories hold.
    unsure : memories whose last change may have been done or not, and its text.
    lost : new memories that may be there or not.
    """

    running: Child
    done: int = 0
    faults: int = 0
    lost: int = 0
    says: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    unsure: dict[str, tuple[str, str]] = field(default_factory=dict)
    pending: tuple[str, str, str] | None = None

    def follow(self) -> None:
        """Read until the writer ends."""
        assert self.running.stdout is not None
        for line in self.running.stdout:
            if line.endswith("\n"):
                word, deed, chosen, text = line[:-1].split("|")
                self._note(word, deed, chosen, text)
        if self.pending is not None:
            self._doubt(*self.pending)

    def _note(self, word: str, deed: str, chosen: str, text: str) -> None:
        self.pending = (deed, chosen, text) if word == "begins" else None
        if word == "done":
            self.done += 1
            if deed == "forget":
                del self.says[chosen]
                self.gone.add(chosen)
            else:
                self.says[chosen] = text
        elif word == "unsure":
            self.faults += 1
            self._doubt(deed, chosen, text)

    def _doubt(self, deed: str, chosen: str, text: str) -> None:
        if deed == "remember":
            self.lost += 1
        else:
            self.unsure[chosen] = (deed, text)

    def check(self, forge: Forge) -> None:
        """Everything acknowledged is there; everything in doubt is there as a whole or not at all."""
        for logical_id, text in self.says.items():
            deed, other = self.unsure.get(logical_id, ("", text))
            try:
                history = forge.history(logical_id)
            except NotFound:
                assert deed == "forget", f"{logical_id} was acknowledged and is lost"
                continue
            assert history[-1].content in ((text,) if deed == "forget" else (text, other))
            assert sum(version.expired_at is None and version.invalid_at is None for version in history) == 1
        for logical_id in self.gone:
            with pytest.raises(NotFound):
                forge.get(logical_id)


def test_a_killed_server_loses_nothing_acknowledged(
    postgres_server: PostgresServer, postgres_url: str
) -> None:
    with engramforge.open(postgres_url) as forge:
        forge.remember("there before all others")
    ledgers = [Ledger(Child(WRITER, postgres_url, name)) for name in range(WRITERS)]
    threads = [threading.Thread(target=ledger.follow) for ledger in ledgers]
    rng = random.Random(11)
    with engramforge.open(postgres_url) as watching:
        try:
            for thread in threads:
                thread.start()
            for _ in range(KILLS):
                _all_go_on(ledgers)
                time.sleep(rng.uniform(0, 0.4))
                postgres_server.kill()
                postgres_server.start()
            _all_go_on(ledgers)
        finally:
            for ledger in ledgers:
                ledger.running.kill()
            for thread in threads:
                thread.join(60)
        # Opened before the first kill, and never told of any: it may have to be asked twice.
        assert _asked_again(watching)
    with engramforge.open(postgres_url) as forge:
        assert forge.check() == []
        for ledger in ledgers:
            ledger.check(forge)
        certain = 1 + sum(len(ledger.says) for ledger in ledgers)
        doubts = sum(len(ledger.unsure) for ledger in ledgers)
        lost = sum(ledger.lost for ledger in ledgers)
        assert certain - doubts <= forge.stats().memories <= certain + lost
    assert sum(ledger.done for ledger in ledgers) > 5 * KILLS
    assert sum(ledger.faults for ledger in ledgers) > 0, "no kill met a write"


def _all_go_on(ledgers: Sequence[Ledger], seconds: float = 60) -> None:
    """Wait until each writer has been told of three more writes."""
    before = [ledger.done for ledger in ledgers]
    deadline = time.monotonic() + seconds
    while not all(ledger.done >= had + 3 for ledger, had in zip(ledgers, before, strict=True)):
        for ledger in ledgers:
            if ledger.running.poll() is not None:
                assert ledger.running.stderr is not None
                raise AssertionError(ledger.running.stderr.read())
        assert time.monotonic() < deadline, f"still at {before} since {seconds} s"
        time.sleep(0.01)


def _asked_again(forge: Forge) -> bool:
    for _ in range(2):
        try:
            return forge.recall("who was there before all others?").hits[0].memory.content != ""
        except engramforge.WorldError as error:
            assert error.mend
    return False
