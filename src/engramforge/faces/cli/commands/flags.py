"""`engramforge flags`: what was noticed, until an expedition compiles it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.commands.priming import expires_option
from engramforge.faces.cli.options import (
    Call,
    content_of,
    conversation_option,
    given,
    level_option,
    store_options,
    together,
)
from engramforge.faces.cli.output import heading, shortened, show_json
from engramforge.faces.cli.registries import show_entry, tag_option, tell_more
from engramforge.faces.views.learned import FlagView, PrimingView
from engramforge.faces.views.memory import secrets_told
from engramforge.faces.views.registry import with_status
from engramforge.faces.views.shape import numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.model.registries.learned import Flag

_COLUMNS = ("flag", "type", "status", "project", "id")
_FILTERS = together(
    click.option("--status", metavar="STATUS", help="pending (default), compiled or all."),
    click.option("--type", metavar="WORD", help="Only of this type, such as isomorphism."),
    click.option("--project", metavar="NAME", help="Only this project."),
)


@click.group("flags", invoke_without_command=True)
@_FILTERS
@tag_option
@click.option("--limit", type=int, metavar="N", help="The most to show (50).")
@click.option("--offset", type=int, metavar="N", help="Leave out the first N.")
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call, **fields: Any) -> None:
    """Flags: without a subcommand those that are pending, the newest first."""
    if ctx.invoked_subcommand is not None:
        return
    with call.open() as forge:
        found = forge.flags.list(**with_status(given(**fields), "pending"))
    _show_list(call, found)
    tell_more(call, found, fields["limit"])


@command.command("add")
@click.argument("content", required=False)
@click.option("--type", metavar="WORD", help="isomorphism, or any other word (observation).")
@click.option("--project", metavar="NAME", help="The project it belongs to.")
@tag_option
@level_option
@conversation_option("Where it was noticed.", "session_id")
@store_options
def add(call: Call, content: str | None, **fields: Any) -> None:
    """Raise a flag (- reads it from standard input)."""
    text = content_of(content)
    with call.open() as forge:
        view = FlagView.of(forge.flags.add(text, **given(**fields)))
    call.tell(view, f"Raised the flag {view.id} ({view.type}).{secrets_told(view)}")


@command.command("show")
@click.argument("id_", metavar="ID")
@store_options
def show(call: Call, id_: str) -> None:
    """A flag, and the priming blocks that it was compiled in."""
    with call.open() as forge:
        view = FlagView.of(forge.flags.get(id_))
    if call.as_json:
        show_json(view)
        return
    heading(f"{view.type}  {view.status}")
    pairs = [
        ("project", view.project),
        ("tags", ", ".join(view.tags)),
        ("compiled in", ", ".join(view.compiled_in)),
        ("since", view.valid_at[:19]),
        ("id", view.id),
    ]
    show_entry(pairs, view.content)


@command.command("search")
@click.argument("query")
@_FILTERS
@click.option("--limit", type=int, metavar="N", help="The most to show (10).")
@store_options
def search(call: Call, query: str, **fields: Any) -> None:
    """Find flags by meaning or keyword."""
    with call.open() as forge:
        found = forge.flags.search(content_of(query), **with_status(given(**fields), "pending"))
    _show_list(call, found)


@command.command("compile")
@click.argument("territory")
@click.argument("content", required=False)
@click.option(
    "--flag", "ids", multiple=True, metavar="ID", help="This flag (repeatable); else what bears on it."
)
@click.option("--project", metavar="NAME", help="The project of the block, and of the flags.")
@expires_option
@store_options
def compile_(call: Call, territory: str, content: str | None, **fields: Any) -> None:
    """An expedition: pending flags about TERRITORY become a priming block. CONTENT says what it found; without it the
    block says what the flags say (- reads it from standard input)."""
    text = None if content is None else content_of(content)
    with call.open() as forge:
        view = PrimingView.of(forge.flags.compile(territory, **given(content=text, **fields)))
    said = f"Compiled {numbered(len(view.made_from), 'flag')} into the priming block {view.id}."
    call.tell(view, said + secrets_told(view))


def _show_list(call: Call, found: Sequence[Flag]) -> None:
    empty = "No flag fits that. What was read from conversations and waits is in: engramforge review."
    call.tell_list("flags", FlagView.list_of(found), _COLUMNS, _row, empty)


def _row(view: FlagView) -> tuple[object, ...]:
    return shortened(view.content, 70), view.type, view.status, view.project, view.id
