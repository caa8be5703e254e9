"""Writes of memories with all that belongs to them, of their ends, of the audit log and of named values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from engramforge.errors import InvalidValue, NotFound, OutOfScope
from engramforge.model.memory import Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.lineage import StoredEdge
from engramforge.model.storing.effect import Effect, EnergyChange
from engramforge.model.storing.record import AuditEntry, Entry
from engramforge.model.time import InvalidationReason, from_micros, to_micros
from engramforge.store import schema
from engramforge.store.reading import entries, memories, records
from engramforge.store.reading.encoders import ENCODERS_MARK
from engramforge.store.reading.memories import places_of
from engramforge.store.reading.predicates import admitted, portions, raw_ids
from engramforge.store.rows import (
    blob,
    body_row,
    conversation_rows,
    dump,
    memory_row,
    registry_row,
    session_name,
    text_id,
    use_values,
)
from engramforge.store.writing.embeddings import add_embeddings, check_encoders
from engramforge.store.writing.felt import felt_rows
from engramforge.store.writing.ledger import Placed, Row, Write


def fetch(write: Write, ids: Iterable[str]) -> dict[str, Memory]:
    """Memories by version id or logical id."""
    asked = list(ids)
    write.ledger.hold(asked)
    return memories.fetch(write.connection, write.scope, asked)


def hold(write: Write, ids: Sequence[str]) -> None:
    """Keep memories of anybody as they are until the end; refused if one is gone."""
    memory = schema.memory
    write.ledger.hold(ids)
    left = dict.fromkeys(ids)
    for portion in portions(raw_ids(left)):
        wanted = sa.or_(memory.c.id.in_(portion), memory.c.logical_id.in_(portion))
        asked = sa.select(memory.c.id, memory.c.logical_id).where(memory.c.tenant == write.tenant, wanted)
        for found in write.connection.execute(asked).all():
            for raw in found:
                left.pop(text_id(raw), None)
    if left:
        raise NotFound(f"Memories do not exist: {', '.join(left)}", "Check the ids")


def known_origins(write: Write, project: str | None, keys: Sequence[bytes]) -> Mapping[bytes, str | None]:
    """Origin keys that the project has, or any of the scope; None marks a tombstone."""
    write.ledger.hold_origins(project or "", keys)
    return records.known_origins(write.connection, write.scope, project, keys)


def add_origins(write: Write, project: str, logical_id: str | None, keys: Sequence[bytes]) -> None:
    """Further keys of a memory, or of a tombstone; the project is one that has memories."""
    whole = {"tenant": write.tenant, "project_seq": project_key(write, project, from_micros(0))}
    raw = None if logical_id is None else blob(logical_id)
    rows = [{**whole, "key": key, "logical_id": raw} for key in keys]
    write.ledger.add_origins(rows, taking_over=False)


def insert(write: Write, entries: Sequence[Entry]) -> None:
    """Write versions with all that belongs to them."""
    if entries:
        check_encoders(write, entries)
        # What comes already ended, with its history, is nothing that an undo could end.
        write.doings.made += [entry.memory.id for entry in entries if entry.memory.expired_at is None]
        insert_as(write, entries, [write.ledger.change] * len(entries))


def insert_as(write: Write, entries: Sequence[Entry], changes: Sequence[int]) -> None:
    """Write versions under change numbers, by whatever encoder they are."""
    strangers = sorted({entry.memory.tenant for entry in entries} - {write.tenant})
    if strangers:
        raise OutOfScope(
            f"A memory of tenant {strangers[0]!r} is written as tenant {write.tenant!r}",
            "Write it through its own tenant",
        )
    beside = (
        *(schema.body, schema.chunk, schema.memory_file, schema.memory_tag),
        *(schema.memory_goal, schema.memory_emotion, schema.registry, schema.entry_conversation),
    )
    rows: dict[sa.Table, list[Row]] = {table: [] for table in beside}
    narrow: list[Row] = []
    origins: list[Row] = []
    further: list[Row] = []
    placed: list[Placed] = []
    positions = write.ledger.draw_positions(len(entries))
    for seq, entry, change in zip(positions, entries, changes, strict=True):
        memory = entry.memory
        owner = {"tenant": memory.tenant, "memory_seq": seq}
        project = project_key(write, memory.project, memory.created_at)
        session = None
        if (name := session_name(memory)) is not None:
            identity = {"project_seq": project, "name": name}
            session = write.key_of(schema.session, identity, {})
        narrow.append(memory_row(entry, seq, project, session, change))
        rows[schema.body].append(body_row(memory, seq))
        if memory.chunk is not None:
            rows[schema.chunk].append({**owner, **asdict(memory.chunk)})
        paths = dict.fromkeys(each.file_path for each in memory.also_in)
        rows[schema.memory_file].extend({**owner, "file_path": path} for path in paths)
        rows[schema.memory_tag].extend({**owner, "tag": tag} for tag in dict.fromkeys(memory.tags))
        goals, emotions = felt_rows(memory, seq)
        rows[schema.memory_goal].extend(goals)
        rows[schema.memory_emotion].extend(emotions)
        if memory.registration is not None:
            rows[schema.registry].append(registry_row(memory, seq, project))
            rows[schema.entry_conversation].extend(conversation_rows(memory, seq))
        placed.append((seq, project, session, entry))
        known_by = {"tenant": memory.tenant, "project_seq": project, "logical_id": blob(memory.logical_id)}
        if entry.origin_key is not None:
            origins.append({**known_by, "key": entry.origin_key})
        further.extend({**known_by, "key": key} for key in entry.more_origin_keys)
    write.ledger.add_versions(narrow, entries)
    for table, some in rows.items():
        if some:
            write.ledger.add(table, some)
    add_embeddings(write, placed)
    if origins:
        # An explicit second remember takes over a tombstone; importers check `known_origins` first.
        write.ledger.add_origins(origins, taking_over=True)
    if further:
        write.ledger.add_origins(further, taking_over=False)


def expire(
    write: Write, memory_id: str, at: datetime, reason: InvalidationReason, correction_id: str | None = None
) -> None:
    """Close a version's recorded interval; refused if it is not open."""
    memory = schema.memory
    is_open = (memory.c.id == blob(memory_id), memory.c.expired_at.is_(None))
    values = {
        "expired_at": to_micros(at),
        "invalidation_reason": str(reason),
        "correction_id": None if correction_id is None else blob(correction_id),
        "change": write.ledger.change,
    }
    closed = sa.update(memory).where(admitted(write.scope), *is_open).values(values)
    if write.connection.execute(closed).rowcount != 1:
        raise NotFound(f"There is no open version {memory_id}", "Read its history to see which one is open")
    end_entry(write, memory_id)
    write.ledger.close(memory_id)
    write.doings.closed.append(memory_id)


def audit(
    write: Write, action: str, subject: str, reason: str, at: datetime, effect: Effect | None = None
) -> None:
    """One line in the audit log, written before the commit."""
    write.doings.lines.append(AuditEntry(at, action, subject, write.scope.agent, reason, effect))


def project_key(write: Write, name: str, at: datetime) -> int:
    """The key of a project, which is made when it is not there."""
    return write.key_of(schema.project, {"name": name}, {"created_at": to_micros(at)})


def create_project(write: Write, name: str, at: datetime) -> None:
    """Make the project exist; readers have to notice."""
    project_key(write, name, at)
    _ = write.ledger.change


def held_mark(write: Write, key: str) -> Mapping[str, Any] | None:
    """A named value that others who ask for it so wait for; see the door."""
    write.ledger.hold_origins("", [b"mark" + key.encode()])
    return records.mark(write.connection, write.scope, key)


def save_mark(write: Write, key: str, value: Mapping[str, Any] | None) -> None:
    """Keep, replace or remove a named value."""
    if key == ENCODERS_MARK:
        raise InvalidValue(f"The mark {key!r} says which encoders are active", "Use `activate`")
    write.put_mark(key, None if value is None else dump(dict(value)))


_LINEAGE: Final = b"lineage"
"""The lock key for all edges of a tenant; no project has an empty name."""


def note_use(write: Write, memory: Memory, registration: Registration) -> None:
    """Update the use counters and conversations of an entry's version in place; see the door."""
    place = places_of(write.connection, write.scope, [memory.id]).get(memory.id)
    registry, mention = schema.registry, schema.entry_conversation
    its = (registry.c.tenant == write.tenant, registry.c.memory_seq == place)
    done = write.connection.execute(sa.update(registry).where(*its).values(use_values(registration)))
    if place is None or done.rowcount != 1:
        raise NotFound(f"There is no entry of the registry at version {memory.id}", "Read its history again")
    before = (mention.c.tenant == write.tenant, mention.c.memory_seq == place)
    write.connection.execute(sa.delete(mention).where(*before))
    rows = conversation_rows(replace(memory, registration=registration), place)
    if rows:
        write.ledger.add(mention, rows)
    write.doings.use(memory, registration)


def count_uses(
    write: Write, shown: Mapping[str, int], opened: Mapping[str, int], at: datetime | None
) -> None:
    """Add to the use counters of versions in place; see the door."""
    memory = schema.memory
    values = {
        "exposure_count": memory.c.exposure_count + sa.bindparam("times_shown"),
        "access_count": memory.c.access_count + sa.bindparam("times_opened"),
        "last_accessed_at": sa.func.coalesce(
            sa.bindparam("opened_at", type_=sa.BigInteger), memory.c.last_accessed_at
        ),
    }
    its = (memory.c.tenant == write.tenant, memory.c.seq == sa.bindparam("place"))
    rows = [
        {
            "place": place,
            "times_shown": shown.get(each, 0),
            "times_opened": opened.get(each, 0),
            "opened_at": None if at is None or each not in opened else to_micros(at),
        }
        for each, place in places_of(write.connection, write.scope, sorted({*shown, *opened})).items()
    ]
    if rows:
        write.connection.execute(sa.update(memory).where(*its).values(values), rows)


def set_energies(write: Write, changes: Sequence[EnergyChange]) -> list[EnergyChange]:
    """Change energies in place where they are as they were; see the door."""
    memory, asked = schema.memory, {blob(each.id): each for each in changes}
    changed: list[EnergyChange] = []
    for portion in portions(asked):
        found = sa.select(memory.c.seq, memory.c.id, memory.c.energy).where(
            memory.c.tenant == write.tenant, memory.c.id.in_(portion), admitted(write.scope)
        )
        rows = write.connection.execute(write.ledger.holding(found, memory, "change")).all()
        done = {seq: asked[bytes(raw)] for seq, raw, energy in rows if energy == asked[bytes(raw)].before}
        if done:
            its = (memory.c.tenant == write.tenant, memory.c.seq == sa.bindparam("place"))
            values = [{"place": seq, "now": each.after} for seq, each in done.items()]
            write.connection.execute(
                sa.update(memory).where(*its).values(energy=sa.bindparam("now", type_=sa.Float)), values
            )
        changed += done.values()
    write.doings.faded += changed
    return changed


def lineage(write: Write, conversation: str, backward: bool, limit: int) -> list[StoredEdge]:
    """The edges that lead to a conversation or on from it; transactions that asked add edges one after the other."""
    write.ledger.hold_origins("", [_LINEAGE])
    return entries.lineage(write.connection, write.scope, conversation, backward, limit)


def end_entry(write: Write, memory_id: str) -> None:
    """End the entry's version, if it is one."""
    registry, memory, tenant = schema.registry, schema.memory, write.tenant
    seq = sa.select(memory.c.seq).where(memory.c.tenant == tenant, memory.c.id == blob(memory_id))
    its = (registry.c.tenant == tenant, registry.c.memory_seq == seq.scalar_subquery())
    write.connection.execute(sa.update(registry).where(*its).values(standing=False))
