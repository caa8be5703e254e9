"""`engramforge export`: everything of the tenant as JSON lines."""

from __future__ import annotations

import sys

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import megabytes, say, show_json, show_pairs


@click.command("export")
@click.argument("file", required=False)
@store_options
def command(call: Call, file: str | None) -> None:
    """Write everything of the tenant to FILE as JSON lines, or to standard output.

    That is the memories of all agents with their history, links, origins, the audit log and marks, without embeddings.
    FILE takes its place only when it is whole. Stores that hold the same give the same bytes.
    """
    to_stream = file is None or file == "-"
    if to_stream and call.as_json:
        raise InvalidValue(
            "--json and the export would both go to standard output", "Name a FILE, or leave out --json"
        )
    with call.open() as forge:
        report = forge.export(sys.stdout.buffer if file is None or file == "-" else file)
    if to_stream:
        return
    if call.as_json:
        show_json(report)
        return
    say(f"Exported to {report.path}, {megabytes(report.size_bytes)}.")
    show_pairs([(name, f"{count:,}") for name, count in report.counts.items()])
