"""`engramforge watch`: remember what is saved, moved or deleted in folders, as it happens."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from engramforge.errors import Conflict, InvalidValue
from engramforge.faces.cli.commands.import_ import Bar
from engramforge.faces.cli.options import Call, given, store_options
from engramforge.faces.cli.output import remark, say, show_json_line
from engramforge.faces.views.shape import numbered
from engramforge.model.storing.watching import Became, FileNews, Watch, WatchedFolder, WatchNews

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.storing.import_survey import ImportProgress

_LINES: Final = 20
"""Of so many files of a burst each has its line; of more they are counted."""
_ENDING: Final = (signal.SIGINT, signal.SIGTERM)
_STATES: Final = {
    Watch.AWAY: "is not there; nothing is ended, and it is followed again when it comes back",
    Watch.BACK: "is there again",
    Watch.GONE: "was deleted",
    Watch.WAITING: "waits, nothing is lost",
    Watch.POLLING: "is compared now and then, since the system sends no events",
}


@click.command("watch")
@click.argument("folder", required=False)
@click.option("--project", metavar="NAME", help="The project it goes to (the folder's name when left out).")
@click.option("--once", is_flag=True, help="Bring in what changed, and end.")
@click.option("--foreground", is_flag=True, help="Fail where another process watches already.")
@click.option("--list", "listing", is_flag=True, help="List the watched folders.")
@click.option("--remove", metavar="FOLDER", help="Watch a folder no longer; what came from it stays.")
@store_options
def command(
    call: Call,
    folder: str | None,
    project: str | None,
    once: bool,
    foreground: bool,
    listing: bool,
    remove: str | None,
) -> None:
    """Remember the text files of FOLDER, and every change of them as it is saved, until Ctrl-C.

    FOLDER is remembered; without one all remembered folders are watched. A changed file changes only the passages that
    changed; what a deleted one said has ended. What happened while nobody watched is brought in at the start. Where
    another process watches already, that one takes the folder in.
    """
    if sum((listing, remove is not None, folder is not None)) > 1:
        raise InvalidValue("Of FOLDER, --list and --remove several were given", "Give one of them")
    if project is not None and folder is None:
        raise InvalidValue("--project says whose a folder is, and none was given", "Give FOLDER too")
    if once and foreground:
        raise InvalidValue("--once and --foreground were both given", "Give one of them")
    with call.open() as forge:
        if listing:
            empty = "No folder is watched. Watch one with: engramforge watch FOLDER"
            call.tell_list("folders", forge.watching.folders(), ("folder", "project", "now"), _row, empty)
        elif remove is not None:
            gone = forge.watching.remove(remove)
            call.tell(gone, f"{gone.path} is watched no longer.")
        else:
            added = None if folder is None else forge.watching.add(folder, **given(project=project))
            _watch(call, forge, added, once, foreground)


def _row(folder: WatchedFolder) -> tuple[object, ...]:
    return folder.path, folder.project, "there" if Path(folder.path).is_dir() else "missing"


def _watch(call: Call, forge: Forge, added: WatchedFolder | None, once: bool, foreground: bool) -> None:
    if added is None and not forge.watching.folders():
        raise InvalidValue("No folder is watched", "Name one: engramforge watch FOLDER")
    try:
        if once:
            with Bar() as bar:
                news = forge.watching.scan(None if added is None else added.path, progress=bar.show)
            for each in news:
                _tell(call, each)
        else:
            _follow(call, forge)
    except Conflict as error:
        if foreground:
            raise
        remark(str(error))


def _follow(call: Call, forge: Forge) -> None:
    """Watch until Ctrl-C or a request to end, which is how it ends."""
    stop = threading.Event()
    scan = _Scan(stop)

    def report(news: WatchNews) -> None:
        scan.close()
        _tell(call, news)
        sys.stdout.flush()

    before = {number: signal.signal(number, lambda *_: stop.set()) for number in _ENDING}
    try:
        if not call.as_json:
            remark("Watching. Ctrl-C ends it; what happens until the next start is brought in then.")
        forge.watching.watch(stop, report, progress=scan.show)
    except KeyboardInterrupt:  # held back by the bar of a scan
        pass
    finally:
        scan.close()
        for number, handler in before.items():
            signal.signal(number, handler)
    if not call.as_json:
        remark("Stopped.")


class _Scan:
    """The bar of the comparison that watching begins with; it goes when there is something to tell."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._bar: Bar | None = None

    def show(self, step: ImportProgress) -> None:
        """Move the bar."""
        if self._bar is None:
            self._bar = Bar().__enter__()
        self._bar.show(step)

    def close(self) -> None:
        """Take the bar away."""
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.__exit__(None, None, None)
            if bar.is_stopping:
                self._stop.set()


def _tell(call: Call, news: WatchNews) -> None:
    """Print news as a line of JSON, or in words."""
    if call.as_json:
        show_json_line(news)
        return
    if news.about is Watch.SCANNED:
        counts = ", ".join(f"{number} {became}" for became, number in news.counts.items())
        say(f"{news.folder}: {counts or 'nothing changed'} ({news.seconds:.1f} s)")
    elif news.about is not Watch.CHANGES:
        say(f"{news.folder} {_STATES[news.about]}{f' ({news.fault})' if news.fault else ''}")
    elif news.fault:
        say(f"{news.folder}: {news.fault}")
    shown = news.files if len(news.files) <= _LINES else ()
    if news.files and not shown and news.about is not Watch.SCANNED:
        counts = ", ".join(f"{number} {became}" for became, number in news.counts.items())
        say(f"{numbered(len(news.files), 'file')} of {news.folder}: {counts} ({news.seconds:.1f} s)")
    faulty = [each for each in news.files if each.became is Became.FAULTY][:_LINES]
    for each in shown or faulty:
        say(f"  {_said(each)}")


def _said(file: FileNews) -> str:
    """What became of a file, in words."""
    if file.became is Became.FAULTY:
        return f"cannot be read: {file.path}: {file.faults[0].reason if file.faults else 'broken'}"
    what = f"{file.became} {file.path}"
    if file.became is Became.MOVED:
        what = f"moved {file.before} to {file.path}"
    numbers = ((file.written, "new"), (file.superseded, "changed"), (file.ended, "ended"))
    said = ", ".join(f"{number} {word}" for number, word in numbers if number)
    noted = "".join(f"; {each.reason}" for each in file.faults[:1])
    return f"{what}: passages {said}{noted}" if said else f"{what}{noted}"
