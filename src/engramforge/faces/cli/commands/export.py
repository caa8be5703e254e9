"""`engramforge export`: everything of the tenant as JSON lines, or as Markdown that people read."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import megabytes, say, show_json, show_pairs

if TYPE_CHECKING:
    from engramforge.model.storing.section import ExportReport


@click.command("export")
@click.argument("file", required=False)
@click.option("--format", "format_", default="jsonl", metavar="NAME", help="jsonl (default) or markdown.")
@click.option("--to", metavar="PATH", help="The file, or for markdown the folder; the same as FILE.")
@click.option("--project", metavar="NAME", help="With markdown: only this project.")
@store_options
def command(call: Call, file: str | None, format_: str, to: str | None, project: str | None) -> None:
    """Write everything of the tenant to FILE as JSON lines, or to standard output.

    That is the memories of all agents with their history, links, origins, the audit log, injections and marks, without
    embeddings. FILE takes its place only when it is whole. Stores that hold the same give the same bytes.

    As markdown it becomes a folder that people read: decisions, threads, lineage, conversations and notes of each
    project, and beside them the same as JSON lines. `engramforge import` brings either back.
    """
    if file is not None and to is not None:
        raise InvalidValue("FILE and --to were both given, and each names a place", "Give one of them")
    place = file if to is None else to
    if format_ == "markdown":
        _markdown(call, place, project)
    elif format_ == "jsonl":
        if project is not None:
            raise InvalidValue(
                "JSON lines hold the whole tenant", "Leave out --project, or give --format markdown"
            )
        _lines(call, place)
    else:
        raise InvalidValue(f"There is no export format {format_[:60]!r}", "Give jsonl or markdown")


def _lines(call: Call, file: str | None) -> None:
    to_stream = file is None or file == "-"
    if to_stream and call.as_json:
        raise InvalidValue(
            "--json and the export would both go to standard output", "Name a FILE, or leave out --json"
        )
    with call.open() as forge:
        report = forge.export(sys.stdout.buffer if file is None or file == "-" else file)
    if not to_stream:
        _show(call, report)


def _markdown(call: Call, folder: str | None, project: str | None) -> None:
    if folder is None or folder == "-":
        raise InvalidValue("Markdown is written into a folder, and none is named", "Give --to FOLDER")
    with call.open() as forge:
        report = forge.export_markdown(folder, **given(project=project))
    _show(call, report)


def _show(call: Call, report: ExportReport) -> None:
    if call.as_json:
        show_json(report)
        return
    say(f"Exported to {report.path}, {megabytes(report.size_bytes)}.")
    show_pairs([(name, f"{count:,}") for name, count in report.counts.items()])
