"""`engramforge scan`: memories of different projects that resonate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, shortened, show_json, show_table
from engramforge.faces.views.lens import ScanView

if TYPE_CHECKING:
    from engramforge.model.memory import Memory

_SHOWN = 10
_LINE = 90


@click.command("scan")
@click.option(
    "--threshold", type=float, metavar="X", help="Calibrated similarity from which they do, 0..1 (0.75)."
)
@click.option(
    "--anew", is_flag=True, help="Compare everything, not only what was written since the last scan."
)
@click.option("--latest", is_flag=True, help="Show the last scan and make none.")
@store_options
def command(call: Call, threshold: float | None, anew: bool, latest: bool) -> None:
    """Look for memories of different projects that resonate, and for the clusters that they make."""
    with call.open() as forge:
        found = forge.lenses.latest_scan() if latest else forge.lenses.scan(threshold, anew=anew)
        if found is None:
            call.tell({"scan": None}, "No scan was made yet. engramforge scan makes one.")
            return
        first = [each for members in found.clusters[:_SHOWN] for each in members[:2]]
        told = {each.logical_id: each for each in map(forge.get, first)} if not call.as_json else {}
    view = ScanView.of(found)
    if call.as_json:
        show_json({"scan": view})
        return
    say(
        f"{view.memories:,} memories of {view.projects} projects compared at {view.at[:19]}, threshold "
        f"{view.threshold:g}: {view.resonances:,} resonances, {len(view.clusters):,} clusters."
    )
    rows = [
        (number, len(members), " | ".join(_said(told[each]) for each in members[:2] if each in told))
        for number, members in enumerate(view.clusters[:_SHOWN])
    ]
    if rows:
        show_table(("cluster", "memories", "such as"), rows)


def _said(memory: Memory) -> str:
    return shortened(f"{memory.project}: {memory.content}", _LINE)
