"""`engramforge reembed`: move the store to other encoders while it is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, show_json, show_table
from engramforge.faces.cli.progress import PortionBar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.faces.views.reembedding import ReembedEstimateView, ReembedView

_NOTHING_LEFT: Final = "Nothing is left to embed: the store compares by what is wanted."


@click.command("reembed")
@click.option(
    "--space", metavar="S", help="One space (semantic, causal, ...); all that may be chosen when left out."
)
@click.option("--to", metavar="SPEC", help="The encoder, with --space; what the settings name when left out.")
@click.option("--dry-run", is_flag=True, help="Count, and estimate tokens and cost; embed nothing.")
@store_options
def command(call: Call, space: str | None, to: str | None, dry_run: bool) -> None:
    """Embed every memory by the encoders that the settings name, and compare by them from then on.

    SPEC is static, fastembed:NAME, local:/folder, openai:MODEL or voyage:MODEL. Recalls and writes go on meanwhile;
    questions compare by the old encoder until nothing lacks the new. An interrupted run goes on where it stopped.
    Without --space, memories that are older than a space get their part of it too.
    """
    from engramforge.faces.views.reembedding import ReembedEstimateView, ReembedView

    with call.open() as forge:
        if dry_run:
            estimates = ReembedEstimateView.list_of(forge.estimate_reembed(space, to))
            if call.as_json:
                show_json({"spaces": estimates})
            else:
                _show_estimates(estimates)
            return
        with PortionBar("looking for what lacks an embedding") as bar:
            try:
                reports = ReembedView.list_of(forge.reembed(space, to, progress=bar.move))
            except KeyboardInterrupt:
                raise click.Abort("What was embedded is kept. Run the same command again to go on") from None
    if call.as_json:
        show_json({"spaces": reports})
    else:
        _show(reports)


def _show_estimates(estimates: Sequence[ReembedEstimateView]) -> None:
    if not estimates:
        say(_NOTHING_LEFT)
        return
    rows = [
        (
            estimate.space,
            estimate.source,
            estimate.target,
            f"{estimate.memories:,}",
            f"{estimate.tokens:,}",
            f"{estimate.money:.4g}",
        )
        for estimate in estimates
    ]
    show_table(("space", "from", "to", "memories", "tokens", "cost"), rows)
    say("Tokens are an estimate, four bytes each; the cost is theirs by the setting embedding_price.")


def _show(reports: Sequence[ReembedView]) -> None:
    if not reports:
        say(_NOTHING_LEFT)
    for report in reports:
        if report.source == "nothing":
            say(
                f"Filled {report.space}: {report.embedded:,} memories got what they lacked, by {report.target}."
            )
            continue
        begun = "Went on with and finished" if report.resumed else "Moved"
        say(f"{begun} {report.space}: {report.embedded:,} memories embedded in {report.seconds:.1f} s.")
        say(f"  from {report.source}")
        say(f"  to   {report.target}")
        if report.calls:
            say(f"  {report.calls:,} calls, {report.tokens:,} tokens, {report.money:.4g} spent")
