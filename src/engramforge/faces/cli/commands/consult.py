"""`engramforge consult`: an answer with citations out of what is remembered, or that nothing is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import remark, say_text, show_json
from engramforge.faces.views.oracle import OracleView

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("consult")
@click.argument("query")
@click.option(
    "--deep", is_flag=True, help="Also the registries, what is linked, and a second round on what is missing."
)
@click.option("--project", multiple=True, metavar="NAME", help="In this project; may be given several times.")
@click.option("--as-of", metavar="TIME", help="What held then, as it was known then.")
@click.option(
    "--model/--no-model",
    default=None,
    help="Have the language model of the settings judge and write, or not; by default where there is one.",
)
@store_options
def command(
    call: Call, query: str, deep: bool, project: Sequence[str], as_of: str | None, model: bool | None
) -> None:
    """Answer QUERY out of what is remembered alone; every statement names what it rests on."""
    asked: dict[str, Any] = given(as_of=as_of, project=list(project) or None, model=model)
    with call.open() as forge:
        view = OracleView.of(forge.consult(query, "deep" if deep else "shallow", **asked))
    if call.as_json:
        show_json(view)
    else:
        say_text(view.answer + "\n")
        if view.degraded:
            remark(view.degraded)
