"""The server on standard input and output, on which every line gets an answer.

The SDK leaves out a line that it cannot read: then its client waits for ever. It takes a line of any length, and other
letters for bytes that are not UTF-8. Here such lines are answered with JSON-RPC's error, under the id of their request
where one can be found.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from difflib import get_close_matches
from typing import IO, TYPE_CHECKING, Any, Final, Self, cast

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
)
from pydantic import ValidationError

from engramforge.errors import InternalError, InvalidValue
from engramforge.faces.mcp.calls import told
from engramforge.faces.mcp.session_folder import placed
from engramforge.faces.mcp.tool import outlined, slim
from engramforge.model import limits

if TYPE_CHECKING:
    from contextvars import Context as SenderContext

    from mcp.server.mcpserver import Context
    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp_types import CallToolResult, GetPromptResult, InputRequiredResult, Tool

_TOKEN: Final = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*+)(?:"(?P<colon>\s*+:)?|\\?\Z)|[{}\[\]]', re.DOTALL)
_VALUE: Final = re.compile(
    r'[ \t\r\n]{0,99}+(-?\d{1,18}+(?=[ \t\r\n]{0,99}+[,}])|"(?:[^"\\]|\\.)*+")', re.DOTALL
)
_LAST_ID: Final = re.compile(
    r',[ \t]{0,9}"id"[ \t]{0,9}:[ \t]{0,9}(-?\d{1,18}|"[^"\\]{0,200}")[ \t]{0,9}\}\s{0,9}\Z'
)
"""The id of a request where it is the last of its parts."""
_RAW_BYTE: Final = re.compile("[\udc80-\udcff]")
_SHOWN: Final = 4_096
_PART: Final = 1_000_000
_UNREAD: Final = ("json_invalid", "string_unicode")


class LongLine(str):
    """The beginning and the end of a line that is longer than `limits.MCP_LINE_BYTES`."""


class Lines:
    """Lines of a binary stream as text, for the SDK's transport.

    Bytes that are not UTF-8 become lone surrogates, which JSON's reader refuses. A line that is too long is read to its
    end, in parts that are thrown away.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def readline(self) -> str:
        """The next line with its end; empty at the end of the stream."""
        line = self._stream.readline(limits.MCP_LINE_BYTES + 1)
        if len(line) <= limits.MCP_LINE_BYTES:
            return line.decode(errors="surrogateescape")
        begin, end = line[:_SHOWN], line
        while end and not end.endswith(b"\n") and (part := self._stream.readline(_PART)):
            end = end[-_SHOWN:] + part
        # The NUL keeps what is left from being JSON.
        return LongLine((begin + b"\0" + end[-_SHOWN:]).decode(errors="surrogateescape"))


class StdioServer(MCPServer[None]):
    """An MCP server that answers what it cannot read, and refuses arguments that a tool does not have.

    Faults are told in words of the tool, without the SDK's or another library's.
    """

    async def list_tools(self) -> list[Tool]:
        """The tools, with schemas that say no more than a model needs."""
        return [
            tool.model_copy(
                update={
                    "input_schema": {**slim(tool.input_schema), "additionalProperties": False},
                    "output_schema": outlined(tool.output_schema),
                }
            )
            for tool in await super().list_tools()
        ]

    async def run_stdio_async(self) -> None:
        """Serve until standard input ends."""
        stream = _standard_input()
        await self.run_on(cast("anyio.AsyncFile[str]", anyio.wrap_file(cast("IO[str]", Lines(stream)))))

    async def run_on(self, lines: anyio.AsyncFile[str], to: anyio.AsyncFile[str] | None = None) -> None:
        """Serve one session: requests from `lines` until they end, answers to `to` (None: standard output)."""
        async with stdio_server(lines, to) as (requests, answers):
            await self._lowlevel_server.run(
                Answering(requests, answers), answers, self._lowlevel_server.create_initialization_options()
            )

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises ToolError; also for an argument that it does not have, which the SDK leaves out."""
        tools = {each.name: each for each in await self.list_tools()}
        if name not in tools:
            raise ToolError(told(unknown("tool", name, tools)))
        known = tools[name].input_schema.get("properties", {})
        if (fault := foreign(name, known, arguments)) is not None:
            raise ToolError(told(fault))
        try:
            return await super().call_tool(name, placed(arguments), context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ToolError):
                # Ours, before the SDK put words of its own in front.
                raise cause from error
            if isinstance(cause, ValidationError):
                places = [each["loc"] for each in cause.errors()]
                if all(place and place[0] in known for place in places):
                    raise ToolError(told(wrong(name, known, arguments, cause))) from error
                where = ".".join(map(str, places[0]))[:100]
                raise ToolError(
                    told(InternalError(f"The answer is unsound at {where}", "Please report it"))
                ) from error
            raise

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[None, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """A prompt. Raises MCPError, as invalid params, for one that there is not and for its arguments."""
        prompts = {each.name: each for each in await self.list_prompts()}
        if name not in prompts:
            fault: InvalidValue | None = unknown("prompt", name, prompts)
        else:
            taken = {each.name: each for each in prompts[name].arguments or ()}
            fault = foreign(name, taken, arguments or {})
            if missing := [each for each in taken if taken[each].required and each not in (arguments or {})]:
                fault = fault or InvalidValue(
                    f"{name} needs {' and '.join(missing)}", "Give it as an argument"
                )
        if fault is not None:
            raise MCPError(INVALID_PARAMS, told(fault))
        return await super().get_prompt(name, arguments, context)


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
    unread = next((each["input"] for each in faults if each["type"] in _UNREAD), None)
    if isinstance(unread, str):
        if not unread.strip():
            return None
        id_, reason = (
            id_in(unread.partition("\0")[0]),
            faults[0].get("ctx", {}).get("error", "it is not JSON"),
        )
        if isinstance(unread, LongLine):
            reason = f"it is longer than {limits.MCP_LINE_BYTES:,} bytes"
            if id_ is None and (last := _LAST_ID.search(unread)) is not None:
                id_ = json.loads(last[1])
        elif (byte := _not_utf8(unread)) is not None:
            reason = f"it is not UTF-8 (byte {byte})"
        error = ErrorData(
            code=PARSE_ERROR, message=f"Parse error: the line cannot be read as JSON ({reason})"
        )
        return JSONRPCError(jsonrpc="2.0", id=id_, error=error)
    whole = next((each["input"] for each in faults if each["type"] == "missing"), None)
    asked = whole.get("id") if isinstance(whole, dict) else None
    is_id = isinstance(asked, str | int) and not isinstance(asked, bool)
    error = ErrorData(
        code=INVALID_REQUEST, message="Invalid request: no JSON-RPC 2.0 message, or no usable id"
    )
    return JSONRPCError(jsonrpc="2.0", id=asked if is_id else None, error=error)


def _standard_input() -> IO[bytes]:
    """The bytes of standard input; whoever else reads from it, a child too, finds its end."""
    private = os.dup(sys.stdin.fileno())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    # Never closed: a thread may still wait on it when the server has ended.
    return os.fdopen(private, "rb", closefd=False)


def _not_utf8(line: str) -> int | None:
    """The place of the first byte that is not UTF-8."""
    found = _RAW_BYTE.search(line)
    return None if found is None else len(line[: found.start()].encode())


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


Json = Mapping[str, Any]

_KINDS: Final = {
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "an object",
}
_MOST_FAULTS: Final = 100
_FAULTS: Final = 5


def unknown(what: str, name: str, known: Iterable[str]) -> InvalidValue:
    """The error for a tool or prompt that there is not."""
    return InvalidValue(f"There is no {what} {name[:_MOST_FAULTS]!r}", _mend([name], known, "Choose of"))


def foreign(tool: str, known: Iterable[str], arguments: Iterable[str]) -> InvalidValue | None:
    """The error for arguments that a tool does not have; `known`: the names of those that it has."""
    if not (extra := sorted({*arguments} - {*known})[:10]):
        return None
    named = ", ".join(repr(each[:_MOST_FAULTS]) for each in extra)
    return InvalidValue(f"{tool} has no argument {named}", _mend(extra, known, "It takes"))


def _mend(given: Iterable[str], known: Iterable[str], choose: str) -> str:
    """What was meant, where something known is near, and what there is."""
    names = [*known]
    near = [match for each in given for match in get_close_matches(each[:_MOST_FAULTS], names, 1)]
    meant = f"Did you mean {', '.join(near)}? " if near else ""
    return f"{meant}{choose} {', '.join(names) or 'none'}"


def wrong(tool: str, known: Json, arguments: Json, found: ValidationError) -> InvalidValue:
    """The error for arguments that are missing or of another type; parameters as in `foreign`."""
    # An argument that may be of several types has a fault for each; the deepest is the one that was meant.
    faults = {str(each["loc"][0]): each for each in sorted(found.errors(), key=lambda each: len(each["loc"]))}
    if missing := sorted(name for name, fault in faults.items() if fault["type"] == "missing"):
        told = ", and ".join(f"{name}: {_meant(known[name])}" for name in missing)
        return InvalidValue(f"{tool} needs {' and '.join(missing)}", f"Give {told}")
    names = sorted(faults)[:_FAULTS]
    values = [
        f"{_shown(faults[name]['input'])} as {_place(faults[name]['loc'], arguments)}" for name in names
    ]
    mends = [f"{name} as {_kind(known[name])}" for name in names]
    return InvalidValue(f"{tool} cannot take {' and '.join(values)}", f"Give {', and '.join(mends)}")


def _meant(schema: Json) -> str:
    """What an argument is, as far as its schema says it."""
    if "description" in schema:
        return str(schema["description"])
    return f"one of {', '.join(schema['enum'])}" if "enum" in schema else _kind(schema)


def _shown(value: Any) -> str:
    """A value as a fault tells it: a text, or what holds one, may be a secret."""
    if isinstance(value, str):
        return "a string"
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return json.dumps(value, default=repr)[:_MOST_FAULTS]


def _place(loc: tuple[int | str, ...], arguments: Json) -> str:
    """The argument, and where in it the fault is; names of types, which stand between, are left out."""
    place, value = str(loc[0]), arguments.get(str(loc[0]))
    for part in loc[1:]:
        if isinstance(part, int) or (isinstance(value, dict) and part in value):
            place += f"[{json.dumps(part)[:_MOST_FAULTS]}]"
    return place


def _kind(schema: Json) -> str:
    """What a value of a schema is, in words."""
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"] if each != {"type": "null"})
    if schema.get("type") == "array":
        return f"a list of {_kind(schema['items']).removeprefix('a ')}s"
    if isinstance(values := schema.get("additionalProperties"), dict):
        return f"an object of {_kind(values).removeprefix('a ')}s"
    return _KINDS[schema.get("type", "string")]
