"""`engramforge supersede`: a new version because the world changed."""

from __future__ import annotations

from typing import Any

import click

from engramforge.faces.cli.commands.remember import tell_changed
from engramforge.faces.cli.options import Call, at_version, change_options, content_of, given, store_options
from engramforge.faces.cli.output import short


@click.command("supersede")
@click.argument("id_", metavar="ID")
@click.argument("content", required=False)
@click.option("--at", metavar="TIME", help="When the world changed (now when left out).")
@at_version
@change_options
@store_options
def command(call: Call, id_: str, content: str | None, **fields: Any) -> None:
    """Replace the memory ID from a time on: before it, the old version stays true.

    CONTENT - is read from standard input; without CONTENT only the given options change.
    """
    text = None if content is None else content_of(content)
    with call.open() as forge:
        memory = forge.supersede(id_, text, **given(**fields))
    since = f"{memory.valid_at:%Y-%m-%d %H:%M}"
    new = f"its version {memory.version}, since {since}, is {short(memory.id)}"
    tell_changed(call, memory, id_, f"Superseded {short(id_)}: {new}.")
