"""`engramforge conflicts`: statements that contradict each other."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import Call, given, store_options, together
from engramforge.faces.cli.output import faint, say, shortened
from engramforge.faces.views.conflict import (
    NOTHING_STORED,
    ConflictReportView,
    ConflictSideView,
    ConflictView,
    shown,
)
from engramforge.faces.views.shape import numbered
from engramforge.model.limits import RECALL_HITS

if TYPE_CHECKING:
    from collections.abc import Sequence

_TEXT = 100
_NONE = "conflict is open"
_REASON = 80
_limit = click.option(
    "--limit", type=click.IntRange(1, RECALL_HITS), metavar="N", help="The most to show (50)."
)
_project = click.option(
    "--project", "projects", multiple=True, metavar="NAME", help="Of this project (repeatable)."
)
_listed = together(
    _project,
    click.option("--dismissed", is_flag=True, help="Those that were dismissed, instead."),
    click.option("--replaced", is_flag=True, help="Instead, pairs of which one takes the other's place."),
    _limit,
)


@click.group("conflicts", invoke_without_command=True)
@_listed
@store_options
@click.pass_context
def command(
    ctx: click.Context, /, call: Call, projects: tuple[str, ...], limit: int | None, **which: bool
) -> None:
    """Open conflicts, the surest first: the two statements, which signal, since when."""
    if ctx.invoked_subcommand is None:
        _list(call, projects, limit, **which)


@command.command("list")
@_listed
@store_options
def list_(call: Call, projects: tuple[str, ...], limit: int | None, **which: bool) -> None:
    """List open conflicts; the same as without a subcommand."""
    _list(call, projects, limit, **which)


@command.command("detect")
@_project
@click.option(
    "--anew", is_flag=True, help="Compare everything, not only what was written since the last time."
)
@_limit
@store_options
def detect(call: Call, projects: tuple[str, ...], anew: bool, limit: int | None) -> None:
    """Look for conflicts and keep them; engramforge undo takes that back."""
    with call.open() as forge:
        found = ConflictReportView.of(forge.conflicts.detect(list(projects) or None, anew=anew))
        has_files = bool(forge.memories(project=list(projects) or None, kinds=["chunk"], limit=1))
    settled = f", {found.settled:,} settled" if found.settled else ""
    settled += f", {numbered(found.replaced, 'declared replacement')}" if found.replaced else ""
    said = f"{numbered(found.compared, 'memory')} compared: {numbered(len(found.found), 'new conflict')}{settled}."
    first, more = shown(found.found, limit)
    call.tell({"report": replace(found, found=list(first)), "more": more}, said)
    if not call.as_json:
        if found.degraded:
            faint(f"By rules alone: {found.degraded}")
        if has_files:
            faint("Pieces of imported files are not compared: they describe more than they claim.")
        _show(first, more, projects=projects)


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
        is_any = bool(found or forge.memories(project=list(projects) or None, limit=1))
    if call.as_json:
        call.tell({"conflicts": found}, "")
    elif not found:
        say("Nothing contradicts that." if is_any else NOTHING_STORED)
    for each in () if call.as_json else found:
        say(_side("against", each.older))
        faint(f"  {each.said}")


def _list(call: Call, projects: Sequence[str], limit: int | None, *, dismissed: bool, replaced: bool) -> None:
    with call.open() as forge:
        found = ConflictView.list_of(
            forge.conflicts.list(
                list(projects) or None,
                dismissed=dismissed,
                replaced=replaced,
                limit=RECALL_HITS,
            )
        )
    first, more = shown(found, limit)
    if call.as_json:
        call.tell({"conflicts": list(first), "more": more}, "")
    elif not found:
        say(
            f"No {'replacement is declared' if replaced else 'conflict was dismissed' if dismissed else _NONE}."
        )
        faint("engramforge conflicts detect looks for new ones")
        if replaced:
            faint("What somebody superseded: engramforge decisions list --status superseded")
    else:
        kept = {"--dismissed": dismissed, "--replaced": replaced}
        _show(first, more, "".join(f" {option}" for option, is_on in kept.items() if is_on), projects)


def _show(found: Sequence[ConflictView], more: int, options: str = "", projects: Sequence[str] = ()) -> None:
    for each in found:
        say(_side("newer", each.newer))
        say(_side("older", each.older))
        faint(f"  {each.said}")
        faint(f"  {each.id}")
    if more:
        at_least = "at least " if more + len(found) >= RECALL_HITS else ""
        named = "".join(f" --project {shlex.quote(each)}" for each in projects)
        faint(f"and {at_least}{more:,} more: engramforge conflicts{options}{named} --limit N")


def _side(which: str, side: ConflictSideView) -> str:
    because = f" (because {shortened(side.rationale, _REASON)})" if side.rationale else ""
    tier = f"tier {side.epistemic_tier:g}"
    return f"{which}  {side.project}, {tier}, {side.at[:10]}: {shortened(side.text, _TEXT)}{because}"
