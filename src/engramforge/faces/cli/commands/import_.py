"""`engramforge import`: files, folders and transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import click

from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import megabytes, say, show_json, show_pairs
from engramforge.faces.cli.progress import PortionBar
from engramforge.faces.views import view_import

if TYPE_CHECKING:
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


class Step(Protocol):
    """How far an import is, as the facade tells it."""

    @property
    def files_done(self) -> int:
        """Files that are in."""

    @property
    def files_total(self) -> int:
        """All files."""

    @property
    def written(self) -> int:
        """Memories that were written and are kept."""

    @property
    def bytes_done(self) -> int:
        """Bytes that were read."""

    @property
    def bytes_total(self) -> int:
        """Bytes of all files."""


class Bar(PortionBar):
    """The bar of an import; it also keeps how many memories were written, for who interrupts it."""

    def __init__(self) -> None:
        super().__init__("reading")
        self.kept = 0

    def show(self, step: Step) -> None:
        """Move the bar; bytes measure it, because files and records differ in size."""
        self.kept = step.written
        read = f"{megabytes(step.bytes_done)} of {megabytes(step.bytes_total)}"
        said = f"{step.files_done}/{step.files_total} files, {read}, {step.written:,} memories"
        self.move(said, step.bytes_done, step.bytes_total)


def _show(report: ImportReport) -> None:
    """The report in words; what is zero is left out."""
    counted = [
        ("files", report.files),
        ("records found", report.found),
        ("written", report.written),
        ("there already", report.duplicates),
        ("superseded", report.superseded),
        ("ended", report.invalidated),
        ("nothing to remember", report.skipped),
        ("secrets replaced", report.redacted),
    ]
    say(f"Imported {report.source} ({report.format}) in {report.seconds:.1f} s.")
    show_pairs(
        [
            ("project", report.project),
            *((name, f"{count:,}") for name, count in counted if count or name == "written"),
        ]
    )
    files = report.details.get("files", {})
    before = sum(counts["faults"] for counts in files.values() if counts.get("unchanged"))
    if report.faults:
        total = report.details.get("faults", len(report.faults)) - before
        say(f"{total} records are broken and were skipped:")
        for fault in report.faults[:_FAULTS_SHOWN]:
            say(f"  {fault}")
        if total > _FAULTS_SHOWN:
            say(f"  ... and {total - _FAULTS_SHOWN} more (--json lists them)")
    if before:
        say(f"{before} records were broken when their files were read, which have not changed since.")
