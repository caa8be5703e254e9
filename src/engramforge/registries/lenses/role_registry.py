"""The registry of an agent's roles and lenses: few, small and changed by hand, so that they are kept as two marks of
the store, which every process sees at once and which move with it.

What is read here was checked when it was written; that a project still exists is for whoever uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from engramforge.errors import InvalidValue, NotFound
from engramforge.model.lenses.role import Lens, LensProject, ProjectRole, Role, Sight
from engramforge.model.memory import Source
from engramforge.model.scope import Scope
from engramforge.model.time import from_micros, to_micros
from engramforge.store.door import Door, Transaction

_ROLES: Final = "lenses:roles"
_LENSES: Final = "lenses:saved"
MOST_KEPT: Final = 1_000
"""The most roles, and the most lenses, of a store."""

Kept = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class RoleRegistry:
    """Keeps the roles of projects, and lenses."""

    door: Door
    clock: Callable[[], datetime]

    def roles(self, scope: Scope) -> list[ProjectRole]:
        """All roles, by project."""
        return sorted(map(_role_of, self._kept(scope, _ROLES).items()), key=lambda each: each.project)

    def role(self, scope: Scope, project: str) -> ProjectRole | None:
        """The role of a project; None where it has none."""
        kept = self._kept(scope, _ROLES).get(project)
        return None if kept is None else _role_of((project, kept))

    def assign(
        self, scope: Scope, project: str, role: Role, *, weight: float, description: str | None, active: bool
    ) -> ProjectRole:
        """Give a project a role in place of the one that it has. `description`: None for the one that stands."""

        def changed(before: Mapping[str, Any] | None) -> dict[str, Any]:
            said = (before or {}).get("description", "") if description is None else description
            return {"role": str(role), "weight": weight, "description": said, "active": active}

        return _role_of((project, self._save(scope, _ROLES, project, changed)))

    def remove_role(self, scope: Scope, project: str) -> ProjectRole:
        """Take a project's role away; the role that it had. Raises NotFound."""
        return _role_of((project, self._remove(scope, _ROLES, project, "role for the project")))

    def lenses(self, scope: Scope) -> list[Lens]:
        """All lenses, by name."""
        return sorted(map(_lens_of, self._kept(scope, _LENSES).items()), key=lambda each: each.name)

    def lens(self, scope: Scope, name: str) -> Lens:
        """A lens by its name. Raises NotFound."""
        kept = self._kept(scope, _LENSES)
        if name not in kept:
            known = ", ".join(sorted(kept)[:10]) or "none is saved yet"
            raise NotFound(f"There is no lens {name!r}", f"Save it, or name one of these: {known}")
        return _lens_of((name, kept[name]))

    def save(
        self,
        scope: Scope,
        name: str,
        projects: Sequence[LensProject],
        *,
        description: str | None,
        default_budget: int,
        active: bool,
        adaptive: bool | None,
    ) -> Lens:
        """Keep a lens in place of the one of that name. `description`, `adaptive`: None for what stands."""
        listed = list(map(_kept_project, projects))

        def changed(before: Mapping[str, Any] | None) -> dict[str, Any]:
            said = (before or {}).get("description", "") if description is None else description
            follows = (before or {}).get("adaptive", False) if adaptive is None else adaptive
            return {
                "projects": listed,
                "description": said,
                "default_budget": default_budget,
                "active": active,
                "adaptive": follows,
            }

        return _lens_of((name, self._save(scope, _LENSES, name, changed)))

    def delete(self, scope: Scope, name: str) -> Lens:
        """Remove a lens; the lens as it was. Raises NotFound."""
        return _lens_of((name, self._remove(scope, _LENSES, name, "lens")))

    def _kept(self, scope: Scope, key: str) -> Kept:
        """What an agent keeps: names of projects tell, too, so that another agent has its own."""
        found = self.door.asking(scope).mark(f"{key}/{scope.agent}") or {}
        return {name: dict(each) for name, each in found.items()}

    def _save(
        self,
        scope: Scope,
        key: str,
        name: str,
        changed: Callable[[Mapping[str, Any] | None], dict[str, Any]],
    ) -> dict[str, Any]:
        now = to_micros(self.clock())

        def write(writes: Transaction) -> dict[str, Any]:
            kept = self._kept(scope, key)
            before = kept.get(name)
            if before is None and len(kept) >= MOST_KEPT:
                raise InvalidValue(f"{MOST_KEPT:,} are kept already", "Remove one that nobody needs")
            created_at = now if before is None else before["created_at"]
            kept[name] = {**changed(before), "created_at": created_at, "updated_at": now}
            writes.save_mark(f"{key}/{scope.agent}", kept)
            return kept[name]

        return self.door.write(scope, write)

    def _remove(self, scope: Scope, key: str, name: str, what: str) -> dict[str, Any]:
        def write(writes: Transaction) -> dict[str, Any]:
            kept = self._kept(scope, key)
            if name not in kept:
                raise NotFound(f"There is no {what} {name!r}", "List them to see which there are")
            removed = kept.pop(name)
            writes.save_mark(f"{key}/{scope.agent}", kept or None)
            return removed

        return self.door.write(scope, write)


def _role_of(kept: tuple[str, Mapping[str, Any]]) -> ProjectRole:
    project, said = kept
    return ProjectRole(
        project=project,
        role=Role(said["role"]),
        weight=said["weight"],
        active=said["active"],
        description=said["description"],
        created_at=from_micros(said["created_at"]),
        updated_at=from_micros(said["updated_at"]),
    )


def _kept_project(lens: LensProject) -> dict[str, Any]:
    kept: dict[str, Any] = {"project": lens.project, "role": str(lens.role), "weight": lens.weight}
    return kept if lens.sight is None else {**kept, "sight": asdict(lens.sight)}


def _project_of(kept: Mapping[str, Any]) -> LensProject:
    sight = None
    if (said := kept.get("sight")) is not None:
        source = None if said["source"] is None else Source(said["source"])
        lists = {name: tuple(said[name]) for name in ("projects", "tags")}
        sight = Sight(**{**said, **lists, "source": source})
    return LensProject(kept["project"], Role(kept["role"]), kept["weight"], sight)


def _lens_of(kept: tuple[str, Mapping[str, Any]]) -> Lens:
    name, said = kept
    return Lens(
        name=name,
        projects=tuple(map(_project_of, said["projects"])),
        description=said["description"],
        default_budget=said["default_budget"],
        active=said["active"],
        adaptive=said.get("adaptive", False),
        created_at=from_micros(said["created_at"]),
        updated_at=from_micros(said["updated_at"]),
    )
