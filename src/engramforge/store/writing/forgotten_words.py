"""Forgotten words where nobody could remove them: in the reasons of forgets, in links that were ended, and as names.

Who may still say something is told by the proof; these are nobody's to forget, so a forget takes the words out of them.
What counts as telling is what counts for the proof. Of a project the keys stay by which imports recognise what was in
it, and not its name.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection
from typing import Any, Final

import sqlalchemy as sa

from engramforge.model.storing.record import Remnant
from engramforge.model.topics.shift import SHIFTS
from engramforge.model.topics.topic import TOPIC_MARKS
from engramforge.store import schema
from engramforge.store.erasing.finding import Finder
from engramforge.store.erasing.holders import Saying
from engramforge.store.reading.predicates import NAMELESS, both_ends, keys_of_projects, portions, together
from engramforge.store.rows import dump, text_id
from engramforge.store.writing.ledger import Write
from engramforge.store.writing.memories import add_origins

_UNSAID: Final = dump({"emotion_vector": {}, "goal": "unstated", "mindstate": "captured"})
"""What a link has to say of itself, when nothing is said."""


def clear_words(write: Write, reason: str) -> str:
    """Take what was forgotten in this write out of ended links and out of the reasons of earlier forgets; the reason of
    this one without it, which the erasure tells."""
    finder = Finder(parts := write.forgotten.said())
    link, audit = schema.link, schema.audit
    links = sa.select(link.c.seq, link.c.id, link.c.felt)
    links = links.where(*both_ends(write.scope), link.c.expired_at.is_not(None))
    of_forgets = (audit.c.tenant == write.tenant, audit.c.action == "forget")
    said = sa.select(audit.c.reason).distinct().where(*of_forgets, audit.c.reason != "")
    ended, reasons = _having(write, links, finder), [*write.connection.execute(said).scalars(), reason]
    repeating = {each: [(part, each) for _, part in finder.places(each.encode())] for each in reasons}
    saying = Saying(write.connection, write.scope, write.forgotten.contents)
    told = saying.told(parts) if ended or any(repeating.values()) else {}
    its = [row for row in ended if text_id(row[1]) in told["link"]]
    for portion in portions(row[0] for row in its):
        of_them = (link.c.tenant == write.tenant, link.c.seq.in_(portion))
        write.connection.execute(sa.update(link).where(*of_them).values(felt=_UNSAID))
    # What was said when they were ended, too.
    for portion in portions(text_id(each) for _, each, _ in its):
        where = (audit.c.tenant == write.tenant, audit.c.subject.in_(portion), audit.c.reason != "")
        write.connection.execute(sa.update(audit).where(*where).values(reason=""))
    write.forgotten.labels.add(text for *_, text in its)
    bare = saying.without_words(filter(None, reasons), write.forgotten.labels)
    kept = {
        each: "" if its and saying.is_told_by(its) else bare[each] for each, its in repeating.items() if each
    }
    for each in kept:
        if kept[each] != each:
            changed = sa.update(audit).where(*of_forgets, audit.c.reason == each).values(reason=kept[each])
            write.connection.execute(changed)
            write.forgotten.labels.add([each])
    write.erasure.reason = kept.get(reason, "")
    return write.erasure.reason


def _having(write: Write, statement: sa.Select[Any], finder: Finder) -> list[Any]:
    """The rows whose last column has a part."""
    rows = write.connection.execute(statement) if finder else ()
    return [row for batch in finder.among(rows, lambda row: str(row[-1])) for row, _ in batch]


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
        for beginning in TOPIC_MARKS:
            write.put_mark(beginning + name, None)
        _forget_shifts(write, name)
        _forget_mentions(write, name)


def _forget_shifts(write: Write, name: str) -> None:
    """Remove what was kept of shifts in a project: by agents, whose names have no slash there."""
    mark = schema.mark
    its = (mark.c.tenant == write.tenant, mark.c.key.startswith(SHIFTS, autoescape=True))
    for key in write.connection.execute(sa.select(mark.c.key).where(*its)).scalars().all():
        if key.removeprefix(SHIFTS).partition("/")[2] == name:
            write.put_mark(key, None)


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
        elif any(f"{sign}{dump(name)[1:]}" in text for sign in '"=') and (whose := _whose(key, name, value)):
            why = f"it names the project {name!r}: {whose}, yours to remove"
            write.erasure.found.append(Remnant("mark", key, why))


def _whose(key: str, name: str, value: Any) -> str:
    """What of a person's own settings a mark keeps, and by which command it goes; empty where a kind of role only is
    called as the project was."""
    if key.startswith("lenses:roles/"):
        named = [project for project, kept in value.items() if name in (project, kept["description"])]
        return _removed_by("its role", "roles remove", named, "")
    if key.startswith("lenses:saved/"):
        named = [
            lens
            for lens, kept in value.items()
            if name in (lens, kept["description"], *(each["project"] for each in kept["projects"]))
        ]
        return _removed_by("saved lenses", "lenses delete", named, ", or save them without it")
    return "a source to synchronise, a watched folder, or a rule of imports"


def _removed_by(what: str, command: str, named: Collection[str], more: str) -> str:
    commands = ", ".join(f"engramforge {command} {shlex.quote(each)}" for each in named)
    return f"{what} ({commands}{more})" if named else ""
