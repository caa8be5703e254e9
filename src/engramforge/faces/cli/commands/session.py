"""`engramforge session`: begin and end of a Claude Code session, and what is switched off in it or in its project."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.hook_events import session_here, take
from engramforge.faces.cli.options import Call, given, store_options, together
from engramforge.faces.cli.output import remark

if TYPE_CHECKING:
    from engramforge.model.storing.live import SwitchedOff

_event_options = together(
    click.option("--session", "session_id", metavar="ID", help="The session, in place of the event's."),
    store_options,
)
_switch_options = together(
    click.option("--capture", is_flag=True, help="Only what is captured."),
    click.option("--injection", is_flag=True, help="Only what is injected."),
    click.option("--session", metavar="ID", help="In this session; else the one that the command runs in."),
    click.option("--project", metavar="NAME", help="In this project."),
    store_options,
)


@click.group("session", invoke_without_command=True)
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call) -> None:
    """Sessions of Claude Code. Without a subcommand: what is switched off, and where."""
    if ctx.invoked_subcommand is not None:
        return
    with call.open() as forge:
        off = forge.hooks.switches()
    call.tell_list(
        "off", off, ("off", "project", "session"), _row, "Capture and injection are on everywhere."
    )


def _row(off: SwitchedOff) -> tuple[object, ...]:
    return str(off.what), off.project, off.session


@command.command("start")
@_event_options
def start(call: Call, session_id: str | None) -> None:
    """Begin a session: the hook of SessionStart, whose JSON it reads on standard input. Exits 0 whatever happens."""
    take(call, "SessionStart", **given(session_id=session_id))


@command.command("end")
@_event_options
def end(call: Call, session_id: str | None) -> None:
    """End a session and summarise it: the hook of SessionEnd, whose JSON it reads on standard input. Exits 0 whatever
    happens."""
    take(call, "SessionEnd", **given(session_id=session_id))


@command.command("on")
@_switch_options
def on(call: Call, **asked: Any) -> None:
    """Switch capture and injection on again, or one of them, in a session or a project."""
    _switch(call, is_on=True, **asked)


@command.command("off")
@_switch_options
def off(call: Call, **asked: Any) -> None:
    """Switch capture and injection off, or one of them, in a session or a project. What was captured stays."""
    _switch(call, is_on=False, **asked)


def _switch(
    call: Call, *, is_on: bool, capture: bool, injection: bool, session: str | None, project: str | None
) -> None:
    if session is None and project is None and (session := session_here()) is None:
        raise InvalidValue(
            "No session is named, and the environment names none", "Give --session ID or --project NAME"
        )
    both = capture == injection
    named = [name for name, asked in (("capture", capture), ("injection", injection)) if asked or both]
    with call.open() as forge:
        known = [] if project is None or call.as_json else [each.name for each in forge.projects()]
        if known and project not in known:
            near = " or ".join(map(repr, get_close_matches(str(project), known)))
            meant = f"did you mean {near}?" if near else "`engramforge projects` lists those that there are"
            remark(f"Nothing is in a project {project!r} yet: {meant}")
        for name in named:
            forge.hooks.switch(name, is_on, project=project, session=session)
    where = " and ".join(
        f"{what} {name}" for what, name in (("session", session), ("project", project)) if name is not None
    )
    answer = {"switched": named, "on": is_on, "project": project, "session": session}
    call.tell(answer, f"{' and '.join(named).capitalize()} switched {'on' if is_on else 'off'} in {where}.")
