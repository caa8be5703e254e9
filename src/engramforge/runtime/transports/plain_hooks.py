"""HTTP on the unix socket, where a hook is answered without a parser for all of HTTP.

A person waits for each hook, and what its client sends is short, always alike and there at once: to read it by its
lines takes a tenth of what h11 and a router do. Whatever else comes, or comes otherwise, goes their way.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

if TYPE_CHECKING:
    from starlette.responses import Response

log = logging.getLogger(__name__)
_LINE: Final = b"POST /hook HTTP/1.1"
_LEAST: Final = {b"host", b"connection", b"content-length"}
_MOST: Final = _LEAST | {b"content-type", b"x-received-at"}
_LONGEST: Final = 65_536
"""A request of more bytes goes the other way: then its event may be read beside others."""
_FAILED: Final = b"HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class Asked(NamedTuple):
    """A hook's request: its event, and when its client says that it came."""

    body: bytes
    came: str


def plain_hook(sent: bytes) -> Asked | None:
    """The request of a hook, where it is a whole one as our client sends it."""
    head, _, body = sent.partition(b"\r\n\r\n")
    line, *fields = head.split(b"\r\n")
    if line != _LINE or len(sent) > _LONGEST:
        return None
    pairs = [field.partition(b":") for field in fields]
    told = {name.lower(): value.strip() for name, _, value in pairs}
    if len(told) < len(fields) or not _LEAST <= told.keys() <= _MOST:
        return None
    if told[b"connection"].lower() != b"close" or told[b"content-length"] != b"%d" % len(body):
        return None
    return Asked(body, told.get(b"x-received-at", b"").decode("latin-1"))


def protocol_of(
    answer: Callable[[Callable[[], Awaitable[bytes | None]], str], Awaitable[Response]],
    then: Callable[[], object],
) -> type[H11Protocol]:
    """HTTP whose plain hooks are answered by `answer`, and followed by `then` when the answer is out."""

    class PlainHooks(H11Protocol):
        """A connection."""

        asked: Asked | None = None
        is_begun = False

        def receive(self, data: bytes) -> None:
            """Answer a plain hook, and leave all else to h11."""
            if not self.is_begun:
                self.is_begun = True
                self.asked = plain_hook(data)
                if self.asked is not None:
                    task = self.loop.create_task(self._answer(self.asked))
                    self.tasks.add(task)
                    task.add_done_callback(self.tasks.discard)
            if self.asked is None:
                super().data_received(data)

        data_received = receive  # as asyncio calls it

        def shutdown(self) -> None:
            """Close the connection, or have it closed when what was asked is answered."""
            if self.asked is None:
                super().shutdown()

        async def _answer(self, asked: Asked) -> None:
            async def body() -> bytes:
                return asked.body

            after = None
            try:
                said = await answer(body, asked.came)
                self.transport.write(_written(said))
                after = said.background
            except Exception:
                log.exception("A hook could not be answered")
                self.transport.write(_FAILED)
            finally:
                self.transport.close()
                then()
            if after is not None:
                await after()

    return PlainHooks


def _written(said: Response) -> bytes:
    """An answer as it is sent."""
    head = [b"HTTP/1.1 %d %s" % (said.status_code, STATUS_PHRASES[said.status_code])]
    head += [b"%s: %s" % (name, value) for name, value in said.raw_headers]
    return b"\r\n".join([*head, b"connection: close", b"", bytes(said.body)])
