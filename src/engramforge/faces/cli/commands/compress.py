"""`engramforge compress`: a conversation as an archive, to carry it into the next one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, given, level_option, store_options
from engramforge.faces.cli.output import remark, say, say_text, show_json, write_text
from engramforge.faces.views.archive import ArchiveView
from engramforge.faces.views.shape import numbered


@click.command("compress")
@click.argument("conversation")
@click.option(
    "--mode",
    type=click.Choice(["lossless", "lossy", "partial"]),
    help="Everything (default), a summary within --size, or what matches --context.",
)
@click.option("--context", metavar="TEXT", help="partial: what the next conversation is about.")
@click.option("--tag", metavar="TAG", help="A name for the compression.")
@click.option("--size", type=int, metavar="CHARACTERS", help="lossy: at most so long.")
@click.option("--turns", "turn_range", type=(int, int), metavar="FIRST LAST", help="Only these turns.")
@click.option("--project", metavar="NAME", help="Whose conversation it is, where several have one.")
@level_option
@click.option("--to", "place", metavar="FILE", help="Write the archive there; else it is printed.")
@click.option("--force", is_flag=True, help="With --to: write over a file that is there.")
@store_options
def command(call: Call, conversation: str, place: str | None, force: bool, **fields: Any) -> None:
    """Compress CONVERSATION into an archive; give it to the next one with `engramforge continue`."""
    if place is not None and Path(place).is_file() and not force:
        raise InvalidValue(f"{place} is there already", "Name another file, or give --force to write over it")
    with call.open() as forge:
        made = ArchiveView.of(forge.archives.compress(conversation, **given(**fields)))
    if place is not None:
        write_text(Path(place), made.text)
    if call.as_json:
        show_json(made)
    elif place is None:
        # The text alone on standard output, so that it can be piped; the account on standard error.
        say_text(made.text)
        remark(_account(made))
    else:
        say(f"{place}: {_account(made)}")


def _account(made: ArchiveView) -> str:
    said = (
        f"{numbered(made.decisions, 'decision')}, {numbered(made.threads, 'thread')}, "
        f"{numbered(made.artifacts, 'artefact')}, {numbered(made.memories, 'memory')}; lineage {made.edge.id}"
    )
    if made.revalidation:
        said += f"; {numbered(made.revalidation, 'decision')} to validate again"
    if made.related:
        said += f"; {numbered(len(made.related), 'decision')} of other projects"
    return "\n".join([said, *(f"warning: {warning}" for warning in made.warnings)])
