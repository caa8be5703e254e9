"""`engramforge invalidate`: a memory holds no more, and nothing took its place."""

from __future__ import annotations

from typing import Any

import click

from engramforge.faces.cli.commands.remember import tell_changed
from engramforge.faces.cli.options import Call, at_version, given, store_options
from engramforge.faces.cli.output import short


@click.command("invalidate")
@click.argument("id_", metavar="ID")
@click.option("--at", metavar="TIME", help="When it ended (now when left out).")
@click.option("--reason", metavar="TEXT", help="Kept in the audit log; never put content there.")
@at_version
@store_options
def command(call: Call, id_: str, **fields: Any) -> None:
    """End the memory ID from a time on: before it, it stays true, and nothing takes its place."""
    with call.open() as forge:
        memory = forge.invalidate(id_, **given(**fields))
    until = f"it held until {memory.invalid_at:%Y-%m-%d %H:%M}, and its last record is {short(memory.id)}"
    tell_changed(call, memory, id_, f"Ended {short(id_)}: {until}.")
