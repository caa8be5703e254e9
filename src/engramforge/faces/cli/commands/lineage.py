"""`engramforge lineage`: which conversation goes on from which, and what was carried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import Call, content_of, given, level_option, store_options
from engramforge.faces.cli.output import heading, say, shortened, show_json, wrapped
from engramforge.faces.cli.registries import untagged_search_options
from engramforge.faces.views.memory import secrets_told
from engramforge.faces.views.registry import BridgeView, LineageEdgeView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.model.registries.lineage import LineageEdge

_COLUMNS = ("from", "to", "compressed", "mode", "tag", "decisions", "threads", "project", "id")


@click.group("lineage", invoke_without_command=True)
@click.option("--project", metavar="NAME", help="Only this project.")
@click.option("--limit", type=int, metavar="N", help="The most to show.")
@click.option("--offset", type=int, metavar="N", help="Leave out the first N.")
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call, **fields: Any) -> None:
    """How conversations go on: without a subcommand the newest compressions."""
    if ctx.invoked_subcommand is not None:
        return
    with call.open() as forge:
        found = forge.lineage.browse(**given(**fields))
    _show_list(call, found)


@command.command("trace")
@click.argument("conversation")
@click.option(
    "--direction",
    type=click.Choice(["ancestors", "descendants", "both"]),
    default="both",
    help="Which way (both).",
)
@click.option("--limit", type=int, metavar="N", help="The most edges.")
@store_options
def trace(call: Call, conversation: str, **fields: Any) -> None:
    """The chain that CONVERSATION is a link of, the oldest ancestor first."""
    with call.open() as forge:
        found = forge.lineage.trace(conversation, **given(**fields))
    _show_list(call, found, f"Nothing leads to {conversation} or on from it.")


@command.command("bridge")
@click.argument("source")
@click.argument("target")
@store_options
def bridge(call: Call, source: str, target: str) -> None:
    """What changed between two conversations of one chain."""
    with call.open() as forge:
        found = BridgeView.of(forge.lineage.bridge(source, target))
    if call.as_json:
        show_json(found)
        return
    heading(f"{found.source_conversation_id} -> {found.target_conversation_id}")
    say(wrapped(found.summary, ""))
    for name, decisions in (
        ("decided", found.decisions_added),
        ("revised", found.decisions_revised),
        ("ended", found.decisions_ended),
        ("dropped", found.decisions_dropped),
    ):
        for decision in decisions:
            say(f"{name}: {decision.id} {shortened(decision.decision, 90)}")
    for name, threads in (
        ("opened", found.threads_added),
        ("resolved", found.threads_resolved),
        ("dropped", found.threads_dropped),
    ):
        for thread in threads:
            say(f"{name}: {thread.id} {shortened(thread.title, 90)}")


@command.command("link")
@click.argument("source")
@click.argument("target", required=False)
@click.option("--tag", metavar="TAG", help="A name for the compression.")
@click.option("--mode", type=click.Choice(["lossless", "lossy", "partial"]), help="lossless (default).")
@click.option("--turns", "turn_range", type=(int, int), metavar="FIRST LAST", help="Which turns; else all.")
@click.option("--carry-decision", "decisions_carried", multiple=True, metavar="ID", help="Carried on.")
@click.option("--drop-decision", "decisions_dropped", multiple=True, metavar="ID", help="Left behind.")
@click.option("--carry-thread", "threads_carried", multiple=True, metavar="ID", help="Carried on.")
@click.option("--resolve-thread", "threads_resolved", multiple=True, metavar="ID", help="Closed by then.")
@click.option("--summary", "bridge_summary", metavar="TEXT", help="What changed, in words.")
@click.option("--project", metavar="NAME", help="The project it belongs to.")
@level_option
@store_options
def link(call: Call, source: str, target: str | None, **fields: Any) -> None:
    """Record that the conversation TARGET goes on from SOURCE; compress and continue do it by themselves."""
    with call.open() as forge:
        made = LineageEdgeView.of(forge.lineage.link(source, target, **given(**fields)))
    said = f"Linked {made.source_conversation_id} -> {made.target_conversation_id or '(open)'} as {made.id}"
    call.tell(made, f"{said}.{secrets_told(made)}" if made.redacted else said)


@command.command("search")
@click.argument("query")
@untagged_search_options
@store_options
def search(call: Call, query: str, **fields: Any) -> None:
    """Find compressions by their tag or what changed."""
    with call.open() as forge:
        found = forge.lineage.search(content_of(query), **given(**fields))
    _show_list(call, found)


def _show_list(call: Call, found: Sequence[LineageEdge], empty: str = "No lineage fits that.") -> None:
    call.tell_list("edges", LineageEdgeView.list_of(found), _COLUMNS, _row, empty)


def _row(view: LineageEdgeView) -> tuple[object, ...]:
    return (
        shortened(view.source_conversation_id, 36),
        shortened(view.target_conversation_id or "(open)", 36),
        view.compressed_at[:16],
        view.compression_mode,
        shortened(view.compression_tag, 24),
        len(view.decisions_carried),
        len(view.threads_carried),
        view.project,
        view.id,
    )
