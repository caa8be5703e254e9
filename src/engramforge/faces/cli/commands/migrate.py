"""`engramforge migrate`: move a store to another place or engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engramforge.faces.cli.output import PortionBar, say, show_json, show_pairs
from engramforge.faces.views.shape import numbered

if TYPE_CHECKING:
    from engramforge.model.storing.section import MoveReport


@click.command("migrate")
@click.argument("source", metavar="FROM_URL")
@click.argument("target", metavar="TO_URL")
@click.option("--tenant", metavar="NAME", help="Whose memories (the settings' tenant when left out).")
@click.option("--start-over", is_flag=True, help="Throw away what an unfinished move brought into TO_URL.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object.")
def command(source: str, target: str, tenant: str | None, start_over: bool, as_json: bool) -> None:
    """Move everything of a tenant from FROM_URL into the empty store TO_URL; FROM_URL is only read.

    Each is postgresql://..., sqlite:///path/to/folder-or-file, or a folder. An interrupted move goes on where it
    stopped when the same command runs again. At the end both are compared by counts and checksums. Let nobody use
    either of them meanwhile.
    """
    import engramforge

    with PortionBar("opening") as bar:
        try:
            report = engramforge.migrate(
                source, target, tenant=tenant, start_over=start_over, progress=bar.move
            )
        except KeyboardInterrupt:
            raise click.Abort("What was moved is kept. Run the same command again to go on") from None
    if as_json:
        show_json(report)
    else:
        _show(report)


def _show(report: MoveReport) -> None:
    moved = sum(report.moved.values())
    if moved:
        begun = "Went on with an unfinished move and finished it" if report.resumed else "Moved"
        say(f"{begun}: {numbered(moved, 'row')} in {report.seconds:.1f} s.")
    else:
        say("Nothing was left to move: everything is there already.")
    show_pairs([("from", report.source), ("to", report.target), ("tenant", report.tenant)])
    show_pairs([(name, f"{count:,}") for name, count in report.counts.items()])
    say("Every count and checksum is the same on both sides.")
