"""The account of a source: the outcome of each of its records, for reports and marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, fields
from typing import Any, Final

from engramforge.model.registration import Consequence
from engramforge.store.door import Transaction

KeptMarks = Mapping[str, Mapping[str, Any] | None]
"""Values to keep in the store by name; None removes one."""
Marks = Callable[[], KeptMarks]
"""Gives the marks to keep with a batch; called inside its transaction, when the account is complete."""
_RECORDS: Final = ("found", "remembered", "duplicate", "nothing", "faulty")
_NUMBERS: Final = (*_RECORDS, "memories", "duplicate_memories", "faults")


@dataclass(slots=True)
class FileCount:
    """The account of a source; imports/importing explains the numbers. `made`: the entries that a writer made."""

    format: str
    found: int = 0
    remembered: int = 0
    duplicate: int = 0
    nothing: int = 0
    faulty: int = 0
    memories: int = 0
    duplicate_memories: int = 0
    faults: int = 0
    records: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    projects: set[str] = field(default_factory=set)
    changes: Counter[str] = field(default_factory=Counter)
    made: list[Consequence] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The account as plain JSON."""
        return {
            "format": self.format,
            **{name: getattr(self, name) for name in _NUMBERS},
            "records": dict(self.records),
            "skipped": dict(self.skipped),
            **self.changes,
        }

    def reset(self, before: FileCount) -> None:
        """Take the numbers of another account."""
        for each in fields(self):
            setattr(self, each.name, deepcopy(getattr(before, each.name)))

    def add_records(self, other: FileCount) -> None:
        """Add what became of another account's records."""
        for name in _RECORDS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.skipped.update(other.skipped)

    @classmethod
    def kept(cls, values: Mapping[str, Any]) -> FileCount:
        """The account that a mark kept."""
        count = cls(values["format"], records=Counter(values["records"]), skipped=Counter(values["skipped"]))
        for name in _NUMBERS:
            setattr(count, name, int(values[name]))
        return count


def save_marks(writes: Transaction, marks: KeptMarks) -> None:
    """Keep marks, and remove those without a value."""
    for name, value in marks.items():
        writes.save_mark(name, value)
