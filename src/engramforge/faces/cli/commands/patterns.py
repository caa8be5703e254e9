"""`engramforge patterns`: ways that keep coming back, and how well they work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import (
    Call,
    content_of,
    conversation_option,
    given,
    level_option,
    store_options,
)
from engramforge.faces.cli.output import heading, say, shortened, show_json, show_table
from engramforge.faces.cli.registries import show_entry, tag_option, tell_more
from engramforge.faces.views.learned import PatternView
from engramforge.faces.views.memory import secrets_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.model.registries.learned import Pattern

_COLUMNS = ("pattern", "worked", "project", "id")
_PROJECT = click.option("--project", metavar="NAME", help="Only this project.")


@click.group("patterns", invoke_without_command=True)
@_PROJECT
@tag_option
@click.option("--limit", type=int, metavar="N", help="The most to show (50).")
@click.option("--offset", type=int, metavar="N", help="Leave out the first N.")
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call, **fields: Any) -> None:
    """Patterns: without a subcommand all of them, what works best first."""
    if ctx.invoked_subcommand is not None:
        return
    with call.open() as forge:
        found = forge.patterns.list(**given(**fields))
    _show_list(
        call, found, is_any=any(fields[name] for name in ("project", "tags", "offset") if name in fields)
    )
    tell_more(call, found, fields["limit"])


@command.command("add")
@click.argument("content", required=False)
@click.option("--name", metavar="TEXT", help="What it is called.")
@click.option("--project", metavar="NAME", help="The project it belongs to.")
@tag_option
@level_option
@conversation_option("Where it was found.", "session_id")
@store_options
def add(call: Call, content: str | None, **fields: Any) -> None:
    """Write a pattern: what to do when (- reads it from standard input)."""
    text = content_of(content)
    with call.open() as forge:
        view = PatternView.of(forge.patterns.add(text, **given(**fields)))
    call.tell(view, f"Added the pattern {view.id}.{secrets_told(view)}")


@command.command("show")
@click.argument("id_", metavar="ID")
@store_options
def show(call: Call, id_: str) -> None:
    """A pattern with each of its outcomes."""
    with call.open() as forge:
        view = PatternView.of(forge.patterns.get(id_))
    if call.as_json:
        show_json(view)
        return
    heading(f"{view.name or 'pattern'}  {view.worked}")
    pairs = [("project", view.project), ("tags", ", ".join(view.tags)), ("since", view.valid_at[:19])]
    show_entry([*pairs, ("id", view.id)], view.content)
    if view.outcomes:
        say()
        rows = (
            (each.at[:19], "worked" if each.success else "failed", each.note, each.id)
            for each in view.outcomes
        )
        show_table(("when", "outcome", "note", "id"), rows)


@command.command("search")
@click.argument("query")
@_PROJECT
@click.option("--limit", type=int, metavar="N", help="The most to show (10).")
@store_options
def search(call: Call, query: str, **fields: Any) -> None:
    """Find patterns by meaning or keyword."""
    with call.open() as forge:
        found = forge.patterns.search(content_of(query), **given(**fields))
    _show_list(call, found, is_any=True)


@command.command("outcome")
@click.argument("id_", metavar="ID")
@click.argument("note", required=False, default="")
@click.option("--worked", is_flag=True, help="It worked.")
@click.option("--failed", is_flag=True, help="It did not; one of the two is needed.")
@conversation_option("Where it was tried.", "session_id")
@click.option("--at", metavar="TIME", help="When (now).")
@store_options
def outcome(call: Call, id_: str, note: str, worked: bool, failed: bool, **fields: Any) -> None:
    """Record what came of trying the pattern ID; NOTE says it in words."""
    if worked is failed:
        fault = "It cannot have worked and failed at once" if worked else "Nothing says whether it worked"
        raise InvalidValue(fault, "Give --worked or --failed")
    with call.open() as forge:
        view = PatternView.of(forge.patterns.outcome(id_, worked, note, **given(**fields)))
    call.tell(view, f"Noted: it worked {view.worked}.{secrets_told(view)}")


def _show_list(call: Call, found: Sequence[Pattern], *, is_any: bool) -> None:
    """`is_any`: whether only some were asked for."""
    which = "such pattern" if is_any else "pattern yet"
    empty = f"There is no {which}. engramforge patterns add writes one."
    call.tell_list("patterns", PatternView.list_of(found), _COLUMNS, _row, empty)


def _row(view: PatternView) -> tuple[object, ...]:
    text = f"{view.name}: {view.content}" if view.name else view.content
    return shortened(text, 70), view.worked, view.project, view.id
