"""`engramforge feedback`: say whether what was put before the model was of use."""

from __future__ import annotations

from typing import Any

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.views.injection import InjectionView


@click.command("feedback")
@click.argument("id_", metavar="ID")
@click.option("--useful/--not-useful", default=None, help="Whether it was of use; one of both is needed.")
@click.option("--memory", metavar="ID", help="Only this memory of the injection.")
@click.option("--note", metavar="TEXT", help="Why, in some words.")
@store_options
def command(call: Call, id_: str, useful: bool | None, **fields: Any) -> None:
    """Say whether the injection ID, or the memory ID in the last one that had it, was of use."""
    if useful is None:
        raise InvalidValue("Nothing says whether it was of use", "Give --useful or --not-useful")
    with call.open() as forge:
        view = InjectionView.of(forge.injections.feedback(id_, useful=useful, **given(**fields)))
    said = "of use" if useful else "of no use"
    meant = fields.get("memory") or ("" if view.id.startswith(id_.strip()) else id_.strip())
    what = f"memory {meant}, in injection {view.id}" if meant else f"injection {view.id}"
    call.tell({"injection": view}, f"Noted that it was {said}: {what}.")
