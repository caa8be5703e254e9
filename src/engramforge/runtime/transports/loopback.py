"""What is different on loopback, which everybody on the machine and every page in a browser reaches: a token has to be
shown, Host and Origin have to be the daemon's own, and strangers have few connections."""

from __future__ import annotations

import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Final

from starlette.responses import JSONResponse, Response
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

    from engramforge.runtime.life import Life

log = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LOOPBACK_CONNECTIONS: Final = 64
HEAD_S: Final = 3.0
"""How long a connection on loopback may take until the head of its request is in."""
_SELDOM_S: Final = 60.0


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
        await problem(status, fault, mend, {"connection": "close"})(scope, receive, send)

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


def problem(status: int, fault: str, mend: str, headers: dict[str, str] | None = None) -> Response:
    """What tells whoever asks why it is refused, and what mends it."""
    return JSONResponse({"fault": fault, "mend": mend}, status_code=status, headers=headers)
