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
    """List all projects with their numbers of memories."""
    with call.open() as forge:
        if create is not None:
            forge.create_project(create)
        found = forge.projects()
    columns = ("project", "memories", "since")
    call.tell_list("projects", found, columns, _row, "There is no project yet. The first memory makes one.")


def _row(project: Project) -> tuple[object, ...]:
    return project.name, project.memories, f"{project.created_at:%Y-%m-%dT%H:%M}"
