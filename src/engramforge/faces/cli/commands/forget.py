"""`engramforge forget`: the one true deletion."""

from __future__ import annotations

import sys
from typing import Any

import click

from engramforge.errors import InvalidValue, NotConfirmed
from engramforge.faces.cli.options import Call, ask_first, conversation_option, given, store_options
from engramforge.faces.cli.output import remark, shortened
from engramforge.faces.views.memory import ForgottenView
from engramforge.faces.views.shape import numbered


@click.command("forget")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@conversation_option("What was said and recorded in this conversation.")
@click.option("--file", metavar="PATH", help="What was imported from this file or folder.")
@click.option("--project", metavar="NAME", help="The whole project; with another option, only what is in it.")
@click.option(
    "--reason", default="", metavar="TEXT", help="Kept in the audit log, without distinctive words of it."
)
@click.option("--yes", is_flag=True, help="Do not ask, however many memories go.")
@store_options
def command(call: Call, ids: tuple[str, ...], reason: str, yes: bool, **fields: Any) -> None:
    """Remove memories from the disk, all their versions, with proof. It cannot be undone.

    Those with these IDs, or all of a conversation, a file or a project. On a terminal it says how many memories go, and
    asks. The answer says what was searched afterwards, and what is left where.
    """
    asked: dict[str, Any] = {"memory_id": ids, "reason": reason, **given(**fields)}
    with call.open() as forge:
        try:
            proof = forge.forget(**asked, confirmed=yes, unasked=0)
        except NotConfirmed as error:
            if not sys.stdin.isatty():
                raise InvalidValue(
                    f"{error.fault}. It was not confirmed; nothing was removed", "Add --yes"
                ) from None
            if len(ids) == 1:
                asked_for = forge.get(ids[0])
                remark(f"{asked_for.id}  {shortened(asked_for.content, 90)}")
            ask_first(f"{error.fault}. Go ahead?", "Nothing was removed.")
            proof = forge.forget(**asked, confirmed=True)
    view = ForgottenView.of(proof)
    call.tell(
        {"forgotten": view},
        f"Forgotten: {view.named(ids)}, {numbered(proof.versions, 'version')} and {numbered(proof.links, 'link')}, at "
        f"{proof.at:%Y-%m-%d %H:%M:%S} UTC. {view.told(reason)}.",
    )
