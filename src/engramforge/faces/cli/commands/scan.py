"""`engramforge scan`: memories of different projects that resonate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import faint, say, shortened, show_json, show_table
from engramforge.faces.views.lens import ScanView
from engramforge.faces.views.shape import numbered

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.memory import Memory

_LINE = 80
_LOOKED_AT = 100
"""Members of a cluster among which those that are shown are chosen."""


@click.command("scan")
@click.option(
    "--threshold", type=float, metavar="X", help="Calibrated similarity from which they do, 0..1 (0.75)."
)
@click.option(
    "--anew", is_flag=True, help="Compare everything, not only what was written since the last scan."
)
@click.option("--latest", is_flag=True, help="Show the last scan and make none.")
@click.option(
    "--limit", type=click.IntRange(1), default=10, metavar="N", help="Clusters that are shown (10)."
)
@click.option(
    "--members", type=click.IntRange(2), default=3, metavar="N", help="Memories of each that are shown (3)."
)
@store_options
def command(call: Call, threshold: float | None, anew: bool, latest: bool, limit: int, members: int) -> None:
    """Look for memories of different projects that resonate, and for the clusters that they make.

    The last scan is kept; undo does not take it back.
    """
    if latest and (anew or threshold is not None):
        other = "--anew" if anew else "--threshold"
        raise InvalidValue(f"--latest makes no scan, and {other} asks for one", "Leave one of them out")
    with call.open() as forge:
        found = forge.lenses.latest_scan() if latest else forge.lenses.scan(threshold, anew=anew)
        if found is None:
            call.tell({"scan": None}, "No scan was made yet. engramforge scan makes one.")
            return
        view = ScanView.of(found)
        if call.as_json:
            show_json({"scan": view})
            return
        shown = [_chosen(forge, each, members) for each in view.clusters[:limit]]
    say(
        f"{numbered(view.memories, 'memory')} of {numbered(view.projects, 'project')} compared at {view.at[:19]}, "
        f"threshold {view.threshold:g}: {numbered(view.resonances, 'resonance')}, "
        f"{numbered(len(view.clusters), 'cluster')}."
    )
    rows = [
        (
            number if place == 0 else "",
            f"{len(each):,}" if place == 0 else "",
            memory.logical_id,
            memory.project,
            shortened(memory.content, _LINE),
        )
        for number, (each, chosen) in enumerate(zip(view.clusters, shown, strict=False))
        for place, memory in enumerate(chosen)
    ]
    if rows:
        show_table(("cluster", "memories", "id", "project", "says"), rows)
    if len(view.clusters) > limit:
        faint(
            f"{limit} of {len(view.clusters):,} clusters; --limit {len(view.clusters)} shows all, "
            "--members N more of each, --json every id."
        )


def _chosen(forge: Forge, cluster: Sequence[str], most: int) -> list[Memory]:
    """Some members of a cluster: one of each project first."""
    found = [forge.get(each) for each in cluster[:_LOOKED_AT]]
    seen: Counter[str] = Counter()
    turns = []
    for memory in found:
        turns.append(seen[memory.project])
        seen[memory.project] += 1
    order = sorted(range(len(found)), key=lambda at: (turns[at], at))
    return [found[at] for at in order[:most]]
