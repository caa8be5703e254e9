"""MCP's lines over a socket: what `stdio` does on standard input and output, for a session of the daemon."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from engramforge.faces.mcp.stdio import LongLine
from engramforge.model import limits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_SHOWN: Final = 4_096
_PART: Final = 65_536


class SocketLines:
    """Lines of a stream as text, each at most as long as on standard input; a longer one as its begin and end.

    `begun`: what was read of the stream already.
    """

    def __init__(self, reader: asyncio.StreamReader, begun: bytes = b"") -> None:
        self._reader = reader
        self._rest = bytearray(begun)

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        searched = 0
        while (end := self._rest.find(b"\n", searched)) < 0:
            searched = len(self._rest)
            if searched > limits.MCP_LINE_BYTES:
                return await self._long()
            part = await self._reader.read(_PART)
            if not part:
                if not self._rest:
                    raise StopAsyncIteration
                end = len(self._rest) - 1
                break
            self._rest += part
        line = bytes(self._rest[: end + 1])
        del self._rest[: end + 1]
        if len(line) > limits.MCP_LINE_BYTES:
            return _long_line(line, line)
        return line.decode(errors="surrogateescape")

    async def _long(self) -> LongLine:
        begin, end = bytes(self._rest[:_SHOWN]), bytes(self._rest[-_SHOWN:])
        self._rest.clear()
        while part := await self._reader.read(_PART):
            at = part.find(b"\n")
            if at >= 0:
                self._rest += part[at + 1 :]
                return _long_line(begin, end + part[: at + 1])
            end = end[-_SHOWN:] + part
        return _long_line(begin, end)


def _long_line(begin: bytes, end: bytes) -> LongLine:
    # The NUL keeps what is left from being JSON.
    return LongLine((begin[:_SHOWN] + b"\0" + end[-_SHOWN:]).decode(errors="surrogateescape"))


class SocketAnswers:
    """Where a session's answers go; a client that has gone reads none."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def write(self, text: str) -> None:
        """Send a text."""
        self._writer.write(text.encode())

    async def flush(self) -> None:
        """Wait while the client is slow."""
        await self._writer.drain()
