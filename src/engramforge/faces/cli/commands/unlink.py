"""`engramforge unlink`: a link was wrong."""

from __future__ import annotations

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import short
from engramforge.faces.views.link import UnlinkedView


@click.command("unlink")
@click.argument("link_id", metavar="LINK")
@click.option("--reason", default="", metavar="TEXT", help="Kept in the audit log; never put content there.")
@store_options
def command(call: Call, link_id: str, reason: str) -> None:
    """Take the link LINK off the record: it was wrong. It stays in history."""
    with call.open() as forge:
        proof = forge.unlink(link_id, reason)
    said = f"Unlinked: {short(proof.link_id)}, at {proof.at:%Y-%m-%d %H:%M:%S} UTC. It stays in history."
    call.tell({"unlinked": UnlinkedView.of(proof)}, said)
