"""`engramforge topics`: what memories are about as they gather."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.drawing import check_plot_name
from engramforge.faces.cli.options import Call, given, store_options, together
from engramforge.faces.cli.output import (
    faint,
    heading,
    remark,
    say,
    share,
    short,
    shortened,
    show_json,
    show_pairs,
    show_table,
    width,
)
from engramforge.faces.cli.topic_plot import save_river, save_topic_map
from engramforge.faces.views.memory import MemoryView
from engramforge.faces.views.shape import numbered
from engramforge.faces.views.topic import (
    ClusteringView,
    ShiftView,
    TopicPartView,
    TopicStandingView,
    TopicView,
)
from engramforge.model.topics.told import TopicTier

_SHIFTED = ("at", "from", "to", "project")
_LAST_SHIFTS = 3
_COLUMNS = ("topic", "memories", "phase", "since", "last", "project", "id")
_WITH_TRENDS = ("topic", "memories", "phase", "trend", "since", "last", "project", "id")
_TOLD_PROJECTS = 3
_SPAN = together(
    click.option("--since", metavar="TIME", help="Only what became true from then on."),
    click.option("--until", metavar="TIME", help="Only what became true before."),
)


@click.group("topics", invoke_without_command=True)
@click.option("--project", metavar="NAME", help="Only this project.")
@_SPAN
@click.option("--as-of", metavar="TIME", help="As the topics were known then.")
@click.option("--limit", type=int, metavar="N", help="The most to show (20).")
@click.option("--plot", metavar="FILE.svg", help="Draw a map of topics, near ones near (the extra `plot`).")
@click.option("--river", metavar="FILE.svg", help="Draw how topics flow through time (the extra `plot`).")
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call, plot: str | None, river: str | None, **fields: Any) -> None:
    """Topics: without a subcommand all, the largest first; with --since what one worked on."""
    if ctx.invoked_subcommand is not None:
        return
    for path in filter(None, (plot, river)):
        check_plot_name(path)
    asked = given(**fields)
    if plot is not None and asked.keys() & {"since", "until", "as_of"}:
        raise InvalidValue("The map is of now", "Leave out --since, --until and --as-of, or draw a --river")
    if river is not None and "as_of" in asked:
        raise InvalidValue(
            "The river is as known now", "Leave out --as-of; --since and --until say from when to when"
        )
    with call.open() as forge:
        found = TopicView.list_of(forge.topics.browse(**asked))
        standing = [] if call.as_json else forge.topics.tiers(asked.get("project"))
        asks_of_now = not (call.as_json or asked.keys() & {"since", "until", "as_of"})
        shifts = forge.topics.shifts(asked.get("project"), limit=_LAST_SHIFTS) if asks_of_now else []
        if plot is not None:
            save_topic_map(forge.topics.places(**_only(asked, "project", "limit")), plot)
            remark(f"Drawn to {plot}.")
        if river is not None:
            save_river(forge.topics.river(**_only(asked, "project", "since", "until", "limit")), river)
            remark(f"Drawn to {river}.")
    has_trends = any(each.trend for each in found)
    empty = "There is no topic yet. Topics form of three memories and more: engramforge topics update"
    columns = _WITH_TRENDS if has_trends else _COLUMNS
    call.tell_list("topics", found, columns, partial(_row, has_trends=has_trends), empty)
    for each in standing[:_TOLD_PROJECTS]:
        faint(_tier(each))
    if shifts:
        say()
        heading("Last shifts of activity")
        show_table(_SHIFTED, [_shift(each) for each in ShiftView.list_of(shifts)])


def _only(asked: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if name in names}


def _tier(each: TopicTier) -> str:
    """What a project's size gives, and what more would."""
    after = f"; from {each.next_at:,} on {each.next_has}" if each.next_at is not None else ""
    return f"{each.project}: tier {each.tier} of 6 ({numbered(each.memories, 'memory')}): {each.has}{after}"


def _row(topic: TopicView, has_trends: bool) -> tuple[object, ...]:
    name = shortened(topic.name or "(no name)", max(width() // 3, 12))
    goes = (topic.trend,) if has_trends else ()
    times = (topic.first_at[:10], topic.last_at[:10])
    return (name, topic.size, topic.phase, *goes, *times, topic.project, short(topic.id))


@command.command("tiers")
@click.option("--project", metavar="NAME", help="Only this project.")
@store_options
def tiers(call: Call, project: str | None) -> None:
    """How the topics of each project stand: what its size gives, what the next tier adds, what waits."""
    with call.open() as forge:
        found = TopicStandingView.list_of(forge.topics.standing(project))
    columns = (
        "project",
        "memories",
        "tier",
        "has",
        "from",
        "adds",
        "topics",
        "of none",
        "waiting",
        "clustered",
    )
    call.tell_list("tiers", found, columns, _standing, "There is no project yet; the first memory makes one.")
    if call.as_json:
        return
    for each in found:
        if each.space_weights:
            by_weight = sorted(each.space_weights.items(), key=lambda pair: -pair[1])
            say(
                f"{each.project}: spaces by what you used: {', '.join(f'{name} {x:.2f}' for name, x in by_weight)}"
            )


def _standing(each: TopicStandingView) -> tuple[object, ...]:
    following = ("", "") if each.next_at is None else (each.next_at, each.next_has)
    counts = (each.topics, each.of_none, each.waiting)
    when = each.clustered_at[:10] if each.clustered_at else "never"
    return (each.project, each.memories, each.tier, each.has, *following, *counts, when)


@command.command("shifts")
@click.option("--project", metavar="NAME", help="Only this project.")
@click.option("--limit", type=int, metavar="N", help="The most to show (20).")
@store_options
def shifts(call: Call, **fields: Any) -> None:
    """When activity shifted, newest first: from what, to what. Noticed at prompts of live sessions."""
    with call.open() as forge:
        found = ShiftView.list_of(forge.topics.shifts(**given(**fields)))
    call.tell_list("shifts", found, _SHIFTED, _shift, "No shift of activity was noticed.")


def _shift(each: ShiftView) -> tuple[object, ...]:
    room = max((width() - 40) // 2, 12)
    before = shortened(each.topic or each.before or "(forgotten)", room)
    return (
        each.at[:16].replace("T", " "),
        before,
        shortened(each.after or "(not recorded)", room),
        each.project,
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
        parts = TopicPartView.list_of(forge.topics.parts(topic.id))
    if call.as_json:
        memories = [{"agreement": agreed, "memory": MemoryView.of(memory)} for memory, agreed in found]
        show_json({"topic": topic, "parts": parts, "memories": memories})
        return
    heading(topic.name or "(no name)")
    strongest = sorted(topic.profile, key=lambda each: -topic.profile[each])[:4]
    show_pairs(
        (
            ("project", topic.project),
            ("memories", f"{topic.size:,}, {topic.first_at[:10]} to {topic.last_at[:10]}"),
            ("phase", f"{topic.phase}, {topic.trend}" if topic.trend else topic.phase),
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
    if parts:
        room = max(width() // 2, 20)
        told = [(each.name or "(no name)", each.size, shortened(each.middle.content, room)) for each in parts]
        show_table(("part", "memories", "in its middle"), told)
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
    return each.project, *counts, share(each.churn), f"{each.seconds:.1f}"
