"""The server: name, instructions and tools, over standard input and output.

Standard output carries the protocol and nothing else; the SDK turns every other print to standard error.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import engramforge
from engramforge.faces.mcp import (
    archive_tools,
    descriptions,
    judging_tools,
    lens_tools,
    memory_tools,
    registry_tools,
    relation_tools,
    stream_tool,
)
from engramforge.faces.mcp.calls import DEADLINE_S, Calls
from engramforge.faces.mcp.resources import add_prompts, add_resources
from engramforge.faces.mcp.stdio import StdioServer, unknown
from engramforge.faces.mcp.tool import add_tool

_TOOLS: Final = {
    tool.name: tool
    for tools in (
        memory_tools,
        relation_tools,
        registry_tools,
        archive_tools,
        lens_tools,
        judging_tools,
        stream_tool,
    )
    for tool in tools.TOOLS
}


def build_server(calls: Calls, without: Collection[str] = ()) -> StdioServer:
    """A server with all tools but those that it is to be `without`, on one store; nothing is opened yet.

    Raises InvalidValue for a tool that there is not.
    """
    if missing := [name for name in without if name not in _TOOLS]:
        raise unknown("tool", missing[0], _TOOLS)
    server = StdioServer(
        "engramforge",
        title="engramforge",
        instructions=descriptions.INSTRUCTIONS,
        version=engramforge.__version__,
        log_level="WARNING",
    )
    for name, tool in _TOOLS.items():
        if name not in without:
            add_tool(server, calls, tool)
    add_resources(server, calls)
    add_prompts(server)
    return server


def serve(
    store: str | None, agent: str | None, deadline_s: float = DEADLINE_S, without: Collection[str] = ()
) -> None:
    """Serve until the client closes standard input; parameters as of `Calls` and `build_server`."""
    calls = Calls(store, agent, deadline_s)
    try:
        build_server(calls, without).run("stdio")
    finally:
        calls.close()
