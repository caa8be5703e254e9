"""The routes of a daemon, the same on its unix socket and on loopback: health, hook, cli, stop.

On the socket the folder's permissions keep others out; on loopback a token has to be shown, and Host and Origin have
to be the daemon's own, since a page in a browser reaches loopback too. Which of the two an app serves is said when it
is built: a request does not tell, since of a connection that is reset at once nobody knows whose it was.
"""

from __future__ import annotations

import hmac
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Final

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from engramforge.capture.live.odd_events import event_in
from engramforge.errors import EngramforgeError
from engramforge.model.stopping import stopped_by
from engramforge.runtime.client import object_in
from engramforge.runtime.given_up import GivenUp
from engramforge.runtime.life import DRAINED_S

if TYPE_CHECKING:
    import asyncio

    from starlette.requests import Request

    from engramforge.runtime.life import Life

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

HOOK_BYTES: Final = 64_000_000
CLI_BYTES: Final = 16_000_000
CLI_DEADLINE_S: Final = 60.0
HOOK_DEADLINE_S: Final = 5.0
STARTED_S: Final = 3.2
"""How long after it began a session's start may wait for what was told before, such as to a daemon that was killed;
its client gives up after 4.6 s."""
LOOPBACK_CONNECTIONS: Final = 64
HEAD_S: Final = 3.0
"""How long a connection on loopback may take until the head of its request is in."""
_ANSWERED_S: Final = {"SessionStart": STARTED_S, "UserPromptSubmit": 0.7, "PreToolUse": 0.2}
"""The same of each event: what is left until its client gives up (1.45 s, 0.37 s) is for the answer."""
_LIVE_S: Final = 10.0
"""An event that began earlier comes from no client that waits."""
_SHORT_BYTES: Final = 20_000
"""An event of so many is read at once."""
_SELDOM_S: Final = 60.0
_AHEAD: Final = timedelta(minutes=1)
_INJECTING: Final = ("SessionStart", "UserPromptSubmit", "PreToolUse")


def build_app(life: Life, is_guarded: bool) -> Starlette:
    """The application of a daemon. `is_guarded`: it serves loopback, so every request needs the token."""
    routes = Routes(life)
    app = Starlette(
        routes=[
            Route("/health", routes.health, methods=["GET"]),
            Route("/hook", routes.hook, methods=["POST"]),
            Route("/cli", routes.cli, methods=["POST"]),
            Route("/stop", routes.stop, methods=["POST"]),
        ]
    )
    if is_guarded:
        app.add_middleware(Guard, life=life)
    return app


class Guard:
    """Lets in who has the token and is no page of another origin."""

    def __init__(self, app: Any, life: Life) -> None:
        self._app = app
        self._life = life
        self._warn = Seldom()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        headers = {name.lower(): value for name, value in scope["headers"]}
        refused = self._refusal(headers)
        if refused is None:
            LoopbackProtocol.shown.add(scope["client"])
            await self._app(scope, receive, send)
            return
        status, fault, mend = refused
        self._warn(f"A call on loopback was refused: {fault}. {mend}")
        # The connection goes too, whether or not the rest of the request ever comes.
        await _problem(status, fault, mend, {"connection": "close"})(scope, receive, send)

    def _refusal(self, headers: dict[bytes, bytes]) -> tuple[int, str, str] | None:
        port = self._life.port
        hosts = {f"127.0.0.1:{port}".encode(), f"localhost:{port}".encode()}
        origin = headers.get(b"origin")
        if headers.get(b"host") not in hosts:
            return 403, "The Host is not this daemon's", f"Ask http://127.0.0.1:{port}"
        if origin is not None and origin.removeprefix(b"http://") not in hosts:
            return 403, "The Origin is another site's", "Ask without a browser"
        shown = headers.get(b"authorization", b"")
        if not hmac.compare_digest(shown, f"Bearer {self._life.token}".encode()):
            return 401, "The token is missing or wrong", f"Send the one in {self._life.places.token}"
        return None


class Seldom:
    """Warns of what may come in thousands: a line a minute, which says how many went untold."""

    def __init__(self) -> None:
        self._told_at = -_SELDOM_S
        self._untold = 0

    def __call__(self, what: str) -> None:
        """Warn, if a minute has passed."""
        now = time.monotonic()
        if now - self._told_at < _SELDOM_S:
            self._untold += 1
            return
        log.warning("%s (%d more since the last such line)", what, self._untold)
        self._told_at, self._untold = now, 0


class LoopbackProtocol(H11Protocol):
    """HTTP for whoever reaches loopback: few connections at a time, and none whose head is late.

    Without it, connections that say nothing would take all descriptors of the process. Those that have shown the token
    are not counted, and of the others the oldest makes room: a hook shows its token as soon as it is connected.
    """

    shown: ClassVar[set[object]] = set()
    """The other ends of connections that have shown the token."""
    _warn = Seldom()
    _number: ClassVar[Iterator[int]] = count()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin with a connection, and hang up on the oldest stranger where they are too many."""
        super().connection_made(transport)
        self.since = next(self._number)
        others = [
            each
            for each in self.connections
            if isinstance(each, LoopbackProtocol) and each.client not in self.shown
        ]
        waiting = [each for each in others if not each.transport.is_closing()]
        if len(waiting) > LOOPBACK_CONNECTIONS:
            self._warn(f"Loopback has {LOOPBACK_CONNECTIONS} connections of strangers, so one was closed")
            min(waiting, key=lambda each: each.since).transport.abort()
        self.loop.call_later(HEAD_S, self._end_if_late)

    def connection_lost(self, exc: Exception | None) -> None:
        """End with a connection."""
        self.shown.discard(self.client)
        super().connection_lost(exc)

    def _end_if_late(self) -> None:
        if not self.cycle and not self.transport.is_closing():
            self._warn(f"A connection on loopback asked nothing within {HEAD_S:g} s, so it was closed")
            self.transport.abort()


class Attempt:
    """Work in a thread, whose fault waits until it is asked for, so that it stops nothing beside it."""

    def __init__(self, limiter: anyio.CapacityLimiter) -> None:
        self.is_done = False
        self._limiter = limiter
        self._ended = threading.Event()
        self._answer: Any = None
        self._fault: Exception | None = None

    async def __call__(self, work: Callable[[], object]) -> None:
        """Do it."""
        try:
            self._answer = await anyio.to_thread.run_sync(work, limiter=self._limiter, abandon_on_cancel=True)
            self.is_done = True
        except Exception as fault:  # noqa: BLE001 - it is raised where it is asked for
            self._fault = fault
        finally:
            self._ended.set()

    def has_worked(self) -> bool:
        """Wait for its end, as long as a hook waits; whether it was done. For another thread."""
        return self._ended.wait(HOOK_DEADLINE_S) and self.is_done

    def check(self) -> Any:
        """What came of it, None where it was not begun; raises its fault."""
        if self._fault is not None:
            raise self._fault
        return self._answer


class _Followed:
    """An answer with what is done as soon as it is out, or cannot be given since its client has gone.

    What is kept is captured, and what was injected written for other processes, when the session has its answer: both
    would only slow down what somebody waits for. No other event is looked at between.
    """

    def __init__(self, answer: Response, then: Callable[[], object]) -> None:
        self._answer, self._then = answer, then

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, as an application does."""
        further, self._answer.background = self._answer.background, None
        try:
            await self._answer(scope, receive, send)
        finally:
            self._then()
        if further is not None:
            await further()


class Routes:
    """What each route does."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self._work = life.limiter
        self._hooks = anyio.CapacityLimiter(4)
        self._keeping = anyio.CapacityLimiter(4)
        self._long = anyio.CapacityLimiter(1)

    async def health(self, request: Request) -> Response:  # noqa: ARG002 - Starlette hands it in
        """Who this is and how it is."""
        told = await anyio.to_thread.run_sync(self._life.health, limiter=self._hooks)
        return JSONResponse(told)

    async def stop(self, request: Request) -> Response:  # noqa: ARG002 - Starlette hands it in
        """End after what is running."""
        return JSONResponse({"stopping": True}, background=BackgroundTask(self._life.end, "it was asked to"))

    async def cli(self, request: Request) -> Response:
        """Run a command line."""
        body = await _body(request, CLI_BYTES)
        asked = None if body is None else object_in(body)
        if asked is None or not isinstance(asked.get("argv"), list):
            return _problem(400, "It is no command line", 'Send {"version": ..., "argv": [...]}')
        if asked.get("version") != self._life.wiring.version:
            return JSONResponse({"version": self._life.wiring.version}, status_code=409)
        self._life.touch()
        self._life.commands += 1
        given_up = GivenUp()

        def run() -> Any:
            with stopped_by(given_up):
                return self._life.run_command(asked)

        answer: Any = None
        async with anyio.create_task_group() as group:
            group.start_soon(_give_up_when_gone, request, given_up)
            with anyio.move_on_after(CLI_DEADLINE_S):
                answer = await anyio.to_thread.run_sync(run, limiter=self._work, abandon_on_cancel=True)
            given_up.set()
            group.cancel_scope.cancel()
        if answer is None:
            said = (
                "error: The daemon took too long, so the command was stopped. What it had committed stands.\n"
            )
            answer = {"exit": 5, "out": "", "err": said}
        return JSONResponse(answer, background=BackgroundTask(self._life.count_uses))

    async def hook(self, request: Request) -> _Followed:
        """Take an event, and say what the model is to be told.

        No answer but 503 or 507 says that the event is kept nowhere: then its client spools it.
        """
        try:
            answer = await self._answer(request)
        except BaseException:
            # Cancelled, as its client has gone: what was kept by then is captured all the same.
            self._life.draining.wake()
            raise
        return _Followed(answer, self._life.draining.wake)

    async def _answer(self, request: Request) -> Response:
        self._life.touch()
        keeping, telling = Attempt(self._keeping), Attempt(self._hooks)
        try:
            event = await self._event(request)
            if event is None:
                return Response(status_code=204)
            before = self._life.draining.ticket()
            received_at = _received_at(request.headers.get("x-received-at", ""))
            with anyio.fail_after(HOOK_DEADLINE_S):
                # The disk takes as long as the answer: a person waits for the longer of the two.
                async with anyio.create_task_group() as both:
                    both.start_soon(keeping, partial(self._life.spool.append, event, received_at))
                    if event.get("hook_event_name") in _INJECTING:
                        await telling(partial(self._inject, event, before, received_at, keeping.has_worked))
            keeping.check()
            said = telling.check()
        except TimeoutError:
            log.warning("A hook got no answer within %g s", HOOK_DEADLINE_S)
            return Response(status_code=204 if keeping.is_done else 503)
        except (EngramforgeError, OSError, ValueError) as error:
            self._life.condition.failed(error)
            what = "A hook got no answer" if keeping.is_done else "A hook's event was dropped"
            log.warning("%s: %s", what, error)
            # One that is too large is so for everybody.
            return Response(status_code=204 if keeping.is_done or isinstance(error, ValueError) else 507)
        except ClientDisconnect:
            log.warning("A hook's client hung up before its event was there")
            return Response(status_code=204)
        except Exception:
            log.exception("A hook failed")
            return Response(status_code=204 if keeping.is_done else 503)
        if said is None:
            return Response(status_code=204)
        # Written when the session has its answer: then other processes see what was injected.
        return JSONResponse(said, background=BackgroundTask(self._life.count_uses))

    async def _event(self, request: Request) -> dict[str, Any] | None:
        """The event that a hook sent; None of what is none. A long one is read beside the others, not before them."""
        body = await _body(request, HOOK_BYTES)
        if body is None:
            log.warning("A hook sent more than %s bytes; it was dropped", f"{HOOK_BYTES:,}")
            return None
        try:
            if len(body) <= _SHORT_BYTES:
                event, cut = event_in(body)
            else:
                event, cut = await anyio.to_thread.run_sync(event_in, body, limiter=self._long)
        except ValueError as error:
            log.warning("A hook sent what is no JSON object (%s); it was dropped", error)
            return None
        for field in cut:
            log.warning("A field of a hook's event was cut: %s", field)
        return event

    def _inject(
        self, event: dict[str, Any], before: int, received_at: datetime | None, if_kept: Callable[[], bool]
    ) -> Any:
        least_s = _ANSWERED_S.get(str(event.get("hook_event_name")), DRAINED_S)
        self._life.wait_until_warm(_left(least_s, received_at))
        waits_s = _left(least_s, received_at)
        self._life.draining.wait(before, waits_s)
        with self._life.store.lent(at_once=True) as forge:
            return self._life.wiring.inject(forge, event, if_kept, received_at)


async def _give_up_when_gone(request: Request, given_up: GivenUp) -> None:
    """Give a call up when its client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    given_up.set()


async def _body(request: Request, most: int) -> bytes | None:
    """The body of a request; None where it is larger than `most` bytes."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size <= most:
            parts.append(part)
    return b"".join(parts) if size <= most else None


def _received_at(told: str) -> datetime | None:
    """When a hook says that it began; None where it does not, or in the future. A machine may have slept since."""
    try:
        found = datetime.fromisoformat(told)
        return found.astimezone(UTC) if found - datetime.now(UTC) < _AHEAD else None
    except (ValueError, TypeError, OverflowError):
        return None


def _left(least_s: float, received_at: datetime | None) -> float:
    """How many of the seconds in which an event may wait are left since its client began."""
    now = datetime.now(UTC)
    gone_s = (now - (received_at or now)).total_seconds()
    return least_s if gone_s > _LIVE_S else min(least_s, max(0.0, least_s - gone_s))


def _problem(status: int, fault: str, mend: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"fault": fault, "mend": mend}, status_code=status, headers=headers)
