"""`engramforge undo`: take back the last change, and the one before it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

import click

from engramforge.errors import InvalidValue, NotConfirmed
from engramforge.faces.cli.commands.redo import project_of_folder, show_undone
from engramforge.faces.cli.options import Call, ask_first, store_options
from engramforge.faces.cli.output import show_json
from engramforge.faces.cli.surroundings import standard_input
from engramforge.faces.views.timeline import UndoneView
from engramforge.model.memory import DEFAULT_PROJECT
from engramforge.model.texts.visible import visible

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.timeline import Undone

_NAMED: Final = 2


@click.command("undo")
@click.option("--yes", is_flag=True, help="Do not ask, however much is touched.")
@click.option("--message", metavar="ID", help="Take back what was read from this memory instead; it stays.")
@click.option(
    "--dream", metavar="ID", help="Take back all that this dream did instead; last for the last one."
)
@click.option(
    "--project", metavar="NAME", help="The last change of this project; default the working folder's."
)
@click.option("--all-projects", is_flag=True, help="The last change of all, in a project's folder as well.")
@store_options
def command(
    call: Call, yes: bool, message: str | None, dream: str | None, project: str | None, all_projects: bool
) -> None:
    """Take back the last change of this agent; again, the one before it; redo brings it again.

    What one write remembered, revised, superseded, ended or linked is taken back together, of a long import its last
    part. It stays in history. Turns that hooks captured are passed over, but where they registered or ended something.
    Where it touches more than 20 records and links, or is of an earlier prompt than the last, it asks; so it does where
    a further one is of an earlier conversation. A forget cannot be undone; of a project it asks behind one. Roles,
    lenses, scans and the scratchpad are no part of it: it takes back the last change of memories, entries and links,
    whatever came since.
    In the folder of a project that the store knows it takes back that project's last change; elsewhere the last of all,
    but where that is of a project by name, which it tells and asks first.
    With --dream it takes back all that a dream did, and nobody changed since; dream --last lists them.
    With --message it takes back what was read from that memory: decisions and threads it made, changed or ended.
    """
    if dream is not None and message is not None:
        raise InvalidValue("--dream and --message are both given", "Leave one out")
    with call.open() as forge:
        if project is None and message is None and dream is None and not all_projects:
            project = project_of_folder(forge)
            if project is None:
                _check_is_of_none(forge)

        def undoing(confirmed: bool) -> Undone:
            if dream is not None:
                return forge.dreams.undo(dream, project=project, confirmed=confirmed)
            return forge.undo(message=message, confirmed=confirmed, project=project)

        try:
            undone = undoing(yes)
        except NotConfirmed as error:
            if not standard_input().isatty():
                raise
            ask_first(f"{error.fault}. Take it back?", "Nothing was changed.")
            undone = undoing(True)
    if call.as_json:
        show_json({"undone": UndoneView.of(undone)})
    else:
        again = "Run redo to bring it again, or undo to go one further back."
        show_undone(
            "Undone", undone, again if message is None and dream is None else "Run undo to put it back."
        )


def _check_is_of_none(forge: Forge) -> None:
    """Ask at a terminal whether to take back the last change of all where that is a project's. Raises NotConfirmed
    where nobody can be asked: who stands in no project hardly means one."""
    last = forge.last_change()
    names = [] if last is None else [each for each in last.projects if each != DEFAULT_PROJECT]
    if last is None or not names:
        return
    what = "what was captured" if last.action == "import" else last.action
    where = ", ".join(map(visible, names[:_NAMED])) + (
        f" and {len(names) - _NAMED} more" if names[_NAMED:] else ""
    )
    fault = (
        f"The last change ({what}, {last.at:%Y-%m-%d %H:%M}) was in {where}, and this folder is of no project"
    )
    if not standard_input().isatty():
        hint = f"Nothing was changed; say --project {shlex.quote(names[0])}, or --all-projects for the last of all"
        raise NotConfirmed(fault, hint)
    ask_first(f"{fault}. Take it back?", "Nothing was changed.")
