"""`engramforge context`: what is known about a question, as text for a model to read."""

from __future__ import annotations

from typing import Any

import click

from engramforge.faces.cli.options import Call, content_of, end_without_project, given, store_options
from engramforge.faces.cli.output import faint, say, show_json
from engramforge.faces.views.archive import ContextView


@click.command("context")
@click.argument("query")
@click.option("--project", metavar="NAME", help="The project at hand; all when left out.")
@click.option("--cross-project", is_flag=True, help="Look into the other projects, too.")
@click.option("--budget", type=int, metavar="CHARACTERS", help="The most characters.")
@click.option("--no-threads", is_flag=True, help="Leave out threads.")
@click.option("--no-decisions", is_flag=True, help="Leave out decisions.")
@store_options
def command(call: Call, query: str, no_threads: bool, no_decisions: bool, **fields: Any) -> None:
    """Load context for QUERY (- reads it from standard input): memories, open threads, active decisions."""
    with call.open() as forge:
        found = ContextView.of(
            forge.context_load(
                content_of(query),
                include_threads=not no_threads,
                include_decisions=not no_decisions,
                **given(**fields),
            )
        )
    if call.as_json:
        show_json(found)
    if found.note and not found.text:
        end_without_project(call, found.note)
    if call.as_json:
        return
    say("\n".join(filter(None, (found.note, found.text))) or "Nothing relevant was found.")
    if found.left_out:
        faint(f"{found.left_out} more found no room: give a larger --budget")
