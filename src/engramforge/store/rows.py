"""Between rows and model types: pure conversions, no statements.

JSON is compact and keeps insertion order; ids are 16-byte blobs, times microseconds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple
from typing import Any, Final
from uuid import UUID

from sqlalchemy.engine import RowMapping

from engramforge.model.embeddings.embedding import Embedding
from engramforge.model.link import METADATA_FIELDS, Link
from engramforge.model.memory import Attachment, Chunk, Kind, Memory, ResolutionState, Source
from engramforge.model.registration import Registration
from engramforge.model.registries.entry import DecisionStatus
from engramforge.model.registries.lineage import StoredEdge
from engramforge.model.scope import Level
from engramforge.model.storing.effect import Effect, EnergyChange, LinkChange, Step, Use, UseChange
from engramforge.model.storing.record import AuditEntry, Entry
from engramforge.model.time import InvalidationReason, from_micros, to_micros

Row = Mapping[str, Any] | RowMapping
"""A row by the names of its columns, from the driver or from SQLAlchemy."""
_ENDED = {Kind.DECISION: (DecisionStatus.REVISED, DecisionStatus.SUPERSEDED, DecisionStatus.INVALIDATED)}
"""Statuses of ended entries, also of versions imported as ended."""
_SELDOM_MEMORY_FIELDS = ("felt_quality", "body_sensation", "goal", "mindstate", "discovery_energy")
_NARROW_FIELDS: Final = ("version", "speaker", "agent", "energy", "confidence", "epistemic_tier")
_COUNTED_FIELDS: Final = ("access_count", "exposure_count")
_PLAIN_FIELDS: Final = (*_NARROW_FIELDS, *_COUNTED_FIELDS, "content", "name")
_ENTRY_FIELDS: Final = ("entry_id", "status", "local_id", "continuation")
_LINK_FIELDS: Final = ("relation", "energy", "confidence", "energy_transfer_coefficient")
"""Fields that are columns of the same name and value."""
_FELT_LINK_FIELDS: Final = tuple(
    name for name in METADATA_FIELDS if name not in (*_LINK_FIELDS, "resolution_state")
)
"""Fields of a link that are kept as JSON."""

IMPLIED: Final = "\x1f"
IMPLIED_PLACE: Final = -1
"""With what the stored name of an implied session begins, and the sequence of its memories, which stand in the order of
writing; names that callers give have no control characters, and places are not below 0."""
KIND_CODE: Final = {str(kind): code for code, kind in enumerate(Kind)}
LEVEL_CODE: Final = {str(level): code for code, level in enumerate(Level)}
_DECODE: Final = json.JSONDecoder().raw_decode
"""Without looking for surrounding white space, which stored JSON does not have and which takes longer than the
parsing."""
_ID_LENGTH: Final = 36
_ID_BYTES: Final = 16
_KINDS: Final = {str(kind): kind for kind in Kind}
_SOURCES: Final = {str(source): source for source in Source}
_LEVELS: Final = {str(level): level for level in Level}
_STATES: Final = {str(state): state for state in ResolutionState}
"""Look-up tables of enumeration members, at a tenth of the cost of calling the class."""


def blob(identifier: str) -> bytes:
    """An id as its 16 bytes; raises ValueError when it is not a UUID."""
    # Written as `text_id` writes it, three times as fast; anything else is for UUID to judge.
    if len(identifier) == _ID_LENGTH and identifier[8::5][:4] == "----":
        try:
            raw = bytes.fromhex(identifier.replace("-", ""))
        except ValueError:
            raw = b""
        if len(raw) == _ID_BYTES:
            return raw
    return UUID(identifier).bytes


def text_id(raw: bytes) -> str:
    """The inverse of `blob`."""
    # As str(UUID) writes it, several times as fast: a row of a memory has two or three.
    digits = bytes(raw).hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def dump(value: Any) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def memory_row(
    entry: Entry, seq: int, project_seq: int, session_seq: int | None, change: int
) -> dict[str, Any]:
    """The narrow row of a version."""
    memory = entry.memory
    return {
        "tenant": memory.tenant,
        "seq": seq,
        "id": blob(memory.id),
        "logical_id": blob(memory.logical_id),
        **{name: getattr(memory, name) for name in (*_NARROW_FIELDS, *_COUNTED_FIELDS)},
        "sequence": memory.sequence if memory.implied_session is None else IMPLIED_PLACE,
        "kind": str(memory.kind),
        "project_seq": project_seq,
        "session_seq": session_seq,
        "level": str(memory.level),
        "valid_at": to_micros(memory.valid_at),
        "invalid_at": None if memory.invalid_at is None else to_micros(memory.invalid_at),
        "created_at": to_micros(memory.created_at),
        "expired_at": None if memory.expired_at is None else to_micros(memory.expired_at),
        "invalidation_reason": memory.invalidation_reason and str(memory.invalidation_reason),
        "correction_id": None if memory.correction_id is None else blob(memory.correction_id),
        "resolution_state": str(memory.resolution_state),
        "last_accessed_at": None if memory.last_accessed_at is None else to_micros(memory.last_accessed_at),
        "change": change,
    }


def session_name(memory: Memory) -> str | None:
    """The stored name of a memory's session, told or implied; None without one."""
    return memory.session_id if memory.implied_session is None else IMPLIED + memory.implied_session


def body_row(memory: Memory, seq: int) -> dict[str, Any]:
    """What is read for a hit only."""
    extra: dict[str, Any] = {
        name: value for name in _SELDOM_MEMORY_FIELDS if (value := getattr(memory, name)) is not None
    }
    if memory.tags:
        extra["tags"] = list(memory.tags)
    if memory.also_in:
        extra["also_in"] = [astuple(chunk) for chunk in memory.also_in]
    if memory.attachments:
        extra["attachments"] = [asdict(attachment) for attachment in memory.attachments]
    if memory.metadata:
        extra["metadata"] = dict(memory.metadata)
    return {
        "tenant": memory.tenant,
        "memory_seq": seq,
        "content": memory.content,
        "source": str(memory.source),
        "name": memory.name,
        "emotion_vector": dump(dict(memory.emotion_vector)),
        "extra": dump(extra) if extra else None,
    }


def words_row(signals: Embedding) -> dict[str, Any]:
    """The words of an embedding, without whose they are."""
    return {
        "tokens": signals.tokens.tobytes(),
        "terms": signals.terms.tobytes(),
        "counts": signals.counts.tobytes(),
        "cues": signals.cues,
        "intervals": None if signals.intervals is None else signals.intervals.tobytes(),
    }


def memory_of(row: Row, tenant: str) -> Memory:
    """A version from its joined row (memory, body, project and session names, chunk columns)."""
    extra = loaded(row["extra"])
    chunk = None
    if row["file_path"] is not None:
        chunk = Chunk(row["file_path"], row["chunk_index"], row["total_chunks"], row["word_offset"])
    session, is_implied = row["session_name"], (row["session_name"] or "").startswith(IMPLIED)
    return Memory(
        id=text_id(row["id"]),
        logical_id=text_id(row["logical_id"]),
        **{name: row[name] for name in _PLAIN_FIELDS},
        **(_seldom(extra) if extra else {}),
        kind=_KINDS[row["kind"]],
        source=_SOURCES[row["source"]],
        project=row["project_name"],
        valid_at=from_micros(row["valid_at"]),
        created_at=from_micros(row["created_at"]),
        tenant=tenant,
        level=_LEVELS[row["level"]],
        session_id=None if is_implied else session,
        sequence=None if is_implied else row["sequence"],
        implied_session=session.removeprefix(IMPLIED) if is_implied else None,
        chunk=chunk,
        invalid_at=_moment(row["invalid_at"]),
        expired_at=_moment(row["expired_at"]),
        invalidation_reason=_reason(row["invalidation_reason"]),
        correction_id=None if row["correction_id"] is None else text_id(row["correction_id"]),
        emotion_vector=loaded(row["emotion_vector"]),
        resolution_state=_STATES[row["resolution_state"]],
        last_accessed_at=_moment(row["last_accessed_at"]),
        registration=None if row["entry_id"] is None else registration_of(row),
    )


def _seldom(extra: Mapping[str, Any]) -> dict[str, Any]:
    """A memory's fields of which most have none, from what is stored of these."""
    return {
        **{name: extra.get(name) for name in _SELDOM_MEMORY_FIELDS},
        "tags": tuple(extra.get("tags", ())),
        "also_in": further_chunks(extra),
        "attachments": tuple(map(_attachment, extra.get("attachments", ()))),
        "metadata": extra.get("metadata", {}),
    }


def further_chunks(extra: Mapping[str, Any]) -> tuple[Chunk, ...]:
    """The places beside its first that a memory's seldom fields name."""
    return tuple(Chunk(*each) for each in extra.get("also_in", ()))


def registration_of(row: Row) -> Registration:
    """The registry's part of a joined row."""
    return Registration(
        **{name: row[name] for name in _ENTRY_FIELDS},
        conversations=tuple(_DECODE(row["conversations"])[0]),
        last_validated=_moment(row["last_validated"]),
        validation_count=row["validation_count"],
        hops=row["hops"],
        details=loaded(row["details"]),
    )


def edge_of(row: Row) -> StoredEdge:
    """A lineage edge from its joined row (memory, body, project name, registry)."""
    return StoredEdge(
        logical_id=text_id(row["logical_id"]),
        project=row["project_name"],
        content=row["content"],
        valid_at=from_micros(row["valid_at"]),
        entry_id=row["entry_id"],
        source=row["conversation"],
        continuation=row["continuation"],
        details=loaded(row["details"]),
    )


def registry_row(memory: Memory, seq: int, project_seq: int) -> dict[str, Any]:
    """The registry's row of a version that has one."""
    registration = memory.registration
    assert registration is not None
    return {
        "tenant": memory.tenant,
        "memory_seq": seq,
        "kind": str(memory.kind),
        **{name: getattr(registration, name) for name in _ENTRY_FIELDS},
        "standing": not memory.is_superseded and registration.status not in _ENDED.get(memory.kind, ()),
        "project_seq": project_seq,
        "epistemic_tier": memory.epistemic_tier,
        "details": dump(dict(registration.details)),
        **use_values(registration),
    }


def conversation_rows(memory: Memory, seq: int) -> list[dict[str, Any]]:
    """The conversations that mention an entry, a row each."""
    registration = memory.registration
    assert registration is not None
    owner = {"tenant": memory.tenant, "memory_seq": seq}
    return [
        {**owner, "conversation": conversation} for conversation in dict.fromkeys(registration.conversations)
    ]


def use_values(registration: Registration) -> dict[str, Any]:
    """The columns of what may change in place."""
    at = registration.last_validated
    return {
        "conversation": registration.origin,
        "conversations": dump(list(registration.conversations)),
        "last_validated": None if at is None else to_micros(at),
        "validation_count": registration.validation_count,
        "hops": registration.hops,
    }


def link_row(link: Link, tenant: str) -> dict[str, Any]:
    """The row of a link, without its key."""
    felt = {name: value for name in _FELT_LINK_FIELDS if (value := getattr(link, name)) is not None}
    felt["emotion_vector"] = dict(link.emotion_vector)
    if link.extra:
        felt["extra"] = dict(link.extra)
    return {
        "tenant": tenant,
        "id": blob(link.id),
        "source_id": blob(link.source_id),
        "target_id": blob(link.target_id),
        **{name: getattr(link, name) for name in _LINK_FIELDS},
        "valid_at": to_micros(link.valid_at),
        "invalid_at": None if link.invalid_at is None else to_micros(link.invalid_at),
        "created_at": to_micros(link.created_at),
        "expired_at": None if link.expired_at is None else to_micros(link.expired_at),
        "invalidation_reason": None if link.invalidation_reason is None else str(link.invalidation_reason),
        "resolution_state": str(link.resolution_state),
        "felt": dump(felt),
    }


def link_of(row: Row) -> Link:
    """A link from its row."""
    return Link(
        id=text_id(row["id"]),
        source_id=text_id(row["source_id"]),
        target_id=text_id(row["target_id"]),
        **{name: row[name] for name in _LINK_FIELDS},
        valid_at=from_micros(row["valid_at"]),
        created_at=from_micros(row["created_at"]),
        invalid_at=_moment(row["invalid_at"]),
        expired_at=_moment(row["expired_at"]),
        invalidation_reason=_reason(row["invalidation_reason"]),
        resolution_state=_STATES[row["resolution_state"]],
        **_DECODE(row["felt"])[0],
    )


def audit_row(line: AuditEntry, tenant: str) -> dict[str, Any]:
    """The row of a line of the audit log, without its key."""
    return {
        "tenant": tenant,
        "at": to_micros(line.at),
        "action": line.action,
        "subject": line.subject,
        "agent": line.agent,
        "reason": line.reason,
        "effect": None if line.effect is None else dump(_effect_values(line.effect)),
    }


def audit_line_of(row: RowMapping) -> AuditEntry:
    """A line of the audit log from its row."""
    effect = None if row["effect"] is None else _effect_of(loaded(row["effect"]))
    said = (row["action"], row["subject"], row["agent"], row["reason"])
    return AuditEntry(from_micros(row["at"]), *said, effect)


def _effect_values(effect: Effect) -> dict[str, Any]:
    """An effect as JSON values; what is empty is left out."""
    said = {
        "id": effect.id,
        "step": "" if effect.step is Step.CHANGE else str(effect.step),
        "made": effect.made,
        "closed": effect.closed,
        "linked": list(map(astuple, effect.linked)),
        "unlinked": list(map(astuple, effect.unlinked)),
        "uses": list(map(_use_change_values, effect.uses)),
        "faded": list(map(astuple, effect.faded)),
        "dream": effect.dream,
        "of": effect.of,
        "takes_back": effect.takes_back,
        "stands_for": dict(effect.stands_for),
    }
    return {name: value for name, value in said.items() if value}


def _effect_of(said: dict[str, Any]) -> Effect:
    return Effect(
        id=said.get("id", ""),
        step=Step(said.get("step", Step.CHANGE)),
        made=tuple(said.get("made", ())),
        closed=tuple(said.get("closed", ())),
        linked=tuple(LinkChange(*each) for each in said.get("linked", ())),
        unlinked=tuple(LinkChange(*each) for each in said.get("unlinked", ())),
        uses=tuple(
            UseChange(memory_id, _use_of(before), _use_of(after), tuple(mentioned), tuple(unmentioned))
            for memory_id, before, after, mentioned, unmentioned in said.get("uses", ())
        ),
        faded=tuple(EnergyChange(*each) for each in said.get("faded", ())),
        dream=said.get("dream", ""),
        of=said.get("of", ""),
        takes_back=said.get("takes_back", ""),
        stands_for=said.get("stands_for", {}),
    )


def _use_change_values(change: UseChange) -> tuple[Any, ...]:
    before, after = _use_values(change.before), _use_values(change.after)
    return change.memory_id, before, after, change.mentioned, change.unmentioned


def _use_values(use: Use) -> tuple[int | None, int, int]:
    at = use.last_validated
    return None if at is None else to_micros(at), use.validation_count, use.hops


def _use_of(said: list[int]) -> Use:
    return Use(_moment(said[0]), said[1], said[2])


def loaded(text: str | None) -> Any:
    """A JSON object; most are empty."""
    return {} if text is None or text == "{}" else _DECODE(text)[0]


def _attachment(item: Mapping[str, Any]) -> Attachment:
    # Earlier versions stored a text that was given as null.
    return Attachment(**{name: value for name, value in item.items() if value is not None})


def _moment(micros: int | None) -> Any:
    return None if micros is None else from_micros(micros)


def _reason(value: str | None) -> InvalidationReason | None:
    return None if value is None else InvalidationReason(value)
