"""Lenses as callers give them: a list of objects, or one as JSON, checked and made distinct.

Projects, departments (several projects, a tag or an agent under a name) and models (whose answers) are all one thing: a
role, and what is looked at through it (`Sight`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from engramforge.core.checks.validation import check_name, check_tags, check_unit, check_word
from engramforge.errors import InvalidValue
from engramforge.model.lenses.role import MOST_LENSES, LensProject, ProjectRole, Role, Sight
from engramforge.model.memory import Source
from engramforge.model.time import AsOf
from engramforge.recall.request import PRESENT, AskedTimes, listed, moment, point_of, times_of

LensMapping = Mapping[str, Any]
"""A lens: `project_name` (or `project`), or several `projects` under a `name`; `role` (default: the project's own);
`weight` (default: that of its role); and what it sees: `tags`, `agent`, `speaker`, `source`, `model`, `as_of` or its
axes `as_of_valid` and `as_of_recorded`."""
Lenses = str | Sequence[LensMapping]
"""Lenses, also as JSON."""
_POINT: Final = ("as_of", "as_of_valid", "as_of_recorded")
_WRITERS: Final = ("agent", "speaker", "model")
_KEYS: Final = (
    *("project_name", "project", "projects", "name", "role", "weight"),
    *("tags", "source", *_WRITERS, *_POINT),
)
_JSON: Final = 100_000
_MEND: Final = 'Give a list such as [{"project_name": "atlas", "role": "builder", "weight": 1.0}]'


def read_lenses(
    given: Lenses,
    roles: Mapping[str, ProjectRole],
    check_known: Callable[[Sequence[str]], object],
    now: datetime,
) -> tuple[LensProject, ...]:
    """Lenses, checked; those that name no role have the one of their project.

    `roles`: by project. `check_known`: raises NotFound for projects that there are not. `now`: what relative dates
    count from. Raises InvalidValue, InvalidTime, NotFound.
    """
    items = _listed(given)
    if not items:
        raise InvalidValue(
            "No lenses were given", "Give at least one, or leave lenses out for the active roles"
        )
    if len(items) > MOST_LENSES:
        raise InvalidValue(
            f"{len(items)} lenses were given", f"Give one to {MOST_LENSES}: more than that nobody compares"
        )
    found = tuple(_lens(item, roles, check_known) for item in items)
    check_distinct(found, now)
    return found


def check_distinct(lenses: Sequence[LensProject], now: datetime, times: AskedTimes = PRESENT) -> None:
    """Refuse lenses that see the same: of one project and one date, say. `times`: of those without a date. Raises
    InvalidValue, InvalidTime."""
    seen: set[tuple[Sight, AsOf | None]] = set()
    for each in lenses:
        point = point_of(times_of(each.sees, times), now)
        projects = tuple(sorted(each.sees.projects))
        plain = replace(each.sees, projects=projects, as_of=None, as_of_valid=None, as_of_recorded=None)
        if (plain, point) in seen:
            raise InvalidValue(
                f"The project {each.project!r} is named twice",
                "Name each project once, or each time with another as_of",
            )
        seen.add((plain, point))


def _lens(
    item: LensMapping, roles: Mapping[str, ProjectRole], check_known: Callable[[Sequence[str]], object]
) -> LensProject:
    projects, is_one = _projects(item)
    if projects:
        check_known(projects)
    sight = _sight(item, projects)
    if not projects and sight == Sight(**{name: getattr(sight, name) for name in _POINT}):
        raise InvalidValue(
            "A lens names no project",
            "Give project_name or projects, or tags, agent, speaker, source or model",
        )
    name = item.get("name")
    called = ", ".join(projects)[:200] or "everywhere"
    role = item.get("role", roles[projects[0]].role if is_one and projects[0] in roles else None)
    if role is None:
        which = f"project {called!r}" if name is None else f"lens {check_name(name, 'name')!r}"
        mend = "Name its role in the lens" + (", or assign one" if is_one else "")
        raise InvalidValue(f"The {which} has no role", mend)
    weight = item.get("weight")
    return LensProject(
        project=called if name is None else check_name(name, "name"),
        role=check_word(Role, role, "role"),
        weight=None if weight is None else check_unit(weight, "weight"),
        sight=None if is_one and name is None and sight == Sight(projects) else sight,
    )


def _projects(item: LensMapping) -> tuple[tuple[str, ...], bool]:
    """The projects that a lens names, and whether it is a single one by `project_name`."""
    keys = [key for key in ("project_name", "project", "projects") if item.get(key) is not None]
    # Models give an empty list for what they do not use; a name that is empty names nothing.
    keys = [key for key in keys if key != "projects" or item[key] not in ([], ())]
    if len(keys) > 1:
        raise InvalidValue(f"A lens has both {keys[0]} and {keys[1]}", "Give one of the two")
    if not keys:
        return (), False
    value = item[keys[0]]
    if keys[0] != "projects":
        if not value:
            raise InvalidValue(
                f"The {keys[0]} of a lens is {value!r}", "Name a project, or leave it out to see all projects"
            )
        return (check_name(value, keys[0]),), True
    if isinstance(value, Mapping):
        raise InvalidValue(
            f"The projects of a lens are {str(value)[:40]}, and no list",
            'Give names, such as ["api", "web"]',
        )
    names = (value,) if isinstance(value, str) else listed(value, "project")
    return tuple(dict.fromkeys(check_name(name, "project") for name in names)), False


def _sight(item: LensMapping, projects: tuple[str, ...]) -> Sight:
    tags, source = item.get("tags"), item.get("source")
    writers = {key: check_name(item[key], key) for key in _WRITERS if item.get(key) is not None}
    return Sight(
        projects=projects,
        tags=() if tags is None else check_tags([tags] if isinstance(tags, str) else tags),
        source=None if source is None else check_word(Source, source, "source"),
        **writers,
        **{key: _time(item[key], key) for key in _POINT if item.get(key) is not None},
    )


def _time(value: Any, key: str) -> str:
    """A point in time as text: relative ones are read when the lens is asked through. Raises InvalidTime."""
    if isinstance(value, str):
        return check_name(value, key)
    read = moment(value, key)
    assert read is not None
    return read.isoformat()


def _listed(given: Lenses) -> Sequence[LensMapping]:
    """The items of a list, or of one written as JSON. Raises InvalidValue."""
    value: Any = given
    if isinstance(given, str):
        if len(given) > _JSON:
            raise InvalidValue(f"The lenses are longer than {_JSON:,} characters", _MEND)
        try:
            value = json.loads(given)
        except (ValueError, RecursionError) as error:
            raise InvalidValue(f"The lenses are not JSON ({error})", _MEND) from error
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise InvalidValue("The lenses are no list", _MEND)
    for item in value:
        if not isinstance(item, Mapping):
            raise InvalidValue(f"A lens is {str(item)[:100]!r}, and no object", _MEND)
        if unknown := sorted(map(str, set(item) - set(_KEYS))):
            raise InvalidValue(
                f"A lens has the field {unknown[0][:100]!r}, which there is not",
                f"Give some of {', '.join(_KEYS)}",
            )
    return value
