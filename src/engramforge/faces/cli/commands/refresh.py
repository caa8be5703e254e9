"""`engramforge refresh`: learn again from links, mentions and the store's own similarities."""

from __future__ import annotations

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, show_json
from engramforge.faces.views.shape import numbered


@click.command("refresh")
@click.option("--anew", is_flag=True, help="Train the entities from their seeds, under a new encoder id.")
@store_options
def command(call: Call, anew: bool) -> None:
    """Bring the graph (E8), the entities (E11) and the calibrations up to what the store holds.

    Links place their memories by themselves while there are few of them; entities learn here alone.
    """
    with call.open() as forge:
        relations = forge.refresh_relations(anew=anew)
        calibration = forge.calibrate()
    if call.as_json:
        show_json({"relations": relations, "calibration": calibration})
        return
    say(f"The graph: {numbered(relations.links, 'link')} between {numbered(relations.nodes, 'memory')}.")
    trained = "anew" if relations.trained_anew else "on from where it was"
    statements = numbered(relations.triples, "statement")
    say(f"{relations.entities} entities and memories learned from {statements}, {trained}.")
    say(f"The calibrations in use are {calibration.id}.")
