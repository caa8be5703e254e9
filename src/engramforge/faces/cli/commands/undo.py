"""`engramforge undo`: take back the last change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, shortened, show_json, show_table
from engramforge.faces.views.timeline import UndoneView

if TYPE_CHECKING:
    from engramforge.model.timeline import Undone

_SHOWN = 20


@click.command("undo")
@store_options
def command(call: Call) -> None:
    """Take back the last change of this agent; a second undo brings it back.

    What one write remembered, revised, superseded, ended or linked is taken back together, of a long import its last
    part. It stays in history. A forget cannot be undone.
    """
    with call.open() as forge:
        undone = forge.undo()
    if call.as_json:
        show_json({"undone": UndoneView.of(undone)})
    else:
        _show(undone)


def _show(undone: Undone) -> None:
    links = f"; links: {undone.links}" if undone.links else ""
    uses = f"; entries as they were used before: {undone.uses}" if undone.uses else ""
    say(
        f"Undone: {undone.action}. Left the record: {len(undone.taken_back)}; came back: {len(undone.restored)}"
        f"{links}{uses}. "
        "Run undo again to bring it back."
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
