"""`engramforge list`: memories by time."""

from __future__ import annotations

from typing import Any

import click

from engramforge.faces.cli.options import (
    NOTHING_KNOWN,
    Call,
    filter_options,
    given,
    mode_options,
    nothing_known,
    store_options,
)
from engramforge.faces.cli.output import (
    faint,
    on_terminal,
    say,
    short,
    shortened,
    show_json,
    show_table,
    width,
)
from engramforge.faces.views.memory import MemoryView


@click.command("list")
@click.option("--project", metavar="NAME", help="Only this project.")
@filter_options
@mode_options
@click.option("--limit", type=int, default=50, show_default=True, metavar="N", help="The most memories.")
@click.option("--offset", type=int, default=0, metavar="N", help="How many to pass over.")
@store_options
def command(call: Call, limit: int, offset: int, **fields: Any) -> None:
    """List memories, the newest first: current ones, or those of a time or of history."""
    with call.open() as forge:
        found = MemoryView.list_of(forge.memories(limit=limit, offset=offset, **given(**fields)))
        nothing_then = not found and not call.as_json and nothing_known(forge, fields)
    if call.as_json:
        show_json({"memories": found, "limit": limit, "offset": offset})
    elif not found:
        say(NOTHING_KNOWN if nothing_then else "No memory fits that.")
    elif on_terminal():
        for each in found:
            faint(f"{short(each.id)}  {each.told_at[:16].replace('T', ' ')}  {each.kind}  {each.project}")
            faint(f"  {shortened(each.where, width() - 2)}")
            say(f"  {shortened(each.content, width() - 2)}")
    else:
        show_table(
            ("time", "project", "kind", "id", "from", "content"),
            [
                (
                    each.told_at[:16],
                    each.project,
                    each.kind,
                    each.id,
                    shortened(each.where, 60),
                    shortened(each.content, 60),
                )
                for each in found
            ],
        )
