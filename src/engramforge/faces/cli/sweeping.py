"""Showing a sweep: progress while it runs, then reports, findings and repairs. Nothing is judged here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from engramforge.faces.cli.output import heading, on_terminal, say, show_pairs, show_table, wrapped
from engramforge.faces.views.validation import KeptView, SweepView, ValidationView

if TYPE_CHECKING:
    from engramforge.forge import Forge


def sweep(forge: Forge, every_agent: bool, limit: int) -> SweepView:
    """Run a sweep, with progress on a terminal."""
    seen = on_terminal(sys.stderr)

    def tell(done: int, total: int) -> None:
        sys.stderr.write(f"\r{done:,} of {total:,} records")
        sys.stderr.flush()

    before = forge.validation_history()
    report = forge.sweep(every_agent=every_agent, limit=limit, progress=tell if seen else None)
    if seen:
        sys.stderr.write("\r\033[K")
    return SweepView.of(report, before=KeptView.list_of(before))


def show_sweep(found: SweepView) -> None:
    """Print what a sweep found."""
    heading("Sweep")
    show_pairs(
        [
            ("records", f"{found.records:,}, in {found.seconds:.1f} s"),
            ("memories", _line(found.memories)),
            ("links", _line(found.links)),
            ("before", _before(found)),
        ]
    )
    if not found.counts:
        say("No record is degraded.")
        return
    show_table(("degraded", "records"), list(found.counts.items()))
    for view in found.degraded:
        say(f"{'broken' if view.broken else 'poor'} {view.kind} {view.subject}: {view.fault}.")
        say(wrapped(f"{view.repair}.", "    "))
        if view.command:
            say(f"    {view.command}")
    left = sum(found.counts.values()) - len(found.degraded)
    if left > 0:
        say(f"{left:,} more are not listed; raise --limit to see them.")


def _line(report: ValidationView) -> str:
    return (
        f"{report.grade}: {report.total:,} on record, {report.fully_valid:,} fully valid, "
        f"{report.with_warnings:,} with warnings, {report.with_errors:,} with errors, "
        f"completeness {report.average_completeness:.0%}"
    )


def _before(found: SweepView) -> str | None:
    if not found.before:
        return None
    last = found.before[-1]
    return (
        f"{last.at[:10]}: memories {last.memories.grade} ({last.memories.average_completeness:.0%}), "
        f"links {last.links.grade} ({last.links.average_completeness:.0%}), {last.broken} broken"
    )
