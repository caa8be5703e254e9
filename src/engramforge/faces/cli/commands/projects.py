"""`engramforge projects`: the bodies of memories."""

from __future__ import annotations

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, show_json, show_table


@click.command("projects")
@click.option("--create", metavar="NAME", help="Make a project exist first.")
@store_options
def command(call: Call, create: str | None) -> None:
    """List all projects with their numbers of memories."""
    with call.open() as forge:
        if create is not None:
            forge.create_project(create)
        found = forge.projects()
    if call.as_json:
        show_json({"projects": found})
    elif not found:
        say("There is no project yet. The first memory makes one.")
    else:
        rows = [(each.name, each.memories, f"{each.created_at:%Y-%m-%dT%H:%M}") for each in found]
        show_table(("project", "memories", "since"), rows)
