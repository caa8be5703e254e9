"""A daemon's life: what it holds, from the lock to its end."""

from __future__ import annotations

import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio

from engramforge.errors import EngramforgeError, StoreCorrupt, StoreFull, StoreUnavailable
from engramforge.runtime.condition import Condition
from engramforge.runtime.draining import Draining
from engramforge.runtime.places import Places
from engramforge.runtime.shared_store import SharedStore
from engramforge.runtime.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engramforge.forge import Forge
    from engramforge.runtime.wiring import Json, Wiring

log = logging.getLogger(__name__)

PARALLEL_CALLS: Final = 4
"""How many command lines and tool calls run at once; more wait their turn."""
WATCHED_S: Final = 10.0
"""How often it is looked whether a folder is to be watched, while none is."""
DRAINED_S: Final = 1.0
"""How long a question waits for what was accepted before it."""
_PROBE_BYTES: Final = 65_536


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
        self._draining = None if wiring.take is None else Draining(self.spool, self._take, self.condition)
        self._ending = threading.Event()
        self._lock = threading.Lock()
        self._running = 0
        self._commands = 0
        self._last = time.monotonic()

    def begin(self) -> None:
        """Begin to work: load the store, and capture what an earlier daemon left."""
        threading.Thread(target=self._warm, name="warming", daemon=True).start()
        if self._draining is not None:
            self._draining.start()
        if self.wiring.watch is not None:
            threading.Thread(target=self._watch, name="watching", daemon=True).start()

    def end(self, why: str) -> None:
        """Have the daemon end after what is running."""
        log.info("The daemon ends: %s", why)
        self.on_end()

    def close(self) -> None:
        """Release everything; what waits in the spool stays there."""
        self._ending.set()
        if self._draining is not None:
            self._draining.close()
        self.spool.close()
        self.store.close()

    @contextmanager
    def busy(self) -> Iterator[None]:
        """A block that keeps the daemon alive."""
        with self._lock:
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1
                self._last = time.monotonic()

    def touch(self) -> None:
        """Count as used now."""
        with self._lock:
            self._last = time.monotonic()

    @property
    def idle_s(self) -> float:
        """For how many seconds nothing was asked; 0 while something runs."""
        captured = self._draining is None or self._draining.is_idle
        with self._lock:
            used = max(self._last, self.store.last_used)
            return 0.0 if self._running or self.store.users or not captured else time.monotonic() - used

    def accept(self, event: Mapping[str, Any], received_at: datetime | None = None) -> None:
        """Put an event into the spool; `capture` has it captured. Parameters and faults as of `Spool.append`."""
        self.spool.append(event, received_at)

    def capture(self) -> None:
        """Have what waits in the spool captured."""
        if self._draining is not None:
            self._draining.wake()

    def accepted(self) -> int:
        """The ticket of everything accepted until now, for `wait_drained`."""
        return 0 if self._draining is None else self._draining.ticket()

    def wait_drained(self, ticket: int, seconds: float) -> None:
        """Wait until everything up to a ticket is captured, at most so long."""
        if self._draining is not None:
            self._draining.wait(ticket, seconds)

    def _catch_up(self) -> None:
        """Let what was accepted until now be captured before a question is answered."""
        self.wait_drained(self.accepted(), DRAINED_S)

    def look_for_spooled(self) -> None:
        """Have files captured that hooks wrote while they reached no daemon."""
        if self._draining is not None and self._draining.is_idle and self.spool.has_files():
            self._draining.wake()

    def run_command(self, asked: Json) -> Json:
        """Run a command line on the store, whatever it does."""
        self.store.refresh()
        with self._lock:
            self._commands += 1
        answer = dict(self.wiring.run_command(self.store, asked))
        for fault in answer.pop("faults", ()):
            self.condition.failed(fault)
            if isinstance(fault, StoreUnavailable | StoreCorrupt):
                # The next one to ask opens what is there then.
                self.store.close()
        return answer

    def count_uses(self) -> None:
        """Write what was counted of uses, in a thread."""
        with suppress(EngramforgeError):
            self.store.write_counts()

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
            "commands": self._commands,
            "idle_s": round(self.idle_s, 1),
            "writable": fault is None,
            "fault": None if fault is None else str(fault),
        }

    def record(self) -> None:
        """Write down who serves this home, and the token of the loopback port."""
        self.token = secrets.token_urlsafe(32)
        told = {
            "pid": os.getpid(),
            "version": self.wiring.version,
            "port": self.port,
            "started_at": self.started_at.isoformat(timespec="seconds"),
            "self_started": self.self_started,
        }
        for place, text in ((self.places.token, self.token), (self.places.record, json.dumps(told))):
            beside = f"{place}.part"
            file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            try:
                os.write(file, f"{text}\n".encode())
            finally:
                os.close(file)
            Path(beside).replace(place)

    def _open(self) -> Forge:
        try:
            forge = self.wiring.opens()
        except EngramforgeError as error:
            self.condition.failed(error)
            raise
        if not isinstance(self.condition.fault, StoreFull):
            self.condition.worked()
        return forge

    def _take(self, events: Sequence[Json]) -> object:
        take = self.wiring.take
        assert take is not None
        with self.busy(), self.store.lent(at_once=True) as forge:
            return take(forge, events)

    def _watch(self) -> None:
        """Watch the folders that are to be watched, and look now and then whether there are some."""
        assert self.wiring.watch is not None
        while not self._ending.is_set():
            try:
                with self.store.lent(at_once=True) as forge:
                    self.wiring.watch(forge, self._ending)
            except Exception as error:  # noqa: BLE001 - watching goes on when the fault is mended
                log.warning("Folders are not watched: %s", error)
            self._ending.wait(WATCHED_S)

    def _warm(self) -> None:
        try:
            with self.store.lent(at_once=True) as forge:
                self.wiring.warms(forge)
        except Exception as error:  # noqa: BLE001 - whoever asks is told it
            log.warning("The store could not be loaded: %s", error)

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
