"""`engramforge projects`: the bodies of memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engramforge.faces.cli.options import Call, store_options

if TYPE_CHECKING:
    from engramforge.model.scope import Project


@click.command("projects")
@click.option("--create", metavar="NAME", help="Make a project exist first.")
@store_options
def command(call: Call, create: str | None) -> None:
    """List all projects with their numbers of memories, and since when the earliest of these is true."""
    with call.open() as forge:
        if create is not None:
            forge.create_project(create)
        found = forge.projects()
    columns = ("project", "memories", "since")
    call.tell_list("projects", found, columns, _row, "There is no project yet. The first memory makes one.")


def _row(project: Project) -> tuple[object, ...]:
    since = "" if project.first_at is None else f"{project.first_at:%Y-%m-%d}"
    return project.name, f"{project.memories:,}", since
