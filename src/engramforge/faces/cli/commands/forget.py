"""`engramforge forget`: the one true deletion."""

from __future__ import annotations

import sys

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import remark, say, shortened, show_json
from engramforge.faces.views.memory import ForgottenView


@click.command("forget")
@click.argument("id_", metavar="ID")
@click.option("--reason", default="", metavar="TEXT", help="Kept in the audit log; never put content there.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_options
def command(call: Call, id_: str, reason: str, yes: bool) -> None:
    """Remove all versions of the memory ID from the disk, with proof. It cannot be undone.

    The answer says what was searched afterwards, and what is left where.
    """
    with call.open() as forge:
        memory = forge.get(id_)
        if not yes:
            if not sys.stdin.isatty():
                raise InvalidValue("Forgetting was not confirmed; nothing was removed", "Add --yes")
            versions = len(forge.history(memory.logical_id))
            remark(shortened(memory.content, 90))
            if not click.confirm(f"Remove this memory ({versions} on record) for good?", err=True):
                raise click.Abort("Nothing was removed")
        proof = forge.forget(memory.logical_id, reason=reason)
    view = ForgottenView.of(proof)
    if call.as_json:
        show_json({"forgotten": view})
        return
    say(
        f"Forgotten: {proof.logical_id}, {proof.versions} versions and {proof.links} links, at "
        f"{proof.at:%Y-%m-%d %H:%M:%S} UTC. {view.told()}."
    )
