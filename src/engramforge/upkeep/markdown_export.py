"""Export as Markdown: a folder for each project, with pages that people read, and beside them the same as JSON lines.

    FOLDER/README.md                            which projects, how many of what
    FOLDER/memory.jsonl                         the export as in upkeep/exporting: an import brings all of it back
    FOLDER/engramforge-export.json              which files there are
    FOLDER/PROJECT/decisions.md, threads.md, lineage.md
    FOLDER/PROJECT/conversations/NAME.md        each in its order
    FOLDER/PROJECT/notes/2026-05.md, entities.md, files/NAME.md

Everything is from a single moment. Records are sorted into pages through files in the folder, so memory holds only a
page at a time. Pages show current and ended records; archives and detections waiting for review are only in the JSON
lines.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from engramforge.core.registries.registration import entry_id_of
from engramforge.core.rows.row_digest import line_of
from engramforge.core.rows.row_reading import row_of
from engramforge.core.text.page_marks import DECISIONS_PAGE, SIDECAR
from engramforge.model.memory import Kind, Memory
from engramforge.model.registries.decision import Decision
from engramforge.model.registries.entry import DecisionStatus, ThreadStatus
from engramforge.model.scope import Project, Scope
from engramforge.model.storing.section import ExportReport, Section
from engramforge.registries.decisions.decision_view import Around, decision_of, decision_text
from engramforge.registries.lineage.lineage_reading import edge_of
from engramforge.registries.threads.thread_view import thread_of
from engramforge.store.door import Door, Upkeep
from engramforge.upkeep.exporting import Exported, in_order, rows_of
from engramforge.upkeep.pages import (
    DECISIONS_HEAD,
    Page,
    PageFolder,
    decision_block,
    edge_block,
    memory_block,
    safe_name,
    thread_block,
    title_of,
)

_SPOOLED_BYTES: Final = 4 * 1024 * 1024
"""How much is held in memory before it goes to the spool."""
_REGISTRIES: Final = {Kind.DECISION: DECISIONS_PAGE, Kind.THREAD: "threads.md", Kind.LINEAGE: "lineage.md"}
_CONVERSATIONS, _NOTES, _FILES, _ENTITIES = "conversations", "notes", "files", "entities.md"


def export_markdown(door: Door, tenant: str, folder: Path, project: str | None = None) -> ExportReport:
    """Write the pages of a tenant, or of one of its projects, into a folder.

    Raises InvalidValue: the folder holds files from elsewhere. Raises StoreFull, StoreUnavailable: it cannot be
    written; files not yet replaced stay.
    """
    target = PageFolder(folder)
    scope = Scope(tenant, every_agent=True, projects=None if project is None else (project,))
    with door.tending(scope) as shot, target.spool() as spool:
        with target.page(SIDECAR) as page:
            Exported(shot, tenant, door.identity.store_id, project).write(page)
        near = Around.of(link for _, links in in_order(shot, Section.LINKS) for link in links)
        pages = _Pages(target, tenant, _Spool(spool), near)
        pages.gather(shot)
        projects = [row.name for row in rows_of(shot, Section.PROJECTS) if isinstance(row, Project)]
        pages.write(projects if project is None else [project])
    target.finish()
    counts = sum(pages.by_project.values(), Counter[str]())
    return ExportReport(str(target.root), dict(counts), target.size_bytes)


@dataclass(slots=True)
class _Spool:
    """Lines by page, on disk beyond a few megabytes."""

    folder: Path
    _held: dict[str, list[bytes]] = field(default_factory=dict)
    _names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _size: int = 0

    def add(self, parts: tuple[str, ...], line: bytes) -> None:
        """Keep a line for a page."""
        name = safe_name("\0".join(parts))
        self._names[name] = parts
        self._held.setdefault(name, []).append(line)
        self._size += len(line)
        if self._size > _SPOOLED_BYTES:
            self._flush()

    def pages(self) -> Iterator[tuple[tuple[str, ...], list[bytes]]]:
        """Every page with its lines, by the parts of its name."""
        self._flush()
        for name, parts in sorted(self._names.items(), key=lambda item: item[1]):
            file = self.folder / name
            yield parts, file.read_bytes().split(b"\n")[:-1]
            with suppress(OSError):
                file.unlink()

    def _flush(self) -> None:
        for name, lines in self._held.items():
            with (self.folder / name).open("ab") as file:
                file.writelines(line + b"\n" for line in lines)
        self._held, self._size = {}, 0


@dataclass(slots=True)
class _Pages:
    """The pages of one export."""

    folder: PageFolder
    tenant: str
    spool: _Spool
    near: Around
    titles: dict[str, str] = field(default_factory=dict)
    threads: dict[str, Memory] = field(default_factory=dict)
    by_project: dict[str, Counter[str]] = field(default_factory=dict)

    def gather(self, shot: Upkeep) -> None:
        """Sort every record to its page."""
        for _, memories in in_order(shot, Section.MEMORIES):
            for memory in memories:
                parts = _page_of(memory)
                if parts is None:
                    continue
                if memory.kind is Kind.THREAD and memory.expired_at is None:
                    self.threads[memory.logical_id] = _later(self.threads.get(memory.logical_id), memory)
                if memory.kind is Kind.DECISION:
                    its = entry_id_of(Kind.DECISION, memory.logical_id)
                    self.titles[its] = title_of(decision_text(memory))
                self.spool.add(parts, line_of(Section.MEMORIES, memory))

    def write(self, projects: Iterable[str]) -> None:
        """Write all pages and the overview."""
        self.by_project = {name: Counter() for name in sorted(projects)}
        for parts, lines in self.spool.pages():
            project, what = parts[0], parts[1]
            memories = [self._read(line) for line in lines]
            with self.folder.page(safe_name(project), *_file_of(parts)) as page:
                number = self._fill(page, what, parts, memories)
            self.by_project.setdefault(project, Counter())[what] += number
        with self.folder.page("README.md") as page:
            page.say(_readme(self.by_project))

    def _fill(self, page: Page, what: str, parts: tuple[str, ...], memories: list[Memory]) -> int:
        """Write a page; returns how many entries it has, or 1 for a conversation or file."""
        if what == "decisions":
            return self._fill_decisions(page, memories)
        heads = _heads(memories)
        if what == "lineage":
            edges = sorted(map(edge_of, heads), key=lambda edge: (edge.compressed_at, edge.id))
            page.say("".join(["# Lineage\n", *map(edge_block, edges)]))
        elif what == "threads":
            page.say("# Threads\n")
            threads = sorted(
                (thread_of(head, blockers=self.threads) for head in heads),
                key=lambda each: (each.opened_at, each.id),
            )
            for title, is_open in (("Open", True), ("Closed", False)):
                chosen = [thread for thread in threads if (thread.status is ThreadStatus.OPEN) is is_open]
                page.say("".join([f"\n## {title}\n", *map(thread_block, chosen)]))
        else:
            page.say(f"# {title_of(parts[2] if len(parts) > 2 else what)}\n")
            for memory in sorted(heads, key=_place):
                page.say(memory_block(memory))
        return 1 if what in (_CONVERSATIONS, _FILES) else len(heads)

    def _fill_decisions(self, page: Page, memories: list[Memory]) -> int:
        by_id: dict[str, list[Memory]] = {}
        for memory in memories:
            by_id.setdefault(memory.logical_id, []).append(memory)
        histories: list[list[Decision]] = []
        for records in by_id.values():
            head = _heads(records)[0]
            others = sorted(
                (record for record in records if record.id != head.id), key=lambda memory: memory.created_at
            )
            histories.append([decision_of(other, near=self.near) for other in (*others, head)])
        page.say(DECISIONS_HEAD)
        for title, active in (("Active", True), ("Ended", False)):
            page.say(f"\n## {title}\n")
            chosen = [
                history for history in histories if (history[-1].status is DecisionStatus.ACTIVE) is active
            ]
            for history in sorted(chosen, key=lambda each: (each[-1].valid_at, each[-1].id)):
                page.say(decision_block(history, self.titles))
        return len(histories)

    def _read(self, line: bytes) -> Memory:
        values = json.loads(line)
        del values["section"]
        return cast("Memory", row_of(Section.MEMORIES, values, self.tenant))


def _page_of(memory: Memory) -> tuple[str, ...] | None:
    """Project, kind of page, and which page; None for records that are on none."""
    if memory.kind in _REGISTRIES and memory.registration is not None:
        return memory.project, _REGISTRIES[memory.kind].removesuffix(".md")
    if memory.expired_at is not None or memory.kind is Kind.ARCHIVE:
        return None
    if memory.kind is Kind.FLAG and memory.registration is not None:
        return None
    if memory.chunk is not None:
        return memory.project, _FILES, memory.chunk.file_path
    if memory.session_id is not None:
        return memory.project, _CONVERSATIONS, memory.session_id
    if memory.kind is Kind.ENTITY:
        return memory.project, "entities"
    return memory.project, _NOTES, f"{memory.valid_at:%Y-%m}"


def _file_of(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The file of a page below its project."""
    if len(parts) == 2:
        return (f"{parts[1]}.md",)
    name = parts[2] if parts[1] == _NOTES else safe_name(parts[2])
    return parts[1], f"{name}.md"


def _heads(memories: Iterable[Memory]) -> list[Memory]:
    """The record of each memory that gives its present state."""
    heads: dict[str, Memory] = {}
    for memory in memories:
        heads[memory.logical_id] = _later(heads.get(memory.logical_id), memory)
    return list(heads.values())


def _later(known: Memory | None, other: Memory) -> Memory:
    """Of two records of a memory the one that gives its present state: on record, newer version, not ended."""
    if known is None:
        return other

    def rank(memory: Memory) -> tuple[object, ...]:
        is_open = memory.expired_at is None
        return is_open, memory.version, memory.invalidation_reason is None or not is_open, memory.created_at

    return max(known, other, key=rank)


def _place(memory: Memory) -> tuple[object, ...]:
    if memory.chunk is not None:
        return 0, memory.chunk.chunk_index, memory.valid_at, memory.id
    if memory.session_id is not None and memory.sequence is not None:
        return 0, memory.sequence, memory.valid_at, memory.id
    return 1, 0, memory.valid_at, memory.id


def _readme(by_project: dict[str, Counter[str]]) -> str:
    lines = [
        "# Export of engramforge\n",
        "\nOne folder for each project. `engramforge import` of this folder brings everything back, from",
        f" `{SIDECAR}`;\nof the pages only edited texts of decisions are read. An export into this folder",
        " replaces it.\n",
    ]
    for name in sorted(by_project):
        said = (
            ", ".join(f"{count:,} {what}" for what, count in sorted(by_project[name].items()))
            or "nothing yet"
        )
        lines.append(f"\n- [{title_of(name)}]({safe_name(name)}/): {said}")
    return "".join(lines) + "\n"
