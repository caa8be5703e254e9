"""`engramforge inject-brief`: for a host, what is known of the file or program that a tool is about to touch."""

from __future__ import annotations

import click

from engramforge.faces.cli.hook_events import inject
from engramforge.faces.cli.options import Call, store_options
from engramforge.model.injection import ACTS


@click.command("inject-brief")
@store_options
def command(call: Call) -> None:
    """Answer a host's event before a tool is used: decisions and warnings that name what it is given."""
    inject(call, ACTS)
