"""What a forgotten project leaves: the keys by which imports recognise what was in it, and not its name."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

import sqlalchemy as sa

from engramforge.model.storing.record import Remnant
from engramforge.store import schema
from engramforge.store.reading.predicates import NAMELESS, keys_of_projects, together
from engramforge.store.rows import dump
from engramforge.store.writing.ledger import Write
from engramforge.store.writing.memories import add_origins

_KEYS_AT_ONCE: Final = 5_000


def drop_projects(write: Write) -> None:
    """Remove the names of the scope's projects that nobody has memories in; of others it is told that they stay.

    Whoever is writing into one of them is waited for, and then seen by the statement that follows.
    """
    project, memory = schema.project, schema.memory
    is_used = sa.exists().where(together(memory.c.project_seq, project.c.seq))
    asked = sa.select(project.c.seq).where(project.c.seq.in_(keys_of_projects(write.scope)))
    asked = asked.where(project.c.tenant == write.tenant).order_by(project.c.seq)
    seqs = write.connection.execute(write.ledger.holding(asked, project, "removal")).scalars().all()
    its = (project.c.tenant == write.tenant, project.c.seq.in_(seqs))
    found = write.connection.execute(sa.select(project.c.seq, project.c.name, is_used).where(*its)).all()
    for seq, name, is_kept in found:
        if is_kept:
            why = "memories written meanwhile or by other agents are in it, so its name stays"
            write.erasure.found.append(Remnant("project", name, why))
            continue
        _move_keys(write, seq)
        write.connection.execute(
            sa.delete(project).where(project.c.tenant == write.tenant, project.c.seq == seq)
        )
        write.forgotten.labels.add([name])
        _forget_mentions(write, name)


def _move_keys(write: Write, seq: int) -> None:
    """Give the keys of a project to that without a name."""
    origin = schema.origin
    its = (origin.c.tenant == write.tenant, origin.c.project_seq == seq)
    keys = [bytes(key) for key in write.connection.execute(sa.select(origin.c.key).where(*its)).scalars()]
    for begin in range(0, len(keys), _KEYS_AT_ONCE):
        add_origins(write, NAMELESS, None, keys[begin : begin + _KEYS_AT_ONCE])
    write.connection.execute(sa.delete(origin).where(*its))


def forget_accounts(write: Write, projects: Collection[int]) -> None:
    """Remove what imports into projects, by their keys, keep of their sources: so these are read again, and their
    accounts tell what was forgotten."""
    project, mark = schema.project, schema.mark
    its = (project.c.tenant == write.tenant, project.c.seq.in_(projects))
    names = write.connection.execute(sa.select(project.c.name).where(*its)).scalars().all()
    for name in names:
        named = mark.c.key.startswith("import:file:") & mark.c.value.contains(dump(name), autoescape=True)
        write.connection.execute(sa.delete(mark).where(mark.c.tenant == write.tenant, named))


def _forget_mentions(write: Write, name: str) -> None:
    """Take a project's name from the working folders; that a person's own settings name it is told."""
    mark = schema.mark
    its = (mark.c.tenant == write.tenant, mark.c.value.contains(dump(name)[1:-1], autoescape=True))
    for key, text in write.connection.execute(sa.select(mark.c.key, mark.c.value).where(*its)).all():
        value = json.loads(text)
        if key == "import:folders":
            write.put_mark(key, dump({folder: its for folder, its in value.items() if its != name}))
        elif any(f"{sign}{dump(name)[1:]}" in text for sign in '"='):
            why = f"it names the project {name!r}: a source to synchronise, or a rule of imports, yours to remove"
            write.erasure.found.append(Remnant("mark", key, why))
