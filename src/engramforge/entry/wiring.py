"""What a home's daemon serves: its store, the command line, MCP, and hooks."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import engramforge
from engramforge.assembly import daemon_options, open_forge
from engramforge.entry.command_lines import run_command
from engramforge.entry.mcp_sessions import Sessions
from engramforge.errors import EngramforgeError
from engramforge.runtime.wiring import Wiring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from threading import Event

    from engramforge.forge import Forge
    from engramforge.model.storing.watching import WatchNews

log = logging.getLogger(__name__)


def wire(home: str) -> Wiring:
    """The wiring of a home's daemon. Raises InvalidValue for a setting that is wrong."""
    _, idle_s = daemon_options(home)
    return Wiring(
        home=home,
        version=engramforge.__version__,
        opens=lambda: open_forge(home, environment={}),
        warms=warm,
        run_command=run_command,
        session=Sessions(home).serve,
        take=take,
        inject=inject,
        due=lambda forge: forge.due(),
        watch=watch,
        idle_s=idle_s,
    )


def warm(forge: Forge) -> None:
    """Ask as a question does, for an answer that no memory can give: nothing is counted as shown."""
    forge.recall("What is this about?", limit=1, min_score=1.0)


def take(forge: Any, events: Sequence[Mapping[str, Any]]) -> object:
    """Capture hook events; what is refused of them is told in the log."""
    taken = forge.hooks.take(events)
    for fault in taken.faults:
        log.warning("An event was not captured: %s", fault)
    if taken.captured:
        # What was captured is durable: whatever fails now, it is not to come again.
        with suppress(EngramforgeError):
            forge.injections.get_ready(events[-1].get("event", events[-1]))
    return taken


def watch(forge: Forge, stop: Event) -> None:
    """Follow the watched folders, if there are some."""
    if forge.watching.folders():
        forge.watching.watch(stop, _log_news)


def _log_news(news: WatchNews) -> None:
    """A line of the log for what happened in a watched folder."""
    counts = ", ".join(f"{number} {became}" for became, number in news.counts.items())
    said = ": ".join(filter(None, (str(news.about), counts, news.fault)))
    log.info("Watched folder %s: %s", news.folder, said)


def inject(
    forge: Forge, event: Mapping[str, Any], if_kept: Callable[[], bool], at: datetime | None = None
) -> Mapping[str, Any] | None:
    """What a hook tells the model, in the form that Claude Code reads; nothing where the event was not kept.

    `at`: when its client got it, as what it says is dated: what is open and new is so at that moment.
    """
    found = forge.injections.for_event(event, at, if_kept=if_kept)
    if found is None or not found.text:
        return None
    said = {"hookEventName": event.get("hook_event_name"), "additionalContext": found.text}
    return {"hookSpecificOutput": said}
