"""`engramforge calibrate`: fit the calibrations to the store's own memories."""

from __future__ import annotations

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, show_json, show_pairs, show_table
from engramforge.faces.views.shape import numbered


@click.command("calibrate")
@store_options
def command(call: Call) -> None:
    """Fit how similarities of each space are read to what this store holds.

    It happens by itself whenever many memories have come in and the store has doubled.
    """
    with call.open() as forge:
        report = forge.calibrate()
    if call.as_json:
        show_json(report)
        return
    if report.fitted_at is None:
        say(f"{numbered(report.memories, 'memory')}, too few to calibrate by: what is shipped stays in use.")
        return
    show_pairs(
        [
            ("calibrations", report.id),
            ("fitted to", numbered(report.fitted_memories, "memory")),
            ("pairs compared", report.pairs),
            ("seconds", f"{report.seconds:.2f}"),
        ]
    )
    if report.live:
        say()
        show_table(("space", "pairs of the store's own"), list(report.live.items()))
