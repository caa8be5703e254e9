"""`engramforge reembed`: move the store to other encoders while it is in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import PortionBar, say, show_json, show_table
from engramforge.faces.views.shape import numbered, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.model.embeddings.reembedding import EncoderStatus, ReembedEstimate, ReembedReport

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
    with call.open() as forge:
        if dry_run:
            estimates = forge.estimate_reembed(space, to)
            if call.as_json:
                show_json({"spaces": [_priced(plain(estimate)) for estimate in estimates]})
            else:
                _show_estimates(estimates)
            return
        with PortionBar("looking for what lacks an embedding") as bar:
            try:
                reports = forge.reembed(space, to, progress=bar.move)
            except KeyboardInterrupt:
                raise click.Abort("What was embedded is kept. Run the same command again to go on") from None
    if call.as_json:
        show_json({"spaces": [_told(report) for report in reports]})
    else:
        _show(reports)


def _told(report: ReembedReport) -> dict[str, Any]:
    answer = plain(report)
    spent = answer.pop("spending")
    return {**answer, "seconds": round(report.seconds, 3), **_priced(spent)}


def _priced(answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "money": round(answer["money"], 6)}


def _show_estimates(estimates: Sequence[ReembedEstimate]) -> None:
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
            f"{round(estimate.money, 6):.4g}",
        )
        for estimate in estimates
    ]
    show_table(("space", "from", "to", "memories", "tokens", "cost"), rows)
    say("Tokens are an estimate, four bytes each; the cost is theirs by the setting embedding_price.")


def _show(reports: Sequence[ReembedReport]) -> None:
    if not reports:
        say(_NOTHING_LEFT)
    for report in reports:
        if report.source == "nothing":
            say(
                f"Filled {report.space} of {numbered(report.embedded, 'memory')} that lacked it, by {report.target}."
            )
            continue
        begun = "Went on with and finished" if report.resumed else "Moved"
        say(
            f"{begun} {report.space}: {numbered(report.embedded, 'memory')} embedded in {report.seconds:.1f} s."
        )
        say(f"  from {report.source}")
        say(f"  to   {report.target}")
        if (spent := report.spending).calls:
            say(f"  {spent.calls:,} calls, {spent.tokens:,} tokens, {round(spent.money, 6):.4g} spent")


def difference(encoder: EncoderStatus) -> str:
    """In a sentence, what a reembed of a space would mend."""
    if encoder.unfinished:
        return f"{encoder.space}: a reembed was begun and has not ended"
    return f"{encoder.space}: the settings name {encoder.wanted}, the store holds {encoder.held}"
