"""`engramforge conversations`: what was captured."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import faint, heading, on_terminal, say, short, shortened, width
from engramforge.faces.views.shape import numbered

if TYPE_CHECKING:
    from engramforge.model.scope import Captured


@click.command("conversations")
@click.option("--project", metavar="NAME", help="Only of this project.")
@click.option("--limit", type=int, metavar="N", help="The most to show (100).")
@click.option("--offset", type=int, metavar="N", help="Leave out the first N.")
@store_options
def command(call: Call, **fields: Any) -> None:
    """List the conversations by project, those that went on last first."""
    with call.open() as forge:
        found = forge.conversations(**given(**fields))
    by_project = sorted(found, key=lambda each: each.project)
    if found and on_terminal() and not call.as_json:
        _show(by_project)
        return
    columns = ("project", "id", "title", "memories", "from", "until")
    call.tell_list("conversations", by_project, columns, _row, "No conversation fits that.")


def _show(found: list[Captured]) -> None:
    """Each in two lines, below its project."""
    for project, its in groupby(found, key=lambda each: each.project):
        heading(project)
        for each in its:
            days = f"{each.first_at:%Y-%m-%d} to {each.last_at:%Y-%m-%d}"
            faint(f"  {short(each.id)}  {numbered(each.memories, 'memory')}, {days}")
            say(f"    {shortened(each.title, width() - 4)}")


def _row(each: Captured) -> tuple[object, ...]:
    days = (f"{at:%Y-%m-%d}" for at in (each.first_at, each.last_at))
    return each.project, each.id, shortened(each.title, 60), each.memories, *days
