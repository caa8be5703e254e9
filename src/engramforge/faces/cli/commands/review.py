"""`engramforge review`: what was read from conversations and is not sure enough for a registry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, conversation_option, given, store_options, together
from engramforge.faces.cli.output import faint, say, shortened, show_json
from engramforge.faces.cli.registries import called, local_id_option, rejected_option
from engramforge.faces.views.memory import secrets_told
from engramforge.faces.views.registry import DecisionView, view_entry
from engramforge.faces.views.shape import numbered

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.registries.detection import PendingDetection

_AT_ONCE: Final = 1_000
"""How many the facade reviews in one transaction."""
_SUREST: Final = 20
"""How many are shown unasked; the others are kept, and counted."""


@click.group("review", invoke_without_command=True)
@click.option("--project", metavar="NAME", help="Only this project.")
@click.option("--kind", metavar="KIND", help="Only decision, or only thread.")
@conversation_option("Only what this conversation said.")
@click.option("--limit", type=int, metavar="N", help="The most to show.")
@click.option("--offset", type=int, metavar="N", help="Leave out the first N.")
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call, **fields: Any) -> None:
    """What waits for review: without a subcommand 20, what persons said first, and how many more there are."""
    if ctx.invoked_subcommand is not None:
        return
    asked = given(**fields)
    is_short = "limit" not in asked and not call.as_json
    with call.open() as forge:
        waiting = forge.review.pending(**(asked | {"limit": _AT_ONCE} if is_short else asked))
    shown = waiting[:_SUREST] if is_short else waiting
    columns = ("sure", "kind", "of", "as", "said", "by", "why", "in", "id")
    call.tell_list("pending", shown, columns, _row, "Nothing waits for review.")
    if waiting and not call.as_json:
        faint("engramforge review accept ID..., edit ID --text TEXT, or reject ID...")
    if more := len(waiting) - len(shown):
        several = "or more " if len(waiting) == _AT_ONCE else ""
        faint(f"{more} {several}others wait too: --limit {_AT_ONCE} shows them")


def _row(waiting: PendingDetection) -> tuple[object, ...]:
    entry = waiting.entry
    named = " ".join(filter(None, (waiting.local_id, None if entry is None else entry.text)))
    # Words that only say how an entry stands are the sentence itself.
    becomes = waiting.proposal.text or waiting.entry_status
    texts = shortened(named, 36), shortened(becomes, 40), shortened(waiting.sentence, 50)
    where = waiting.conversation_id or waiting.project
    whose = shortened(waiting.speaker, 20), waiting.why, shortened(where, 20)
    return f"{waiting.confidence:.2f}", waiting.kind, *texts, *whose, waiting.id


_bulk_options = together(
    click.argument("ids", nargs=-1, metavar="[ID...]"),
    click.option("--all", "every", is_flag=True, help="All that wait, instead of ids."),
    click.option("--project", metavar="NAME", help="With --all: only this project."),
    click.option("--kind", metavar="KIND", help="With --all: only decision, or only thread."),
    conversation_option("With --all: only what this conversation said."),
)


@command.command("accept")
@_bulk_options
@store_options
def accept(call: Call, ids: tuple[str, ...], every: bool, **fields: Any) -> None:
    """Let detections become entries of their registries."""
    with call.open() as forge:
        made = [
            view_entry(each)
            for portion in _portions(forge, ids, every, given(**fields))
            for each in forge.review.accept(*portion)
        ]
    if call.as_json:
        show_json({"entries": made})
        return
    for view in made:
        text = view.decision if isinstance(view, DecisionView) else view.title
        say(f"Accepted {called(view, view.status)}: {shortened(text, 90)}")
    _say_number(len(made), "accepted")


@command.command("edit")
@click.argument("id_", metavar="ID")
@click.option("--text", metavar="TEXT", help="The decision, or the thread's title.")
@click.option("--kind", metavar="KIND", help="decision or thread.")
@click.option("--rationale", metavar="TEXT", help="Of a decision: why.")
@rejected_option
@click.option("--content", metavar="TEXT", help="Of a thread: the same in full.")
@click.option("--priority", metavar="WORD", help="Of a thread: high, medium or low.")
@click.option("--status", metavar="STATUS", help="How the entry stands.")
@click.option("--resolution", metavar="TEXT", help="Of a thread: how it was closed.")
@local_id_option("D001 or T001")
@store_options
def edit(call: Call, id_: str, **fields: Any) -> None:
    """Correct a detection, and accept it."""
    with call.open() as forge:
        made = view_entry(forge.review.edit(id_, **given(**fields)))
    said = f"Accepted {called(made, made.status)} as corrected.{secrets_told(made)}"
    call.tell({"entries": [made]}, said)


@command.command("reject")
@_bulk_options
@store_options
def reject(call: Call, ids: tuple[str, ...], every: bool, **fields: Any) -> None:
    """Close detections; the same sentence does not wait again."""
    with call.open() as forge:
        done = [
            detection
            for portion in _portions(forge, ids, every, given(**fields))
            for detection in forge.review.reject(*portion)
        ]
    if call.as_json:
        show_json({"rejected": done})
    else:
        _say_number(len(done), "rejected")


def _portions(forge: Forge, ids: Sequence[str], every: bool, asked: dict[str, Any]) -> list[list[str]]:
    """The ids that were given, or those of all that wait, at most a thousand at once.

    Without an id that was given, an empty portion, so that the facade says what is missing.
    """
    if every and ids:
        raise InvalidValue("Both ids and --all are given", "Give one of them")
    if not every and asked:
        raise InvalidValue(f"--{next(iter(asked))} is given without --all", "Add --all, or name ids alone")
    found = list(ids)
    while every and (page := forge.review.pending(limit=_AT_ONCE, offset=len(found), **asked)):
        found += [detection.id for detection in page]
    if not found and not every:
        return [[]]
    return [found[begin : begin + _AT_ONCE] for begin in range(0, len(found), _AT_ONCE)]


def _say_number(number: int, done: str) -> None:
    faint(f"{numbered(number, 'detection')} {done}")
