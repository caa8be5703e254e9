"""`engramforge undo`: take back the last change, and the one before it."""

from __future__ import annotations

import click

from engramforge.errors import NotConfirmed
from engramforge.faces.cli.commands.redo import show_undone
from engramforge.faces.cli.options import Call, ask_first, store_options
from engramforge.faces.cli.output import show_json
from engramforge.faces.cli.surroundings import standard_input
from engramforge.faces.views.timeline import UndoneView


@click.command("undo")
@click.option("--yes", is_flag=True, help="Do not ask, however much is touched.")
@click.option("--message", metavar="ID", help="Take back what was read from this memory instead; it stays.")
@store_options
def command(call: Call, yes: bool, message: str | None) -> None:
    """Take back the last change of this agent; again, the one before it; redo brings it again.

    What one write remembered, revised, superseded, ended or linked is taken back together, of a long import its last
    part. It stays in history. Turns that hooks captured are passed over, but where they registered or ended something.
    Where it touches more than 20 records and links, it asks. A forget cannot be undone. Roles, lenses, scans and the
    scratchpad are no part of it: it takes back the last change of memories, entries and links, whatever came since.
    With --message it takes back what was read from that memory: decisions and threads it made, changed or ended.
    """
    with call.open() as forge:
        try:
            undone = forge.undo(message=message, confirmed=yes)
        except NotConfirmed as error:
            if not standard_input().isatty():
                raise
            ask_first(f"{error.fault}. Take it back?", "Nothing was changed.")
            undone = forge.undo(message=message, confirmed=True)
    if call.as_json:
        show_json({"undone": UndoneView.of(undone)})
    else:
        again = "Run redo to bring it again, or undo to go one further back."
        show_undone("Undone", undone, again if message is None else "Run undo to put it back.")
