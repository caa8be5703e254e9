"""The tools that answer: one question through several lenses, with their roles, and the oracle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from engramforge.faces.arguments import CONSULT, LENS, ORCHESTRATE, ROLE
from engramforge.faces.mcp import descriptions
from engramforge.faces.mcp.tool import DATA_NOTICE, Actions, Answered, Tool, block
from engramforge.faces.views.lens import LensView, OrchestrationView, RoleView
from engramforge.faces.views.oracle import CitationView, OracleView
from engramforge.faces.views.shape import numbered, plain
from engramforge.forge.registries.lenses import LensVerbs, RoleVerbs
from engramforge.model.fence import guarded, named, shown
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

    notice: str
    orchestration: OrchestrationView


class Consulted(BaseModel):
    """The answer of consult_oracle; the statements of `answer` cite the ids of `citations`, and contradictions are
    pairs of them, the newer first; successions are pairs of which one took the place of the other."""

    notice: str
    answered: bool
    answer: str
    citations: list[dict[str, Any]]
    contradictions: list[dict[str, Any]]
    successions: list[dict[str, Any]]
    gaps: list[str]
    degraded: str
    sources: list[str]


def _consult(forge: Forge, asked: dict[str, Any]) -> Answered:
    view = OracleView.of(forge.consult(**asked))
    degraded = guarded(view.degraded)
    answer = Consulted(
        notice=DATA_NOTICE,
        answered=view.answered,
        answer=shown(view.answer),
        citations=list(map(_cited, view.citations)),
        contradictions=[
            {"newer": each.one.id, "older": each.other.id, "signal": each.signal}
            for each in view.contradictions
        ],
        successions=[
            {"successor": each.successor.id, "predecessor": each.predecessor.id} for each in view.successions
        ],
        gaps=list(map(shown, view.gaps)),
        degraded=degraded,
        sources=view.sources,
    )
    if not view.answered:
        if view.nearest:
            return answer, block(
                " ".join(filter(None, ["Nothing answers.", degraded, DATA_NOTICE])), view.answer
            )
        return answer, " ".join(filter(None, [view.answer, degraded]))
    found = (
        f"{numbered(len(view.citations), 'statement')}, {numbered(len(view.contradictions), 'contradiction')}"
    )
    return answer, block(f"From the {' and '.join(view.sources)} store: {found}. {DATA_NOTICE}", view.answer)


def _cited(each: CitationView) -> dict[str, Any]:
    told = {"id": each.id, "kind": each.kind, "project": each.project, "tier": each.epistemic_tier}
    more = {"because": each.because, "speaker": each.speaker and shown(each.speaker)}
    return told | {name: value for name, value in more.items() if value}


def _orchestrate(forge: Forge, asked: dict[str, Any]) -> Answered:
    view = OrchestrationView.of(forge.orchestrate(**asked))
    return Orchestrated(notice=DATA_NOTICE, orchestration=view), view.context_text


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
    Tool("consult_oracle", descriptions.CONSULT, CONSULT, Consulted, _consult, reads=True),
    Tool("forge_roles", descriptions.ROLES, _ROLES.with_arguments(ROLE), Roles, _roles),
    Tool("forge_lenses", descriptions.LENSES, _LENSES.with_arguments(LENS), Lenses, _lenses),
)
