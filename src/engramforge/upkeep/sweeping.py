"""The maintenance sweep: goes through everything in scope, finds degraded records, lists repairs.

It changes nothing but the short list of reports kept over time.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from engramforge.core.checks.completeness import Tally
from engramforge.core.checks.degraded import (
    FileParts,
    judge_doubled_links,
    judge_link,
    judge_memory,
    judge_versions,
)
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.search.selection import Selection
from engramforge.model.time import TemporalMode, parse_time
from engramforge.model.validation_report import Degraded, Grade, KeptReport, SweepReport, ValidationReport
from engramforge.store.door import Door, Transaction

REPORTS_KEPT: Final = 100
"""How many reports are kept over time: one a day and agent at most, the newest."""
KEPT_REPORTS: Final = "validation-reports"
"""Mark of the reports that are kept."""
_PORTION: Final = 500
_ALL: Final = Selection(mode=TemporalMode.FULL_HISTORY)

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Sweeping:
    """Looks at every record, and keeps counts of what it found over time."""

    door: Door
    clock: Callable[[], datetime]

    def sweep(self, scope: Scope, limit: int, keep: bool, progress: Progress | None = None) -> SweepReport:
        """Look at every record of memories and links in scope, in portions; find degraded ones and their repairs.

        `limit`: how many degraded records to list at most; they are all counted. `keep`: add the report's counts to
        those kept over time. `progress`: called with the number of memory records seen so far and in all.

        What an earlier forget had to leave in the files is cleared first, if nobody holds it any more.
        """
        self.door.finish_erasure()
        report = _Run(self.door, scope, self.clock(), limit).finish(progress)
        if keep:
            whose = "*" if scope.every_agent else scope.agent
            self._keep(scope, KeptReport(report.at, whose, report.memories, report.links, report.broken))
        return report

    def kept(self, scope: Scope) -> list[KeptReport]:
        """The reports kept over time, oldest first, without ids: the agent's and those of all agents."""
        kept = self.door.asking(scope).mark(KEPT_REPORTS) or {}
        reports = (_report_of(row) for row in kept.get("reports", ()))
        return [report for report in reports if report.whose in (scope.agent, "*")]

    def _keep(self, scope: Scope, report: KeptReport) -> None:
        row = _row_of(report)
        # Read before the transaction: of two sweeps at the same moment one may go unrecorded, and that is all.
        kept = self.door.asking(scope).mark(KEPT_REPORTS) or {}
        others = [
            other
            for other in kept.get("reports", ())
            if (other["at"][:10], other["whose"]) != (row["at"][:10], row["whose"])
        ]
        reports = [*others, row][-REPORTS_KEPT:]

        def work(writes: Transaction) -> None:
            writes.save_mark(KEPT_REPORTS, {"reports": reports})

        self.door.write(scope, work)


class _Run:
    """One sweep; what it holds beside the listed findings is some hundred bytes for each memory."""

    def __init__(self, door: Door, scope: Scope, now: datetime, most: int) -> None:
        self._door = door
        self._scope = scope
        self._now = now
        self._most = most
        self._memories, self._links = Tally(), Tally()
        self._broken: list[Degraded] = []
        self._poor: list[Degraded] = []
        self._counts: Counter[str] = Counter()
        self._broken_count = self._records = 0
        self._standing: dict[int, bool] = {}
        """Logical id -> whether it holds now."""
        self._open: set[int] = set()
        self._open_twice: set[int] = set()
        self._files = FileParts()

    def finish(self, progress: Progress | None) -> SweepReport:
        """Go through everything; the report."""
        began = time.perf_counter()
        total = self._door.tending(self._scope).count().versions
        for memory in self._records_of_memories():
            self._see(memory)
            if progress is not None and (self._records % _PORTION == 0 or self._records == total):
                progress(self._records, max(total, self._records))
        for number in sorted(self._open_twice):
            self._note(judge_versions(self._door.asking(self._scope).versions(str(UUID(int=number)))))
        self._note(self._files.judge())
        self._see_links()
        return SweepReport(
            at=self._now,
            memories=self._memories.report(),
            links=self._links.report(),
            records=self._records,
            degraded=tuple((self._broken + self._poor)[: self._most]),
            counts=dict(sorted(self._counts.items())),
            broken=self._broken_count,
            seconds=time.perf_counter() - began,
        )

    def _records_of_memories(self) -> Iterator[Memory]:
        offset = 0
        while portion := self._door.asking(self._scope).browse(_ALL, _PORTION, offset, newest_first=False):
            yield from portion
            offset += len(portion)

    def _see(self, memory: Memory) -> None:
        self._records += 1
        self._note(judge_memory(memory))
        number = UUID(memory.logical_id).int
        on_record = memory.expired_at is None
        holds = on_record and memory.valid_at <= self._now
        holds = holds and (memory.invalid_at is None or self._now < memory.invalid_at)
        self._standing[number] = self._standing.get(number, False) or holds
        if on_record:
            self._memories.add(memory)
            (self._open_twice if number in self._open else self._open).add(number)
        if holds:
            self._files.add(memory)

    def _see_links(self) -> None:
        """All links, each with the portion in which its source is."""
        numbers = list(self._standing)
        for begin in range(0, len(numbers), _PORTION):
            ids = {str(UUID(int=number)) for number in numbers[begin : begin + _PORTION]}
            links = [
                link
                for link in self._door.asking(self._scope).links(sorted(ids), _ALL)
                if link.source_id in ids
            ]
            self._note(judge_doubled_links(links))
            for link in links:
                if link.expired_at is None:
                    self._links.add(link)
                ends = (UUID(link.source_id).int, UUID(link.target_id).int)
                standing = any(self._standing.get(end, False) for end in ends)
                self._note(judge_link(link, standing, self._now))

    def _note(self, findings: Iterator[Degraded]) -> None:
        for finding in findings:
            self._counts[f"{finding.kind} {finding.name}"] += 1
            self._broken_count += finding.broken
            kept = self._broken if finding.broken else self._poor
            if len(kept) < self._most:
                kept.append(finding)


def _row_of(report: KeptReport) -> dict[str, Any]:
    return {
        "at": report.at.isoformat(),
        "whose": report.whose,
        "broken": report.broken,
        "memories": asdict(replace(report.memories, incomplete_ids=())),
        "links": asdict(replace(report.links, incomplete_ids=())),
    }


def _report_of(row: Mapping[str, Any]) -> KeptReport:
    def counts(kept: Mapping[str, Any]) -> ValidationReport:
        return ValidationReport(**{**kept, "incomplete_ids": (), "grade": Grade(kept["grade"])})

    at = parse_time(row["at"], "the time of a kept report")
    return KeptReport(at, row["whose"], counts(row["memories"]), counts(row["links"]), row["broken"])
