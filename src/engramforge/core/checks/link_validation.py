"""Every check on a link before it is written; all its faults are reported in one error.

Three tiers. REQUIRED missing or wrong: refused. IMPORTANT missing: a warning. CONDITIONAL: checked only when present.
Unknown fields are kept, bounded like the metadata of a memory. Pure: `now` is an argument. writing/linkage checks
whether the ends exist and adds its faults to those found here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, TypeVar

from engramforge.core.checks.identities import called, quoted, refuse_secret
from engramforge.core.checks.validation import (
    EMOTIONS_PER_MEMORY,
    FELT_CHARACTERS,
    check_metadata,
    check_moment,
    check_name,
    check_text,
    check_times,
    check_unit,
    check_word,
)
from engramforge.errors import CallerError, InvalidValue
from engramforge.model.link import CONDITIONAL_FIELDS, IMPORTANT_FIELDS, METADATA_FIELDS, Relation
from engramforge.model.memory import ResolutionState

T = TypeVar("T")

RELATION_CHARACTERS: Final = 64
"""The longest relation."""
_WORDS = re.compile(r"[^\W\d_][^\W_]*(?:_[^\W_]+)*")
_TIMES: Final = ("recorded_at", "valid_at", "invalid_at")
_SET_BY_US: Final = (
    "id", "source_id", "target_id", "relation", "created_at", "expired_at", "invalidation_reason", "extra",
)  # fmt: skip
_MEANT: Final = {
    "energy": "how strongly it is felt, 0..1",
    "confidence": "how sure it is, 0..1",
    "emotion_vector": "emotion -> 0..1, {} when nothing was felt",
    "goal": "what it serves",
    "mindstate": "the state of mind it was formed in",
    "formation_trigger": "what made it form",
    "felt_quality": "how it feels",
    "emotion_description": "the emotions in words",
}
_DEFAULTS: Final = {"energy_transfer_coefficient": 0.5, "resolution_state": ResolutionState.IN_PROGRESS}


@dataclass(frozen=True, slots=True)
class CheckedLink:
    """A sound link without its ends.

    `metadata`: the present ones of the 13 fields. `extra`: unknown fields. `warnings`: a sentence for each IMPORTANT
    field that is missing, and for what the relation entails.
    """

    relation: str
    recorded_at: datetime
    valid_at: datetime
    invalid_at: datetime | None
    metadata: Mapping[str, Any]
    extra: Mapping[str, Any]
    warnings: tuple[str, ...]


@dataclass(slots=True)
class Faults:
    """Faults collected over several checks."""

    found: list[CallerError] = field(default_factory=list)

    def attempt(self, check: Callable[..., T], *values: Any) -> T | None:
        """What the check returns, or None and its fault kept."""
        try:
            return check(*values)
        except CallerError as fault:
            self.found.append(fault)
            return None

    def add(self, fault: CallerError) -> None:
        """Keep a fault."""
        self.found.append(fault)

    def refuse(self, what: str) -> None:
        """Raise one error that names every fault, if there is any.

        It has the class of the faults if they share one, else InvalidValue.
        """
        if not self.found:
            return
        if len(self.found) == 1:
            raise self.found[0]
        kinds = {type(fault) for fault in self.found}
        kind = kinds.pop() if len(kinds) == 1 else InvalidValue
        mends = dict.fromkeys(fault.mend for fault in self.found if fault.mend)
        raise kind(
            f"{what} has {len(self.found)} faults: " + "; ".join(fault.fault for fault in self.found),
            "Mend them together: " + "; ".join(mends),
        )


def check_link(
    relation: object, fields: Mapping[str, Any], now: datetime, faults: Faults
) -> CheckedLink | None:
    """A link's relation, times and metadata, with defaults filled in; None when a fault was found.

    `fields`: the 13 names, `recorded_at`, `valid_at`, `invalid_at`, and unknown ones, which are kept. `faults`:
    collects InvalidValue and InvalidTime; the caller refuses.
    """
    before = len(faults.found)
    word = faults.attempt(check_relation, relation)
    times = _check_times(fields, now, faults)
    metadata: dict[str, Any] = {}
    for name in METADATA_FIELDS:
        if (value := fields.get(name)) is None:
            value = _DEFAULTS.get(name)
        if value is not None:
            metadata[name] = _check_field(name, value, faults)
        elif name not in IMPORTANT_FIELDS and name not in CONDITIONAL_FIELDS:
            faults.add(InvalidValue(f"{name} is missing", f"Give {name}: {_MEANT[name]}"))
    extra = _check_extra(fields, faults)
    if len(faults.found) > before or word is None or times is None:
        return None
    return CheckedLink(word, *times, metadata, extra, tuple(_warnings(word, metadata)))


def check_relation(relation: object) -> str:
    """A relation: upper-case words joined by underscores, up to 64 characters, such as DEPENDS_ON."""
    if isinstance(relation, Relation):
        return relation.value
    if not isinstance(relation, str):
        raise InvalidValue(f"The relation is a {type(relation).__name__}, not text", "Pass a str")
    refuse_secret(relation, "relation")
    if len(relation) <= RELATION_CHARACTERS and _WORDS.fullmatch(relation) and relation == relation.upper():
        return relation
    near = re.sub(r"[\s_-]+", "_", relation[: RELATION_CHARACTERS + 1].strip()).upper()
    sound = len(near) <= RELATION_CHARACTERS and _WORDS.fullmatch(near)
    raise InvalidValue(
        f"The relation {quoted(relation, 40)} is not written in upper-case words",
        f"Did you mean {near}?" if sound else "Write it as DEPENDS_ON, up to 64 characters",
    )


def _check_times(
    fields: Mapping[str, Any], now: datetime, faults: Faults
) -> tuple[datetime, datetime, datetime | None] | None:
    """The three times; each unsound one is a fault of its own, then the order of the sound ones is judged."""
    before = len(faults.found)
    recorded, valid, invalid = (faults.attempt(check_moment, fields.get(name), name) for name in _TIMES)
    if faults.attempt(check_times, recorded, None, None, now) is None:
        recorded = None
    times = faults.attempt(check_times, recorded, valid, invalid, now)
    return times if len(faults.found) == before else None


def _check_field(name: str, value: object, faults: Faults) -> Any:
    if name in ("energy", "confidence", "energy_transfer_coefficient"):
        return faults.attempt(check_unit, value, name)
    if name == "resolution_state":
        return faults.attempt(check_word, ResolutionState, value, name)
    if name == "emotion_vector":
        return _check_named(name, value, faults, check_unit)
    if name == "sensory_details" and isinstance(value, Mapping):
        return _check_named(name, value, faults, lambda each, place: check_text(each, place, FELT_CHARACTERS))
    return faults.attempt(check_text, value, name, FELT_CHARACTERS)


def _check_named(
    name: str, value: object, faults: Faults, check: Callable[[object, str], Any]
) -> dict[str, Any] | None:
    """A mapping of names to checked values; every wrong entry is a fault of its own."""
    if not isinstance(value, Mapping):
        faults.add(
            InvalidValue(f"{name} is a {type(value).__name__}", f"Pass a mapping: {_MEANT.get(name, name)}")
        )
        return None
    if len(value) > EMOTIONS_PER_MEMORY:
        faults.add(
            InvalidValue(
                f"{name} has {len(value)} entries, more than {EMOTIONS_PER_MEMORY}", "Keep the strongest"
            )
        )
        return None
    checked: dict[str, Any] = {}
    for key, each in value.items():
        said = faults.attempt(check_name, key, f"{name} entry")
        if each is None:
            faults.add(
                InvalidValue(f"{name}[{quoted(str(key), 40)}] is None", "Give its value, or leave it out")
            )
        elif said is not None:
            checked[said] = faults.attempt(check, each, f"{name}[{called(said)!r}]")
    return checked


def _check_extra(fields: Mapping[str, Any], faults: Faults) -> dict[str, Any]:
    """Unknown fields as plain JSON; those that only the store may set are refused."""
    unknown = {
        name: value for name, value in fields.items() if name not in METADATA_FIELDS and name not in _TIMES
    }
    for name in _SET_BY_US:
        if unknown.pop(name, None) is not None:
            faults.add(
                InvalidValue(f"{name} is set by the store", f"Leave {name} out, or choose another name")
            )
    before = len(faults.found)
    for name, value in unknown.items():
        faults.attempt(check_metadata, {name: value})
    return (faults.attempt(check_metadata, unknown) or {}) if len(faults.found) == before else {}


def _warnings(relation: str, metadata: Mapping[str, Any]) -> list[str]:
    found = [
        f"{name} is missing: say {_MEANT[name]}, so that the link is understood later"
        for name in IMPORTANT_FIELDS
        if name not in metadata
    ]
    if relation == Relation.DERIVED_FROM:
        found.append("DERIVED_FROM binds deletion: forgetting the target forgets the source too")
    return found
