"""Running a daemon: its sockets, its loop, and when it ends."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import logging
import os
import signal
import socket
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from engramforge.errors import Conflict, StoreUnavailable
from engramforge.runtime.client import peer_of
from engramforge.runtime.life import Life
from engramforge.runtime.lock import is_at, take_lock
from engramforge.runtime.places import Places
from engramforge.runtime.proxy import PREFACE
from engramforge.runtime.server import build_app
from engramforge.runtime.transports.loopback import LoopbackProtocol
from engramforge.runtime.transports.plain_hooks import protocol_of

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from engramforge.runtime.wiring import Wiring

log = logging.getLogger(__name__)

LOG_BYTES: Final = 1_000_000
LOG_FILES: Final = 3
_LOOK_S: Final = 2.0
_REST_S: Final = 10.0
_TRIMMED_EVERY: Final = 5
"""After how many looks at work what is free is given back to the system: it costs some 10 ms to take it again."""
_ALLOCATING: Final = {-8: 1, -3: 32 << 20, -1: 128 << 20}
"""glibc's numbers of options: from how many places threads allocate; from which size on an array has pages of its own
(its largest); how much is kept at the end of the heap, in bytes."""
_BACKLOG: Final = 128
_GRACE_S: Final = 10
_PREFACE_BYTES: Final = 65_536


class _Quiet(uvicorn.Server):
    """uvicorn without its tick, ten times a second, and without its signals."""

    def __init__(self, config: uvicorn.Config, ended: asyncio.Event) -> None:
        super().__init__(config)
        self._ended = ended

    async def main_loop(self) -> None:
        """Serve until the end."""
        await self._ended.wait()


def _server(app: Starlette, ended: asyncio.Event, protocol: type[H11Protocol]) -> _Quiet:
    """A server of one transport, which has an app of its own: what is open on one is not on the other."""
    config = uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        date_header=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_GRACE_S,
    )
    return _Quiet(config, ended)


def log_to(places: Places) -> None:
    """Log to the daemon's file, which is rotated."""
    kept = RotatingFileHandler(places.log, maxBytes=LOG_BYTES, backupCount=LOG_FILES)
    kept.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    root = logging.getLogger()
    root.addHandler(kept)
    root.setLevel(logging.WARNING)
    logging.getLogger("engramforge").setLevel(logging.INFO)


def hold(places: Places, lock: int | None = None) -> int:
    """The lock of a home's daemon: taken, or `lock`, as whoever started this process took it.

    Raises Conflict: a daemon runs; StoreUnavailable: a folder of the daemon cannot be made.
    """
    try:
        places.make()
        held = take_lock(places.lock) if lock is None else lock
    except OSError as error:
        raise StoreUnavailable(
            f"The folder {error.filename or places.run} cannot be used ({error.strerror or error})",
            "Remove it, or choose another home with ENGRAMFORGE_HOME",
        ) from error
    if held is None:
        raise Conflict(
            f"A daemon serves {places.home} already", "Run engramforge status; engramforge stop ends it"
        )
    os.set_inheritable(held, False)
    return held


def serve(wiring: Wiring, lock: int, self_started: bool = False, port: int = 0) -> None:
    """Serve a home until somebody stops it, or nobody needed it for long. Returns when it has ended.

    `lock`: of `hold`, which goes with this process. `port`: on loopback; 0 for any that is free.
    """
    _allocate_as_one()
    life = Life(wiring, self_started)
    try:
        asyncio.run(_Daemon(life, lock, port).run())
    finally:
        life.close()
        os.close(lock)


def _allocate_as_one() -> None:
    """Have all threads allocate from one place, which keeps what was freed until `Tidying` gives it back.

    glibc gives threads up to eight places each core, and each keeps what was freed in it: with them a daemon grew by a
    third more than its store. And large arrays it gives back at once: taking them anew, page by page, is a quarter of a
    recall over half a million memories. Other libraries have no such options.
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        for option, value in _ALLOCATING.items():
            libc.mallopt(option, value)


class Tidying:
    """Gives back the memory of what was answered. Every connection leaves objects that name each other, and by its own
    thresholds the collector comes to them after thousands of events.

    Parameters
    ----------
    asked_at : when something was asked last, by any clock.
    """

    def __init__(self, asked_at: float) -> None:
        self._young_from = self._all_from = asked_at
        self._times = 0

    def tidy(self, asked_at: float, idle_s: float) -> None:
        """Collect what is young where something was asked since the last time; everything, and once, where nobody has
        asked for ten seconds. `idle_s`: for how long, in seconds."""
        rests = idle_s > _REST_S
        if asked_at == (self._all_from if rests else self._young_from):
            return
        gc.collect(2 if rests else 1)
        self._young_from = asked_at
        self._times += 1
        if rests:
            self._all_from = asked_at
        if rests or self._times % _TRIMMED_EVERY == 0:
            with suppress(OSError, AttributeError):
                ctypes.CDLL(None).malloc_trim(0)


class _Daemon:
    """What runs in the loop."""

    def __init__(self, life: Life, lock: int, port: int) -> None:
        self._life = life
        self._lock = lock
        self._wanted_port = port
        self._sessions: set[asyncio.Task[Any]] = set()

    async def run(self) -> None:
        """Serve until the end."""
        places = self._life.places
        http, mcp = _listen(places.socket), _listen(places.mcp_socket)
        if (loopback := _loopback(self._wanted_port)) is not None:
            self._life.port = loopback.getsockname()[1]
        self._life.record()
        ended = asyncio.Event()
        app = build_app(self._life, is_guarded=False)
        plain = protocol_of(app.state.routes.answer, app.state.routes.wake)
        serving = [_server(app, ended, plain)._serve([http])]
        if loopback is not None:
            guarded = _server(build_app(self._life, is_guarded=True), ended, LoopbackProtocol)
            serving.append(guarded._serve([loopback]))
        loop = asyncio.get_running_loop()
        self._life.on_end = lambda: loop.call_soon_threadsafe(ended.set)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self._life.end, f"signal {number.name}")
        sessions = await asyncio.start_unix_server(self._session, sock=mcp)
        log.info("The daemon %d serves %s", os.getpid(), self._life.wiring.home)
        self._life.begin()
        looking = asyncio.create_task(self._look())
        try:
            await asyncio.gather(*serving)
        finally:
            looking.cancel()
            sessions.close()
            for task in self._sessions:
                task.cancel()
            await asyncio.gather(looking, *self._sessions, return_exceptions=True)
            # A successor has to wait for the lock, so these are still ours.
            if is_at(self._lock, places.lock):
                places.clear()

    async def _look(self) -> None:
        """Look every other second whether files were spooled, whether the home is still there, who needs us, and what
        may be prepared."""
        life = self._life
        tidying = Tidying(life.asked_at)
        while True:
            await asyncio.sleep(_LOOK_S)
            tidying.tidy(life.asked_at, life.idle_s)
            life.prepare()
            if not is_at(self._lock, life.places.lock):
                life.end("its folder is gone")
                return
            try:
                life.look_for_spooled()
            except OSError as error:
                log.warning("The spool cannot be read: %s", error)
            if life.self_started and life.idle_s > life.wiring.idle_s:
                life.end(f"nothing was asked for {life.idle_s:.0f} s")
                return

    async def _session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One MCP session."""
        task = asyncio.current_task()
        assert task is not None
        self._sessions.add(task)
        try:
            if peer_of(writer.get_extra_info("socket")) != os.getuid():
                return
            preface = await _preface(reader, writer, self._life.wiring.version)
            if preface is not None:
                await self._life.wiring.session(reader, writer, preface, self._life.store, self._life.limiter)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        except Exception:
            log.exception("An MCP session failed")
        finally:
            self._sessions.discard(task)
            with suppress(OSError):
                writer.close()


async def _preface(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, version: str
) -> dict[str, Any] | None:
    """What a client says of itself before its session; nothing of one that begins at once. None: it is of another
    version, and was told so."""
    begin = await reader.readexactly(1)
    if begin != PREFACE[:1]:
        return {"begun": begin}
    line = begin + await reader.readline()
    found = json.loads(line.removeprefix(PREFACE)[:_PREFACE_BYTES])
    same = found.get("version") == version
    writer.write(
        b'{"ok": true}\n' if same else json.dumps({"ok": False, "version": version}).encode() + b"\n"
    )
    await writer.drain()
    return found if same else None


def _listen(path: str) -> socket.socket:
    """A socket at a path, where an earlier daemon may have left one."""
    Path(path).unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listening.bind(path)
    finally:
        os.umask(before)
    listening.listen(_BACKLOG)
    return listening


def _loopback(port: int) -> socket.socket | None:
    """A socket on loopback; None where the machine has none, or the port is taken."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen(_BACKLOG)
    except OSError as error:
        log.warning("There is no loopback port %d: %s", port, error)
        listening.close()
        return None
    return listening
