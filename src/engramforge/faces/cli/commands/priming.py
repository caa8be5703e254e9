"""`engramforge priming`: texts that prepare for a territory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import Call, content_of, given, level_option, store_options
from engramforge.faces.cli.output import heading, shortened, show_json
from engramforge.faces.cli.registries import show_entry, tag_option, tell_more
from engramforge.faces.views.learned import PrimingView, TerritoryView
from engramforge.faces.views.memory import secrets_told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.model.registries.learned import PrimingBlock

_COLUMNS = ("territory", "block", "expires", "project", "id")
_PROJECT = click.option("--project", metavar="NAME", help="Only this project.")
expires_option = click.option(
    "--expires-at", metavar="TIME", help="From when on it primes no more, such as tomorrow (never)."
)


@click.group("priming", invoke_without_command=True)
@_PROJECT
@click.option("--territory", metavar="NAME", help="Only of this territory.")
@tag_option
@click.option("--limit", type=int, metavar="N", help="The most to show (50).")
@click.option("--offset", type=int, metavar="N", help="Leave out the first N.")
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call, **fields: Any) -> None:
    """Priming blocks: without a subcommand those that have not expired, the newest first."""
    if ctx.invoked_subcommand is not None:
        return
    with call.open() as forge:
        found = forge.priming.list(**given(**fields))
    _show_list(call, found)
    tell_more(call, found, fields["limit"])


@command.command("add")
@click.argument("territory")
@click.argument("content", required=False)
@click.option("--project", metavar="NAME", help="The project it belongs to.")
@expires_option
@tag_option
@level_option
@store_options
def add(call: Call, territory: str, content: str | None, **fields: Any) -> None:
    """Write a priming block for TERRITORY (- reads it from standard input)."""
    text = content_of(content)
    with call.open() as forge:
        view = PrimingView.of(forge.priming.add(territory, text, **given(**fields)))
    call.tell(view, f"Added the priming block {view.id}.{secrets_told(view)}")


@command.command("show")
@click.argument("id_", metavar="ID")
@store_options
def show(call: Call, id_: str) -> None:
    """A priming block, and the flags that it was made from."""
    with call.open() as forge:
        view = PrimingView.of(forge.priming.get(id_))
    if call.as_json:
        show_json(view)
        return
    heading(view.territory or "priming")
    pairs = [
        ("project", view.project),
        ("tags", ", ".join(view.tags)),
        ("made from", ", ".join(view.made_from)),
        ("since", view.valid_at[:19]),
        ("expires", (view.expires_at or "")[:19]),
        ("id", view.id),
    ]
    show_entry(pairs, view.content)


@command.command("find")
@click.argument("topic")
@_PROJECT
@click.option("--limit", type=int, metavar="N", help="The most to show (5).")
@store_options
def find(call: Call, topic: str, **fields: Any) -> None:
    """The priming blocks that TOPIC activates."""
    with call.open() as forge:
        found = forge.priming.find_relevant_priming(content_of(topic), **given(**fields))
    _show_list(call, found)


@command.command("territories")
@_PROJECT
@store_options
def territories(call: Call, **fields: Any) -> None:
    """The territories that have priming blocks."""
    with call.open() as forge:
        found = TerritoryView.list_of(forge.priming.territories(**given(**fields)))
    columns = ("territory", "blocks", "newest", "project")
    call.tell_list(
        "territories",
        found,
        columns,
        lambda each: (each.name, each.blocks, each.newest_at[:10], each.project),
        "There is none yet.",
    )


def _show_list(call: Call, found: Sequence[PrimingBlock]) -> None:
    empty = "No priming block fits that. engramforge priming add writes one."
    call.tell_list("priming", PrimingView.list_of(found), _COLUMNS, _row, empty)


def _row(view: PrimingView) -> tuple[object, ...]:
    expires = "never" if view.expires_at is None else view.expires_at[:19]
    return view.territory, shortened(view.content, 60), expires, view.project, view.id
