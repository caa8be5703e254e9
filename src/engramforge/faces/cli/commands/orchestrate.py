"""`engramforge orchestrate`: ask several projects at once, each in its role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.drawing import check_plot_name
from engramforge.faces.cli.field_plot import save_plot
from engramforge.faces.cli.options import (
    NOTHING_KNOWN,
    Call,
    given,
    held_options,
    nothing_known,
    store_options,
)
from engramforge.faces.cli.output import (
    faint,
    heading,
    remark,
    say,
    say_text,
    shortened,
    show_json,
    show_table,
)
from engramforge.faces.views.lens import OrchestrationView

if TYPE_CHECKING:
    from engramforge.faces.views.lens import DivergenceView, GuardianMarkView, LensResultView, SourceView

_LINE: Final = 90
_SHOWN: Final = 5
_NEAREST: Final = 2


@click.command("orchestrate")
@click.argument("query")
@click.option(
    "--lens", "lens_name", metavar="NAME", help="The saved lens; else the six heaviest active roles."
)
@click.option(
    "--lenses",
    metavar="JSON",
    help='As [{"project_name": "atlas", "role": "builder", "weight": 1, "as_of": "2026-03"}].',
)
@click.option("--budget", type=int, metavar="N", help="Characters of the text (that of the lens, else 6000).")
@click.option("--min-score", type=float, metavar="X", help="Least mass, 0..1.")
@held_options
@click.option(
    "--adaptive",
    is_flag=True,
    default=None,
    help="Weigh lenses by what was said of their projects' memories.",
)
@click.option("--plot", metavar="FILE.svg", help="Draw the field, a column for each lens (the extra `plot`).")
@click.option("--field", "only_field", is_flag=True, help="Only the field as JSON, for a router or planner.")
@click.option("--text", "only_text", is_flag=True, help="Only the text for a model.")
@store_options
def command(
    call: Call, query: str, only_text: bool, only_field: bool, plot: str | None, **asked: object
) -> None:
    """Ask several projects one question: what each finds in its role, where they agree, where they pull apart."""
    if asked["lenses"] is not None and asked["lens_name"] is not None:
        raise InvalidValue("--lens and --lenses were both given", "Give one of them")
    if only_field and only_text:
        raise InvalidValue("--field and --text were both given", "Give one of them")
    if plot is not None:
        check_plot_name(plot)
    with call.open() as forge:
        view = OrchestrationView.of(forge.orchestrate(query, **given(**asked)))
        too_early = nothing_known(forge, asked)
    if plot is not None:
        save_plot(view, plot)
        remark(f"Drawn to {plot}.")
    if only_field:
        show_json(view.field)
    elif call.as_json:
        show_json(view)
    elif only_text:
        say_text(view.context_text)
    else:
        _show(view)
        if too_early:
            remark(NOTHING_KNOWN)
    for note in view.notes:
        remark(note)


def _show(view: OrchestrationView) -> None:
    for name, lens in view.per_lens.items():
        _show_lens(name, lens)
    if view.convergence:
        heading("agree")
        agreed = [
            (f"{each.combined_mass:.2f}", " and ".join(each.lenses), shortened(each.summary, _LINE))
            for each in view.convergence
        ]
        show_table(("mass x 1.3", "lenses", "about"), agreed)
    if view.divergence:
        heading("pull apart")
        show_table(("tension", "type", "lenses", "because"), [_apart(each) for each in view.divergence])
    if view.guardian:
        heading("guardian")
        marks = [
            (x.type, x.lens, shortened(_said(x.item), _LINE // 2), x.by_lens, shortened(_why(x), _LINE))
            for x in view.guardian
        ]
        show_table(("mark", "lens", "suggests", "against it", "because"), marks)
    if view.field.steps:
        heading("what to do first")
        steps = [
            (each.act, " and ".join(each.lenses), " ".join(each.ids), shortened(each.because, 2 * _LINE))
            for each in view.field.steps[:_SHOWN]
        ]
        show_table(("step", "lenses", "ids", "because"), steps)
    field = view.field_summary
    if not view.answered:
        say("Nothing that is known answers this.")
    person = " Somebody has to decide first, whatever the coherence." if view.field.needs_a_person else ""
    say(f"Coherence {field.coherence:.2f}; the dominant lens is {field.dominant_lens or 'none'}.{person}")


def _show_lens(name: str, lens: LensResultView) -> None:
    """What one lens found that answers; where nothing does, the nearest."""
    is_told = f":{lens.project}" in name and f"@{lens.as_of}".rstrip("@") in name
    heading(
        f"{name}, {lens.gravity_type} gravity"
        if is_told
        else f"{name} ({lens.told}), {lens.gravity_type} gravity"
    )
    if lens.weighed is not None:
        say(f"Weight {lens.weighed.before:g} -> {lens.weighed.after:g}: {lens.weighed.why}.")
    shown = lens.answering[:_SHOWN]
    if not shown:
        shown = lens.results[:_NEAREST]
        say("nothing that answers; the nearest:" if shown else "nothing")
    rows = [(f"{each.mass:.2f}", each.kind, each.id, shortened(_said(each), _LINE)) for each in shown]
    if rows:
        show_table(("mass", "kind", "id", "says"), rows)
    if len(lens.answering) > len(shown) == _SHOWN:
        faint(f"{len(shown)} of {len(lens.answering)} that answer")


def _said(source: SourceView) -> str:
    return f"{source.excerpt} But now: {source.but_now}" if source.but_now else source.excerpt


def _why(mark: GuardianMarkView) -> str:
    return f"{mark.by.id}: {mark.what}. {mark.why}"


def _apart(each: DivergenceView) -> tuple[object, ...]:
    sides = [shortened(side.excerpt, _LINE // 2) for side in (each.item_a, each.item_b) if side is not None]
    because = each.description if len(sides) < 2 else f"{each.description}: {' | '.join(sides)}"
    return f"{each.tension:.2f}", each.type, " - ".join(each.lenses), because
