"""`engramforge scratch`: notes for a while, of this agent alone."""

from __future__ import annotations

from typing import Any

import click

from engramforge.faces.cli.options import NO_UNDO, Call, content_of, conversation_option, given, store_options
from engramforge.faces.cli.output import shortened
from engramforge.faces.views.learned import ScratchView
from engramforge.faces.views.memory import secrets_told

_COLUMNS = ("key", "text", "session", "expires")
_SESSION = conversation_option("Of which it is.", "session")


@click.group("scratch", invoke_without_command=True)
@conversation_option("Only of this conversation.", "session")
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call, **fields: Any) -> None:
    """The scratchpad: without a subcommand what has not expired, the newest first."""
    if ctx.invoked_subcommand is not None:
        return
    with call.open() as forge:
        found = ScratchView.list_of(forge.scratch.list(**given(**fields)))
    call.tell_list("scratch", found, _COLUMNS, _row, "The scratchpad is empty.")


@command.command("put")
@click.argument("key")
@click.argument("text", required=False)
@_SESSION
@click.option("--ttl-hours", type=float, metavar="X", help="How long it lives, up to 720 (24).")
@store_options
def put(call: Call, key: str, text: str | None, **fields: Any) -> None:
    """Keep TEXT under KEY for a while (- reads it from standard input).

    undo does not take this back.
    """
    said = content_of(text)
    with call.open() as forge:
        view = ScratchView.of(forge.scratch.put(key, said, **given(**fields)))
    call.tell(view, f"Kept {view.key!r} until {view.expires_at[:19]}.{secrets_told(view)} {NO_UNDO}")


@command.command("get")
@click.argument("key")
@_SESSION
@store_options
def get(call: Call, key: str, **fields: Any) -> None:
    """Print what is kept under KEY."""
    with call.open() as forge:
        view = ScratchView.of(forge.scratch.get(key, **given(**fields)))
    call.tell(view, view.text)


@command.command("remove")
@click.argument("key")
@_SESSION
@store_options
def remove(call: Call, key: str, **fields: Any) -> None:
    """Take what is kept under KEY away; undo does not bring it back."""
    with call.open() as forge:
        view = ScratchView.of(forge.scratch.remove(key, **given(**fields)))
    call.tell(view, f"Removed {view.key!r}. {NO_UNDO}")


def _row(view: ScratchView) -> tuple[object, ...]:
    return view.key, shortened(view.text, 60), view.session, view.expires_at[:19]
