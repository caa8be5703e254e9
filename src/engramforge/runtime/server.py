"""The routes of a daemon, the same on its unix socket and on loopback: health, hook, cli, stop.

On the socket the folder's permissions keep others out; on loopback a token has to be shown, and Host and Origin have
to be the daemon's own, since a page in a browser reaches loopback too. Which of the two an app serves is said when it
is built: a request does not tell, since of a connection that is reset at once nobody knows whose it was.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from engramforge.capture.live.odd_events import event_in
from engramforge.errors import EngramforgeError
from engramforge.model.stopping import stopped_by
from engramforge.runtime.client import object_in
from engramforge.runtime.given_up import GivenUp
from engramforge.runtime.life import DRAINED_S
from engramforge.runtime.transports.loopback import Guard, Receive, Scope, Send, problem

if TYPE_CHECKING:
    from starlette.requests import Request

    from engramforge.runtime.life import Life

log = logging.getLogger(__name__)

HOOK_BYTES: Final = 64_000_000
CLI_BYTES: Final = 16_000_000
CLI_DEADLINE_S: Final = 60.0
HOOK_DEADLINE_S: Final = 5.0
STARTED_S: Final = 3.2
"""How long after it began a session's start may wait for what was told before, such as to a daemon that was killed;
its client gives up after 4.6 s."""
_ANSWERED_S: Final = {"SessionStart": STARTED_S, "UserPromptSubmit": 0.7, "PreToolUse": 0.2}
"""The same of each event: what is left until its client gives up (1.45 s, 0.37 s) is for the answer."""
_LIVE_S: Final = 10.0
"""An event that began earlier comes from no client that waits."""
_SHORT_BYTES: Final = 20_000
"""An event of so many is read at once."""
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
    app.state.routes = routes
    if is_guarded:
        app.add_middleware(Guard, life=life)
    return app


class Attempt:
    """Work in a thread, whose fault waits until it is asked for, so that it stops nothing beside it."""

    def __init__(self) -> None:
        self.is_done = False
        self._ended = threading.Event()
        self._answer: Any = None
        self._fault: Exception | None = None

    def do(self, work: Callable[[], object]) -> None:
        """Do it."""
        try:
            self._answer = work()
            self.is_done = not self._ended.is_set()
        except Exception as fault:  # noqa: BLE001 - it is raised where it is asked for
            self._fault = fault
        finally:
            self._ended.set()

    def give_up(self) -> None:
        """Let who waits for its end go: what is not done by now does not count."""
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
        self._looking = anyio.CapacityLimiter(4)
        # Handed to these, work is begun in half the time that anyio takes.
        self._telling = ThreadPoolExecutor(4, "telling")
        self._keeping = ThreadPoolExecutor(4, "keeping")
        self._long = anyio.CapacityLimiter(1)

    async def health(self, request: Request) -> Response:  # noqa: ARG002 - Starlette hands it in
        """Who this is and how it is."""
        told = await anyio.to_thread.run_sync(self._life.health, limiter=self._looking)
        return JSONResponse(told)

    async def stop(self, request: Request) -> Response:  # noqa: ARG002 - Starlette hands it in
        """End after what is running."""
        return JSONResponse({"stopping": True}, background=BackgroundTask(self._life.end, "it was asked to"))

    async def cli(self, request: Request) -> Response:
        """Run a command line."""
        body = await _body(request, CLI_BYTES)
        asked = None if body is None else object_in(body)
        if asked is None or not isinstance(asked.get("argv"), list):
            return problem(400, "It is no command line", 'Send {"version": ..., "argv": [...]}')
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
            answer = await self.answer(
                partial(_body, request, HOOK_BYTES), request.headers.get("x-received-at", "")
            )
        except BaseException:
            # Cancelled, as its client has gone: what was kept by then is captured all the same.
            self.wake()
            raise
        return _Followed(answer, self.wake)

    def wake(self) -> None:
        """Have what was kept captured."""
        self._life.draining.wake()

    async def answer(self, reads: Callable[[], Awaitable[bytes | None]], came: str) -> Response:
        """What is answered to an event. `reads`: its body, None of one too long; `came`: when, as its client says."""
        self._life.touch()
        keeping, telling = Attempt(), Attempt()
        try:
            event = await self._event(reads)
            if event is None:
                return Response(status_code=204)
            before, received_at = self._life.draining.ticket(), _received_at(came)
            loop = asyncio.get_running_loop()
            async with asyncio.timeout(HOOK_DEADLINE_S):
                # The disk takes as long as the answer: a person waits for the longer of the two.
                append = partial(self._life.spool.append, event, received_at)
                both = [loop.run_in_executor(self._keeping, keeping.do, append)]
                if event.get("hook_event_name") in _INJECTING:
                    tell = partial(self._inject, event, before, received_at, keeping.has_worked)
                    both.append(loop.run_in_executor(self._telling, telling.do, tell))
                for each in both:
                    await each
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
        finally:
            keeping.give_up()
        if said is None:
            return Response(status_code=204)
        # Written when the session has its answer: then other processes see what was injected.
        return JSONResponse(said, background=BackgroundTask(self._life.count_uses))

    async def _event(self, reads: Callable[[], Awaitable[bytes | None]]) -> dict[str, Any] | None:
        """The event that a hook sent; None of what is none. A long one is read beside the others, not before them."""
        body = await reads()
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
