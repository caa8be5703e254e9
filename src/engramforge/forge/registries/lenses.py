"""Roles and lenses, as `forge.roles` and `forge.lenses`, and `forge.orchestrate`, which asks through them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from engramforge.core.checks.validation import check_name, check_query, check_text, check_unit, check_word
from engramforge.errors import InvalidValue, NotFound
from engramforge.forge.scoped import Ids, ScopedVerbs
from engramforge.model.lenses.role import (
    DEFAULT_BUDGET,
    MOST_LENSES,
    ROLE_TYPES,
    Lens,
    LensProject,
    ProjectRole,
    Role,
    RoleType,
)
from engramforge.model.oracle import Depth
from engramforge.recall.request import AskedTimes, Moment, whole

if TYPE_CHECKING:
    from engramforge.model.lenses.entanglement import EntanglementScan
    from engramforge.model.lenses.orchestration import Orchestration
    from engramforge.model.oracle import OracleAnswer

LensMapping = Mapping[str, Any]
"""A project in a lens: `project_name` (or `project`), `role` (default: the project's own), `weight` (default: that of
its role)."""
Lenses = str | Sequence[LensMapping]
"""Projects in a lens, also as JSON."""
LEAST_BUDGET: Final = 500
MOST_BUDGET: Final = 100_000
_DESCRIPTION: Final = 2_000
_KEYS: Final = frozenset({"project_name", "project", "role", "weight"})
_JSON: Final = 100_000


class RoleVerbs(ScopedVerbs):
    """What a project looks for when several are asked."""

    def types(self) -> Mapping[str, RoleType]:
        """The six roles, with the name of their pull, what they are for and what their recall favours."""
        return {str(role): each for role, each in ROLE_TYPES.items()}

    def list(self) -> Sequence[ProjectRole]:
        """All roles, by project."""
        return self._stages.role_registry.roles(self._scope)

    def get(self, project: str) -> ProjectRole:
        """The role of a project. Raises NotFound."""
        found = self._stages.role_registry.role(self._scope, check_name(project, "project"))
        if found is None:
            raise NotFound(f"The project {project!r} has no role", "Assign one")
        return found

    def assign(
        self,
        project: str,
        role: str,
        *,
        weight: float = 1.0,
        description: str | None = None,
        active: bool = True,
    ) -> ProjectRole:
        """Give a project a role in place of the one that it has.

        `role`: connector, navigator, builder, evaluator, critic or compiler. `weight`: of its part in a text, 0..1.
        `description`: None for the one that stands. `active`: whether it takes part where no lens is named.

        Raises InvalidValue, NotFound: there is no such project.
        """
        chosen = check_word(Role, role, "role")
        named = self._known(project)
        return self._stages.role_registry.assign(
            self._scope,
            named,
            chosen,
            weight=check_unit(weight, "weight"),
            description=check_text(description, "description", _DESCRIPTION),
            active=active,
        )

    def remove(self, project: str) -> ProjectRole:
        """Take a project's role away; the role that it had. Raises NotFound."""
        return self._stages.role_registry.remove_role(self._scope, check_name(project, "project"))

    def _known(self, project: str) -> str:
        (named,) = self._within(project).projects or ()
        return named


class LensVerbs(ScopedVerbs):
    """Named lists of projects with their roles."""

    def list(self) -> Sequence[Lens]:
        """All lenses, by name."""
        return self._stages.role_registry.lenses(self._scope)

    def get(self, name: str) -> Lens:
        """A lens by its name. Raises NotFound."""
        return self._stages.role_registry.lens(self._scope, check_name(name, "name"))

    def save(
        self,
        name: str,
        projects: Lenses,
        *,
        description: str | None = None,
        default_budget: int = DEFAULT_BUDGET,
        active: bool = True,
    ) -> Lens:
        """Keep a lens in place of the one of that name.

        `projects`: of one to six projects each `project_name` (or `project`), `role` (default: the one that the project
        has) and `weight` (0..1; default: that of the role); also as JSON. `description`: None for the one that stands.
        `default_budget`: characters of the text that it makes, 500..100,000.

        Raises InvalidValue, NotFound: there is no such project.
        """
        asked = check_name(name, "name")
        return self._stages.role_registry.save(
            self._scope,
            asked,
            read_lenses(self, projects),
            description=check_text(description, "description", _DESCRIPTION),
            default_budget=whole(default_budget, "default_budget", LEAST_BUDGET, MOST_BUDGET),
            active=active,
        )

    def scan(self, threshold: float | None = None, *, anew: bool = False) -> EntanglementScan:
        """Look for memories of different projects that resonate, and for the clusters that they make.

        Goes on from the last scan, with what was written since; `anew`, with another `threshold` (calibrated
        similarity, 0..1, default 0.75) or where the store has doubled, all are compared. The scan is kept; orchestrate
        goes by it.
        """
        least = None if threshold is None else check_unit(threshold, "threshold")
        return self._stages.entangling.scan(self._scope, least, anew)

    def latest_scan(self) -> EntanglementScan | None:
        """The last scan, with its time and parameters; None where none was made."""
        return self._stages.entangling.latest(self._scope)

    def delete(self, name: str) -> Lens:
        """Remove a lens; the lens as it was. Raises NotFound."""
        return self._stages.role_registry.delete(self._scope, check_name(name, "name"))


class OrchestrationVerbs(ScopedVerbs):
    """One question, several projects."""

    def orchestrate(
        self,
        query: str,
        lenses: Lenses | None = None,
        lens_name: str | None = None,
        budget: int | None = None,
        min_score: float | None = None,
        *,
        as_of: Moment = None,
    ) -> Orchestration:
        """Ask several projects at once, each in its role: what each finds, where they agree, where they pull apart.

        `lenses`: one to six projects as in `forge.lenses.save`; else the lens `lens_name`; else the six heaviest active
        roles. `budget`: characters of `context_text`, 500..100,000; default the lens's, else 6,000. `min_score`: least
        mass, 0..1. `as_of`: a point in time on both axes. Nothing of the answer is stored.

        Raises InvalidValue: no lens is given and no project has an active role, or too many are; NotFound.
        """
        checked_query = check_query(query)
        chosen, default = self._chosen(lenses, lens_name)
        asked = DEFAULT_BUDGET if default is None else default
        return self._stages.orchestrating.orchestrate(
            self._scope,
            checked_query,
            chosen,
            lens_name=lens_name if lenses is None else None,
            budget=asked if budget is None else whole(budget, "budget", LEAST_BUDGET, MOST_BUDGET),
            min_score=min_score,
            times=AskedTimes(as_of=as_of),
        )

    def consult(
        self,
        query: str,
        depth: str = "shallow",
        *,
        project: Ids | None = None,
        as_of: Moment = None,
        now: Moment = None,
        model: bool | None = None,
    ) -> OracleAnswer:
        """Answer a question out of what is remembered alone: statements with citations, contradictions with dates and
        tiers, what is missing; or that nothing is known.

        `depth`: shallow, or deep: the registries by themselves, what is linked to what was found, and a second round on
        what is missing. Where the store is silent, the one of the setting `oracle_fallback` is asked. `project`: in
        these alone. `as_of`: what held at a point in time, as it was known then. `now`: what relative dates count from.
        `model`: whether the language model of the settings judges and writes; None: where there is one. If it fails,
        the answer is the one without a model, and `degraded` says why.

        Raises InvalidValue: `model` is true, and none is configured.
        """
        asked = check_word(Depth, depth, "depth")
        scope = self._within(project)
        times = AskedTimes(as_of=as_of)
        return self._stages.consulting.consult(scope, check_query(query), asked, times, now, model)

    def _chosen(
        self, lenses: Lenses | None, lens_name: str | None
    ) -> tuple[Sequence[LensProject], int | None]:
        """The lenses that are asked for, each with its weight, and the budget of the lens that was named."""
        registry = self._stages.role_registry
        roles = {each.project: each for each in registry.roles(self._scope)}
        if lenses is not None:
            return _weighed(read_lenses(self, lenses), roles), None
        if lens_name is not None:
            lens = registry.lens(self._scope, check_name(lens_name, "lens_name"))
            if not lens.active:
                raise InvalidValue(
                    f"The lens {lens.name!r} is not active", "Save it as active, or name another"
                )
            self._within([each.project for each in lens.projects])
            return _weighed(lens.projects, roles), lens.default_budget
        active = sorted(
            (each for each in roles.values() if each.active), key=lambda x: (-x.weight, x.project)
        )
        if not active:
            raise InvalidValue(
                "No project has an active role, so nobody is asked",
                "Assign one (engramforge roles assign PROJECT ROLE), or give lenses",
            )
        heaviest = active[:MOST_LENSES]
        self._within([each.project for each in heaviest])
        return [LensProject(each.project, each.role, each.weight) for each in heaviest], None


def read_lenses(verbs: ScopedVerbs, given: Lenses) -> tuple[LensProject, ...]:
    """Projects in a lens, checked; those that name no role have the one of their project. Raises InvalidValue,
    NotFound."""
    items = _listed(given)
    if not 1 <= len(items) <= MOST_LENSES:
        raise InvalidValue(
            f"{len(items)} lenses were given", f"Give one to {MOST_LENSES}: more than that nobody compares"
        )
    roles = {each.project: each.role for each in verbs._stages.role_registry.roles(verbs._scope)}
    found: list[LensProject] = []
    for item in items:
        project = check_name(item.get("project_name", item.get("project")), "project_name")
        verbs._within(project)
        if any(each.project == project for each in found):
            raise InvalidValue(f"The project {project!r} is named twice", "Name each project once")
        role = item.get("role", roles.get(project))
        if role is None:
            raise InvalidValue(
                f"The project {project!r} has no role", "Name its role in the lens, or assign one"
            )
        weight = item.get("weight")
        weight = None if weight is None else check_unit(weight, "weight")
        found.append(LensProject(project, check_word(Role, role, "role"), weight))
    return tuple(found)


def _listed(given: Lenses) -> Sequence[LensMapping]:
    """The items of a list, or of one written as JSON. Raises InvalidValue."""
    mend = 'Give a list such as [{"project_name": "atlas", "role": "builder", "weight": 1.0}]'
    value: Any = given
    if isinstance(given, str):
        try:
            value = json.loads(given[:_JSON])
        except (ValueError, RecursionError) as error:
            raise InvalidValue(f"The lenses are not JSON ({error})", mend) from error
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InvalidValue("The lenses are no list", mend)
    for item in value:
        if not isinstance(item, Mapping):
            raise InvalidValue(f"A lens is {str(item)[:100]!r}, and no object", mend)
        if unknown := sorted(map(str, set(item) - _KEYS)):
            raise InvalidValue(f"A lens has the field {unknown[0][:100]!r}, which there is not", mend)
    return value


def _weighed(lenses: Sequence[LensProject], roles: Mapping[str, ProjectRole]) -> Sequence[LensProject]:
    """The lenses each with a weight: its own, else that of its project's role, else 1."""
    return [
        LensProject(
            x.project,
            x.role,
            x.weight if x.weight is not None else roles[x.project].weight if x.project in roles else 1.0,
        )
        for x in lenses
    ]
