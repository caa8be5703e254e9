"""Brings the store up to date with a vault of notes (formats/obsidian): its chunks, and the links between notes.

For links, a note's memory is its first chunk. A link removed from a note ends, one that somebody ended as false is not
restored, and one to a missing note is counted, and written once the note exists. A renamed note keeps its memory while
its text is the same; links by its old name end, and those by its new name lead to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from engramforge.capture.formats.obsidian import BESIDE, Note, NoteNames, note_files, read_chunks, read_note
from engramforge.capture.reading.format import Context
from engramforge.capture.reading.records import Item
from engramforge.capture.reading.sources import ImportSource
from engramforge.capture.writers.account import FileCount
from engramforge.capture.writers.chunk_plan import Synced
from engramforge.capture.writers.chunks import ChunkSync, FileBatch, TextFile
from engramforge.capture.writers.import_stages import ImportStages
from engramforge.capture.writers.links import links_there, save_links
from engramforge.capture.writers.marks import ImportMarks
from engramforge.core.text.wiki_text import RELATED, WikiLink
from engramforge.model.link import Link
from engramforge.model.memory import Memory
from engramforge.model.scope import Scope
from engramforge.model.storing.record import StoredChunk
from engramforge.registries.registered import entry_link

_SAID_IN: Final = "said_in"
_A_NOTE: Final = "a note"
"""Value of a link's extra field: it comes from notes, so it ends when they no longer have it."""
_Place = tuple[str, str, str]
"""Source, target and relation of a link; the ends are logical ids."""


def write_vault(
    stages: ImportStages, scope: Scope, source: ImportSource, context: Context, count: FileCount
) -> Iterator[Item]:
    """Write a vault, and keep the account; yields an item for each note."""
    vault = _Vault(stages, scope, source.path, context, count)
    read = 0
    for item in vault.write(note_files(source.path)):
        read += item.end
        yield replace(item, end=min(read, source.size))
    count.projects.add(vault.project)
    vault.link_all()


class _Vault:
    """The import of a vault."""

    def __init__(
        self, stages: ImportStages, scope: Scope, root: Path, context: Context, count: FileCount
    ) -> None:
        self._door = stages.door
        self._scope = scope
        self._root = root
        self._now = context.now
        self._rules = context.clean, context.find
        self._count = count
        self.project = context.own_project
        self._batch = FileBatch(ChunkSync(stages), scope)
        self._marks = ImportMarks(stages, scope)
        self._before = self._known()
        self._notes: list[Note] = []

    def write(self, paths: Sequence[Path]) -> Iterator[Item]:
        """Bring the chunks of notes up to date, a batch per transaction, and account for them."""
        for path in paths:
            item, file = self._read(path)
            if file is None:
                yield item
            else:
                yield from map(self._booked, self._batch.add(file, self._now))
        yield from map(self._booked, self._batch.write())

    def _read(self, path: Path) -> tuple[Item, TextFile | None]:
        """A note as an item, and its plan; None if it did not change or cannot be read."""
        source, count = ImportSource.of(path, "obsidian"), self._count
        self._notes.append(read_note(path, self._root))
        count.records["note"] += 1
        if (kept := self._marks.unchanged(source, self.project)) is not None:
            count.add_records(kept[0])
            count.duplicate_memories += kept[0].memories + kept[0].duplicate_memories
            return Item(str(path), None, "note", end=source.size), None
        item = read_chunks(path, self._root, self.project, source.mtime, self._now, *self._rules)
        if item.fault:
            count.found += 1
            count.faulty += 1
            return item, None
        own = FileCount("obsidian", projects={self.project})
        marks = self._marks.mark(source, self.project, own)
        return item, TextFile(source, item, self._before.get(str(path), ()), source.mtime, own, marks)

    def _booked(self, written: tuple[TextFile, Synced]) -> Item:
        file, synced = written
        count = self._count
        count.faults += len(synced.faults)
        for name in ("superseded", "invalidated", "redacted"):
            count.changes[name] += getattr(synced, name)
        count.memories += synced.inserted
        count.duplicate_memories += synced.unchanged
        count.add_records(file.count)
        return file.item

    def link_all(self) -> None:
        """Write the links in notes, and end those that are gone."""
        first = self._first_chunks()
        notes = {note.name: first[str(note.path)] for note in self._notes if str(note.path) in first}
        wanted, missing = self._wanted(notes)
        earlier = {chunk.logical_id for chunks in self._before.values() for chunk in chunks[:1]}
        memories = {memory.logical_id: memory for memory in first.values()}
        ids = sorted({*memories, *earlier})
        known_links = {link.id: link for link in links_there(self._door, self._scope, ids)}
        there = {_place_of(link) for link in known_links.values()}
        fresh = [place for place in wanted if place not in there]
        gone = [
            link
            for link in known_links.values()
            if link.expired_at is None
            and link.extra.get(_SAID_IN) == _A_NOTE
            and _place_of(link) not in wanted
        ]
        links = [self._link(memories, place, wanted[place]) for place in fresh]
        why = "its note does not say it any more"
        save_links(self._door, self._scope, self._now, links, gone, why)
        numbers = {
            "links": len(links),
            "links_there": len(wanted) - len(fresh),
            "links_ended": len(gone),
            "links_unresolved": missing,
        }
        if any(numbers.values()):
            self._count.changes.update(numbers)

    def _wanted(self, notes: Mapping[str, Memory]) -> tuple[dict[_Place, WikiLink], int]:
        """The links in notes, and how many lead to no note. A typed link outweighs a plain one."""
        names = NoteNames.of(self._notes)
        found: dict[_Place, WikiLink] = {}
        missing = 0
        for note in self._notes:
            for link in note.links:
                target = names.find(link.target, note.name)
                if target is None or target not in notes:
                    missing += target != note.name and Path(link.target).suffix.lower() not in BESIDE
                elif target != note.name and note.name in notes:
                    if notes[note.name].logical_id == notes[target].logical_id:
                        continue  # both say the same
                    place = notes[note.name].logical_id, notes[target].logical_id, link.relation
                    found.setdefault(place, link)
        typed = {place[:2] for place in found if place[2] != RELATED}
        return {
            place: link for place, link in found.items() if place[2] != RELATED or place[:2] not in typed
        }, missing

    def _link(self, memories: Mapping[str, Memory], place: _Place, said: WikiLink) -> Link:
        source, target = memories[place[0]], memories[place[1]]
        extra = {_SAID_IN: _A_NOTE}
        extra |= {name: text for name in ("heading", "alias") if (text := getattr(said, name))}
        valid_at = max(source.valid_at, target.valid_at)
        trigger = "a note links to another"
        return entry_link(
            place[2], source, target, self._now, valid_at=valid_at, trigger=trigger, extra=extra
        )

    def _first_chunks(self) -> dict[str, Memory]:
        ids = {path: chunks[0].id for path, chunks in self._known().items()}
        found = self._door.asking(self._scope).fetch(ids.values())
        return {path: found[id_] for path, id_ in ids.items() if id_ in found}

    def _known(self) -> dict[str, list[StoredChunk]]:
        """The stored chunks of files that are or were in the vault."""
        return self._door.asking(self._scope).known_files(self.project, f"{str(self._root).rstrip('/')}/")


def _place_of(link: Link) -> _Place:
    return link.source_id, link.target_id, link.relation
