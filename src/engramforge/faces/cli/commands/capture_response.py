"""`engramforge capture-response`: what the assistant said last becomes a memory."""

from __future__ import annotations

import click

from engramforge.faces.cli.hook_events import take
from engramforge.faces.cli.options import Call, store_options


@click.command("capture-response")
@store_options
def command(call: Call) -> None:
    """Capture the response of a Stop hook: Claude Code's JSON is read on standard input. Exits 0 whatever happens;
    faults are in log/hooks.log in the home folder."""
    take(call, "Stop")
