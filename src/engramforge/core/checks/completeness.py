"""How complete felt metadata is: presence and soundness of the 13 fields, and the aggregate report.

For a link the names are its fields; for a memory they are looked up in its fields, then in its open metadata.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from engramforge.model.link import IMPORTANT_FIELDS, METADATA_FIELDS, REQUIRED_FIELDS, Link
from engramforge.model.memory import Memory, ResolutionState
from engramforge.model.validation_report import Grade, ValidationReport

NAMED_IDS: Final = 1_000
"""The most ids that a report names."""
_DEFAULTED: Final = frozenset({"energy_transfer_coefficient", "resolution_state"})
"""REQUIRED fields that a caller may leave out: a memory without one counts it as absent, not as an error."""
_STATES: Final = frozenset(str(state) for state in ResolutionState)
_ITS_OWN: Final = frozenset(METADATA_FIELDS) & frozenset(Memory.__dataclass_fields__)
"""Which of the names are fields of a memory."""


def metadata_of(item: Memory | Link) -> dict[str, Any]:
    """Those of the 13 fields that are present, by name; None is absent, an empty emotion vector is present."""
    if isinstance(item, Link):
        values = {name: getattr(item, name) for name in METADATA_FIELDS}
    else:
        values = {name: getattr(item, name) for name in _ITS_OWN}
        if item.metadata:
            for name in METADATA_FIELDS:
                if values.get(name) is None:
                    values[name] = item.metadata.get(name)
    return {name: value for name, value in values.items() if value is not None}


def metadata_completeness(item: Memory | Link) -> float:
    """Present fields / 13, in 0..1."""
    return len(metadata_of(item)) / len(METADATA_FIELDS)


def missing_required(present: Mapping[str, Any]) -> list[str]:
    """REQUIRED fields that are absent and have no default."""
    return [name for name in REQUIRED_FIELDS if name not in present and name not in _DEFAULTED]


def missing_important(present: Mapping[str, Any]) -> list[str]:
    """IMPORTANT fields that are absent."""
    return [name for name in IMPORTANT_FIELDS if name not in present]


def unsound(present: Mapping[str, Any]) -> list[str]:
    """Present fields whose values are of the wrong type or out of their range."""
    return [name for name, value in present.items() if not _SOUND[name](value)]


class Tally:
    """Counts items towards a report, in constant memory."""

    def __init__(self, most_ids: int = NAMED_IDS) -> None:
        self._most_ids = most_ids
        self._total = self._present = self._warned = self._wrong = 0
        self._ids: list[str] = []

    def add(self, item: Memory | Link) -> None:
        """Count one memory or link."""
        present = metadata_of(item)
        self._total += 1
        self._present += len(present)
        self._warned += any(name not in present for name in IMPORTANT_FIELDS)
        if missing_required(present) or unsound(present):
            self._wrong += 1
            if len(self._ids) < self._most_ids:
                self._ids.append(item.id)

    def report(self) -> ValidationReport:
        """The report on what was counted so far; on nothing: completeness 1, excellent."""
        total = self._total
        return ValidationReport(
            total=total,
            fully_valid=total - self._wrong,
            with_warnings=self._warned,
            with_errors=self._wrong,
            average_completeness=self._present / (total * len(METADATA_FIELDS)) if total else 1.0,
            incomplete_ids=tuple(self._ids),
            grade=grade_of(self._present, self._wrong, total),
        )


def report_on(items: Iterable[Memory | Link]) -> ValidationReport:
    """The aggregate report on memories or links."""
    tally = Tally()
    for item in items:
        tally.add(item)
    return tally.report()


def grade_of(present: int, errors: int, total: int) -> Grade:
    """The grade of `total` items with `present` fields in all, `errors` of them invalid.

    With c = present / (13 total) and e = errors / total: excellent c > 0.90 and e = 0; good c > 0.75 and e < 0.10;
    acceptable c > 0.60 and e < 0.25; else poor; no items at all are excellent. In whole numbers, so exact.
    """
    if total == 0:
        return Grade.EXCELLENT
    most = len(METADATA_FIELDS) * total
    if 100 * present > 90 * most and errors == 0:
        return Grade.EXCELLENT
    if 100 * present > 75 * most and 100 * errors < 10 * total:
        return Grade.GOOD
    if 100 * present > 60 * most and 100 * errors < 25 * total:
        return Grade.ACCEPTABLE
    return Grade.POOR


def _is_share(value: object) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool) and 0 <= value <= 1


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not value.isspace() and value != ""


def _is_vector(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and _is_share(share) for name, share in value.items()
    )


def _is_sensory(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(name, str) and _is_text(text) for name, text in value.items())
    return _is_text(value)


_SOUND: Final[Mapping[str, Callable[[object], bool]]] = {
    **dict.fromkeys(METADATA_FIELDS, _is_text),
    **dict.fromkeys(("energy", "confidence", "energy_transfer_coefficient"), _is_share),
    "emotion_vector": _is_vector,
    "resolution_state": lambda value: isinstance(value, str) and value in _STATES,
    "sensory_details": _is_sensory,
}
