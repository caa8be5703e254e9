"""`engramforge history`: every version of a memory on both time axes."""

from __future__ import annotations

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import shortened, show_json, show_table
from engramforge.faces.views.memory import MemoryView


@click.command("history")
@click.argument("id_", metavar="ID")
@store_options
def command(call: Call, id_: str) -> None:
    """Show every record of the memory ID, the oldest first."""
    with call.open() as forge:
        versions = MemoryView.list_of(forge.history(id_))
    if call.as_json:
        show_json({"logical_id": versions[0].logical_id, "versions": versions})
        return
    show_table(
        ("version", "true from", "true until", "known from", "known until", "ended because", "content"),
        [
            (
                each.version,
                each.valid_at[:19],
                (each.invalid_at or "")[:19],
                each.created_at[:19],
                (each.expired_at or "")[:19],
                each.invalidation_reason,
                shortened(each.content, 60),
            )
            for each in versions
        ],
    )
