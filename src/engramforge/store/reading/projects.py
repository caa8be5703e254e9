"""Reads of projects: which a scope knows, and how much each holds."""

from __future__ import annotations

from dataclasses import replace

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from engramforge.model.project import Project
from engramforge.model.scope import Scope
from engramforge.model.time import from_micros
from engramforge.store.reading.memories import admits_all, together, visible
from engramforge.store.schema import memory, project


def projects(connection: Connection, scope: Scope) -> list[Project]:
    """Projects by name with their current memories; an empty project counts 0."""
    seen = sa.and_(
        together(memory.c.project_seq, project.c.seq),
        memory.c.expired_at.is_(None),
        memory.c.invalid_at.is_(None),
        visible(replace(scope, projects=None)),
    )
    statement = (
        sa.select(project.c.name, project.c.created_at, sa.func.count(memory.c.seq))
        .outerjoin(memory, seen)
        .where(*_known(scope))
        .group_by(project.c.tenant, project.c.seq, project.c.name, project.c.created_at)
        .order_by(project.c.name)
    )
    rows = connection.execute(statement)
    return [Project(name, from_micros(created), number) for name, created, number in rows]


def project_names(connection: Connection, scope: Scope) -> list[str]:
    """Names of projects, ascending."""
    statement = sa.select(project.c.name).where(*_known(scope)).order_by(project.c.name)
    return list(connection.execute(statement).scalars())


def _known(scope: Scope) -> list[sa.ColumnElement[bool]]:
    """The scope as predicates on the project table.

    A project that holds memories, and none that the scope admits, does not exist for it; an empty one does.
    """
    wanted: list[sa.ColumnElement[bool]] = [project.c.tenant == scope.tenant]
    if scope.projects is not None:
        wanted.append(project.c.name.in_(scope.projects))
    everything = replace(scope, projects=None)
    if not admits_all(everything):
        its = sa.exists().where(together(memory.c.project_seq, project.c.seq)).correlate(project)
        wanted.append(sa.or_(its.where(visible(everything)), ~its))
    return wanted
