"""`engramforge redo`: bring again what was undone last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, shortened, show_json, show_table
from engramforge.faces.views.timeline import UndoneView

if TYPE_CHECKING:
    from engramforge.model.timeline import Undone

_SHOWN = 20


@click.command("redo")
@store_options
def command(call: Call) -> None:
    """Bring again what this agent undid last; again, what it undid before that.

    A change since leaves nothing to redo.
    """
    with call.open() as forge:
        redone = forge.redo()
    if call.as_json:
        show_json({"redone": UndoneView.of(redone)})
    else:
        show_undone("Redone", redone, "Run undo to take it back.")


def show_undone(did: str, undone: Undone, hint: str) -> None:
    """Print what an undo or a redo did."""
    links = f"; links: {undone.links}" if undone.links else ""
    uses = f"; entries whose use changed: {undone.uses}" if undone.uses else ""
    say(
        f"{did}: {undone.action}. Left the record: {len(undone.taken_back)}; came back: {len(undone.restored)}"
        f"{links}{uses}. {hint}"
    )
    rows = [("left", memory) for memory in undone.taken_back] + [
        ("back", memory) for memory in undone.restored
    ]
    if rows:
        show_table(
            ("", "version", "id", "content"),
            [
                (what, each.version, each.logical_id, shortened(each.content, 60))
                for what, each in rows[:_SHOWN]
            ],
        )
    if len(rows) > _SHOWN:
        say(f"... and {len(rows) - _SHOWN} more")
