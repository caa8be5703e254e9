"""`engramforge decisions`: what was decided, why, and whether it still holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.options import Call, content_of, conversation_option, given, store_options
from engramforge.faces.cli.output import faint, heading, say, short, shortened, show_json
from engramforge.faces.cli.registries import (
    ended_note,
    entry_options,
    local_id_option,
    page_options,
    rejected_option,
    search_options,
    show_decision,
    show_entry,
    tag_option,
    tell_more,
)
from engramforge.faces.views.registry import DecisionView, WhyView, with_status
from engramforge.faces.views.shape import numbered
from engramforge.model.registries.entry import standing_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.model.registries.decision import Decision

_COLUMNS = ("name", "decision", "status", "tier", "since", "validated", "hops", "project", "id")
_STATUS = click.option(
    "--status", metavar="STATUS", help="active (default), revised, superseded, invalidated, or all."
)
_DEPENDS_ON = click.option(
    "--depends-on", "dependencies", multiple=True, metavar="ID", help="A decision it builds on."
)
_PROJECT = click.option(
    "--project", metavar="NAME", help="Whose D001 or ADR-0033 it is, where several have one."
)
_AT_VERSION = click.option(
    "--expected-version", type=int, metavar="N", help="Refuse when somebody was faster."
)


@click.group("decisions", invoke_without_command=True)
@_STATUS
@page_options
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call, **fields: Any) -> None:
    """What was decided: without a subcommand the active decisions, newest first."""
    if ctx.invoked_subcommand is None:
        _browse(call, fields)


@command.command("list")
@_STATUS
@page_options
@store_options
def list_(call: Call, **fields: Any) -> None:
    """The active decisions, newest first, as without a subcommand."""
    _browse(call, fields)


def _browse(call: Call, fields: dict[str, Any]) -> None:
    with call.open() as forge:
        found = forge.decisions.browse(**with_status(given(**fields), "active"))
    _show_list(call, found)
    tell_more(call, found, fields["limit"])


@command.command("create")
@click.argument("decision")
@click.option("--rationale", metavar="TEXT", help="Why.")
@click.option("--tier", type=float, metavar="0..1", help="How sure it is (0.5).")
@rejected_option
@_DEPENDS_ON
@entry_options("D001")
@store_options
def create(call: Call, decision: str, **fields: Any) -> None:
    """Record DECISION (- reads it from standard input)."""
    text = content_of(decision)
    with call.open() as forge:
        made = forge.decisions.create(text, **given(**fields))
    show_decision(call, made, "Decided")


@command.command("show")
@click.argument("id_", metavar="ID")
@conversation_option("Whose D001 it is, when ID is one.")
@_PROJECT
@store_options
def show(call: Call, id_: str, **fields: Any) -> None:
    """A decision with its reasons: rationale, what it builds on, what was rejected, where it was carried."""
    with call.open() as forge:
        why = WhyView.of(forge.decisions.why(id_, **given(**fields)))
    if call.as_json:
        show_json(why)
        return
    show_entry(_pairs(why.decision), why.decision.decision)
    for name, others in (
        ("Builds on", why.dependencies),
        ("Builds on it", why.dependents),
        ("Took the place of", why.superseded),
        ("Superseded by", [why.superseded_by] if why.superseded_by else []),
    ):
        for other in others:
            say(f"{name}: {other.id} {shortened(other.decision, 80)} ({other.status})")
    if why.carried_by:
        say(f"Carried by {', '.join(why.carried_by)}")
    if len(why.history) > 1:
        faint(f"{len(why.history)} records: engramforge decisions history {why.decision.id}")


@command.command("history")
@click.argument("id_", metavar="ID")
@store_options
def history(call: Call, id_: str) -> None:
    """Every version of a decision, oldest first."""
    with call.open() as forge:
        found = DecisionView.list_of(forge.decisions.history(id_))
    columns = ("version", "status", "tier", "holds from", "until", "recorded", "decision")
    call.tell_list("decisions", found, columns, _version)


def _version(view: DecisionView) -> tuple[object, ...]:
    return (
        view.version,
        view.status,
        f"{view.epistemic_tier:.2f}",
        view.valid_at[:10],
        (view.invalid_at or "")[:10],
        view.created_at[:19],
        shortened(view.decision, 60),
    )


@command.command("revise")
@click.argument("id_", metavar="ID")
@click.argument("decision", required=False)
@click.option("--rationale", metavar="TEXT", help="Why.")
@click.option("--tier", type=float, metavar="0..1", help="How sure it is.")
@click.option(
    "--rejected",
    "alternatives_rejected",
    multiple=True,
    metavar="TEXT",
    help='What was not chosen, all of it; "" for nothing.',
)
@_DEPENDS_ON
@tag_option
@conversation_option("Where it was revised.")
@_AT_VERSION
@store_options
def revise(call: Call, id_: str, decision: str | None, **fields: Any) -> None:
    """Change a decision: it keeps its id, the old version stays in history."""
    text = None if decision is None else content_of(decision)
    asked = given(**fields)
    if asked.get("alternatives_rejected") == ("",):
        asked["alternatives_rejected"] = ()
    with call.open() as forge:
        made = forge.decisions.revise(id_, text, **asked)
    show_decision(call, made, "Revised")


@command.command("supersede")
@click.argument("id_", metavar="ID")
@click.argument("decision", required=False)
@click.option("--by", metavar="ID", help="A decision that is there already, instead of a new text.")
@click.option("--rationale", metavar="TEXT", help="Why.")
@click.option("--tier", type=float, metavar="0..1", help="How sure it is.")
@rejected_option
@_DEPENDS_ON
@tag_option
@local_id_option("D001")
@click.option("--at", metavar="TIME", help="When the new one took its place (now).")
@conversation_option("Where it was decided.")
@_AT_VERSION
@store_options
def supersede(call: Call, id_: str, decision: str | None, **fields: Any) -> None:
    """Put another decision in the place of one, which ends."""
    text = None if decision is None else content_of(decision)
    with call.open() as forge:
        made = forge.decisions.supersede(id_, text, **given(**fields))
    show_decision(call, made, f"Superseded {id_} by")


@command.command("invalidate")
@click.argument("id_", metavar="ID")
@click.option("--reason", metavar="TEXT", help="Why.")
@click.option("--at", metavar="TIME", help="Since when it does not hold (now).")
@conversation_option("Where this was said.")
@store_options
def invalidate(call: Call, id_: str, **fields: Any) -> None:
    """End a decision; nothing takes its place."""
    with call.open() as forge:
        ended = forge.decisions.invalidate(id_, **given(**fields))
    show_decision(call, ended, "Ended")


@command.command("validate")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@conversation_option("Where it was confirmed.")
@_PROJECT
@store_options
def validate(call: Call, ids: tuple[str, ...], **fields: Any) -> None:
    """Say that decisions still hold: they are no longer stale."""
    with call.open() as forge:
        done = forge.decisions.validate(*ids, **given(**fields))
    views = DecisionView.list_of(done)
    if call.as_json:
        show_json({"decisions": views})
        return
    for view in views:
        say(
            f"Validated {view.id} ({numbered(view.validation_count, 'time')}): {shortened(view.decision, 80)}"
        )


@command.command("reinstate")
@click.argument("id_", metavar="ID")
@click.option("--reason", metavar="TEXT", help="Why.")
@conversation_option("Where it was decided.")
@store_options
def reinstate(call: Call, id_: str, **fields: Any) -> None:
    """Make a decision that ended active again, as a new version."""
    with call.open() as forge:
        made = forge.decisions.reinstate(id_, **given(**fields))
    show_decision(call, made, "Reinstated")


@command.command("search")
@click.argument("query")
@_STATUS
@click.option("--min-tier", type=float, metavar="0..1", help="Only decisions at least so sure.")
@search_options
@store_options
def search(call: Call, query: str, **fields: Any) -> None:
    """Find decisions by meaning, keyword or id."""
    with call.open() as forge:
        found = forge.decisions.search(content_of(query), **with_status(given(**fields), "active"))
    _show_list(call, found)


@command.command("stale")
@click.option("--days", type=int, metavar="N", help="Not validated for so many days (30).")
@click.option("--max-tier", type=float, metavar="0..1", help="Of those at most so sure (0.7).")
@click.option("--hops", type=int, metavar="N", help="Or carried by so many archives (3).")
@click.option("--project", metavar="NAME", help="Only this project.")
@click.option("--limit", type=int, metavar="N", help="The most to show.")
@store_options
def stale(call: Call, **fields: Any) -> None:
    """Active decisions that nobody has confirmed for long, the longest first."""
    with call.open() as forge:
        found = forge.decisions.stale(**given(**fields))
    _show_list(call, found, empty="Nothing is stale.")
    if found and not call.as_json:
        faint("Confirm one: engramforge decisions validate ID")


def _show_list(call: Call, found: Sequence[Decision], empty: str = "No decision fits that.") -> None:
    call.tell_list("decisions", DecisionView.list_of(found), _COLUMNS, _row, empty)


def _row(view: DecisionView) -> tuple[object, ...]:
    return (
        view.local_id,
        shortened(view.decision, 60),
        standing_of(view.status, view.tags),
        f"{view.epistemic_tier:.2f}",
        view.valid_at[:10],
        view.last_validated[:10] if view.validation_count else "not yet",
        view.hops,
        view.project,
        view.id,
    )


def _pairs(view: DecisionView) -> list[tuple[str, object]]:
    heading(f"{view.id}  {standing_of(view.status, view.tags)}{ended_note(view.invalid_at)}")
    at, times = view.last_validated[:19], numbered(view.validation_count, "time")
    validated = f"{at}, {times}" if view.validation_count else f"not yet; made or revised {at}"
    return [
        ("local id", view.local_id),
        ("rationale", view.rationale),
        ("rejected", "; ".join(view.alternatives_rejected)),
        ("tier", f"{view.epistemic_tier:.2f}"),
        ("project", view.project),
        ("conversations", ", ".join(view.conversation_ids)),
        ("holds from", view.valid_at[:19]),
        ("validated", f"{validated}, {numbered(view.hops, 'hop')} since"),
        ("tags", ", ".join(view.tags)),
        ("read from", view.evidence and f"{short(view.evidence.message_id)}: {view.evidence.sentence}"),
        ("confidence", f"{view.confidence:.2f}"),
    ]
