"""A dissonance: a belief that changed, with what replaced it and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from engramforge.model.time import InvalidationReason


@dataclass(frozen=True, slots=True)
class Dissonance:
    """One superseded version and its successor.

    Parameters
    ----------
    belief_id : what the two are versions of: their logical id, or for records imported apart the identity of their
        source less its version suffix.
    original_id, corrected_id : ids of the two versions.
    original_version, corrected_version : their numbers; of records imported apart those of their suffixes.
    name : of the superseded version.
    original, corrected : the contents.
    reason : why the first ended: discovered_false (we were wrong) or reality_changed; None where nobody said.
    trigger : what corrected it, in words.
    correction_id : id of what corrected it, where it is known.
    discovery_energy : how strongly it was felt when it was found, 0..1; 0.5 when nobody said.
    emotions : emotion -> 0..1, of the successor.
    held_from, held_until : when the first was on record, [held_from, held_until).
    corrected_at : when the successor was recorded.
    """

    belief_id: str
    original_id: str
    corrected_id: str
    original_version: int
    corrected_version: int
    name: str | None
    original: str
    corrected: str
    reason: InvalidationReason | None
    trigger: str
    correction_id: str | None
    held_from: datetime
    held_until: datetime
    corrected_at: datetime
    discovery_energy: float = 0.5
    emotions: Mapping[str, float] = field(default_factory=dict)
