"""Restores an export: into an empty store exactly, into any other only what is missing.

**As it was.** The empty store takes on the identity of the exported one, and every row comes back under its own id: all
versions and closing records, registry entries, links, origins, the audit log, marks, and which records one write made.
Embeddings are made again, by the encoders of this store. Only marks that speak of embeddings and of positions stay
behind. Portions are transactions, each with the mark `restore`, which says how far it is: what is broken off goes on.

**Beside what is there.** By ids: a memory that is there with the same records is there already; one that the store has
otherwise is left as it is and reported, with all its records; nothing is ever overwritten, and what was forgotten here
does not come back, nor a project that nothing is written into. Origins count only under the identity of their own
store; of another's those are taken over that can be told from the content. Its audit log, injections and marks are
of another store and stay behind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final, cast
from uuid import UUID

from engramforge.capture.formats.own_export import Header, Line, read_header, read_lines
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.records import Item, Place
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.capture.writers.own_exports.merging import Merge, rows_of
from engramforge.capture.writers.own_exports.redacting import redacted
from engramforge.errors import InvalidValue
from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.scope import Project, Scope
from engramforge.model.storing.effect import records_line
from engramforge.model.storing.record import Entry
from engramforge.model.storing.section import (
    ENCODER_MARKS,
    PLACE_MARKS,
    RESTORE_MARK,
    Mark,
    Origin,
    Section,
    StoredMemory,
)
from engramforge.model.topics.topic import TOPIC_MARKS
from engramforge.store.door import Transaction
from engramforge.writing.expected_state import hold_sources
from engramforge.writing.pictures import is_unseen
from engramforge.writing.repeating import embedding_again

_LINES: Final = 250
"""Lines per transaction."""
_CHARACTERS: Final = 8_000_000
"""The most content of a portion, unless a single memory is larger."""
_THERE: Final = "there"
_WRITTEN: Final = "written"
_OTHERWISE: Final = "the store has it otherwise, and that stays"
_FORGOTTEN: Final = "forgotten before"
_NO_END: Final = "one of its memories is not there"
_NO_MEMORY: Final = "its memory is not there"
_NO_PROJECT: Final = "its project is not there"
_WITH_MEMORIES: Final = "comes with its first memory"
Outcomes = list[str]
"""The outcome of each line: written, existing, or why it was left out."""


def restore(
    stages: ImportStages, scope: Scope, source: ImportSource, context: Context, count: FileCount
) -> Iterator[Item]:
    """Restore an export, line by line; see the module.

    Raises InvalidSource: its format is unknown; InvalidValue: a project was named, but an export has its own projects.
    """
    if context.asked_project is not None:
        raise InvalidValue(
            f"The project {context.asked_project!r} is named, but an export has its own projects",
            "Leave the project out",
        )
    if context.since is not None:
        raise InvalidValue("A time since when is named, but an export comes back as a whole", "Leave it out")
    return _Restoring(stages, scope, source, count).items()


class _Restoring:
    """One run."""

    def __init__(self, stages: ImportStages, scope: Scope, source: ImportSource, count: FileCount) -> None:
        self._stages = stages
        self._door = stages.door
        self._scope = scope.of_everybody()
        self._source = source
        self._count = count
        self._links: dict[int, bytes] = {}
        self._merge: Merge | None = None
        self._projects: dict[str, Project] = {}

    def items(self) -> Iterator[Item]:
        """Every line after the header, with its outcome."""
        header = read_header(self._source)
        done = self._begin(header)
        read: Counter[str] = Counter()
        for portion in self._portions():
            section = portion[0].section
            if section is not None:
                read[section] += len(portion)
            sound = [line for line in portion if line.row is not None]
            fresh = [line for line in sound if line.number > done]
            outcomes = dict.fromkeys((line.number for line in sound), _THERE)
            if fresh and section is not None:
                became = self._write(section, fresh, header)
                outcomes |= dict(zip((line.number for line in fresh), became, strict=True))
            for line in portion:
                yield self._booked(line, outcomes.get(line.number, ""))
        if self._merge is None:
            self._door.write(self._scope, _finish)
        yield from self._missing(header, read)

    def _begin(self, header: Header) -> int:
        """The number of the last line already written; also decides whether the store was empty."""
        mark = self._door.asking(self._scope).mark(RESTORE_MARK)
        if mark is not None and mark.get("digest") == header.digest:
            self._links = self._links_there()
            return int(mark["line"])
        if mark is not None:
            # Another export was interrupted: its rows stay, and this one is merged with them.
            self._door.write(self._scope, _finish)
        with self._door.tending(self._scope) as shot:
            held = [count for section, count in shot.counts().items() if section is not Section.MARKS]
        if mark is None and not any(held):

            def adopt(writes: Transaction) -> None:
                writes.adopt(header.store_id)
                writes.save_mark(RESTORE_MARK, {"digest": header.digest, "line": 1})

            self._door.write(self._scope, adopt)
            return 1
        self._links = self._links_there()
        self._merge = Merge(self._door, self._scope, header.store_id)
        for portion in self._portions(Section.MEMORIES):
            self._merge.look_at([cast("Memory", line.row) for line in portion if line.row is not None])
        return 1

    def _links_there(self) -> dict[int, bytes]:
        """The links of the store: id -> digest."""
        links = cast("Iterator[Link]", rows_of(self._door, self._scope, Section.LINKS))
        return {UUID(link.id).int: Merge.said(link) for link in links}

    def _portions(self, only: Section | None = None) -> Iterator[list[Line]]:
        """Consecutive lines of one section, as many as one transaction takes."""
        redactor = self._stages.preparation.redactor
        lines = read_lines(self._source, self._scope.tenant)
        for section, group in groupby(lines, lambda line: line.section):
            if only is not None and section is not only:
                continue
            portion: list[Line] = []
            held = 0
            for line in (redacted(each, redactor) for each in group):
                portion.append(line)
                held += len(line.row.content) if isinstance(line.row, Memory) else 0
                if len(portion) >= _LINES or held >= _CHARACTERS:
                    yield portion
                    portion, held = [], 0
            if portion:
                yield portion

    def _write(self, section: Section, lines: Sequence[Line], header: Header) -> Outcomes:
        """Write those of some lines of a section that are to be written."""

        def finish(writes: Transaction) -> None:
            if self._merge is None:
                writes.save_mark(RESTORE_MARK, {"digest": header.digest, "line": lines[-1].number})

        rows = [line.row for line in lines]
        if section is Section.MEMORIES:
            return self._memories(lines, finish)
        if section is Section.ORIGINS:
            return self._origins(cast("list[Origin]", rows), finish)
        if section is Section.LINKS:
            return self._links_of(cast("list[Link]", rows), finish)
        if section is Section.PROJECTS:
            outcomes = self._projects_of(cast("list[Project]", rows))
        elif self._merge is not None:
            return ["of another store"] * len(rows)
        elif section is Section.MARKS:
            outcomes = self._marks(cast("list[Mark]", rows))
        else:
            outcomes = [_WRITTEN] * len(rows)
        fresh: list[Any] = [row for row, said in zip(rows, outcomes, strict=True) if said == _WRITTEN]

        def work(writes: Transaction) -> None:
            writes.restore(section, fresh)
            finish(writes)

        self._door.write(self._scope, work)
        return outcomes

    def _projects_of(self, rows: Sequence[Project]) -> Outcomes:
        """What becomes of projects: beside what is there each comes with its first memory, as one that was forgotten
        here may have none left to bring back."""
        there = self._door.asking(self._scope).project_names()
        fresh = _WRITTEN if self._merge is None else _WITH_MEMORIES
        self._projects = {row.name: row for row in rows} | self._projects
        return [self._left_out(row.name) or (_THERE if row.name in there else fresh) for row in rows]

    @embedding_again
    def _memories(self, lines: Sequence[Line], finish: Callable[[Transaction], None]) -> Outcomes:
        rows = [cast("Memory", line.row) for line in lines]
        # The places of versions, ended ones included, by their ids alone.
        there = self._door.asking(self._scope).places_of([row.id for row in rows])
        # Asked afterwards: what was there when the import began may have been forgotten since.
        gone = self._forgotten(row.logical_id for row in rows if row.id not in there)
        verdicts = [
            self._left_out(row.project)
            or (_FORGOTTEN if row.logical_id in gone else self._merge.left(row) if self._merge else "")
            for row in rows
        ]
        fresh: dict[str, Line] = {}
        for line, row, verdict in zip(lines, rows, verdicts, strict=True):
            if not verdict and row.id not in there:
                fresh.setdefault(row.id, line)
        taken = [cast("Memory", line.row) for line in fresh.values()]
        signals = self._stages.preparation.encode_again(taken)

        def work(writes: Transaction) -> None:
            if self._merge is None:
                numbers = [line.write for line in fresh.values()]
                writes.restore(Section.MEMORIES, list(map(StoredMemory, taken, signals, numbers)))
            elif taken:
                hold_sources(writes, self._merge.known(taken))
                names = {row.project for row in taken}
                writes.restore(Section.PROJECTS, [self._projects[x] for x in names if x in self._projects])
                writes.insert([Entry(*pair) for pair in zip(taken, signals, strict=True)])
                writes.audit("restore", taken[0].logical_id, records_line(len(taken)), self._stages.clock())
            finish(writes)

        self._door.write(self._scope, work)
        self._count.projects |= {row.project for row in taken}
        return [
            verdict or (_WRITTEN if fresh.get(row.id) is line else _THERE)
            for line, row, verdict in zip(lines, rows, verdicts, strict=True)
        ]

    def _origins(self, rows: Sequence[Origin], finish: Callable[[Transaction], None]) -> Outcomes:
        asking = self._door.asking(self._scope)
        known = asking.fetch([row.logical_id for row in rows if row.logical_id is not None])
        projects = asking.project_names()
        moved = [self._merge.origin_here(row, known) if self._merge else row for row in rows]

        def work(writes: Transaction) -> Outcomes:
            outcomes: Outcomes = []
            fresh: dict[tuple[str, bytes], Origin] = {}
            by_project: dict[str, list[bytes]] = {}
            for origin in filter(None, moved):
                by_project.setdefault(origin.project, []).append(origin.key)
            there = {name: writes.known_origins(name, keys) for name, keys in by_project.items()}
            for row, here in zip(rows, moved, strict=True):
                if said := self._left_out(row.project):
                    outcomes.append(said)
                elif here is None:
                    outcomes.append("known by another store's key alone")
                elif here.key in there[here.project] or (here.project, here.key) in fresh:
                    outcomes.append(_THERE)
                elif here.logical_id is not None and here.logical_id not in known:
                    outcomes.append(_NO_MEMORY)
                elif self._merge is not None and here.project and here.project not in projects:
                    outcomes.append(_NO_PROJECT)
                else:
                    fresh[here.project, here.key] = here
                    outcomes.append(_WRITTEN)
            writes.restore(Section.ORIGINS, list(fresh.values()))
            finish(writes)
            return outcomes

        return self._door.write(self._scope, work)

    @embedding_again
    def _links_of(self, rows: Sequence[Link], finish: Callable[[Transaction], None]) -> Outcomes:
        ends = _ends(rows)
        known = self._door.asking(self._scope).fetch(ends)
        gone = self._forgotten(ends - set(known)) if self._merge else set()
        outcomes: Outcomes = []
        fresh: dict[int, Link] = {}
        for row in rows:
            number = UUID(row.id).int
            there = self._links.get(number)
            if there is not None:
                outcomes.append(_THERE if there == Merge.said(row) else _OTHERWISE)
            elif row.source_id not in known or row.target_id not in known:
                outcomes.append(_NO_END if gone.isdisjoint((row.source_id, row.target_id)) else _FORGOTTEN)
            elif number in fresh:
                outcomes.append(_THERE)
            else:
                fresh[number] = row
                outcomes.append(_WRITTEN)

        def work(writes: Transaction) -> None:
            hold_sources(writes, _ends(fresh.values()))
            writes.restore(Section.LINKS, list(fresh.values()))
            finish(writes)

        self._door.write(self._scope, work)
        self._links |= {number: Merge.said(link) for number, link in fresh.items()}
        return outcomes

    def _forgotten(self, logical_ids: Iterable[str]) -> set[str]:
        asked = list(dict.fromkeys(logical_ids))
        return self._door.asking(self._scope).forgotten(asked) if asked else set()

    def _marks(self, rows: Sequence[Mark]) -> Outcomes:
        outcomes: Outcomes = []
        fresh: set[str] = set()
        for row in rows:
            if row.key.replace("/", ":").split(":")[0] in (*ENCODER_MARKS, *PLACE_MARKS):
                outcomes.append("about embeddings, which are made again")
            elif row.key.startswith(TOPIC_MARKS):
                outcomes.append("about topics, which are found again")
            elif row.key in fresh or self._door.asking(self._scope).mark(row.key) is not None:
                outcomes.append(_THERE)
            else:
                fresh.add(row.key)
                outcomes.append(_WRITTEN)
        return outcomes

    def _left_out(self, project: str) -> str:
        return "excluded project" if project in self._stages.excluded else ""

    def _booked(self, line: Line, outcome: str) -> Item:
        count, name = self._count, "?" if line.section is None else str(line.section)
        is_memory = line.section is Section.MEMORIES
        place = Place(self._source.place, line.number, line.end)
        count.records[name] += 1
        count.found += is_memory
        if line.fault:
            count.faulty += is_memory
            return place.fault(name, line.fault, is_memory)
        if outcome in (_WRITTEN, _THERE):
            if not is_memory:
                count.changes[f"{name}_{outcome}"] += 1
            elif outcome == _WRITTEN:
                count.remembered += 1
                count.memories += 1
            else:
                count.duplicate += 1
                count.duplicate_memories += 1
            item = place.item(name, is_message=is_memory)
            if outcome == _WRITTEN and isinstance(line.row, Memory) and is_unseen(line.row):
                return replace(item, unseen=True)
            return item
        count.skipped[outcome] += 1
        count.nothing += is_memory
        remark = self._remark(line, outcome)
        return replace(place.skipped(name, outcome, is_memory), remarks=(remark,) if remark else ())

    def _remark(self, line: Line, outcome: str) -> str:
        """A remark on a line that was left out, once for each memory."""
        if self._merge is not None and isinstance(line.row, Memory):
            return self._merge.conflict_of(line.row)
        if outcome in (_OTHERWISE, _NO_END, _NO_MEMORY):
            which = f"the link {line.row.id}" if isinstance(line.row, Link) else f"a line of {line.section}"
            return f"{which} was left out: {outcome}"
        return ""

    def _missing(self, header: Header, read: Counter[str]) -> Iterator[Item]:
        """Rows that the header counts but the file lacks."""
        for name, expected in header.counts.items():
            found = read[name]
            if found != expected:
                said = f"the header counts {expected:,} lines of {name}, and {found:,} are there"
                yield Item(self._source.place, 1, "header", fault=said, end=self._source.size)


def _ends(links: Iterable[Link]) -> set[str]:
    return {end for link in links for end in (link.source_id, link.target_id)}


def _finish(writes: Transaction) -> None:
    """Let readers notice the restored rows; the store is an ordinary one from now on."""
    writes.settle()
    writes.save_mark(RESTORE_MARK, None)
