"""`engramforge import`: files, folders and transcripts."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, Final, Protocol

import click

from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import megabytes, on_terminal, say, show_json, show_pairs
from engramforge.faces.views import view_import

if TYPE_CHECKING:
    from types import FrameType, TracebackType

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


class Bar:
    """A progress bar on standard error, where that is a terminal; elsewhere it only counts.

    It also holds back an interrupt (Ctrl-C) until the batch at hand is written, so that what is kept is whole and
    known; a second one stops at once.
    """

    def __init__(self) -> None:
        self.kept = 0
        self._stopping = False
        self._before: Any = None
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        if on_terminal(sys.stderr):
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
            self._progress = Progress(*columns, console=Console(stderr=True))
            self._task = self._progress.add_task("reading", total=None)
            self._progress.start()
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._hold_back)
        return self

    def _hold_back(self, number: int, frame: FrameType | None) -> None:
        if self._stopping:
            signal.default_int_handler(number, frame)
        self._stopping = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._progress is not None:
            self._progress.stop()

    def show(self, step: Step) -> None:
        """Move the bar; bytes measure it, because files and records differ in size."""
        self.kept = step.written
        if self._progress is not None:
            read = f"{megabytes(step.bytes_done)} of {megabytes(step.bytes_total)}"
            said = f"{step.files_done}/{step.files_total} files, {read}, {step.written:,} memories"
            self._progress.update(
                self._task, description=said, total=step.bytes_total, completed=step.bytes_done
            )
        if self._stopping:
            raise KeyboardInterrupt


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
    if report.faults:
        total = report.details.get("faults", len(report.faults))
        say(f"{total} records are broken and were skipped:")
        for fault in report.faults[:_FAULTS_SHOWN]:
            say(f"  {fault}")
        if total > _FAULTS_SHOWN:
            say(f"  ... and {total - _FAULTS_SHOWN} more (--json lists them)")
