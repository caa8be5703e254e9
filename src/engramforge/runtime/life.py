"""A daemon's life: what it holds, from the lock to its end."""

from __future__ import annotations

import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio

from engramforge.core.text.late_pattern import compile_waiting, has_waiting
from engramforge.errors import EngramforgeError, StoreCorrupt, StoreFull, StoreUnavailable
from engramforge.runtime.condition import Condition
from engramforge.runtime.draining import Draining
from engramforge.runtime.places import Places, read_own, write_own
from engramforge.runtime.shared_store import SharedStore
from engramforge.runtime.spool import Spool
from engramforge.runtime.upkeep import UpkeepChild

if TYPE_CHECKING:
    from collections.abc import Callable

    from engramforge.forge import Forge
    from engramforge.runtime.wiring import Json, Wiring

log = logging.getLogger(__name__)

PARALLEL_CALLS: Final = 4
"""How many command lines and tool calls run at once; more wait their turn."""
WATCHED_S: Final = 2.0
"""How often it is looked whether a folder is to be watched, while none is."""
DRAINED_S: Final = 1.0
"""How long a question waits for what was accepted before it."""
WARM_S: Final = 10.0
"""How long capturing waits for the store to be loaded."""
_AT_REST_S: Final = 0.5
_PROBE_BYTES: Final = 65_536
_TOKEN_CHARACTERS: Final = 43
"""What 32 random bytes take."""


class Life:
    """One daemon's parts and what is going on in them; shared between threads.

    `wiring`: what it serves. `self_started`: whether it ends by itself when idle.
    """

    def __init__(self, wiring: Wiring, self_started: bool) -> None:
        self.wiring = wiring
        self.self_started = self_started
        self.places = Places(wiring.home)
        self.port: int | None = None
        self.token = ""
        self.condition = Condition()
        self.limiter = anyio.CapacityLimiter(PARALLEL_CALLS)
        self.store = SharedStore(self._open, self.places.settings, self._catch_up)
        self.spool = Spool(self.places.spool)
        self.started_at = datetime.now(UTC)
        self.on_end: Callable[[], object] = lambda: None
        self.draining = Draining(self.spool, self._take, self.condition)
        self.upkeep = UpkeepChild(wiring.home, self._due, lambda: self.asked_at)
        self.commands = 0
        self._ending = threading.Event()
        self._warmed = threading.Event()
        self._last = time.monotonic()

    def begin(self) -> None:
        """Begin to work: load the store, and capture what an earlier daemon left."""
        threading.Thread(target=self._warm, name="warming", daemon=True).start()
        self.draining.start()
        threading.Thread(target=self._watch, name="watching", daemon=True).start()
        threading.Thread(target=self.upkeep.run, args=[self._ending], name="upkeep", daemon=True).start()

    def end(self, why: str) -> None:
        """Have the daemon end after what is running."""
        log.info("The daemon ends: %s", why)
        self.on_end()

    def close(self) -> None:
        """Release everything; what waits in the spool stays there."""
        self._ending.set()
        self.draining.close()
        self.spool.close()
        self.store.close()

    def touch(self) -> None:
        """Count as used now."""
        self._last = time.monotonic()

    @property
    def idle_s(self) -> float:
        """For how many seconds nothing was asked; 0 while the store is in use or events are captured."""
        if self.store.users or not self.draining.is_idle:
            return 0.0
        return time.monotonic() - self.asked_at

    @property
    def asked_at(self) -> float:
        """When something was asked last, by the clock of `time.monotonic`."""
        return max(self._last, self.store.last_used)

    def _catch_up(self) -> None:
        """Let what was accepted until now be captured before a question is answered."""
        self.draining.wait(self.draining.ticket(), DRAINED_S)

    def look_for_spooled(self) -> None:
        """Have files captured that hooks wrote while they reached no daemon."""
        if self.draining.is_idle and self.spool.has_files():
            self.draining.wake()

    def prepare(self) -> None:
        """Do what the next answers would wait for, where nobody asks anything."""

        def has_time() -> bool:
            return self.idle_s > _AT_REST_S and not self._ending.is_set()

        if has_waiting() and has_time():
            threading.Thread(target=compile_waiting, args=[has_time], name="preparing", daemon=True).start()

    def run_command(self, asked: Json) -> Json:
        """Run a command line on the store, whatever it does."""
        self.store.refresh()
        answer = dict(self.wiring.run_command(self.store, asked))
        for fault in answer.pop("faults", ()):
            self.condition.failed(fault)
            if isinstance(fault, StoreUnavailable | StoreCorrupt):
                # The next one to ask opens what is there then.
                self.store.close()
        return answer

    def count_uses(self) -> None:
        """Write what was counted of uses, in a thread."""
        if self.store.identity is not None:
            with suppress(EngramforgeError), self.store.lent(at_once=True) as forge:
                forge.write_counts()

    def health(self) -> Json:
        """What /health tells."""
        fault = self._fault()
        identity = self.store.identity
        return {
            "name": "engramforge",
            "version": self.wiring.version,
            "home": self.wiring.home,
            "schema": None if identity is None else identity.schema,
            "store": None if identity is None else identity.store_id,
            "pid": os.getpid(),
            "port": self.port,
            "started_at": self.started_at.isoformat(timespec="seconds"),
            "self_started": self.self_started,
            "waiting": self.spool.events_waiting(),
            "left_alone": len(self.spool.left_alone()),
            "commands": self.commands,
            "idle_s": round(self.idle_s, 1),
            "writable": fault is None,
            "fault": None if fault is None else str(fault),
        }

    def record(self) -> None:
        """Write down who serves this home, and the token of the loopback port.

        The token is that of the daemon before, where nobody else can have read it: http hooks keep it.
        """
        known = read_own(self.places.token) or ""
        self.token = (
            known if len(known) >= _TOKEN_CHARACTERS and known.isascii() else secrets.token_urlsafe(32)
        )
        told = {
            "pid": os.getpid(),
            "version": self.wiring.version,
            "port": self.port,
            "started_at": self.started_at.isoformat(timespec="seconds"),
            "self_started": self.self_started,
        }
        write_own(self.places.token, self.token)
        write_own(self.places.record, json.dumps(told))

    def _open(self) -> Forge:
        try:
            forge = self.wiring.opens()
        except EngramforgeError as error:
            self.condition.failed(error)
            raise
        if not isinstance(self.condition.fault, StoreFull):
            self.condition.worked()
        return forge

    def wait_until_warm(self, seconds: float) -> bool:
        """Wait until the store is loaded, or cannot be, at most so long; whether it is so."""
        return self._warmed.wait(seconds)

    def _take(self, events: Sequence[Json]) -> object:
        # Who asks first waits for the store to be loaded; what an earlier daemon left would only delay that.
        self.wait_until_warm(WARM_S)
        with self.store.lent(at_once=True) as forge:
            return self.wiring.take(forge, events)

    def _due(self) -> Sequence[str]:
        with self.store.lent(at_once=True) as forge:
            return self.wiring.due(forge)

    def _watch(self) -> None:
        """Watch the folders that are to be watched, and look now and then whether there are some."""
        told = ""
        while not self._ending.is_set():
            try:
                with self.store.lent(at_once=True) as forge:
                    self.wiring.watch(forge, self._ending)
            except Exception as error:  # noqa: BLE001 - watching goes on when the fault is mended
                if str(error) != told:  # and not again every other second
                    log.warning("Folders are not watched: %s", error)
                told = str(error)
            self._ending.wait(WATCHED_S)

    def _warm(self) -> None:
        try:
            with self.store.lent(at_once=True) as forge:
                self.wiring.warms(forge)
        except Exception as error:  # noqa: BLE001 - whoever asks is told it
            log.warning("The store could not be loaded: %s", error)
        finally:
            self._warmed.set()

    def _fault(self) -> EngramforgeError | None:
        """Why nothing can be written; where a disk was full, it is tried once more."""
        fault = self.condition.fault
        if isinstance(fault, StoreFull) and _has_room(Path(self.wiring.home)):
            self.condition.worked()
            return None
        return fault


def _has_room(folder: Path) -> bool:
    probe = folder / f".room-{os.getpid()}"
    try:
        probe.write_bytes(b"\0" * _PROBE_BYTES)
    except OSError:
        return False
    finally:
        with suppress(OSError):
            probe.unlink()
    return True
