"""`engramforge revise`: a new version because we were wrong."""

from __future__ import annotations

from typing import Any

import click

from engramforge.faces.cli.commands.remember import tell_changed
from engramforge.faces.cli.options import Call, at_version, change_options, content_of, given, store_options
from engramforge.faces.cli.output import short


@click.command("revise")
@click.argument("id_", metavar="ID")
@click.argument("content", required=False)
@at_version
@click.option("--version", type=int, metavar="N", help="An older version that ended: correct when it held.")
@click.option("--valid-at", metavar="TIME", help="Since when it really was true.")
@click.option("--invalid-at", metavar="TIME", help="Until when it really was true; never: it has not ended.")
@change_options
@store_options
def command(call: Call, id_: str, content: str | None, **fields: Any) -> None:
    """Correct the memory ID: the old version stays in history as discovered false.

    CONTENT - is read from standard input; without CONTENT only the given options change.
    """
    text = None if content is None else content_of(content)
    changes = given(**fields)
    if changes.get("invalid_at") == "never":
        changes["invalid_at"] = None
    with call.open() as forge:
        memory = forge.revise(id_, text, **changes)
    new = f"its version {memory.version} is {short(memory.id)}"
    tell_changed(call, memory, id_, f"Revised {short(id_)}: {new}.")
