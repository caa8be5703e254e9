"""`engramforge roles`: what each project looks for when several are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engramforge.faces.cli.options import NO_UNDO, Call, given, store_options
from engramforge.faces.views.lens import RoleView

if TYPE_CHECKING:
    from engramforge.model.lenses.role import ProjectRole

_COLUMNS = ("project", "role", "gravity", "weight", "active", "description")


@click.group("roles", invoke_without_command=True)
@store_options
@click.pass_context
def command(ctx: click.Context, /, call: Call) -> None:
    """Roles of projects. Without a subcommand: list them."""
    if ctx.invoked_subcommand is None:
        _list(call)


@command.command("list")
@store_options
def list_(call: Call) -> None:
    """List the roles by project."""
    _list(call)


@command.command("types")
@store_options
def types(call: Call) -> None:
    """List the six roles and what each is for."""
    with call.open() as forge:
        found = [{"role": role, **each._asdict()} for role, each in forge.roles.types().items()]
    columns = ("role", "gravity", "is for", "favours")
    empty = "There is none."
    call.tell_list("types", found, columns, lambda each: tuple(each.values()), empty)


@command.command("get")
@click.argument("project")
@store_options
def get(call: Call, project: str) -> None:
    """Show the role of PROJECT."""
    with call.open() as forge:
        found = forge.roles.get(project)
    call.tell({"role": RoleView.of(found)}, _told(found))


@command.command("assign")
@click.argument("project")
@click.argument("role")
@click.option("--weight", type=float, metavar="X", help="Of its part in a text, 0..1 (1).")
@click.option("--description", metavar="TEXT", help="What the project is for.")
@click.option("--inactive", is_flag=True, help="It takes part only where a lens names it.")
@store_options
def assign(
    call: Call, project: str, role: str, weight: float | None, description: str | None, inactive: bool
) -> None:
    """Give PROJECT a ROLE in place of the one that it has: connector, navigator, builder, evaluator, critic or
    compiler. undo does not take this back."""
    with call.open() as forge:
        asked = given(weight=weight, description=description)
        found = forge.roles.assign(project, role, active=not inactive, **asked)
    call.tell({"role": RoleView.of(found)}, f"{_told(found)} {NO_UNDO}")


@command.command("remove")
@click.argument("project")
@store_options
def remove(call: Call, project: str) -> None:
    """Take the role of PROJECT away; undo does not give it again."""
    with call.open() as forge:
        found = forge.roles.remove(project)
    call.tell({"removed": RoleView.of(found)}, f"{found.project} is no {found.role} any more. {NO_UNDO}")


def _list(call: Call) -> None:
    with call.open() as forge:
        found = RoleView.list_of(forge.roles.list())
    empty = "No project has a role yet. engramforge roles assign PROJECT ROLE gives one."
    call.tell_list("roles", found, _COLUMNS, _row, empty)


def _row(role: RoleView) -> tuple[object, ...]:
    active = "yes" if role.active else "no"
    return role.project, role.role, role.gravity_type, f"{role.weight:g}", active, role.description


def _told(role: ProjectRole) -> str:
    active = "" if role.active else ", not active"
    is_a = f"is {_article(role.role)} {role.role}"
    return f"{role.project} {is_a} ({role.gravity_type} gravity), weight {role.weight:g}{active}."


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"
