"""`engramforge stream`: one cycle of an agent that wakes by itself."""

from __future__ import annotations

from typing import Any

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.commands.context import emotions_of
from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import heading, say, shortened, show_json
from engramforge.faces.views.shape import numbered
from engramforge.faces.views.stream import CycleView

_LINE = 90
_CHOSEN = {
    "broad_intention": "Context hunger: what is new in the active contexts was asked.",
    "evolution_intention": "Unresolved tension: how the matter came about was asked.",
    "state": "Neither hunger with an active context nor tension with its source: what fits the state was asked.",
}


@click.command("stream")
@click.option(
    "--energy", type=float, metavar="0..1", default=0.5, show_default=True, help="The agent's energy."
)
@click.option("--emotion", "emotions", multiple=True, metavar="NAME=0..1", help="How it feels (repeatable).")
@click.option("--goal", metavar="TEXT", help="What it wants to reach.")
@click.option(
    "--context-hunger", type=float, metavar="0..1", help="Above 0.7 it asks about the active contexts."
)
@click.option(
    "--unresolved-tension",
    type=float,
    metavar="0..1",
    help="Above 0.6 it asks how the tension's source came about.",
)
@click.option(
    "--active-context",
    "active_contexts",
    multiple=True,
    metavar="TEXT",
    help="What it works on (repeatable).",
)
@click.option("--tension-source", metavar="TEXT", help="What is unresolved.")
@click.option(
    "--pressure", "reality_pressure", type=float, metavar="0..1", help="How urgent the world is (0.5)."
)
@click.option("--project", "projects", multiple=True, metavar="NAME", help="Only this project (repeatable).")
@click.option("--no-record", is_flag=True, help="Keep no learnings of beliefs that changed.")
@store_options
def command(
    call: Call,
    energy: float,
    emotions: tuple[str, ...],
    projects: tuple[str, ...],
    no_record: bool,
    **fields: Any,
) -> None:
    """One autonomous cycle: choose what to ask by how the agent is, retrieve, feed energy back, keep learnings."""
    felt, named = emotions_of(emotions)
    if named:
        raise InvalidValue(f"How strong is {named[0]!r}?", "Write --emotion joy=0.7")
    asked = given(**fields, emotions=felt, project=projects)
    with call.open() as forge:
        view = CycleView.of(forge.streams.cycle(energy=energy, records=not no_record, **asked))
    if call.as_json:
        show_json(view)
        return
    _show(view, energy)


def _show(view: CycleView, before: float) -> None:
    from engramforge.faces.cli.stream_output import show_stream

    said = f" {view.stream.query}." if view.stream.query else ""
    say(f"{_CHOSEN[view.choice]}{said}")
    potential = view.stream.energy_feedback_potential
    moved = "" if view.feedback.applied else " (a potential of 0.5 or less moves nothing)"
    say(f"Energy {before:.2f} -> {view.feedback.energy:.2f}, potential {potential:.3f}{moved}.\n")
    show_stream(view.stream, is_of_cycle=True)
    if view.activated:
        heading("to work on now")
        for each in view.activated:
            say(f"  {shortened(each.content, _LINE)}")
    if view.learnings:
        heading(f"kept: {numbered(len(view.learnings), 'learning')}")
        for each in view.learnings:
            say(f"  {shortened(each.content, _LINE)}")
