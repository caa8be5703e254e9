"""A row of an export read back: the inverse of `row_digest`, with every value checked against its type and range.

The rows are ours, but may have been edited or cut since, so nothing is trusted: an unknown field, a missing one, a
value of another type or out of its range is refused by name.
"""

from __future__ import annotations

import json
import math
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, Final

from engramforge.core.checks.identities import called, quoted
from engramforge.core.registries.registration import entry_id_of
from engramforge.errors import InvalidTime, InvalidValue
from engramforge.model.limits import CONTENT_BYTES, COUNTED
from engramforge.model.link import Link
from engramforge.model.memory import Kind, Memory
from engramforge.model.registration import Registration
from engramforge.model.registries.detection import Detection
from engramforge.model.registries.entry import (
    ENTRY_PREFIXES,
    DecisionStatus,
    Priority,
    ReviewStatus,
    ThreadStatus,
)
from engramforge.model.registries.lineage import CompressionMode
from engramforge.model.scope import Project
from engramforge.model.storing.effect import Effect
from engramforge.model.storing.record import AuditEntry
from engramforge.model.storing.section import Mark, Origin, Section, StoredInjection
from engramforge.model.time import parse_time

ExportedRow = Project | Memory | Origin | Link | AuditEntry | StoredInjection | Mark
"""What a line of an export holds."""
_TYPES: Final[Mapping[Section, type[Any]]] = {
    Section.PROJECTS: Project,
    Section.MEMORIES: Memory,
    Section.ORIGINS: Origin,
    Section.LINKS: Link,
    Section.AUDIT: AuditEntry,
    Section.INJECTIONS: StoredInjection,
    Section.MARKS: Mark,
}
_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_IDS: Final = ("id", "logical_id", "correction_id", "source_id", "target_id")
_UNITS: Final = ("energy", "confidence", "epistemic_tier", "discovery_energy", "energy_transfer_coefficient")
_WIDE: Final = {"sequence": (-(2**63), 2**63 - 1), "size_bytes": (0, 2**63 - 1)}
"""Field -> the range of a whole number that may be larger than a count."""
_KEY_BYTES: Final = 16
_STATUSES: Final[Mapping[Kind, type[StrEnum]]] = {
    Kind.DECISION: DecisionStatus,
    Kind.THREAD: ThreadStatus,
    Kind.FLAG: ReviewStatus,
}
_DETAILS: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("rationale", "revised_in", "resolution", "resolved_in", "archive_id"), str),
    **dict.fromkeys(
        ("alternatives_rejected", "blocked_by", "threads_carried", "threads_resolved"), tuple[str, ...]
    ),
    **dict.fromkeys(("decisions_carried", "decisions_dropped"), tuple[str, ...]),
    **dict.fromkeys(("opened_at", "compressed_at"), datetime),
    "priority": Priority,
    "compression_tag": str,
    "compression_mode": CompressionMode,
    "turn_range": tuple[int, ...],
    "local_ids": Mapping[str, str],
    "evidence": Mapping[str, Any],
    "detected_confidence": float,
    "proposal": Detection,
}
"""Detail of a registration -> its type: what the registries write, and read without asking again."""
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
_MEND: Final = "Take the line as the export wrote it"


def row_of(section: Section, values: Mapping[str, Any], tenant: str) -> ExportedRow:
    """The row that a line of this section holds; `values` without what names the section.

    `tenant`: the tenant of the new row, which an export leaves out.

    Raises InvalidValue, InvalidTime: the line is not what an export writes; the error names the field.
    """
    kind = _TYPES[section]
    if _unwritable(values):
        name, fault = next((name, fault) for name in values if (fault := _unwritable((name, values[name]))))
        raise InvalidValue(f"The field {quoted(name, 100)} holds {fault}", _MEND)
    given = {**values, "tenant": tenant} if kind is Memory else dict(values)
    row: ExportedRow = _made(kind, given, "")
    for name in _IDS:
        _check_id(getattr(row, name, None), name)
    if isinstance(row, AuditEntry) and row.effect is not None:
        _check_effect(row.effect)
    if isinstance(row, StoredInjection):
        its = row.injection.memories
        for identifier in (
            row.injection.id,
            *(each.memory_id for each in its),
            *(each.version_id for each in its),
        ):
            _check_id(identifier, "injection")
    if isinstance(row, Memory | Link):
        _check_ranges(row)
    if isinstance(row, Memory) and row.registration is not None:
        row = replace(row, registration=_registration(row.kind, row.registration))
    if isinstance(row, Origin) and len(row.key) != _KEY_BYTES:
        raise InvalidValue(f"The field key has {len(row.key)} bytes and not {_KEY_BYTES}", _MEND)
    return row


def _made(kind: type[Any], values: Mapping[str, Any], place: str) -> Any:
    known = _fields(kind)  # type: ignore[arg-type]
    if unknown := [name for name in values if name not in known]:
        raise InvalidValue(f"There is no field {place}{quoted(unknown[0], 100)}", _MEND)
    missing = [name for name, (_, required) in known.items() if required and name not in values]
    for name in missing:
        # An export leaves out None.
        if type(None) not in typing.get_args(known[name][0]):
            raise InvalidValue(f"The field {place}{name} is missing", _MEND)
    read = {name: _read(known[name][0], value, place + name) for name, value in values.items()}
    return kind(**dict.fromkeys(missing), **read)


def _read(kind: Any, value: Any, place: str) -> Any:
    """A JSON value as the type that a field has."""
    origin = typing.get_origin(kind)
    if origin in (types.UnionType, typing.Union):
        # An export leaves out None; an object is none of the texts that may stand in its place.
        real = [each for each in typing.get_args(kind) if each is not type(None)]
        if len(real) > 1 and isinstance(value, dict):
            real = [each for each in real if each is not str]
        return _read(real[0], value, place)
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(value, place, "a list")
        inner = typing.get_args(kind)[0]
        return tuple(_read(inner, each, f"{place}[{index}]") for index, each in enumerate(value))
    if (origin or kind) is Mapping:
        if not isinstance(value, dict):
            raise _wrong(value, place, "an object")
        inner = typing.get_args(kind)[1]
        return {name: _read(inner, item, f"{place}.{called(name)}") for name, item in value.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        if not isinstance(value, dict):
            raise _wrong(value, place, "an object")
        return _made(kind, value, f"{place}.")
    return value if kind is Any else _read_plain(kind, value, place)


def _read_plain(kind: Any, value: Any, place: str) -> Any:
    """A JSON value as a text, number, time, word or bytes."""
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise _wrong(value, place, "a finite number")
        return number
    if kind is int and isinstance(value, int) and not isinstance(value, bool):
        # Only a sequence may be negative; every other whole number counts something, and the store counts on from it.
        smallest, largest = _WIDE.get(place.rpartition(".")[2], (0, COUNTED))
        if not smallest <= value <= largest:
            raise InvalidValue(f"The field {place} is {str(value)[:60]}", _MEND)
        return value
    if kind is bool and isinstance(value, bool):
        return value
    if not isinstance(value, str):
        raise _wrong(value, place, "a number" if kind in (int, float) else "a text")
    if kind is datetime:
        return parse_time(value, place)
    if kind is bytes:
        try:
            return bytes.fromhex(value)
        except ValueError:
            raise _wrong(value, place, "hexadecimal digits") from None
    if issubclass(kind, StrEnum):
        try:
            return kind(value)
        except ValueError:
            raise InvalidValue(
                f"The field {place} is {quoted(value)}, which is none of its words", _MEND
            ) from None
    if kind is not str or "\0" in value:
        raise _wrong(value, place, "a number" if kind in (int, float) else "a text without NUL")
    return value


def _unwritable(value: Any) -> str:
    """What a JSON value holds that cannot be written again as JSON in UTF-8; empty if nothing."""
    try:
        _ENCODER.encode(value).encode()
    except UnicodeEncodeError:
        return "half a surrogate pair"
    except ValueError:
        return "a number that is not finite"
    return ""


def _check_id(identifier: str | None, place: str) -> None:
    if identifier is not None and not _ID.fullmatch(identifier):
        raise InvalidValue(f"The field {place} is {quoted(identifier)}, which is no id", _MEND)


def _check_effect(effect: Effect) -> None:
    """Raise InvalidValue where an id of a record or link is none, or an energy is none. Effects' own ids may be of any
    form."""
    ids = {
        "made": effect.made,
        "closed": effect.closed,
        "linked": [each for link in effect.linked for each in (link.id, link.source_id)],
        "unlinked": [each for link in effect.unlinked for each in (link.id, link.source_id)],
        "uses": [use.memory_id for use in effect.uses],
        "faded": [each.id for each in effect.faded],
        "stands_for": [each for pair in effect.stands_for.items() for each in pair],
    }
    for name, found in ids.items():
        for identifier in found:
            _check_id(identifier, f"effect.{name}")
    for energy in (energy for each in effect.faded for energy in (each.before, each.after)):
        if not 0 <= energy <= 1:
            raise InvalidValue(f"An energy of effect.faded is {energy:g}, outside 0..1", _MEND)


def _check_ranges(row: Memory | Link) -> None:
    """Raise InvalidValue or InvalidTime where a value is out of its range."""
    for name in _UNITS:
        value = getattr(row, name, None)
        if value is not None and not 0 <= value <= 1:
            raise InvalidValue(f"The field {name} is {value:g}, outside 0..1", _MEND)
    for start, end in (("valid_at", "invalid_at"), ("created_at", "expired_at")):
        if getattr(row, end) is not None and getattr(row, end) <= getattr(row, start):
            raise InvalidTime(f"{end} is not after {start}", _MEND)
    if any(not 0 <= value <= 1 for value in row.emotion_vector.values()):
        raise InvalidValue("A value of emotion_vector is outside 0..1", _MEND)
    if isinstance(row, Memory):
        _check_memory(row)


def _check_memory(memory: Memory) -> None:
    if memory.version < 1:
        raise InvalidValue(f"The field version is {memory.version}; versions count from 1", _MEND)
    if not memory.content.strip() or len(memory.content.encode("utf-8", "replace")) > CONTENT_BYTES:
        raise InvalidValue("The content is empty, or larger than a memory may be", _MEND)
    entry = memory.registration
    if entry is not None and memory.kind not in ENTRY_PREFIXES:
        raise InvalidValue(f"A memory of kind {memory.kind} has a registration", _MEND)
    if entry is not None and entry.entry_id != entry_id_of(memory.kind, memory.logical_id):
        raise InvalidValue(f"registration.entry_id is {quoted(entry.entry_id)}, of another memory", _MEND)


def _registration(kind: Kind, given: Registration) -> Registration:
    """A registration whose status and details its registry can read; details that none writes are left out."""
    words = _STATUSES.get(kind)
    # A flag written by hand has no status, and a thread without one is open.
    may_lack = kind is not Kind.DECISION and "proposal" not in given.details
    if not (may_lack and not given.status):
        if words is None:
            raise InvalidValue(f"A memory of kind {kind} has the status {quoted(given.status)}", _MEND)
        _read(words, given.status, "registration.status")
    kept = {name: value for name, value in given.details.items() if name in _DETAILS and value is not None}
    read = {
        name: _read(_DETAILS[name], value, f"registration.details.{name}") for name, value in kept.items()
    }
    if (proposal := read.get("proposal")) is not None:
        if proposal.kind not in (Kind.DECISION, Kind.THREAD):
            raise InvalidValue(f"registration.details.proposal is of kind {proposal.kind}", _MEND)
        _read(_STATUSES[proposal.kind], proposal.status, "registration.details.proposal.status")
    if len(kept.get("turn_range", (0, 0))) != 2:
        raise InvalidValue("The field registration.details.turn_range has not two numbers", _MEND)
    return replace(given, details=kept)


def _wrong(value: Any, place: str, wanted: str) -> InvalidValue | InvalidTime:
    return InvalidValue(f"The field {place} is {quoted(value)} and not {wanted}", _MEND)


@cache
def _fields(kind: type[Any]) -> dict[str, tuple[Any, bool]]:
    """Name -> type and whether it must be there."""
    hints = typing.get_type_hints(kind)
    return {
        field.name: (hints[field.name], field.default is MISSING and field.default_factory is MISSING)
        for field in fields(kind)
    }
