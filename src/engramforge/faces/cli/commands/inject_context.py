"""`engramforge inject-context`: for a host, what to put beside a prompt or at a session's start."""

from __future__ import annotations

import click

from engramforge.faces.cli.hook_events import inject
from engramforge.faces.cli.options import Call, store_options
from engramforge.model.injection import ASKS


@click.command("inject-context")
@store_options
def command(call: Call) -> None:
    """Answer a host's event on standard input: memories for its prompt, or the portfolio where a session starts.

    It takes and prints what Claude Code's hooks give and expect, and prints nothing where nothing is worth it.
    """
    inject(call, ASKS)
