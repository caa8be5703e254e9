"""`engramforge connect`: let Claude Code capture by itself and be told what is remembered."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from engramforge.errors import InvalidValue, NotConfirmed, StoreUnavailable
from engramforge.faces.cli.options import Call, ask_first, store_options
from engramforge.faces.cli.output import heading, remark, say, say_text, show_json
from engramforge.runtime.places import Places, open_plain
from engramforge.runtime.starting import port_in, recorded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engramforge.faces.connections.connecting import Plan
    from engramforge.faces.connections.edits import Edit

TARGETS = click.Choice(["claude-code"])
_TOKEN_BYTES = 4_096
RESTART = "Sessions that run already take no notice: start Claude Code again."


@click.command("connect")
@click.argument("target", type=TARGETS)
@click.option(
    "--settings", "way", flag_value="settings", default=True, help="By Claude Code's settings (default)."
)
@click.option("--plugin", "way", flag_value="plugin", help="As a plugin, with slash commands.")
@click.option("--user", is_flag=True, help="In all projects (default).")
@click.option("--project", metavar="FOLDER", help="In this folder alone; its repository does not see it.")
@click.option(
    "--hooks",
    type=click.Choice(["command", "http"]),
    default="command",
    show_default=True,
    help="http: no process for an event, and nothing is kept while the daemon is down.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@store_options
def command(
    call: Call,
    target: str,
    way: str,
    user: bool,
    project: str | None,
    hooks: str,
    dry_run: bool,
    yes: bool,
) -> None:
    """Connect TARGET: hooks that capture and inject, and the MCP server, with the paths of this installation.

    What is written is shown first, what was there is kept, and disconnect brings it back.
    """
    if user and project is not None:
        raise InvalidValue("--user and --project were both given", "Give one of them")
    if way == "plugin" and hooks == "http":
        raise InvalidValue("The plugin has command hooks alone", "Leave --hooks out, or give --settings")
    home = call.daemon_home
    plan = plan_for(home, way, project, hooks)
    if not plan.changes:
        call.tell(
            {"connected": True, "changed": []}, f"{target} is connected already, and nothing is to change."
        )
        return
    replaced = plan.replaces
    if not call.as_json:
        show(plan, whole=dry_run or can_answer(yes))
        for other in replaced:
            remark(f"This takes the place of the connection of {other}, which gets no more events.")
    if dry_run:
        told = "Nothing was written."
    else:
        confirm("Write this?", yes, "engramforge connect claude-code --yes", "Nothing was written.")
        from engramforge.faces.connections.connecting import connect

        connect(home, plan)
        told = f"{target} is connected. {RESTART}\nengramforge disconnect {target} takes it back."
    changed = [str(edit.path) for edit in plan.edits if edit.changes]
    if call.as_json:
        runs = [list(each) for each in plan.runs]
        show_json({"connected": not dry_run, "changed": changed, "runs": runs, "replaced": replaced})
    else:
        say(told)


def plan_for(home: Path, way: str, project: str | None, hooks: str) -> Plan:
    """What connecting would do. Raises InvalidValue, InvalidSource: it cannot be done that way, and why."""
    from engramforge.faces.connections.connecting import commands_of, plan_plugin, plan_settings

    folder = None if project is None else Path(project).expanduser().resolve()
    if folder is not None and not folder.is_dir():
        raise InvalidValue(f"{folder} is no folder", "Name the project's folder")
    commands = commands_of(home, _http(home) if hooks == "http" else None)
    return plan_plugin(home, folder, commands) if way == "plugin" else plan_settings(home, folder, commands)


def _http(home: Path) -> tuple[str, str]:
    """The address that hooks are to ask, and its token, of the daemon that runs. Raises StoreUnavailable: none does."""
    places = Places(str(home))
    port = port_in(recorded(places))
    if port is None:
        raise StoreUnavailable(
            "No daemon of this home says on which port it listens, so http hooks have no address",
            "Start one with a port of your choice that stays: engramforge serve --background --port 4733",
        )
    try:
        with open_plain(places.token) as file:
            token = file.read(_TOKEN_BYTES).decode("ascii").strip()
    except (OSError, UnicodeDecodeError):
        token = ""
    if not token or not token.isprintable() or " " in token:
        raise StoreUnavailable(
            f"{places.token} holds no token, so http hooks would be turned away",
            f"engramforge stop, then rm -rf {quote(places.token)}: the next daemon writes a new one",
        )
    return f"http://127.0.0.1:{port}/hook?engramforge", token


def show(plan: Plan, whole: bool = True) -> None:
    """Show what would be written and run; of files each line, or only which."""
    show_edits(plan.edits, "make", whole)
    for command in plan.runs:
        heading("run")
        say(f"  {' '.join(command)}")
    say()


def show_edits(edits: Iterable[Edit], whole_file: str, whole: bool) -> None:
    """Show edits that change something; `whole_file`: what is done to a file that is not there before or after."""
    for edit in (edit for edit in edits if edit.changes):
        is_change = edit.before is not None and edit.after is not None
        heading(f"{'change' if is_change else whole_file} {edit.path}")
        if whole:
            say_text(edit.diff())


def can_answer(yes: bool) -> bool:
    """Whether a person is to be asked and can be, so that what they are asked of has to be shown to them; where
    nobody can be, that is said before the rest."""
    if yes:
        return False
    if not sys.stdin.isatty():
        remark(
            "There is nobody to ask here, so nothing is changed. --dry-run shows each line of what would be:"
        )
        return False
    return True


def confirm(question: str, yes: bool, unasked: str, left: str) -> None:
    """Go on where the person says yes, here or by --yes. Raises NotConfirmed: there is nobody to ask."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise NotConfirmed("Nothing was written: there is nobody to ask", f"Run: {unasked}")
    ask_first(question, left)
    remark("")
