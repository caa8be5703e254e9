"""`engramforge sync`: import what is new from remembered sources; made for cron."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.commands.import_ import Bar, show_report
from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import remark, show_json
from engramforge.faces.views.shape import numbered

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.storing.sync import SyncReport, SyncSource

_NO_SOURCES: Final = "No sources. Add one with: engramforge sync --add PATH"


@click.command("sync")
@click.option("--add", metavar="PATH", help="Remember a file or folder as a source.")
@click.option("--remove", metavar="PATH", help="Forget a source; what came from it stays.")
@click.option("--list", "listing", is_flag=True, help="List the sources.")
@click.option("--project", metavar="NAME", help="With --add: the project it goes to.")
@click.option("--format", "format_", metavar="NAME", help="With --add: its format.")
@store_options
def command(
    call: Call, add: str | None, remove: str | None, listing: bool, project: str | None, format_: str | None
) -> None:
    """Import what is new in all sources since the last run. Where there are some, says nothing unless something
    happened.

    A source that cannot be read is told, the others go on, and the exit code is that of the worst error: 3 where a path
    is missing, 4 where another sync is going on, 5 for the machine. One run at a time.
    """
    if sum((add is not None, remove is not None, listing)) > 1:
        raise InvalidValue("Of --add, --remove and --list several were given", "Give one of them")
    if add is None and (project is not None or format_ is not None):
        raise InvalidValue(
            "--project and --format say how an added source is imported", "Give --add PATH too"
        )
    with call.open() as forge:
        if add is not None or remove is not None:
            _change(call, forge, add, remove, given(project=project, format=format_))
        elif listing:
            columns = ("source", "project", "format", "last run", "error")
            call.tell_list("sources", forge.sync.sources(), columns, _row, _NO_SOURCES)
        else:
            _run(call, forge)


def _change(call: Call, forge: Forge, add: str | None, remove: str | None, how: dict[str, str]) -> None:
    source = forge.sync.remove(remove or "") if add is None else forge.sync.add(add, **how)
    call.tell(source, f"{'Removed' if add is None else 'Added'} {source.path}.")


def _row(source: SyncSource) -> tuple[object, ...]:
    last_run = f"{source.last_at:%Y-%m-%d %H:%M}" if source.last_at else "never"
    return source.path, source.project, source.format, last_run, source.error


def _run(call: Call, forge: Forge) -> None:
    with Bar() as bar:
        try:
            report = forge.sync.run(progress=bar.show)
        except KeyboardInterrupt:
            raise click.Abort(f"Written of this source, and kept: {numbered(bar.kept, 'memory')}") from None
    if call.as_json:
        sources = [
            {"source": each.source, "report": each.report, "error": each.error} for each in report.sources
        ]
        show_json({"happened": report.happened, "sources": sources, "seconds": report.seconds})
    else:
        _show(report)
    if report.exit_code:
        raise click.exceptions.Exit(report.exit_code)


def _show(report: SyncReport) -> None:
    """What happened, and nothing where nothing did."""
    if not report.sources:
        remark(_NO_SOURCES)
    for source in report.sources:
        if source.report is None:
            remark(f"error: {source.source.path}: {source.error}")
        elif source.happened:
            show_report(source.report)
