"""Roles of projects, and lenses: saved lists of projects with their roles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from engramforge.model.memory import Source


class Role(StrEnum):
    """What a project looks for when it is one of several lenses (spec chapter 6)."""

    CONNECTOR = "connector"
    NAVIGATOR = "navigator"
    BUILDER = "builder"
    EVALUATOR = "evaluator"
    CRITIC = "critic"
    COMPILER = "compiler"


class RoleType(NamedTuple):
    """What belongs to a role: the name of its pull, what it is for, and what its recall favours."""

    gravity_type: str
    description: str
    primary_signal: str


ROLE_TYPES: Final[Mapping[Role, RoleType]] = {
    Role.CONNECTOR: RoleType(
        "lateral",
        "bridges between fields and what is alike elsewhere",
        "entanglement clusters and resonances between projects",
    ),
    Role.NAVIGATOR: RoleType(
        "directional",
        "validated decisions, rejected alternatives, direction",
        "high-tier decisions, rejected alternatives, resolved threads, lineage",
    ),
    Role.BUILDER: RoleType(
        "implementation",
        "technical patterns, decisions of architecture, ways of coding",
        "patterns, priming blocks, implementation decisions",
    ),
    Role.EVALUATOR: RoleType("quality", "what worked, what failed, how well", "success scores and outcomes"),
    Role.CRITIC: RoleType(
        "critical",
        "risks, conflicts, what is stale or overlooked",
        "conflicts, stale decisions, pending flags, loose ends",
    ),
    Role.COMPILER: RoleType(
        "synthesis", "compiled findings of expeditions", "priming blocks and compiled flags"
    ),
}
DEFAULT_BUDGET: Final = 6_000
"""Characters of the text that a lens makes."""
MOST_LENSES: Final = 6
"""Projects that look at one question at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectRole:
    """The role of a project; it has one at most.

    `weight`: of its part in the text, 0..1. `active`: whether it takes part where no lens is named.
    """

    project: str
    role: Role
    weight: float = 1.0
    active: bool = True
    description: str = ""
    created_at: datetime
    updated_at: datetime

    @property
    def gravity_type(self) -> str:
        """The name of the role's pull."""
        return ROLE_TYPES[self.role].gravity_type


@dataclass(frozen=True, slots=True)
class Sight:
    """What a lens sees; all of it has to hold. The default sees everything, as it stands now.

    Parameters
    ----------
    projects : in these; empty for all.
    tags : with every one of these.
    agent : written by this agent, of what the caller may see.
    speaker, source, model : said by this speaker; that came in so; answers of this model, as their metadata name it.
    as_of, as_of_valid, as_of_recorded : as of a point in time, on both axes or on each, in the words of a recall; None:
        as the question has it.
    """

    projects: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    agent: str | None = None
    speaker: str | None = None
    source: Source | None = None
    model: str | None = None
    as_of: str | None = None
    as_of_valid: str | None = None
    as_of_recorded: str | None = None

    @property
    def is_dated(self) -> bool:
        """Whether it has a point in time of its own."""
        return any(each is not None for each in (self.as_of, self.as_of_valid, self.as_of_recorded))

    @property
    def when(self) -> str:
        """Its point in time in a few words; empty without one."""
        named = ((self.as_of, ""), (self.as_of_valid, "held "), (self.as_of_recorded, "known "))
        return ", ".join(f"{how}{each}" for each, how in named if each is not None)


@dataclass(frozen=True, slots=True)
class LensProject:
    """One lens: a project, or several under one name, in a role.

    `project`: its project, or what it is called. `weight`: goes before that of the project's role; None for the role's.
    `sight`: what it sees; None for all of its project.
    """

    project: str
    role: Role
    weight: float | None = None
    sight: Sight | None = None

    @property
    def sees(self) -> Sight:
        """What it sees."""
        return Sight((self.project,)) if self.sight is None else self.sight


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """A named list of projects with their roles. `default_budget`: characters of the text that it makes. `adaptive`:
    whether weights follow what was said of its projects' memories."""

    name: str
    projects: tuple[LensProject, ...]
    description: str = ""
    default_budget: int = DEFAULT_BUDGET
    active: bool = True
    adaptive: bool = False
    created_at: datetime
    updated_at: datetime
