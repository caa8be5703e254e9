"""A batch of an import's records.

Turns items into checked drafts (an invalid draft becomes a fault with the item's place, its neighbours are written),
writes them, and records the outcome of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from engramforge.capture.reading.records import Item
from engramforge.capture.writers.account import FileCount, KeptMarks, Marks
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.capture.writers.told_live import BesideTold
from engramforge.core.checks.validation import check_draft
from engramforge.errors import CallerError, Overtaken
from engramforge.model.memory import Draft
from engramforge.model.scope import Scope
from engramforge.model.storing.record import Fault
from engramforge.writing.intake import Book, Intaken
from engramforge.writing.preparing import check_scope
from engramforge.writing.recognising import Outcome

TOO_OLD: Final = "before the time asked"
_MOST_TRIES: Final = 20
"""Looks at a batch while others write the same; each finds more of it in the store."""


@dataclass(slots=True)
class Batch:
    """Collects a file's items until they are written. `beside`: knows what hooks told of them."""

    stages: ImportStages
    scope: Scope
    now: datetime
    since: datetime | None
    beside: BesideTold | None = None
    drafts: list[Draft] = field(default_factory=list)
    _records: list[tuple[bool, slice]] = field(default_factory=list)
    """Of each record whether it is a message, and which drafts are its own."""

    def add(self, item: Item, count: FileCount) -> Fault | None:
        """Take an item and its valid drafts; returns its fault, if any."""
        count.records[item.record] += 1
        count.found += item.is_message
        if item.fault:
            count.faulty += item.is_message
            return Fault(item.path, item.line, item.fault)
        begin, fault, left_out = len(self.drafts), None, item.skipped
        for draft in item.drafts:
            try:
                checked = check_draft(draft, self.now)
                check_scope(self.scope, checked)
            except CallerError as error:
                fault = Fault(item.path, item.line, str(error))
                continue
            if checked.project in self.stages.excluded:
                left_out = "excluded project"
            elif self.since is not None and checked.valid_at is not None and checked.valid_at < self.since:
                left_out = TOO_OLD
            else:
                self.drafts.append(checked)
        if len(self.drafts) > begin:
            self._records.append((item.is_message, slice(begin, len(self.drafts))))
        elif fault is not None:
            count.faulty += item.is_message
        else:
            count.skipped[left_out] += 1
            count.nothing += item.is_message
        return fault

    def write(self, count: FileCount, marks: Marks) -> Intaken:
        """Write what was collected and record the outcomes; the batch is empty afterwards."""
        before = deepcopy(count)

        def book(outcomes: Sequence[Outcome]) -> KeptMarks:
            # A repeated transaction counts again, from the account before it.
            count.reset(before)
            self._book(outcomes, count)
            return marks()

        intaken = self._written(book)
        self.drafts, self._records = [], []
        return intaken

    def _written(self, book: Book) -> Intaken:
        """What became of the drafts, looked at again as often as a hook told one of them in between."""
        if self.beside is None:
            return self.stages.intake.write(self.scope, self.drafts, revive_forgotten=False, marks=book)
        for _ in range(_MOST_TRIES):
            placed, lacking = self.beside.place(self.drafts)
            try:
                intaken = self.stages.intake.write(
                    self.scope, placed, revive_forgotten=False, marks=book, unless=lacking
                )
            except Overtaken:
                self.beside.forget()
                continue
            self.beside.written()
            return intaken
        raise Overtaken("Hooks tell the same session all the time", "Import it again when it has ended")

    def _book(self, outcomes: Sequence[Outcome], count: FileCount) -> None:
        count.projects |= {
            draft.project
            for draft, outcome in zip(self.drafts, outcomes, strict=True)
            if outcome in (Outcome.WRITTEN, Outcome.DUPLICATE)
        }
        count.memories += outcomes.count(Outcome.WRITTEN)
        count.duplicate_memories += outcomes.count(Outcome.DUPLICATE)
        for is_message, drafts in self._records:
            became = set(outcomes[drafts])
            if not became & {Outcome.WRITTEN, Outcome.DUPLICATE}:
                count.skipped[str(min(became))] += 1
            if not is_message:
                continue
            if Outcome.WRITTEN in became:
                count.remembered += 1
            elif Outcome.DUPLICATE in became:
                count.duplicate += 1
            else:
                count.nothing += 1
