"""`engramforge mcp`: the MCP server as a command."""

from __future__ import annotations

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, store_options


@click.command("mcp")
@click.option(
    "--deadline", type=float, default=30.0, show_default=True, metavar="SECONDS", help="For each call."
)
@store_options
def command(call: Call, deadline: float) -> None:
    """Serve memories, decisions, threads, lineage and archives to an MCP client.

    The client starts this command itself; it speaks JSON-RPC on standard input and output.
    """
    if not deadline > 0:
        raise InvalidValue(f"A deadline of {deadline} s leaves no time", "Give a positive number of seconds")
    from engramforge.assembly import tools_off
    from engramforge.faces.mcp.server import serve

    serve(call.store, call.agent, deadline, tools_off(call.store))
