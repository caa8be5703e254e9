"""`engramforge timeline`: what changed, of one memory or in a range of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import Call, filter_options, given, point_options, store_options
from engramforge.faces.cli.output import say, short, shortened, show_json, show_table
from engramforge.faces.views.timeline import TimelineView

if TYPE_CHECKING:
    from engramforge.model.timeline import Timeline


@click.command("timeline")
@click.argument("id_", metavar="[ID]", required=False)
@click.option("--project", metavar="NAME", help="Without ID: only this project.")
@filter_options
@point_options
@click.option("--limit", type=int, default=50, show_default=True, metavar="N", help="The most changes.")
@click.option("--offset", type=int, default=0, metavar="N", help="How many to pass over.")
@store_options
def command(call: Call, id_: str | None, limit: int, offset: int, **fields: Any) -> None:
    """Show what changed, the newest first, and which beliefs were corrected.

    With ID all changes of that memory, and as of a time what was believed of it; without ID the versions that began or
    ended, in the world or on record, between --since and --until.
    """
    with call.open() as forge:
        found = forge.timeline(id_, limit=limit, offset=offset, **given(**fields))
    if call.as_json:
        show_json({"timeline": TimelineView.of(found), "limit": limit, "offset": offset})
    else:
        _show(found)


def _show(found: Timeline) -> None:
    if found.changes:
        show_table(
            ("time", "what", "version", "id", "content"),
            [
                (
                    f"{each.at:%Y-%m-%d %H:%M:%S}",
                    str(each.turn).replace("_", " "),
                    each.memory.version,
                    short(each.memory.id),
                    shortened(each.memory.content, 50),
                )
                for each in found.changes
            ],
        )
    else:
        say("Nothing changed then.")
    if found.dissonances:
        say()
        show_table(
            ("corrected", "why", "from", "to", "believed", "then"),
            [
                (
                    f"{each.corrected_at:%Y-%m-%d %H:%M}",
                    each.reason or "unknown",
                    each.original_version,
                    each.corrected_version,
                    shortened(each.original, 40),
                    shortened(each.corrected, 40),
                )
                for each in found.dissonances
            ],
            title="Dissonances",
        )
    if found.as_of is not None:
        say()
        held = [f"version {each.version}: {shortened(each.content, 80)}" for each in found.believed]
        say(f"Believed then: {'; '.join(held) or 'nothing'}")
