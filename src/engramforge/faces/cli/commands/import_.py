"""`engramforge import`: files, folders and transcripts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import on_terminal, printable, say, shortened, show_json, show_pairs
from engramforge.faces.views import view_import

if TYPE_CHECKING:
    from types import TracebackType

    from engramforge.model.record import ImportReport

_FAULTS_SHOWN: Final = 20


@click.command("import")
@click.argument("path")
@click.option("--project", metavar="NAME", help="The project it goes to (from the source when left out).")
@click.option("--format", "format_", metavar="NAME", help="The format (recognised when left out).")
@store_options
def command(call: Call, path: str, project: str | None, format_: str | None) -> None:
    """Import PATH: a file or folder of Markdown, JSON lines or Claude Code transcripts.

    Running it again brings in only what is new. A broken record is reported and skipped, the rest goes in.
    An interrupted import goes on where it stopped when it is started again.
    """
    with call.open() as forge, Bar() as bar:
        try:
            report = forge.import_path(path, progress=bar.show, **given(project=project, format=format_))
        except KeyboardInterrupt:
            raise click.Abort(
                f"{bar.kept} memories were written and are kept. Run the same command again to go on"
            ) from None
    if call.as_json:
        show_json(view_import(report))
    else:
        _show(report)
