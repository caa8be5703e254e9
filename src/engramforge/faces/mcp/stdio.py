"""The server on standard input and output, on which every line gets an answer.

The SDK leaves out a line that it cannot read: then its client waits for ever. Here such a line is answered with
JSON-RPC's error, under the id of its request where one can be found.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self, cast

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCNotification
from pydantic import ValidationError

if TYPE_CHECKING:
    from contextvars import Context as SenderContext

    from mcp.server.mcpserver import Context
    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp_types import CallToolResult, InputRequiredResult

_TOKEN: Final = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*+)(?:"(?P<colon>\s*+:)?|\\?\Z)|[{}\[\]]', re.DOTALL)
_VALUE: Final = re.compile(
    r'[ \t\r\n]{0,99}+(-?\d{1,18}+(?=[ \t\r\n]{0,99}+[,}])|"(?:[^"\\]|\\.)*+")', re.DOTALL
)


class StdioServer(MCPServer[None]):
    """An MCP server that answers what it cannot read, and refuses arguments that a tool does not have."""

    async def run_stdio_async(self) -> None:
        """Serve until standard input ends."""
        async with stdio_server() as (requests, answers):
            await self._lowlevel_server.run(
                Answering(requests, answers), answers, self._lowlevel_server.create_initialization_options()
            )

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises ToolError; also for an argument that it does not have, which the SDK leaves out."""
        tool = next((each for each in await self.list_tools() if each.name == name), None)
        known = {} if tool is None else tool.input_schema.get("properties", {})
        if tool is not None and (foreign := sorted(arguments.keys() - known.keys())):
            named = ", ".join(repr(each[:100]) for each in foreign[:10])
            raise ToolError(
                f"InvalidValue: {name} has no argument {named}. Leave it out, or choose of {', '.join(known)}."
            )
        return await super().call_tool(name, arguments, context)


class Answering:
    """A stream of requests without those that cannot be read: they are answered with an error.

    `requests`: what the transport read, an exception for each line that it could not. `answers`: where errors go.
    """

    def __init__(
        self, requests: ReadStream[SessionMessage | Exception], answers: WriteStream[SessionMessage]
    ) -> None:
        self._requests = requests
        self._answers = answers

    @property
    def last_context(self) -> SenderContext | None:
        """The context in which the last request was sent."""
        return cast("SenderContext | None", getattr(self._requests, "last_context", None))

    async def receive(self) -> SessionMessage | Exception:
        """The next request."""
        while _is_unread(item := await self._requests.receive()):
            if (answer := _answer_to(item)) is not None:
                with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                    await self._answers.send(SessionMessage(answer))
        return item

    async def aclose(self) -> None:
        """Close the stream of requests."""
        await self._requests.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


def _is_unread(item: SessionMessage | Exception) -> bool:
    """Whether it is a line that could not be read, or one without a usable id that is no notification of the protocol:
    a request whose id is null, a fraction or an object is taken for one."""
    if isinstance(item, Exception):
        return True
    message = item.message
    return isinstance(message, JSONRPCNotification) and not message.method.startswith("notifications/")


def _answer_to(fault: object) -> JSONRPCError | None:
    """The answer to a line that could not be read; None for an empty line."""
    faults = fault.errors(include_url=False) if isinstance(fault, ValidationError) else []
    unread = next((each["input"] for each in faults if each["type"] == "json_invalid"), None)
    if isinstance(unread, str):
        if not unread.strip():
            return None
        reason = faults[0].get("ctx", {}).get("error", "it is not JSON")
        error = ErrorData(
            code=PARSE_ERROR, message=f"Parse error: the line cannot be read as JSON ({reason})"
        )
        return JSONRPCError(jsonrpc="2.0", id=id_in(unread), error=error)
    whole = next((each["input"] for each in faults if each["type"] == "missing"), None)
    asked = whole.get("id") if isinstance(whole, dict) else None
    is_id = isinstance(asked, str | int) and not isinstance(asked, bool)
    error = ErrorData(
        code=INVALID_REQUEST, message="Invalid request: no JSON-RPC 2.0 message, or no usable id"
    )
    return JSONRPCError(jsonrpc="2.0", id=asked if is_id else None, error=error)


def id_in(line: str) -> str | int | None:
    """The id of a request whose JSON cannot be read as a whole; None where it has none."""
    depth = 0
    for token in _TOKEN.finditer(line):
        if token[0] in ("{", "["):
            depth += 1
        elif token[0] in ("}", "]"):
            depth -= 1
        elif depth == 1 and token["colon"] and token["text"] == "id":
            found = _VALUE.match(line, token.end())
            with suppress(ValueError):  # an escape that is none, a lone surrogate
                value = None if found is None else json.loads(found[1])
                json.dumps(value, ensure_ascii=False).encode()
                return cast("str | int | None", value)
            return None
    return None
