"""`engramforge conflicts`: statements that contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import faint, say, shortened
from engramforge.faces.views.conflict import ConflictReportView, ConflictSideView, ConflictView
from engramforge.faces.views.shape import numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

_TEXT = 100
_REASON = 80
_project = click.option(
    "--project", "projects", multiple=True, metavar="NAME", help="Of this project (repeatable)."
)


@click.group("conflicts", invoke_without_command=True)
@_project
@click.option("--dismissed", is_flag=True, help="Those that were dismissed, instead.")
@click.option("--limit", type=int, metavar="N", help="The most to show, 1 to 1,000 (50).")
@store_options
@click.pass_context
def command(
    ctx: click.Context, /, call: Call, projects: tuple[str, ...], dismissed: bool, limit: int | None
) -> None:
    """Open conflicts, the surest first: the two statements, which signal, since when."""
    if ctx.invoked_subcommand is None:
        _list(call, projects, dismissed, limit)


@command.command("list")
@_project
@click.option("--dismissed", is_flag=True, help="Those that were dismissed, instead.")
@click.option("--limit", type=int, metavar="N", help="The most to show, 1 to 1,000 (50).")
@store_options
def list_(call: Call, projects: tuple[str, ...], dismissed: bool, limit: int | None) -> None:
    """List open conflicts; the same as without a subcommand."""
    _list(call, projects, dismissed, limit)


@command.command("detect")
@_project
@click.option(
    "--anew", is_flag=True, help="Compare everything, not only what was written since the last time."
)
@store_options
def detect(call: Call, projects: tuple[str, ...], anew: bool) -> None:
    """Look for conflicts and keep them; engramforge undo takes that back."""
    with call.open() as forge:
        found = ConflictReportView.of(forge.conflicts.detect(list(projects) or None, anew=anew))
    settled = f", {found.settled:,} settled" if found.settled else ""
    said = f"{numbered(found.compared, 'memory')} compared: {numbered(len(found.found), 'new conflict')}{settled}."
    call.tell({"report": found}, said)
    if not call.as_json:
        if found.degraded:
            faint(f"By rules alone: {found.degraded}")
        _show(found.found)


@command.command("dismiss")
@click.argument("id_", metavar="ID")
@click.option("--reason", metavar="TEXT", required=True, help="Why it is none.")
@store_options
def dismiss(call: Call, id_: str, reason: str) -> None:
    """Dismiss the conflict ID; it is not found again. engramforge undo opens it again."""
    with call.open() as forge:
        done = ConflictView.of(forge.conflicts.dismiss(id_, reason))
    call.tell({"conflict": done}, f"Dismissed: {done.dismissed}")


@command.command("check")
@click.argument("text")
@click.option("--tier", type=float, metavar="X", help="How sure the text is, 0..1 (0.5).")
@click.option(
    "--rejected", multiple=True, metavar="TEXT", help="An alternative that it rejects (repeatable)."
)
@_project
@store_options
def check(call: Call, text: str, projects: tuple[str, ...], **fields: Any) -> None:
    """What is remembered that TEXT would contradict; nothing is kept."""
    asked = {name: value for name, value in given(**fields).items() if value != ()}
    with call.open() as forge:
        found = ConflictView.list_of(forge.conflicts.check(text, project=list(projects) or None, **asked))
    if call.as_json:
        call.tell({"conflicts": found}, "")
    elif not found:
        say("Nothing contradicts that.")
    for each in () if call.as_json else found:
        say(_side("against", each.older))
        faint(f"  {each.said}")


def _list(call: Call, projects: Sequence[str], dismissed: bool, limit: int | None) -> None:
    with call.open() as forge:
        asked = given(limit=limit)
        found = ConflictView.list_of(
            forge.conflicts.list(list(projects) or None, dismissed=dismissed, **asked)
        )
    if call.as_json:
        call.tell({"conflicts": found}, "")
    elif not found:
        say("No conflict was dismissed." if dismissed else "No conflict is open.")
        faint("engramforge conflicts detect looks for them")
    else:
        _show(found)


def _show(found: Sequence[ConflictView]) -> None:
    for each in found:
        say(_side("newer", each.newer))
        say(_side("older", each.older))
        faint(f"  {each.said}")
        faint(f"  {each.id}")


def _side(which: str, side: ConflictSideView) -> str:
    because = f" (because {shortened(side.rationale, _REASON)})" if side.rationale else ""
    tier = f"tier {side.epistemic_tier:g}"
    return f"{which}  {side.project}, {tier}, {side.at[:10]}: {shortened(side.text, _TEXT)}{because}"
