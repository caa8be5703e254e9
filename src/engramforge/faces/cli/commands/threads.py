"""`engramforge threads`: what is open, what blocks it, and how it was closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import Call, content_of, conversation_option, given, store_options
from engramforge.faces.cli.output import heading, short, shortened, show_json
from engramforge.faces.cli.registries import (
    entry_options,
    page_options,
    search_options,
    show_entry,
    show_thread,
    tell_more,
)
from engramforge.faces.views.registry import ThreadView, with_status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.model.registries.thread import Thread

_COLUMNS = ("name", "thread", "status", "priority", "since", "project", "id")
_STATUS = click.option(
    "--status", metavar="STATUS", help="open (default), resolved, superseded, abandoned or all."
)


@click.group("threads", invoke_without_command=True)
@_STATUS
@page_options
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call, **fields: Any) -> None:
    """What is open: without a subcommand the open threads, high priority first."""
    if ctx.invoked_subcommand is None:
        _browse(call, fields)


@command.command("list")
@_STATUS
@page_options
@store_options
def list_(call: Call, **fields: Any) -> None:
    """The open threads, high priority first, as without a subcommand."""
    _browse(call, fields)


def _browse(call: Call, fields: dict[str, Any]) -> None:
    asked = given(**fields)
    with call.open() as forge:
        if asked.keys() <= {"project", "limit"}:
            found = forge.threads.active(**asked)
        else:
            found = forge.threads.browse(**with_status(asked, "open"))
    _show_list(call, found)
    tell_more(call, found, fields["limit"])


@command.command("create")
@click.argument("title")
@click.argument("content", required=False)
@click.option("--priority", metavar="WORD", help="high, medium (default) or low.")
@click.option("--blocked-by", multiple=True, metavar="ID", help="A thread it waits for (repeatable).")
@entry_options("T001")
@store_options
def create(call: Call, title: str, content: str | None, **fields: Any) -> None:
    """Open a thread with TITLE and, in full, CONTENT (- reads it from standard input)."""
    text = "" if content is None else content_of(content)
    with call.open() as forge:
        made = forge.threads.create(title, text, **given(**fields))
    show_thread(call, made, "Opened")


@command.command("show")
@click.argument("id_", metavar="ID")
@conversation_option("Whose T001 it is, when ID is one.")
@store_options
def show(call: Call, id_: str, **fields: Any) -> None:
    """A thread with what blocks it and how it was closed."""
    with call.open() as forge:
        view = ThreadView.of(forge.threads.get(id_, **given(**fields)))
    if call.as_json:
        show_json(view)
        return
    blocked = " (blocked)" if view.is_blocked else ""
    heading(f"{view.id}  {view.status}{blocked}")
    show_entry(
        [
            ("local id", view.local_id),
            ("content", view.content),
            ("priority", view.priority),
            ("blocked by", "; ".join(f"{each.id} {each.title} ({each.status})" for each in view.blocked_by)),
            ("resolution", view.resolution),
            ("resolved in", view.resolved_in),
            ("project", view.project),
            ("conversations", ", ".join(view.conversation_ids)),
            ("open since", view.opened_at[:19]),
            ("tags", ", ".join(view.tags)),
            ("read from", view.evidence and f"{short(view.evidence.message_id)}: {view.evidence.sentence}"),
            ("confidence", f"{view.confidence:.2f}"),
        ],
        view.title,
    )


@command.command("update")
@click.argument("id_", metavar="ID")
@click.option("--status", metavar="STATUS", help="open, resolved, superseded or abandoned.")
@click.option("--resolution", metavar="TEXT", help="How it was closed.")
@click.option("--title", metavar="TEXT", help="Another title.")
@click.option("--content", metavar="TEXT", help="Another full text.")
@click.option("--priority", metavar="WORD", help="high, medium or low.")
@click.option("--blocked-by", multiple=True, metavar="ID", help="All threads it waits for (repeatable).")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="All its tags (repeatable).")
@conversation_option("Where it was changed.")
@click.option("--at", metavar="TIME", help="When it changed (now).")
@click.option("--expected-version", type=int, metavar="N", help="Refuse when somebody was faster.")
@store_options
def update(call: Call, id_: str, **fields: Any) -> None:
    """Change a thread; its history stays."""
    with call.open() as forge:
        made = forge.threads.update(id_, **given(**fields))
    show_thread(call, made, "Updated")


@command.command("resolve")
@click.argument("id_", metavar="ID")
@click.argument("resolution", required=False)
@conversation_option("Where it was closed.")
@store_options
def resolve(call: Call, id_: str, **fields: Any) -> None:
    """Close a thread; RESOLUTION says how."""
    with call.open() as forge:
        made = forge.threads.update(id_, status="resolved", **given(**fields))
    show_thread(call, made, "Resolved")


@command.command("reopen")
@click.argument("id_", metavar="ID")
@conversation_option("Where it was opened again.")
@store_options
def reopen(call: Call, id_: str, **fields: Any) -> None:
    """Open a thread again that was closed."""
    with call.open() as forge:
        made = forge.threads.update(id_, status="open", **given(**fields))
    show_thread(call, made, "Opened again")


@command.command("search")
@click.argument("query")
@click.option("--status", metavar="STATUS", help="open (default), resolved, superseded, abandoned or all.")
@search_options
@store_options
def search(call: Call, query: str, **fields: Any) -> None:
    """Find threads by meaning, keyword or id."""
    with call.open() as forge:
        found = forge.threads.search(content_of(query), **with_status(given(**fields), "open"))
    _show_list(call, found)


@command.command("history")
@click.argument("id_", metavar="ID")
@store_options
def history(call: Call, id_: str) -> None:
    """Every version of a thread, oldest first."""
    with call.open() as forge:
        found = ThreadView.list_of(forge.threads.history(id_))
    columns = ("version", "status", "priority", "since", "recorded", "title", "resolution")
    call.tell_list("threads", found, columns, _version)


def _version(view: ThreadView) -> tuple[object, ...]:
    return (
        view.version,
        view.status,
        view.priority,
        view.valid_at[:10],
        view.created_at[:19],
        shortened(view.title, 50),
        shortened(view.resolution or "", 50),
    )


def _show_list(call: Call, found: Sequence[Thread]) -> None:
    call.tell_list("threads", ThreadView.list_of(found), _COLUMNS, _row, "No thread fits that.")


def _row(view: ThreadView) -> tuple[object, ...]:
    status = f"{view.status}, blocked" if view.is_blocked else view.status
    return (
        view.local_id,
        shortened(view.title, 60),
        status,
        view.priority,
        view.opened_at[:10],
        view.project,
        view.id,
    )
