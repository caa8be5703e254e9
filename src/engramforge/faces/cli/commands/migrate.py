"""`engramforge migrate`: move a store to another place or engine."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

import click

from engramforge.faces.cli.output import on_terminal, say, show_json, show_pairs

if TYPE_CHECKING:
    from types import FrameType, TracebackType

    from engramforge.model.section import MoveReport


@click.command("migrate")
@click.argument("source", metavar="FROM_URL")
@click.argument("target", metavar="TO_URL")
@click.option("--tenant", metavar="NAME", help="Whose memories (the settings' tenant when left out).")
@click.option("--start-over", is_flag=True, help="Throw away what an unfinished move brought into TO_URL.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object.")
def command(source: str, target: str, tenant: str | None, start_over: bool, as_json: bool) -> None:
    """Move everything of a tenant from FROM_URL into the empty store TO_URL; FROM_URL is only read.

    Each is postgresql://..., sqlite:///path/to/folder-or-file, or a folder. An interrupted move goes on where it
    stopped when the same command runs again. At the end both are compared by counts and checksums. Let nobody use
    either of them meanwhile.
    """
    import engramforge

    with MoveBar() as bar:
        try:
            report = engramforge.migrate(
                source, target, tenant=tenant, start_over=start_over, progress=bar.show
            )
        except KeyboardInterrupt:
            raise click.Abort("What was moved is kept. Run the same command again to go on") from None
    if as_json:
        show_json(report)
    else:
        _show(report)


class MoveBar:
    """A progress bar on standard error, where that is a terminal; holds an interrupt back until a portion is whole."""

    def __init__(self) -> None:
        self._stopping = False
        self._before: Any = None
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> MoveBar:
        if on_terminal(sys.stderr):
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
            self._progress = Progress(*columns, console=Console(stderr=True))
            self._task = self._progress.add_task("opening", total=None)
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

    def show(self, section: str, done: int, total: int) -> None:
        """Move the bar; every row counts once when it is moved and once on each side for the checksums."""
        if self._progress is not None:
            self._progress.update(self._task, description=section, total=total, completed=done)
        if self._stopping:
            raise KeyboardInterrupt


def _show(report: MoveReport) -> None:
    moved = sum(report.moved.values())
    if moved:
        begun = "Went on with an unfinished move and finished it" if report.resumed else "Moved"
        say(f"{begun}: {moved:,} rows in {report.seconds:.1f} s.")
    else:
        say("Nothing was left to move: everything is there already.")
    show_pairs([("from", report.source), ("to", report.target), ("tenant", report.tenant)])
    show_pairs([(name, f"{count:,}") for name, count in report.counts.items()])
    say("Every count and checksum is the same on both sides.")
