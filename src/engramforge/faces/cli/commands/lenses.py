"""`engramforge lenses`: saved lists of projects with their roles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engramforge.errors import InvalidValue
from engramforge.faces.cli.options import NO_UNDO, Call, given, store_options
from engramforge.faces.views.lens import LensView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engramforge.faces.views.lens import LensProjectView

_COLUMNS = ("lens", "projects", "budget", "active", "description")
_PARTS = 3
_SEES = ("agent", "speaker", "source", "model", "as_of", "as_of_valid", "as_of_recorded")


@click.group("lenses", invoke_without_command=True)
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call) -> None:
    """Lenses: named lists of projects with their roles. Without a subcommand: list them."""
    if ctx.invoked_subcommand is None:
        _list(call)


@command.command("list")
@store_options
def list_(call: Call) -> None:
    """List the lenses by name."""
    _list(call)


@command.command("get")
@click.argument("name")
@store_options
def get(call: Call, name: str) -> None:
    """Show the lens NAME."""
    with call.open() as forge:
        found = LensView.of(forge.lenses.get(name))
    call.tell({"lens": found}, _told(found))


@command.command("save")
@click.argument("name")
@click.argument("projects", nargs=-1, metavar="PROJECT[:ROLE[:WEIGHT]]...")
@click.option("--description", metavar="TEXT", help="What the lens is for.")
@click.option("--budget", "default_budget", type=int, metavar="N", help="Characters of its text (6000).")
@click.option("--inactive", is_flag=True, help="It cannot be asked through until it is saved again without.")
@click.option(
    "--lenses",
    metavar="JSON",
    help="In place of PROJECT...: projects with dates (as_of), departments (name, projects or tags), models.",
)
@click.option(
    "--adaptive/--no-adaptive",
    default=None,
    help="Whether its weights follow what was said of its projects' memories; as it stands.",
)
@store_options
def save(
    call: Call,
    name: str,
    projects: Sequence[str],
    description: str | None,
    default_budget: int | None,
    inactive: bool,
    lenses: str | None,
    adaptive: bool | None,
) -> None:
    """Keep the lens NAME in place of the one of that name: one to six projects, each with its role (default: the one
    that it has) and weight (default: that of its role).
    undo does not take this back."""
    if projects and lenses is not None:
        raise InvalidValue("Projects and --lenses were both given", "Give one of them")
    with call.open() as forge:
        asked = given(description=description, default_budget=default_budget, adaptive=adaptive)
        listed = lenses if lenses is not None else [_project(each) for each in projects]
        found = LensView.of(forge.lenses.save(name, listed, active=not inactive, **asked))
    call.tell({"lens": found}, f"{_told(found)} {NO_UNDO}")


@command.command("delete")
@click.argument("name")
@store_options
def delete(call: Call, name: str) -> None:
    """Remove the lens NAME; its projects and their roles stay. undo does not bring it back."""
    with call.open() as forge:
        found = LensView.of(forge.lenses.delete(name))
    call.tell(
        {"deleted": found}, f"The lens {found.name} is gone; its projects and their roles stay. {NO_UNDO}"
    )


def _list(call: Call) -> None:
    with call.open() as forge:
        found = LensView.list_of(forge.lenses.list())
    empty = "No lens is saved yet. engramforge lenses save NAME PROJECT:ROLE ... saves one."
    call.tell_list("lenses", found, _COLUMNS, _row, empty)


def _project(written: str) -> dict[str, Any]:
    """A project as a command line has it. A name with colons is written before its role: its last parts count."""
    parts = written.rsplit(":", _PARTS - 1)
    if len(parts) == _PARTS:
        try:
            weight = float(parts[2])
        except ValueError:
            raise InvalidValue(
                f"The weight in {written[:100]!r} is no number", "Write PROJECT:ROLE:0.5"
            ) from None
        return {"project_name": parts[0], "role": parts[1], "weight": weight}
    return dict(zip(("project_name", "role"), parts, strict=False))


def _row(lens: LensView) -> tuple[object, ...]:
    active = "yes" if lens.active else "no"
    return lens.name, _projects(lens), lens.default_budget, active, lens.description


def _projects(lens: LensView) -> str:
    return ", ".join(map(_lens, lens.projects))


def _lens(lens: LensProjectView) -> str:
    sees = {
        "projects": ", ".join(lens.projects),
        "tags": ", ".join(lens.tags),
        **{name: getattr(lens, name) for name in _SEES},
    }
    told = [lens.role, *([] if lens.weight is None else [f"{lens.weight:g}"])]
    told += [f"{name} {value}" for name, value in sees.items() if value]
    return f"{lens.project_name or lens.name} ({', '.join(told)})"


def _told(lens: LensView) -> str:
    return f"{lens.name}: {_projects(lens)}; {lens.default_budget:,} characters{'' if lens.active else ', not active'}."
