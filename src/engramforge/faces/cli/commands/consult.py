"""`engramforge consult`: an answer with citations out of what is remembered, or that nothing is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import (
    KNOWN_LATER,
    NOTHING_KNOWN,
    Call,
    as_known_now,
    given,
    held_options,
    nothing_known,
    store_options,
)
from engramforge.faces.cli.output import remark, say_text, show_json
from engramforge.faces.views.oracle import OracleView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engramforge.forge import Forge


@click.command("consult")
@click.argument("query")
@click.option(
    "--deep", is_flag=True, help="Also the registries, what is linked, and a second round on what is missing."
)
@click.option("--project", multiple=True, metavar="NAME", help="In this project; may be given several times.")
@held_options
@click.option(
    "--model/--no-model",
    default=None,
    help="Have the language model of the settings judge and write, or not; by default where there is one.",
)
@store_options
def command(
    call: Call, query: str, deep: bool, project: Sequence[str], model: bool | None, **times: str | None
) -> None:
    """Answer QUERY out of what is remembered alone; every statement names what it rests on."""
    asked: dict[str, Any] = given(project=list(project) or None, model=model, **times)
    with call.open() as forge:
        depth = "deep" if deep else "shallow"
        view = OracleView.of(forge.consult(query, depth, **asked))
        hint = "" if view.answered or call.as_json else _hint(forge, query, depth, asked)
    if call.as_json:
        show_json(view)
    else:
        say_text(view.answer + "\n")
        if hint:
            remark(hint)
        if view.degraded:
            remark(view.degraded)


def _hint(forge: Forge, query: str, depth: str, asked: Mapping[str, Any]) -> str:
    """What to ask instead where nothing answers as of a time at which less was known."""
    if nothing_known(forge, asked):
        return NOTHING_KNOWN
    later = as_known_now(asked)
    if later is None or not forge.consult(query, depth, **{**later, "model": False}).answered:
        return ""
    return KNOWN_LATER
