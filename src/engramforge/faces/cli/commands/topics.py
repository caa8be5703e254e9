"""`engramforge topics`: what memories are about as they gather."""

from __future__ import annotations

from typing import Any

import click

from engramforge.faces.cli.options import Call, given, store_options, together
from engramforge.faces.cli.output import (
    heading,
    say,
    short,
    shortened,
    show_json,
    show_pairs,
    show_table,
    width,
)
from engramforge.faces.views.memory import MemoryView
from engramforge.faces.views.topic import ClusteringView, TopicView

_COLUMNS = ("topic", "memories", "phase", "since", "last", "project", "id")
_SPAN = together(
    click.option("--since", metavar="TIME", help="Only what became true from then on."),
    click.option("--until", metavar="TIME", help="Only what became true before."),
)


@click.group("topics", invoke_without_command=True)
@click.option("--project", metavar="NAME", help="Only this project.")
@_SPAN
@click.option("--as-of", metavar="TIME", help="As the topics were known then.")
@click.option("--limit", type=int, metavar="N", help="The most to show (20).")
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call, **fields: Any) -> None:
    """Topics: without a subcommand all, the largest first; with --since what one worked on."""
    if ctx.invoked_subcommand is not None:
        return
    with call.open() as forge:
        found = TopicView.list_of(forge.topics.browse(**given(**fields)))
    empty = "There is no topic yet. Topics form of three memories and more: engramforge topics update"
    call.tell_list("topics", found, _COLUMNS, _row, empty)


def _row(topic: TopicView) -> tuple[object, ...]:
    name = shortened(topic.name or "(no name)", max(width() // 3, 12))
    return (
        name,
        topic.size,
        topic.phase,
        topic.first_at[:10],
        topic.last_at[:10],
        topic.project,
        short(topic.id),
    )


@command.command("show")
@click.argument("id_", metavar="ID")
@_SPAN
@click.option("--related", is_flag=True, help="Also what only has to do with it.")
@click.option("--limit", type=int, metavar="N", help="The most memories to show (20).")
@store_options
def show(call: Call, id_: str, **fields: Any) -> None:
    """A topic, and its memories, those that agree most first."""
    with call.open() as forge:
        topic = TopicView.of(forge.topics.get(id_))
        found = forge.topics.memories(topic.id, **given(**fields))
    if call.as_json:
        memories = [{"agreement": agreed, "memory": MemoryView.of(memory)} for memory, agreed in found]
        show_json({"topic": topic, "memories": memories})
        return
    heading(topic.name or "(no name)")
    strongest = sorted(topic.profile, key=lambda each: -topic.profile[each])[:4]
    show_pairs(
        (
            ("project", topic.project),
            ("memories", f"{topic.size:,}, {topic.first_at[:10]} to {topic.last_at[:10]}"),
            ("phase", topic.phase),
            ("confidence", f"{topic.confidence:.2f}"),
            ("strongest in", ", ".join(f"{each} {topic.profile[each]:.2f}" for each in strongest)),
            (
                "stability",
                f"{topic.membership_stability:.2f} of memories, {topic.centroid_stability:.2f} of meaning",
            ),
            ("id", topic.id),
        )
    )
    say()
    rows = [
        (
            f"{agreed:.1f}",
            f"{memory.valid_at:%Y-%m-%d}",
            shortened(memory.content, max(width() - 32, 20)),
            short(memory.id),
        )
        for memory, agreed in found
    ]
    show_table(("agrees", "since", "memory", "id"), rows)


@command.command("update")
@click.option("--project", metavar="NAME", help="Only this project.")
@click.option("--anew", is_flag=True, help="Cluster everything, whatever came since the last time.")
@store_options
def update(call: Call, project: str | None, anew: bool) -> None:
    """Bring topics up to date now; a daemon does it by itself when nobody asks anything."""
    with call.open() as forge:
        found = ClusteringView.list_of(forge.topics.update(project, anew=anew))
    columns = ("project", "memories", "topics", "new", "gone", "of none", "churn", "seconds")
    call.tell_list("updates", found, columns, _updated, "All topics are up to date.")


def _updated(each: ClusteringView) -> tuple[object, ...]:
    counts = (f"{each.memories:,}", each.topics, each.found, each.ended, each.unclustered)
    return each.project, *counts, f"{each.churn:.2f}", f"{each.seconds:.1f}"
