"""`engramforge dream`: tidy up now."""

from __future__ import annotations

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, short
from engramforge.faces.views.shape import numbered
from engramforge.faces.views.topic import DreamStepView, DreamView
from engramforge.model.topics.dream import DreamStepName

_COLUMNS = ("project", "topics", "merged", "faded", "patterns", "seconds", "dream")


@click.command("dream")
@click.option("--project", metavar="NAME", help="Only this project.")
@click.option("--dry-run", is_flag=True, help="Write nothing; tell what would be done beside the clustering.")
@click.option("--last", is_flag=True, help="Dream nothing; tell of the last dreams.")
@store_options
def command(call: Call, project: str | None, dry_run: bool, last: bool) -> None:
    """Tidy up now: cluster topics anew, merge what says the same, let unused energy fall, make patterns.

    A daemon does so by itself when activity is spread over all topics and nobody is at work. Merged is what says the
    same in the same words, of one day; it is still found by its id. undo --dream takes a dream back.
    """
    if dry_run and last:
        raise InvalidValue("--dry-run and --last are both given", "Leave one out")
    with call.open() as forge:
        found = forge.dreams.past(project) if last else forge.dreams.run(project, dry_run=dry_run)
    shown = DreamView.list_of(found)
    empty = "There was no dream yet." if last else "There is no project yet, so nothing is dreamt of."
    call.tell_list("dreams", shown, _COLUMNS, _row, empty)
    if shown and not call.as_json:
        say()
        say(_hint(shown, dry_run))


def _row(dream: DreamView) -> tuple[object, ...]:
    steps = {each.name: each for each in dream.steps}
    counts = tuple(_counted(steps.get(name)) for name in DreamStepName)
    ended = "" if dream.ended_at or dream.is_dry else ", goes on"
    which = (
        "none: a dry run" if dream.is_dry else short(dream.id) + (", undone" if dream.is_undone else ended)
    )
    return dream.project, *counts, f"{sum(each.seconds for each in dream.steps):.1f}", which


def _counted(step: DreamStepView | None) -> str:
    return "" if step is None else f"{step.count:,}"


def _hint(dreams: list[DreamView], is_dry: bool) -> str:
    if is_dry:
        return "Nothing was written. Topics would be clustered anew, too."
    merged = sum(each.count for dream in dreams for each in dream.steps if each.name == DreamStepName.MERGE)
    still = f"What was merged ({numbered(merged, 'memory')}) is still found by its id. " if merged else ""
    return f"{still}undo --dream last takes the last one back, undo --dream ID any of these."
