"""Who is asking: every view, write and upkeep of the door has a scope."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

DEFAULT_TENANT = "default"
DEFAULT_AGENT = "default"


class Level(StrEnum):
    """Whose memory it is: of one agent, of an organisation, of the outside world."""

    PERSONAL = "personal"
    COLLECTIVE = "collective"
    ECOSYSTEM = "ecosystem"

    @classmethod
    def _missing_(cls, value: object) -> Level | None:
        """By the number that a stream knows it by: N1, N2, N3."""
        return {f"n{number}": each for number, each in enumerate(cls, 1)}.get(str(value).lower())


ALL_LEVELS: tuple[Level, ...] = (Level.PERSONAL, Level.COLLECTIVE, Level.ECOSYSTEM)
"""From those that one agent sees to those that everybody does."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a caller may see and touch.

    Parameters
    ----------
    tenant : the organisation; tenants never see each other.
    agent : whose personal level is visible; other agents' personal memories never are.
    levels : the levels that take part.
    projects : project names, or None for all of the tenant's.
    every_agent : see the personal memories of all agents: for upkeep of the store as a whole (moving, sweeping),
        never for a question.
    """

    tenant: str = DEFAULT_TENANT
    agent: str = DEFAULT_AGENT
    levels: tuple[Level, ...] = ALL_LEVELS
    projects: tuple[str, ...] | None = None
    every_agent: bool = False

    def __post_init__(self) -> None:
        # A level written as its value equals the level, but is not it.
        object.__setattr__(self, "levels", tuple(map(Level, self.levels)))

    def within(self, *projects: str) -> Scope:
        """The same scope narrowed to these projects."""
        return replace(self, projects=projects)

    def of_everybody(self) -> Scope:
        """The same scope with all agents' memories of all projects: for upkeep, as `every_agent`."""
        return replace(self, projects=None, every_agent=True)

    def shared_at(self, level: Level) -> Scope:
        """The same scope with only what everybody sees who sees this level."""
        wide = ALL_LEVELS[ALL_LEVELS.index(level) :]
        return replace(self, levels=tuple(each for each in self.levels if each in wide))

    def admits(self, level: Level, agent: str) -> bool:
        """Whether a memory of this level and agent may be seen."""
        return level in self.levels and (
            level is not Level.PERSONAL or agent == self.agent or self.every_agent
        )


@dataclass(frozen=True, slots=True)
class Project:
    """Names are unique per tenant; a project exists from its first memory, its import or its creation.

    `created_at`: when it was first written to. `memories`: how many are current; `first_at`: the earliest time since
    which one of them is true; None without any.
    """

    name: str
    created_at: datetime
    memories: int = 0
    first_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Captured:
    """A conversation of a project: its id, its title or how it begins, its current memories, and the times of these."""

    id: str
    project: str
    title: str
    memories: int
    first_at: datetime
    last_at: datetime
