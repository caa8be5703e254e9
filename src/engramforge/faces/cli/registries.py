"""What the commands of the registries share: options, one entry. No command of its own is here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from engramforge.faces.cli.options import F, conversation_option, level_option, together
from engramforge.faces.cli.output import faint, say, show_pairs, wrapped
from engramforge.faces.views.memory import secrets_told
from engramforge.faces.views.registry import ConsequenceView, DecisionView, ThreadView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engramforge.faces.cli.options import Call
    from engramforge.model.registries.decision import Decision
    from engramforge.model.registries.thread import Thread

rejected_option = click.option(
    "--rejected", "alternatives_rejected", multiple=True, metavar="TEXT", help="What was not chosen."
)


page_options = together(
    click.option("--project", metavar="NAME", help="Only this project."),
    conversation_option("Only what this conversation mentions."),
    click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag (repeatable)."),
    click.option("--limit", type=int, metavar="N", help="The most to show."),
    click.option("--offset", type=int, metavar="N", help="Leave out the first N."),
)
_PAGE: Final = 50
"""How many entries a page has unless asked for."""


def tell_more(call: Call, found: Sequence[object], limit: int | None) -> None:
    """Say of a full page that there may be more."""
    if not call.as_json and len(found) == (_PAGE if limit is None else limit):
        faint(f"These are the first {len(found)}; --limit and --offset show others.")


_PLACE = (
    click.option("--project", metavar="NAME", help="Only this project; all when left out."),
    conversation_option("Only what this conversation mentions."),
)
_TIME = (
    click.option("--since", metavar="TIME", help="Only what holds since this time or later."),
    click.option("--until", metavar="TIME", help="Only what began to hold before this time."),
    click.option("--limit", type=int, metavar="N", help="The most to show (10)."),
)
untagged_search_options = together(*_PLACE, *_TIME)
search_options = together(
    *_PLACE,
    click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only with this tag (repeatable)."),
    *_TIME,
)
tag_option = click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag (repeatable).")


def local_id_option(example: str) -> Callable[[F], F]:
    """What a conversation calls an entry, as `example` does."""
    return click.option("--local-id", metavar=example, help="What the conversation calls it.")


def entry_options(example: str) -> Callable[[F], F]:
    """What a new entry of either registry may have; `example`: a local id."""
    return together(
        click.option("--project", metavar="NAME", help="The project it belongs to."),
        conversation_option("The conversation it began in."),
        local_id_option(example),
        tag_option,
        level_option,
        click.option("--valid-at", metavar="TIME", help="Since when (now)."),
    )


def show_entry(pairs: Sequence[tuple[str, object]], text: str) -> None:
    """Print one entry: its text, then names and values."""
    say(wrapped(text, ""))
    say()
    show_pairs(pairs)


def called(entry: Decision | Thread | ConsequenceView | DecisionView | ThreadView, *stands: str) -> str:
    """An entry by its name in its conversation, where it has one, and its global id, with how it stands."""
    names = [each for each in (entry.local_id, entry.id) if each]
    return f"{names[0]} ({', '.join(filter(None, (*names[1:], *stands)))})"


def show_decision(call: Call, decision: Decision, done: str) -> None:
    """Print a decision that was just changed."""
    stands = called(decision, decision.status, f"version {decision.version}")
    said = f"{done} {stands}: {decision.decision}"
    call.tell(DecisionView.of(decision), f"{said}.{secrets_told(decision)}" if decision.redacted else said)
    for each in () if call.as_json else decision.contradicts:
        faint(f"  contradicts {each}")


def show_thread(call: Call, thread: Thread, done: str) -> None:
    """Print a thread that was just changed."""
    stands = called(thread, thread.status, "blocked" if thread.is_blocked else "", thread.priority)
    said = f"{done} {stands}: {thread.title}"
    call.tell(ThreadView.of(thread), f"{said}.{secrets_told(thread)}" if thread.redacted else said)


def ended_note(invalid_at: str | None) -> str:
    """When it ended, where it did."""
    return f" since {invalid_at[:19]}" if invalid_at else ""
