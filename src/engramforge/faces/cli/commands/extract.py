"""`engramforge extract`: have the language model read messages for decisions, threads and names."""

from __future__ import annotations

import sys

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import on_terminal, remark, say, show_json
from engramforge.faces.views.shape import numbered


@click.command("extract")
@click.option(
    "--limit",
    type=int,
    default=100,
    show_default=True,
    metavar="N",
    help="The most messages; each is a call.",
)
@click.option("--anew", is_flag=True, help="From the first message on, whatever was read before.")
@store_options
def command(call: Call, limit: int, anew: bool) -> None:
    """Have the language model of the settings read messages that it has not read yet.

    What it finds is checked against each message; what is not sure waits for review.
    """
    seen = on_terminal(sys.stderr)

    def tell(done: int) -> None:
        sys.stderr.write(f"\r{done:,} messages")
        sys.stderr.flush()

    with call.open() as forge:
        found = forge.extract(limit, anew=anew, progress=tell if seen else None)
    if seen and found.messages:
        sys.stderr.write("\r\033[K")
    if call.as_json:
        show_json(found)
        return
    say(
        f"Read {numbered(found.messages, 'message')}: {numbered(found.entries, 'new entry')},"
        f" {found.waiting} to review, {numbered(found.names, 'new name')}."
    )
    if found.stopped:
        remark(f"Stopped: {found.stopped}")
    elif not found.is_complete:
        say("More are left: run engramforge extract again.")
