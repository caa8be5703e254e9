"""`engramforge redo`: bring again what was undone last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engramforge.faces.cli.options import Call, store_options
from engramforge.faces.cli.output import say, shortened, show_json
from engramforge.faces.cli.surroundings import working_folder
from engramforge.faces.views.shape import numbered
from engramforge.faces.views.timeline import UndoneView
from engramforge.model.memory import Kind, Memory, Source
from engramforge.model.registration import Act
from engramforge.model.texts.visible import visible

if TYPE_CHECKING:
    from engramforge.forge import Forge
    from engramforge.model.timeline import Undone

_SHOWN = 20
_NAMED = 2
_CAPTURED = (Source.USER_PROMPT, Source.ASSISTANT_RESPONSE, Source.HOOK_DESCRIPTION)


@click.command("redo")
@click.option(
    "--project", metavar="NAME", help="What was undone last in this project; default the working folder's."
)
@click.option(
    "--all-projects", is_flag=True, help="What was undone last of all, in a project's folder as well."
)
@store_options
def command(call: Call, project: str | None, all_projects: bool) -> None:
    """Bring again what this agent undid last; again, what it undid before that.

    A change since leaves nothing to redo. In the folder of a project that the store knows it is about that project
    alone, as undo is.
    """
    with call.open() as forge:
        if project is None and not all_projects:
            project = project_of_folder(forge)
        redone = forge.redo(project=project)
    if call.as_json:
        show_json({"redone": UndoneView.of(redone)})
    else:
        show_undone("Redone", redone, "Run undo to take it back.")


def project_of_folder(forge: Forge) -> str | None:
    """The project of the working folder, if the store knows it."""
    folder = working_folder()
    name = forge.hooks.project_of(folder) if folder else ""
    return name if any(each.name == name for each in forge.projects()) else None


def show_undone(did: str, undone: Undone, hint: str) -> None:
    """Print what became of memories and entries by an undo or a redo."""
    links = f" Links: {undone.links}." if undone.links else ""
    uses = f" Entries whose use changed: {undone.uses}." if undone.uses else ""
    if undone.passed_over is not None:
        say(_passed_over(undone.passed_over))
    records = len(undone.taken_back) + len(undone.restored)
    part = f", a part of {numbered(records, 'record')}" if _action(undone) == "import" else ""
    say(f"{did}: {_action(undone)}{part}{_whose(undone)}.{links}{uses} {hint}")
    for each in undone.consequences[:_SHOWN]:
        stands = {Act.GONE: "is gone", Act.WAITS: "waits for review again"}.get(
            each.act, f"is {each.status or 'there'} again"
        )
        name = " ".join(filter(None, (each.kind, each.local_id, f"({each.id})")))
        say(f"{name} {stands}: {shortened(each.text, 70)}")
    if more := len(undone.consequences[_SHOWN:]):
        say(f"... and {more} more")


def _passed_over(turn: Memory) -> str:
    """That nothing of the last turn could be taken back."""
    at = f"{turn.told_at:%Y-%m-%d %H:%M}"
    if turn.kind is Kind.PROMPT:
        said = shortened(turn.content, 70)
        return f'Nothing was registered of the last prompt ({at}, "{said}"), so undo passes over it; forget deletes it.'
    return f"Nothing of the last prompt (answered {at}) was kept, so there is nothing of it to take back."


def _whose(undone: Undone) -> str:
    """In which projects it was, and when it was recorded."""
    touched = undone.taken_back or undone.restored
    projects = list(dict.fromkeys(each.project for each in touched))
    if not projects:
        return ""
    more = f" and {len(projects) - _NAMED} more" if len(projects) > _NAMED else ""
    at = "" if not undone.taken_back else f", {max(each.created_at for each in touched):%Y-%m-%d %H:%M}"
    return f" in {', '.join(map(visible, projects[:_NAMED]))}{more}{at}"


def _action(undone: Undone) -> str:
    """What the change was: of an entry that somebody registered, the entry's kind and not how it is kept; of what a
    cycle learned, how much that was."""
    kinds = {each.kind for each in undone.taken_back}
    if undone.action == "remember" and len(undone.taken_back) == 1 and kinds <= {Kind.DECISION, Kind.THREAD}:
        return f"{kinds.pop()} created"
    if undone.action == "learn":
        return numbered(len(undone.taken_back) or len(undone.restored), "learning")
    if undone.action == "import" and any(
        each.source in _CAPTURED for each in undone.taken_back or undone.restored
    ):
        return "what was captured"
    return undone.action
