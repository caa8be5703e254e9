"""`engramforge events`: the event log."""

from __future__ import annotations

from typing import Any

import click

from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.views.learned import EventView

_COLUMNS = ("position", "at", "action", "about", "agent", "reason")


@click.command("events")
@click.option("--after", type=int, metavar="N", help="What came after the position N; else the newest.")
@click.option("--limit", type=int, metavar="N", help="The most to show, up to 1,000 (100).")
@click.option("--every-agent", is_flag=True, help="The lines of all agents.")
@store_options
def command(call: Call, every_agent: bool, **fields: Any) -> None:
    """The event log: what was written, changed and forgotten, in order; never content."""
    with call.open() as forge:
        found = EventView.list_of(forge.events(**given(**fields), every_agent=every_agent))
    call.tell_list("events", found, _COLUMNS, _row, "Nothing was written.")


def _row(view: EventView) -> tuple[object, ...]:
    return view.position, view.at[:19], view.action, view.subject, view.agent, view.reason
