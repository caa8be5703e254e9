"""The routes of a daemon, the same on its unix socket and on loopback: health, hook, cli, stop.

On the socket the folder's permissions keep others out; on loopback a token has to be shown, and Host and Origin have
to be the daemon's own, since a page in a browser reaches loopback too.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
import anyio.to_thread
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from engramforge.errors import EngramforgeError
from engramforge.model.stopping import stopped_by
from engramforge.runtime.client import object_in
from engramforge.runtime.given_up import GivenUp
from engramforge.runtime.life import DRAINED_S

if TYPE_CHECKING:
    from starlette.requests import Request

    from engramforge.runtime.life import Life

log = logging.getLogger(__name__)

T = TypeVar("T")
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

HOOK_BYTES: Final = 2_000_000
CLI_BYTES: Final = 16_000_000
CLI_DEADLINE_S: Final = 60.0
HOOK_DEADLINE_S: Final = 5.0
STARTED_S: Final = 3.2
"""How long after it began a session's start may wait for what was told before, such as to a daemon that was killed;
its client gives up after 3.9 s."""
_AHEAD: Final = timedelta(minutes=1)
_INJECTING: Final = ("SessionStart", "UserPromptSubmit", "PreToolUse")


def build_app(life: Life) -> Starlette:
    """The application of a daemon."""
    routes = Routes(life)
    app = Starlette(
        routes=[
            Route("/health", routes.health, methods=["GET"]),
            Route("/hook", routes.hook, methods=["POST"]),
            Route("/cli", routes.cli, methods=["POST"]),
            Route("/stop", routes.stop, methods=["POST"]),
        ]
    )
    app.add_middleware(Guard, life=life)
    return app


class Guard:
    """Lets in who comes through the socket, or has the token and is no page of another origin."""

    def __init__(self, app: Any, life: Life) -> None:
        self._app = app
        self._life = life

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "http" and scope.get("client") is not None:
            headers = {name.lower(): value for name, value in scope["headers"]}
            refused = self._refusal(headers)
            if refused is not None:
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _refusal(self, headers: dict[bytes, bytes]) -> Response | None:
        port = self._life.port
        hosts = {f"127.0.0.1:{port}".encode(), f"localhost:{port}".encode()}
        origin = headers.get(b"origin")
        if headers.get(b"host") not in hosts:
            return _problem(403, "The Host is not this daemon's", f"Ask http://127.0.0.1:{port}")
        if origin is not None and origin.removeprefix(b"http://") not in hosts:
            return _problem(403, "The Origin is another site's", "Ask without a browser")
        shown = headers.get(b"authorization", b"")
        if not hmac.compare_digest(shown, f"Bearer {self._life.token}".encode()):
            return _problem(
                401, "The token is missing or wrong", f"Send the one in {self._life.places.token}"
            )
        return None


class Routes:
    """What each route does."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self._work = life.limiter
        self._hooks = anyio.CapacityLimiter(4)

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

    async def hook(self, request: Request) -> Response:
        """Take an event, and say what the model is to be told.

        No answer but 503 or 507 says that the event is kept nowhere: then its client spools it.
        """
        self._life.touch()
        is_kept = False
        try:
            body = await _body(request, HOOK_BYTES)
            event = None if body is None else object_in(body)
            if event is None:
                log.warning(
                    "A hook sent no JSON object of at most %s bytes; it was dropped", f"{HOOK_BYTES:,}"
                )
                return Response(status_code=204)
            before = self._life.draining.ticket()
            with anyio.fail_after(HOOK_DEADLINE_S):
                received_at = _received_at(request.headers.get("x-received-at", ""))
                await self._thread(partial(self._life.spool.append, event, received_at))
                is_kept = True
                if event.get("hook_event_name") not in _INJECTING:
                    return Response(status_code=204)
                said = await self._thread(partial(self._inject, event, before, received_at))
        except TimeoutError:
            log.warning("A hook got no answer within %g s", HOOK_DEADLINE_S)
            return Response(status_code=204 if is_kept else 503)
        except (EngramforgeError, OSError, ValueError) as error:
            self._life.condition.failed(error)
            log.warning("%s: %s", "A hook got no answer" if is_kept else "A hook's event was dropped", error)
            # One that is too large is so for everybody.
            return Response(status_code=204 if is_kept or isinstance(error, ValueError) else 507)
        except Exception:
            log.exception("A hook failed")
            return Response(status_code=204)
        finally:
            # The event is safe; capturing it would only slow down what somebody waits for.
            self._life.draining.wake()
        return Response(status_code=204) if said is None else JSONResponse(said)

    async def _thread(self, work: Callable[[], T]) -> T:
        return await anyio.to_thread.run_sync(work, limiter=self._hooks, abandon_on_cancel=True)

    def _inject(self, event: dict[str, Any], before: int, received_at: datetime | None) -> Any:
        waits_s = DRAINED_S
        if event.get("hook_event_name") == "SessionStart":
            now = datetime.now(UTC)
            waits_s = min(STARTED_S, max(0.0, STARTED_S - (now - (received_at or now)).total_seconds()))
        self._life.draining.wait(before, waits_s)
        with self._life.store.lent(at_once=True) as forge:
            return self._life.wiring.inject(forge, event)


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
        return found if found - datetime.now(UTC) < _AHEAD else None
    except (ValueError, TypeError):
        return None


def _problem(status: int, fault: str, mend: str) -> Response:
    return JSONResponse({"fault": fault, "mend": mend}, status_code=status)
