"""The tools of lenses: roles of projects, saved lenses, and one question through several of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.faces.arguments import LENS, ORCHESTRATE, ROLE
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.tool import Actions, Answered, Tool
from engramforge.faces.views.lens import LensView, OrchestrationView, RoleView
from engramforge.faces.views.shape import numbered, plain
from engramforge.forge.registries.lenses import LensVerbs, RoleVerbs
from engramforge.model.fence import named
from engramforge.model.lenses.role import RoleType

if TYPE_CHECKING:
    from engramforge.forge import Forge

_ROLES: Final = Actions(
    {
        "list": RoleVerbs.list,
        "assign": RoleVerbs.assign,
        "remove": RoleVerbs.remove,
        "types": RoleVerbs.types,
    },
    default="list",
    namespace="roles",
)
_LENSES: Final = Actions(
    {"list": LensVerbs.list, "get": LensVerbs.get, "save": LensVerbs.save, "delete": LensVerbs.delete},
    default="list",
    namespace="lenses",
)


class Roles(BaseModel):
    """The answer of forge_roles: roles of projects, or the six that there are."""

    roles: list[RoleView] = []
    types: dict[str, dict[str, str]] = {}


class Lenses(BaseModel):
    """The answer of forge_lenses."""

    lenses: list[LensView]


class Orchestrated(BaseModel):
    """The answer of forge_orchestrate."""

    orchestration: OrchestrationView


def _orchestrate(forge: Forge, asked: dict[str, Any]) -> Answered:
    view = OrchestrationView.of(forge.orchestrate(**asked))
    return Orchestrated(orchestration=view), view.context_text


def _roles(forge: Forge, asked: dict[str, Any]) -> Answered:
    action = asked.pop("action")
    found = _ROLES.do(forge, action, asked)
    if action == "types":
        told: dict[str, RoleType] = dict(found)
        lines = [f"{role}: {each.description}; favours {each.primary_signal}" for role, each in told.items()]
        return Roles(types={role: plain(each._asdict()) for role, each in told.items()}), "\n".join(lines)
    views = RoleView.list_of(found if action == "list" else [found])
    said = {"list": f"{numbered(len(views), 'role')}.", "assign": "Assigned.", "remove": "Removed."}[action]
    lines = [f"{named(each.project)}: {each.role}, weight {each.weight:g}" for each in views]
    return Roles(roles=views), "\n".join([said, *lines])


def _lenses(forge: Forge, asked: dict[str, Any]) -> Answered:
    action = asked.pop("action")
    found = _LENSES.do(forge, action, asked)
    views = LensView.list_of(found if action == "list" else [found])
    said = {"list": f"{numbered(len(views), 'lens')}.", "get": "", "save": "Saved.", "delete": "Deleted."}[
        action
    ]
    return Lenses(lenses=views), "\n".join(filter(None, [said, *map(_line, views)]))


def _line(lens: LensView) -> str:
    projects = ", ".join(
        f"{named(each.project_name or each.name or '')} as {each.role}" for each in lens.projects
    )
    return f"{named(lens.name)}: {projects}"


TOOLS: Final = (
    Tool("forge_orchestrate", descriptions.ORCHESTRATE, ORCHESTRATE, Orchestrated, _orchestrate, reads=True),
    Tool("forge_roles", descriptions.ROLES, _ROLES.with_arguments(ROLE), Roles, _roles),
    Tool("forge_lenses", descriptions.LENSES, _LENSES.with_arguments(LENS), Lenses, _lenses),
)
