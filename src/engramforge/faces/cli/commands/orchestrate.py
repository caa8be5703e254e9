"""`engramforge orchestrate`: ask several projects at once, each in its role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import heading, say, say_text, shortened, show_json, show_table
from engramforge.faces.views.lens import OrchestrationView

if TYPE_CHECKING:
    from engramforge.faces.views.lens import DivergenceView, SourceView

_LINE: Final = 90
_SHOWN: Final = 5


@click.command("orchestrate")
@click.argument("query")
@click.option(
    "--lens", "lens_name", metavar="NAME", help="The saved lens; else the six heaviest active roles."
)
@click.option(
    "--lenses", metavar="JSON", help='As [{"project_name": "atlas", "role": "builder", "weight": 1}].'
)
@click.option("--budget", type=int, metavar="N", help="Characters of the text (that of the lens, else 6000).")
@click.option("--min-score", type=float, metavar="X", help="Least mass, 0..1.")
@click.option("--as-of", metavar="TIME", help="What held then, as it was known then.")
@click.option("--text", "only_text", is_flag=True, help="Only the text for a model.")
@store_options
def command(call: Call, query: str, only_text: bool, **asked: object) -> None:
    """Ask several projects one question: what each finds in its role, where they agree, where they pull apart."""
    with call.open() as forge:
        view = OrchestrationView.of(forge.orchestrate(query, **given(**asked)))
    if call.as_json:
        show_json(view)
    elif only_text:
        say_text(view.context_text)
    else:
        _show(view)


def _show(view: OrchestrationView) -> None:
    for name, lens in view.per_lens.items():
        heading(f"{name} ({lens.project}), {lens.gravity_type} gravity")
        if lens.results:
            rows = [
                (f"{each.mass:.2f}", each.kind, each.id, shortened(_said(each), _LINE))
                for each in lens.results[:_SHOWN]
            ]
            show_table(("mass", "kind", "id", "says"), rows)
        else:
            say("nothing")
    if view.convergence:
        heading("agree")
        agreed = [
            (f"{each.combined_mass:.2f}", " and ".join(each.lenses), shortened(each.summary, _LINE))
            for each in view.convergence
        ]
        show_table(("mass", "lenses", "about"), agreed)
    if view.divergence:
        heading("pull apart")
        show_table(("tension", "type", "lenses", "because"), [_apart(each) for each in view.divergence])
    field = view.field_summary
    say(f"Coherence {field.coherence:.2f}; the dominant lens is {field.dominant_lens or 'none'}.")


def _said(source: SourceView) -> str:
    return f"{source.excerpt} But now: {source.but_now}" if source.but_now else source.excerpt


def _apart(each: DivergenceView) -> tuple[object, ...]:
    sides = [shortened(side.excerpt, _LINE // 2) for side in (each.item_a, each.item_b) if side is not None]
    because = each.description if len(sides) < 2 else f"{each.description}: {' | '.join(sides)}"
    return f"{each.tension:.2f}", each.type, f"{each.lens_a} - {each.lens_b}", because
