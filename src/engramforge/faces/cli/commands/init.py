"""`engramforge init`: create the store; find Claude Code, and offer to connect it and to import its history.

Nothing of Claude Code is touched unasked: without a person at the terminal the commands are printed alone.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from engramforge.errors import CallerError, WorldError
from engramforge.faces.cli.commands.connect import RESTART, plan_for, show
from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import heading, megabytes, on_terminal, remark, say, show_json
from engramforge.faces.views.shape import numbered

if TYPE_CHECKING:
    from engramforge.faces.connections.connecting import Plan
    from engramforge.forge import Forge

_RECORDS_PER_SECOND: Final = 1_000
"""Turns that an import takes in a second, at least, on two cores that do other things too."""


@dataclass(frozen=True, slots=True)
class Found:
    """What there is of Claude Code: its folder of transcripts, how many, of how many bytes; the program; our hooks."""

    folder: Path
    transcripts: int
    size_bytes: int
    program: str | None
    connected: bool

    @property
    def is_there(self) -> bool:
        """Whether Claude Code was ever used here, or could be."""
        return self.program is not None or self.folder.parent.is_dir()

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "found": self.is_there,
            "program": self.program,
            "connected": self.connected,
            "folder": str(self.folder),
            "transcripts": self.transcripts,
            "size_bytes": self.size_bytes,
        }


@click.command("init")
@store_options
def command(call: Call) -> None:
    """Create the store and say what to do next.

    At a terminal it offers to connect Claude Code and to import its history; nothing of that is done unasked.
    """
    from engramforge.assembly import locate

    place = locate(call.store)
    # Whether a database holds a store already, only opening it tells, and that makes one.
    created = not place.exists() if isinstance(place, Path) else None
    found = _claude_code()
    asks = not call.as_json and on_terminal(sys.stdin) and on_terminal(sys.stdout)
    with call.open() as forge:
        identity, memories = forge.identity, forge.stats().memories
        steps = [
            'engramforge remember "We ship on Thursdays." --project shop',
            'engramforge recall "when do we ship?"',
            "engramforge import FOLDER --project NAME",
        ]
        theirs = [] if found.connected or not found.is_there else ["engramforge connect claude-code"]
        if found.transcripts:
            theirs.append(f"engramforge import {shlex.quote(str(found.folder))}")
        if call.as_json:
            told = {"location": identity.location, "store_id": identity.store_id, "schema": identity.schema}
            theirs_told = {"claude_code": found.as_dict(), "next": steps + theirs}
            show_json({"created": created, **told, "memories": memories, **theirs_told})
            return
        if created is None:
            say(f"The store is ready, with {numbered(memories, 'memory')}: {identity.location}")
        elif created:
            say(f"The store was created: {identity.location}")
        else:
            say(f"The store is there already, with {numbered(memories, 'memory')}: {identity.location}")
        say("ENGRAMFORGE_HOME or --home puts it elsewhere, ENGRAMFORGE_URL or --url into a database.")
        say()
        if found.is_there:
            _tell_claude_code(found, theirs)
            if asks and call.url is None:
                _offer_connection(call, found)
                _offer_import(forge, found)
                say()
        heading("Next")
        for step in steps:
            say(f"  {step}")


def _claude_code() -> Found:
    """Claude Code's folder, program and transcripts as they are now."""
    from engramforge.errors import EngramforgeError
    from engramforge.faces.connections.claude_code import config_folder, settings_file, without_hooks
    from engramforge.faces.connections.edits import parse, read

    root = config_folder() / "projects"
    try:
        sizes = [path.stat().st_size for path in root.glob("*/*.jsonl")]
    except OSError:
        sizes = []
    place = settings_file(None)
    try:
        settings = parse(place, read(place))
        connected = without_hooks(settings, {}) != settings or bool(
            settings.get("enabledPlugins", {}).get("engramforge@engramforge")
        )
    except (EngramforgeError, AttributeError):
        connected = False
    return Found(root, len(sizes), sum(sizes), shutil.which("claude"), connected)


def _tell_claude_code(found: Found, theirs: list[str]) -> None:
    heading("Claude Code")
    if found.connected:
        say("  It is connected: it captures by itself.")
    else:
        say(
            "  It can be connected: then it captures what is said and done by itself, and is told what matters."
        )
    if found.transcripts:
        size = megabytes(found.size_bytes)
        say(f"  {found.transcripts} transcripts are in {found.folder} ({size}).")
        say("  Claude Code deletes them after 30 days.")
    for step in theirs:
        say(f"  {step}")
    say()


def _offer_connection(call: Call, found: Found) -> None:
    """Show what connecting would write, and write it where the person says yes."""
    if found.connected:
        return
    from engramforge.faces.connections.connecting import connect

    try:
        home = call.daemon_home
        plan: Plan = plan_for(home, "settings", None, "command")
        if not plan.changes:
            return
        show(plan)
        if click.confirm("Connect Claude Code so?", err=True):
            connect(home, plan)
            say(f"Claude Code is connected; engramforge disconnect claude-code takes it back. {RESTART}")
        else:
            say("Claude Code was not connected.")
    except (CallerError, WorldError) as error:
        remark(f"Claude Code was not connected: {error}")


def _offer_import(forge: Forge, found: Found) -> None:
    """Say what an import would bring and how long it takes, and import where the person says yes."""
    if not found.transcripts:
        return
    from engramforge.faces.cli.commands.import_ import Bar, show_report

    records = sum(each.records or 0 for each in forge.survey(found.folder).formats)
    seconds = max(records / _RECORDS_PER_SECOND, 1)
    said = f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
    turns = f"about {records:,} turns, some {said}"
    if not click.confirm(f"Import {found.transcripts} transcripts ({turns})?", err=True):
        say("Nothing was imported.")
        return
    with Bar() as bar:
        try:
            report = forge.import_path(found.folder, progress=bar.show)
        except KeyboardInterrupt:
            written = numbered(bar.kept, "memory")
            raise click.Abort(f"Written, and kept: {written}. engramforge import goes on") from None
    show_report(report)
