"""Roles and lenses, as `forge.roles` and `forge.lenses`, and `forge.orchestrate`, which asks through them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING, Final, NamedTuple

from engramforge.core.checks.validation import check_name, check_query, check_text, check_unit, check_word
from engramforge.errors import InvalidValue, NotFound
from engramforge.forge.registries.lens_reading import Lenses, check_distinct, read_lenses
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

LEAST_BUDGET: Final = 500
MOST_BUDGET: Final = 100_000
_DESCRIPTION: Final = 2_000


class _Chosen(NamedTuple):
    """The lenses that are asked. `lens`: the saved one that was named. `notes`: of roles that are passed over."""

    lenses: Sequence[LensProject]
    lens: Lens | None = None
    notes: tuple[str, ...] = ()


class _LensReader(ScopedVerbs):
    def _roles(self) -> dict[str, ProjectRole]:
        return {each.project: each for each in self._stages.role_registry.roles(self._scope)}

    def _read(self, lenses: Lenses, roles: Mapping[str, ProjectRole]) -> tuple[LensProject, ...]:
        return read_lenses(lenses, roles, self._within, self._stages.clock())


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


class LensVerbs(_LensReader):
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
        adaptive: bool | None = None,
    ) -> Lens:
        """Keep a lens in place of the one of that name.

        `projects`: of one to six each `project_name` (or `project`), `role` (default: the one that the project has) and
        `weight` (0..1; default: that of the role); also as JSON. In place of one project a lens may have several
        `projects` and a `name`, and see a part of them: `tags` (every one), what an `agent` wrote or a `speaker` said,
        what came in by a `source`, answers of a `model`, and `as_of` (or its axes `as_of_valid`, `as_of_recorded`): a
        point in time, so that one project may be asked at several. `default_budget`: characters of the text that it
        makes, 500..100,000. `adaptive`: weights follow what was said of its projects' memories, as in `orchestrate`.
        `description`, `adaptive`: None for what stands.

        Raises InvalidValue; InvalidTime; NotFound: there is no such project.
        """
        asked = check_name(name, "name")
        return self._stages.role_registry.save(
            self._scope,
            asked,
            self._read(projects, self._roles()),
            description=check_text(description, "description", _DESCRIPTION),
            default_budget=whole(default_budget, "default_budget", LEAST_BUDGET, MOST_BUDGET),
            active=active,
            adaptive=adaptive,
        )

    def scan(self, threshold: float | None = None, *, anew: bool = False) -> EntanglementScan:
        """Look for memories of different projects that resonate, and for the clusters that they make.

        Goes on from the last scan, with what was written since; `anew`, with another `threshold` (calibrated
        similarity, 0..1, default 0.75) or where the store has doubled, all are compared. The scan is kept; orchestrate
        goes by it.
        """
        least = None if threshold is None else check_unit(threshold, "threshold")
        if least == 0:
            raise InvalidValue(
                "threshold is 0, from which everything resonates", "Pass a number above 0, up to 1"
            )
        return self._stages.entangling.scan(self._scope, least, anew)

    def latest_scan(self) -> EntanglementScan | None:
        """The last scan, with its time and parameters, without what was forgotten since; None where none was made."""
        return self._stages.kept_scans.shown(self._scope)

    def delete(self, name: str) -> Lens:
        """Remove a lens; the lens as it was. Raises NotFound."""
        return self._stages.role_registry.delete(self._scope, check_name(name, "name"))


class OrchestrationVerbs(_LensReader):
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
        as_of_valid: Moment = None,
        adaptive: bool | None = None,
    ) -> Orchestration:
        """Ask several projects at once, each in its role: what each finds, where they agree, where they pull apart.

        `lenses`: one to six as in `forge.lenses.save`; else the lens `lens_name`; else the six heaviest active
        roles, without those of projects that are gone, of which `notes` tells. `budget`: characters of `context_text`,
        500..100,000; default the lens's, else 6,000. `min_score`: least mass, 0..1. `as_of`: a point in time on both
        axes, of the lenses that have none; `as_of_valid`: what held then, as it is known now. Nothing of the answer is
        kept.
        `adaptive`: whether weights follow what was said of the projects' memories (`forge.injections.feedback`, and
        whether responses took them up): by a quarter at most, as the result explains; default: as the lens has it,
        else not.

        Raises InvalidValue: no lens is given and no project has an active role, or too many are; NotFound.
        """
        checked_query = check_query(query)
        times = AskedTimes(as_of=as_of, as_of_valid=as_of_valid)
        chosen, lens, notes = self._chosen(lenses, lens_name)
        check_distinct(chosen, self._stages.clock(), times)
        asked = DEFAULT_BUDGET if lens is None else lens.default_budget
        found = self._stages.orchestrating.orchestrate(
            self._scope,
            checked_query,
            chosen,
            lens_name=lens_name if lenses is None else None,
            budget=asked if budget is None else whole(budget, "budget", LEAST_BUDGET, MOST_BUDGET),
            min_score=min_score,
            times=times,
            adaptive=adaptive if adaptive is not None else lens is not None and lens.adaptive,
        )
        return replace(found, notes=notes) if notes else found

    def consult(
        self,
        query: str,
        depth: str = "shallow",
        *,
        project: Ids | None = None,
        as_of: Moment = None,
        as_of_valid: Moment = None,
        now: Moment = None,
        model: bool | None = None,
    ) -> OracleAnswer:
        """Answer a question out of what is remembered alone: statements with citations, contradictions with dates and
        tiers, what is missing; or that nothing is known.

        `depth`: shallow, or deep: the registries by themselves, what is linked to what was found, and a second round on
        what is missing. Where the store is silent, the one of the setting `oracle_fallback` is asked. `project`: in
        these alone. `as_of`: what held at a point in time, as it was known then; `as_of_valid`: what held then, as it
        is known now. `now`: what relative dates count from.
        `model`: whether the language model of the settings judges and writes; None: where there is one. If it fails,
        the answer is the one without a model, and `degraded` says why.

        Raises InvalidValue: `model` is true, and none is configured.
        """
        asked = check_word(Depth, depth, "depth")
        scope = self._within(project)
        times = AskedTimes(as_of=as_of, as_of_valid=as_of_valid)
        return self._stages.consulting.consult(scope, check_query(query), asked, times, now, model)

    def _chosen(self, lenses: Lenses | None, lens_name: str | None) -> _Chosen:
        """The lenses that are asked for, each with its weight."""
        registry, roles = self._stages.role_registry, self._roles()
        if lenses is not None:
            return _Chosen(_weighed(self._read(lenses, roles), roles))
        if lens_name is not None:
            lens = registry.lens(self._scope, check_name(lens_name, "lens_name"))
            if not lens.active:
                raise InvalidValue(
                    f"The lens {lens.name!r} is not active", "Save it as active, or name another"
                )
            names = list(dict.fromkeys(name for each in lens.projects for name in each.sees.projects))
            if names and (missing := self._missing(self._narrowed(names))) is not None:
                raise NotFound(
                    f"{missing.fault}, at which the lens {lens.name!r} looks",
                    "Save it without that one, or delete it",
                )
            return _Chosen(_weighed(lens.projects, roles), lens)
        active = sorted(
            (each for each in roles.values() if each.active), key=lambda x: (-x.weight, x.project)
        )
        if not active:
            raise InvalidValue(
                "No project has an active role, so nobody is asked",
                "Assign one (engramforge roles assign PROJECT ROLE), or give lenses",
            )
        known = self._stages.door.asking(self._narrowed([each.project for each in active])).project_names()
        gone = [each.project for each in active if each.project not in known]
        mends = [f"Take its role away: engramforge roles remove {quote(each)}" for each in gone]
        heaviest = [each for each in active if each.project in known][:MOST_LENSES]
        if not heaviest:
            raise NotFound(f"There is no project {gone[0]!r}, which has a role", mends[0])
        notes = tuple(
            f"There is no project {name!r}, which has a role, so it is not asked. {mend}."
            for name, mend in zip(gone, mends, strict=True)
        )
        return _Chosen([LensProject(each.project, each.role, each.weight) for each in heaviest], None, notes)


def _weighed(lenses: Sequence[LensProject], roles: Mapping[str, ProjectRole]) -> Sequence[LensProject]:
    """The lenses each with a weight: its own, else that of its project's role, else 1."""
    return [
        each
        if each.weight is not None
        else replace(each, weight=roles[each.project].weight if each.project in roles else 1.0)
        for each in lenses
    ]
